// Which entries the text of another entry can start in SillyTavern, where Agnai searches the chat alone (SillyTavern
// 1.19: the text of every entry that fired is searched, unless it prevents that).

import type { Key } from '../../core/key.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { holdsKey, type Matching } from '../_shared/key-matching.ts';

/** Who can start whom. */
export interface Reach {
  /** The entries whose text can start an entry; entries that none can start are not in it. */
  readonly starters: ReadonlyMap<ResolvedEntry, readonly ResolvedEntry[]>;
  /** Passes after the first one. */
  readonly passes: number;
}

/** Finds who can start whom. */
export function reachOf({ books, settings, delayedPasses }: ResolvedCharacter): Reach {
  const { recursive, maxRecursionSteps: steps } = settings;
  // Passes for which entries wait run with recursion off, too, and search what fired before them. The limit on the steps
  // counts the first pass (1.19).
  if ((!recursive && delayedPasses !== 'always') || steps === 1) return { starters: new Map(), passes: 0 };
  const live = books.flatMap(({ entries }) => entries).filter(({ fires }) => fires !== 'never');
  const starters = live.filter(
    ({ entry }) =>
      !entry.recursion.prevent &&
      entry.content.trim() !== '' &&
      (entry.triggers.length === 0 || entry.triggers.includes('normal')),
  );
  const searching = live.filter(
    ({ fires, entry }) => fires === 'keys' && !(recursive && entry.recursion.exclude),
  );
  const candidates = textsByWord(starters);
  const found = new Map(
    searching.flatMap((each): [ResolvedEntry, readonly ResolvedEntry[]][] => {
      const matching: Matching = {
        caseSensitive: each.entry.scan.caseSensitive === true,
        matchWholeWords: each.entry.scan.matchWholeWords === true,
      };
      const by = new Set<ResolvedEntry>();
      for (const key of each.entry.keys) {
        for (const other of candidates(key)) {
          if (other !== each && !by.has(other) && holdsKey(other.entry.content, key, matching)) by.add(other);
        }
      }
      return by.size === 0 ? [] : [[each, [...by]]];
    }),
  );
  return { starters: found, passes: steps > 0 ? steps - 1 : Number.POSITIVE_INFINITY };
}

const WORDS = /[a-z0-9_]+/g;
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(WORDS) ?? [];

// Looking for each key in each text would take minutes in a large book. A text that holds a plain key has the words of
// the key inside its own, so only texts with such words are worth it.
function textsByWord(starters: readonly ResolvedEntry[]): (key: Key) => Iterable<ResolvedEntry> {
  const byWord = new Map<string, ResolvedEntry[]>();
  for (const starter of starters) {
    for (const word of new Set(wordsOf(starter.entry.content))) {
      const held = byWord.get(word);
      if (held) held.push(starter);
      else byWord.set(word, [starter]);
    }
  }
  const all = ` ${[...byWord.keys()].join(' ')} `;
  return (key) => {
    if (key.kind === 'regex') return starters;
    const words = wordsOf(key.text);
    if (words.some((word) => !all.includes(word))) return [];
    const [longest] = [...words].sort((a, b) => b.length - a.length);
    if (longest === undefined) return starters;
    return new Set(wordsWith(longest, all).flatMap((word) => byWord.get(word) ?? []));
  };
}

// The words of a list, set apart by spaces, that hold a part.
function wordsWith(part: string, list: string): readonly string[] {
  const found: string[] = [];
  for (let at = list.indexOf(part); at !== -1; ) {
    const end = list.indexOf(' ', at);
    found.push(list.slice(list.lastIndexOf(' ', at) + 1, end));
    at = list.indexOf(part, end);
  }
  return found;
}

/** Everything that starts an entry, directly or through others, within the passes that there are. */
export function startersOf({ starters, passes }: Reach, entry: ResolvedEntry): readonly ResolvedEntry[] {
  const found = new Set<ResolvedEntry>([entry]);
  let last: readonly ResolvedEntry[] = [entry];
  for (let pass = 0; pass < passes && last.length > 0; pass++) {
    const before = last.flatMap((each) => starters.get(each) ?? []).filter((each) => !found.has(each));
    last = [...new Set(before)];
    for (const each of last) found.add(each);
  }
  found.delete(entry);
  return [...found];
}

/**
 * The pass in which entries fire that the text of an entry which is always there starts, directly or through others:
 * they fire in every chat, in the second pass or later. Others fire as the chat goes, and are not in it.
 */
export function passesOf(
  resolved: ResolvedCharacter,
  { starters }: Reach,
): ReadonlyMap<ResolvedEntry, number> {
  const passes = new Map<ResolvedEntry, number>();
  const always = resolved.books.flatMap(({ entries }) => entries).filter(({ fires }) => fires === 'always');
  let before: ReadonlySet<ResolvedEntry> = new Set(always);
  for (let pass = 2; before.size > 0; pass++) {
    const found = [...starters].filter(
      ([each, by]) => !passes.has(each) && by.some((other) => before.has(other)),
    );
    for (const [each] of found) passes.set(each, pass);
    before = new Set(found.map(([each]) => each));
  }
  return passes;
}
