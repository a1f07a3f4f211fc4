// One entry as it stands in what is written for Lumiverse: in the card's book, and in a world book of the app's own.

import type { Json, JsonObject } from '../../src/core/json.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import type { LumiverseOptions } from '../../src/formats/lumiverse/book-writing.ts';
import { lumiverseCard } from '../../src/formats/lumiverse/card.ts';
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
}

const entriesIn = (book: Json | undefined): readonly JsonObject[] =>
  (throughJson(book) as { readonly entries: readonly JsonObject[] }).entries;

/** The entries of a lorebook, in the card and in the app's own world book. */
export function writtenEntries(
  given: readonly PartOfEntry[],
  options: LumiverseOptions = NATURAL,
  settings: Partial<ScanSettings> = {},
) {
  const entries = given.map((each, at) => entryOf(each, `w${at}`));
  const { card, modules, findings } = lumiverseCard(
    characterInForce([lorebookOf(entries)], settings),
    'charx',
    options,
  );
  return {
    card: entriesIn((card['data'] as JsonObject)['character_book']),
    native: entriesIn((modules['world_books'] as readonly Json[])[0]),
    findings,
  };
}

/** The only entry of a lorebook, in the card and in the app's own world book. */
export function written(given: PartOfEntry, options?: LumiverseOptions, settings = OFF): Written {
  const { card, native, findings } = writtenEntries([given], options, settings);
  return { card: card[0] as JsonObject, native: native[0] as JsonObject, codes: codesIn(findings) };
}
