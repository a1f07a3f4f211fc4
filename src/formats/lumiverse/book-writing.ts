// One or several lorebooks in force, written for Lumiverse: their entries with what is kept aside of each.

import type { Style } from '../../core/exporter.ts';
import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import { writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { DepthPrompt, ResolvedBook, ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { BOOK_FAMILIES } from '../_shared/book-family.ts';
import { CHARACTER_BOOK_TABLE, readingOf } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import type { ReadOptions } from '../_shared/entry-field.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { groupNames } from '../_shared/group-names.ts';
import { USUAL_PRIORITY } from '../_shared/lumiverse/complete.ts';
import { keyInName } from '../_shared/speaker-names.ts';
import type { EntryStash } from '../_shared/stash.ts';
import { STASH_KEY, stashEntry } from '../_shared/stash.ts';
import type { TextPlace } from '../_shared/text-order.ts';
import {
  behind,
  blockingGroups,
  lumiverseTextPlaces,
  movedBehind,
  named,
  priorities,
  unblocked,
} from './among-entries.ts';
import { differencesOf } from './differences.ts';
import { PRIVATE_FIELDS, type WrittenForm, writeLumiverseEntry } from './entry-writing.ts';
import { LUMIVERSE_TABLES } from './fields.ts';
import { isTopDown } from './placing.ts';
import { READ_LUMIVERSE } from './reading.ts';
import { similarTexts } from './similar-texts.ts';

/** How a character is written for Lumiverse. */
export interface LumiverseOptions {
  readonly style: Style;
  /** Whether fields that name other things of the user's travel in the stash; they do not by themselves. */
  readonly privateFields?: 'keep' | 'drop';
  /** The depth of SillyTavern's author's note; 4 is its default. */
  readonly noteDepth?: number;
}

/** SillyTavern's default depth of the author's note. */
export const NOTE_DEPTH = 4;

/** Whether SillyTavern searches the text of entries for keys (1.19 counts the first scan among the steps, 0 is no limit). */
export const isRecursive = ({ settings }: Pick<ResolvedCharacter, 'settings'>): boolean =>
  settings.recursive && settings.maxRecursionSteps !== 1;

/** A written book. */
export interface WrittenBook {
  readonly book: ResolvedBook;
  /** Each with its stash inside. */
  readonly entries: readonly JsonObject[];
  readonly findings: readonly Finding[];
}

/** The written books, and what the character's note takes among their entries. */
export interface WrittenBooks {
  readonly books: readonly WrittenBook[];
  readonly notePriority: number;
}

/** How an entry in a card is read back: by the shared table, as one of Lumiverse's. */
const READ_CARD: ReadOptions = BOOK_FAMILIES.find(({ family }) => family === 'lumiverse') ?? READ_LUMIVERSE;

const REVERSED =
  'SillyTavern puts the high order first at this place and Lumiverse the low one; the orders were turned round.';
const TIED =
  'Entries of equal order follow each other in another way there; the order was raised so that they stand as they do here.';

/** Writes the entries of all books in one form, numbered through, and measures each: it is read back and compared. */
export function writeBooks(
  resolved: ResolvedCharacter,
  form: WrittenForm,
  { style, privateFields, noteDepth = NOTE_DEPTH }: LumiverseOptions,
): WrittenBooks {
  const isPrivate = privateFields !== 'keep';
  const recursive = isRecursive(resolved);
  const places = lumiverseTextPlaces(resolved, recursive, noteDepth);
  const ranks = priorities(resolved, noteDepth, depthOfNote(resolved.depthPrompt));
  const among = amongEntries(resolved, noteDepth);
  let before = 0;
  const books = resolved.books.map((book, number): WrittenBook => {
    const first = before;
    before += book.entries.length;
    const findings: Finding[] = [];
    const idOf = originalIds(book);
    const { id: bookId } = book.lorebook;
    const written = book.entries.map((each, at): { readonly raw: JsonObject; readonly rank: number } => {
      const place = places.get(each) as TextPlace;
      const { raw, findings: said } = writeLumiverseEntry(each, bookId, {
        form,
        style,
        noteDepth,
        delayedPasses: resolved.delayedPasses,
        recursive,
        order: place.order,
        orderReason: place.order === each.entry.order ? null : isTopDown(each) ? REVERSED : TIED,
        priority: ranks.of.get(each) ?? USUAL_PRIORITY,
        number: first + at,
        isPrivate,
      });
      const shown = shownEntry(raw, form, each.source.id);
      for (const one of [...said, ...among(each, bookId)]) findings.push(one);
      for (const one of unsaid(each, shown, said, bookId)) findings.push(one);
      const stash = stashEntry(
        each.source,
        shown,
        { book: number, at, id: idOf(each.source.id) ?? at },
        isPrivate ? PRIVATE_FIELDS : [],
      );
      return { raw: withStash(raw, stash), rank: place.rank };
    });
    // Of two entries with the same order Lumiverse puts the one first that the file has first.
    const inFile = [...written].sort((a, b) => a.rank - b.rank).map(({ raw }) => raw);
    return { book, entries: inFile, findings };
  });
  return { books, notePriority: ranks.note };
}

const depthOfNote = (note: DepthPrompt | null): number | null =>
  note === null ? null : Math.max(0, Math.round(note.depth));

const withStash = (raw: JsonObject, stash: EntryStash): JsonObject => ({
  ...raw,
  extensions: { ...(isObject(raw['extensions']) ? raw['extensions'] : {}), [STASH_KEY]: stash },
});

// What is said of an entry because of the others.
function amongEntries(
  resolved: ResolvedCharacter,
  noteDepth: number,
): (each: ResolvedEntry, bookId: string) => readonly Finding[] {
  const blockers = blockingGroups(resolved);
  const moved = movedBehind(resolved, noteDepth);
  const similar = similarTexts(resolved);
  return (each, bookId) => {
    if (each.fires === 'never') return [];
    const said: Finding[] = [];
    const blocked = groupNames(each.entry).find((name) =>
      blockers.get(name)?.some((other) => other !== each),
    );
    if (blocked !== undefined) said.push(unblocked(each, bookId, blocked));
    if (moved.has(each)) said.push(behind(each, bookId));
    const inName = keyInName(each, resolved);
    if (inName !== null) said.push(named(each, bookId, writeKey(inName)));
    if (similar.has(each)) {
      const message = 'Of entries at one place that say nearly the same Lumiverse keeps only one.';
      const place = { bookId, entryId: each.source.id };
      said.push(
        finding('approximated', place, 'content', 'beside a similar text', 'one of the two', message),
      );
    }
    return said;
  };
}

/** A written entry as Lumiverse shows it. */
export function shownEntry(raw: Json, form: WrittenForm, id: string): LorebookEntry {
  const quiet = (): void => undefined;
  return form === 'card'
    ? readEntry(CHARACTER_BOOK_TABLE, raw, id, READ_CARD, quiet)
    : readEntry(LUMIVERSE_TABLES.native, raw, id, READ_LUMIVERSE, quiet);
}

// Nothing should be left to say; what is, is a loss that nobody foresaw.
function unsaid(
  { entry, source }: ResolvedEntry,
  shown: LorebookEntry,
  findings: readonly Finding[],
  bookId: string,
): readonly Finding[] {
  const said = new Set(findings.map(({ path }) => path));
  return differencesOf(entry, shown)
    .filter(({ path }) => !said.has(path))
    .map(({ path, before, after }) => {
      const message = `${path} does not read back as it was meant.`;
      return finding('lost', { bookId, entryId: source.id }, path, before, after, message);
    });
}

// The ids that the entries had in their file: a world file's uid stands in our own id of the entry.
function originalIds({ lorebook }: ResolvedBook): (entryId: string) => Json | undefined {
  const escrow = lorebook.original[CHARACTER_BOOK];
  const known = escrow === undefined ? null : readingOf(escrow, lorebook.id).known.originalIds;
  return (entryId) => {
    const uid = /^w(\d+)$/.exec(entryId)?.[1];
    return uid !== undefined ? Number(uid) : (known?.get(entryId) ?? undefined);
  };
}
