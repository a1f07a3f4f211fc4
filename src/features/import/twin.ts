// A lorebook that came in another app's own words gets a twin in SillyTavern's.

import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { lorebookFromBook, lorebookToCharacterBook } from '../../formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';

/**
 * A lorebook with a character_book among its originals, by which a later version of it can be compared three ways
 * (decisions 14): its own, or the one that SillyTavern gets of it. The app's own book stays beside it, for the way back.
 */
export function withTwin(lorebook: CanonicalLorebook): CanonicalLorebook {
  const { body, original, id, name } = lorebook;
  if (Object.hasOwn(original, CHARACTER_BOOK)) return lorebook;
  const twin = lorebookFromBook(lorebookToCharacterBook(body), id, name);
  // An entry is its twin's entry by its id.
  const isTwin =
    twin.body.entries.length === body.entries.length &&
    twin.body.entries.every((entry, at) => entry.id === body.entries[at]?.id);
  return isTwin ? { ...lorebook, original: { ...twin.original, ...original } } : lorebook;
}
