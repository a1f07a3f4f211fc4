// A card's own fields as Lumiverse takes them over: all of them, but what links it to lorebooks of another installation
// and what is the user's own. Facts: its card reader (1.1.0) asks only for a name and keeps all extensions; ids of world
// books among them, even dangling ones, keep the card's book from being imported.

import type { CanonicalCharacter } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import { finding, shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, sameJson } from '../../core/json.ts';
import { asText, asTexts, CARD_TEXTS, NOT_OF_THE_CARD, rawCardData } from '../_shared/card-data.ts';

const LISTS = ['tags', 'alternate_greetings', 'group_only_greetings'] as const;
// Assets that stand in another container do not come along with the card.
const LEFT_OUT: ReadonlySet<string> = new Set([...NOT_OF_THE_CARD, 'assets']);
const EXTENSIONS_LEFT_OUT = new Set([
  'character_book',
  'character_books',
  'world_book_ids',
  'world_book_id',
  'loreferry',
  'fav',
  'chat',
]);
// Of a card that Lumiverse itself wrote it keeps the user's own fields, and the book as it was before it imported it.
const OWN_EXTENSIONS_LEFT_OUT = new Set(['world_book_ids', 'world_book_id', 'loreferry']);
const CARD = { bookId: null, entryId: null };

/** A card's data without its book, and what had to be changed in it. */
export interface CardData {
  readonly data: JsonObject;
  readonly findings: readonly Finding[];
}

/** Takes a character's raw card where there is one, so that unknown fields travel. `isOwn`: Lumiverse wrote it. */
export function lumiverseData(character: CanonicalCharacter, isOwn = false): CardData {
  const findings: Finding[] = [];
  const raw = rawCardData(character, [...CARD_TEXTS, ...LISTS]);
  const data: Record<string, Json> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (LEFT_OUT.has(key) || value === undefined) continue;
    Object.defineProperty(data, key, { value, enumerable: true, configurable: true, writable: true });
  }
  const repaired = (path: string, before: Json | undefined, after: Json): void => {
    if (before === undefined || before === null || sameJson(before, after)) return;
    const message = `${path} ${shown(before)} is of the wrong kind and was written as ${shown(after)}.`;
    findings.push(finding('repaired', CARD, path, before, after, message));
  };
  for (const key of CARD_TEXTS) {
    data[key] = asText(raw[key]);
    repaired(`data.${key}`, raw[key], data[key]);
  }
  if ((data['name'] as string).trim() === '') {
    data['name'] = 'Character';
    const message = 'A character needs a name there; it was called “Character”.';
    findings.push(finding('assumed', CARD, 'data.name', raw['name'], 'Character', message));
  }
  for (const key of LISTS) {
    if (key === 'group_only_greetings' && raw[key] === undefined) continue;
    data[key] = asTexts(raw[key]);
    repaired(`data.${key}`, raw[key], data[key]);
  }
  const held = raw['extensions'];
  const leftOut = isOwn ? OWN_EXTENSIONS_LEFT_OUT : EXTENSIONS_LEFT_OUT;
  if (isOwn && held === undefined) return { data, findings };
  data['extensions'] = Object.fromEntries(
    Object.entries(isObject(held) ? held : {}).filter(
      ([key, value]) => !leftOut.has(key) && value !== undefined,
    ),
  );
  return { data, findings };
}
