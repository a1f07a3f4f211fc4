// What a mend writes: a new raw book that shares every entry that it leaves alone; the old one is never changed.

import { isObject, type Json, type JsonObject, withoutKey } from '../core/json.ts';
import { type Key, literalKey, sameKeys, writeKey } from '../core/key.ts';
import type { CanonicalLorebook, LorebookBody, LorebookEntry } from '../core/lorebook.ts';
import { positionToExt } from '../formats/_shared/book-position.ts';
import { lorebookFromBook, lorebookToCharacterBook } from '../formats/_shared/character-book.ts';
import { overlayEntry } from '../formats/_shared/entry-writer.ts';
import { type PlacedEntry, placeEntries, rawEntries } from '../formats/_shared/raw-entries.ts';
import { joinedParts } from '../formats/sillytavern/firing.ts';
import { worldReadingOf } from '../formats/sillytavern/world-info.ts';
import { WORLD_INFO_TABLE } from '../formats/sillytavern/world-table.ts';
import { lorebookFromWorld, worldFromLorebook } from '../formats/sillytavern/world-twin.ts';
import {
  idsToChange,
  isBlankKey,
  isListWorld,
  liveCount,
  type Mend,
  type MendSource,
  needsEncoding,
  readSource,
} from './mends.ts';

/** A book before and after its mends: raw to be written, read to be compared. */
export interface MendedBook {
  readonly raw: JsonObject;
  readonly before: CanonicalLorebook;
  readonly after: CanonicalLorebook;
}

/**
 * Mends a book, one mend after the other.
 *
 * @returns the new raw book; the same object when there is nothing to be mended
 */
export function mendBook(source: MendSource, mends: readonly Mend[]): MendedBook {
  const raw = mends.reduce((held, mend) => mended({ ...source, raw: held }, mend), source.raw);
  return { raw, before: lorebookOf(source), after: lorebookOf({ ...source, raw }) };
}

function lorebookOf(source: MendSource): CanonicalLorebook {
  const { form, raw, id, name } = source;
  if (form === 'card-book' || isListWorld(source)) return lorebookFromBook(raw, id, name);
  return lorebookFromWorld(raw, id, name).lorebook;
}

function mended(source: MendSource, { kind, entryIds }: Mend): JsonObject {
  if (isListWorld(source)) return kind === 'to-world-file' ? worldFileOf(source) : source.raw;
  const chosen = new Set(entryIds);
  switch (kind) {
    case 'write-both':
      return source.form === 'world' ? withNumbers(source, chosen) : withBothEncodings(source, chosen);
    case 'unique-ids':
      return source.form === 'world' ? source.raw : withUniqueIds(source);
    case 'drop-blank-keys':
      return withKeys(source, chosen, ({ keys }) => keys.filter((key) => !isBlankKey(key)));
    case 'split-keys':
      return withKeys(source, chosen, splitKeys);
    case 'to-world-file':
      return source.raw;
  }
}

type EditItem = (entry: LorebookEntry, item: JsonObject) => JsonObject;

function editItems(
  { raw }: MendSource,
  body: LorebookBody,
  chosen: ReadonlySet<string>,
  edit: EditItem,
): JsonObject {
  const twin = rawEntries(raw);
  const placed = twin.items.map((item, index): PlacedEntry => {
    const entry = body.entries[index];
    const isChosen = entry !== undefined && chosen.has(entry.id) && isObject(item);
    return { raw: isChosen ? edit(entry, item) : item, twinIndex: index };
  });
  const entries = placeEntries(twin, raw['entries'], placed);
  return entries === raw['entries'] ? raw : { ...raw, entries };
}

/**
 * Both encodings of the slots in which the entries stand. The body as it was read is written onto a book in which these
 * entries stand elsewhere, so that what is written, and what follows for the rest of the book when it now looks like
 * SillyTavern's (decisions 5, 8a), is what the dialect's own table says.
 */
