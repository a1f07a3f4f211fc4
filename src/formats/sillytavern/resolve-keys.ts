// What can be said of an entry's keys before there is a chat: found in every chat, found in none, or open
// (SillyTavern 1.19, checkWorldInfo and WorldInfoBuffer.get).

import { shown } from '../../core/finding.ts';
import type { Key } from '../../core/key.ts';
import { literalKey, readKey, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { ScanSettings } from '../../core/resolved.ts';
import { expandMacros, type MacroValues } from './resolve-macros.ts';
import { foundInside, holdsKey, type Matching, regexTraits, TEXT_MARK } from './resolve-matching.ts';

/** A text that is among those searched in every chat; `place` completes "The key … stands in ". */
export interface SearchedText {
  readonly text: string;
  readonly place: string;
  /** Macros in it stay open, so its full text is not known. */
  readonly open: boolean;
}

/** What is searched for one entry beside the chat's own words. */
export interface Searched {
  readonly texts: readonly SearchedText[];
  /** `nothing`: the entry searches no text at all; `later`: not yet, the depth may grow. */
  readonly reach: 'nothing' | 'later' | 'open';
}

/** A key as SillyTavern searches it, with what is known of it. */
export interface KeyVerdict {
  readonly key: Key;
  readonly found: 'always' | 'never' | 'open';
  /** One sentence; empty when it is open. */
  readonly reason: string;
  /** Whether the texts beside the chat make no difference to it any more. */
  readonly settled: boolean;
  /** Whether macros are left in it that only a running chat can replace. */
  readonly hasOpenMacro: boolean;
}

/** Who speaks, and the text of each source of the card. */
export interface Surroundings {
  readonly settings: ScanSettings;
  readonly values: MacroValues;
  readonly sources: readonly StaticSource[];
}

/** A text of the card in which an entry may look for its keys. */
export interface StaticSource extends SearchedText {
  readonly name: keyof LorebookEntry['sources'];
}

/**
 * What is searched for an entry whose scan depth is folded in. `grows`: the depth is the user's own, which "min
 * activations" may widen. With names on, each message begins with its speaker: the last one is the user's, the one
 * before it the character's.
 */
export function searchedTexts(
  entry: LorebookEntry,
  depth: number,
  grows: boolean,
  around: Surroundings,
): Searched {
  if (depth <= 0) return { texts: [], reach: grows ? 'later' : 'nothing' };
  const { char, user } = around.values;
  const speakers = around.settings.includeNames
    ? [
        { name: user, within: 1 },
        { name: char, within: 2 },
      ].filter(({ name, within }) => name.trim() !== '' && depth >= within)
    : [];
  return {
    texts: [
      ...around.sources.filter(({ name }) => entry.sources[name]),
      ...speakers.map(({ name }) => ({
        text: `${name}: `,
        place: `the name of ${name}, which begins each of their messages`,
        open: false,
      })),
    ],
    reach: 'open',
  };
}

/** Judges one key for an entry's way of matching. */
export function judgeKey(
  written: Key,
  searched: Searched,
  matching: Matching,
  values: MacroValues,
): KeyVerdict {
  const { text, open: hasOpenMacro } = expandMacros(writeKey(written), values);
  // A key of spaces keeps them: "" is a key that is never found.
  const key = text.trim() === '' ? literalKey(text) : readKey(text.trim()).key;
  const verdict = (found: KeyVerdict['found'], reason: string, settled = true): KeyVerdict => ({
    key,
    found,
    reason,
    settled,
    hasOpenMacro,
  });
  if (text === '') return verdict('never', 'An empty key is never found.');
  if (text.trim() === '') return verdict('always', 'A key of spaces is found in every chat.');
  if (searched.reach === 'nothing') {
    const found = !hasOpenMacro && holdsKey('', key, matching);
    return verdict(found ? 'always' : 'never', 'Its scan depth is 0, so no text is searched for its keys.');
  }
  if (hasOpenMacro || searched.reach === 'later') return verdict('open', '', false);
  if (matchesAnything(key)) return verdict('always', `The key ${shown(text)} matches every text.`);
  let settled = true;
  for (const each of searched.texts) {
    const found = foundInside(each.text, key, matching);
    if (found === 'yes') return verdict('always', `The key ${shown(text)} stands in ${each.place}.`);
    if (found === 'open' || each.open) settled = false;
  }
  return verdict('open', '', settled);
}

// Each text that is searched begins with a mark.
function matchesAnything(key: Key): boolean {
  if (key.kind === 'literal') return false;
  const traits = regexTraits(key.source, key.flags);
  return (
    !traits.looksAround &&
    !traits.isSlow &&
    holdsKey(TEXT_MARK, key, { caseSensitive: true, matchWholeWords: false })
  );
}
