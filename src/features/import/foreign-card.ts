// Whether a card is another app's, so that SillyTavern would read it worse than we do.

import { isObject } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { familyOf } from '../../formats/_shared/book-family.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';
import { speaksRisu } from '../../formats/_shared/risu/book.ts';
import { cardStashOf } from '../../formats/_shared/stashed-books.ts';
import { SILLYTAVERN } from '../../formats/sillytavern/card.ts';
import type { OpenedFile } from '../../open-file.ts';

/** An opened card. */
export type OpenedCard = Extract<OpenedFile, { kind: 'card' }>;

// RoleCall's list of lorebooks, which SillyTavern does not read.
const LIST_OF_BOOKS = 'data.extensions.character_books';

/**
 * The app that a card was written by or for, in its own words; null for a card of SillyTavern's and for one that only
 * uses the standard's words, which SillyTavern gets as they are.
 */
export function foreignAppOf({ app, pieces, card, filledBy }: OpenedCard): string | null {
  if (app !== undefined) return app;
  if (pieces.format !== SILLYTAVERN) return pieces.format;
  const stash = cardStashOf(card);
  if (stash !== null) return stash.in;
  for (const lorebook of pieces.lorebooks) {
    const found = foreignAppOfBook(lorebook);
    if (found !== null) return found;
    if (pieces.slots.get(lorebook.id)?.startsWith(LIST_OF_BOOKS) === true) return 'rolecall';
  }
  // SillyTavern does not read what the card was filled from.
  return filledBy ?? null;
}

const FAMILIES: ReadonlySet<string> = new Set(['marinara', 'lumiverse']);

/** The app in whose own words a lorebook came, null for SillyTavern's and the standard's. */
export function foreignAppOfBook({ original }: CanonicalLorebook): string | null {
  const raw = original[CHARACTER_BOOK]?.raw;
  // A dialect of an app's is named after the app.
  if (raw === undefined) return Object.keys(original)[0]?.split('-')[0] ?? null;
  if (!isObject(raw)) return null;
  const { family } = familyOf(raw);
  // A mark of RisuAI's alone says nothing: SillyTavern carries it along.
  if (family === 'risu') return speaksRisu(raw) ? family : null;
  return FAMILIES.has(family) ? family : null;
}
