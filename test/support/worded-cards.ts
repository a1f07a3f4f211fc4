// Cards of apps that write a lorebook in the standard's words, with fields that SillyTavern does not read, and what a
// world file must say of each entry.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/core/json.ts';

const DIALECTS = join(import.meta.dirname, '../fixtures/dialects');

/** A card of an app's. */
export interface WordedCard {
  readonly app: 'wyvern' | 'chub' | 'rolecall';
  readonly character: string;
  readonly world: string;
  readonly card: JsonObject;
  /** The slot in which the book stands. */
  readonly slot: string;
  /** What a world file must say, in SillyTavern's names. */
  readonly entries: readonly JsonObject[];
}

function fixture(name: string, character: string, world: string): JsonObject {
  const card = JSON.parse(readFileSync(join(DIALECTS, name), 'utf8')) as JsonObject & { data: JsonObject };
  const named = (book: unknown): JsonObject => ({ ...(book as JsonObject), name: world });
  const data = { ...card.data, name: character, character_book: named(card.data['character_book']) };
  if (card['character_book'] === undefined) return { ...card, data };
  return { ...card, name: character, character_book: named(card['character_book']), data };
}

const rolecallEntry = (
  id: number,
  name: string,
  extensions: JsonObject,
  more: JsonObject = {},
): JsonObject => ({
  id,
  name,
  keys: [name.toLowerCase()],
  secondary_keys: [],
  content: `${name} of Kiln Row.`,
  enabled: true,
  insertion_order: 100 + id,
  constant: false,
  selective: false,
  extensions,
  ...more,
});

/** RoleCall's words for its places; its V2 writer puts the book into the card's extensions, its V3 writer does not. */
export function rolecallData(slot: 'character_book' | 'extensions'): JsonObject {
  const book: JsonObject = {
    name: 'Kiln Row lore',
    entries: [
      rolecallEntry(0, 'Kiln', { position: 'depth', depth: 2, role: 2 }),
      rolecallEntry(1, 'Yard', { position: 'world' }),
      rolecallEntry(
        2,
        'Glaze',
        { position: 'before_example', selectiveLogic: 'not_all' },
        {
          selective: true,
          secondary_keys: ['clay', 'slip'],
        },
      ),
      rolecallEntry(3, 'Market', { position: 'scene' }, { sticky: 2, match_whole_words: true }),
    ],
  };
  const extensions = { rolecall: { tagline: 'Throws pots.', content_rating: 'all_hours' } };
  return {
    name: 'Otto Brand',
    description: 'Keeps the kiln.',
    personality: '',
    scenario: '',
    first_mes: 'Mind the heat.',
    mes_example: '',
    creator_notes: '',
    system_prompt: '',
    post_history_instructions: '',
    alternate_greetings: ['The kiln is cold.'],
    tags: ['pottery'],
    creator: '',
    character_version: '',
    ...(slot === 'extensions'
      ? { extensions: { ...extensions, character_book: book } }
      : { extensions, character_book: book }),
  };
}

const rolecall = (slot: 'character_book' | 'extensions'): JsonObject =>
  slot === 'extensions'
    ? { spec: 'chara_card_v2', spec_version: '2.0', data: rolecallData(slot) }
    : { spec: 'chara_card_v3', spec_version: '3.0', data: rolecallData(slot) };

const ROLECALL: Omit<WordedCard, 'card' | 'slot'> = {
  app: 'rolecall',
  character: 'Otto Brand',
  world: 'Kiln Row lore',
  entries: [
    { comment: 'Kiln', key: ['kiln'], position: 4, depth: 2, role: 2, disable: false },
    { comment: 'Yard', key: ['yard'], position: 0 },
    {
      comment: 'Glaze',
      key: ['glaze'],
      position: 5,
      keysecondary: ['clay', 'slip'],
      selective: true,
      selectiveLogic: 1,
    },
    { comment: 'Market', key: ['market'], position: 0, sticky: 2, matchWholeWords: true },
  ],
};

/** One card of each. */
export const WORDED_CARDS: readonly WordedCard[] = [
  { ...ROLECALL, card: rolecall('extensions'), slot: 'data.extensions.character_book' },
  {
    app: 'wyvern',
    character: 'Tove Arden',
    world: 'Weir Notes',
    card: fixture('wyvern-card.json', 'Tove Arden', 'Weir Notes'),
    slot: 'data.character_book',
    entries: [
      {
        comment: 'The weir',
        content: 'Eels pass the weir in autumn.',
        key: ['weir'],
        keysecondary: ['eel'],
        selective: true,
        selectiveLogic: 0,
        position: 0,
        order: 10,
        disable: false,
        caseSensitive: false,
        matchWholeWords: true,
        matchPersonaDescription: true,
        sticky: 2,
        cooldown: 3,
      },
      {
        comment: 'The wheel',
        key: ['wheel'],
        keysecondary: ['frost', 'ice'],
        selective: true,
        selectiveLogic: 2,
        position: 1,
        order: 20,
        disable: true,
        caseSensitive: true,
        matchWholeWords: false,
      },
    ],
  },
  {
    app: 'chub',
    character: 'Liv Hagen',
    world: 'Mill Notes',
    card: fixture('chub-card.json', 'Liv Hagen', 'Mill Notes'),
    slot: 'data.character_book',
    entries: [
      {
        comment: 'Entry 1',
        key: ['key1'],
        position: 0,
        probability: 80,
        // Chub's own spelling was never applied.
        excludeRecursion: false,
      },
      { comment: 'Weir', key: ['key2'], position: 1 },
      { comment: 'Entry 3', key: ['key3'], position: 0 },
      {
        comment: 'Entry 4',
        key: ['key4'],
        position: 2,
        probability: 50,
        keysecondary: ['eel'],
        selective: true,
        selectiveLogic: 2,
      },
      { comment: 'Entry 5', key: ['key5'], position: 4, depth: 9, excludeRecursion: false },
    ],
  },
];

/** All cards of the kind, also where an app has a second way to write one. */
export const ALL_WORDED_CARDS: readonly (readonly [string, WordedCard])[] = [
  ...WORDED_CARDS.map((each) => [`${each.app} in ${each.slot}`, each] as const),
  [
    'rolecall in data.character_book',
    { ...ROLECALL, card: rolecall('character_book'), slot: 'data.character_book' },
  ],
  [
    'rolecall without an envelope',
    { ...ROLECALL, card: rolecallData('character_book'), slot: 'character_book' },
  ],
];
