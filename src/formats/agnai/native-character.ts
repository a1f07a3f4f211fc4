// Agnai's own character file, read: its fields under the names of a V2 card, what no card has under `extensions.agnai`,
// where Agnai's own Tavern export puts it. Facts: Agnaistic 1.0.27.

import type { ExtractedBooks } from '../../core/adapter.ts';
import type { CanonicalCharacter } from '../../core/character.ts';
import { textAt } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import { hashJson } from '../../core/hash.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, sameJson, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { asTexts } from '../_shared/card-data.ts';
import { defaultBookName } from '../_shared/extract-books.ts';
import { STASH_KEY } from '../_shared/stash.ts';
import { AGNAI, isMemoryBook, isWholeBook, readMemoryBooks } from './memory-book.ts';
import { isPersona, personaText } from './persona.ts';
import { type FieldStash, memoryStashOf } from './restoring.ts';

const FIVE = ['name', 'persona', 'greeting', 'scenario', 'sampleChat'] as const;

/** Whether a file is a native character: by its kind, or by the five fields by which Agnai itself knows one. */
export function isAgnaiCharacter(json: Json): json is JsonObject {
  if (!isObject(json) || typeof json['name'] !== 'string') return false;
  return json['kind'] === 'character' || FIVE.every((key) => Object.hasOwn(json, key));
}

/** The picture inside a guest's character as a data URL; that of a signed-in user is the path of a file (1.0.27). */
export function agnaiAvatar({ avatar }: JsonObject): string | null {
  return typeof avatar === 'string' && /^data:image\/[^,;]+;base64,/.test(avatar) ? avatar : null;
}

/** Texts that stand under another name in a card. */
export const TEXT_NAMES: readonly (readonly [native: string, card: string])[] = [
  ['name', 'name'],
  ['greeting', 'first_mes'],
  ['scenario', 'scenario'],
  ['sampleChat', 'mes_example'],
  ['description', 'creator_notes'],
  ['systemPrompt', 'system_prompt'],
  ['postHistoryInstructions', 'post_history_instructions'],
  ['creator', 'creator'],
  ['characterVersion', 'character_version'],
];

/** What only Agnai has; its Tavern export writes the first five. */
export const OWN_FIELDS = [
  'persona',
  'appearance',
  'voice',
  'json',
  'sprite',
  'culture',
  'visualType',
  'imageSettings',
  'voiceDisabled',
  'originalAvatar',
] as const;

/** A native character as a V2 card without its book. It shares the character's own parts. */
export function cardOfAgnai(native: JsonObject): JsonObject {
  const name = textAt(native, 'name');
  const { persona } = native;
  const lists = (key: string): readonly Json[] => (isArray(native[key]) ? native[key] : []);
  const own = OWN_FIELDS.flatMap((key) => {
    const value = native[key];
    return value === undefined || value === null ? [] : [[key, value] as const];
  });
  const { insert } = native;
  const extensions = isObject(native['extensions']) ? withoutKey(native['extensions'], STASH_KEY) : {};
  const data: JsonObject = {
    ...Object.fromEntries(TEXT_NAMES.map(([key, to]) => [to, textAt(native, key)])),
    description: isPersona(persona) ? personaText(name, persona) : '',
    personality: '',
    tags: lists('tags'),
    alternate_greetings: lists('alternateGreetings'),
    extensions: {
      ...extensions,
      ...(isObject(insert) ? { depth_prompt: { role: 'system', ...insert } } : {}),
      agnai: Object.fromEntries(own),
    },
  };
  const restored = restoredData(data, native, cardStashOf(native));
  return { spec: 'chara_card_v2', spec_version: '2.0', data: restored };
}

const cardStashOf = (native: JsonObject): FieldStash | undefined =>
  (memoryStashOf(native['characterBook']) ?? memoryStashOf(native))?.card;

