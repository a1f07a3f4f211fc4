// What is kept of a lorebook itself on its way to another app: its own fields, and the ids that its entries had.

import type { Json } from '../../core/json.ts';
import type { ResolvedBook } from '../../core/resolved.ts';
import { writeBookHead } from './book-fields.ts';
import { lorebookToCharacterBook, readingOf } from './character-book.ts';
import { CHARACTER_BOOK } from './character-book-table.ts';
import type { BookStash } from './stashed-books.ts';

/** What is kept of a book's own fields. One that came out of a card keeps them as they stood there. */
export function bookStash({ lorebook }: ResolvedBook): BookStash {
  const { name, body, original } = lorebook;
  const written =
    original[CHARACTER_BOOK] === undefined
      ? writeBookHead(body, CHARACTER_BOOK)
      : lorebookToCharacterBook({ ...body, entries: [] }, original[CHARACTER_BOOK]);
  const { entries: _entries, ...head } = written;
  return { name, kept: { ...head, name } };
}

/**
 * The ids that the entries of a book had in their file, by our own id of the entry, in which a world file's uid stands.
 *
 * @returns undefined for an entry that had none
 */
export function originalIds({ lorebook }: ResolvedBook): (entryId: string) => Json | undefined {
  const escrow = lorebook.original[CHARACTER_BOOK];
  const known = escrow === undefined ? null : readingOf(escrow, lorebook.id).known.originalIds;
  return (entryId) => {
    const uid = /^w(\d+)$/.exec(entryId)?.[1];
    return uid !== undefined ? Number(uid) : (known?.get(entryId) ?? undefined);
  };
}
