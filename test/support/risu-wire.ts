// Entries as they stand in a card that is written for RisuAI: rows whose content begins with lines of decorators.

import type { JsonObject } from '../../src/core/json.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import type { RisuOptions } from '../../src/formats/risu/book-writing.ts';
import { risuCard } from '../../src/formats/risu/card.ts';
import { entryOf, characterInForce as inForceOf, lorebookOf, MARA, type PartOfEntry } from './in-force.ts';
import { NATURAL } from './sent-books.ts';
import { codesIn } from './wire-tables.ts';

/** The texts of entries are not searched. */
export const OFF: Partial<ScanSettings> = { recursive: false };

// Her greeting speaks of lamps, which RisuAI would not search.
const SILENT = { ...MARA, body: { ...MARA.body, firstMessage: '' } };

/** A character in force whose greeting has no keys in it. */
export const characterInForce: typeof inForceOf = (books, settings, character = SILENT) =>
  inForceOf(books, settings, character);

/** What is written of one entry, or of several of a book: the card, its rows, and of the first its lines and codes. */
export function written(
  given: PartOfEntry | readonly PartOfEntry[],
  options: RisuOptions = NATURAL,
  settings: Partial<ScanSettings> = {},
) {
  const list = Array.isArray(given) ? (given as readonly PartOfEntry[]) : [given as PartOfEntry];
  const resolved = characterInForce([lorebookOf(list.map((each, at) => entryOf(each, `w${at}`)))], settings);
  const { card, findings } = risuCard(resolved, options);
  const book = (card['data'] as JsonObject)['character_book'] as JsonObject;
  const rows = (book['entries'] as readonly JsonObject[]).map(({ extensions: _own, ...row }) => row);
  const [row = {}] = rows;
  const lines = String(row['content']).split('\n').slice(0, -1);
  return {
    card,
    book,
    rows,
    row,
    lines,
    findings,
    codes: codesIn(findings, 'w0'),
  };
}

/** A key that is a pattern, as RisuAI must be given it. */
export const asPattern = (pattern: string, flags = 'i'): string => `/[]|(?:${pattern})|[]//${flags}`;

/** The pattern of a text that is a whole word. */
export const wholeWord = (text: string): string => `(?:^|\\W)(?:${text})(?:$|\\W)`;
