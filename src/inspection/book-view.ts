// A lorebook as the panel draws it: every entry with what stood in the file, where it lands, why it may not fire, and
// what was found. Made once for a book and never changed; the panel computes nothing about positions itself.

import type { Finding } from '../core/finding.ts';
import type { Diagnosis } from '../core/firing.ts';
import type { Json } from '../core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../core/lorebook.ts';
import { entryLabel } from '../core/lorebook.ts';
import type { ReadLorebook } from '../formats/_shared/character-book.ts';
import { diagnose, type FiringPosition, type FiringSurroundings } from '../formats/sillytavern/firing.ts';
import { type InspectedEntry, inspectedEntry } from './inspection.ts';

/** What an entry is at a glance; `off` beats `constant`, which beats `vectorized`. */
export type EntryState = 'on' | 'off' | 'constant' | 'vectorized';

/** One entry of the panel. */
export interface EntryView extends InspectedEntry {
  readonly entry: LorebookEntry;
  /** The entry exactly as it stood in the file. */
  readonly raw: Json;
  /** The title; else the memo, else the first key. */
  readonly label: string;
  /** Whether the label is taken from a key, since the entry has no title. */
  readonly isLabelDerived: boolean;
  readonly state: EntryState;
  readonly diagnoses: readonly Diagnosis[];
  readonly findings: readonly Finding[];
  /** Conflict, invalid, assumed, goes nowhere or cannot fire though it is on. */
  readonly needsLook: boolean;
}

/** How many entries there are of each kind. */
export interface BookTotals {
  readonly entries: number;
  readonly on: number;
  readonly off: number;
  readonly constant: number;
  readonly vectorized: number;
  readonly needsLook: number;
}

/** One lorebook of the panel. */
export interface BookView {
  readonly id: string;
  readonly name: string;
  /** In the order of the engine. */
  readonly entries: readonly EntryView[];
  readonly totals: BookTotals;
  /** Findings on the book itself; an entry's findings stand at the entry. */
  readonly findings: readonly Finding[];
}

/** Whether a view holds only the entries that are seen first; its totals are those of all. */
export const isPart = ({ entries, totals }: BookView): boolean => entries.length < totals.entries;

/**
 * Builds the view of a lorebook.
 *
 * @param lorebook the lorebook, as its file's reader gave it
 * @param reading what that reader knew beside it: raw entries, positions, original ids
 * @param findings what was found, of which only this book's are taken
 * @param surroundings the reader around it: settings, character, user
 */
export function viewBook(
  lorebook: CanonicalLorebook,
  reading: ReadLorebook | undefined,
  findings: readonly Finding[],
  surroundings: FiringSurroundings,
): BookView {
  const own = findings.filter(({ bookId }) => bookId === lorebook.id);
  const byEntry = groupedByEntry(own);
  const entries = (reading?.body.entries ?? lorebook.body.entries).map((entry, index) =>
    viewEntry(entry, index, lorebook.id, reading, byEntry.get(entry.id) ?? NONE, surroundings),
  );
  return {
    id: lorebook.id,
    name: lorebook.name,
    entries,
    totals: totalsOf(entries),
    findings: byEntry.get(null) ?? NONE,
  };
}

const NONE: readonly Finding[] = Object.freeze([]);

function groupedByEntry(findings: readonly Finding[]): ReadonlyMap<string | null, readonly Finding[]> {
  const groups = new Map<string | null, Finding[]>();
  for (const each of findings) {
    const group = groups.get(each.entryId);
    if (group) group.push(each);
    else groups.set(each.entryId, [each]);
  }
  return groups;
}

function viewEntry(
  entry: LorebookEntry,
  index: number,
  bookId: string,
  reading: ReadLorebook | undefined,
  findings: readonly Finding[],
  surroundings: FiringSurroundings,
): EntryView {
  const inspected = inspectedEntry(entry, index, bookId, reading);
  const state = stateOf(entry);
  let diagnoses: readonly Diagnosis[] | undefined;
  let needsLook: boolean | undefined;
  return {
    ...inspected,
    entry,
    raw: reading?.known.rawById.get(entry.id) ?? null,
    label: entryLabel(entry),
    isLabelDerived: entry.title.trim() === '' && entry.memo.trim() === '',
    state,
    findings,
    // Asked for where an entry is seen; of thousands that is a few, until somebody filters.
    get diagnoses() {
      diagnoses ??= diagnose(entry, reading === undefined ? UNREAD : inspected, surroundings);
      return diagnoses;
    },
    get needsLook() {
      needsLook ??= NEEDS_LOOK.has(inspected.agreement) || (state !== 'off' && this.diagnoses.some(isGrave));
      return needsLook;
    },
  };
}

// A book of another app's own form has no position of SillyTavern's; it gets one when it is brought in.
const UNREAD: FiringPosition = { agreement: 'assumed', precise: { at: 'extensions' } };

const NEEDS_LOOK: ReadonlySet<string> = new Set(['conflict', 'invalid', 'assumed']);

/** What an entry is at a glance. */
export function stateOf(entry: Pick<LorebookEntry, 'enabled' | 'constant' | 'vectorized'>): EntryState {
  if (!entry.enabled) return 'off';
  if (entry.constant) return 'constant';
  return entry.vectorized ? 'vectorized' : 'on';
}

function totalsOf(entries: readonly EntryView[]): BookTotals {
  const count = (is: (entry: EntryView) => boolean): number => entries.filter(is).length;
  let needsLook: number | undefined;
  return {
    entries: entries.length,
    on: count(({ state }) => state !== 'off'),
    off: count(({ state }) => state === 'off'),
    constant: count(({ state }) => state === 'constant'),
    vectorized: count(({ state }) => state === 'vectorized'),
    get needsLook() {
      needsLook ??= count((entry) => entry.needsLook);
      return needsLook;
    },
  };
}

const isGrave = ({ kind }: Diagnosis): boolean => kind === 'cannot-fire' || kind === 'goes-nowhere';
