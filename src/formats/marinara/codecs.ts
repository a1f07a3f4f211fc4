// Values as Marinara writes them (Marinara Engine 2.3.3): words where SillyTavern has numbers, no "as the reader is set".

import type { Json } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { Slot } from '../../core/position.ts';
import type { Codec } from '../_shared/codecs.ts';
import { anyNumber, flag, numberOrInherit, numberWithin } from '../_shared/codecs.ts';
import type { Lens } from '../_shared/entry-field.ts';

/** The opposite of `vectorized`. */
export const vectorsOff: Codec<boolean> = {
  decode: (raw, mend) => {
    const value = flag.decode(raw, mend);
    return value === undefined ? undefined : !value;
  },
  encode: (value) => !value,
  same: Object.is,
};

/** A whole number. */
export const wholeNumber: Codec<number> = { ...anyNumber, encode: Math.round };

/** A chance in percent, null for always: one value here where SillyTavern has two. */
export const chanceLens: Lens<number | null> = {
  path: 'probability.chance',
  get: ({ probability }) => (probability.used && probability.chance < 100 ? probability.chance : null),
  set: (draft, value) => {
    const chance = value ?? 100;
    draft.probability = chance === 100 ? { chance, used: true } : { chance, used: true };
  },
};

const percent = numberWithin(0, 100);
/** The codec of that value. */
export const chance: Codec<number | null> = {
  decode: (raw, mend) => percent.decode(raw, mend),
  encode: (value) => value,
  same: numberOrInherit.same,
};

/** How a form of Marinara's names the slots that it has; the first name is written. */
export type SlotNames = readonly (readonly [Slot, Json, ...Json[]])[];

/** In a card: CCv2's words, SillyTavern's numbers for the rest. Newer versions know 7. */
export const CARD_SLOTS: SlotNames = [
  ['world', 'before_char', 0],
  ['character', 'after_char', 1],
  ['depth', 4, 'at_depth', 'depth'],
  ['outlet', 7, 'outlet'],
];

/** In a native lorebook: numbers of its own. Newer versions know 7. */
export const NATIVE_SLOTS: SlotNames = [
  ['world', 0, 'before_char'],
  ['character', 1, 'after_char'],
  ['depth', 2, 'at_depth', 'depth'],
  ['outlet', 7, 'outlet'],
];

/** In a compatible lorebook: SillyTavern's numbers. */
export const COMPATIBLE_SLOTS: SlotNames = [
  ['world', 0, 'before_char'],
  ['character', 1, 'after_char'],
  ['depth', 4, 'at_depth', 'depth'],
  ['outlet', 7, 'outlet'],
];

/** What triggers are called there; SillyTavern's `quiet` has no counterpart (2.3.3). */
export const TRIGGER_NAMES: readonly (readonly [string, string])[] = [
  ['normal', 'chat'],
  ['continue', 'continue'],
  ['impersonate', 'impersonate'],
  ['swipe', 'swipe'],
  ['regenerate', 'regenerate'],
];

/** What further texts to search are called there; it has none for the depth prompt and the creator's notes. */
export const SOURCE_NAMES: readonly (readonly [keyof LorebookEntry['sources'], string])[] = [
  ['personaDescription', 'persona_description'],
  ['characterDescription', 'character_description'],
  ['characterPersonality', 'character_personality'],
  ['scenario', 'character_scenario'],
];
