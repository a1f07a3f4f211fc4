// RisuAI's keys and further conditions, said in SillyTavern's words (460ecae2).

import type { Note } from '../../../core/finding.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isArray } from '../../../core/json.ts';
import type { Held } from './held.ts';
import { literalOfPattern, patternOfWorkingForm, withoutDoubled } from './key-form.ts';

/** Keys, and how all of them are looked for where their patterns tell. */
export interface PlainKeys {
  readonly keys: Json | undefined;
  readonly wholeWord: boolean | null;
  readonly caseSensitive: boolean | null;
  /** The same for a list of further keys of the entry. */
  readonly undo: (list: readonly string[]) => readonly string[];
}

interface Options {
  readonly wholeWord: boolean;
  readonly caseSensitive: boolean;
}

/** Reads an entry's keys: patterns in RisuAI's working form become what they were made of. */
export function plainKeys(raw: JsonObject): PlainKeys {
  const keys = listOf(raw['keys']);
  const options = optionsOf([...keys, ...listOf(raw['secondary_keys']), ...keysInDecorators(raw)]);
  const undo = (list: readonly string[]): readonly string[] =>
    withoutDoubled(list).map((key) => undone(key, options));
  return {
    keys: areTexts(raw['keys']) ? undo(keys) : raw['keys'],
    wholeWord: options?.wholeWord ?? null,
    caseSensitive: options?.caseSensitive ?? null,
    undo,
  };
}

/** Keys trimmed and without empty ones, as RisuAI uses them; a list that holds anything but texts is left to its reader. */
export const listOf = (value: Json | undefined): readonly string[] =>
  areTexts(value) ? value.map((key) => key.trim()).filter((key) => key !== '') : [];

/** Whether a value is a list of texts. */
export const areTexts = (value: Json | undefined): value is readonly string[] =>
  isArray(value) && value.every((item) => typeof item === 'string');

// Only to see whether all plain keys are looked for alike.
function keysInDecorators(raw: JsonObject): readonly string[] {
  const content = typeof raw['content'] === 'string' ? raw['content'] : '';
  const found = content.matchAll(/^\s*@@(?:additional_keys|exclude_keys|exclude_keys_all) (.*)$/gm);
  return [...found].flatMap(([, list = '']) => list.split(',').map((key) => key.trim()));
}

function optionsOf(keys: readonly string[]): Options | null {
  const found = keys.flatMap((key): readonly Options[] => {
    const pattern = patternOfWorkingForm(key);
    const literal = pattern === null ? null : literalOfPattern(pattern.source);
    if (pattern === null || literal === null) return [];
    return [{ wholeWord: literal.wholeWord, caseSensitive: !pattern.flags.includes('i') }];
  });
  const [first] = found;
  if (first === undefined) return null;
  return { ...first, wholeWord: found.some(({ wholeWord }) => wholeWord) };
}

function undone(key: string, options: Options | null): string {
  const pattern = patternOfWorkingForm(key);
  if (pattern === null) return key;
  const literal = literalOfPattern(pattern.source);
  const isAlike =
    literal !== null &&
    options !== null &&
    // SillyTavern finds a key of several words anywhere.
    literal.wholeWord === (options.wholeWord && !/\s/.test(literal.text)) &&
    !pattern.flags.includes('i') === options.caseSensitive &&
    /^[gi]*$/.test(pattern.flags);
  return isAlike ? literal.text : `/${pattern.source}/${pattern.flags}`;
}

/** What an entry asks for beside its keys. */
export interface Conditions {
  /** Of each list one key is needed. */
  readonly needed: readonly (readonly string[])[];
  /** Lists of which none may be found. */
  readonly excluded: readonly (readonly string[])[];
  /** Lists of which not every key may be found. */
  readonly notAll: readonly (readonly string[])[];
  /** Whether it asks for a key out of a list without one, which nothing fulfils. */
  readonly isHopeless: boolean;
}

/** The conditions of an entry as RisuAI has them: its second keys, and those of its decorators. */
export function conditionsOf(raw: JsonObject, held: Held): Conditions {
  const own = listOf(raw['secondary_keys']);
  // RisuAI joins the list and looks whether there is any text in it, be it a comma.
  const isSelective = raw['selective'] === true && hasText(raw['secondary_keys']);
  const needed = [...(isSelective ? [own] : []), ...held.needed];
  const hasEmpty = needed.some((list) => list.length === 0);
  // A list of patterns without a pattern excludes nothing, one of plain keys everything.
  const isBarred = raw['use_regex'] !== true && held.notAll.some((list) => list.length === 0);
  return {
    needed,
    excluded: held.excluded,
    notAll: held.notAll.filter((list) => list.length > 0),
    isHopeless: hasEmpty || isBarred,
  };
}

/** Whether a list of keys is any text at all, as RisuAI joins it. */
export const hasText = (value: Json | undefined): boolean => areTexts(value) && value.join(', ') !== '';

/**
 * Writes the further conditions of an entry as secondary keys with their logic. RisuAI may hold several conditions at
 * once, SillyTavern one: lists that are all needed become one pattern each, of the rest the first kind is kept. `note`
 * is null where no condition is asked.
 */
export function plainConditions(
  raw: JsonObject,
  conditions: Conditions,
  undo: PlainKeys['undo'],
  entry: Record<string, Json | undefined>,
  extensions: Record<string, Json | undefined>,
  note: Note | null,
): void {
  const needed = conditions.needed.filter((list) => list.length > 0).map(undo);
  const excluded = conditions.excluded.flatMap(undo);
  const notAll = conditions.notAll.map(undo);
  const set = (keys: readonly string[], logic: number): void => {
    entry['secondary_keys'] = keys;
    entry['selective'] = true;
    extensions['selectiveLogic'] = logic;
  };
  const kinds = [needed, excluded, notAll].filter((list) => list.length > 0).length;
  if (kinds === 0) {
    if (areTexts(raw['secondary_keys'])) entry['secondary_keys'] = undo(listOf(raw['secondary_keys']));
    return;
  }
  if (needed.length === 1) set(needed[0] ?? [], 0);
  else if (needed.length > 1) set(needed.map(asOneKey), 3);
  else if (excluded.length > 0) set(excluded, 2);
  else set(notAll[0] ?? [], 1);
  if (note === null) return;
  const left = [
    ...(needed.length > 0 ? excluded.map((key) => `not ${key}`) : []),
    ...(needed.length + excluded.length > 0 ? notAll : notAll.slice(1)).map(
      (list) => `not all of ${list.join(', ')}`,
    ),
  ];
  if (left.length > 0) {
    const message = `SillyTavern has one condition beside the keys; also asked for there: ${left.join('; ')}.`;
    note('approximated', 'logic', left, null, message);
  } else if (notAll.length > 0) {
    const message =
      'RisuAI asks whether every single message holds all of them; SillyTavern looks at the messages together.';
    note('approximated', 'logic', '@@exclude_keys_all', 'not_all', message);
  }
}

// Several keys of which one is needed, as one key.
function asOneKey(list: readonly string[]): string {
  const [only] = list;
  if (list.length === 1 && only !== undefined) return only;
  const parts = list.map((key) => {
    const [, source] = /^\/([\s\S]+)\/[a-z]*$/.exec(key) ?? [];
    return source ?? key.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  });
  return `/${parts.join('|')}/i`;
}
