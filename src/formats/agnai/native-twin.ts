// A character that Agnai itself wrote, written again after an edit: fields that nobody touched are its own (design, rule 2).

import type { CanonicalCharacter } from '../../core/character.ts';
import type { JsonObject } from '../../core/json.ts';
import { isObject, sameJson, withoutKey } from '../../core/json.ts';
import { type CharacterFields, characterFields } from './character-fields.ts';
import { AGNAI } from './fields.ts';
import { characterOfAgnai } from './native-character.ts';
import type { Placing } from './placing.ts';
import { memoryStashOf, ownMark, withoutStash } from './restoring.ts';

/**
 * The native character as Agnai wrote it, without what we keep in it and in its lorebook; null where we wrote it anew.
 * Its lorebook may be written anew in the one and in the other.
 */
function ownNative(raw: JsonObject): JsonObject | null {
  const book = raw['characterBook'];
  const [inBook, inCharacter] = [memoryStashOf(book), memoryStashOf(raw)];
  const isAnew = [inBook, inCharacter].some((stash) => stash !== null && stash.card?.own === undefined);
  if (isAnew) return null;
  const bare = withoutStash(raw, inCharacter?.card?.own);
  return inBook === null || !isObject(book)
    ? bare
    : { ...bare, characterBook: withoutStash(book, inBook.own) };
}

/** Puts a character's fields onto the native character that it came from, when Agnai wrote that. */
export function onNativeTwin({ original }: CanonicalCharacter, fields: CharacterFields): CharacterFields {
  const held = original[AGNAI]?.raw;
  const raw = isObject(held) ? ownNative(held) : null;
  if (!isObject(held) || raw === null) return fields;
  const hasBook = raw['characterBook'] !== undefined;
  const fieldsOf = (native: JsonObject): CharacterFields =>
    characterFields(characterOfAgnai(native), ownPlacing(native), null, hasBook);
  const { native: before } = fieldsOf(held);
  // What is kept in it already is still only kept, and is said again.
  const { findings: said } = fieldsOf(raw);
  const { native } = fields;
  const edited = Object.keys(native).filter((key) => !sameJson(native[key] ?? null, before[key] ?? null));
  // What is required and was missing is written, too; an Insert that is gone is gone.
  const missing = Object.keys(native).filter((key) => raw[key] === undefined && REQUIRED.has(key));
  const isGone = before['insert'] !== undefined && native['insert'] === undefined;
  const own = withoutKey(isGone ? withoutKey(raw, 'insert') : raw, 'characterBook');
  const written = [...edited, ...missing].map((key) => [key, native[key]]);
  return {
    ...fields,
    own: ownMark(raw),
    native: { ...own, ...Object.fromEntries(written), kind: 'character' },
    findings: fields.findings.filter((each) => !said.some((other) => sameJson({ ...each }, { ...other }))),
  };
}

const REQUIRED: ReadonlySet<string> = new Set(['name', 'persona', 'greeting', 'scenario', 'sampleChat']);

// Its Insert as it stands, and no texts of entries anywhere.
function ownPlacing(raw: JsonObject): Placing {
  const { insert } = raw;
  const [prompt, depth] = isObject(insert) ? [insert['prompt'], insert['depth']] : [];
  const isSet = typeof prompt === 'string' && prompt.trim() !== '' && typeof depth === 'number';
  return {
    places: new Map(),
    insert: isSet ? { prompt, depth } : null,
    examples: [],
    outlets: new Map(),
  };
}

/** Whether a character's fields are those of the native character that it came from, in which we keep nothing. */
export function isOwnNative({ original }: CanonicalCharacter, { native }: CharacterFields): boolean {
  const raw = original[AGNAI]?.raw;
  const isPlain =
    isObject(raw) && memoryStashOf(raw) === null && memoryStashOf(raw['characterBook'])?.card === undefined;
  return isPlain && sameJson(withoutKey(raw, 'characterBook'), native);
}
