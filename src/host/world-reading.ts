// World info files on SillyTavern's server, as they stand there now: past SillyTavern's cache, which it fills before it
// writes (public/scripts/world-info.js, _save).

import * as z from 'zod/mini';
import { hashJson } from '../core/hash.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import { postJson, ServerError } from './server.ts';

/** A world as the server's list shows it. */
export interface WorldListing {
  /** The file name without `.json`: the world's identity, and what links name. */
  readonly name: string;
  /** Its top-level `extensions`; empty where the client is older than 1.14 and cannot tell. */
  readonly extensions: JsonObject;
}

/** A world as it stands in its file. */
export interface StoredWorld {
  readonly name: string;
  readonly data: JsonObject;
  /** {@link hashJson} of `data`, to recognise the file again. */
  readonly hash: string;
}

const Listed = z.array(z.object({ file_id: z.string(), extensions: z.optional(z.unknown()) }));
const Settings = z.object({ world_names: z.optional(z.array(z.string())) });

/**
 * All worlds, asked of the server now.
 *
 * @throws {ServerError} when the server refuses
 */
export async function listWorlds(): Promise<readonly WorldListing[]> {
  if (!listMissing) {
    try {
      const listed = z.parse(Listed, await postJson('/api/worldinfo/list', {}));
      return listed.map(({ file_id: name, extensions }) => ({
        name,
        extensions: isObject(extensions) ? extensions : {},
      }));
    } catch (error) {
      if (!(error instanceof ServerError && error.status === 404)) throw error;
      listMissing = true;
    }
  }
  const settings = z.parse(Settings, await postJson('/api/settings/get', {}));
  return (settings.world_names ?? []).map((name) => ({ name, extensions: {} }));
}

// 1.13 has no such endpoint, and the browser reports each 404; the settings name the worlds in every version.
let listMissing = false;

/**
 * One world as it stands in its file now, past SillyTavern's cache.
 *
 * @returns the world, or undefined when there is none of that name
 * @throws {ServerError} when the server refuses
 */
export async function readWorld(name: string): Promise<StoredWorld | undefined> {
  const data = await postJson('/api/worldinfo/get', { name });
  // The server answers `{entries: {}}` for a file that does not exist (src/endpoints/worldinfo.js, allowDummy).
  if (!isObject(data)) return undefined;
  if (isDummy(data) && !(await listWorlds()).some((world) => world.name === name)) return undefined;
  return { name, data, hash: hashJson(data) };
}

/**
 * Whether no file of that name holds anything now.
 *
 * @throws {ServerError} when the server refuses
 */
export async function isVacant(name: string): Promise<boolean> {
  const data = await postJson('/api/worldinfo/get', { name });
  return isObject(data) && isDummy(data);
}

/** Whether a file's content is what the server answers for a file that does not exist. */
export function isDummy(data: JsonObject): boolean {
  return (
    Object.keys(data).length === 1 && isObject(data['entries']) && Object.keys(data['entries']).length === 0
  );
}

/**
 * How many entries a world holds.
 *
 * @param data the content of a world file
 */
export function countEntries(data: JsonObject): number {
  const entries = data['entries'];
  return typeof entries === 'object' && entries !== null ? Object.keys(entries).length : 0;
}
