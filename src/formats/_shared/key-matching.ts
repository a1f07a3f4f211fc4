// How SillyTavern looks for one key in a text (1.19, WorldInfoBuffer.matchKeys).

import type { Key } from '../../core/key.ts';
import { patternSearch } from './pattern-search.ts';

/** How keys are looked for, with the user's settings folded in. */
export interface Matching {
  readonly caseSensitive: boolean;
  readonly matchWholeWords: boolean;
}

/**
 * Whether a text holds a key. A regex ignores both options; a key of several words is found anywhere; a single word
 * needs a character that is no ASCII letter, digit or underscore on both sides, or an end of the text.
 */
export function holdsKey(text: string, key: Key, matching: Matching): boolean {
  return lookFor(text, key, matching) === true;
}

/** The same; null for a pattern of which that cannot be told in bounded time. */
export function lookFor(text: string, key: Key, matching: Matching): boolean | null {
  if (key.kind === 'regex') {
    const search = patternSearch(key.source, key.flags);
    return search === null ? false : search(text);
  }
  const [hay, needle] = matching.caseSensitive
    ? [text, key.text]
    : [text.toLowerCase(), key.text.toLowerCase()];
  if (!matching.matchWholeWords || /\s/.test(needle)) return hay.includes(needle);
  return holdsWord(hay, needle);
}

function holdsWord(hay: string, needle: string): boolean {
  for (let at = hay.indexOf(needle); at !== -1 && at <= hay.length; at = hay.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    const before = at === 0 || /\W/.test(hay[at - 1] ?? '');
    const after = end >= hay.length || /\W/.test(hay[end] ?? '');
    if (before && after) return true;
    if (at === hay.length) return false;
  }
  return false;
}
