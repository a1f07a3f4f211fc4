// Entries of equal order in the text of an app that puts them in ascending order of a file. SillyTavern puts those of a
// later pass first, and within a pass the one that comes later in the book (1.19); Marinara and Lumiverse put those of an
// earlier pass first, and within a pass the one that the file has first (2.3.3; 1.1.0). Which pass an entry fires in
// depends on the chat, but often the texts tell which of two fires first.

import type { Key } from '../../core/key.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { patternOfKey } from './flagless-patterns.ts';
import { patternSearch } from './pattern-search.ts';

/** Where an entry goes: its place among all in the file's direction, and the order that is written. */
export interface TextPlace {
  readonly rank: number;
  readonly order: number;
}

// Above this many tests of a text the search takes longer than the export; then nothing is known of passes.
const MOST_TESTS = 300_000;

/** How an app puts entries into its text. */
export interface TextRules {
  readonly recursive: boolean;
  /** The piece of text that an entry goes into, by any name. */
  readonly regionOf: (each: ResolvedEntry) => string;
  /** Which of the slots that share a piece of text comes first; 0 unless told. */
  readonly slotRank?: (each: ResolvedEntry) => number;
  /** Whether the text runs the other way here, the high order first. */
  readonly isReversed?: (each: ResolvedEntry) => boolean;
  /** Whether the app puts `first` behind `second` at times, although the file has it first and their orders are equal. */
  readonly mayTurn?: (first: ResolvedEntry, second: ResolvedEntry) => boolean;
}

/**
 * Gives every entry its place. Orders are raised by one where the app would otherwise put two entries of equal order the
 * other way round, and only there; the next ones follow.
 */
export function textPlaces(
  { books }: ResolvedCharacter,
  rules: TextRules,
): ReadonlyMap<ResolvedEntry, TextPlace> {
  const all = books.flatMap(({ entries }, book) => entries.map((resolved) => ({ resolved, book })));
  const bookOf = new Map(all.map(({ resolved, book }) => [resolved, book]));
  const later = all.map(({ resolved }) => resolved).reverse();
  const passes = passesOf(later, rules.recursive);
  const rank = rules.slotRank ?? (() => 0);
  const sorted = [...inPassOrder(later, passes)].sort((a, b) => rank(a) - rank(b));
  const isReversed = rules.isReversed ?? (() => false);
  const inFile = [...sorted.filter((each) => !isReversed(each)), ...sorted.filter(isReversed).reverse()];
  const places = new Map<ResolvedEntry, TextPlace>();
  for (const [place, each] of inFile.entries()) places.set(each, { rank: place, order: each.entry.order });
  for (const region of regionsOf(inFile, rules)) {
    let last: { readonly each: ResolvedEntry; readonly from: number; readonly order: number } | null = null;
    for (const { each, order: from } of region) {
      const { rank: place } = places.get(each) as TextPlace;
      let order: number = from;
      if (last !== null && last.order >= from) {
        const isTie = last.from === from;
        const isLaterBook = (bookOf.get(last.each) as number) > (bookOf.get(each) as number);
        const mayTurn = passes.fed.has(last.each) || rules.mayTurn?.(last.each, each) === true;
        order = !isTie || mayTurn || isLaterBook ? last.order + 1 : last.order;
      }
      places.set(each, { rank: place, order });
      last = { each, from, order };
    }
  }
  return places;
}

interface InRegion {
  readonly each: ResolvedEntry;
  /** Its order, mirrored where the text runs the other way. */
  readonly order: number;
}

// Entries that the app puts into one piece of text, in the order that they should have there.
function regionsOf(
  inFile: readonly ResolvedEntry[],
  { regionOf, isReversed = () => false }: TextRules,
): readonly (readonly InRegion[])[] {
  const regions = new Map<string, ResolvedEntry[]>();
  for (const each of inFile) {
    if (each.fires === 'never' || !each.entry.enabled) continue;
    const name = regionOf(each);
    const held = regions.get(name);
    if (held) held.push(each);
    else regions.set(name, [each]);
  }
  return [...regions.values()].map((region) => {
    const orders = region.map(({ entry }) => entry.order);
    const ends =
      orders.reduce((low, order) => Math.min(low, order)) +
      orders.reduce((high, order) => Math.max(high, order));
    return region
      .map((each) => ({ each, order: isReversed(each) ? ends - each.entry.order : each.entry.order }))
      .sort((a, b) => a.order - b.order);
  });
}