function withBothEncodings(source: MendSource, chosen: ReadonlySet<string>): JsonObject {
  const reading = readSource(source);
  const { body } = reading;
  const needed = new Set(
    body.entries
      .filter((entry) => chosen.has(entry.id) && needsEncoding(source, reading, entry))
      .map(({ id }) => id),
  );
  const elsewhere = editItems(source, body, needed, ({ position }, item) => {
    const number = position.slot === 'world' ? 1 : 0;
    const held = isObject(item['extensions']) ? item['extensions'] : {};
    const word = number === 0 ? 'before_char' : 'after_char';
    return { ...item, position: word, extensions: { ...held, position: number } };
  });
  return elsewhere === source.raw ? source.raw : lorebookToCharacterBook(body, { raw: elsewhere });
}

function withNumbers(source: MendSource, chosen: ReadonlySet<string>): JsonObject {
  return editWorldItems(source, chosen, ({ position }, item) => {
    const number = positionToExt(position.slot);
    return item['position'] === number ? item : { ...item, position: number };
  });
}

// A world's entries are read in the order of their uids, and may stand under other keys.
function editWorldItems({ raw, id }: MendSource, chosen: ReadonlySet<string>, edit: EditItem): JsonObject {
  const held = raw['entries'];
  if (!isObject(held)) return raw;
  const { body, known } = worldReadingOf({ raw }, id);
  const changed = new Map<Json, Json>();
  for (const entry of body.entries) {
    const item = known.rawById.get(entry.id);
    if (!chosen.has(entry.id) || !isObject(item)) continue;
    const next = edit(entry, item);
    if (next !== item) changed.set(item, next);
  }
  if (changed.size === 0) return raw;
  const pairs = Object.entries(held).map(([key, item]): [string, Json | undefined] => [
    key,
    item === undefined ? item : (changed.get(item) ?? item),
  ]);
  return { ...raw, entries: Object.fromEntries(pairs) };
}

function withUniqueIds(source: MendSource): JsonObject {
  const reading = readSource(source);
  const ids = idsToChange(reading);
  return editItems(source, reading.body, new Set(ids.keys()), ({ id }, item) => {
    const uid = ids.get(id) as number;
    // Some apps call it `uid`; it is read where there is no `id`.
    return item['id'] === undefined && item['uid'] !== undefined ? { ...item, uid } : { ...item, id: uid };
  });
}

function withKeys(
  source: MendSource,
  chosen: ReadonlySet<string>,
  keysOf: (entry: LorebookEntry) => readonly Key[],
): JsonObject {
  const { body } = readSource(source);
  const edited = new Map<string, LorebookEntry>();
  for (const entry of body.entries) {
    const keys = chosen.has(entry.id) ? keysOf(entry) : entry.keys;
    if (!sameKeys(keys, entry.keys)) edited.set(entry.id, { ...entry, keys });
  }
  if (edited.size === 0) return source.raw;
  if (source.form === 'world') {
    return editWorldItems(source, new Set(edited.keys()), (entry, item) =>
      overlayEntry(WORLD_INFO_TABLE, edited.get(entry.id) as LorebookEntry, { raw: item, read: entry }),
    );
  }
  const entries = body.entries.map((entry) => edited.get(entry.id) ?? entry);
  return lorebookToCharacterBook({ ...body, entries }, { raw: source.raw });
}

function splitKeys(entry: LorebookEntry): readonly Key[] {
  const count = liveCount(entry);
  const partsOf = (key: Key): readonly string[] | null => joinedParts(key, count);
  // A part may stand among the keys already.
  const there = new Set(entry.keys.filter((key) => partsOf(key) === null).map(writeKey));
  return entry.keys.flatMap((key) => {
    const parts = partsOf(key);
    if (parts === null) return [key];
    return parts.flatMap((part) => {
      const text = part.trim();
      if (there.has(text)) return [];
      there.add(text);
      return [literalKey(text)];
    });
  });
}

// The entries get their ids as uids where these are usable; what the form of a world file cannot hold rides along in
// the twin, and so does the file as it was.
function worldFileOf({ raw, id, name }: MendSource): JsonObject {
  const world = worldFromLorebook(lorebookFromBook(raw, id, name), { character: '', slot: 'worldinfo' });
  return { ...withoutKey(raw, 'entries'), ...world };
}
