// One entry as it stands in what is written for Marinara: in the card's book, and in a lorebook file of the app's own.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import type { MarinaraOptions } from '../../src/formats/marinara/book-writing.ts';
import { marinaraCard, marinaraLorebooks } from '../../src/formats/marinara/card.ts';
import { throughJson } from './fixtures.ts';
import { characterInForce, entryOf, lorebookOf, type PartOfEntry } from './in-force.ts';
import { NATURAL } from './sent-books.ts';
import { type Codes, codesIn } from './wire-tables.ts';

/** Keys are found inside words, too. */
export const OFF: Partial<ScanSettings> = { matchWholeWords: false };

/** What stands in a file at an entry. */
export interface Written {
  readonly card: JsonObject;
  readonly native: JsonObject;
  readonly codes: Codes;
  readonly nativeCodes: Codes;
}

const firstIn = (book: Json | undefined): JsonObject =>
  (throughJson(book) as { readonly entries: readonly JsonObject[] }).entries[0] as JsonObject;

/** The only entry of a lorebook, in the card and in the app's own file. */
export function written(given: PartOfEntry, options: MarinaraOptions = NATURAL, settings = OFF): Written {
  const resolved = characterInForce([lorebookOf([entryOf(given)])], settings);
  const { card, findings } = marinaraCard(resolved, options);
  const native = marinaraLorebooks(resolved, options);
  return {
    card: firstIn(jsonAt(card, ['data', 'character_book'])),
    native: firstIn(native.lorebooks[0]?.json['data']),
    codes: codesIn(findings),
    nativeCodes: codesIn(native.findings),
  };
}
