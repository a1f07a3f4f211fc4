// What lies beside the card in a charx of Lumiverse's: its world books, each one by itself (1.1.0).

import type { ExtractedBooks } from '../../core/adapter.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import { rawEntries } from '../_shared/raw-entries.ts';
import { isWrittenNote } from '../_shared/risu/written-rows.ts';
import { readLumiverseWorldBook } from './native-book.ts';

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

// A book of our own that holds nothing but the character's note.
const isNoteAlone = (book: JsonObject): boolean => {
  const { items } = rawEntries(book);
  return items.length > 0 && items.every(isWrittenNote);
};

/**
 * The lorebooks of the modules, or null when there are none; then the card's own counts, as it does there. Their readings
 * are not made a second time.
 */
export function lumiverseModuleBooks(modules: Json | undefined, fallbackName: string): ExtractedBooks | null {
  const raws = worldBooksOf(modules);
  if (raws.length === 0) return null;
  const read = raws.flatMap((raw, index) => {
    if (isNoteAlone(raw)) return [];
    const slot = `lumiverse_modules.world_books.${index}`;
    const name = index === 0 ? fallbackName : `${fallbackName} (${index + 1})`;
    return [{ slot, ...readLumiverseWorldBook(raw, slot, name) }];
  });
  return {
    books: read.map(({ lorebook, slot }) => ({ lorebook, slot })),
    findings: read.flatMap(({ findings }) => findings),
  };
}
