// Entries of equal order in the text. SillyTavern puts those of a later pass first, and within a pass the one that comes
// later in the book (1.19); Marinara puts those of an earlier pass first, and within a pass the one that the file has
// first (2.3.3). Which pass an entry fires in depends on the chat, but often the texts tell which of two fires first.

import type { Key } from '../../core/key.ts';
import type { Slot } from '../../core/position.ts';
import { nearestPosition } from '../../core/position.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { patternOfKey } from './pattern-rewriting.ts';

/** Where an entry goes: its place among all in the file's direction, and the order that is written. */
export interface TextPlace {
  readonly rank: number;
  readonly order: number;
}

// Above this many tests of a text the search takes longer than the export; then nothing is known of passes.
const MOST_TESTS = 300_000;

/**
 * Gives every entry its place. Orders are raised by one where Marinara would otherwise put two entries of equal order
 * the other way round, and only there; the next ones follow.
 */
export function textPlaces(
  { books }: ResolvedCharacter,
  recursive: boolean,
): ReadonlyMap<ResolvedEntry, TextPlace> {
  const all = books.flatMap(({ entries }, book) => entries.map((resolved) => ({ resolved, book })));
  const bookOf = new Map(all.map(({ resolved, book }) => [resolved, book]));
  const later = all.map(({ resolved }) => resolved).reverse();
  const passes = passesOf(later, recursive);
  const sorted = inPassOrder(later, passes);
  const places = new Map<ResolvedEntry, TextPlace>();
  for (const [rank, each] of sorted.entries()) places.set(each, { rank, order: each.entry.order });
  for (const region of regionsOf(sorted)) {
    let last: { readonly each: ResolvedEntry; readonly from: number; readonly order: number } | null = null;
    for (const each of region) {
      const { rank } = places.get(each) as TextPlace;
      const from = each.entry.order;
      let order: number = from;
      if (last !== null && last.order >= from) {
        const isTie = last.from === from;
        const isLaterBook = (bookOf.get(last.each) as number) > (bookOf.get(each) as number);
        const isApart = !isTie || passes.fed.has(last.each) || isLaterBook;
        order = isApart ? last.order + 1 : last.order;
      }
      places.set(each, { rank, order });
      last = { each, from, order };
    }
  }
  return places;
}

const REGION: Readonly<Partial<Record<Slot, string>>> = {
  before_example: 'world',
  after_example: 'character',
  note_top: 'note',
  note_bottom: 'note',
};

// Entries that Marinara puts into one piece of text, in the order that they should have there.
function regionsOf(sorted: readonly ResolvedEntry[]): readonly (readonly ResolvedEntry[])[] {
  const regions = new Map<string, ResolvedEntry[]>();
  for (const each of sorted) {
    if (each.fires === 'never' || !each.entry.enabled) continue;
    const { slot, depth, role } = nearestPosition(each.entry.position);
    const name = slot === 'depth' ? `depth ${depth} ${role}` : (REGION[slot] ?? slot);
    const held = regions.get(name);
    if (held) held.push(each);
    else regions.set(name, [each]);
  }
  return [...regions.values()].map((region) => region.sort((a, b) => a.entry.order - b.entry.order));
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
  try {
    const pattern = new RegExp(source, ignoreCase ? 'i' : '');
    return (text) => pattern.test(text);
  } catch {
    return () => false;
  }
}

const SLOT_RANK: Readonly<Partial<Record<Slot, number>>> = {
  before_example: 1,
  after_example: 1,
  note_bottom: 1,
};
const slotRank = ({ entry }: ResolvedEntry): number => SLOT_RANK[entry.position.slot] ?? 0;

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
  return sorted.sort((a, b) => slotRank(a) - slotRank(b));
}
