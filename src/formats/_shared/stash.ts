// What another app cannot say of an entry rides along aside, with marks of what that app shows instead. On the way
// back, a field that still shows what we wrote gets its own value again; one that was edited there keeps the edit
// (decisions 26).

import { hashJson } from '../../core/hash.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, NO_FIELDS } from '../../core/json.ts';
import type { Bag, LorebookEntry } from '../../core/lorebook.ts';
import { emptyBag } from '../../core/lorebook.ts';
import { CHARACTER_BOOK_FIELDS } from './character-book-table.ts';
import type { EntryField, ReadOptions } from './entry-field.ts';
import { readEntry } from './entry-reader.ts';
import { entryTable, withFields } from './entry-table.ts';

/** The key of ours in the extensions of an entry, a book or a card. */
export const STASH_KEY = 'loreferry';
/** The version of what stands under it. */
export const STASH_VERSION = 1;

const TABLE = entryTable('character-book', CHARACTER_BOOK_FIELDS, ['id', 'uid']);
const OWN: ReadOptions = { precedence: 'extensions-first', patternKeys: false };

/** Which of several books an entry is of, its place in it, and the id that it had. */
export interface StashPlace {
  readonly book: number;
  readonly at: number;
  readonly id?: Json;
}

/** What is kept of one entry, as JSON. */
export interface EntryStash extends JsonObject {
  readonly v: number;
  readonly book: number;
  readonly at: number;
  readonly id?: Json;
  /** A mark of the whole entry as shown there, and of its text, title and keys. */
  readonly sum: string;
  readonly marks: readonly string[];
  /** For each field that reads otherwise there: a mark of what is shown. */
  readonly shown: Readonly<Record<string, string>>;
  /** The values of these fields, as an entry of a character_book. */
  readonly kept: JsonObject;
  readonly bag?: JsonObject;
}

const views = (entry: LorebookEntry): readonly (readonly [string, Json])[] =>
  CHARACTER_BOOK_FIELDS.map((row) => [row.path, row.show(entry)]);

/** A mark of everything that an entry says; bags do not count. */
export const entrySum = (entry: LorebookEntry): string => hashJson(views(entry));

const marksOf = (entry: LorebookEntry): readonly string[] =>
  ['content', 'title', 'keys'].map((path) => {
    const value = rowOf(path)?.show(entry);
    return value === '' || (Array.isArray(value) && value.length === 0) ? '' : hashJson(value);
  });

const rowOf = (path: string): EntryField | undefined =>
  CHARACTER_BOOK_FIELDS.find((row) => row.path === path);

// Fields that say one thing together: an entry that was moved there does not stand where it stood here in any of them.
const GROUPS: readonly (readonly string[])[] = [
  ['position.slot', 'position.depth', 'position.role', 'position.outlet'],
];

const withGroups = (paths: readonly string[]): ReadonlySet<string> =>
  new Set([...paths, ...GROUPS.filter((group) => group.some((path) => paths.includes(path))).flat()]);

/**
 * Keeps what an entry loses in another app. `shown` is the written entry as that app's dialect reads it; fields named
 * in `without` are not kept.
 */
export function stashEntry(
  source: LorebookEntry,
  shown: LorebookEntry,
  place: StashPlace,
  without: readonly string[] = [],
): EntryStash {
  const differing = CHARACTER_BOOK_FIELDS.filter((row) => !row.same(source, shown));
  const counts = withGroups(differing.map(({ path }) => path));
  const rows = CHARACTER_BOOK_FIELDS.filter(({ path }) => counts.has(path) && !without.includes(path));
  const { dialect, entry, extensions } = source.bag;
  const hasBag = Object.keys(entry).length + Object.keys(extensions).length > 0;
  return {
    v: STASH_VERSION,
    book: place.book,
    at: place.at,
    ...(place.id === undefined ? {} : { id: place.id }),
    sum: entrySum(shown),
    marks: marksOf(shown),
    shown: Object.fromEntries(rows.map((row) => [row.path, hashJson(row.show(shown))])),
    kept: keptValues(source, rows),
    ...(hasBag ? { bag: { dialect, entry, extensions } } : {}),
  };
}

function keptValues(entry: LorebookEntry, rows: readonly EntryField[]): JsonObject {
  const target = { entry: {}, extensions: {}, twin: null, isBlank: false, options: OWN };
  for (const row of rows) row.write(entry, target);
  return Object.keys(target.extensions).length === 0
    ? target.entry
    : { ...target.entry, extensions: target.extensions };
}

