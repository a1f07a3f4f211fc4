// The lorebooks in force, written as the one memory book that a character has: all entries compete in one pool, as they
// do in SillyTavern. What is kept aside of each rides in the book's extensions, which Agnai keeps.

import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { NO_FIELDS } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { nearestPosition } from '../../core/position.ts';
import type { DelayedPasses, ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { PRIVATE_FIELDS } from '../_shared/draft-steps.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { defaultBookName } from '../_shared/extract-books.ts';
import { unsaidLosses } from '../_shared/in-force.ts';
import { bookStash, originalIds } from '../_shared/kept-book.ts';
import { keyTouching, speakersOf } from '../_shared/speaker-names.ts';
import type { EntryStash } from '../_shared/stash.ts';
import { STASH_VERSION, stashEntry } from '../_shared/stash.ts';
import { bookMarks } from '../_shared/stashed-books.ts';
import { bookFindings } from './book-findings.ts';
import { differencesOf } from './differences.ts';
import { type WrittenEntry, writeAgnaiEntry } from './entry-writing.ts';
import { AGNAI, AGNAI_TABLE } from './fields.ts';
import { type Style, writtenKeywords } from './keys.ts';
import { ANY_LINE, isWordCharacter } from './keywords.ts';
import { READ_AGNAI } from './memory-book.ts';
import { headOnTwin, memoryTwinOf, overlaidEntry, ranksOnTwin, saidOf } from './memory-twin.ts';
import type { Place, Placing } from './placing.ts';
import { type MemoryPreset, memoryPreset } from './preset.ts';
import { type Reach, startersOf } from './reach.ts';
import { type MemoryStash, type OwnMark, ownMark, PLACE_KEY } from './restoring.ts';
import type { WithoutKeywords, WriteContext } from './write-context.ts';

/** How a character is written for Agnai. */
export interface AgnaiOptions {
  readonly style: Style;
  /** Kept for its siblings' sake; every known version reads the same. */
  readonly targetVersion?: string;
  /** Whether fields that name other things of the user's travel in the stash; they do not by themselves. */
  readonly privateFields?: 'keep' | 'drop';
  /** The depth of SillyTavern's author's note; 4 is its default. */
  readonly noteDepth?: number;
  /** What becomes of entries whose keys have no Latin letter; off by default. */
  readonly withoutKeywords?: WithoutKeywords;
  /** Tokens of SillyTavern's context, of which its budget is a part; 8192 unless it is known. */
  readonly contextSize?: number;
  /**
   * Whether an entry also gets the keywords of those whose text names it. By default only in the style `exact`: the book
   * decides as SillyTavern with its recursion, and is harder to read.
   */
  readonly flattenRecursion?: boolean;
}

/** Whether keywords of entries go to those whose keys their text holds. */
export const isFlattened = ({ flattenRecursion, style }: AgnaiOptions): boolean =>
  flattenRecursion ?? style === 'exact';

/** A memory book without its wrapper, and everything that was decided on the way. */
export interface WrittenMemoryBook {
  readonly book: JsonObject;
  /** Null where Agnai's own book says all that is meant. */
  readonly stash: MemoryStash | null;
  /** Set where it is Agnai's own, of which only what was edited is written. */
  readonly own?: OwnMark;
  readonly preset: MemoryPreset;
  readonly findings: readonly Finding[];
}

/** Writes the entries of all books into one, and measures each: it is read back and compared. */
export function writeMemoryBook(
  resolved: ResolvedCharacter,
  placing: Placing,
  reach: Reach,
  options: AgnaiOptions,
): WrittenMemoryBook {
  const isPrivate = options.privateFields !== 'keep';
  const preset = memoryPreset(resolved, placing, options.contextSize);
  const startedBy = isFlattened(options) ? keywordsOfStarters(reach, options.style) : () => [];
  const findings: Finding[] = [];
  const stashes: EntryStash[] = [];
  const speakers = speakersOf(resolved);
  const isNamelessThere = !speakers.some((name) => [...name].some(isWordCharacter));
  const [first] = resolved.books;
  const twin = first === undefined || resolved.books.length > 1 ? null : memoryTwinOf(first.lorebook);
  const kept = twin === null ? null : ranksOnTwin(first?.entries ?? [], placing.places, twin);
  const entries = resolved.books.flatMap((book, number) => {
    const idOf = originalIds(book);
    return book.entries.map((each, at): Json => {
      const place = { ...(placing.places.get(each) as Place), ...kept?.get(each) };
      const context: WriteContext = {
        style: options.style,
        withoutKeywords: options.withoutKeywords ?? 'off',
        number: at + 1,
        place,
        memoryDepth: preset.memoryDepth,
        delayedPasses: surePasses(resolved),
        isReached: reach.starters.has(each),
        alsoStartedBy: startedBy(each),
        isNamelessThere,
        keyInName: resolved.settings.includeNames ? null : keyTouching(each, speakers),
      };
      const written = writeAgnaiEntry(each, book.lorebook.id, context, isPrivate);
      const overlaid = overlaidEntry(each, twin, () => written.raw);
      if (overlaid?.asTheyWere === null && kept !== null) return overlaid.raw;
      const raw =
        overlaid === null ? written.raw : { ...overlaid.raw, weight: place.weight, priority: place.priority };
      const shown = readEntry(AGNAI_TABLE, raw, each.source.id, READ_AGNAI, () => undefined);
      const said = [...written.findings, ...unsaid(each, shown, written, book.lorebook.id, context)];
      for (const one of overlaid === null ? said : saidOf(overlaid, said)) findings.push(one);
      const from = { book: number, at, id: idOf(each.source.id) ?? at };
      const stash = stashEntry(each.source, shown, from, isPrivate ? PRIVATE_FIELDS : []);
      const isElsewhere = place.kind === 'insert' || place.kind === 'examples';
      stashes.push(isElsewhere ? { ...stash, [PLACE_KEY]: place.kind } : stash);
      return raw;
    });
  });
  const head =
    twin === null || first === undefined ? headOf(resolved, preset) : headOnTwin(twin, first.lorebook);
  const own = twin === null ? {} : { own: ownMark(twin.raw) };
  return {
    book: { ...head, entries },
    ...own,
    stash: isWhollySaid(twin !== null && kept !== null, stashes)
      ? null
      : {
          v: STASH_VERSION,
          in: AGNAI,
          ...own,
          books: resolved.books.map(bookStash),
          entries: stashes,
          shown: bookMarks(head),
        },
    preset,
    findings: [...findings, ...bookFindings(resolved, preset, head, kept === null)],
  };
}

const isWhollySaid = (isOwn: boolean, stashes: readonly EntryStash[]): boolean =>
  isOwn && stashes.every(({ shown }) => Object.keys(shown).length === 0);

// With a limit on the steps, the pass that an entry waits for may be one too many.
const surePasses = ({ delayedPasses, settings }: ResolvedCharacter): DelayedPasses =>
  delayedPasses === 'always' && settings.maxRecursionSteps > 0 ? 'when-started' : delayedPasses;

/** More characters of added keywords than this, and a book could grow past what Agnai's server takes. */
const MOST_ADDED = 1_000_000;

// All that start an entry, directly or through others; in a book where they are too many, only those that name it.
function keywordsOfStarters(reach: Reach, style: Style): (entry: ResolvedEntry) => readonly string[] {
  const known = new Map<ResolvedEntry, readonly string[]>();
  const keywordsOf = (each: ResolvedEntry): readonly string[] => {
    const held =
      known.get(each) ?? (each.entry.constant ? [ANY_LINE] : writtenKeywords(each.entry, style).keywords);
    known.set(each, held);
    return held;
  };
  let room = MOST_ADDED;
  return (entry) => {
    const by = room > 0 ? startersOf(reach, entry) : (reach.starters.get(entry) ?? []);
    const added = new Set(by.flatMap(keywordsOf));
    if (added.has(ANY_LINE)) return [ANY_LINE];
    for (const keyword of added) room -= keyword.length;
    return [...added];
  };
}

/** An entry as Agnai has it, with its text where it really stands. */
export function inItsPlace(shown: LorebookEntry, meant: LorebookEntry, place: Place): LorebookEntry {
  const own = nearestPosition(meant.position);
  const isThere = { ...shown, enabled: meant.enabled, constant: meant.constant };
  if (place.kind === 'insert')
    return { ...isThere, position: { ...own, slot: 'depth', depth: place.depth, role: 'system' } };
  if (place.kind === 'examples') return { ...isThere, position: { ...own, slot: 'after_example' } };
  return place.kind === 'outlet' && place.isShown ? { ...isThere, position: own } : shown;
}

function unsaid(
  { entry, source }: ResolvedEntry,
  shown: LorebookEntry,
  written: WrittenEntry,
  bookId: string,
  { place, memoryDepth, delayedPasses }: WriteContext,
): readonly Finding[] {
  const differences = differencesOf(entry, inItsPlace(shown, entry, place), { memoryDepth, delayedPasses });
  return unsaidLosses(differences, written.findings, { bookId, entryId: source.id });
}

function headOf(resolved: ResolvedCharacter, { memoryDepth }: MemoryPreset): JsonObject {
  const [first] = resolved.books;
  const bag = first?.lorebook.body.extensions ?? NO_FIELDS;
  const parts = resolved.books.map(({ lorebook, entries }) => ({
    name: lorebook.name,
    entryCount: entries.length,
  }));
  const name = first?.lorebook.name ?? '';
  return {
    kind: 'memory',
    name: name.trim() === '' ? defaultBookName(resolved.character.name) : name,
    description: first?.lorebook.body.description ?? '',
    // Stored and never read there; a person sees what was meant.
    scanDepth: memoryDepth,
    recursiveScanning: false,
    extensions: parts.length > 1 ? { ...bag, vaud_source_books: parts } : bag,
  };
}
