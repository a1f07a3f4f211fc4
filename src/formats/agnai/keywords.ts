// How Agnai looks for a keyword, and a keyword as a key of ours (Agnaistic 1.0.27, seen by running its matcher): some
// characters are deleted, `*` is any number of word characters, `?` is one, and the rest is a whole word, its case
// ignored. Word characters are ASCII letters, digits and the underscore.

import type { Key } from '../../core/key.ts';
import { literalKey, readKey, writeKey } from '../../core/key.ts';

/** Characters that are deleted from a keyword before it is searched. */
const DELETED: ReadonlySet<string> = new Set('\\^$+.()|[]{}_');

/** The keyword that is found in every line with an ASCII letter or digit. */
export const ANY_LINE = '*';

/** Whether Agnai deletes a character from keywords. */
export const isDeleted = (char: string): boolean => DELETED.has(char);

/** Whether a character is a word character there. */
export const isWordCharacter = (char: string | undefined): boolean =>
  char !== undefined && /^[A-Za-z0-9_]$/.test(char);

/** A keyword as it is searched: trimmed, without the characters that are deleted. */
export const searchedKeyword = (keyword: string): string =>
  [...keyword.trim()].filter((char) => !DELETED.has(char)).join('');

/** Whether a keyword is found in every line that holds an ASCII word character. */
export const isAlwaysFound = (keyword: string): boolean => /^\**$/.test(searchedKeyword(keyword));

const hasWildcard = (searched: string): boolean => /[*?]/.test(searched);

// The pattern between the two edges of a word. A slash would end a key of ours, and stars in a row find what one finds,
// only slower.
const patternOf = (searched: string): string =>
  searched
    .replace(/\*{2,}/g, '*')
    .replace(/[*?/]/g, (char) => (char === '*' ? '\\w*' : char === '?' ? '\\w' : '\\/'));

const EDGE = '\\b';

/** What Agnai looks for, as a pattern that ignores case. */
export const keywordPattern = (keyword: string): string =>
  `${EDGE}${patternOf(searchedKeyword(keyword))}${EDGE}`;

/**
 * A keyword as a key: a pattern when it has wildcards, else its text. A keyword between slashes, which Agnai searches as
 * text, is the pattern that SillyTavern takes it for.
 */
export function keyOfKeyword(keyword: string): Key {
  const slashed = readKey(keyword.trim()).key;
  if (slashed.kind === 'regex') return slashed;
  const searched = searchedKeyword(keyword);
  return hasWildcard(searched)
    ? { kind: 'regex', source: keywordPattern(keyword), flags: 'i' }
    : literalKey(keyword.trim());
}

/** The keyword that reads as a key; any other key is written as SillyTavern writes it. */
export function keywordOfKey(key: Key): string {
  if (key.kind === 'literal') return key.text;
  const { source, flags } = key;
  const isEdged = source.length > 2 * EDGE.length && source.startsWith(EDGE) && source.endsWith(EDGE);
  const inner = isEdged ? source.slice(EDGE.length, -EDGE.length) : '';
  const keyword = inner.replace(/\\w\*|\\w|\\\//g, (part) =>
    part === '\\w*' ? '*' : part === '\\w' ? '?' : '/',
  );
  const again = flags === 'i' && inner !== '' ? keyOfKeyword(keyword) : null;
  return again !== null && writeKey(again) === writeKey(key) ? keyword : writeKey(key);
}

/** Why a keyword is not found in SillyTavern as Agnai finds it; null when both find the same. */
export function keywordDoubt(keyword: string): string | null {
  const text = keyword.trim();
  if (readKey(text).key.kind === 'regex') return 'Agnai searches it as text, SillyTavern as a pattern';
  const searched = searchedKeyword(keyword);
  if (hasWildcard(searched)) return null;
  const letters = [...searched];
  if (!isWordCharacter(letters[0]) || !isWordCharacter(letters.at(-1))) return 'Agnai can hardly find it';
  if (searched !== text) return `Agnai searches “${searched}”`;
  return /\s/.test(text) ? 'SillyTavern finds several words inside longer ones too' : null;
}
