// A card's own fields on their way to an app whose reader is strict about kinds: texts are texts and lists hold texts,
// unknown fields travel, books and the user's own fields stay behind.

import type { CanonicalCharacter } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import { finding, shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, sameJson } from '../../core/json.ts';
import { asText, asTexts, CARD_TEXTS, rawCardData } from './card-data.ts';

const CARD = { bookId: null, entryId: null };

/** What an app takes of a card's data. */
export interface CardDataRules {
  /** Lists of texts that it always has. */
  readonly lists: readonly string[];
  /** Such lists that may be absent. */
  readonly optionalLists?: readonly string[];
  readonly leftOut: ReadonlySet<string>;
}

/** A card's data while it is written. */
export interface CardDataDraft {
  /** As it was read. */
  readonly raw: JsonObject;
  readonly data: Record<string, Json>;
  readonly findings: Finding[];
  /** Says that a value was of the wrong kind. One that was absent was of none, and a number may stand as a text. */
  readonly repaired: (path: string, before: Json | undefined, after: Json) => void;
}

/** Takes a character's raw card where there is one, so that unknown fields travel. Extensions are the caller's. */
export function draftCardData(
  character: CanonicalCharacter,
  { lists, optionalLists = [], leftOut }: CardDataRules,
): CardDataDraft {
  const findings: Finding[] = [];
  const raw = rawCardData(character, [...CARD_TEXTS, ...lists, ...optionalLists]);
  const data = without(raw, leftOut);
  const repaired: CardDataDraft['repaired'] = (path, before, after) => {
    if (before === undefined || before === null || sameJson(before, after)) return;
    if (typeof after === 'number' && before === String(after)) return;
    const message = `${path} ${shown(before)} is of the wrong kind and was written as ${shown(after)}.`;
    findings.push(finding('repaired', CARD, path, before, after, message));
  };
  const take = (key: string, value: Json): void => {
    data[key] = value;
    repaired(`data.${key}`, raw[key], value);
  };
  for (const key of CARD_TEXTS) take(key, asText(raw[key]));
  for (const key of lists) take(key, asTexts(raw[key]));
  for (const key of optionalLists) if (raw[key] !== undefined) take(key, asTexts(raw[key]));
  return { raw, data, findings, repaired };
}

/** Gives a character without a name one, for an app that needs it, and says so. */
export function nameBlank({ raw, data, findings }: CardDataDraft): void {
  if (asText(data['name']).trim() !== '') return;
  data['name'] = 'Character';
  const message = 'A character needs a name there; it was called “Character”.';
  findings.push(finding('assumed', CARD, 'data.name', raw['name'], 'Character', message));
}

/** A card's extensions but for some. */
export const extensionsWithout = (raw: JsonObject, leftOut: ReadonlySet<string>): Record<string, Json> =>
  without(isObject(raw['extensions']) ? raw['extensions'] : {}, leftOut);

// Whatever its fields are called, none becomes the object's prototype.
const without = (fields: JsonObject, leftOut: ReadonlySet<string>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, Json] => !leftOut.has(field[0]) && field[1] !== undefined,
    ),
  );
