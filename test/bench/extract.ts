// What is measured: a card's book to a world file and back to a card's book, ours and what peers do of it.

import { emitPieces, readPieces } from '../../src/convert.ts';
import { type JsonObject, sameJson } from '../../src/core/json.ts';
import { lorebookFromBook, lorebookToCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';

export { hugeBook } from './huge-book.ts';
export { sameJson };

const SOURCE = { character: 'Bench', slot: 'data.character_book' };

/** A card with a book, read into its pieces and written again with the book embedded. */
export function extractAndEmbed(book: JsonObject): JsonObject {
  const card = {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: { name: 'Bench', extensions: {}, character_book: book },
  };
  const emitted = emitPieces(readPieces(card), 'sillytavern').card;
  return (emitted['data'] as JsonObject)['character_book'] as JsonObject;
}

/** A raw book as a world file with its twin. */
export function extract(book: JsonObject): JsonObject {
  return worldFromLorebook(lorebookFromBook(book, 'book', 'Book'), SOURCE);
}

/** A world file as a raw book. */
export function emit(world: JsonObject): JsonObject {
  const { lorebook } = lorebookFromWorld(world, 'world', 'World');
  return lorebookToCharacterBook(lorebook.body, lorebook.original[CHARACTER_BOOK]);
}

/** A raw book read and written again without a world file between, by the table alone. */
export function emitWithoutTwin(book: JsonObject): JsonObject {
  return lorebookToCharacterBook(lorebookFromBook(book, 'book', 'Book').body);
}

/** The share of leaves of one JSON value that stand unchanged at the same path in another. */
export function sharedLeaves(before: unknown, after: unknown): { same: number; all: number } {
  if (typeof before !== 'object' || before === null)
    return { same: Object.is(before, after) ? 1 : 0, all: 1 };
  let same = 0;
  let all = 0;
  for (const [key, value] of Object.entries(before)) {
    const other =
      typeof after === 'object' && after !== null ? (after as Record<string, unknown>)[key] : undefined;
    const inner = sharedLeaves(value, other);
    same += inner.same;
    all += inner.all;
  }
  return { same, all };
}
