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

// Trimmed and without empty ones, as RisuAI uses them; a list that holds anything but texts is left to its reader.
const listOf = (value: Json | undefined): readonly string[] =>
  areTexts(value) ? value.map((key) => key.trim()).filter((key) => key !== '') : [];

const areTexts = (value: Json | undefined): value is readonly string[] =>
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

/**
 * Writes the further conditions of an entry as secondary keys with their logic. RisuAI may hold several conditions at
 * once, SillyTavern one: lists that are all needed become one pattern each, of the rest the first kind is kept.
 */
export function plainConditions(
  raw: JsonObject,
  held: Held,
  undo: PlainKeys['undo'],
  entry: Record<string, Json | undefined>,
  extensions: Record<string, Json | undefined>,
  note: Note,
): void {
  const own = listOf(raw['secondary_keys']);
  const isSelective = raw['selective'] === true && own.length > 0;
  const needed = [...(isSelective ? [own] : []), ...held.needed].map(undo);
  const excluded = undo(held.excluded);
  const notAll = held.notAll.map(undo);
  const set = (keys: readonly string[], logic: number): void => {
    entry['secondary_keys'] = keys;
    entry['selective'] = true;
    extensions['selectiveLogic'] = logic;
  };
  const kinds = [needed, excluded, notAll].filter((list) => list.length > 0).length;
  if (kinds === 0) {
    if (areTexts(raw['secondary_keys'])) entry['secondary_keys'] = undo(own);
    return;
  }
  if (needed.length === 1) set(needed[0] ?? [], 0);
  else if (needed.length > 1) set(needed.map(asOneKey), 3);
  else if (excluded.length > 0) set(excluded, 2);
  else set(notAll[0] ?? [], 1);
  const left = [
    ...(needed.length > 0 ? excluded.map((key) => `not ${key}`) : []),
    ...(needed.length + excluded.length > 0 ? notAll : notAll.slice(1)).map(
      (list) => `not all of ${list.join(', ')}`,
    ),
  ];
  if (left.length > 0) {
    const message = `SillyTavern has one condition beside the keys; also asked for there: ${left.join('; ')}.`;
    note('approximated', 'logic', left, null, message);
  } else if (notAll.length > 0 && held.notAll.length > 0) {
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