// What we wrote ourselves gets its own fields back, those apart that were edited there.
function restoredData(data: JsonObject, native: JsonObject, stash: FieldStash | undefined): JsonObject {
  if (stash === undefined) return data;
  const isAsWritten = (key: string): boolean => stash.shown[key] === hashJson(native[key] ?? null);
  const kept = Object.entries(stash.kept).filter(([key]) => {
    const written = WRITTEN_IN[key];
    return written === undefined || isAsWritten(written);
  });
  const restored: Record<string, Json | undefined> = { ...data };
  for (const [key, value] of kept) {
    Object.defineProperty(restored, key, { value, enumerable: true, configurable: true, writable: true });
  }
  const extensions = isObject(restored['extensions']) ? restored['extensions'] : {};
  if (isAsWritten('insert')) return { ...restored, extensions };
  const prompt = (data['extensions'] as JsonObject)['depth_prompt'];
  return {
    ...restored,
    extensions:
      prompt === undefined ? withoutKey(extensions, 'depth_prompt') : { ...extensions, depth_prompt: prompt },
  };
}

/** The native field in which a field of a card is written. */
const WRITTEN_IN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TEXT_NAMES.map(([native, card]) => [card, native])),
  description: 'persona',
  personality: 'persona',
  tags: 'tags',
  alternate_greetings: 'alternateGreetings',
};

/** The lorebooks of a native character (spec 000: this dialect's own extractor). */
export function agnaiBooksOf(native: JsonObject): ExtractedBooks {
  const raw = native['characterBook'];
  if (!isMemoryBook(raw) && !(isObject(raw) && isArray(raw['entries']))) return { books: [], findings: [] };
  const findings: Finding[] = [];
  const shown = memoryStashOf(raw)?.card?.shown ?? {};
  const changed = (['insert', 'sampleChat'] as const).filter(
    (key) => shown[key] !== hashJson(native[key] ?? null),
  );
  const edited = new Set(changed.map((key) => (key === 'insert' ? 'insert' : 'examples')));
  const books = readMemoryBooks(
    raw,
    'characterBook',
    defaultBookName(textAt(native, 'name')),
    findings,
    edited,
  );
  return { books: books.map((lorebook) => ({ slot: 'characterBook', lorebook })), findings };
}

/** A native character in nobody's dialect. Its card stands first among its originals, then the character itself. */
export function characterOfAgnai(native: JsonObject): CanonicalCharacter {
  const card = cardOfAgnai(native);
  const data = card['data'] as JsonObject;
  const name = textAt(data, 'name');
  return {
    id: name,
    name,
    body: {
      name,
      description: textAt(data, 'description'),
      personality: textAt(data, 'personality'),
      scenario: textAt(data, 'scenario'),
      firstMessage: textAt(data, 'first_mes'),
      exampleMessages: textAt(data, 'mes_example'),
      creatorNotes: textAt(data, 'creator_notes'),
      // What we kept of a card is whatever stood there.
      tags: asTexts(data['tags']),
      extensions: isObject(data['extensions']) ? data['extensions'] : {},
      knowledgeRefs: [],
    },
    original: { sillytavern: { raw: card }, [AGNAI]: { raw: native } },
  };
}

/** Whether these are the lorebooks of a native character, as they were read: nobody touched them. */
export function hasBooks(native: JsonObject, lorebooks: readonly CanonicalLorebook[]): boolean {
  const own = agnaiBooksOf(native).books;
  return (
    own.length === lorebooks.length &&
    own.every(({ lorebook }, at) => sameJson(lorebook.body, lorebooks[at]?.body))
  );
}

// A missing text is saved as the word "undefined", a book that is not whole refuses the character (1.0.27).
const isWhole = (native: JsonObject): boolean =>
  isPersona(native['persona']) &&
  ['name', 'greeting', 'scenario', 'sampleChat'].every((key) => typeof native[key] === 'string') &&
  (native['characterBook'] === undefined ||
    (isObject(native['characterBook']) && isWholeBook(native['characterBook'])));

/**
 * The native character that a character came from, when neither it nor its books were changed and Agnai itself wrote it:
 * what was never here needs no way back.
 */
export function untouchedNative(
  character: CanonicalCharacter,
  lorebooks: readonly CanonicalLorebook[],
): JsonObject | null {
  const raw = character.original[AGNAI]?.raw;
  if (!isObject(raw) || memoryStashOf(raw['characterBook']) !== null || memoryStashOf(raw) !== null)
    return null;
  if (!isWhole(raw)) return null;
  const { knowledgeRefs: _refs, ...body } = character.body;
  const { knowledgeRefs: _own, ...own } = characterOfAgnai(raw).body;
  return sameJson(body, own) && hasBooks(raw, lorebooks) ? raw : null;
}
