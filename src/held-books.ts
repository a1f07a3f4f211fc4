// How much lore a parsed file holds, counted before any of it is read.

import { isArray, isObject, type Json, type JsonObject, jsonAt } from './core/json.ts';
import { partCount } from './formats/_shared/source-books.ts';
import { STASH_KEY } from './formats/_shared/stash.ts';

/** Every entry becomes a thousand bytes or more. The biggest real lorebooks have some thousand entries. */
export const MOST_ENTRIES = 250_000;
/** Every book becomes a file. */
export const MOST_BOOKS = 10_000;

// An app's own file may hold its lorebook one or two levels deeper.
const HOLDERS = [['data'], ['lorebook'], ['content', 'lorebook'], ['module', 'lorebook']] as const;

/** How much a file holds. */
interface Held {
  readonly entries: number;
  readonly books: number;
}

/**
 * Entries and books in all places in which a file can hold lorebooks; a merged book counts as what it is made of. What
 * rides along of another app's is read as well, and says the same entries once more: the larger number counts.
 */
export function heldIn(json: Json, beside: readonly JsonObject[]): Held {
  const riders: Json[] = [];
  const held = heldOpenly(json, riders);
  const riding = riders.reduce<number>((sum, raw) => sum + heldOpenly(raw).entries, 0);
  const entries = beside.reduce((sum, book) => sum + countOf(book), held.entries);
  return { entries: Math.max(entries, riding), books: held.books + beside.length };
}

function heldOpenly(json: Json, riders: Json[] = []): Held {
  let entries = 0;
  let books = 0;
  const all = [json, ...HOLDERS.map((path) => jsonAt(json, path))];
  for (const holder of all) {
    if (isArray(holder)) entries += holder.length;
    if (!isObject(holder)) continue;
    const extensions = isObject(holder['extensions']) ? holder['extensions'] : {};
    const listed = extensions['character_books'];
    const single = [holder, holder['character_book'], holder['characterBook'], extensions['character_book']];
    for (const raw of ridersOf(holder[STASH_KEY])) riders.push(raw);
    for (const book of [...single, ...(isArray(listed) ? listed : [listed])]) {
      entries += countOf(book);
      books += isObject(book) && Object.hasOwn(book, 'entries') ? Math.max(1, partCount(book)) : 0;
      for (const raw of ridersOf(jsonAt(book, ['extensions', STASH_KEY]))) riders.push(raw);
    }
  }
  return { entries, books };
}

const ridersOf = (mark: Json | undefined): readonly Json[] => {
  const original = isObject(mark) ? mark['original'] : undefined;
  return Object.values(isObject(original) ? original : {}).flatMap((escrow) =>
    isObject(escrow) && escrow['raw'] !== undefined ? [escrow['raw']] : [],
  );
};

/** The entries of a raw book, whatever holds them. */
export const countOf = (book: Json | undefined): number => {
  const entries = isObject(book) ? book['entries'] : undefined;
  return isArray(entries) ? entries.length : isObject(entries) ? Object.keys(entries).length : 0;
};
