// A character in nobody's dialect, beside its raw twin.

import type { Json, JsonObject } from './json.ts';
import { isObject } from './json.ts';
import type { Escrow } from './lorebook.ts';

/** What we know of a character ourselves. The rest of the card is carried by its raw twin. */
export interface CharacterBody {
  readonly name: string;
  readonly description: string;
  readonly personality: string;
  readonly scenario: string;
  readonly firstMessage: string;
  readonly exampleMessages: string;
  readonly creatorNotes: string;
  readonly tags: readonly string[];
  readonly extensions: JsonObject;
  /** Ids of the character's lorebooks, the primary one first. */
  readonly knowledgeRefs: readonly string[];
}

/** A character with its raw card, keyed by the dialect that the card came from. */
export interface CanonicalCharacter {
  readonly id: string;
  readonly name: string;
  readonly body: CharacterBody;
  readonly original: Readonly<Record<string, Escrow>>;
}

/** The version of a card's envelope. */
export type CardSpec = 'chara_card_v3' | 'chara_card_v2' | 'v1';

/**
 * What a card says it is; null when it is no card at all. A foreign `spec` beside a `data` object is read as V2, as
 * SillyTavern does; a lorebook, alone or as CCv3's `lorebook_v3`, is no card.
 */
export function cardSpecOf(json: JsonObject): CardSpec | null {
  if (json['spec'] === 'lorebook_v3') return null;
  if (isObject(json['data'])) {
    if (isOtherEnvelope(json)) return null;
    return json['spec'] === 'chara_card_v3' ? 'chara_card_v3' : 'chara_card_v2';
  }
  const hasName = typeof json['name'] === 'string' || typeof json['char_name'] === 'string';
  const isBook = typeof json['entries'] === 'object' && json['entries'] !== null && !('first_mes' in json);
  return hasName && !isBook && isFlatCard(json) ? 'v1' : null;
}

// Files of Marinara's (2.3.3) and of RisuAI's (460ecae2) have a `data`, too, also those that hold a chat or a lorebook.
const isOtherEnvelope = ({ spec, type }: JsonObject): boolean =>
  spec === undefined && typeof type === 'string' && /^(?:marinara_|risu)/.test(type);

const OF_CHARACTER = [
  'char_name',
  'personality',
  'scenario',
  'first_mes',
  'mes_example',
  'char_persona',
  'char_greeting',
  'character_book',
  'characterBook',
  'extensions',
  'tags',
];

// Many files have a name; a program's description has a version beside its own.
const isFlatCard = (json: JsonObject): boolean =>
  OF_CHARACTER.some((key) => Object.hasOwn(json, key)) ||
  (Object.hasOwn(json, 'description') && !Object.hasOwn(json, 'version'));

/** The text at a key, or "" when it is absent or of another type. */
export function textAt(object: JsonObject, key: string): string {
  const value: Json | undefined = object[key];
  return typeof value === 'string' ? value : '';
}
