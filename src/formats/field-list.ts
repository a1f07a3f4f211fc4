// The tables of the dialects as rows for people: which field stands where. The README is made from it.

import { CHARACTER_BOOK_FIELDS } from './_shared/character-book-table.ts';
import type { EntryField } from './_shared/entry-field.ts';
import { MARINARA_TABLES } from './marinara/fields.ts';
import { WORLD_INFO_FIELDS } from './sillytavern/world-table.ts';

/** One field of an entry and its first place in each dialect; null where a dialect has none. */
export interface ListedField {
  readonly path: string;
  readonly card: string | null;
  readonly world: string | null;
  /** An entry of a card in Marinara's dialect. */
  readonly marinara: string | null;
  /** An entry of Marinara's own lorebook file. */
  readonly marinaraNative: string | null;
}

/** Every field of an entry that we model, in the order of the card's table. */
export function listFields(): readonly ListedField[] {
  const world = byPath(WORLD_INFO_FIELDS);
  const paths = [...new Set([...CHARACTER_BOOK_FIELDS, ...WORLD_INFO_FIELDS].map((row) => row.path))];
  const card = byPath(CHARACTER_BOOK_FIELDS);
  const marinara = byPath(MARINARA_TABLES.card.fields);
  const native = byPath(MARINARA_TABLES.native.fields);
  return paths.map((path) => ({
    path,
    card: placeOf(card.get(path)),
    world: placeOf(world.get(path)),
    marinara: placeOf(marinara.get(path)),
    marinaraNative: placeOf(native.get(path)),
  }));
}

const byPath = (rows: readonly EntryField[]): ReadonlyMap<string, EntryField> =>
  new Map(rows.map((row) => [row.path, row]));

function placeOf(row: EntryField | undefined): string | null {
  const own = row?.wires.filter((wire) => !wire.foreign) ?? [];
  if (row === undefined || own.length === 0) return null;
  // A plain value has one place, the others are only read; keys, titles and positions are written in all of theirs.
  const written = row.isPlain ? own.slice(0, 1) : own;
  return written.map((wire) => (wire.at === 'extensions' ? `extensions.${wire.key}` : wire.key)).join(' + ');
}
