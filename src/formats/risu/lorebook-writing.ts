// Lorebooks in force as RisuAI's own files, which hold no settings, and what is kept aside of a book. Facts: 460ecae2.

import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import type { OwnPart } from '../../core/own-part.ts';
import type { ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { bookStash } from '../_shared/kept-book.ts';
import type { PlacedEntry } from '../_shared/raw-entries.ts';
import { indexesOfLore, withFolders } from '../_shared/risu/book.ts';
import { STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import type { WrittenLorebooks } from '../_shared/written-lorebooks.ts';
import { bookFindings } from './book-findings.ts';
import { ownParts, risuTwinOf } from './book-twin.ts';
import { cardRow, type RisuOptions, type WrittenRow, writeBooks } from './book-writing.ts';
import { editedItem, ownRisuFile } from './lorebook-file.ts';

/**
 * Writes each book as RisuAI's own lorebook file; one that RisuAI wrote is that file with what was edited. It holds no
 * settings, so each entry says what it needs.
 */
export function risuLorebooks(resolved: ResolvedCharacter, options: RisuOptions): WrittenLorebooks {
  const { books } = writeBooks(resolved, 'lorebook', options);
  const anew = new Set<string>();
  const made = books.map((written): WrittenOwn => {
    const own = onOwnFile(written.book, resolved, options);
    if (own !== null) return own;
    const { lorebook } = written.book;
    anew.add(lorebook.id);
    const stash = { v: STASH_VERSION, in: 'risu', ...bookStash(written.book) };
    const json = { type: 'risu', ver: 1, data: written.rows.map(fileRow), [STASH_KEY]: stash };
    return { lorebook, json, findings: written.findings, own: [] };
  });
  return {
    lorebooks: made.map(({ lorebook: { id, name }, json }) => ({
      bookId: id,
      name: name.trim() === '' ? 'Lorebook' : name,
      json,
    })),
    findings: [
      ...made.flatMap(({ findings }) => findings),
      ...bookFindings(resolved, 'lorebook', options).filter(
        ({ bookId }) => bookId === null || anew.has(bookId),
      ),
    ],
    own: made.flatMap(({ own }) => own),
  };
}

interface WrittenOwn {
  readonly lorebook: CanonicalLorebook;
  readonly json: JsonObject;
  readonly findings: readonly Finding[];
  readonly own: readonly OwnPart[];
}

// A file that RisuAI wrote: its own items, and among them what was edited.
function onOwnFile(book: ResolvedBook, resolved: ResolvedCharacter, options: RisuOptions): WrittenOwn | null {
  const { lorebook } = book;
  const file = ownRisuFile(lorebook);
  if (file === null) return null;
  const inCard: CanonicalLorebook = { ...lorebook, original: { [CHARACTER_BOOK]: { raw: file.book } } };
  const twin = risuTwinOf([{ ...book, lorebook: inCard }]);
  if (twin === null) return null;
  const [written] = writeBooks({ ...resolved, books: [book] }, 'lorebook', options, twin).books;
  const places = indexesOfLore(file.items);
  const placeOf = new Map(twin.body.entries.map((entry, at) => [entry.id, places[at] ?? at]));
  const placed = book.entries.flatMap(({ source }): readonly PlacedEntry[] => {
    const twinIndex = placeOf.get(source.id) ?? null;
    const item = twinIndex === null ? undefined : file.items[twinIndex];
    if (item !== undefined && twin.untouched(source) !== null) return [{ raw: item, twinIndex }];
    const rows = (written?.rows ?? []).filter(({ entryId }) => entryId === source.id);
    return rows.map((row) => ({ raw: itemOf(row, item), twinIndex }));
  });
  // A file has neither a name nor settings of its own.
  const { name, extensions } = twin.body;
  const bare = { ...lorebook, body: { ...lorebook.body, name, extensions } };
  return {
    lorebook,
    json: file.fileOf(withFolders(file.items, placed).map(({ raw }) => raw)),
    findings: written?.findings ?? [],
    own: ownParts({ ...book, lorebook: bare }, twin),
  };
}

function itemOf(row: WrittenRow, item: Json | undefined): Json {
  if (!isObject(item)) return fileRow(row);
  if (row.lore.own !== undefined) return editedItem(item, cardRow(row.lore, { [STASH_KEY]: row.stash }));
  const { folder } = item;
  const anew = fileRow(row) as JsonObject;
  return folder === undefined ? anew : { ...anew, folder };
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
