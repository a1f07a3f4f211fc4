// The stash of a whole card: of its entries and of the books that they are of. It stands in the card's extensions, since
// Marinara keeps those but writes a lorebook's entries anew, without theirs, at the first edit (2.3.3).

import { hashJson } from '../../core/hash.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, jsonAt, withoutKey } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { BOOK_FAMILIES, familyOf } from './book-family.ts';
import { CHARACTER_BOOK_TABLE } from './character-book.ts';
import type { ReadOptions } from './entry-field.ts';
import { readEntry } from './entry-reader.ts';
import { isImportedFrom, isMergedHead } from './lumiverse/merged-book.ts';
import { rawEntries } from './raw-entries.ts';
import { isWrittenNote, withoutRisuRows } from './risu/written-rows.ts';
import type { EntryStash } from './stash.ts';
import { isStash, matchStashes, STASH_KEY, STASH_VERSION, stashIn, withoutOwnExtensions } from './stash.ts';

/** One book: its own fields, and marks of what was written instead. */
export interface BookStash extends JsonObject {
  readonly name: string;
  /** The fields of the raw book but its entries. */
  readonly kept: JsonObject;
}

/** The stash of a card. */
export interface CardStash extends JsonObject {
  readonly v: number;
  /** The app that it was written for. */
  readonly in: string;
  readonly books: readonly BookStash[];
  readonly entries: readonly EntryStash[];
  /** Marks of the written book's fields. */
  readonly shown: Readonly<Record<string, string>>;
  /** The character's note where it is blank, which the app writes in a way of its own. */
  readonly note?: JsonObject;
  /** Fields of the card that the app does not take over. */
  readonly data?: JsonObject;
}

/** Marks of a written book's fields. */
export function bookMarks(book: JsonObject): Readonly<Record<string, string>> {
  const fields = Object.entries(book).filter(([key]) => key !== 'entries' && key !== 'extensions');
  return Object.fromEntries(fields.map(([key, value]) => [key, hashJson(value)]));
}

/** The stash of a card, or null. */
export function cardStashOf(card: JsonObject): CardStash | null {
  const held = jsonAt(card, ['data', 'extensions', STASH_KEY]);
  if (!isObject(held) || held['v'] !== STASH_VERSION || typeof held['in'] !== 'string') return null;
  const { books, entries, shown } = held;
  if (!isArray(books) || !isArray(entries) || !isObject(shown)) return null;
  if (books.length === 0 && held['in'] !== 'risu' && held['in'] !== 'lumiverse') return null;
  const areBooks = books.every((book) => isObject(book) && isObject(book['kept']));
  return areBooks && entries.every(isStash) ? (held as CardStash) : null;
}

/**
 * The books that a written book was made of, each entry with its stash again, in their own order; what was edited since
 * stays edited. Entries that were made there come behind the one before them. Null when nothing of the book is known.
 * `hasNote`: the card still has the character's note, which was written as an entry beside it.
 */
export function replantBooks(
  raw: JsonObject,
  stash: CardStash,
  character: string,
  hasNote = false,
): readonly JsonObject[] | null {
  const all = rawEntries(raw).items;
  const isNote = (row: Json): boolean => noteOfRow(row, stash) !== null;
  const items = stash.in === 'risu' ? withoutRisuRows(all, hasNote, isNote) : withoutNoteRow(all, isNote);
  if (stash.books.length === 0) return items.length === 0 ? [] : null;
  const family = familyOf(raw);
  const read = items.map(
    (item, at): LorebookEntry =>
      readEntry(
        CHARACTER_BOOK_TABLE,
        isObject(item) ? withoutOwnExtensions(item, family) : item,
        `e${at}`,
        family,
        () => undefined,
      ),
  );
  const matched = matchStashes(read, stash.entries);
  // RisuAI carries an entry's own along; Marinara writes entries anew.
  const found = items.map((item, at) => stashIn(item) ?? matched[at] ?? null);
  if (items.length > 0 && found.every((each) => each === null)) return null;
  let last = { book: 0, at: -1 };
  const placed = items.map((item, at) => {
    const own = found[at] ?? null;
    if (own !== null) last = own;
    return {
      item: own === null || !isObject(item) ? item : planted(item, own),
      book: last.book,
      at: last.at,
    };
  });
  return stash.books.map((book, number) => {
    const entries = placed.filter((each) => each.book === number).sort((a, b) => a.at - b.at);
    const head = number === 0 ? headOf(raw, book, stash.shown, character) : book.kept;
    return { ...head, entries: entries.map(({ item }) => item) };
  });
}

