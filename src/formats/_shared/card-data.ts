// The data of a character's card as a target's writer takes it: texts are texts, whatever stood there.

import type { CanonicalCharacter } from '../../core/character.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import { withoutOwnersNote } from './owners-note.ts';

/** The texts of a card that CCv3 names and every app of the family has. */
export const CARD_TEXTS = [
  'name',
  'description',
  'personality',
  'scenario',
  'first_mes',
  'mes_example',
  'creator_notes',
  'system_prompt',
  'post_history_instructions',
  'creator',
  'character_version',
] as const;

/**
 * Fields of a card that are the user's own, written by SillyTavern 1.19 into cards and lists (public/script.js,
 * createOrEditCharacter; characters.js, processCharacter): the chat's name, dates and sizes, the name of the picture's file.
 */
export const OF_THE_USER = [
  'chat',
  'avatar',
  'create_date',
  'date_added',
  'date_last_chat',
  'chat_size',
  'data_size',
  'json_data',
  'shallow',
] as const;

/** Where books stand in a card, whether it is a favourite, and fields that are the user's own. */
export const NOT_OF_THE_CARD: readonly string[] = ['character_book', 'characterBook', 'fav', ...OF_THE_USER];

/**
 * The data of the card that a character was read from; of a character without one, what we know of it. A flat card's
 * root also holds what is the user's own: only `known`, the names that the target knows, are taken of it.
 */
export function rawCardData(character: CanonicalCharacter, known: readonly string[]): JsonObject {
  const card = Object.values(character.original)
    .map(({ raw }) => raw)
    .find(isObject);
  if (card !== undefined && isObject(card['data'])) return withoutOwnersNote(card['data']);
  const { body } = character;
  const own: JsonObject = {
    name: body.name,
    description: body.description,
    personality: body.personality,
    scenario: body.scenario,
    first_mes: body.firstMessage,
    mes_example: body.exampleMessages,
    creator_notes: body.creatorNotes,
    tags: body.tags,
    extensions: body.extensions,
  };
  const flat = card ?? {};
  const others = known.filter((key) => flat[key] !== undefined && own[key] === undefined);
  return { ...own, ...Object.fromEntries(others.map((key) => [key, flat[key]])) };
}

/** A value as a text; "" for what is none. */
export const asText = (value: Json | undefined): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';

/** A value as a list of texts; a text alone is a list of one. */
export const asTexts = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  const items = isArray(value) ? value : [];
  return items.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
};
