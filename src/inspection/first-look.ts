// The first look at a large world file: the rows that are seen at first, and how many entries of each kind there are.
// Reading thousands of entries whole takes longer than showing twenty of them.

import type { Json, JsonObject } from '../core/json.ts';
import { fieldsReader } from '../formats/_shared/entry-reader.ts';
import { READ_WORLD, worldRows } from '../formats/sillytavern/world-info.ts';
import { WORLD_INFO_FIELDS } from '../formats/sillytavern/world-table.ts';
import { withoutTwin } from '../formats/sillytavern/world-twin.ts';
import type { BookTotals, EntryState } from './book-view.ts';
import { stateOf } from './book-view.ts';

/** Entries that a first look reads whole: more than a large screen shows. */
export const FIRST_ENTRIES = 60;

/** A world file with only the entries that stand first in the table, and the totals of all. */
export interface FirstLook {
  readonly world: JsonObject;
  readonly totals: BookTotals;
}

const GLANCED: ReadonlySet<string> = new Set(['enabled', 'constant', 'vectorized', 'order']);
const GLANCED_FIELDS = WORLD_INFO_FIELDS.filter(({ path }) => GLANCED.has(path));

/**
 * Looks at a world file.
 *
 * @param world the file; it is not changed
 * @returns null when it is small enough to be read whole
 */
export function firstLook(world: JsonObject): FirstLook | null {
  const rows = worldRows(world);
  if (rows.length <= FIRST_ENTRIES) return null;
  const read = fieldsReader(GLANCED_FIELDS, READ_WORLD);
  const counted: Record<EntryState, number> = { on: 0, off: 0, constant: 0, vectorized: 0 };
  const ordered = rows.map(({ uid, item }) => {
    const entry = read(item);
    counted[stateOf(entry)]++;
    return { uid, item, order: entry.order };
  });
  ordered.sort((a, b) => a.order - b.order || a.uid - b.uid);
  const first = ordered.slice(0, FIRST_ENTRIES).map(({ uid, item }): [string, Json] => [String(uid), item]);
  return {
    // What the twin knows is not shown in a row.
    world: { ...withoutTwin(world), entries: Object.fromEntries(first) },
    totals: {
      entries: rows.length,
      on: rows.length - counted.off,
      off: counted.off,
      constant: counted.constant,
      vectorized: counted.vectorized,
      // Every entry has to be read whole for it.
      needsLook: 0,
    },
  };
}
