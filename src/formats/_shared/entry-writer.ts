// Writes canonical entries by a dialect's table: whole, or onto their raw twin only what changed.

import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, NO_FIELDS, sameJson } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { ReadOptions } from './entry-field.ts';
import { readEntry } from './entry-reader.ts';
import { changedFields, type EntryTable, sameBags } from './entry-table.ts';
import { STASH_KEY } from './stash.ts';

const SILLYTAVERN_BOOK: ReadOptions = { precedence: 'extensions-first', patternKeys: false };

/**
 * Writes an entry whole, as when it comes from another dialect. `identity` is put first; `defaults` are values
 * that the entry's own bag may replace.
 */
export function writeEntry(
  table: EntryTable,
  entry: LorebookEntry,
  identity: JsonObject,
  defaults: JsonObject = NO_FIELDS,
  options: ReadOptions = SILLYTAVERN_BOOK,
): JsonObject {
  // A copy of the blank entry in which only what is set is written over: filling an object of forty keys one by
  // one is what a book of thousands of entries would wait for.
  const blank = blankOf(table, defaults);
  const { bag } = entry;
  const written: Record<string, Json | undefined> = { ...blank.entry };
  const extensions: Record<string, Json | undefined> =
    bag.extensions === NO_FIELDS
      ? { ...blank.extensions }
      : { ...carried(bag.extensions, table.known.extensions), ...blank.extensions };
  for (const key of Object.keys(defaults)) written[key] = defaults[key];
  if (bag.dialect === table.dialect && bag.entry !== NO_FIELDS) defineAll(written, bag.entry);
  for (const key of Object.keys(identity)) written[key] = identity[key];
  const target = { entry: written, extensions, twin: null, isBlank: true, options };
  for (const row of table.fields) row.write(entry, target);
  written['extensions'] = table.extensionsAreLive ? extensions : bag.extensions;
  return written;
}

// What a world file carries along under the name of a live field is a stale copy, and must not come to life.
function carried(bag: JsonObject, live: ReadonlySet<string>): JsonObject {
  const keys = Object.keys(bag);
  if (!keys.some((key) => live.has(key))) return bag;
  return Object.fromEntries(keys.filter((key) => !live.has(key)).map((key) => [key, bag[key]]));
}

interface BlankEntry {
  readonly entry: JsonObject;
  readonly extensions: JsonObject;
}

const BLANKS = new WeakMap<EntryTable, BlankEntry>();

// An entry of which nothing is set, as the table writes it, with all keys that will be written: V8 copies an object
// parsed from text at once, but takes ten times as long when a key is added to one of that many.
function blankOf(table: EntryTable, defaults: JsonObject): BlankEntry {
  const made = BLANKS.get(table);
  if (made !== undefined) return made;
  const entry: Record<string, Json | undefined> = { [table.identity]: null, ...defaults };
  const extensions: Record<string, Json | undefined> = {};
  const unset = readEntry(table, {}, '', SILLYTAVERN_BOOK, () => undefined);
  const target = { entry, extensions, twin: null, isBlank: false, options: SILLYTAVERN_BOOK };
  for (const row of table.fields) row.write(unset, target);
  const blank = JSON.parse(
    JSON.stringify({ entry: { ...entry, extensions: null }, extensions }),
  ) as BlankEntry;
  BLANKS.set(table, blank);
  return blank;
}

/**
 * Writes onto the raw twin only what differs from what the twin itself says. The twin is never changed; when
 * nothing differs it is returned as it is.
 */
export function overlayEntry(
  table: EntryTable,
  entry: LorebookEntry,
  twin: { readonly raw: JsonObject; readonly read: LorebookEntry },
  options: ReadOptions = SILLYTAVERN_BOOK,
): JsonObject {
  const changed = changedFields(table, entry, twin.read);
  const bagChanged = !sameBags(entry.bag, twin.read.bag);
  if (changed.length === 0 && !bagChanged) return twin.raw;
  const raw = options.translate?.(twin.raw, () => undefined)?.entry ?? twin.raw;
  const held = isObject(raw['extensions']) ? raw['extensions'] : NO_FIELDS;
  const target = {
    entry: { ...raw } as Record<string, Json | undefined>,
    extensions: { ...held } as Record<string, Json | undefined>,
    isBlank: false,
    options,
    twin: { entry: raw, extensions: held },
  };
  for (const row of changed) row.write(entry, target);
  if (bagChanged) overlayBag(table, target.extensions, entry.bag.extensions);
  const { entry: written, extensions } = target;
  if (!sameJson(extensions, held)) written['extensions'] = extensions;
  return written;
}

function overlayBag(table: EntryTable, extensions: Record<string, Json | undefined>, bag: JsonObject): void {
  for (const key of Object.keys(extensions)) {
    const isOurs = key === STASH_KEY || table.known.extensions.has(key);
    if (!isOurs && !Object.hasOwn(bag, key)) delete extensions[key];
  }
  defineAll(extensions, carried(bag, table.known.extensions));
}

// Defined, not assigned: a key called __proto__ stays a key.
function defineAll(into: Record<string, Json | undefined>, from: JsonObject): void {
  for (const key of Object.keys(from)) {
    Object.defineProperty(into, key, {
      value: from[key],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}
