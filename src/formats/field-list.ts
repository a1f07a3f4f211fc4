// The tables of the dialects as rows for people: which field stands where. docs/fields.md is made from it.

import { CHARACTER_BOOK_FIELDS } from './_shared/character-book-table.ts';
import type { EntryField } from './_shared/entry-field.ts';
import { AGNAI_TABLE } from './agnai/fields.ts';
import { LUMIVERSE_TABLES } from './lumiverse/fields.ts';
import { MARINARA_TABLES } from './marinara/fields.ts';
import { RISU_FIELDS } from './risu/fields.ts';
import { ROLECALL_FIELDS } from './rolecall/fields.ts';
import { WORLD_INFO_FIELDS } from './sillytavern/world-table.ts';

/** One field of an entry and its first place in each dialect of `FIELD_COLUMNS`; null where a dialect has none. */
export interface ListedField {
  readonly path: string;
  readonly places: readonly (string | null)[];
}

interface FieldColumn {
  readonly name: string;
  readonly places: ReadonlyMap<string, string>;
}

const AND = ' + ';

/** The dialects, in the order of the columns. */
export const FIELD_COLUMNS: readonly FieldColumn[] = [
  { name: 'in a card (entry of `character_book`)', places: placesOf(CHARACTER_BOOK_FIELDS) },
  { name: 'in a world info file', places: placesOf(WORLD_INFO_FIELDS) },
  { name: 'RisuAI', places: new Map(RISU_FIELDS.flatMap(({ path, at }) => (at ? [[path, words(at)]] : []))) },
  { name: 'Agnai', places: placesOf(AGNAI_TABLE.fields) },
  { name: 'Marinara, card', places: placesOf(MARINARA_TABLES.card.fields) },
  { name: 'Marinara, lorebook', places: placesOf(MARINARA_TABLES.native.fields) },
  { name: 'Lumiverse, card', places: placesOf(LUMIVERSE_TABLES.card.fields) },
  { name: 'Lumiverse, world book', places: placesOf(LUMIVERSE_TABLES.native.fields) },
  { name: 'RoleCall, lorebook', places: placesOf(ROLECALL_FIELDS) },
];

/** Every field of an entry that we model, in the order of the card's table. */
export function listFields(): readonly ListedField[] {
  const paths = [...new Set([...CHARACTER_BOOK_FIELDS, ...WORLD_INFO_FIELDS].map((row) => row.path))];
  return paths.map((path) => ({ path, places: FIELD_COLUMNS.map(({ places }) => places.get(path) ?? null) }));
}

function words(at: string): string {
  return at.split(', ').join(AND);
}

function placesOf(rows: readonly EntryField[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap((row) => {
      const place = placeOf(row);
      return place === null ? [] : [[row.path, place]];
    }),
  );
}

function placeOf(row: EntryField): string | null {
  const own = row.wires.filter((wire) => !wire.foreign);
  if (own.length === 0) return null;
  // A plain value has one place, the others are only read; keys, titles and positions are written in all of theirs.
  const written = row.isPlain ? own.slice(0, 1) : own;
  return written.map((wire) => (wire.at === 'extensions' ? `extensions.${wire.key}` : wire.key)).join(AND);
}
