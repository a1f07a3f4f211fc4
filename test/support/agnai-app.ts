// A small model of what Agnai does with a memory book, written from what its own code was seen to do (1.0.27): how it
// looks for keywords, what its editor, its server and its Tavern export leave of a book.

import type { JsonObject } from '../../src/core/json.ts';
import type { Edit } from './edit-trips.ts';

/** An entry as Agnai saves it. */
export interface MemoryEntry {
  readonly name: string;
  readonly entry: string;
  readonly keywords: readonly string[];
  readonly priority: number;
  readonly weight: number;
  readonly enabled: boolean;
}

const WORD = '[A-Za-z0-9_]';
const EDGE = `(?:(?<!${WORD})(?=${WORD})|(?<=${WORD})(?!${WORD}))`;

/**
 * Whether a keyword is found in a line. Agnai ignores case by the rules of Unicode, under which the long s and the sign
 * of kelvin are letters s and k; this does not know them.
 */
export function findsKeyword(keyword: string, line: string): boolean {
  const parts = [...keyword.trim()].filter((char) => !'\\^$+.()|[]{}_'.includes(char));
  const pattern = parts.map((char) => (char === '*' ? `${WORD}*` : char === '?' ? WORD : char)).join('');
  return new RegExp(`${EDGE}(?:${pattern})${EDGE}`, 'i').test(line);
}

/** Whether an entry is found in the last lines of a chat. */
export const findsEntry = ({ keywords, enabled }: MemoryEntry, lines: readonly string[]): boolean =>
  enabled && keywords.some((keyword) => lines.some((line) => findsKeyword(keyword, line)));

/** The entries in the order of the prompt, when all are found in the same line and fit. */
export const inPrompt = (entries: readonly MemoryEntry[]): readonly MemoryEntry[] =>
  [...entries].filter(({ enabled }) => enabled).sort((a, b) => a.weight - b.weight);

/** What the server says of a character of a signed-in user: the field that it refuses, or null. */
export function refusedField(native: JsonObject): string | null {
  const isText = (value: unknown): boolean => typeof value === 'string';
  for (const key of ['name', 'greeting', 'scenario', 'sampleChat']) if (!isText(native[key])) return key;
  const persona = native['persona'] as { kind?: string; attributes?: unknown } | undefined;
  if (!['boostyle', 'wpp', 'sbf', 'attributes', 'text'].includes(persona?.kind ?? '')) return 'persona';
  if (persona?.attributes === undefined) return 'persona';
  const book = native['characterBook'] as JsonObject | undefined;
  if (book === undefined) return null;
  if (!isText(book['name']) || !['string', 'undefined'].includes(typeof book['description']))
    return 'characterBook';
  const entries = book['entries'];
  const isEntry = (each: Readonly<Record<string, unknown>>): boolean =>
    isText(each['name']) &&
    isText(each['entry']) &&
    typeof each['weight'] === 'number' &&
    typeof each['priority'] === 'number' &&
    typeof each['enabled'] === 'boolean' &&
    Array.isArray(each['keywords']) &&
    each['keywords'].every(isText);
  return Array.isArray(entries) && entries.every(isEntry) ? null : 'characterBook';
}

const SENT = [
  ...[
    'name',
    'greeting',
    'scenario',
    'sampleChat',
    'persona',
    'description',
    'appearance',
    'culture',
    'voice',
    'tags',
  ],
  ...[
    'visualType',
    'sprite',
    'imageSettings',
    'json',
    'alternateGreetings',
    'characterBook',
    'insert',
    'systemPrompt',
  ],
  ...['postHistoryInstructions', 'creator', 'characterVersion', 'voiceDisabled'],
];

/** A character as the server of a signed-in user gives it back: its extensions and unknown fields are gone. */
export const savedCharacter = (native: JsonObject): JsonObject => ({
  kind: 'character',
  userId: 'u',
  createdAt: '',
  updatedAt: '',
  ...Object.fromEntries(SENT.flatMap((key) => (native[key] ? [[key, native[key]]] : []))),
  name: native['name'],
  greeting: native['greeting'],
  scenario: native['scenario'],
  sampleChat: native['sampleChat'],
});

/** A book after its form was saved: six fields of each entry, keywords split at commas; `edit` changes entries. */
export function editedBook(book: JsonObject, edit: Edit<MemoryEntry> = (entry) => entry): JsonObject {
  const held = book['entries'] as unknown as readonly MemoryEntry[];
  const entries = held.flatMap(edit).map((entry): MemoryEntry => {
    const { name, entry: text, keywords, priority, weight, enabled } = entry;
    const split = keywords
      .join(', ')
      .split(',')
      .map((each) => each.trim());
    return { name, entry: text, keywords: split.filter((each) => each !== ''), priority, weight, enabled };
  });
  return { ...book, entries: entries as unknown as JsonObject['x'] };
}

/** A character's Tavern export. */
export function tavernExport(native: JsonObject): JsonObject {
  const book = native['characterBook'] as JsonObject | undefined;
  const persona = native['persona'] as { attributes: { text?: readonly string[] } };
  const data: JsonObject = {
    name: native['name'],
    first_mes: native['greeting'],
    scenario: native['scenario'],
    description: persona.attributes.text?.[0] ?? '',
    personality: '',
    mes_example: native['sampleChat'],
    creator_notes: native['description'] ?? '',
    system_prompt: native['systemPrompt'] ?? '',
    post_history_instructions: native['postHistoryInstructions'] ?? '',
    alternate_greetings: native['alternateGreetings'] ?? [],
    ...(book === undefined ? {} : { character_book: tavernBook(book) }),
    tags: native['tags'] ?? [],
    creator: native['creator'] ?? '',
    character_version: native['characterVersion'] ?? '',
    extensions: { depth_prompt: native['insert'], agnai: { persona: native['persona'] } },
  };
  return JSON.parse(
    JSON.stringify({ name: native['name'], spec: 'chara_card_v2', spec_version: '2.0', data }),
  ) as JsonObject;
}

const tavernBook = (book: JsonObject): JsonObject => ({
  name: book['name'],
  description: book['description'],
  entries: (book['entries'] as unknown as readonly MemoryEntry[]).map((entry) => ({
    keys: entry.keywords,
    content: entry.entry,
    extensions: {},
    enabled: entry.enabled,
    insertion_order: entry.weight,
    name: entry.name,
    priority: entry.priority,
  })),
  extensions: book['extensions'] ?? {},
  scan_depth: book['scanDepth'],
  token_budget: book['tokenBudget'],
  recursive_scanning: book['recursiveScanning'],
});