// Where the note was made another kind of entry, it is an entry.
const withoutNoteRow = (items: readonly Json[], isNote: (row: Json) => boolean): readonly Json[] =>
  items.flatMap((item) => {
    if (!isObject(item) || !isWrittenNote(item)) return [item];
    return isNote(item)
      ? []
      : [{ ...item, extensions: withoutKey(item['extensions'] as JsonObject, STASH_KEY) }];
  });

/**
 * The character's note as it stands in the entry that we wrote for it: RisuAI has dropped the note itself, in Lumiverse it
 * may have been edited. Null when the card's own note stands, when no such entry is left, or when it was made another kind
 * of entry there.
 */
export function returnedNote(card: JsonObject): JsonObject | null {
  const stash = cardStashOf(card);
  if (stash === null || (stash.in === 'risu' && hasNote(card))) return null;
  const book = jsonAt(card, ['data', 'character_book']);
  const rows = isObject(book) ? rawEntries(book).items.filter(isWrittenNote) : [];
  for (const row of rows) {
    const note = noteOfRow(row, stash);
    const shown = jsonAt(row, ['extensions', STASH_KEY, 'shown']);
    if (note !== null && shown !== noteMark(note)) return note;
  }
  return null;
}

/** A mark of a note as another app shows it. */
export const noteMark = ({ prompt, depth, role }: JsonObject): string =>
  hashJson([prompt ?? null, depth ?? null, role ?? null]);

/** Whether a card has a character's note (SillyTavern 1.19). */
export function hasNote(card: JsonObject): boolean {
  const prompt = jsonAt(card, ['data', 'extensions', 'depth_prompt', 'prompt']);
  return typeof prompt === 'string' && prompt.trim() !== '';
}

const optionsOf = (app: string): ReadOptions =>
  BOOK_FAMILIES.find(({ family }) => family === app) ?? {
    precedence: 'extensions-first',
    patternKeys: false,
  };

// Only what always fires at a depth can be the note.
function noteOfRow(row: Json, stash: CardStash): JsonObject | null {
  const read = readEntry(CHARACTER_BOOK_TABLE, row, 'note', optionsOf(stash.in), () => undefined);
  const { slot, depth, role } = read.position;
  if (slot !== 'depth' || !read.enabled || !read.constant) return null;
  return { prompt: read.content, depth, role };
}

/** A card that comes back to SillyTavern: without our stash for the other app, and with its note where that is one again. */
export function returnedCard(card: JsonObject): JsonObject {
  const data = card['data'];
  const held = isObject(data) ? data['extensions'] : undefined;
  const stash = cardStashOf(card);
  if (!isObject(data) || !isObject(held) || stash === null) return card;
  const blank = hasNote(card) || !isObject(stash.note) ? null : stash.note;
  const note = returnedNote(card) ?? blank;
  const rest = withoutKey(held, STASH_KEY);
  const extensions = note === null ? rest : { ...rest, depth_prompt: note };
  const kept = Object.entries(isObject(stash.data) ? stash.data : {});
  const gone = kept.filter(([key]) => !Object.hasOwn(data, key) && key !== '__proto__');
  const texts = stash.in === 'risu' ? withOutlets(data) : {};
  return { ...card, data: { ...data, ...Object.fromEntries(gone), ...texts, extensions } };
}

// RisuAI's markers, as outlets of SillyTavern's again.
function withOutlets({ post_history_instructions: text }: JsonObject): JsonObject {
  if (typeof text !== 'string' || !text.includes('{{position::')) return {};
  return { post_history_instructions: text.replaceAll('{{position::', '{{outlet::') };
}

function planted(item: JsonObject, stash: EntryStash): JsonObject {
  const bag = isObject(item['extensions']) ? item['extensions'] : {};
  return { ...item, extensions: { ...bag, [STASH_KEY]: stash } };
}

// Marinara gives a lorebook that it imports a name of its own, and a description where there is none (2.3.3); Lumiverse
// the latter, and both to books that it merges (1.1.0).
function headOf(
  raw: JsonObject,
  { kept }: BookStash,
  shown: CardStash['shown'],
  character: string,
): JsonObject {
  const invented: readonly (Json | undefined)[] = [
    `${character} — ${character}'s Lorebook`,
    `${character} — ${character}`,
  ];
  const written = new Map(Object.entries(withoutKey(raw, 'entries')));
  const edited = [...written].filter(([key, value]) => {
    if (key === 'extensions' || value === undefined) return false;
    if (shown[key] === hashJson(value)) return false;
    if (isMergedHead(value)) return false;
    if (key === 'name') return !invented.includes(value);
    return !(key === 'description' && isInvented(value));
  });
  return { ...kept, ...Object.fromEntries(edited) };
}

const isInvented = (description: Json): boolean =>
  typeof description === 'string' &&
  (description === 'Imported from SillyTavern' || isImportedFrom(description));
