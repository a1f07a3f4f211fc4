// Lorebooks in force as RisuAI's own files, which hold no settings, and what is kept aside of a book. Facts: 460ecae2.

import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { writeBookHead } from '../_shared/book-fields.ts';
import { lorebookToCharacterBook } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import type { BookStash } from '../_shared/stashed-books.ts';
import { bookFindings } from './book-findings.ts';
import { type RisuOptions, type WrittenRow, writeBooks } from './book-writing.ts';
import { untouchedRisuLorebook } from './lorebook-file.ts';

/** A written lorebook file. */
export interface WrittenLorebook {
  readonly bookId: string;
  readonly name: string;
  readonly json: JsonObject;
}

/** Written lorebook files. */
export interface WrittenLorebooks {
  readonly lorebooks: readonly WrittenLorebook[];
  readonly findings: readonly Finding[];
}

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
 * Writes each book as RisuAI's own lorebook file; one that RisuAI wrote and nobody touched is itself. It holds no
 * settings, so each entry says what it needs.
 */
export function risuLorebooks(resolved: ResolvedCharacter, options: RisuOptions): WrittenLorebooks {
  const asItWas = new Map(
    resolved.books.flatMap(({ lorebook }): [string, JsonObject][] => {
      const raw = untouchedRisuLorebook(lorebook);
      return raw === null ? [] : [[lorebook.id, raw]];
    }),
  );
  const { books } = writeBooks(resolved, 'lorebook', options);
  const lorebooks = books.map(({ book, rows }): WrittenLorebook => {
    const { id, name } = book.lorebook;
    const stash = { v: STASH_VERSION, in: 'risu', ...bookStash(book) };
    const written: JsonObject = { type: 'risu', ver: 1, data: rows.map(fileRow), [STASH_KEY]: stash };
    return {
      bookId: id,
      name: name.trim() === '' ? 'Lorebook' : name,
      json: asItWas.get(id) ?? written,
    };
  });
  const findings = [
    ...books.flatMap((each) => each.findings),
    ...bookFindings(resolved, 'lorebook', options),
  ].filter(({ bookId }) => bookId === null || !asItWas.has(bookId));
  return { lorebooks, findings };
}

// Version 2, so that RisuAI does not write the text anew.
function fileRow({ lore, stash }: WrittenRow): Json {
  return {
    key: lore.keys.join(', '),
    comment: lore.title,
    content: lore.content,
    mode: 'normal',
    insertorder: lore.order,
    alwaysActive: lore.constant,
    secondkey: lore.secondary.join(', '),
    selective: lore.selective,
    extentions: { [STASH_KEY]: { ...stash, book: 0 } },
    useRegex: lore.isPattern,
    bookVersion: 2,
  };
}