interface Passes {
  /** Entries that some other entry's text can start. */
  readonly fed: ReadonlySet<ResolvedEntry>;
  /** The entries that an entry's text can start. */
  readonly starts: (from: ResolvedEntry) => readonly ResolvedEntry[];
  /** The pass in which an entry fires in every chat; absent when the chat decides. */
  readonly sure: ReadonlyMap<ResolvedEntry, number>;
}

const UNKNOWN: Passes = { fed: new Set(), starts: () => [], sure: new Map() };

function passesOf(entries: readonly ResolvedEntry[], recursive: boolean): Passes {
  if (!recursive) return UNKNOWN;
  const starters = entries.filter(({ entry, fires }) => fires !== 'never' && !entry.recursion.prevent);
  const started = entries.filter(({ entry, fires }) => fires === 'keys' && !entry.recursion.exclude);
  const tests = started.reduce((sum, { entry }) => sum + entry.keys.length, 0) * starters.length;
  if (tests > MOST_TESTS) return UNKNOWN;
  const finders = started.map(({ entry }) => entry.keys.map((key) => finderOf(key, entry)));
  const edges = new Map<ResolvedEntry, readonly ResolvedEntry[]>(
    starters.map((from) => [
      from,
      started.filter((to, at) => to !== from && finders[at]?.some((finds) => finds(from.entry.content))),
    ]),
  );
  const starts = (from: ResolvedEntry): readonly ResolvedEntry[] => edges.get(from) ?? [];
  const sure = new Map<ResolvedEntry, number>();
  let front = entries.filter(({ fires }) => fires === 'always');
  for (let pass = 1; front.length > 0; pass++) {
    for (const each of front) sure.set(each, pass);
    front = [...new Set(front.flatMap(starts))].filter((each) => !sure.has(each));
  }
  return { fed: new Set([...edges.values()].flat()), starts, sure };
}

function finderOf(key: Key, { scan }: ResolvedEntry['entry']): (text: string) => boolean {
  const options = {
    caseSensitive: scan.caseSensitive === true,
    matchWholeWords: scan.matchWholeWords === true,
  };
  const { source, ignoreCase } = patternOfKey(key, options);
  const search = patternSearch(source, ignoreCase ? 'i' : '');
  return (text) => search?.(text) === true;
}

/**
 * Entries, given the later ones of the engine first, with those before others that fire in a later pass in every chat;
 * for ties of order in an app that cannot break them as the chat goes.
 */
export function latePassesFirst(
  later: readonly ResolvedEntry[],
  recursive: boolean,
): readonly ResolvedEntry[] {
  const { sure } = passesOf(later, recursive);
  return [...later].sort((a, b) => (sure.get(b) ?? 1) - (sure.get(a) ?? 1));
}

// What an entry starts comes before it; what fires late in every chat comes first. A ring is entered anywhere.
function inPassOrder(later: readonly ResolvedEntry[], passes: Passes): readonly ResolvedEntry[] {
  const pass = (each: ResolvedEntry): number => passes.sure.get(each) ?? 1;
  const base = [...later].sort((a, b) => pass(b) - pass(a));
  const place = new Map(base.map((each, at) => [each, at]));
  const sorted: ResolvedEntry[] = [];
  const seen = new Set<ResolvedEntry>();
  for (const root of base) {
    const open: { readonly each: ResolvedEntry; readonly targets: ResolvedEntry[] }[] = [];
    const enter = (each: ResolvedEntry): void => {
      seen.add(each);
      const targets = [...passes.starts(each)].sort((a, b) => (place.get(b) ?? 0) - (place.get(a) ?? 0));
      open.push({ each, targets });
    };
    if (!seen.has(root)) enter(root);
    // Not by recursion: a chain may be as long as the book.
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const next = top.targets.pop();
      if (next === undefined) {
        sorted.push(top.each);
        open.pop();
      } else if (!seen.has(next)) enter(next);
    }
  }
  return sorted;
}
