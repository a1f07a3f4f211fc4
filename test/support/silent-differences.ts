// Lorebooks that went somewhere and came back: what of their entries is another, and whether a finding has said so.

import type { Finding } from '../../src/core/finding.ts';
import { writeKey } from '../../src/core/key.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import { nearestPosition } from '../../src/core/position.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';

/** An entry with the id of its book, as findings name both. */
export interface Placed {
  readonly bookId: string;
  readonly entry: LorebookEntry;
}

/** The entries of lorebooks, book after book. */
export const placedEntries = (books: readonly CanonicalLorebook[]): readonly Placed[] =>
  books.flatMap(({ id, body }) => body.entries.map((entry) => ({ bookId: id, entry })));

/** What an entry is known by where ids are others. */
export const markOf = ({ entry }: Placed): string =>
  `${entry.title} ${entry.keys.map(writeKey)} ${entry.content}`;

// What a world file has no place for is its nearest there, and an entry always gets a place in the editor's list.
const comparable = (entry: LorebookEntry): LorebookEntry => ({
  ...entry,
  position: nearestPosition(entry.position),
  displayIndex: null,
});

/** The paths of the fields in which two entries differ. */
export function differences(sent: LorebookEntry, back: LorebookEntry): readonly string[] {
  const [a, b] = [comparable(sent), comparable(back)];
  return CHARACTER_BOOK_FIELDS.filter((row) => !row.same(a, b)).map(({ path }) => path);
}

/** Whether a field of an entry was named by a finding. */
export const isSaid = (findings: readonly Finding[], { bookId, entry }: Placed, path: string): boolean =>
  findings.some((each) => each.bookId === bookId && each.entryId === entry.id && each.path === path);
