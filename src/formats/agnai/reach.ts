// Which entries the text of another entry can start in SillyTavern, where Agnai searches the chat alone (SillyTavern
// 1.19: the text of every entry that fired is searched, unless it prevents that).

import type { Key } from '../../core/key.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { holdsKey, type Matching } from '../_shared/key-matching.ts';

/** The entries that can start an entry; entries that none can start are not in it. */
export type Reach = ReadonlyMap<ResolvedEntry, readonly ResolvedEntry[]>;

/** Finds who can start whom. */
export function reachOf({ books, settings }: ResolvedCharacter): Reach {
  if (!settings.recursive || settings.maxRecursionSteps === 1) return new Map();
  const live = books.flatMap(({ entries }) => entries).filter(({ fires }) => fires !== 'never');
  const starters = live.filter(({ entry }) => !entry.recursion.prevent && entry.content.trim() !== '');
  const searching = live.filter(({ fires, entry }) => fires === 'keys' && !entry.recursion.exclude);
  const candidates = textsByWord(starters);
  return new Map(
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
  const vocabulary = [...byWord.keys()];
  const all = vocabulary.join(' ');
  return (key) => {
    if (key.kind === 'regex') return starters;
    const words = wordsOf(key.text);
    if (words.some((word) => !all.includes(word))) return [];
    const [longest] = [...words].sort((a, b) => b.length - a.length);
    if (longest === undefined) return starters;
    return new Set(
      vocabulary.filter((word) => word.includes(longest)).flatMap((word) => byWord.get(word) ?? []),
    );
  };
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
