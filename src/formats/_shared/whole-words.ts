// Keys that are to be found as whole words. What a word is, every app decides in its own way; SillyTavern 1.19 looks for
// the ends of a single word, which every sign but ASCII letters, digits and _ is, and finds several words anywhere.

import type { Note } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';

/**
 * Says once of an app's book that some of its keys are found in other places in SillyTavern.
 *
 * @param lists the keys of each entry that asks for whole words
 * @param isFoundAlike whether a key is found in the same places
 * @param why what SillyTavern does
 */
export function noteWholeWords(
  lists: readonly (readonly Json[])[],
  isFoundAlike: (key: string) => boolean,
  why: string,
  note: Note,
): void {
  const isOther = (key: Json): boolean => typeof key === 'string' && key.trim() !== '' && !isFoundAlike(key);
  const count = lists.filter((keys) => keys.some(isOther)).length;
  if (count === 0) return;
  const message = `${count} entries ask for whole words with keys for which that means something else here: ${why}`;
  note('approximated', 'scan.matchWholeWords', 'whole words', 'whole words of SillyTavern’s', message);
}
