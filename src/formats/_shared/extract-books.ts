// The shared extractor: the lorebooks of a CCv2 or CCv3 card as canonical lorebooks (spec 000).

import type { ExtractedBook, ExtractedBooks } from '../../core/adapter.ts';
import { textAt } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import type { FoundBook } from './book-slots.ts';
import { findCharacterBooks } from './book-slots.ts';
import { lorebookFromBook, readingOf } from './character-book.ts';
import { CHARACTER_BOOK } from './character-book-table.ts';
import { splitMergedBook, withoutPrefixes } from './lumiverse/merged-book.ts';
import { splitSourceBooks } from './source-books.ts';
import { cardStashOf, hasNote, replantBooks } from './stashed-books.ts';

/** The name of a card's character: in its data, or at its root. */
export function characterName(card: JsonObject): string {
  const data = card['data'];
  return (isObject(data) && textAt(data, 'name')) || textAt(card, 'name') || textAt(card, 'char_name');
}

/** SillyTavern's own default for a book without a name (1.19, decisions 8). */
export function defaultBookName(character: string): string {
  return character.trim() === '' ? 'Lorebook' : `${character}'s Lorebook`;
}

/**
 * Pulls every lorebook out of a card; a merged book is split into the books it was made of. Each lorebook keeps
 * its raw book in escrow under `character-book`. Ids are the slots, so that they can be read.
 */
export function extractCharacterBooks(card: JsonObject): ExtractedBooks {
  const found = findCharacterBooks(card);
  const fallback = defaultBookName(characterName(card));
  const stash = cardStashOf(card);
  const books = found.books.flatMap((book, index) =>
    partsOf(
      book,
      fallback,
      index === 0 && stash !== null
        ? replantBooks(withoutPrefixes(book.raw), stash, characterName(card), hasNote(card))
        : null,
    ),
  );
  // Not `push(...list)`: a book of 200,000 entries has more findings than a call can take arguments.
  const findings: readonly Finding[] = [
    ...found.findings,
    ...books.flatMap(({ lorebook }) => {
      const escrow = lorebook.original[CHARACTER_BOOK];
      return escrow === undefined ? [] : readingOf(escrow, lorebook.id).findings;
    }),
  ];
  return { books, findings };
}

function partsOf(
  { slot, raw }: FoundBook,
  fallback: string,
  replanted: readonly JsonObject[] | null,
): readonly ExtractedBook[] {
  const parts = replanted ?? splitSourceBooks(raw) ?? splitMergedBook(raw);
  if (parts === null) return [{ lorebook: lorebookFromBook(raw, slot, fallback), slot }];
  return parts.map((part, index) => ({
    lorebook: lorebookFromBook(
      part,
      index === 0 ? slot : `${slot}#${index + 1}`,
      parts.length === 1 ? fallback : `${fallback} (${index + 1})`,
    ),
    slot,
  }));
}

/** The primary lorebook of a raw card, or null (spec 000). */
export function extractCharacterBook(card: JsonObject): CanonicalLorebook | null {
  return extractCharacterBooks(card).books[0]?.lorebook ?? null;
}
