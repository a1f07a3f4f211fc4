// How an entry's keys are written, one way for each style (decisions 28), and what decision a list of keys makes, by
// which what was written is compared with what was meant.

import type { Key } from '../../core/key.ts';
import { literalKey, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { escapedText } from './pattern-parts.ts';
import type { FlaglessPattern } from './pattern-rewriting.ts';
import { hasCase, patternOfKey, withBothCases } from './pattern-rewriting.ts';

/** The styles of decisions 28. */
export type Style = 'natural' | 'exact';
type KeyList = 'keys' | 'secondaryKeys';
const LISTS = ['keys', 'secondaryKeys'] as const;

/** Something that a key will do otherwise there. */
export interface KeyDoubt {
  readonly path: KeyList;
  readonly before: string;
  readonly after: string;
  readonly message: string;
}

/** Keys as Marinara can hold them: all plain, or all patterns of one case. */
export interface WrittenKeys {
  readonly keys: readonly Key[];
  readonly secondaryKeys: readonly Key[];
  readonly caseSensitive: boolean;
  readonly matchWholeWords: boolean;
  readonly doubts: readonly KeyDoubt[];
}

type KeyedEntry = Pick<LorebookEntry, KeyList | 'scan'>;

/** Where a key is written: a card is read by an importer that looks for the /source/flags form. */
export type KeyForm = 'card' | 'native';

const optionsOf = ({ scan }: KeyedEntry) => ({
  caseSensitive: scan.caseSensitive === true,
  matchWholeWords: scan.matchWholeWords === true,
});

const PLAIN = { caseSensitive: false, matchWholeWords: false };
const isLiteral = (key: Key): boolean => key.kind === 'literal';
const isBlank = (key: Key): boolean => key.kind === 'literal' && key.text.trim() === '';
const trimmed = (key: Key): Key => (key.kind === 'literal' ? literalKey(key.text.trim()) : key);
const isOneWord = (key: Key): boolean => key.kind === 'literal' && !/\s/.test(key.text.trim());
// Marinara 2.3.3 takes every key of this form for a pattern when it imports a card, and then all keys of the entry.
const hasSlashForm = (key: Key): boolean =>
  key.kind === 'literal' && /^\/.+\/[dgimsuvy]*$/u.test(key.text.trim());

// An empty primary key is never found, so it is not written (decisions 4).
const withoutEmpty = (entry: KeyedEntry): KeyedEntry =>
  entry.keys.some((key) => key.kind === 'literal' && key.text === '')
    ? { ...entry, keys: entry.keys.filter((key) => key.kind !== 'literal' || key.text !== '') }
    : entry;

/** One writer for each style. */
export const KEY_WRITERS: Readonly<Record<Style, (entry: KeyedEntry, form: KeyForm) => WrittenKeys>> = {
  natural: (entry, form) => naturalKeys(withoutEmpty(entry), form),
  exact: (entry, form) => exactKeys(withoutEmpty(entry), form),
};

function exactKeys(entry: KeyedEntry, form: KeyForm): WrittenKeys {
  const all = LISTS.flatMap((list) => entry[list]);
  const options = optionsOf(entry);
  const isPlain = all.every(
    (key) =>
      isLiteral(key) &&
      !isBlank(key) &&
      !(form === 'card' && hasSlashForm(key)) &&
      !(options.matchWholeWords && isOneWord(key)),
  );
  if (isPlain) return plainKeys(entry, false, []);
  const of = (list: KeyList) => entry[list].map((key) => ({ key, pattern: patternOfKey(key, options) }));
  return asPatterns(of('keys'), of('secondaryKeys'), options.caseSensitive);
}

// Plain keys stay plain, with the switches that come nearest; beside a pattern, or where Marinara would take one for a
// pattern, they are the pattern of their text, since the regex switch is the entry's.
function naturalKeys(entry: KeyedEntry, form: KeyForm): WrittenKeys {
  const all = LISTS.flatMap((list) => entry[list]);
  const options = optionsOf(entry);
  if (!all.every((key) => isLiteral(key) && !(form === 'card' && hasSlashForm(key)))) {
    const of = (list: KeyList) =>
      entry[list].map((key) => ({ key, pattern: patternOfKey(key, { ...options, matchWholeWords: false }) }));
    const written = asPatterns(of('keys'), of('secondaryKeys'), options.caseSensitive);
    if (!options.matchWholeWords) return written;
    const doubts = LISTS.flatMap((path) =>
      entry[path]
        .filter(isOneWord)
        .map((key) =>
          doubt(
            path,
            key,
            writeKey(key),
            'beside a pattern, a plain key is found inside longer words as well',
          ),
        ),
    );
    return { ...written, doubts: [...written.doubts, ...doubts] };
  }
  const whole = options.matchWholeWords && all.some(isOneWord) && !all.some(runsOn);
  const doubts = LISTS.flatMap((path) =>
    entry[path].flatMap((key): readonly KeyDoubt[] => {
      const reason = isBlank(key)
        ? 'a key without any character is never found there'
        : whole
          ? isOneWord(key)
            ? 'letters with accents end a word here and belong to it there'
            : 'it is found only as whole words there, anywhere here'
          : options.matchWholeWords && isOneWord(key)
            ? 'it is found inside longer words there'
            : null;
      return reason === null ? [] : [doubt(path, key, writeKey(trimmed(key)), reason)];
    }),
  );
  return plainKeys(entry, whole, doubts);
}

// A word that begins or ends with a letter outside ASCII: for SillyTavern every such letter is the end of a word, so
// the key is found inside running Chinese or Japanese text; whole words there would never find it.
const runsOn = (key: Key): boolean => {
  if (key.kind !== 'literal') return false;
  const letters = [...key.text.trim()];
  return [letters[0], letters.at(-1)].some((letter) => (letter?.charCodeAt(0) ?? 0) > 0x7f);
};

const doubt = (path: KeyList, key: Key, after: string, reason: string): KeyDoubt => ({
  path,
  before: `${writeKey(key)} as SillyTavern finds it`,
  after: `${after} as Marinara finds it`,
  message: `The key “${writeKey(key)}” can decide otherwise in Marinara: ${reason}.`,
});

function plainKeys(entry: KeyedEntry, matchWholeWords: boolean, doubts: readonly KeyDoubt[]): WrittenKeys {
  return {
    keys: entry.keys.map(trimmed).filter((key) => !isBlank(key)),
    secondaryKeys: entry.secondaryKeys.map(trimmed).filter((key) => !isBlank(key)),
    caseSensitive: entry.scan.caseSensitive === true,
    matchWholeWords,
    doubts,
  };
}

interface KeyPattern {
  readonly key: Key;
  readonly pattern: FlaglessPattern;
}

function asPatterns(
  keys: readonly KeyPattern[],
  secondaryKeys: readonly KeyPattern[],
  caseSensitive: boolean,
): WrittenKeys {
  const unified = unify(
    [...keys, ...secondaryKeys].map(({ pattern }) => pattern),
    caseSensitive,
  );
  const flags = unified.caseSensitive ? '' : 'i';
  const sources = [unified.sources.slice(0, keys.length), unified.sources.slice(keys.length)];
  const written = sources.map((list) => list.map(({ source }): Key => ({ kind: 'regex', source, flags })));
  const doubts = [keys, secondaryKeys].flatMap((list, at) =>
    list.flatMap(({ key, pattern }, place) => {
      const held = sources[at]?.[place];
      const reason = pattern.doubt ?? held?.doubt ?? null;
      return reason === null ? [] : [doubt(LISTS[at] as KeyList, key, held?.source ?? '', reason)];
    }),
  );
  const [first = [], second = []] = written;
  return {
    keys: first,
    secondaryKeys: second,
    caseSensitive: unified.caseSensitive,
    matchWholeWords: false,
    doubts,
  };
}

interface Unified {
  readonly sources: readonly { readonly source: string; readonly doubt: string | null }[];
  readonly caseSensitive: boolean;
}

// Case is the entry's: where some patterns ignore it and others do not, those that ignore it spell out both cases.
function unify(patterns: readonly FlaglessPattern[], caseSensitive: boolean): Unified {
  const cased = patterns.filter(hasCase);
  const isSensitive = cased.length === 0 ? caseSensitive : !cased.every(({ ignoreCase }) => ignoreCase);
  return {
    caseSensitive: isSensitive,
    sources: patterns.map((pattern) => {
      const { source, ignoreCase } = pattern;
      if (!isSensitive || !ignoreCase || !hasCase(pattern)) return { source, doubt: null };
      const both = withBothCases(source);
      return both === null
        ? {
            source,
            doubt: 'another key of the entry needs case to count, and this one cannot ignore it by itself',
          }
        : { source: both, doubt: null };
    }),
  };
}

/**
 * What a list of keys decides, as something to be compared. `ours`: keys as SillyTavern finds them, else as Marinara
 * does.
 */
export function decisionOf(entry: KeyedEntry, path: KeyList, ours: boolean): string {
  const { keys, secondaryKeys, scan } = withoutEmpty(entry);
  const options = ours ? optionsOf(entry) : PLAIN;
  const case_ = scan.caseSensitive === true;
  const patterns = [...keys, ...secondaryKeys].map((key): FlaglessPattern => {
    if (ours) return patternOfKey(key, options);
    if (key.kind === 'regex') return { source: key.source, ignoreCase: key.flags === 'i', doubt: null };
    const word = scan.matchWholeWords === true ? 'whole word: ' : '';
    return { source: word + escapedText(key.text.trim()), ignoreCase: !case_, doubt: null };
  });
  const unified = unify(patterns, case_);
  const own = unified.sources.slice(...(path === 'keys' ? [0, keys.length] : [keys.length]));
  const mine = patterns.slice(...(path === 'keys' ? [0, keys.length] : [keys.length]));
  return JSON.stringify([own.map(({ source }) => source), mine.some(hasCase) && unified.caseSensitive]);
}
