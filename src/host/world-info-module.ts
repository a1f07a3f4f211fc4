// What `getContext()` does not hand out: the world info cache, the additional books and the scan settings are
// exports of SillyTavern's own module `/scripts/world-info.js`. Reaching into it may fail in any version.

import { isObject, type JsonObject } from '../core/json.ts';
import { warn } from './context.ts';

/** The additional books of one character. `name` is the avatar file name without its extension. */
export interface CharLore {
  name: string;
  extraBooks?: string[];
}

/** The exports of `/scripts/world-info.js` that we use (same names in 1.13 to 1.19). All may be missing. */
export interface WorldInfoModule {
  /** Clones on get, does not clone on set: what is set must never be touched again. */
  readonly worldInfoCache?: Map<string, unknown>;
  readonly world_info?: { charLore?: CharLore[] };
  readonly selected_world_info?: string[];
  readonly world_names?: readonly string[];
  readonly openWorldInfoEditor?: (name: string) => void;
  readonly [name: string]: unknown;
}

let loaded: Promise<WorldInfoModule | undefined> | undefined;

/**
 * SillyTavern's world info module. It is loaded already when we ask, so this costs nothing but a promise.
 *
 * @returns the module's live exports, or undefined where there is none (one warning on the console)
 */
export function worldInfoModule(): Promise<WorldInfoModule | undefined> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<WorldInfoModule | undefined> {
  // A variable, so that no bundler tries to resolve a path that only SillyTavern's server knows.
  const path = '/scripts/world-info.js';
  try {
    return (await import(/* @vite-ignore */ path)) as WorldInfoModule;
  } catch (error) {
    warn("SillyTavern's world info module could not be reached; its cache is not refreshed by us.", error);
    return undefined;
  }
}

/**
 * A world as SillyTavern has it in its memory, edits included that are not saved yet. It is SillyTavern's own object:
 * read it, never change it.
 *
 * @returns undefined when it was not read yet, or the client does not tell
 */
export async function heldWorld(name: string): Promise<JsonObject | undefined> {
  const cache = (await worldInfoModule())?.worldInfoCache;
  // The cache's own `get` hands out a deep copy.
  const held = cache instanceof Map ? Map.prototype.get.call(cache, name) : undefined;
  return isObject(held) ? held : undefined;
}
