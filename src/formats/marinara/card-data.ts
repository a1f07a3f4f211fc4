// A card's own fields as Marinara's strict check wants them: texts are texts, lists hold texts, nothing is null. Facts:
// its character schema; one wrong type and newer versions refuse the whole file.

import type { CanonicalCharacter } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import { asText, NOT_OF_THE_CARD } from '../_shared/card-data.ts';
import {
  type CardDataDraft,
  draftCardData,
  extensionsWithout,
  nameBlank,
} from '../_shared/written-card-data.ts';

const LEFT_OUT: ReadonlySet<string> = new Set(NOT_OF_THE_CARD);
const EXTENSIONS_LEFT_OUT = new Set([
  'character_book',
  'character_books',
  'loreferry',
  'importMetadata',
  'fav',
  'chat',
]);
const LONGEST_SUMMARY = 500;
const ROLES = ['system', 'user', 'assistant'];

/** A card's data without its book, and what had to be changed in it. */
export interface CardData {
  readonly data: JsonObject;
  readonly findings: readonly Finding[];
}

/**
 * Takes a character's raw card where there is one, so that unknown fields travel; the root of a card stays behind.
 * `isOwn`: Marinara wrote the card, and what it knows of the import stays in it.
 */
export function marinaraData(character: CanonicalCharacter, isOwn = false): CardData {
  const draft = draftCardData(character, { lists: ['tags', 'alternate_greetings'], leftOut: LEFT_OUT });
  nameBlank(draft);
  const { raw, data, findings, repaired } = draft;
  for (const [key, value] of Object.entries(data)) if (value === null) delete data[key];
  const { summary } = data;
  if (summary !== undefined) {
    data['summary'] = asText(summary).slice(0, LONGEST_SUMMARY);
    repaired('data.summary', summary, data['summary']);
  }
  const held = isObject(raw['extensions']) ? raw['extensions'] : {};
  const ofImport = isOwn ? held['importMetadata'] : undefined;
  data['extensions'] = {
    ...extensionsOf(held, repaired),
    ...(ofImport === undefined ? {} : { importMetadata: ofImport }),
  };
  return { data, findings };
}

// An object whose `toString` is no function cannot be made a number of, and throws.
const numberOf = (value: Json): number => (isObject(value) || isArray(value) ? Number.NaN : Number(value));

function extensionsOf(raw: JsonObject, repaired: CardDataDraft['repaired']): JsonObject {
  const extensions = extensionsWithout({ extensions: raw }, EXTENSIONS_LEFT_OUT);
  for (const [key, value] of Object.entries(extensions)) if (value === null) delete extensions[key];
  const talk = numberOf(raw['talkativeness'] ?? 0.5);
  extensions['talkativeness'] = Number.isFinite(talk) ? Math.min(1, Math.max(0, talk)) : 0.5;
  extensions['fav'] = false;
  extensions['world'] = asText(raw['world']);
  const prompt = isObject(raw['depth_prompt']) ? raw['depth_prompt'] : {};
  const depth = Math.round(numberOf(prompt['depth'] ?? 4));
  const role = prompt['role'];
  extensions['depth_prompt'] = {
    prompt: asText(prompt['prompt']),
    depth: Number.isFinite(depth) ? Math.max(0, depth) : 4,
    role: typeof role === 'string' && ROLES.includes(role) ? role : 'system',
  };
  for (const key of ['backstory', 'appearance', 'convoDisplayName', 'aboutMe']) {
    if (extensions[key] !== undefined) extensions[key] = asText(raw[key]);
  }
  for (const key of ['talkativeness', 'world', 'depth_prompt', 'backstory', 'appearance']) {
    if (extensions[key] !== undefined) repaired(`data.extensions.${key}`, raw[key], extensions[key]);
  }
  if (
    extensions['convoDisplayNameInCard'] !== undefined &&
    typeof raw['convoDisplayNameInCard'] !== 'boolean'
  ) {
    delete extensions['convoDisplayNameInCard'];
  }
  if (extensions['convoBehavior'] !== undefined && !isObject(raw['convoBehavior']))
    delete extensions['convoBehavior'];
  return extensions;
}
