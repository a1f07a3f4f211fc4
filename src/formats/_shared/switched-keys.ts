// How an entry's keys are written for an app whose entries have one switch for patterns, one for case and one for whole
// words, one way for each style (decisions 28); and what decision a list of keys makes, by which what was written is
// compared with what was meant. Marinara 2.3.3 and Lumiverse 1.1.0 are such apps.

import type { Style } from '../../core/exporter.ts';
import type { Key } from '../../core/key.ts';
import { literalKey, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { FlaglessPattern, PatternEngine } from './flagless-patterns.ts';
import { hasCase, patternOfKey, withBothCases } from './flagless-patterns.ts';
import { escapedText } from './pattern-parts.ts';

/** How an app takes keys. */
export interface KeyDialect {
  readonly app: string;
  readonly engine: PatternEngine;
  /** Whether a plain key is taken for a pattern where the switch is off. */
  readonly isTakenForPattern: (key: Key) => boolean;
  /** Whether the switch for whole words can find the key at all where SillyTavern finds it. */
  readonly isFoundAsWord: (key: Key) => boolean;
  /** Why a key of one word may decide otherwise with that switch; null when it decides just as SillyTavern. */
  readonly wordDoubt: (key: Key) => string | null;
}

type KeyList = 'keys' | 'secondaryKeys';
const LISTS = ['keys', 'secondaryKeys'] as const;

/** Something that a key will do otherwise there. */
export interface KeyDoubt {
  readonly path: KeyList;
  readonly before: string;
  readonly after: string;
  readonly message: string;
}

/** All plain, or all patterns of one case. */
export interface WrittenKeys {
  readonly keys: readonly Key[];
  readonly secondaryKeys: readonly Key[];
  readonly caseSensitive: boolean;
  readonly matchWholeWords: boolean;
  readonly doubts: readonly KeyDoubt[];
}

type KeyedEntry = Pick<LorebookEntry, KeyList | 'scan'>;

const optionsOf = ({ scan }: KeyedEntry) => ({
  caseSensitive: scan.caseSensitive === true,
  matchWholeWords: scan.matchWholeWords === true,
});

const PLAIN = { caseSensitive: false, matchWholeWords: false };
const isLiteral = (key: Key): boolean => key.kind === 'literal';
const isBlank = (key: Key): boolean => key.kind === 'literal' && key.text.trim() === '';
const trimmed = (key: Key): Key => (key.kind === 'literal' ? literalKey(key.text.trim()) : key);
const isOneWord = (key: Key): boolean => key.kind === 'literal' && !/\s/.test(key.text.trim());
// An empty primary key is never found, so it is not written (decisions 4).
const withoutEmpty = (entry: KeyedEntry): KeyedEntry =>
  entry.keys.some((key) => key.kind === 'literal' && key.text === '')
    ? { ...entry, keys: entry.keys.filter((key) => key.kind !== 'literal' || key.text !== '') }
    : entry;

/** Keys as the app can hold them, in a style. */
export function switchedKeys(entry: KeyedEntry, style: Style, dialect: KeyDialect): WrittenKeys {
  const own = withoutEmpty(entry);
  return style === 'exact' ? exactKeys(own, dialect) : naturalKeys(own, dialect);
}

function exactKeys(entry: KeyedEntry, dialect: KeyDialect): WrittenKeys {
  const all = LISTS.flatMap((list) => entry[list]);
  const options = optionsOf(entry);
  const canBePlain = all.every((key) => isLiteral(key) && !isBlank(key) && !dialect.isTakenForPattern(key));
  const words = options.matchWholeWords ? all.filter(isOneWord) : [];
  if (canBePlain && words.length === 0) return plainKeys(entry, false, []);
  const areSure = words.length === all.length && words.every((key) => dialect.wordDoubt(key) === null);
  if (canBePlain && areSure && words.every(dialect.isFoundAsWord)) return plainKeys(entry, true, []);
  const of = (list: KeyList) =>
    entry[list].map((key) => ({ key, pattern: patternOfKey(key, options, dialect.engine) }));
  return asPatterns(of('keys'), of('secondaryKeys'), options.caseSensitive, dialect);
}

// Plain keys stay plain, with the switches that come nearest; beside a pattern, or where the app would take one for a
// pattern, they are the pattern of their text, since the switch is the entry's.
function naturalKeys(entry: KeyedEntry, dialect: KeyDialect): WrittenKeys {
  const all = LISTS.flatMap((list) => entry[list]);
  const options = optionsOf(entry);
  if (!all.every((key) => isLiteral(key) && !dialect.isTakenForPattern(key))) {
    const anywhere = { ...options, matchWholeWords: false };
    const of = (list: KeyList) =>
      entry[list].map((key) => ({ key, pattern: patternOfKey(key, anywhere, dialect.engine) }));
    const written = asPatterns(of('keys'), of('secondaryKeys'), options.caseSensitive, dialect);
    if (!options.matchWholeWords) return written;
    const reason = 'beside a pattern, a plain key is found inside longer words as well';
    const doubts = LISTS.flatMap((path) =>
      entry[path].filter(isOneWord).map((key) => doubt(path, key, writeKey(key), reason, dialect)),
    );
    return { ...written, doubts: [...written.doubts, ...doubts] };
  }
  const whole = options.matchWholeWords && all.some(isOneWord) && all.every(dialect.isFoundAsWord);
  const doubts = LISTS.flatMap((path) =>
    entry[path].flatMap((key): readonly KeyDoubt[] => {
      const reason = isBlank(key)
        ? 'a key without any character is never found there'
        : whole
          ? isOneWord(key)
            ? dialect.wordDoubt(key)
            : 'it is found only as whole words there, anywhere here'
          : options.matchWholeWords && isOneWord(key)
            ? 'it is found inside longer words there'
            : null;
      return reason === null ? [] : [doubt(path, key, writeKey(trimmed(key)), reason, dialect)];
    }),
  );
  return plainKeys(entry, whole, doubts);
}

const doubt = (path: KeyList, key: Key, after: string, reason: string, { app }: KeyDialect): KeyDoubt => ({
  path,
  before: `${writeKey(key)} as SillyTavern finds it`,
  after: `${after} as ${app} finds it`,
  message: `The key “${writeKey(key)}” may match differently in ${app}: ${reason}.`,
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
  dialect: KeyDialect,
): WrittenKeys {
  const unified = unify(
    [...keys, ...secondaryKeys].map(({ pattern }) => pattern),
    caseSensitive,
    dialect.engine,
  );
  const flags = unified.caseSensitive ? '' : 'i';
  const sources = [unified.sources.slice(0, keys.length), unified.sources.slice(keys.length)];
  const written = sources.map((list) => list.map(({ source }): Key => ({ kind: 'regex', source, flags })));
  const doubts = [keys, secondaryKeys].flatMap((list, at) =>
    list.flatMap(({ key, pattern }, place) => {
      const held = sources[at]?.[place];
      const reason = pattern.doubt ?? held?.doubt ?? null;
      return reason === null ? [] : [doubt(LISTS[at] as KeyList, key, held?.source ?? '', reason, dialect)];
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
function unify(patterns: readonly FlaglessPattern[], caseSensitive: boolean, engine: PatternEngine): Unified {
  const cased = patterns.filter(hasCase);
  const isSensitive = cased.length === 0 ? caseSensitive : !cased.every(({ ignoreCase }) => ignoreCase);
  return {
    caseSensitive: isSensitive,
    sources: patterns.map((pattern) => {
      const { source, ignoreCase } = pattern;
      if (!isSensitive || !ignoreCase || !hasCase(pattern)) return { source, doubt: null };
      const both = withBothCases(source, engine);
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
 * What a list of keys decides, as something to be compared. `ours`: keys as SillyTavern finds them, else as the app
 * does.
 */
export function keyDecision(
  entry: KeyedEntry,
  path: KeyList,
  ours: boolean,
  { engine, wordDoubt }: KeyDialect,
): string {
  const { keys, secondaryKeys, scan } = withoutEmpty(entry);
  const options = ours ? optionsOf(entry) : PLAIN;
  const case_ = scan.caseSensitive === true;
  const patterns = [...keys, ...secondaryKeys].map((key): FlaglessPattern => {
    if (ours) return patternOfKey(key, options, engine);
    if (key.kind === 'regex') return { source: key.source, ignoreCase: key.flags === 'i', doubt: null };
    const isWord = scan.matchWholeWords === true;
    if (isWord && isOneWord(key) && wordDoubt(key) === null)
      return patternOfKey(key, optionsOf(entry), engine);
    const word = isWord ? 'whole word: ' : '';
    return { source: word + escapedText(key.text.trim()), ignoreCase: !case_, doubt: null };
  });
  const unified = unify(patterns, case_, engine);
  const own = unified.sources.slice(...(path === 'keys' ? [0, keys.length] : [keys.length]));
  const mine = patterns.slice(...(path === 'keys' ? [0, keys.length] : [keys.length]));
  return JSON.stringify([own.map(({ source }) => source), mine.some(hasCase) && unified.caseSensitive]);
}
