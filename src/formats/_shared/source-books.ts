// Several lorebooks in one character_book, and back: `extensions.vaud_source_books` keeps the boundaries (spec 000).

import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, sameJson, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { lorebookToCharacterBook } from './character-book.ts';
import { CHARACTER_BOOK } from './character-book-table.ts';
import { rawEntries } from './raw-entries.ts';

const SOURCES = 'vaud_source_books';

/** What is kept of one book inside a merged one. */
interface SourceBook {
  readonly name: string;
  readonly entryCount: number;
  /** The book's own ids, where the merged book had to give others. */
  readonly ids?: readonly Json[];
  /** The keys of its entries, where the book held them in an object. */
  readonly keys?: readonly string[];
  /** Everything of the book but its entries, and all of a book without any; absent in files that others wrote. */
  readonly settings?: JsonObject;
}

/**
 * Writes lorebooks as the one book that a card can hold (spec 000). One book is written as it is. Several are
 * joined under the first one's settings; each one's name, entry count, settings and ids are kept beside them, so
 * that `splitSourceBooks` gives every book back whole. Ids are made unique: SillyTavern 1.19 keys entries by id.
 */
export function lorebooksToCharacterBook(lorebooks: readonly CanonicalLorebook[]): JsonObject {
  const raws = lorebooks.map((book) => lorebookToCharacterBook(book.body, book.original[CHARACTER_BOOK]));
  const [first] = raws;
  if (first === undefined) return { entries: [] };
  if (raws.length === 1) return first;
  const used = new Set<Json>();
  const entries: Json[] = [];
  let next = 0;
  const sources = raws.map((raw, index): SourceBook => {
    const { items, keys } = rawEntries(raw);
    const own = items.map((item) => (isObject(item) ? item['id'] : undefined));
    let renumbered = false;
    for (const item of items) {
      const id = isObject(item) ? item['id'] : undefined;
      if (!isObject(item) || (typeof id === 'number' && !used.has(id))) {
        if (typeof id === 'number') used.add(id);
        entries.push(item);
        continue;
      }
      while (used.has(next)) next++;
      used.add(next);
      entries.push({ ...item, id: next });
      renumbered = true;
    }
    return {
      name: lorebooks[index]?.name ?? '',
      entryCount: items.length,
      ...(renumbered ? { ids: own.map((id) => (id === undefined ? ABSENT_ID : id)) } : {}),
      ...(keys.length > 0 ? { keys } : {}),
      settings: items.length === 0 ? raw : withoutKey(raw, 'entries'),
    };
  });
  const extensions = isObject(first['extensions']) ? first['extensions'] : {};
  return { ...first, extensions: { ...extensions, [SOURCES]: sources as unknown as Json }, entries };
}

// An id that was not there at all; no JSON value could stand for it.
const ABSENT_ID: JsonObject = { absent: true };

/** How many books a merged one says that it was made of; 0 for any other. */
export function partCount(raw: JsonObject): number {
  const extensions = raw['extensions'];
  const listed = isObject(extensions) ? extensions[SOURCES] : undefined;
  return isArray(listed) ? listed.length : 0;
}

/**
 * Splits a merged book into the books it was made of, or returns null when it is not one or its boundaries no
 * longer fit (an app that added or dropped entries). Entries are shared with the merged book by reference.
 */
export function splitSourceBooks(raw: JsonObject): readonly JsonObject[] | null {
  const extensions = raw['extensions'];
  const listed = isObject(extensions) ? extensions[SOURCES] : undefined;
  if (!isObject(extensions) || !isArray(listed) || listed.length < 2) return null;
  const sources = listed.map(readSource);
  const { items } = rawEntries(raw);
  let total = 0;
  for (const source of sources) {
    if (source === null) return null;
    total += source.entryCount;
  }
  if (total !== items.length) return null;
  let start = 0;
  return (sources as readonly SourceBook[]).map((source, index) => {
    const part = items.slice(start, start + source.entryCount);
    start += source.entryCount;
    const settings = index === 0 ? firstSettings(raw, source) : (source.settings ?? { name: source.name });
    if (part.length === 0 && source.settings !== undefined) return settings;
    const entries = part.map((item, at) => withOwnId(item, source.ids?.[at]));
    const { keys } = source;
    return { ...settings, entries: keys === undefined ? entries : inObject(keys, entries) };
  });
}

// Settings of the merged book that were edited since win over the copy that was kept of the first book's.
function firstSettings(raw: JsonObject, source: SourceBook): JsonObject {
  const extensions = withoutKey(raw['extensions'] as JsonObject, SOURCES);
  const shown = { ...withoutKey(raw, 'entries'), extensions };
  const kept = source.settings;
  if (kept === undefined) return shown;
  const held = kept['extensions'];
  const merged = {
    ...withoutKey(kept, 'entries'),
    extensions: isObject(held) ? withoutKey(held, SOURCES) : {},
  };
  if (sameJson(merged, shown)) return kept;
  return Object.hasOwn(kept, 'entries') ? { ...shown, entries: kept['entries'] } : shown;
}

const inObject = (keys: readonly string[], entries: readonly Json[]): JsonObject =>
  Object.fromEntries(keys.map((key, at) => [key, entries[at]]));

function withOwnId(item: Json, id: Json | undefined): Json {
  if (id === undefined || !isObject(item)) return item;
  if (sameJson(id, ABSENT_ID)) return withoutKey(item, 'id');
  return item['id'] === id ? item : { ...item, id };
}

// Whether entries under these keys stand in this order, and none takes another's place.
function areKeys(list: readonly Json[]): list is readonly string[] {
  if (!list.every((key) => typeof key === 'string')) return false;
  const order = Object.keys(Object.fromEntries(list.map((key) => [key, null])));
  return order.length === list.length && order.every((key, at) => key === list[at]);
}

// Others may have written the count under another name; the spec gives none.
function readSource(value: Json): SourceBook | null {
  if (!isObject(value)) return null;
  const count = value['entryCount'] ?? value['entry_count'] ?? value['count'] ?? value['entries'];
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) return null;
  const { name, ids, keys, settings } = value;
  const isFull = (list: Json | undefined): list is readonly Json[] => isArray(list) && list.length === count;
  return {
    name: typeof name === 'string' ? name : '',
    entryCount: count,
    ...(isFull(ids) ? { ids } : {}),
    ...(isFull(keys) && areKeys(keys) ? { keys } : {}),
    ...(isObject(settings) ? { settings } : {}),
  };
}
