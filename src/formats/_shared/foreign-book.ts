// Whether a book is another app's, so that SillyTavern would read it worse than we do: in words of the app's own, or in
// the standard's words with fields that only the app and we know.

import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, NO_FIELDS } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { familyOf } from './book-family.ts';
import { CHARACTER_BOOK } from './character-book-table.ts';
import { ROLECALL_SLOTS } from './lore-enums.ts';
import { rawEntries } from './raw-entries.ts';
import { speaksRisu } from './risu/book.ts';
import { isReadAlike } from './stock-reading.ts';

/** An app that writes a card's book in the standard's words, and how that is seen. */
interface AppMarks {
  readonly app: string;
  /** Its name in the extensions of the card or of the book. */
  readonly name?: string;
  readonly isBook?: (book: JsonObject) => boolean;
  readonly isEntry?: (entry: JsonObject, bag: JsonObject) => boolean;
}

// RoleCall's words for its places: nobody else writes words into the extensions.
const ROLECALL_WORDS: ReadonlySet<Json | undefined> = new Set(ROLECALL_SLOTS);

const WYVERN_NAMES = ['entry_id', 'key_logic', 'whole_words_only', 'scan_persona'] as const;

// Chub writes them together; one of them alone proves nothing.
const CHUB_NAMES = [
  'excludeRecursion',
  'displayIndex',
  'addMemo',
  'characterFilter',
  'weight',
  'linked',
  'embedded',
] as const;

const isNoWord = (position: Json | undefined): boolean =>
  position === 0 || position === '' || (typeof position === 'string' && /^[0-7]$/.test(position));

const MARKS: readonly AppMarks[] = [
  {
    app: 'rolecall',
    name: 'rolecall',
    isEntry: (_, { position }) => ROLECALL_WORDS.has(position),
  },
  {
    app: 'wyvern',
    isBook: (book) => Object.hasOwn(book, 'lexicon'),
    isEntry: (entry) => WYVERN_NAMES.some((name) => Object.hasOwn(entry, name)),
  },
  {
    app: 'chub',
    name: 'chub',
    isEntry: (entry, bag) =>
      CHUB_NAMES.filter((name) => Object.hasOwn(bag, name)).length > 1 ||
      // In 1,186 entries of real cards nobody else wrote such positions.
      (Object.hasOwn(entry, 'priority') && isNoWord(entry['position'])),
  },
];

/**
 * The app that wrote a raw book in the standard's words, or null. It may be that SillyTavern reads it well all the same.
 * @param around the extensions of the card that it stands in
 */
export function markedAppOf(book: JsonObject, around: JsonObject = NO_FIELDS): string | null {
  const entries = rawEntries(book).items.filter(isObject);
  const found = MARKS.find(
    ({ name, isBook, isEntry }) =>
      (name !== undefined && [around, bagOf(book)].some((bag) => isObject(bag[name]))) ||
      isBook?.(book) ||
      (isEntry !== undefined && entries.some((entry) => isEntry(entry, bagOf(entry)))),
  );
  return found?.app ?? null;
}

const bagOf = ({ extensions }: JsonObject): JsonObject => (isObject(extensions) ? extensions : NO_FIELDS);

/**
 * The app in whose words a lorebook came, where SillyTavern's own import would read it otherwise than we do; null for
 * SillyTavern's own and for the standard's, marks of an app that change nothing included.
 * @param around the extensions of the card that it stood in
 */
export function foreignAppOfBook(
  { id, original }: CanonicalLorebook,
  around: JsonObject = NO_FIELDS,
): string | null {
  const escrow = original[CHARACTER_BOOK];
  if (escrow === undefined) {
    // A dialect of an app's is named after the app.
    const app = Object.keys(original)[0]?.split('-')[0];
    return app === undefined || app === SILLYTAVERN ? null : app;
  }
  const { raw } = escrow;
  if (!isObject(raw)) return null;
  const { family } = familyOf(raw);
  if (family === 'marinara' || family === 'lumiverse') return family;
  // A mark of RisuAI's alone says nothing: SillyTavern carries it along.
  if (family === 'risu') return speaksRisu(raw) ? family : null;
  if (family === 'loreferry') return null;
  const app = markedAppOf(raw, around);
  return app === null || isReadAlike(escrow, id) ? null : app;
}

const SILLYTAVERN = 'sillytavern';

/**
 * A lorebook that another app wrote into a card, to be written anew: SillyTavern and readers of its cards would make
 * less of the app's words. Any other one as it is. `around`: see `foreignAppOfBook`.
 */
export function inStandardWords(
  lorebook: CanonicalLorebook,
  around: JsonObject = NO_FIELDS,
): CanonicalLorebook {
  const { original } = lorebook;
  if (original[CHARACTER_BOOK] === undefined || foreignAppOfBook(lorebook, around) === null) return lorebook;
  const others = Object.entries(original).filter(([dialect]) => dialect !== CHARACTER_BOOK);
  return { ...lorebook, original: Object.fromEntries(others) };
}
