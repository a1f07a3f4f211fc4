// NovelAI's lorebook file, read: alone, or inside a story or a scenario. Facts: files of lorebookVersion 1 to 5, and the
// handbook of its users (keys ignore case and mean whole words; what stands between slashes is a pattern).

import type { Finding, Note } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, jsonAt } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { lorebookFromBook, readingOf } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { entryIdAt } from '../_shared/entry-ids.ts';

/** The name of this dialect. */
export const NOVELAI = 'novelai';

// A story holds its lorebook deeper than a scenario.
const PLACES: readonly (readonly string[])[] = [[], ['lorebook'], ['content', 'lorebook']];

function lorebookIn(json: Json): JsonObject | null {
  for (const path of PLACES) {
    const held = path.length === 0 ? json : jsonAt(json, path);
    if (isObject(held) && typeof held['lorebookVersion'] === 'number' && isArray(held['entries']))
      return held;
  }
  return null;
}

/** Whether a file is NovelAI's lorebook, or a story or scenario that holds one. */
export const isNovelLorebook = (json: Json): json is JsonObject => lorebookIn(json) !== null;

/** One field of an entry: its name in the standard's book, and how it is said there. */
interface NovelField {
  readonly to: string;
  readonly read: (entry: JsonObject) => Json;
}

const within = (entry: JsonObject, key: string): Json | undefined => {
  const config = entry['contextConfig'];
  return isObject(config) ? config[key] : undefined;
};
const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const FIELDS: readonly NovelField[] = [
  { to: 'keys', read: (entry) => (isArray(entry['keys']) ? entry['keys'] : []) },
  { to: 'secondary_keys', read: () => [] },
  { to: 'comment', read: (entry) => textIn(entry['displayName']) },
  { to: 'content', read: contentOf },
  { to: 'enabled', read: (entry) => entry['enabled'] !== false },
  { to: 'constant', read: (entry) => entry['forceActivation'] === true },
  { to: 'selective', read: () => false },
  // Who has more of it is taken first when the room is short, as with SillyTavern's order.
  { to: 'insertion_order', read: (entry) => within(entry, 'budgetPriority') ?? USUAL_PRIORITY },
  { to: 'position', read: () => 'before_char' },
];

const EXTENSIONS: readonly NovelField[] = [
  { to: 'position', read: () => 0 },
  { to: 'case_sensitive', read: () => false },
  { to: 'match_whole_words', read: () => true },
  // "Cascading activation": only then keys are looked for in other entries.
  { to: 'exclude_recursion', read: (entry) => entry['nonStoryActivatable'] !== true },
];

const USUAL_PRIORITY = 400;

// The text with what NovelAI puts around it; a line break at the end is SillyTavern's own affair.
function contentOf(entry: JsonObject): string {
  const text = textIn(entry['text']);
  if (text === '') return '';
  return `${textIn(within(entry, 'prefix'))}${text}${textIn(within(entry, 'suffix'))}`.replace(/\n$/, '');
}

/** What has no place in SillyTavern, with the value that NovelAI gives to it by itself. */
const ASIDE: readonly (readonly [name: string, usual: Json, why: string])[] = [
  ['searchRange', 1000, 'NovelAI counts the characters that it searches, SillyTavern messages'],
  ['keyRelative', false, 'SillyTavern has no place beside a key'],
];

/**
 * Reads such a file as one lorebook; never throws. It has no name of its own.
 * @param fallbackName the file's name
 */
export function readNovelLorebook(
  json: JsonObject,
  id: string,
  fallbackName: string,
  findings: Finding[],
): CanonicalLorebook {
  const raw = lorebookIn(json) ?? json;
  const off = categoriesOff(raw);
  const items = isArray(raw['entries']) ? raw['entries'] : [];
  const entries = items.map((item, index): Json => {
    if (!isObject(item)) return item;
    const note = noteInto(findings, { bookId: id, entryId: entryIdAt(index) });
    noteAside(item, note);
    const written = { ...fields(FIELDS, item), extensions: fields(EXTENSIONS, item) };
    if (!off.has(item['category'] ?? null) || item['enabled'] === false) return written;
    const message = 'The category of the entry is switched off, so the entry is.';
    note('approximated', 'enabled', true, false, message);
    return { ...written, enabled: false };
  });
  const book = lorebookFromBook({ name: fallbackName, entries }, id, fallbackName);
  const escrow = book.original[CHARACTER_BOOK];
  for (const each of escrow === undefined ? [] : readingOf(escrow, id).findings) {
    if (each.path !== 'id') findings.push(each);
  }
  return { ...book, original: { [NOVELAI]: { raw } } };
}

const fields = (list: readonly NovelField[], entry: JsonObject): JsonObject =>
  Object.fromEntries(list.map(({ to, read }) => [to, read(entry)]));

function categoriesOff(raw: JsonObject): ReadonlySet<Json> {
  const categories = isArray(raw['categories']) ? raw['categories'] : [];
  const off = categories.filter((each) => isObject(each) && each['enabled'] === false);
  return new Set(off.flatMap((each) => (isObject(each) && each['id'] !== undefined ? [each['id']] : [])));
}

function noteAside(entry: JsonObject, note: Note): void {
  const position = within(entry, 'insertionPosition');
  if (typeof position === 'number') {
    const message = 'NovelAI counts lines of its context; the entry stands before the character.';
    note('assumed', 'position.slot', position, 'world', message);
  }
  for (const [name, usual, why] of ASIDE) {
    const value = entry[name];
    if (value === undefined || value === usual) continue;
    note('stashed', name, value, null, `${why}, so ${name} is kept aside.`);
  }
}
