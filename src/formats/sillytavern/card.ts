// SillyTavern's character cards: the CCv2 and CCv3 family, and the flat V1 card that came before.

import type { CharacterAdapter, EmitContext, EmittedCard } from '../../core/adapter.ts';
import type { CanonicalCharacter } from '../../core/character.ts';
import { cardSpecOf, textAt } from '../../core/character.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, withoutKey } from '../../core/json.ts';
import { clearRootSlots, embedCharacterBook } from '../_shared/book-slots.ts';
import { returnedCard } from '../_shared/stashed-books.ts';

/** The name of this dialect. */
export const SILLYTAVERN = 'sillytavern';

// The root fields of a V1 card, in SillyTavern's order; a V2 card repeats them at its root.
const V1_FIELDS = ['name', 'description', 'personality', 'scenario', 'first_mes', 'mes_example'] as const;
// What the oldest files call them (Pygmalion's notepad, which Textgen and Agnai still write).
const OLD_NAMES: Readonly<Record<string, string>> = {
  name: 'char_name',
  description: 'char_persona',
  scenario: 'world_scenario',
  first_mes: 'char_greeting',
  mes_example: 'example_dialogue',
};
// Slots of lorebooks: a flat card's move into its data, so that each book stands in one place.
const BOOK_SLOTS = ['character_book', 'characterBook'] as const;
const EXTENSION_SLOTS = ['character_book', 'character_books'] as const;

/** Cards as SillyTavern 1.19 reads and writes them. */
export const sillytavernCard: CharacterAdapter = {
  id: SILLYTAVERN,
  isCard: (json) => isObject(json) && cardSpecOf(json) !== null,
  toCanonical,
  fromCanonical,
};

// A field of a flat card, also under its old name.
const flatText = (card: JsonObject, key: string): string =>
  textAt(card, key) || textAt(card, OLD_NAMES[key] ?? key);

function toCanonical(file: JsonObject): CanonicalCharacter {
  const card = returnedCard(file);
  const data = isObject(card['data']) ? card['data'] : card;
  const at = (key: string): string => textAt(data, key) || flatText(card, key);
  const name = at('name');
  const tags = data['tags'];
  return {
    id: name,
    name,
    body: {
      name,
      description: at('description'),
      personality: at('personality'),
      scenario: at('scenario'),
      firstMessage: at('first_mes'),
      exampleMessages: at('mes_example'),
      creatorNotes: at('creator_notes') || at('creatorcomment'),
      tags: isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : [],
      extensions: isObject(data['extensions']) ? data['extensions'] : {},
      knowledgeRefs: [],
    },
    original: { [SILLYTAVERN]: { raw: card } },
  };
}

function fromCanonical(character: CanonicalCharacter, context: EmitContext): EmittedCard {
  const raw: Json | undefined = character.original[SILLYTAVERN]?.raw;
  const held = isObject(raw) ? raw : newCard(character);
  // SillyTavern takes a file of old names as JSON alone, and never out of a picture.
  const isOld = !isObject(held['data']) && typeof held['char_name'] === 'string';
  const card = isOld ? asV2(held) : held;
  if (context.lorebooks === undefined) return { card, findings: [] };
  const wrapped = isObject(card['data']) ? card : asV2(card);
  const data = wrapped['data'] as JsonObject;
  const embedded = embedCharacterBook(data, context.lorebooks);
  const root = clearRootSlots(wrapped, context.lorebooks);
  return {
    card: embedded.data === data ? root.card : { ...root.card, data: embedded.data },
    findings: [...embedded.findings, ...root.findings],
  };
}

/**
 * Wraps a flat V1 card as V2, because SillyTavern 1.19 rebuilds a flat card from the fields it knows and drops its
 * book. Every field that the card has is kept: at the root as it stood, and in `data`; its books only in `data`.
 */
export function asV2(card: JsonObject): JsonObject {
  const own = isObject(card['extensions']) ? card['extensions'] : {};
  const bare = EXTENSION_SLOTS.reduce(withoutKey, own);
  const bookless = BOOK_SLOTS.reduce(withoutKey, card);
  const flat = bare === own ? bookless : { ...bookless, extensions: bare };
  const text = (key: string): string => flatText(flat, key);
  const data: Record<string, Json | undefined> = {
    ...card,
    name: text('name'),
    creator_notes: text('creator_notes') || text('creatorcomment'),
    system_prompt: text('system_prompt'),
    post_history_instructions: text('post_history_instructions'),
    alternate_greetings: isArray(flat['alternate_greetings']) ? flat['alternate_greetings'] : [],
    tags: isArray(flat['tags']) ? flat['tags'] : [],
    creator: text('creator'),
    character_version: text('character_version'),
    extensions: own,
  };
  for (const key of V1_FIELDS) if (key !== 'name') data[key] = text(key);
  const { spec: _spec, spec_version: _version, ...clean } = data;
  return { ...flat, spec: 'chara_card_v2', spec_version: '2.0', data: clean };
}

function newCard(character: CanonicalCharacter): JsonObject {
  const { body } = character;
  return asV2({
    name: body.name,
    description: body.description,
    personality: body.personality,
    scenario: body.scenario,
    first_mes: body.firstMessage,
    mes_example: body.exampleMessages,
    creator_notes: body.creatorNotes,
    tags: body.tags,
    extensions: body.extensions,
  });
}

/**
 * A card whose `data.extensions.world` names a world file, or none (""). Works on V2 and V3 cards; a flat card is
 * wrapped first, since it has no place for the link.
 */
export function withWorldLink(card: JsonObject, world: string): JsonObject {
  const wrapped = isObject(card['data']) ? card : asV2(card);
  const data = wrapped['data'] as JsonObject;
  const extensions = isObject(data['extensions']) ? data['extensions'] : {};
  if (extensions['world'] === world) return wrapped;
  return { ...wrapped, data: { ...data, extensions: { ...extensions, world } } };
}
