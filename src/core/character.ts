// A character in nobody's dialect, beside its raw twin.

import type { Json, JsonObject } from './json.ts';
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

/** What a card says it is; null when it is no card at all. */
export function cardSpecOf(card: JsonObject): CardSpec | null {
  if (card['spec'] === 'chara_card_v3') return 'chara_card_v3';
  if (typeof card['data'] === 'object' && card['data'] !== null && !Array.isArray(card['data'])) {
    return 'chara_card_v2';
  }
  return typeof card['name'] === 'string' || typeof card['first_mes'] === 'string' ? 'v1' : null;
}

/** The text at a key, or "" when it is absent or of another type. */
export function textAt(object: JsonObject, key: string): string {
  const value: Json | undefined = object[key];
  return typeof value === 'string' ? value : '';
}
