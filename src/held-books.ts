// How much lore a parsed file holds, counted before any of it is read.

import { isArray, isObject, type Json, type JsonObject, jsonAt } from './core/json.ts';
import { partCount } from './formats/_shared/source-books.ts';

/** Every entry becomes a thousand bytes or more. The biggest real lorebooks have some thousand entries. */
export const MOST_ENTRIES = 250_000;
/** Every book becomes a file. */
export const MOST_BOOKS = 10_000;

// An app's own file may hold its lorebook one or two levels deeper.
const HOLDERS = [['data'], ['lorebook'], ['content', 'lorebook'], ['module', 'lorebook']] as const;

/** Entries and books in all places in which a file can hold lorebooks; a merged book counts as what it is made of. */
export function heldIn(
  json: Json,
  beside: readonly JsonObject[],
): { readonly entries: number; readonly books: number } {
  let entries = beside.reduce((sum, book) => sum + countOf(book), 0);
  let books = beside.length;
  const all = [json, ...HOLDERS.map((path) => jsonAt(json, path))];
  for (const holder of all) {
    if (isArray(holder)) entries += holder.length;
    if (!isObject(holder)) continue;
    const extensions = isObject(holder['extensions']) ? holder['extensions'] : {};
    const listed = extensions['character_books'];
    const single = [holder, holder['character_book'], holder['characterBook'], extensions['character_book']];
    for (const book of [...single, ...(isArray(listed) ? listed : [listed])]) {
      entries += countOf(book);
      books += isObject(book) && Object.hasOwn(book, 'entries') ? Math.max(1, partCount(book)) : 0;
    }
  }
  return { entries, books };
}

/** The entries of a raw book, whatever holds them. */
export const countOf = (book: Json | undefined): number => {
  const entries = isObject(book) ? book['entries'] : undefined;
  return isArray(entries) ? entries.length : isObject(entries) ? Object.keys(entries).length : 0;
};
