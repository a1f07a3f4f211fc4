// Agnai's Tavern export of a character that we wrote: a V2 card, in which description and personality are joined and texts
// of entries stand in other fields. What is kept aside in its book tells what they were. Facts: Agnaistic 1.0.27,
// exportCharacter; an export of a character of Agnai's own is a card like any other.

import type { CharacterAdapter, ExtractedBooks } from '../../core/adapter.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import { agnaiNativeCharacter } from './adapter.ts';
import { AGNAI } from './fields.ts';
import { agnaiBooksOf, characterOfAgnai, OWN_FIELDS, TEXT_NAMES } from './native-character.ts';
import { memoryStashOf } from './restoring.ts';
import { isMarkedByAgnai, isTavernBook, memoryBookOf } from './tavern-book.ts';

const SLOT = 'data.character_book';

/** The native character that a Tavern export was made of; null when it is none, or we did not write the character. */
export function nativeOfTavern(card: Json): JsonObject | null {
  const data = isObject(card) ? card['data'] : undefined;
  const book = isObject(data) ? data['character_book'] : undefined;
  if (!isObject(data) || !isObject(book)) return null;
  const memory = isTavernBook(book, isMarkedByAgnai(data)) || isEmpty(book) ? memoryBookOf(book) : null;
  if (memory === null || memoryStashOf(memory)?.in !== AGNAI) return null;
  const extensions = isObject(data['extensions']) ? data['extensions'] : {};
  const { agnai, depth_prompt: insert, ...others } = extensions;
  const own = isObject(agnai) ? agnai : {};
  const held = OWN_FIELDS.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]] as const]));
  return {
    kind: 'character',
    ...Object.fromEntries(TEXT_NAMES.map(([native, name]) => [native, data[name] ?? ''])),
    ...Object.fromEntries(held),
    tags: data['tags'] ?? [],
    alternateGreetings: data['alternate_greetings'] ?? [],
    ...(insert === undefined || insert === null ? {} : { insert }),
    extensions: others,
    characterBook: memory,
  };
}

// A book without entries has nothing by which Agnai's hand could be known, but for what we left in it.
const isEmpty = ({ entries }: JsonObject): boolean => isArray(entries) && entries.length === 0;

const nativeIn = (card: JsonObject): JsonObject => nativeOfTavern(card) ?? {};

/** Cards of Agnai's Tavern export that were characters of ours, as they were. */
export const agnaiTavernCharacter: CharacterAdapter = {
  id: AGNAI,
  isCard: (json) => nativeOfTavern(json) !== null,
  toCanonical: (card) => characterOfAgnai(nativeIn(card)),
  fromCanonical: agnaiNativeCharacter.fromCanonical,
  extractLorebook: (card): ExtractedBooks => {
    const { books, findings } = agnaiBooksOf(nativeIn(card));
    return { books: books.map((each) => ({ ...each, slot: SLOT })), findings };
  },
};
