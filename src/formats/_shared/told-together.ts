// Fields of an app's own entry that are written together, since one value there says several of them (see `own-twin.ts`).

import { sameJson } from '../../core/json.ts';
import type { Key } from '../../core/key.ts';
import { writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';

/** Fields of which one value of the app's says several. */
export interface Together {
  readonly paths: readonly string[];
  /** Those of them that bring the others along when they are edited; all of them, where none are named. */
  readonly by?: readonly string[];
  /** Those of them at which it is said what the others do there. */
  readonly saidAt?: readonly string[];
  /** Whether they stand apart after all: by the entry, how the app would be told it, and how it reads now. */
  readonly areApart?: (source: LorebookEntry, told: LorebookEntry, read: LorebookEntry) => boolean;
}

const isText = ({ kind }: Key): boolean => kind === 'literal';
const hasTexts = ({ keys, secondaryKeys }: LorebookEntry): boolean =>
  [...keys, ...secondaryKeys].every(isText);

const textsOf = ({ keys, secondaryKeys }: LorebookEntry): readonly string[] =>
  [...keys, ...secondaryKeys].map((key) => writeKey(key).trim());
// No app finds another one as a whole word as SillyTavern does.
const hasWordEdges = (text: string): boolean => /^\w(?:[\s\S]*\w)?$/.test(text);

// Whether whole words are asked for anew, or of a new key that cannot be found as one.
const isOfWords = (source: LorebookEntry, told: LorebookEntry, read: LorebookEntry): boolean => {
  if (source.scan.matchWholeWords !== read.scan.matchWholeWords) return true;
  if (source.scan.matchWholeWords !== true || told.scan.matchWholeWords === true) return false;
  const held = textsOf(read);
  return textsOf(source).some((text) => !hasWordEdges(text) && !held.includes(text));
};

/** One switch makes all keys patterns, and gives them their case: texts stand by themselves. */
export const KEYS_TOGETHER: Together = {
  paths: ['keys', 'secondaryKeys', 'scan.caseSensitive', 'scan.matchWholeWords'],
  saidAt: ['keys', 'secondaryKeys'],
  areApart: (source, told, read) => hasTexts(told) && hasTexts(read) && !isOfWords(source, told, read),
};

const SLOT = ['position.slot'];
const isSameSlot = (source: LorebookEntry, told: LorebookEntry): boolean =>
  source.position.slot === told.position.slot;

/** Where an entry stands; what cannot be said there has another depth and role, or is switched off. */
export const PLACE_TOGETHER: readonly Together[] = [
  { paths: ['position.slot', 'position.outlet'], by: SLOT },
  {
    paths: ['position.slot', 'position.depth', 'position.role', 'enabled'],
    by: SLOT,
    areApart: isSameSlot,
  },
  {
    paths: ['triggers', 'enabled'],
    by: ['triggers'],
    areApart: (source, told) => sameJson(source.triggers, told.triggers),
  },
];
