// A card's own fields as Marinara's strict check wants them: texts are texts, lists hold texts, nothing is null. Facts:
// its character schema; one wrong type and newer versions refuse the whole file.

import type { CanonicalCharacter } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import { finding, shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, sameJson } from '../../core/json.ts';
import { asText, asTexts, CARD_TEXTS, NOT_OF_THE_CARD, rawCardData } from '../_shared/card-data.ts';

const LISTS = ['tags', 'alternate_greetings'] as const;
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
const CARD = { bookId: null, entryId: null };

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
  const findings: Finding[] = [];
  const repaired = (path: string, before: Json | undefined, after: Json): void => {
    if (before === undefined || before === null || sameJson(before, after)) return;
    // SillyTavern writes some numbers as text.
    if (typeof after === 'number' && before === String(after)) return;
    const message = `${path} ${shown(before)} is of the wrong kind for Marinara and was written as ${shown(after)}.`;
    findings.push(finding('repaired', CARD, path, before, after, message));
  };
  const raw = rawCardData(character, [...CARD_TEXTS, ...LISTS]);
  const data: Record<string, Json> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (!LEFT_OUT.has(key) && value !== undefined && value !== null) data[key] = value;
  }
  for (const key of CARD_TEXTS) {
    data[key] = asText(raw[key]);
    repaired(`data.${key}`, raw[key], data[key]);
  }
  if ((data['name'] as string).trim() === '') {
    data['name'] = 'Character';
    findings.push(
      finding(
        'assumed',
        CARD,
        'data.name',
        raw['name'],
        'Character',
        'A character needs a name there; it was called “Character”.',
      ),
    );
  }
  for (const key of LISTS) {
    data[key] = asTexts(raw[key]);
    repaired(`data.${key}`, raw[key], data[key]);
  }
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

type Repaired = (path: string, before: Json | undefined, after: Json) => void;

function extensionsOf(raw: JsonObject, repaired: Repaired): JsonObject {
  const extensions: Record<string, Json> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (EXTENSIONS_LEFT_OUT.has(key) || value === undefined || value === null) continue;
    Object.defineProperty(extensions, key, { value, enumerable: true, configurable: true, writable: true });
  }
  const talk = Number(raw['talkativeness'] ?? 0.5);
  extensions['talkativeness'] = Number.isFinite(talk) ? Math.min(1, Math.max(0, talk)) : 0.5;
  extensions['fav'] = false;
  extensions['world'] = asText(raw['world']);
  const prompt = isObject(raw['depth_prompt']) ? raw['depth_prompt'] : {};
  const depth = Math.round(Number(prompt['depth'] ?? 4));
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
