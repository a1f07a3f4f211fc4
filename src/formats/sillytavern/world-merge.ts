// A world file that the user edited, and a newer version of the book it came from: the new version's entries are
// taken, the user's edits are kept, and nothing is removed.

import { pairEntries } from '../../core/compare.ts';
import { hashJson } from '../../core/hash.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import { writeKey } from '../../core/key.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../core/lorebook.ts';
import { entryIndexes, readingOf } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { changedFields, sameBags } from '../_shared/entry-table.ts';
import { rawEntries } from '../_shared/raw-entries.ts';
import { VISIBLE_FIELDS } from './visible-fields.ts';
import type { WorldReading } from './world-info.ts';
import { entryToWorld, worldEntryId } from './world-info.ts';
import { WORLD_INFO_TABLE } from './world-table.ts';
import type { BookSource, WorldLorebook } from './world-twin.ts';
import { deletedMarks, withTwin } from './world-twin.ts';

/**
 * Merges a newer book into a world file that carries the twin of the older one. An entry that the user edited or
 * made stays as it is; one that only the author changed becomes the new one, under the same uid; new ones are added
 * behind; one that the user deleted stays deleted. The file's twin becomes the new book, without the text of deleted
 * entries.
 * @returns the new content of the file, or null when it carries no twin to merge by
 */
export function mergeNewVersion(
  world: JsonObject,
  stored: WorldLorebook,
  incoming: CanonicalLorebook,
  source: BookSource,
): JsonObject | null {
  const oldEscrow = stored.lorebook.original[CHARACTER_BOOK];
  const newEscrow = incoming.original[CHARACTER_BOOK];
  const held = world['entries'];
  if (oldEscrow === undefined || newEscrow === undefined || !isObject(newEscrow.raw) || !isObject(held))
    return null;
  const before = readingOf(oldEscrow, stored.lorebook.id).body.entries;
  const after = incoming.body.entries;
  const partnerOf = invert(pairEntries(before, after));
  const uidOf = uidsById(stored);
  const liveById = new Map(stored.lorebook.body.entries.map((entry) => [entry.id, entry]));
  const entries: Record<string, Json> = { ...(held as Record<string, Json>) };
  const { freeUid, keyOf } = placesIn(held, stored.reading);
  const deleted = new Set(deletedMarks(world));
  for (const old of before) if (!liveById.has(old.id) && !isBlank(old)) deleted.add(deletedMark(old));
  const uids = after.map((entry, index): number | null => {
    const old = before[partnerOf.get(index) ?? -1];
    if (old === undefined) {
      if (deleted.has(deletedMark(entry))) return null;
      const free = freeUid();
      entries[String(free)] = entryToWorld(entry, free, index);
      return free;
    }
    const live = liveById.get(old.id);
    const uid = uidOf.get(old.id);
    if (live === undefined || uid === undefined) {
      deleted.add(deletedMark(entry));
      return null;
    }
    const onlyAuthorChanged =
      changedFields(WORLD_INFO_TABLE, old, entry).length > 0 && isAsExtracted(live, old);
    if (onlyAuthorChanged) {
      const key = keyOf(uid);
      // Keys that we do not model belong to other extensions, or to a newer SillyTavern.
      const kept = isObject(held[key]) ? held[key] : {};
      const place = live === old ? {} : { displayIndex: kept['displayIndex'] };
      entries[key] = { ...kept, ...entryToWorld(entry, uid, index), ...place };
    }
    return uid;
  });
  const raw = withoutDeleted(newEscrow.raw, uids);
  return withTwin({ ...world, entries }, raw, uids, incoming.body, source, [...deleted]);
}

// What the editor shows is what a person edits; its place in the list is kept, but is no reason to keep an old text.
const isAsExtracted = (live: LorebookEntry, old: LorebookEntry): boolean =>
  live === old || (sameBags(live.bag, old.bag) && VISIBLE_FIELDS.every((field) => field.same(live, old)));

// The text of an entry that the user deleted is not kept (decisions 24); this is enough to know it again when a
// later version brings it once more.
const deletedMark = (entry: LorebookEntry): string => hashJson([entry.content, entry.keys.map(writeKey)]);
const isBlank = (entry: LorebookEntry): boolean => entry.content === '' && entry.keys.length === 0;

// Its place in the twin stays, so that the others keep theirs.
function withoutDeleted(raw: JsonObject, uids: readonly (number | null)[]): JsonObject {
  if (!uids.includes(null)) return raw;
  const { form, items, keys } = rawEntries(raw);
  const deleted = new Set(entryIndexes(raw).filter((_, index) => uids[index] === null));
  const kept = items.map((item, index) => (deleted.has(index) ? null : item));
  const entries: Json =
    form === 'object' ? Object.fromEntries(keys.map((key, index) => [key, kept[index]])) : kept;
  return { ...raw, entries };
}

interface WorldPlaces {
  /** The next number behind all uids and keys, so that no entry is written over. */
  readonly freeUid: () => number;
  /** The key under which the entry with a uid stands; a file changed by hand may have another than the uid. */
  readonly keyOf: (uid: number) => string;
}

function placesIn(held: JsonObject, reading: WorldReading): WorldPlaces {
  const keys = Object.keys(held);
  const keyByItem = new Map(keys.map((key) => [held[key], key]));
  const taken = new Set([...reading.uids.values(), ...keys.map(Number)]);
  let last = -1;
  for (const uid of taken) if (Number.isSafeInteger(uid)) last = Math.max(last, uid);
  // Behind the highest number that there is, none can be counted.
  let next = Number.isSafeInteger(last + MANY) ? last + 1 : 0;
  return {
    freeUid: () => {
      while (taken.has(next)) next++;
      taken.add(next);
      return next;
    },
    keyOf: (uid) => keyByItem.get(reading.known.rawById.get(worldEntryId(uid))) ?? String(uid),
  };
}

/** More entries than a book has. */
const MANY = 2 ** 32;

function invert(pairs: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  return new Map([...pairs].map(([from, to]) => [to, from]));
}

// Entries of the live book stand in the order of the file's uids.
function uidsById(stored: WorldLorebook): ReadonlyMap<string, number> {
  const uids = stored.reading.body.entries.map((entry) => stored.reading.uids.get(entry.id));
  const pairs = stored.lorebook.body.entries.map(
    (entry: LorebookEntry, index) => [entry.id, uids[index]] as const,
  );
  return new Map(pairs.filter((pair): pair is readonly [string, number] => pair[1] !== undefined));
}
