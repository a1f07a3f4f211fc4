// World info files on SillyTavern's server: write, delete. Its own `saveWorldInfo` ignores a refused
// write and fills its cache first (public/scripts/world-info.js, _save), so writing is done here, and checked.

import { hashJson } from '../core/hash.ts';
import { isObject, type JsonObject, sameJson } from '../core/json.ts';
import { context, warn } from './context.ts';
import { post, postJson } from './server.ts';
import { refreshEditor, unsavedEdits } from './world-editor.ts';
import { WorldChangedError, WorldWriteError } from './world-errors.ts';
import { worldInfoModule } from './world-info-module.ts';
import { foldName } from './world-name.ts';
import { countEntries, isDummy, isVacant, listWorlds, readWorld, type StoredWorld } from './world-reading.ts';

export { WorldChangedError, WorldWriteError } from './world-errors.ts';

export {
  countEntries,
  isVacant,
  listWorlds,
  readWorld,
  type StoredWorld,
  type WorldListing,
} from './world-reading.ts';

/**
 * What must be true of the file for a write to go on: it does not exist, it is the one that was read, or any.
 * `absentFrom`: it does not exist either, and these were the names of all worlds a moment ago; `isVacant` where the
 * file itself was asked for a moment ago too, see {@link isVacant}.
 */
export type Expected =
  | 'absent'
  | 'any'
  | { readonly hash: string }
  | { readonly absentFrom: readonly string[]; readonly isVacant?: Promise<boolean> };

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
  return (await sendWorld(name, data, expected)).written;
}

/** A world that the server has taken. */
export interface SentWorld {
  /** {@link hashJson} of what was sent; what reads back the same has the same. */
  readonly hash: string;
  /** What stands in the file, once it was read back; it must be waited for. Rejects as {@link writeWorld} throws. */
  readonly written: Promise<StoredWorld>;
}

/**
 * As {@link writeWorld}, for a caller who has something else to do while the file is read back.
 *
 * @throws {WorldChangedError} when the file is not as expected; nothing is written then
 * @throws {ServerError} when the server refuses
 */
export async function sendWorld(name: string, data: JsonObject, expected: Expected): Promise<SentWorld> {
  const before = await check(name, expected);
  // Whatever went wrong, also an answer that was lost on its way: what the file holds now is nobody's.
  const orPutBack = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      await putBack(name, before, data);
      throw error;
    });
  await orPutBack(post('/api/worldinfo/edit', { name, data }));
  const found = orPutBack(readBack(name, data));
  // While the server reads.
  const hash = hashJson(data);
  const written = found.then((stored) => settled({ name, data: stored, hash }));
  // Whoever waits for it hears of the failure.
  written.catch(() => undefined);
  return { hash, written };
}

async function readBack(name: string, data: JsonObject): Promise<JsonObject> {
  const stored = await postJson('/api/worldinfo/get', { name });
  const found: JsonObject = isObject(stored) ? stored : {};
  if (!sameJson(found, data)) throw new WorldWriteError(name, countEntries(data), countEntries(found));
  return found;
}

async function settled(world: StoredWorld): Promise<StoredWorld> {
  await betweenTasks(world.data);
  await announce(world.name, world.data);
  return world;
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
    // The list may be as old as its batch; the file itself is asked for, which is cheap.
    if (!(await (expected.isVacant ?? isVacant(name)))) throw new WorldChangedError(name, 'exists');
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
