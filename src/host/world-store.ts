// World info files on SillyTavern's server: list, read, write, delete. Its own `saveWorldInfo` ignores a refused
// write and fills its cache first (public/scripts/world-info.js, _save), so writing is done here, and checked.

import * as z from 'zod/mini';
import { hashJson } from '../core/hash.ts';
import { isObject, type JsonObject, sameJson } from '../core/json.ts';
import { context, warn } from './context.ts';
import { post, postJson, ServerError } from './server.ts';
import { refreshEditor, unsavedEdits } from './world-editor.ts';
import { WorldChangedError, WorldWriteError } from './world-errors.ts';
import { worldInfoModule } from './world-info-module.ts';

export { WorldChangedError, WorldWriteError } from './world-errors.ts';

import { foldName } from './world-name.ts';

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

/**
 * What must be true of the file for a write to go on: it does not exist, it is the one that was read, or any.
 * `absentFrom`: it does not exist either, and these were the names of all worlds a moment ago.
 */
export type Expected =
  | 'absent'
  | 'any'
  | { readonly hash: string }
  | { readonly absentFrom: readonly string[] };

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

function isDummy(data: JsonObject): boolean {
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

/**
 * Writes a world: checks that the file is as expected, posts it, reads it back and compares, then brings
 * SillyTavern's cache, its listeners and an open editor up to date. What reads back wrong is put back as it was. For
 * a new world `refreshWorldList` is still to be called, once for all.
 *
 * @param name as `newWorldName` gave it, or as listed
 * @param data the whole content of the file
 * @returns what stands in the file now
 * @throws {WorldChangedError} when the file is not as expected; nothing is written then
 * @throws {WorldWriteError} when what was written reads back differently
 * @throws {ServerError} when the server refuses
 */
export async function writeWorld(name: string, data: JsonObject, expected: Expected): Promise<StoredWorld> {
  const before = await check(name, expected);
  const found = await writeAndReadBack(name, data).catch(async (error: unknown) => {
    // Whatever went wrong, also an answer that was lost on its way: what the file holds now is nobody's.
    await putBack(name, before, data);
    throw error;
  });
  await betweenTasks(found);
  const hash = hashJson(found);
  await betweenTasks(found);
  await announce(name, found);
  return { name, data: found, hash };
}

async function writeAndReadBack(name: string, data: JsonObject): Promise<JsonObject> {
  await post('/api/worldinfo/edit', { name, data });
  const stored = await postJson('/api/worldinfo/get', { name });
  const found: JsonObject = isObject(stored) ? stored : {};
  if (!sameJson(found, data)) throw new WorldWriteError(name, countEntries(data), countEntries(found));
  return found;
}

// Each step over a book of thousands of entries takes a good part of the time that a page may stand still.
const LARGE = 500;

async function betweenTasks(data: JsonObject): Promise<void> {
  if (countEntries(data) > LARGE) await new Promise((resolve) => setTimeout(resolve));
}

/**
 * Deletes a world's file, and its name from the client's memory. Links to it are the caller's.
 *
 * @throws {WorldChangedError} when the file is not as expected; it stays then
 * @throws {ServerError} when the server refuses; 500 when the file does not exist
 */
export async function deleteWorld(name: string, expected: 'any' | { readonly hash: string }): Promise<void> {
  await check(name, expected);
  await post('/api/worldinfo/delete', { name });
  const module = await worldInfoModule();
  module?.worldInfoCache?.delete(name);
  const selected = module?.selected_world_info?.indexOf(name) ?? -1;
  if (selected < 0) return;
  module?.selected_world_info?.splice(selected, 1);
  context().saveSettingsDebounced?.();
}

// What a failed write left is no lorebook of anyone's. A file that the write never reached is left alone. `any`:
// nobody looked at what was there.
async function putBack(
  name: string,
  before: StoredWorld | 'absent' | 'any',
  written: JsonObject,
): Promise<void> {
  if (before === 'any') return;
  try {
    const now = await postJson('/api/worldinfo/get', { name }).catch(() => written);
    if (before === 'absent') {
      if (isObject(now) && !isDummy(now)) await post('/api/worldinfo/delete', { name });
    } else if (!sameJson(now, before.data)) {
      await post('/api/worldinfo/edit', { name, data: before.data });
    }
  } catch (error) {
    warn(`“${name}” could not be put back as it was.`, error);
  }
}

async function check(name: string, expected: Expected): Promise<StoredWorld | 'absent' | 'any'> {
  if (expected === 'any') return expected;
  if (expected === 'absent') {
    const fold = foldName(name);
    const taken = (await listWorlds()).some((world) => foldName(world.name) === fold);
    if (taken) throw new WorldChangedError(name, 'exists');
    return expected;
  }
  if ('absentFrom' in expected) {
    const fold = foldName(name);
    if (expected.absentFrom.some((world) => foldName(world) === fold)) {
      throw new WorldChangedError(name, 'exists');
    }
    // The list may be as old as its batch; the file itself is asked for now, which is cheap.
    const data = await postJson('/api/worldinfo/get', { name });
    if (!isObject(data) || !isDummy(data)) throw new WorldChangedError(name, 'exists');
    return 'absent';
  }
  let now = await readWorld(name);
  if (now && (await unsavedEdits(now))) now = await readWorld(name);
  if (!now) throw new WorldChangedError(name, 'gone');
  if (now.hash !== expected.hash) throw new WorldChangedError(name, 'changed');
  return now;
}

async function announce(name: string, data: JsonObject): Promise<void> {
  try {
    // The cache keeps the very object that it is given, and listeners get it too: theirs, not ours.
    const theirs = structuredClone(data);
    (await worldInfoModule())?.worldInfoCache?.set(name, theirs);
    const { eventSource, eventTypes } = context();
    const type = eventTypes?.['WORLDINFO_UPDATED'];
    // Not awaited: `emit` waits for every extension that listens.
    if (type) eventSource?.emit(type, name, theirs).catch(() => {});
    refreshEditor(name);
  } catch (error) {
    warn(`“${name}” is written, but SillyTavern shows it as it was until the page is reloaded.`, error);
  }
}
