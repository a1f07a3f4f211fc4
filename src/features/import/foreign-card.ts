// Whether a card is another app's, so that SillyTavern would read it worse than we do.

import { isObject } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';
import { foreignAppOfBook, markedAppOf } from '../../formats/_shared/foreign-book.ts';
import { cardStashOf } from '../../formats/_shared/stashed-books.ts';
import { SILLYTAVERN } from '../../formats/sillytavern/card.ts';
import type { OpenedFile } from '../../open-file.ts';

/** An opened card. */
export type OpenedCard = Extract<OpenedFile, { kind: 'card' }>;

const READ_BY_SILLYTAVERN = 'data.character_book';
// RoleCall's list of lorebooks.
const LIST_OF_BOOKS = 'data.extensions.character_books';

/**
 * The app that a card was written by or for, where SillyTavern would read it worse than we do; null for a card of
 * SillyTavern's and for one that says in the standard's words what SillyTavern, too, takes from it.
 */
export function foreignAppOf(opened: OpenedCard): string | null {
  const { app, pieces, card, filledBy } = opened;
  if (app !== undefined) return app;
  if (pieces.format !== SILLYTAVERN) return pieces.format;
  const stash = cardStashOf(card);
  if (stash !== null) return stash.in;
  for (const lorebook of pieces.lorebooks) {
    const found = appOfBookIn(opened, lorebook);
    if (found !== null) return found;
  }
  // SillyTavern does not read what the card was filled from.
  return filledBy ?? null;
}

function appOfBookIn({ pieces }: OpenedCard, lorebook: CanonicalLorebook): string | null {
  const around = pieces.character.body.extensions;
  const app = foreignAppOfBook(lorebook, around);
  const slot = pieces.slots.get(lorebook.id);
  if (app !== null || slot === undefined || slot === READ_BY_SILLYTAVERN) return app;
  if (slot.startsWith(LIST_OF_BOOKS)) return 'rolecall';
  const raw = lorebook.original[CHARACTER_BOOK]?.raw;
  return isObject(raw) ? markedAppOf(raw, around) : null;
}
