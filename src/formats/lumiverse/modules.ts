// What lies beside the card in a charx of Lumiverse's: its world books, each one by itself (1.1.0).

import type { ExtractedBooks } from '../../core/adapter.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import { asText } from '../_shared/card-data.ts';
import { rawEntries } from '../_shared/raw-entries.ts';
import { isStash, STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import { bookMarks, type CardStash, cardStashOf } from '../_shared/stashed-books.ts';
import { readLumiverseWorldBook } from './native-book.ts';
import { noteIn, stashOf } from './reading.ts';

/** Where it lies. */
export const MODULES_PATH = 'lumiverse_modules.json';
const VERSION = 1;

/** Writes the modules with these world books. */
export const lumiverseModules = (books: readonly JsonObject[]): JsonObject => ({
  version: VERSION,
  world_books: books,
});

/** The raw world books; none when it is not Lumiverse's, which asks for a version that is a number. */
export function worldBooksOf(modules: Json | undefined): readonly JsonObject[] {
  if (!isObject(modules) || typeof modules['version'] !== 'number') return [];
  const held = modules['world_books'];
  return (isArray(held) ? held : []).filter(isObject);
}

/**
 * The lorebooks of the modules, or null when there are none; then the card's own counts, as it does there. A world book
 * that was imported from a card of ours comes apart again into what it was made of.
 *
 * @param card the card beside them
 */
export function lumiverseModuleBooks(
  card: JsonObject,
  modules: Json | undefined,
  fallbackName: string,
): ExtractedBooks | null {
  const raws = worldBooksOf(modules);
  if (raws.length === 0) return null;
  const stash = cardStashOf(card);
  const read = raws.flatMap((raw, index) => {
    if (isNoteAlone(raw)) return [];
    const slot = `lumiverse_modules.world_books.${index}`;
    const name = index === 0 ? fallbackName : `${fallbackName} (${index + 1})`;
    return asSent(raw, stash).map((part, at) => {
      const id = at === 0 ? slot : `${slot}#${at + 1}`;
      return { slot, ...readLumiverseWorldBook(part, id, name, true) };
    });
  });
  return {
    books: read.map(({ lorebook, slot }) => ({ lorebook, slot })),
    findings: read.flatMap(({ findings }) => findings),
  };
}

// A book of our own that holds nothing but the character's note.
const isNoteAlone = (book: JsonObject): boolean => {
  const { items } = rawEntries(book);
  return items.length > 0 && items.every((item) => noteIn('native', item) !== null);
};

// The app keeps a mark of ours in a world book that came in a charx, and drops all of a card's book but its entries.
function asSent(raw: JsonObject, stash: CardStash | null): readonly JsonObject[] {
  const { metadata } = raw;
  if (
    stash === null ||
    stash.in !== 'lumiverse' ||
    (isObject(metadata) && Object.hasOwn(metadata, STASH_KEY))
  )
    return [raw];
  let last = -1;
  const placed = rawEntries(raw).items.map((item) => {
    const own = stashOf(item);
    if (isStash(own)) last = own.book;
    return { item, book: last };
  });
  if (last < 0) return [raw];
  const numbers = [...new Set(placed.map(({ book }) => Math.max(0, book)))].sort((a, b) => a - b);
  return numbers.map((number) => {
    const items = placed.filter(({ book }) => Math.max(0, book) === number).map(({ item }) => item);
    const book = stash.books[number];
    if (book === undefined) return { ...raw, entries: items };
    const description = asText(book.kept['description']);
    const head =
      number === 0
        ? { shown: stash.shown }
        : {
            name: book.name,
            description,
            shown: bookMarks({ name: book.name, description }),
          };
    const { shown, ...own } = head;
    return {
      ...raw,
      ...own,
      metadata: { [STASH_KEY]: { v: STASH_VERSION, in: 'lumiverse', book, shown } },
      entries: items,
    };
  });
}
