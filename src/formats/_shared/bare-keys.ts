// Keys of apps whose entries have a switch for patterns: where it is on, every key is the bare source of a pattern, and
// whether case counts is the entry's own switch. Facts: Marinara Engine 2.3.3, Lumiverse 1.1.0; no other flag exists there.

import { shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Key } from '../../core/key.ts';
import { literalKey, patternKey, readKey, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { flag } from './codecs.ts';
import type { EntrySource } from './entry-field.ts';
import { isRunByMarinara } from './marinara/pattern-safety.ts';
import { escapedText, partsOf } from './pattern-parts.ts';

type RawKeys = { readonly entry: JsonObject; readonly extensions: JsonObject };

/** Where an app has the switch. */
export interface KeySwitch {
  readonly at: 'entry' | 'extensions';
  readonly names: readonly string[];
  readonly app: string;
  /** Whether it leaves spaces round a key away. */
  readonly trims: boolean;
  /** Whether it runs a pattern that compiles. */
  readonly runs: (pattern: string) => boolean;
  /** Whether it searches for the text of a pattern that does not run; else it never finds it. */
  readonly searchesText: boolean;
}

/** Marinara's. */
export const MARINARA_SWITCH: KeySwitch = {
  at: 'entry',
  names: ['useRegex', 'regex'],
  app: 'Marinara',
  trims: true,
  runs: isRunByMarinara,
  searchesText: true,
};

/** Lumiverse's, in a card's book. */
export const LUMIVERSE_SWITCH: KeySwitch = {
  at: 'extensions',
  names: ['use_regex'],
  app: 'Lumiverse',
  trims: false,
  runs: () => true,
  searchesText: false,
};

/** Lumiverse's, in its own world book. */
export const LUMIVERSE_OWN_SWITCH: KeySwitch = { ...LUMIVERSE_SWITCH, at: 'entry' };

const CASES = ['caseSensitive', 'case_sensitive'] as const;

const firstFlag = (object: JsonObject, names: readonly string[]): boolean | undefined => {
  const held = names.map((name) => object[name]).find((value) => value !== undefined && value !== null);
  return held === undefined ? undefined : flag.decode(held, () => undefined);
};

/** What the entry's regex switch says; undefined where it has none. */
export const switchOf = (raw: RawKeys, { at, names }: KeySwitch): boolean | undefined =>
  firstFlag(at === 'entry' ? raw.entry : raw.extensions, names);

/** Whether the entry's regex switch is on. */
export const areBarePatterns = (raw: RawKeys, own: KeySwitch = MARINARA_SWITCH): boolean =>
  switchOf(raw, own) === true;

/** The flags that the entry's case switch stands for; off is the default. */
export function bareFlags({ entry, extensions }: RawKeys): '' | 'i' {
  const own = firstFlag(entry, ['case_sensitive', 'caseSensitive']) ?? firstFlag(extensions, CASES);
  return own === true ? '' : 'i';
}

/** A bare source as a key; a pattern that the app does not run is read as its text. */
export function bareKey(text: string, path: string, source: EntrySource, own: KeySwitch): Key {
  const pattern = own.trims ? text.trim() : text;
  const key = patternKey(pattern, bareFlags(source));
  const runs = key !== null && own.runs(pattern);
  if (runs && asksForAnEnd(pattern)) {
    const message = `${shown(text)} asks with ^ or $ for an end of the text that is searched: SillyTavern begins that with the newest message and a sign of its own.`;
    source.note('approximated', path, text, writeKey(key), message);
  }
  if (runs || pattern === '') return key ?? literalKey(text);
  const why = key === null ? 'does not compile' : `is one that ${own.app} refuses`;
  const what = own.searchesText
    ? `so ${own.app} searches for its text; so it is read`
    : `so ${own.app} never finds it; here it is searched for as plain text`;
  source.note('assumed', path, text, text, `The pattern ${shown(text)} ${why}, ${what}.`);
  return own.searchesText ? keyAnywhere(pattern, source) : plainKey(pattern, source);
}

// The ends of a word as patterns have them are no ends of the text.
const WORD_ENDS = /\(\?:[\^$]\|\\W\)/g;
const asksForAnEnd = (pattern: string): boolean =>
  partsOf(pattern.replace(WORD_ENDS, '')).some(({ kind }) => kind === 'anchor');

/**
 * A plain key of an app that never looks for /source/flags. SillyTavern would take such a text for a pattern, so it
 * becomes the pattern of its characters.
 */
export function plainKey(text: string, source: RawKeys): Key {
  if (readKey(text).key.kind === 'literal') return literalKey(text);
  return patternKey(escapedText(text), bareFlags(source)) ?? literalKey(text);
}

const WORDS = ['matchWholeWords', 'match_whole_words'] as const;

// Where whole words are asked for, a text that is found anywhere is the pattern of its characters.
function keyAnywhere(text: string, source: RawKeys): Key {
  const isWhole = (firstFlag(source.entry, WORDS) ?? firstFlag(source.extensions, WORDS)) === true;
  if (!isWhole) return plainKey(text, source);
  return patternKey(escapedText(text), bareFlags(source)) ?? literalKey(text);
}

/** The bare sources of an entry's keys, or null when some are no patterns or have other flags than the switch. */
export function bareSources(
  entry: LorebookEntry,
  flags: string,
): Readonly<Record<'keys' | 'secondaryKeys', readonly string[]>> | null {
  const sources = (list: readonly Key[]): readonly (string | null)[] =>
    list.map((key) =>
      key.kind === 'regex' && key.flags === flags && isStable(key.source) ? key.source : null,
    );
  const [keys, secondaryKeys] = [sources(entry.keys), sources(entry.secondaryKeys)];
  if (keys.length + secondaryKeys.length === 0) return null;
  const all = (list: readonly (string | null)[]): list is readonly string[] => !list.includes(null);
  return all(keys) && all(secondaryKeys) ? { keys, secondaryKeys } : null;
}

// Marinara trims every key before it uses it.
const isStable = (source: string): boolean => source === source.trim();

/**
 * Sets the switch where an entry has it, under each of its names. `absent`: without it keys are read as SillyTavern reads
 * them, so that an entry can have plain ones beside patterns.
 */
export function writeSwitch(
  { entry, extensions }: Record<'entry' | 'extensions', Record<string, Json | undefined>>,
  { at, names }: Pick<KeySwitch, 'at' | 'names'>,
  on: boolean | 'absent',
): void {
  const bag = at === 'entry' ? entry : extensions;
  const held = names.filter((name) => Object.hasOwn(bag, name));
  if (on === 'absent') for (const name of held) delete bag[name];
  if (on === 'absent' || (held.length === 0 && !on)) return;
  for (const name of held.length === 0 ? names.slice(0, 1) : held) bag[name] = on;
}
