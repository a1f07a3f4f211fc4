// What is said of a book of Lumiverse's as a whole (1.1.0). Entries that we wrote ourselves say what they mean.

import type { Note } from '../../../core/finding.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isArray, isObject } from '../../../core/json.ts';
import { isOurs } from '../unheeded-settings.ts';
import { noteWholeWords } from '../whole-words.ts';

/** Says it, by the raw entries in any of its forms. */
export function noteLumiverseBook(items: readonly Json[], note: Note): void {
  const own = items.filter(isObject).filter((item) => !isOurs(item) && item['constant'] !== true);
  noteWholeChat(own, note);
  const plain = own.filter((item) => heldIn(item, 'use_regex') !== true);
  const [whole, anywhere] = [true, false].map((isWhole) =>
    plain.filter((item) => (item['match_whole_words'] === true) === isWhole).map(keysOf),
  );
  noteWholeWords(whole ?? [], isFoundAlike, WORDS, note);
  notePadded(anywhere ?? [], note);
}

// At the entry in its own world book, in the extensions in a card's book.
function heldIn(item: JsonObject, name: string): Json | undefined {
  const bag = isObject(item['extensions']) ? item['extensions'] : {};
  return Object.hasOwn(item, name) ? item[name] : bag[name];
}

function noteWholeChat(items: readonly JsonObject[], note: Note): void {
  const count = items.filter((item) => heldIn(item, 'scan_depth') === null).length;
  if (count === 0) return;
  const message = `${count} entries do not say how far back their keys are searched for: in Lumiverse in the whole chat unless its settings say less, in SillyTavern as its settings say.`;
  note('approximated', 'scanDepth', 'the whole chat', 'as SillyTavern is set', message);
}

const LISTS = ['key', 'keys', 'keysecondary', 'secondary_keys'];

const keysOf = (item: JsonObject): readonly Json[] =>
  LISTS.flatMap((name) => {
    const held = item[name];
    return isArray(held) ? held : [];
  });

// Its words end between an ASCII letter, digit or _ and another sign, at both ends of the key.
const isFoundAlike = (key: string): boolean => /^\w(?:\S*\w)?$/.test(key);
const WORDS =
  'SillyTavern finds several words anywhere, and as a word also what begins or ends with another sign, which Lumiverse hardly ever finds.';

function notePadded(lists: readonly (readonly Json[])[], note: Note): void {
  const isPadded = (key: Json): boolean => typeof key === 'string' && key !== key.trim();
  const count = lists.filter((keys) => keys.some(isPadded)).length;
  if (count === 0) return;
  const message = `${count} entries have keys with spaces at their ends: Lumiverse searches for the spaces too, SillyTavern leaves them away.`;
  note('approximated', 'keys', 'with the spaces', 'without the spaces', message);
}
