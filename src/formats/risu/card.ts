// A character in force as RisuAI imports it: a V3 card whose book speaks in RisuAI's decorators. Facts: RisuAI 460ecae2;
// only a V3 card keeps the switch that makes keys patterns.

import type { Finding } from '../../core/finding.ts';
import { hashJson } from '../../core/hash.ts';
import type { JsonObject } from '../../core/json.ts';
import { isObject, jsonAt, NO_FIELDS, withoutKey } from '../../core/json.ts';
import type { DepthPrompt, ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { bookStash } from '../_shared/kept-book.ts';
import { rawEntries } from '../_shared/raw-entries.ts';
import { writeDecoratorLines } from '../_shared/risu/decorator-lines.ts';
import { line, placeLines } from '../_shared/risu/written-lines.ts';
import { rowMark } from '../_shared/risu/written-rows.ts';
import { STASH_KEY, STASH_VERSION, stashIn } from '../_shared/stash.ts';
import { bookMarks, type CardStash } from '../_shared/stashed-books.ts';
import { bookFindings, depthPromptFinding } from './book-findings.ts';
import { bookOnTwin, risuTwinOf } from './book-twin.ts';
import { cardRow, frozenSettings, type RisuOptions, type WrittenBook, writeBooks } from './book-writing.ts';
import { risuData, shownOutlets } from './card-data.ts';

/** A written card. */
export interface WrittenCard {
  readonly card: JsonObject;
  readonly findings: readonly Finding[];
}

/**
 * Writes the character with its books in one character_book, several of them in a folder each. Each entry keeps its
 * original in its extensions, which RisuAI carries along; the card's extensions keep the books.
 */
export function risuCard(resolved: ResolvedCharacter, options: RisuOptions): WrittenCard {
  const { data, others, findings } = risuData(
    resolved.character,
    options.keepsChunks === true,
    risuTwinOf(resolved.books) !== null,
  );
  const { depthPrompt } = resolved;
  const isPlain = Object.keys(others).length === 0 && shownOutlets(resolved.character).length === 0;
  const hasBook = resolved.books.length > 0 || depthPrompt !== null;
  if (!hasBook && isPlain) return { card: asCard(data), findings };
  const twin = risuTwinOf(resolved.books);
  const { books, depthPromptOrder } = writeBooks(resolved, 'card', options, twin);
  const note = depthPrompt === null ? [] : [depthPromptRow(depthPrompt, depthPromptOrder)];
  const [first] = books;
  const book =
    twin === null || first === undefined
      ? mergedBook(resolved, books, note, options)
      : withRows(bookOnTwin(twin, first.book, rowsOfEntry(first)), note);
  const said = [...findings, ...books.flatMap((each) => each.findings)];
  // What RisuAI can say as it is meant needs no way back.
  const isOwn = twin !== null && rawEntries(book).items.every((item) => stashIn(item) === null);
  if (isOwn && isPlain && note.length === 0)
    return { card: asCard({ ...data, character_book: book }), findings: said };
  const stash: CardStash = {
    v: STASH_VERSION,
    in: 'risu',
    books: books.map((each) =>
      twin === null ? bookStash(each.book) : { ...bookStash(each.book), kept: withoutKey(book, 'entries') },
    ),
    entries: [],
    shown: bookMarks(book),
    ...blankNote(data, depthPrompt),
    ...(isPlain ? {} : { data: others }),
  };
  const extensions = {
    ...(data['extensions'] as JsonObject),
    [STASH_KEY]: stash,
  };
  return {
    card: asCard({ ...data, extensions, ...(hasBook ? { character_book: book } : {}) }),
    findings: [
      ...said,
      ...(twin === null ? bookFindings(resolved, 'card', options) : []),
      ...(depthPrompt === null ? [] : [depthPromptFinding(depthPrompt)]),
    ],
  };
}

function mergedBook(
  resolved: ResolvedCharacter,
  books: readonly WrittenBook[],
  note: readonly JsonObject[],
  options: RisuOptions,
): JsonObject {
  const settings = frozenSettings(resolved.settings, options.contextSize);
  const parts = books.map((book, index) =>
    rowsOf(book, books.length > 1 ? folderKey(book, index) : undefined),
  );
  const [first] = resolved.books;
  const body = first?.lorebook.body;
  const counts = parts.map((rows, index) => ({
    name: books[index]?.book.lorebook.name ?? '',
    entryCount: rows.length + (index === parts.length - 1 ? note.length : 0),
  }));
  return {
    name: first?.lorebook.name ?? '',
    description: body?.description ?? '',
    scan_depth: settings.scanDepth,
    token_budget: settings.tokenBudget,
    recursive_scanning: settings.recursiveScanning,
    extensions: {
      ...(body?.extensions ?? NO_FIELDS),
      risu_fullWordMatching: false,
      ...(books.length > 1 ? { vaud_source_books: counts } : {}),
    },
    entries: [...parts.flat(), ...note],
  };
}

const rowsOfEntry =
  ({ rows }: WrittenBook) =>
  ({ source }: ResolvedEntry): readonly JsonObject[] =>
    rows
      .filter(({ entryId }) => entryId === source.id)
      .map(({ lore, stash }) => cardRow(lore, { [STASH_KEY]: stash }));

const withRows = (book: JsonObject, rows: readonly JsonObject[]): JsonObject =>
  rows.length === 0 ? book : { ...book, entries: [...rawEntries(book).items, ...rows] };

// RisuAI writes a note of its own into every card, at depth 0.
function blankNote(data: JsonObject, note: DepthPrompt | null): { readonly note?: JsonObject } {
  const held = note === null ? jsonAt(data, ['extensions', 'depth_prompt']) : undefined;
  return isObject(held) ? { note: held } : {};
}

const asCard = (data: JsonObject): JsonObject => ({ spec: 'chara_card_v3', spec_version: '3.0', data });

function rowsOf({ rows, book }: WrittenBook, folder: string | undefined): readonly JsonObject[] {
  const entries = rows.map(({ lore, stash }) => cardRow(lore, { [STASH_KEY]: stash }, folder));
  if (folder === undefined) return entries;
  const { name } = book.lorebook;
  const row: JsonObject = {
    keys: [folder],
    content: '',
    extensions: {},
    enabled: true,
    insertion_order: 100,
    case_sensitive: false,
    constant: false,
    selective: false,
    use_regex: false,
    name,
    comment: name,
    mode: 'folder',
  };
  return [row, ...entries];
}

// RisuAI marks the keys of folders with a character of the private area.
function folderKey({ book }: WrittenBook, index: number): string {
  const marks = hashJson([book.lorebook.name, index]) + hashJson([index, book.lorebook.id]);
  const parts = [
    marks.slice(0, 8),
    marks.slice(8, 12),
    marks.slice(12, 16),
    marks.slice(16, 20),
    marks.slice(20, 32),
  ];
  return `\uf000folder:${parts.join('-')}`;
}

/** The title under which the character's note stands among the entries. */
export const NOTE_TITLE = "Character's Note";

// RisuAI drops the note of a card, so it is an entry that always fires.
function depthPromptRow({ prompt, depth, role }: DepthPrompt, order: number): JsonObject {
  const place = placeLines({ slot: 'depth', depth: Math.round(depth), role, outlet: '' });
  // SillyTavern does not search it for entries' keys.
  const lines = [...place, line('unrecursive')];
  const lore = {
    title: NOTE_TITLE,
    comment: NOTE_TITLE,
    content: writeDecoratorLines(lines, prompt),
    enabled: true,
    constant: true,
    selective: false,
    order,
    isPattern: false,
    keys: [],
    secondary: [],
  };
  const mark: JsonObject = {
    v: STASH_VERSION,
    in: 'risu',
    of: 'depth_prompt',
    row: rowMark(cardRow(lore)),
  };
  return cardRow(lore, { [STASH_KEY]: mark });
}