/** The stash in a raw entry's extensions, or null; anything else under our key is none. */
export function stashIn(raw: Json): EntryStash | null {
  const bag = isObject(raw) ? raw['extensions'] : undefined;
  const held = isObject(bag) ? bag[STASH_KEY] : undefined;
  return isStash(held) ? held : null;
}

/** Whether a value is a stash of this version. */
export function isStash(value: Json | undefined): value is EntryStash {
  return (
    isObject(value) &&
    value['v'] === STASH_VERSION &&
    typeof value['sum'] === 'string' &&
    typeof value['book'] === 'number' &&
    typeof value['at'] === 'number' &&
    Array.isArray(value['marks']) &&
    isObject(value['shown']) &&
    isObject(value['kept'])
  );
}

/**
 * A raw entry without the fields that only SillyTavern reads in its extensions, and without our own key: what the
 * other app shows. Only where a stash keeps those fields; an app whose own fields stand there keeps them.
 */
export function withoutOwnExtensions(raw: JsonObject, { ownExtensions }: ReadOptions): JsonObject {
  const bag = raw['extensions'];
  if (!isObject(bag)) return raw;
  const isStale = (key: string): boolean => ownExtensions !== true && TABLE.known.extensions.has(key);
  const rest = Object.entries(bag).filter(([key]) => key !== STASH_KEY && !isStale(key));
  return { ...raw, extensions: Object.fromEntries(rest) };
}

/** Puts back into an entry, as it was read there, every kept field that was not edited there. */
export function restoreEntry(read: LorebookEntry, stash: EntryStash): LorebookEntry {
  const kept = readEntry(TABLE, stash.kept, read.id, OWN, () => undefined);
  const held = CHARACTER_BOOK_FIELDS.filter(({ path }) => Object.hasOwn(stash.shown, path));
  const isEdited = (row: EntryField): boolean => stash.shown[row.path] !== hashJson(row.show(read));
  const edited = withGroups(held.filter(isEdited).map(({ path }) => path));
  const rows = held.filter(({ path }) => !edited.has(path));
  return { ...withFields(read, kept, rows), bag: bagOf(stash) };
}

function bagOf({ bag }: EntryStash): Bag {
  const dialect = isObject(bag) && typeof bag['dialect'] === 'string' ? bag['dialect'] : '';
  if (!isObject(bag)) return emptyBag(dialect);
  const of = (key: string): JsonObject => (isObject(bag[key]) ? bag[key] : NO_FIELDS);
  return { dialect, entry: of('entry'), extensions: of('extensions') };
}

/** A raw entry whose fields were edited since: its stash no longer speaks for them. */
export function forgetFields(raw: JsonObject, paths: readonly string[]): JsonObject {
  const stash = stashIn(raw);
  const bag = raw['extensions'];
  const edited = withGroups(paths);
  if (stash === null || !isObject(bag) || ![...edited].some((path) => Object.hasOwn(stash.shown, path)))
    return raw;
  const shown = Object.fromEntries(Object.entries(stash.shown).filter(([path]) => !edited.has(path)));
  return { ...raw, extensions: { ...bag, [STASH_KEY]: { ...stash, shown } } };
}

/**
 * Finds the stash of each entry in a list, where entries carry none themselves because the app wrote them anew: first
 * those that are shown as we wrote them, then those whose text, title or keys are. The result is by entry; null where
 * none is left.
 */
export function matchStashes(
  entries: readonly LorebookEntry[],
  stashes: readonly EntryStash[],
): readonly (EntryStash | null)[] {
  const found: (EntryStash | null)[] = entries.map(() => null);
  const taken = new Set<EntryStash>();
  const pass = (ofStash: (stash: EntryStash) => string, ofEntry: (entry: LorebookEntry) => string): void => {
    const waiting = new Map<string, EntryStash[]>();
    for (const stash of stashes) {
      const mark = ofStash(stash);
      if (mark === '' || taken.has(stash)) continue;
      const queue = waiting.get(mark);
      if (queue) queue.push(stash);
      else waiting.set(mark, [stash]);
    }
    // Taken from the end, so that no list moves.
    for (const queue of waiting.values()) queue.reverse();
    entries.forEach((entry, index) => {
      if (found[index] !== null) return;
      const mark = ofEntry(entry);
      const stash = mark === '' ? undefined : waiting.get(mark)?.pop();
      if (stash === undefined) return;
      found[index] = stash;
      taken.add(stash);
    });
  };
  pass((stash) => stash.sum, entrySum);
  for (const at of [0, 1, 2]) {
    pass(
      (stash) => (typeof stash.marks[at] === 'string' ? stash.marks[at] : ''),
      (entry) => marksOf(entry)[at] ?? '',
    );
  }
  return found;
}
