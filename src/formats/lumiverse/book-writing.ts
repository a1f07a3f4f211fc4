// One or several lorebooks in force, written for Lumiverse: their entries with what is kept aside of each.

import type { Style } from '../../core/exporter.ts';
import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import { writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { OwnPart } from '../../core/own-part.ts';
import type { DepthPrompt, ResolvedBook, ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { blockingGroups, named, unblocked } from '../_shared/among-entries.ts';
import { BOOK_FAMILIES } from '../_shared/book-family.ts';
import { CHARACTER_BOOK_TABLE } from '../_shared/character-book.ts';
import { PRIVATE_FIELDS } from '../_shared/draft-steps.ts';
import type { ReadOptions } from '../_shared/entry-field.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { groupNames } from '../_shared/group-names.ts';
import { unsaidLosses } from '../_shared/in-force.ts';
import { originalIds } from '../_shared/kept-book.ts';
import { USUAL_PRIORITY } from '../_shared/lumiverse/complete.ts';
import { mergeBooks } from '../_shared/lumiverse/merged-book.ts';
import { oneTitle } from '../_shared/one-title.ts';
import { asOwnStash, type OverlaidEntry, onTwin, ownParts, saidOf } from '../_shared/own-twin.ts';
import { keyInName } from '../_shared/speaker-names.ts';
import type { EntryStash } from '../_shared/stash.ts';
import { STASH_KEY, stashEntry } from '../_shared/stash.ts';
import type { TextPlace } from '../_shared/text-order.ts';
import { behind, lumiverseTextPlaces, movedBehind, priorities } from './among-entries.ts';
import { differencesOf } from './differences.ts';
import { type WrittenEntry, type WrittenForm, writeLumiverseEntry } from './entry-writing.ts';
import { LUMIVERSE_TABLES } from './fields.ts';
import { inForm, lumiverseTwin, type OwnBook, ownLumiverse } from './own-books.ts';
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

/** A written entry, with its stash inside where there is something to keep. */
export interface WrittenRow {
  readonly id: string;
  readonly raw: JsonObject;
}

/** A written book. */
export interface WrittenBook {
  readonly book: ResolvedBook;
  readonly entries: readonly WrittenRow[];
  readonly findings: readonly Finding[];
  /** What Lumiverse itself wrote, and what of it is as it was. */
  readonly ownBook: OwnBook | null;
  readonly own: readonly OwnPart[];
  /** Whether something is kept aside of any of its entries. */
  readonly isStashed: boolean;
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
  const ownBooks = resolved.books.map(({ lorebook }) => lumiverseTwin(lorebook));
  // Each entry of a merged book says of which one it is; where Lumiverse's own are merged, its title does.
  const areMerged = form === 'card' && resolved.books.length > 1 && !areMergedAsThere(resolved, ownBooks);
  let before = 0;
  const books = resolved.books.map((book, number): WrittenBook => {
    const ownBook = ownBooks[number] ?? null;
    const first = before;
    before += book.entries.length;
    const findings: Finding[] = [];
    const overlaid: [string, OverlaidEntry | null][] = [];
    let isStashed = ownBook === null;
    const idOf = originalIds(book);
    const { id: bookId } = book.lorebook;
    const written = book.entries.map((each, at): WrittenRow & { readonly rank: number } => {
      const { source } = each;
      const { id } = source;
      const place = places.get(each) as TextPlace;
      // Among orders of Lumiverse's own a number means what it means there.
      const order = ownBook === null ? place.order : each.entry.order;
      let made: WrittenEntry | null = null;
      const write = (): WrittenEntry => {
        made ??= writeLumiverseEntry(each, bookId, {
          form,
          style,
          noteDepth,
          delayedPasses: resolved.delayedPasses,
          recursive,
          order,
          orderReason: order === each.entry.order ? null : isTopDown(each) ? REVERSED : TIED,
          priority: ownBook === null ? (ranks.of.get(each) ?? USUAL_PRIORITY) : USUAL_PRIORITY,
          number: first + at,
          isPrivate,
        });
        return made;
      };
      const own =
        ownBook === null
          ? null
          : onTwin(source, ownBook.twin, ownLumiverse(ownBook.form), () => write().nearest);
      overlaid.push([id, own]);
      const asWritten = (): JsonObject =>
        own === null || ownBook === null ? write().raw : inForm(own.raw, ownBook.form, form, first + at);
      const raw = asWritten();
      const shown = shownEntry(raw, form, id);
      const stash = stashEntry(
        source,
        shown,
        { book: number, at, id: idOf(id) ?? at },
        isPrivate ? PRIVATE_FIELDS : [],
      );
      const isKept = own === null || areMerged || Object.keys(stash.shown).length > 0;
      if (isKept) isStashed = true;
      const kept = isKept ? withStash(raw, ownBook === null ? stash : asOwnStash(stash)) : raw;
      if (own === null || own.edited.length > 0) {
        const { findings: foreseen } = write();
        const said = [
          ...foreseen,
          ...among(each, bookId),
          ...unsaidLosses(differencesOf(each.entry, shown), foreseen, { bookId, entryId: each.source.id }),
        ];
        for (const one of own === null ? said : saidOf(own, said)) findings.push(one);
      }
      return { id, raw: kept, rank: place.rank };
    });
    const own = ownParts(book.lorebook, ownBook?.twin ?? null, overlaid);
    // Of two entries with the same order Lumiverse puts the one first that the file has first.
    const inFile = ownBook === null ? [...written].sort((a, b) => a.rank - b.rank) : written;
    return { book, entries: inFile, findings, ownBook, own, isStashed };
  });
  return { books, notePriority: ranks.note };
}

// Whether the books are Lumiverse's own and come apart by their names and the titles of their entries.
function areMergedAsThere({ books }: ResolvedCharacter, ownBooks: readonly (OwnBook | null)[]): boolean {
  if (ownBooks.includes(null)) return false;
  const parts = books.map(({ lorebook, entries }) => ({
    name: lorebook.name,
    entries: entries.map(({ source }) => ({ comment: oneTitle(source), insertion_order: source.order })),
  }));
  return mergeBooks(parts) !== null;
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
    if (inName !== null) said.push(named(each, bookId, writeKey(inName), 'Lumiverse'));
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
