// Patterns of SillyTavern's without flags: what the flags say is written into the pattern, whole words are spelled out.
// For apps that have one switch for case and no flags (Marinara 2.3.3, Lumiverse 1.1.0).

import type { Key } from '../../core/key.ts';
import type { PatternPart } from './pattern-parts.ts';
import { casesOf, characterOf, codeOf, escapedText, partsOf } from './pattern-parts.ts';

/** A pattern without flags: only whether case counts is still open. */
export interface FlaglessPattern {
  readonly source: string;
  readonly ignoreCase: boolean;
  /** Why it may decide otherwise than SillyTavern's key; null when it does not. */
  readonly doubt: string | null;
}

/** What an app does with a pattern beside running it. */
export interface PatternEngine {
  /** The pattern in a form that the app runs. */
  readonly prepare: (source: string) => string;
  /** Why the app does not run it as a pattern; null when it does. */
  readonly refusal: (source: string) => string | null;
}

/** An app that runs every pattern as it is. */
export const PLAIN_ENGINE: PatternEngine = { prepare: (source) => source, refusal: () => null };

/** How an entry's plain keys are looked for. */
export interface KeyOptions {
  readonly caseSensitive: boolean;
  readonly matchWholeWords: boolean;
}

/**
 * A key as a pattern that finds what SillyTavern 1.19 finds: with whole words, a key of one word between characters
 * that are no ASCII letter, digit or underscore, a key of several words anywhere. A key that is empty is never found,
 * one of blanks always is.
 */
export function patternOfKey(
  key: Key,
  options: KeyOptions,
  engine: PatternEngine = PLAIN_ENGINE,
): FlaglessPattern {
  if (key.kind === 'regex') return withoutFlags(key.source, key.flags, engine);
  const ignoreCase = !options.caseSensitive;
  if (key.text === '') return { source: '(?!)', ignoreCase, doubt: null };
  const text = key.text.trim();
  if (text === '') return { source: '(?:)', ignoreCase, doubt: null };
  const source = escapedText(text);
  const isWord = options.matchWholeWords && !/\s/.test(text);
  return { source: isWord ? `(?:^|\\W)(?:${source})(?:$|\\W)` : source, ignoreCase, doubt: null };
}

function withoutFlags(source: string, flags: string, engine: PatternEngine): FlaglessPattern {
  const parts = partsOf(source);
  const isUnicode = flags.includes('u');
  const written = parts.map((part) => {
    if (part.kind === 'dot' && flags.includes('s')) return '[\\s\\S]';
    if (part.kind === 'anchor' && flags.includes('m'))
      return part.text === '^' ? '(?<![^\\n])' : '(?![^\\n])';
    if (part.kind === 'character' && isUnicode) return withoutUnicodeFlag(part.text);
    return part.text;
  });
  const doubt = flags.includes('y')
    ? 'the flag y does not exist there'
    : isUnicode && parts.some(needsUnicodeFlag)
      ? 'it needs the flag u, which does not exist there'
      : parts.some(({ kind }) => kind === 'anchor')
        ? 'it looks for the beginning or end of the text, and SillyTavern searches another text: speaker names, newest message first'
        : null;
  const prepared = engine.prepare(written.join('').replace(/^\s|\s$/g, codeOf));
  return { source: prepared, ignoreCase: flags.includes('i'), doubt: doubt ?? engine.refusal(prepared) };
}

function withoutUnicodeFlag(text: string): string {
  const character = text.startsWith('\\u{') ? characterOf(text) : null;
  if (character === null) return text;
  const units = character.split('').map(codeOf);
  return units.length === 1 ? units.join('') : `(?:${units.join('')})`;
}

const needsUnicodeFlag = ({ kind, text }: PatternPart): boolean =>
  /\\[pP]\{/.test(text) || (kind === 'class' && /\\u\{|[\u{10000}-\u{10ffff}]/u.test(text));

/** Whether a pattern holds a letter, so that case can matter. */
export function hasCase({ source }: FlaglessPattern): boolean {
  return partsOf(source).some(({ kind, text }) => {
    if (kind === 'reference') return true;
    if (kind === 'class') return casedText(text.replace(/\\[dDwWsSbB]/g, ''));
    return kind === 'character' && casedText(characterOf(text) ?? '');
  });
}

const casedText = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

/** A pattern that ignores case, written so that it does where case counts; null when that cannot be written. */
export function withBothCases(source: string, engine: PatternEngine = PLAIN_ENGINE): string | null {
  const written: string[] = [];
  for (const { kind, text } of partsOf(source)) {
    const both = kind === 'class' ? classWithBothCases(text) : kind === 'character' ? eitherCase(text) : text;
    if (both === null || kind === 'reference') return null;
    written.push(both);
  }
  const joined = written.join('');
  return engine.refusal(joined) === null ? joined : null;
}

function eitherCase(text: string): string | null {
  const character = characterOf(text);
  if (character === null) return text;
  const cases = casesOf(character);
  if (cases.length === 1) return text;
  return character.length === 1 ? `[${cases.join('')}]` : `(?:${cases.join('|')})`;
}

const MEMBER = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|[\s\S])|[\s\S]/gu;

function classWithBothCases(text: string): string | null {
  const members = [...text.slice(text[1] === '^' ? 2 : 1, -1).matchAll(MEMBER)].map(([member]) => member);
  const added: string[] = [];
  for (let at = 0; at < members.length; at++) {
    const from = singleOf(members[at] as string);
    if (from === null) continue;
    const to =
      members[at + 1] === '-' && at + 2 < members.length ? singleOf(members[at + 2] as string) : from;
    if (to === null) continue;
    if (to !== from) at += 2;
    const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
    if (from.length > 1 || to.length > 1 || high - low > 2048) return null;
    for (let code = low; code <= high; code++) {
      for (const other of casesOf(String.fromCharCode(code)).slice(1)) added.push(other);
    }
  }
  const held = new Set(members);
  const others = [...new Set(added)].filter((other) => !held.has(other)).sort();
  return `${text.slice(0, -1)}${asRanges(others)}]`;
}

// Null for a member that is a set by itself, such as \w.
const singleOf = (member: string): string | null =>
  /^\\[dDwWsSbBpP]$/.test(member) ? null : /^\\[tnvfr]$/.test(member) ? '\n' : characterOf(member);

function asRanges(sorted: readonly string[]): string {
  let written = '';
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    const code = (place: number): number => sorted[place]?.charCodeAt(0) ?? Number.NaN;
    while (code(end + 1) === code(end) + 1) end++;
    const [first, last] = [sorted[at] as string, sorted[end] as string];
    written += end - at > 1 ? `${first}-${last}` : sorted.slice(at, end + 1).join('');
    at = end + 1;
  }
  return written;
}
