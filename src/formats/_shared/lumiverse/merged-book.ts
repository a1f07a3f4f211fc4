// The one book into which Lumiverse merges the world books of a character for a JSON or a PNG: each entry's title begins
// with the name of its book in brackets, and the description lists the names (1.1.0).

import type { Json, JsonObject } from '../../../core/json.ts';
import { isObject, sameJson } from '../../../core/json.ts';
import { rawEntries } from '../raw-entries.ts';

const TITLE = /^Merged Lorebook \((\d+) books\)$/;
const NAMES = 'Merged from: ';
const SEPARATOR = ', ';

/** Whether a book's name or description is only what Lumiverse calls a merged book. */
export const isMergedHead = (value: Json | undefined): boolean =>
  typeof value === 'string' && (TITLE.test(value) || value.startsWith(NAMES));

/** Whether a description is what Lumiverse writes where an imported book has none. */
export const isImportedFrom = (description: Json | undefined): boolean =>
  typeof description === 'string' && /^Imported from .+ at .+$/.test(description);

/**
 * Splits such a book into the books that it was made of, titles without their prefix; null when it is none, or when the
 * names do not tell where one ends.
 */
export function splitMergedBook(raw: JsonObject): readonly JsonObject[] | null {
  const { name, description } = raw;
  const count = typeof name === 'string' ? Number(TITLE.exec(name)?.[1]) : Number.NaN;
  if (typeof description !== 'string' || !description.startsWith(NAMES)) return null;
  const { items } = rawEntries(raw);
  for (const names of namings(description.slice(NAMES.length).split(SEPARATOR), count)) {
    const books = booksNamed(names, items);
    if (books !== null) return books;
  }
  return null;
}

// A name may hold what stands between the names: which of them belong together, the titles tell.
const MOST_NAMINGS = 1000;

function namings(parts: readonly string[], count: number): readonly (readonly string[])[] {
  const found: string[][] = [];
  const join = (at: number, names: readonly string[]): void => {
    if (found.length >= MOST_NAMINGS) return;
    const left = count - names.length;
    if (left === 0) {
      if (at === parts.length) found.push([...names]);
      return;
    }
    for (let end = at + 1; end <= parts.length - left + 1; end++)
      join(end, [...names, parts.slice(at, end).join(SEPARATOR)]);
  };
  if (count <= parts.length) join(0, []);
  return found;
}

function booksNamed(names: readonly string[], items: readonly Json[]): readonly JsonObject[] | null {
  const books = names.map((own): { readonly name: string; readonly entries: Json[] } => ({
    name: own,
    entries: [],
  }));
  let at = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const entry of items) {
    const title = isObject(entry) && typeof entry['comment'] === 'string' ? entry['comment'] : null;
    if (!isObject(entry) || title === null) return null;
    const isOf = (book: number): boolean => title.startsWith(`[${names[book]}]`);
    const order = entry['insertion_order'];
    // Each book lists its entries by their order: of two with the same name the second begins where it falls.
    if (typeof order === 'number' && order < last && names[at + 1] === names[at]) at++;
    while (at < names.length && !isOf(at)) at++;
    const book = books[at];
    if (book === undefined) return null;
    if (typeof order === 'number') last = order;
    book.entries.push({ ...entry, comment: title.slice(book.name.length + 2).trimStart() });
  }
  return books.map(({ name: own, entries }) => ({ name: own, entries }));
}

/**
 * Merges books as Lumiverse does; null where they would not come apart again as they were.
 *
 * @param books each with its name, and its entries as a card's book has them
 */
export function mergeBooks(
  books: readonly { readonly name: string; readonly entries: readonly JsonObject[] }[],
): JsonObject | null {
  const entries = books.flatMap(({ name, entries: own }) =>
    own.map((entry) => ({ ...entry, comment: `[${name}] ${entry['comment'] ?? ''}`.trim() })),
  );
  const names = books.map(({ name }) => name);
  const merged: JsonObject = {
    name: `Merged Lorebook (${names.length} books)`,
    description: `${NAMES}${names.join(SEPARATOR)}`,
    entries,
  };
  const apart = splitMergedBook(merged);
  const isSame = books.every(({ name, entries: own }, at) =>
    sameJson(apart?.[at] ?? null, { name, entries: own }),
  );
  return isSame ? merged : null;
}

/** The same book with titles that are the entries' own; the book itself when it is no merged one. */
export function withoutPrefixes(raw: JsonObject): JsonObject {
  const parts = splitMergedBook(raw);
  return parts === null
    ? raw
    : { ...raw, entries: parts.flatMap(({ entries }) => entries as readonly Json[]) };
}
