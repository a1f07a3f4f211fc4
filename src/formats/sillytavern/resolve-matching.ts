// How SillyTavern looks for one key in a text (1.19, WorldInfoBuffer.matchKeys), and what can be said of a key before
// there is a chat: whether a text that is always searched holds it.

import type { Key } from '../../core/key.ts';
import { holdsKey, lookFor, type Matching } from '../_shared/key-matching.ts';

/** Mark before each message and each further text that is searched; a line end joins them. */
export const TEXT_MARK = '\x01';
/** What stands between two texts. */
export const TEXT_JOINT = `\n${TEXT_MARK}`;

export type { Matching } from '../_shared/key-matching.ts';
export { holdsKey } from '../_shared/key-matching.ts';

/**
 * Whether a text that is always among those searched holds a key, whatever stands around it: `yes`; `no`, and
 * nothing that spans its edge can be found either; `open` when that depends on the chat or cannot be told.
 */
export function foundInside(text: string, key: Key, matching: Matching): 'yes' | 'no' | 'open' {
  const hay = TEXT_JOINT + text + TEXT_JOINT;
  if (key.kind === 'literal') return holdsKey(hay, key, matching) ? 'yes' : 'no';
  const traits = regexTraits(key.source, key.flags);
  if (traits.looksAround || traits.isSlow) return 'open';
  const isFound = lookFor(hay, key, matching);
  if (isFound !== false) return isFound === null ? 'open' : 'yes';
  return traits.crossesLines ? 'open' : 'no';
}

/** What a pattern can do, as far as its text shows. */
export interface RegexTraits {
  /** A match can be undone by what stands elsewhere: the ends of the text, or what must not be there. */
  readonly looksAround: boolean;
  /** A match may go over a line end. */
  readonly crossesLines: boolean;
  /** Repetition or choice inside a repetition: it may take forever on some texts. */
  readonly isSlow: boolean;
}

const CROSSING_ESCAPES = /[sSWDnrvfcxu0-9pPk]/;

/** Reads the traits of a pattern; cautious, a pattern may be tamer than they say. */
export function regexTraits(source: string, flags: string): RegexTraits {
  const byLine = flags.includes('m');
  let looksAround = flags.includes('y');
  let crossesLines = false;
  let isSlow = false;
  let inClass = false;
  // For each open group, whether it repeats or chooses inside.
  const groups: boolean[] = [];
  const mark = (): void => {
    if (groups.length > 0) groups[groups.length - 1] = true;
  };
  for (let i = 0; i < source.length; i++) {
    const char = source[i] as string;
    if (char === '\\') {
      const next = source[++i] ?? '';
      if (CROSSING_ESCAPES.test(next)) crossesLines = true;
      if (next === 'B' && !inClass) looksAround = true;
    } else if (char === '\n' || char === '\r') crossesLines = true;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') {
      inClass = true;
      if (source[i + 1] === '^') crossesLines = true;
    } else if (char === '.' && flags.includes('s')) crossesLines = true;
    else if ((char === '^' || char === '$') && !byLine) looksAround = true;
    else if (char === '(') {
      if (/^\?<?!/.test(source.slice(i + 1, i + 4))) looksAround = true;
      groups.push(false);
    } else if (char === ')') {
      const repeatsInside = groups.pop() ?? false;
      if (repeatsInside && /[*+{]/.test(source[i + 1] ?? '')) isSlow = true;
      if (repeatsInside) mark();
    } else if (/[*+{|]/.test(char)) mark();
  }
  return { looksAround, crossesLines, isSlow };
}
