// Which entries the text of another entry can start in SillyTavern, where Agnai searches the chat alone (SillyTavern
// 1.19: the text of every entry that fired is searched, unless it prevents that).

import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { holdsKey, type Matching } from '../_shared/key-matching.ts';

/** The entries that can start an entry; entries that none can start are not in it. */
export type Reach = ReadonlyMap<ResolvedEntry, readonly ResolvedEntry[]>;

/** More than this, and only whether something starts an entry is looked at: each would be compared with each. */
const MOST_PAIRS = 1_000_000;
const JOINT = '\n\x01';

/** Finds who can start whom. */
export function reachOf({ books, settings }: ResolvedCharacter): Reach {
  if (!settings.recursive || settings.maxRecursionSteps === 1) return new Map();
  const live = books.flatMap(({ entries }) => entries).filter(({ fires }) => fires !== 'never');
  const starters = live.filter(({ entry }) => !entry.recursion.prevent && entry.content.trim() !== '');
  const searching = live.filter(({ fires, entry }) => fires === 'keys' && !entry.recursion.exclude);
  const everything = starters.map(({ entry }) => entry.content).join(JOINT);
  const isSmall = starters.length * searching.length <= MOST_PAIRS;
  return new Map(
    searching.flatMap((each): [ResolvedEntry, readonly ResolvedEntry[]][] => {
      if (!names(everything, each)) return [];
      const by = isSmall
        ? starters.filter((other) => other !== each && names(other.entry.content, each))
        : starters;
      return by.length === 0 ? [] : [[each, by]];
    }),
  );
}

function names(text: string, { entry }: ResolvedEntry): boolean {
  const matching: Matching = {
    caseSensitive: entry.scan.caseSensitive === true,
    matchWholeWords: entry.scan.matchWholeWords === true,
  };
  return entry.keys.some((key) => holdsKey(text, key, matching));
}

/** Everything that starts an entry, directly or through others. */
export function startersOf(reach: Reach, entry: ResolvedEntry): readonly ResolvedEntry[] {
  const found = new Set<ResolvedEntry>();
  const waiting = [entry];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const other of reach.get(next) ?? []) {
      if (other === entry || found.has(other)) continue;
      found.add(other);
      waiting.push(other);
    }
  }
  return [...found];
}

/**
 * The pass in which entries fire that the text of an entry which is always there starts, directly or through others:
 * they fire in every chat, in the second pass or later. Others fire as the chat goes, and are not in it.
 */
export function passesOf(resolved: ResolvedCharacter, reach: Reach): ReadonlyMap<ResolvedEntry, number> {
  const passes = new Map<ResolvedEntry, number>();
  const always = resolved.books.flatMap(({ entries }) => entries).filter(({ fires }) => fires === 'always');
  let before: ReadonlySet<ResolvedEntry> = new Set(always);
  for (let pass = 2; before.size > 0; pass++) {
    const found = [...reach].filter(
      ([each, by]) => !passes.has(each) && by.some((other) => before.has(other)),
    );
    for (const [each] of found) passes.set(each, pass);
    before = new Set(found.map(([each]) => each));
  }
  return passes;
}
