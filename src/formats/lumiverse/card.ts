// A character in force as Lumiverse imports it: a V3 card with one book of all entries, and for a charx the same lore as
// one world book for each lorebook, which Lumiverse then prefers (1.1.0).

import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { OwnPart } from '../../core/own-part.ts';
import type { ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { changedBookHead } from '../_shared/book-fields.ts';
import { bookStash } from '../_shared/kept-book.ts';
import { mergeBooks } from '../_shared/lumiverse/merged-book.ts';
import { bookOnTwin } from '../_shared/own-twin.ts';
import { rawEntries } from '../_shared/raw-entries.ts';
import { STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import { bookMarks, type CardStash } from '../_shared/stashed-books.ts';
import type { WrittenLorebook, WrittenLorebooks } from '../_shared/written-lorebooks.ts';
import { bookFindings } from './book-findings.ts';
import { type LumiverseOptions, type WrittenBook, writeBooks } from './book-writing.ts';
import { lumiverseData } from './card-data.ts';
import type { WrittenForm } from './entry-writing.ts';
import { lumiverseModules } from './modules.ts';
import { worldBookFile } from './native-book.ts';
import { NOTE_TITLE, noteEntry, noteFinding } from './note-entry.ts';
import { lumiverseTwin, ownMergedBook } from './own-books.ts';

/** What holds the lorebooks. */
export type Carrier = 'card' | 'charx';

/** A written card. */
export interface WrittenCard {
  readonly card: JsonObject;
  /** What lies beside the card in a charx. */
  readonly modules: JsonObject;
  readonly findings: readonly Finding[];
  readonly own: readonly OwnPart[];
}

/** Writes the character with its books. Each entry keeps its original in its extensions, which Lumiverse carries along. */
export function lumiverseCard(
  resolved: ResolvedCharacter,
  carrier: Carrier,
  options: LumiverseOptions,
): WrittenCard {
  const { depthPrompt, books: held } = resolved;
  const isOwn = held[0] !== undefined && lumiverseTwin(held[0].lorebook) !== null;
  const { data, findings } = lumiverseData(resolved.character, isOwn, isOwn && held.some(hasDeleted));
  if (held.length === 0 && depthPrompt === null)
    return { card: asCard(data), modules: lumiverseModules([]), findings, own: [] };
  const inCard = writeBooks(resolved, 'card', options);
  const native = writeBooks(resolved, 'native', options);
  const [first] = held;
  const count = inCard.books.reduce((sum, { entries }) => sum + entries.length, 0);
  const noteIn = (form: WrittenForm): readonly JsonObject[] =>
    depthPrompt === null ? [] : [noteEntry(depthPrompt, form, inCard.notePriority, count)];
  const rows = inCard.books.flatMap(({ entries }) => entries);
  const merged = depthPrompt === null ? ownMergedBook(resolved.character, inCard.books) : null;
  const book =
    merged ??
    onOwnBook(inCard.books, 'card', noteIn('card')) ??
    (depthPrompt === null ? mergedAsThere(inCard.books) : null) ??
    ({
      name: first?.lorebook.name ?? NOTE_TITLE,
      description: first?.lorebook.body.description ?? '',
      entries: [...rows.map(({ raw }) => raw), ...noteIn('card')],
    } satisfies JsonObject);
  const isStashed = merged === null && (depthPrompt !== null || inCard.books.some((each) => each.isStashed));
  const stash: CardStash = {
    v: STASH_VERSION,
    in: 'lumiverse',
    books: inCard.books.map((each) => bookStash(each.book)),
    entries: [],
    shown: bookMarks(book),
  };
  const files = native.books.map((each, index) => worldBook(each, index === 0 ? noteIn('native') : []));
  const alone = files.length === 0 ? [worldBookFile({ ...NOTE_BOOK, entries: noteIn('native') })] : files;
  const written = carrier === 'charx' ? native : inCard;
  return {
    card: asCard({
      ...data,
      ...(isStashed ? { extensions: { ...(data['extensions'] as JsonObject), [STASH_KEY]: stash } } : {}),
      character_book: book,
    }),
    modules: lumiverseModules(alone),
    findings: [
      ...findings,
      ...written.books.flatMap((each) => each.findings),
      ...bookFindings(resolved, carrier, written.books),
      ...(depthPrompt === null ? [] : [noteFinding(depthPrompt)]),
    ],
    own: written.books.flatMap((each) => each.own),
  };
}

// Whether the user deleted an entry of a book that Lumiverse wrote: its text must not travel on (decisions 24).
function hasDeleted({ lorebook }: ResolvedBook): boolean {
  const ids = new Set(lorebook.body.entries.map(({ id }) => id));
  return lumiverseTwin(lorebook)?.twin.body.entries.some(({ id }) => !ids.has(id)) === true;
}

const NOTE_BOOK = { name: NOTE_TITLE, description: '', stash: null };

// One book that Lumiverse itself wrote in this form, with what was edited; null where there is none such.
function onOwnBook(
  books: readonly WrittenBook[],
  form: WrittenForm,
  beside: readonly JsonObject[],
): JsonObject | null {
  const [first] = books;
  const ownBook = first?.ownBook ?? null;
  if (first === undefined || ownBook === null || ownBook.form !== form || books.length > 1) return null;
  const { twin } = ownBook;
  const head = changedBookHead(first.book.lorebook.body, twin.body, twin.raw);
  const rows = first.entries.map(({ id, raw }): [string, Json] => [id, raw]);
  const book = bookOnTwin(twin, head, rows);
  const { items } = rawEntries(book);
  return beside.length === 0 ? book : { ...book, entries: [...items, ...beside] };
}

// Several books of Lumiverse's own, as it merges them itself.
function mergedAsThere(books: readonly WrittenBook[]): JsonObject | null {
  if (books.length < 2 || books.some(({ ownBook }) => ownBook === null)) return null;
  return mergeBooks(
    books.map(({ book, entries }) => ({ name: book.lorebook.name, entries: entries.map(({ raw }) => raw) })),
  );
}

const asCard = (data: JsonObject): JsonObject => ({ spec: 'chara_card_v3', spec_version: '3.0', data });

// A book that Lumiverse wrote as a world book is that one; another one is made anew.
function worldBook(written: WrittenBook, beside: readonly JsonObject[]): JsonObject {
  const own = onOwnBook([written], 'native', beside);
  if (own !== null) return own;
  const { book, entries, isStashed } = written;
  const { name, body } = book.lorebook;
  return worldBookFile({
    name: name.trim() === '' ? 'Lorebook' : name,
    description: body.description,
    stash: isStashed ? bookStash(book) : null,
    entries: [...entries.map(({ raw }) => raw), ...beside],
  });
}

/** Writes each book as Lumiverse's own world book file. */
export function lumiverseLorebooks(resolved: ResolvedCharacter, options: LumiverseOptions): WrittenLorebooks {
  const { books } = writeBooks(resolved, 'native', options);
  const lorebooks = books.map((written): WrittenLorebook => {
    const { id, name } = written.book.lorebook;
    return { bookId: id, name: name.trim() === '' ? 'Lorebook' : name, json: worldBook(written, []) };
  });
  return {
    lorebooks,
    findings: [...books.flatMap((each) => each.findings), ...bookFindings(resolved, 'lorebook', books)],
    own: books.flatMap((each) => each.own),
  };
}
