// Who wrote a card's book: told apart by content, one row a family, tested in order (decisions 8a).

import type { Note } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import { LUMIVERSE_SWITCH, MARINARA_SWITCH } from './bare-keys.ts';
import type { ReadOptions } from './entry-field.ts';
import { noteLumiverseBook } from './lumiverse/book-notes.ts';
import { completeLumiverse } from './lumiverse/complete.ts';
import { completeMarinara, isIdleInMarinara, noteMarinaraBook } from './marinara/complete.ts';
import { isRisuEntry } from './risu/book.ts';
import { noteRisuBook } from './risu/book-notes.ts';
import { plainRisuEntry } from './risu/entry.ts';

/** The apps whose books can be told apart. */
export type BookFamily = 'loreferry' | 'lumiverse' | 'marinara' | 'risu' | 'sillytavern' | 'plain';

/** One row: how the family is recognised, and what follows for reading. */
export interface FamilyRow extends ReadOptions {
  readonly family: BookFamily;
  readonly isOf: (book: JsonObject, entries: readonly JsonObject[]) => boolean;
  /** What is to be said of such a book as a whole. */
  readonly noteBook?: (items: readonly Json[], note: Note, book: JsonObject) => void;
  /** Whether the app asks the book itself how deep to search and whether to recurse. */
  readonly heedsBook?: boolean;
  /** A real file of the family, by its name in the samples that the table was checked against. */
  readonly example: string;
}

// Names that only SillyTavern puts into an entry's extensions (1.19, convertWorldInfoToCharacterBook).
// `depth`, `group` or `role` alone prove nothing.
const SILLYTAVERN_NAMES = [
  'position',
  'exclude_recursion',
  'prevent_recursion',
  'delay_until_recursion',
  'display_index',
  'useProbability',
  'selectiveLogic',
  'outlet_name',
  'group_override',
  'group_weight',
  'use_group_scoring',
  'match_whole_words',
  'automation_id',
  'vectorized',
  'ignore_budget',
] as const;

const extensionsOf = (entry: JsonObject): JsonObject => {
  const bag = entry['extensions'];
  return isObject(bag) ? bag : {};
};

const isFromSillyTavern = (entries: readonly JsonObject[]): boolean =>
  entries.some((entry) => SILLYTAVERN_NAMES.some((name) => Object.hasOwn(extensionsOf(entry), name)));

// RisuAI's own marks, or ours on what was written for it.
const holdsRisuKey = (bag: unknown): boolean =>
  isObject(bag) &&
  (Object.keys(bag).some((key) => key.startsWith('risu_')) ||
    (isObject(bag['loreferry']) && bag['loreferry']['in'] === 'risu'));

/** The families in the order in which they are tested; the last one takes what is left. */
export const BOOK_FAMILIES: readonly FamilyRow[] = [
  {
    family: 'loreferry',
    isOf: (book) => isObject(book['extensions']) && isObject(book['extensions']['loreferry']),
    precedence: 'extensions-first',
    patternKeys: false,
    example: 'a card written by Loreferry',
  },
  {
    family: 'lumiverse',
    isOf: (_, entries) =>
      entries.some(
        (entry) =>
          typeof entry['position'] === 'number' && Object.hasOwn(extensionsOf(entry), 'selective_logic'),
      ),
    precedence: 'entry-first',
    patternKeys: false,
    ownWords: true,
    ownNumbers: 'lumiverse',
    bareKeys: LUMIVERSE_SWITCH,
    ownExtensions: true,
    complete: completeLumiverse,
    noteBook: noteLumiverseBook,
    example: 'lumiverse-plain-walter-keen.json',
  },
  {
    family: 'marinara',
    isOf: (_, entries) =>
      entries.some(
        (entry) =>
          typeof entry['selectiveLogic'] === 'string' &&
          Object.hasOwn(entry, 'preventRecursion') &&
          Object.hasOwn(entry, 'groupWeight'),
      ),
    precedence: 'entry-first',
    patternKeys: false,
    ownWords: true,
    ownNumbers: 'marinara',
    bareKeys: MARINARA_SWITCH,
    complete: completeMarinara,
    isIdle: isIdleInMarinara,
    noteBook: noteMarinaraBook,
    heedsBook: true,
    example: 'marinara-plain-anselm-ruiz-embedded-compatible.json',
  },
  {
    family: 'risu',
    isOf: (book, entries) =>
      holdsRisuKey(book['extensions']) || entries.some((entry) => holdsRisuKey(entry['extensions'])),
    precedence: 'extensions-first',
    patternKeys: true,
    translate: plainRisuEntry,
    noteBook: noteRisuBook,
    heedsBook: true,
    example: 'risu-plain-bertil-oakes-v3.json',
  },
  {
    family: 'sillytavern',
    isOf: (_, entries) => isFromSillyTavern(entries),
    precedence: 'extensions-first',
    patternKeys: false,
    example: '01-v3-positions.json',
  },
  {
    family: 'plain',
    isOf: () => true,
    precedence: 'extensions-first',
    patternKeys: true,
    example: '10-v2-plain.json',
  },
];

/** The row of the family that wrote a book. Lists of entries and objects of entries are both looked into. */
export function familyOf(book: JsonObject): FamilyRow {
  const held = book['entries'];
  const values = isArray(held) ? held : isObject(held) ? Object.values(held) : [];
  const entries = values.filter(isObject);
  // SillyTavern sets use_regex on every entry, where it means nothing; that stays so whoever wrote the book last.
  const found = BOOK_FAMILIES.find((row) => row.isOf(book, entries)) ?? (BOOK_FAMILIES.at(-1) as FamilyRow);
  if (!found.patternKeys || !isFromSillyTavern(entries)) return found;
  // What SillyTavern wrote is searched there as its settings say, whatever the book carries along.
  const heedsBook = found.family === 'risu' && entries.some(isRisuEntry);
  return { ...found, patternKeys: false, heedsBook };
}
