// The books that stand in a card, as the panel shows them.

import type { Pieces } from '../../convert.ts';
import { readingOf } from '../../formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';
import type { SubjectBook } from './subject.ts';

/**
 * All books of a card with the slots in which they stood, the primary one first. Parts of a merged book share its
 * slot, so a book's key is made of its id, which is the slot and, from the second part on, a number.
 */
export function cardBooks(pieces: Pieces, kind: 'card' | 'file'): readonly SubjectBook[] {
  return pieces.lorebooks.map((lorebook) => {
    const escrow = lorebook.original[CHARACTER_BOOK];
    return {
      key: `${kind}:${lorebook.id}`,
      kind,
      name: lorebook.name,
      slot: pieces.slots.get(lorebook.id) ?? lorebook.id,
      lorebook,
      reading: escrow === undefined ? undefined : readingOf(escrow, lorebook.id),
      findings: pieces.findings.filter(({ bookId }) => bookId === lorebook.id),
      stored: null,
    };
  });
}
