// A lorebook that came in another app's own words gets a twin in SillyTavern's.

import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { lorebookFromBook, lorebookToCharacterBook } from '../../formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';

/**
 * A lorebook with a character_book among its originals, by which a later version of it can be compared three ways
 * (decisions 14): its own, or the one that SillyTavern gets of it. The app's own book stays beside it.
 */
export function withTwin(lorebook: CanonicalLorebook): CanonicalLorebook {
  if (Object.hasOwn(lorebook.original, CHARACTER_BOOK)) return lorebook;
  const book = lorebookToCharacterBook(lorebook.body);
  const twin = lorebookFromBook(book, lorebook.id, lorebook.name);
  if (twin.body.entries.length !== lorebook.body.entries.length) return lorebook;
  return { ...lorebook, body: twin.body, original: { ...twin.original, ...lorebook.original } };
}
