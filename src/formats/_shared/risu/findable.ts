// Keys that RisuAI looks for in another way than SillyTavern, or never finds (460ecae2, seen by running its lore engine):
// its patterns work in one form only, and its whole words are what stands between two spaces.

import type { Note } from '../../../core/finding.ts';
import type { JsonObject } from '../../../core/json.ts';
import { readKey } from '../../../core/key.ts';
import type { Held } from './held.ts';
import { patternOfWorkingForm } from './key-form.ts';

// The first of several is spoilt after the first message, so it must stand there twice.
const isFound = (list: readonly string[]): boolean =>
  list.length === 0 || (list[0] === list[1] && list.every((key) => patternOfWorkingForm(key) !== null));

// SillyTavern takes it for one, or it is read as what it was made of.
const isPatternHere = (key: string): boolean =>
  readKey(key).key.kind === 'regex' || patternOfWorkingForm(key) !== null;

/**
 * Says of an entry's keys, and of the further lists that it asks for, what RisuAI does otherwise with them. `keys` and
 * `further` are as they are written there.
 */
export function noteUnfound(
  raw: JsonObject,
  held: Held,
  keys: readonly string[],
  further: readonly (readonly string[])[],
  note: Note,
): void {
  const near = (path: string, list: readonly string[], message: string): void =>
    note('approximated', path, list, 'as SillyTavern finds it', message);
  if (raw['use_regex'] === true) {
    if (!isFound(keys)) {
      near('keys', keys, `RisuAI itself hardly finds “${keys[0]}” as a pattern; SillyTavern does.`);
    }
    const [unfound] = further.filter((list) => !isFound(list));
    if (unfound !== undefined) {
      near(
        'secondaryKeys',
        unfound,
        `RisuAI itself hardly finds “${unfound[0]}” as a pattern; SillyTavern does.`,
      );
    }
    return;
  }
  const all = [...keys, ...further.flat()];
  // A V2 card does not say whether keys are patterns; RisuAI itself then takes them for text.
  const pattern = all.find(isPatternHere);
  if (pattern !== undefined) {
    near(
      'keys',
      [pattern],
      `RisuAI looks for “${pattern}” as it is written; SillyTavern takes it for a pattern.`,
    );
  }
  if (held.wholeWord !== true || all.length === 0) return;
  const several = all.find((key) => /\s/.test(key));
  const message =
    several === undefined
      ? 'A whole word stands between spaces in RisuAI; in SillyTavern between any signs that are no letters.'
      : `RisuAI finds no key of several words as a whole word (“${several}”); SillyTavern finds it anywhere.`;
  near('scan.matchWholeWords', all, message);
}
