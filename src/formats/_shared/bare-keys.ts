// Keys of apps whose entries have a switch for patterns: where it is on, every key is the bare source of a pattern, and
// whether case counts is the entry's own switch. Facts: Marinara Engine 2.3.3, Lumiverse 1.1.0; no other flag exists there.

import { shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Key } from '../../core/key.ts';
import { literalKey, patternKey, readKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { flag } from './codecs.ts';
import type { EntrySource } from './entry-field.ts';
import { escapedText } from './pattern-parts.ts';

type RawKeys = { readonly entry: JsonObject; readonly extensions: JsonObject };

/** Where an app has the switch. */
export interface KeySwitch {
  readonly at: 'entry' | 'extensions';
  readonly names: readonly string[];
}

/** Marinara's. Where it is off, its importer looks for the /source/flags form. */
export const MARINARA_SWITCH: KeySwitch = { at: 'entry', names: ['useRegex', 'regex'] };

/** Lumiverse's, in a card's book, where /source/flags can only be what somebody else wrote. */
export const LUMIVERSE_SWITCH: KeySwitch = { at: 'extensions', names: ['use_regex'] };

const CASES = ['caseSensitive', 'case_sensitive'] as const;

const firstFlag = (object: JsonObject, names: readonly string[]): boolean | undefined => {
  const held = names.map((name) => object[name]).find((value) => value !== undefined && value !== null);
  return held === undefined ? undefined : flag.decode(held, () => undefined);
};

/** Whether the entry's regex switch is on. */
export const areBarePatterns = (raw: RawKeys, { at, names }: KeySwitch = MARINARA_SWITCH): boolean =>
  firstFlag(at === 'entry' ? raw.entry : raw.extensions, names) === true;

/** The flags that the entry's case switch stands for; off is the default. */
export function bareFlags({ entry, extensions }: RawKeys): '' | 'i' {
  const own = firstFlag(entry, ['case_sensitive', 'caseSensitive']) ?? firstFlag(extensions, CASES);
  return own === true ? '' : 'i';
}

/** A bare source as a key; what does not compile is searched for as text, as Marinara does. */
export function bareKey(text: string, path: string, source: EntrySource): Key {
  const key = patternKey(text.trim(), bareFlags(source));
  if (key !== null) return key;
  if (text !== '') {
    const message = `The pattern ${shown(text)} does not compile, so it is searched for as plain text.`;
    source.note('assumed', path, text, text, message);
  }
  return literalKey(text);
}

/**
 * A plain key of an app that never looks for /source/flags. SillyTavern would take such a text for a pattern, so it
 * becomes the pattern of its characters.
 */
export function plainKey(text: string, source: RawKeys): Key {
  if (readKey(text).key.kind === 'literal') return literalKey(text);
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

/** Sets the switch where an entry has it, under each of its names. */
export function writeSwitch(
  { entry, extensions }: Record<'entry' | 'extensions', Record<string, Json | undefined>>,
  { at, names }: KeySwitch,
  on: boolean,
): void {
  const bag = at === 'entry' ? entry : extensions;
  const held = names.filter((name) => Object.hasOwn(bag, name));
  if (held.length === 0 && !on) return;
  for (const name of held.length === 0 ? names.slice(0, 1) : held) bag[name] = on;
}
