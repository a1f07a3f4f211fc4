// A book that RisuAI itself wrote, going back there: entries that nobody touched are its own rows, in its own folders and
// under its own settings; only edited and new ones are written (design, rule 2).

import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { LorebookBody, LorebookEntry } from '../../core/lorebook.ts';
import type { OwnPart } from '../../core/own-part.ts';
import type { ResolvedBook, ResolvedEntry } from '../../core/resolved.ts';
import { changedBookHead } from '../_shared/book-fields.ts';
import { readingOf } from '../_shared/character-book.ts';
import { CHARACTER_BOOK, CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { isOfOurs } from '../_shared/own-twin.ts';
import { type PlacedEntry, placeEntries, rawEntries } from '../_shared/raw-entries.ts';
import { indexesOfLore, speaksRisu, withFolders } from '../_shared/risu/book.ts';
import { stashIn } from '../_shared/stash.ts';
import { type EditedRow, editedFields, editedRow } from './edited-row.ts';

/** A raw book of RisuAI's, and how its entries read. */
export interface RisuTwin {
  readonly raw: JsonObject;
  readonly body: LorebookBody;
  /** What its entries are searched in: null leaves it to the user's own settings. */
  readonly scanDepth: number | null;
  readonly isRecursive: boolean;
  /** Whether its plain keys are found as whole words alone. */
  readonly isFullWord: boolean;
  /** An entry's row, when the entry is as it was read. */
  readonly untouched: (entry: LorebookEntry) => Json | null;
  /** The fields of an entry that were edited; null for one that is none of RisuAI's. */
  readonly editedIn: (entry: LorebookEntry) => readonly string[] | null;
  /** An entry's row with its edits, where only they need to be written; `written` is the row written anew. */
  readonly edited: (
    entry: LorebookEntry,
    written: JsonObject,
    shownOf: (row: JsonObject) => LorebookEntry,
  ) => EditedRow | null;
}

/** The raw book that a character's one book came from; null when it came from elsewhere, or we wrote it. */
export function risuTwinOf(books: readonly ResolvedBook[]): RisuTwin | null {
  const [first, ...others] = books;
  const escrow = first?.lorebook.original[CHARACTER_BOOK];
  if (first === undefined || escrow === undefined || others.length > 0) return null;
  const { raw } = escrow;
  if (!isObject(raw) || !speaksRisu(raw)) return null;
  if (rawEntries(raw).items.some(isOfOurs)) return null;
  const { body, known } = readingOf(escrow, first.lorebook.id);
  const readById = new Map(body.entries.map((entry) => [entry.id, entry]));
  const held = raw['extensions'];
  return {
    raw,
    body,
    scanDepth: typeof raw['scan_depth'] === 'number' ? raw['scan_depth'] : null,
    isRecursive: raw['recursive_scanning'] !== false,
    isFullWord: isObject(held) && held['risu_fullWordMatching'] === true,
    untouched: (entry) => {
      const read = readById.get(entry.id);
      return read !== undefined && isAsRead(entry, read) ? (known.rawById.get(entry.id) ?? null) : null;
    },
    editedIn: (entry) => {
      const read = readById.get(entry.id);
      return read === undefined ? null : editedFields(entry, read);
    },
    edited: (entry, written, shownOf) => {
      const read = readById.get(entry.id);
      const row = known.rawById.get(entry.id);
      if (read === undefined || !isObject(row) || stashIn(row) !== null) return null;
      return editedRow({ raw: row, read }, entry, written, shownOf);
    },
  };
}

const isAsRead = (entry: LorebookEntry, read: LorebookEntry): boolean =>
  entry === read || CHARACTER_BOOK_FIELDS.every((row) => row.same(entry, read));

/** What of a book is as RisuAI wrote it. */
export function ownParts({ lorebook, entries }: ResolvedBook, twin: RisuTwin): readonly OwnPart[] {
  const { id: bookId, body } = lorebook;
  const head = Object.keys(changedBookHead(body, twin.body, twin.raw));
  return [
    { bookId, entryId: null, edited: head },
    ...entries.flatMap(({ source }): readonly OwnPart[] => {
      const edited = twin.editedIn(source);
      return edited === null ? [] : [{ bookId, entryId: source.id, edited }];
    }),
  ];
}

/** Puts the rows of a book back into its twin; `rowsOf` gives those of an entry that was edited or is new. */
export function bookOnTwin(
  { raw, body, untouched }: RisuTwin,
  { lorebook, entries }: ResolvedBook,
  rowsOf: (each: ResolvedEntry) => readonly JsonObject[],
): JsonObject {
  const held = rawEntries(raw);
  const places = indexesOfLore(held.items);
  const indexById = new Map(body.entries.map((entry, at) => [entry.id, places[at] ?? at]));
  const placed = entries.flatMap((each): readonly PlacedEntry[] => {
    const own = untouched(each.source);
    const twinIndex = indexById.get(each.source.id) ?? null;
    if (own !== null) return [{ raw: own, twinIndex }];
    const before = twinIndex === null ? undefined : held.items[twinIndex];
    return rowsOf(each).map((row) => ({ raw: inFolder(row, before), twinIndex }));
  });
  const rows = placeEntries(held, raw['entries'], withFolders(held.items, placed));
  const head = changedBookHead(lorebook.body, body, raw);
  if (rows === raw['entries'] && Object.keys(head).length === 0) return raw;
  return { ...raw, ...head, entries: rows ?? [] };
}

function inFolder(row: JsonObject, before: Json | undefined): JsonObject {
  const folder = isObject(before) ? before['folder'] : undefined;
  return folder === undefined ? row : { ...row, folder };
}
