// Whether a book of the panel can be written back to where it stands, and the raw object that would be written over.

import { isObject, sameJson } from '../../core/json.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';
import { bookAt, isCardSlot } from '../../host/card-slot.ts';
import type { MendSource } from '../../inspection/mends.ts';
import type { PlannedChange } from './change-plan.ts';
import type { Subject, SubjectBook } from './subject.ts';

/**
 * The raw book behind a book of the panel; null where nothing can be written: a file that is not imported, a part of a
 * book that holds several, another app's own book.
 */
export function writableBook(book: SubjectBook, { character }: Subject): MendSource | null {
  const { id } = book.lorebook;
  const { name, stored } = book;
  if (stored !== null) return { form: 'world', raw: stored.data, id, name };
  if (book.kind !== 'card' || character === null || character.avatar === null || !isCardSlot(book.slot))
    return null;
  const raw = bookAt(character.card, book.slot);
  const read = book.lorebook.original[CHARACTER_BOOK]?.raw;
  return raw !== null && isObject(read) && sameJson(raw, read)
    ? { form: 'card-book', raw: read, id, name }
    : null;
}

/** The change that writes new content over a writable book; null when it is the same object. */
export function changeOf(
  book: SubjectBook,
  { character }: Subject,
  source: MendSource,
  after: MendSource['raw'],
): PlannedChange | null {
  if (after === source.raw) return null;
  const { stored, slot } = book;
  if (stored !== null)
    return { kind: 'world', name: stored.name, hash: stored.hash, before: stored.data, after };
  const avatar = character?.avatar;
  return avatar ? { kind: 'card-book', avatar, slot, before: source.raw, after } : null;
}
