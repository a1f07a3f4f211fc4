// A memory book that we wrote, read back: its entries get their own values again where they still show what was written,
// and stand in the books that they came from. What is kept rides in the book's extensions, which Agnai keeps through
// saving, its editor and its exports; entries themselves come back with six fields only (1.0.27).

import type { Finding } from '../../core/finding.ts';
import { hashJson } from '../../core/hash.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, jsonAt, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../core/lorebook.ts';
import type { BookHead } from '../_shared/book-fields.ts';
import { readBookHead } from '../_shared/book-fields.ts';
import { CHARACTER_BOOK, CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import type { EntryStash } from '../_shared/stash.ts';
import { entrySum, isStash, matchStashes, restoreEntry, STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import type { BookStash, CardStash } from '../_shared/stashed-books.ts';

/** Of an object that Agnai itself wrote and that we only keep something in: whether it had extensions of its own. */
export type OwnMark = 'with-extensions' | 'without-extensions';

/** What is kept of a character's own fields, with marks of what was written instead. */
export interface FieldStash extends JsonObject {
  /** Absent where we wrote the character anew. */
  readonly own?: OwnMark;
  readonly kept: JsonObject;
  readonly shown: Readonly<Record<string, string>>;
}

/** The stash of a memory book: of its entries, of the books that they are of, and of the character around them. */
export interface MemoryStash extends CardStash {
  /** Absent where we wrote the memory book anew. */
  readonly own?: OwnMark;
  readonly card?: FieldStash;
}

/** The place outside of the book in which an entry's text stands. */
export const PLACE_KEY = 'in';

/** The stash in a memory book's extensions, or null. */
export function memoryStashOf(book: Json | undefined): MemoryStash | null {
  const held = jsonAt(book, ['extensions', STASH_KEY]);
  if (!isObject(held) || held['v'] !== STASH_VERSION || typeof held['in'] !== 'string') return null;
  const { books, entries, shown, card } = held;
  if (!isArray(books) || !isArray(entries) || !isObject(shown)) return null;
  const areBooks = books.every((book) => isObject(book) && isObject(book['kept']));
  const isCard = card === undefined || (isObject(card) && isObject(card['kept']) && isObject(card['shown']));
  return areBooks && isCard && entries.every(isStash) ? (held as MemoryStash) : null;
}

/** The mark of an object that is written with its own fields. */
export const ownMark = (raw: JsonObject): OwnMark =>
  raw['extensions'] === undefined ? 'without-extensions' : 'with-extensions';

/** An object without what we keep in its extensions. */
export function withoutStash(raw: JsonObject, own: OwnMark | undefined): JsonObject {
  const { extensions } = raw;
  if (!isObject(extensions) || !Object.hasOwn(extensions, STASH_KEY)) return raw;
  const rest = withoutKey(extensions, STASH_KEY);
  return own === 'without-extensions' && Object.keys(rest).length === 0
    ? withoutKey(raw, 'extensions')
    : { ...raw, extensions: rest };
}

/** A memory book as Agnai wrote it, without what we keep in it; null where we wrote it anew. */
export function ownMemoryBook(raw: JsonObject): JsonObject | null {
  const stash = memoryStashOf(raw);
  if (stash === null) return raw;
  return stash.own === undefined ? null : withoutStash(raw, stash.own);
}

/** The books of a stash with what is still to be said of them. */
export interface RestoredBooks {
  readonly books: readonly CanonicalLorebook[];
  readonly findings: readonly Finding[];
}

/**
 * Puts back what a memory book's stash keeps. `read`: the book as it stands there, with what was said of it; `edited`:
 * places outside of it that no longer hold what was written. Null when it holds no stash, or nothing of it is known any
 * more.
 */
export function restoredBooks(
  raw: JsonObject,
  read: CanonicalLorebook,
  said: readonly Finding[],
  edited: ReadonlySet<string>,
): RestoredBooks | null {
  const stash = memoryStashOf(raw);
  if (stash === null || stash.books.length === 0) return null;
  const shown = read.body.entries;
  const kept = stash.entries.map((each) => (edited.has(String(each[PLACE_KEY])) ? withoutPlace(each) : each));
  const found = matchStashes(shown, kept);
  if (shown.length > 0 && found.every((each) => each === null)) return null;
  let last = { book: 0, at: -1 };
  const placed = shown.map((entry, at) => {
    const own = found[at] ?? null;
    if (own !== null) last = own;
    return { entry: own === null ? entry : restoreEntry(entry, own), book: last.book, at: last.at };
  });
  const bookOf = new Map(placed.map(({ entry, book }) => [entry.id, book]));
  const idOf = (book: number): string => (book === 0 ? read.id : `${read.id}#${book + 1}`);
  const books = stash.books.map((book, number): CanonicalLorebook => {
    const entries = placed.filter((each) => each.book === number).sort((a, b) => a.at - b.at);
    const head = number === 0 ? firstHead(raw, read.body, book, stash) : headOf(book);
    const name = head.name.trim() === '' ? book.name || read.name : head.name;
    return {
      id: idOf(number),
      name,
      body: { ...head, entries: entries.map(({ entry }) => entry) },
      original: read.original,
    };
  });
  const stashes = new Map(shown.map((entry, at) => [entry.id, { entry, stash: found[at] ?? null }]));
  const findings = said.flatMap((each): readonly Finding[] => {
    const own = each.entryId === null ? undefined : stashes.get(each.entryId);
    if (own === undefined || own.stash === null) return own === undefined ? [] : [each];
    if (isRestored(own.entry, own.stash, each.path)) return [];
    return [{ ...each, bookId: idOf(bookOf.get(own.entry.id) ?? 0) }];
  });
  return { books, findings };
}

const PLACE_FIELDS = [
  'enabled',
  'constant',
  'position.slot',
  'position.depth',
  'position.role',
  'position.outlet',
];

function withoutPlace(stash: EntryStash): EntryStash {
  const shown = Object.entries(stash.shown).filter(([path]) => !PLACE_FIELDS.includes(path));
  return { ...stash, shown: Object.fromEntries(shown) };
}

function isRestored(entry: LorebookEntry, stash: EntryStash, path: string): boolean {
  if (stash.sum === entrySum(entry)) return true;
  const row = CHARACTER_BOOK_FIELDS.find((each) => each.path === path);
  return row !== undefined && stash.shown[path] === hashJson(row.show(entry));
}

const headOf = ({ kept }: BookStash): BookHead => readBookHead(kept, CHARACTER_BOOK, () => undefined);

const HEAD_FIELDS = ['name', 'description', 'scanDepth', 'tokenBudget', 'recursiveScanning'] as const;

function firstHead(raw: JsonObject, read: BookHead, book: BookStash, { shown }: MemoryStash): BookHead {
  const own = headOf(book);
  const edited = HEAD_FIELDS.filter((name) => raw[name] !== undefined && shown[name] !== hashJson(raw[name]));
  return { ...own, ...Object.fromEntries(edited.map((name) => [name, read[name]])) };
}
