// Entries as they stand in a character that is written for Agnai, what was said of them, and the preset that belongs to it.

import type { Finding } from '../../src/core/finding.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { CanonicalLorebook } from '../../src/core/lorebook.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import type { AgnaiOptions } from '../../src/formats/agnai/book-writing.ts';
import { agnaiCharacter } from '../../src/formats/agnai/character.ts';
import type { MemoryEntry } from './agnai-app.ts';
import { throughJson } from './fixtures.ts';
import { characterInForce, entryOf, lorebookOf, type PartOfEntry } from './in-force.ts';
import { EXACT } from './sent-books.ts';
import { type Codes, codesIn } from './wire-tables.ts';

/** A character as it is written, and its entries. */
export interface Written {
  readonly native: JsonObject;
  readonly entries: readonly MemoryEntry[];
  readonly findings: readonly Finding[];
  readonly steps: readonly string[];
  readonly settings: JsonObject;
  readonly codes: Codes;
}

/** Writes a character with these books, in the style exact unless other options are given. */
export function write(
  books: readonly CanonicalLorebook[],
  options: AgnaiOptions = EXACT,
  settings: Partial<ScanSettings> = {},
): Written {
  const { card, findings, ...guidance } = agnaiCharacter(characterInForce(books, settings), options);
  const native = throughJson(card);
  const held = (native['characterBook'] as JsonObject)['entries'] as unknown as readonly MemoryEntry[];
  return { native, entries: held, findings, ...guidance, codes: codesIn(findings) };
}

/** Writes a character with a single entry. */
export const one = (given: PartOfEntry, options?: AgnaiOptions, settings?: Partial<ScanSettings>): Written =>
  write([lorebookOf([entryOf(given)])], options, settings);
