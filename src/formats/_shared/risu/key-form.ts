// The one form in which RisuAI finds a pattern (commit 460ecae2). It builds its regex from the key without the flags but
// with both slashes, reads keys parted at commas, and spoils the first key of a list after the first message. So the
// pattern stands between two alternatives that never match and take the slashes, holds neither slash nor comma, has at
// least one flag, and the first key is written twice.

import { type Comma, withoutCommas } from './comma-free.ts';

/** A pattern as it is between slashes, and its flags. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** A written pattern; `doubt` says why it may find something else, null when it does not. */
export interface WorkingForm {
  readonly text: string;
  readonly doubt: Comma['doubt'];
}

/** Writes a pattern so that RisuAI finds it. */
export function workingForm({ source, flags }: Pattern): WorkingForm {
  const { source: written, doubt } = withoutCommas(source);
  return { text: `/[]|(?:${written})|[]//${flags === '' ? 'g' : flags}`, doubt };
}

const WORKING = /^\/\[\]\|\(\?:([\s\S]*)\)\|\[\]\/\/([a-z]+)$/;

/** The pattern of a key in that form, or null for any other key. A lone `g` stands for no flag. */
export function patternOfWorkingForm(key: string): Pattern | null {
  const [, held, flags] = WORKING.exec(key) ?? [];
  if (held === undefined || flags === undefined) return null;
  const source = held.replace(/\\x2f|\\x2c|\\[\s\S]/g, (found) =>
    found === '\\x2f' ? '\\/' : found === '\\x2c' ? ',' : found,
  );
  return { source, flags: flags === 'g' ? '' : flags };
}

/** Writes a list of keys in that form. */
export const doubledFirst = (keys: readonly string[]): readonly string[] =>
  keys[0] === undefined ? keys : [keys[0], ...keys];

/** A list of keys without the doubled one. */
export const withoutDoubled = (keys: readonly string[]): readonly string[] =>
  keys.length > 1 && keys[0] === keys[1] && patternOfWorkingForm(keys[0] ?? '') !== null
    ? keys.slice(1)
    : keys;

/** A plain key and how it is found. */
export interface LiteralPattern {
  readonly text: string;
  readonly wholeWord: boolean;
}

const SPECIAL = /[.*+?^${}()|[\]\\/]/g;
const WHOLE = ['(?:^|\\W)(?:', ')(?:$|\\W)'] as const;
const ANYWHERE = ['(?:', ')'] as const;

/** A plain key as a pattern. SillyTavern's whole word stands between characters that are no ASCII word characters. */
export function literalPattern({ text, wholeWord }: LiteralPattern): string {
  const [head, tail] = wholeWord ? WHOLE : ANYWHERE;
  const escaped = text.replace(SPECIAL, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r');
  return head + escaped + tail;
}

/** The plain key of such a pattern, or null. */
export function literalOfPattern(source: string): LiteralPattern | null {
  for (const [wholeWord, [head, tail]] of [
    [true, WHOLE],
    [false, ANYWHERE],
  ] as const) {
    if (!source.startsWith(head) || !source.endsWith(tail) || source.length < head.length + tail.length)
      continue;
    const text = unescaped(source.slice(head.length, source.length - tail.length));
    if (text !== null && text !== '' && literalPattern({ text, wholeWord }) === source)
      return { text, wholeWord };
  }
  return null;
}

function unescaped(written: string): string | null {
  const bare = written.replace(/\\[\s\S]/g, '');
  SPECIAL.lastIndex = 0;
  if (bare.search(SPECIAL) !== -1) return null;
  return written.replace(/\\([\s\S])/g, (_, character: string) =>
    character === 'n' ? '\n' : character === 'r' ? '\r' : character,
  );
}
