// A character in force as Lumiverse imports it: a V3 card with one book of all entries, and for a charx the same lore as
// one world book for each lorebook, which Lumiverse then prefers (1.1.0).

import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { writeBookHead } from '../_shared/book-fields.ts';
import { lorebookToCharacterBook } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import { type BookStash, bookMarks, type CardStash } from '../_shared/stashed-books.ts';
import { bookFindings } from './book-findings.ts';
import { type LumiverseOptions, writeBooks } from './book-writing.ts';
import { lumiverseData } from './card-data.ts';
import { lumiverseModules } from './modules.ts';
import { worldBookFile } from './native-book.ts';
import { NOTE_TITLE, noteEntry, noteFinding } from './note-entry.ts';

/** What holds the lorebooks. */
export type Carrier = 'card' | 'charx';

/** A written card. */
export interface WrittenCard {
  readonly card: JsonObject;
  /** What lies beside the card in a charx. */
  readonly modules: JsonObject;
  readonly findings: readonly Finding[];
}

/** A written world book file. */
export interface WrittenLorebook {
  readonly bookId: string;
  readonly name: string;
  readonly json: JsonObject;
}

/** Written world book files. */
export interface WrittenLorebooks {
  readonly lorebooks: readonly WrittenLorebook[];
  readonly findings: readonly Finding[];
}

/** Writes the character with its books. Each entry keeps its original in its extensions, which Lumiverse carries along. */
export function lumiverseCard(
  resolved: ResolvedCharacter,
  carrier: Carrier,
  options: LumiverseOptions,
): WrittenCard {
  const { data, findings } = lumiverseData(resolved.character);
  const { depthPrompt, books: held } = resolved;
  if (held.length === 0 && depthPrompt === null)
    return { card: asCard(data), modules: lumiverseModules([]), findings };
  const inCard = writeBooks(resolved, 'card', options);
  const native = writeBooks(resolved, 'native', options);
  const [first] = held;
  const count = inCard.books.reduce((sum, { entries }) => sum + entries.length, 0);
  const noteIn = (form: 'card' | 'native'): readonly JsonObject[] =>
    depthPrompt === null ? [] : [noteEntry(depthPrompt, form, inCard.notePriority, count)];
  const book: JsonObject = {
    name: first?.lorebook.name ?? NOTE_TITLE,
    description: first?.lorebook.body.description ?? '',
    entries: [...inCard.books.flatMap(({ entries }) => entries), ...noteIn('card')],
  };
  const stash: CardStash = {
    v: STASH_VERSION,
    in: 'lumiverse',
    books: inCard.books.map((each) => bookStash(each.book)),
    entries: [],
    shown: bookMarks(book),
  };
  const files = native.books.map(({ book: { lorebook }, entries }, index) =>
    worldBook(lorebook.name, lorebook.body.description, bookStashOf(native.books[index]?.book), [
      ...entries,
      ...(index === 0 ? noteIn('native') : []),
    ]),
  );
  const alone = files.length === 0 ? [worldBook(NOTE_TITLE, '', null, noteIn('native'))] : files;
  const written = carrier === 'charx' ? native : inCard;
  return {
    card: asCard({
      ...data,
      extensions: { ...(data['extensions'] as JsonObject), [STASH_KEY]: stash },
      character_book: book,
    }),
    modules: lumiverseModules(alone),
    findings: [
      ...findings,
      ...written.books.flatMap((each) => each.findings),
      ...bookFindings(resolved, carrier),
      ...(depthPrompt === null ? [] : [noteFinding(depthPrompt)]),
    ],
  };
}

const asCard = (data: JsonObject): JsonObject => ({ spec: 'chara_card_v3', spec_version: '3.0', data });
// A book that came out of a card keeps its own fields as they stood there.
function bookStash({ lorebook }: ResolvedBook): BookStash {
  const { name, body, original } = lorebook;
  const written =
    original[CHARACTER_BOOK] === undefined
      ? writeBookHead(body, CHARACTER_BOOK)
      : lorebookToCharacterBook({ ...body, entries: [] }, original[CHARACTER_BOOK]);
  const { entries: _entries, ...head } = written;
  return { name, kept: { ...head, name } };
}

const bookStashOf = (book: ResolvedBook | undefined): BookStash | null =>
  book === undefined ? null : bookStash(book);

const worldBook = (
  name: string,
  description: string,
  stash: BookStash | null,
  entries: readonly Json[],
): JsonObject => worldBookFile({ name: name.trim() === '' ? 'Lorebook' : name, description, stash, entries });

/** Writes each book as Lumiverse's own world book file. */
export function lumiverseLorebooks(resolved: ResolvedCharacter, options: LumiverseOptions): WrittenLorebooks {
  const { books } = writeBooks(resolved, 'native', options);
  const lorebooks = books.map(({ book, entries }): WrittenLorebook => {
    const { id, name, body } = book.lorebook;
    const json = worldBook(name, body.description, bookStash(book), entries);
    return { bookId: id, name: name.trim() === '' ? 'Lorebook' : name, json };
  });
  return {
    lorebooks,
    findings: [...books.flatMap((each) => each.findings), ...bookFindings(resolved, 'lorebook')],
  };
}
