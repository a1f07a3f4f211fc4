// What SillyTavern itself makes of a card's book (1.19, convertCharacterBook): it looks at the standard's fields and at
// its own names in an entry's extensions, and at nothing else. Both are the first wires of the book's table.

import { compareEntries, isNoDifference, visibleFields } from '../../core/compare.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, NO_FIELDS } from '../../core/json.ts';
import type { Escrow, LorebookEntry } from '../../core/lorebook.ts';
import { CHARACTER_BOOK_TABLE, readingOf } from './character-book.ts';
import { CHARACTER_BOOK_FIELDS } from './character-book-table.ts';
import { entryReader } from './entry-reader.ts';

// Its card has no character filter, and a place in the list is no matter of the prompt.
const ROWS = CHARACTER_BOOK_FIELDS.filter(
  ({ path }) => path !== 'displayIndex' && path !== 'characterFilter',
).map((row) => ({ ...row, wire: row.wires[0] }));

const titleShown = (entry: LorebookEntry): string => entry.memo || entry.title;
const FIELDS = visibleFields(
  ROWS.map(({ path, same }) =>
    path === 'title' ? { path, same: (a, b) => titleShown(a) === titleShown(b) } : { path, same },
  ),
);

/**
 * Whether SillyTavern reads a raw book as we do, in every field that its editor shows.
 * @param bookId the id under which the book was or will be read
 */
export function isReadAlike(escrow: Escrow, bookId: string): boolean {
  const stock = stockEntries(escrow.raw);
  if (stock === null) return false;
  return isNoDifference(compareEntries(readingOf(escrow, bookId).body.entries, stock, FIELDS));
}

// null: it fails, or it does something with an entry that no entry of ours can say.
function stockEntries(book: Json): readonly LorebookEntry[] | null {
  const items = isObject(book) ? book['entries'] : undefined;
  if (!isArray(items) || !items.every(isObject)) return null;
  if (items.some(hasWordForNumber)) return null;
  const { read } = entryReader(CHARACTER_BOOK_TABLE, { precedence: 'extensions-first', patternKeys: false });
  // Entries are stored under their ids: of several with one id the last one is left. Only an id that is not there at all
  // is given, so null is one, too.
  const byId = new Map(items.map((raw, index) => [String(raw['id'] === undefined ? index : raw['id']), raw]));
  return [...byId].map(([id, raw]) => read(seen(raw), id, () => undefined));
}

const bagOf = ({ extensions }: JsonObject): JsonObject => (isObject(extensions) ? extensions : NO_FIELDS);

// Its engine compares these with numbers and converts nothing: a word there places an entry nowhere.
function hasWordForNumber(raw: JsonObject): boolean {
  const { position, selectiveLogic, role } = bagOf(raw);
  return !isNumberOrNone(position, 7) || typeof selectiveLogic === 'string' || typeof role === 'string';
}

const isNumberOrNone = (value: Json | undefined, most: number): boolean =>
  (value ?? null) === null || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most);

function seen(raw: JsonObject): JsonObject {
  const bag = bagOf(raw);
  const entry: Record<string, Json | undefined> = {};
  const extensions: Record<string, Json | undefined> = {};
  for (const { wire } of ROWS) {
    if (wire?.at === 'extensions') extensions[wire.key] = bag[wire.key];
    else if (wire !== undefined) entry[wire.key] = raw[wire.key];
  }
  return {
    ...entry,
    // A single text is no list of keys there.
    keys: isArray(raw['keys']) ? raw['keys'] : [],
    secondary_keys: isArray(raw['secondary_keys']) ? raw['secondary_keys'] : [],
    constant: Boolean(raw['constant']),
    selective: Boolean(raw['selective']),
    enabled: Boolean(raw['enabled']),
    position: raw['position'] === 'before_char' ? 'before_char' : 'after_char',
    extensions,
  };
}
