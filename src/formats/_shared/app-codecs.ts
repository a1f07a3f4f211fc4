// Values as other apps of SillyTavern's family write them (Marinara Engine 2.3.3, Lumiverse 1.1.0): words where it has
// numbers, no "as the reader is set".

import type { Note } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import type { Codec } from './codecs.ts';
import { anyNumber, flag, numberWithin } from './codecs.ts';
import { groupNames } from './group-names.ts';

const quiet = (): void => undefined;

/** Any value of a choice, read from words or numbers without a remark and written as the app's word. */
export function inWords<T>(codec: Codec<T>): Codec<T> {
  return {
    ...codec,
    decode: (raw, mend) => codec.decode(raw, typeof raw === 'string' ? quiet : mend),
    encode: (value) => codec.say?.(value) ?? codec.encode(value),
  };
}

/** A choice that is written as a number although words are read as well. */
export function inNumbers<T>(codec: Codec<T>): Codec<T> {
  return { ...codec, decode: (raw, mend) => codec.decode(raw, typeof raw === 'string' ? quiet : mend) };
}

/** True or false where SillyTavern may also inherit; null there is false here. */
export const caseFlag: Codec<boolean | null> = {
  decode: flag.decode,
  encode: (value) => value === true,
  same: (a, b) => (a === true) === (b === true),
};

/** A delayed recursion without levels. */
export const delayFlag: Codec<number> = {
  decode: (raw, mend) => {
    const value = typeof raw === 'number' ? raw !== 0 : flag.decode(raw, mend);
    return value === undefined ? undefined : value ? 1 : 0;
  },
  encode: (value) => value > 0,
  same: (a, b) => a > 0 === b > 0,
};

/**
 * Says of an entry of an app that has one group for each that SillyTavern parts its name at commas. The name is kept: it
 * mostly comes from SillyTavern.
 */
export function noteGroup({ group }: Pick<LorebookEntry, 'group'>, note: Note): void {
  const names = groupNames({ group });
  if (group.name === '' || (names.length === 1 && names[0] === group.name)) return;
  const message = 'This is the name of one group there; SillyTavern parts it at its commas into several.';
  note('approximated', 'group.name', [group.name], names, message);
}

/**
 * Switches off what an entry of an app leaves unsaid that inherits nothing. A field of SillyTavern's own in the extensions
 * is another's word, also where it says nothing.
 */
export function switchOffUnsaid(extensions: JsonObject, draft: EntryDraft): void {
  const isUnsaid = (name: string): boolean => !Object.hasOwn(extensions, name);
  const { caseSensitive, matchWholeWords } = draft.scan;
  if (caseSensitive === null && isUnsaid('case_sensitive'))
    draft.scan = { ...draft.scan, caseSensitive: false };
  if (matchWholeWords === null && isUnsaid('match_whole_words'))
    draft.scan = { ...draft.scan, matchWholeWords: false };
}

/** A weight in Marinara's way: below 0 is 0. */
export const weightFromZero: Codec<number> = numberWithin(0, Number.MAX_VALUE);

/** A weight in Lumiverse's way: 0 counts as 1. */
export const weightAboveZero: Codec<number> = {
  ...anyNumber,
  decode: (raw, mend) => {
    const weight = anyNumber.decode(raw, mend);
    if (weight !== 0) return weight;
    mend('counts as 1 there');
    return 1;
  },
};
