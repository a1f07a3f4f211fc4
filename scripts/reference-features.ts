// What a lorebook entry can say in SillyTavern, one entry a feature: the README's tables show what becomes of each.

import type { JsonObject } from '../src/core/json.ts';

/** A feature and the entry of a world info file that uses it. */
export interface Feature {
  readonly name: string;
  readonly entry: JsonObject;
}

const of = (name: string, entry: JsonObject): Feature => ({ name, entry });

// A feature of how keys are found needs them to be found in another way than usual.
const whole = (on: boolean): JsonObject => ({ matchWholeWords: on });

/** The features, in the order in which the tables show them. */
export const FEATURES: readonly Feature[] = [
  of('before the character', { position: 0 }),
  of('after the character', { position: 1 }),
  of("top of the author's note", { position: 2 }),
  of("bottom of the author's note", { position: 3 }),
  of('at a depth, as system', { position: 4, depth: 2, role: 0 }),
  of('at a depth, as user', { position: 4, depth: 2, role: 1 }),
  of('at a depth, as assistant', { position: 4, depth: 2, role: 2 }),
  of('before the examples', { position: 5 }),
  of('after the examples', { position: 6 }),
  of('outlet', { position: 7, outletName: 'shelf' }),
  of('constant', { constant: true, key: [] }),
  of('switched off', { disable: true }),
  of('several keys', { key: ['lamp', 'the old light'] }),
  of('a regex', { key: ['/l[ae]mps?/i'] }),
  of('a regex with a lookahead', { key: ['/lamp(?! oil)/'] }),
  of('keys within words', whole(false)),
  of('upper and lower case', { key: ['Lamp'], caseSensitive: true }),
  of('keys in other scripts', { key: ['лампа', '灯'], matchWholeWords: false }),
  of('AND ANY', { keysecondary: ['oil', 'wick'], selectiveLogic: 0 }),
  of('AND ALL', { keysecondary: ['oil', 'wick'], selectiveLogic: 3 }),
  of('NOT ANY', { keysecondary: ['oil', 'wick'], selectiveLogic: 2 }),
  of('NOT ALL', { keysecondary: ['oil', 'wick'], selectiveLogic: 1 }),
  of('probability', { probability: 40, useProbability: true }),
  of('scan depth of its own', { scanDepth: 6 }),
  of('never by other entries', { excludeRecursion: true }),
  of('starts no other entry', { preventRecursion: true }),
  of('only by other entries', { delayUntilRecursion: 1 }),
  of('a group', { group: 'lights', groupWeight: 40 }),
  of('a group that the order decides', { group: 'fires', groupOverride: true }),
  of('sticky', { sticky: 3 }),
  of('cooldown', { cooldown: 3 }),
  of('delay', { delay: 2 }),
  of('only in some generations', { triggers: ['swipe'] }),
  of("also in the character's description", { key: ['quay'], matchCharacterDescription: true }),
  of("also in the user's description", { matchPersonaDescription: true }),
  of('whatever the budget', { ignoreBudget: true }),
  of('found by vectors', { vectorized: true, key: [] }),
];

/** A world info file with one entry a feature. */
export function referenceWorld(): JsonObject {
  const entries = FEATURES.map(({ name, entry }, uid): [string, JsonObject] => [
    String(uid),
    {
      uid,
      key: [`lamp${uid}`],
      keysecondary: [],
      comment: name,
      content: `A note on what it is to be ${name}.`,
      constant: false,
      vectorized: false,
      selective: true,
      selectiveLogic: 0,
      order: 100 + uid,
      position: 1,
      disable: false,
      ...entry,
    },
  ]);
  return { entries: Object.fromEntries(entries) };
}

/** A card whose primary lorebook is the world of that name. */
export function referenceCard(world: string): JsonObject {
  return {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: {
      name: 'Mara Lint',
      description: 'Keeps a light on the north quay.',
      personality: 'Patient.',
      scenario: 'A night without wind.',
      first_mes: 'Come in, it is cold.',
      mes_example: '<START>\n{{user}}: Late?\n{{char}}: Never.',
      creator_notes: '',
      system_prompt: '',
      post_history_instructions: '',
      alternate_greetings: [],
      tags: [],
      creator: '',
      character_version: '',
      extensions: { world },
    },
  };
}
