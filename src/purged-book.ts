// An app's own book without the entries that the user deleted: their text must not travel on in a file that is given away
// (decisions 24).

import type { Json, JsonObject } from './core/json.ts';
import { isArray, isObject } from './core/json.ts';

/** How many entries a raw book holds for its reader; null when it is none. */
export type EntryCount = (raw: Json) => number | null;

/**
 * A raw book without some of its entries. Rows that are no entries, such as folders, stay.
 *
 * @param isKept by the entry's place among those that the reader finds
 * @returns null when it is not clear which rows the entries stand in
 */
export function purgedBook(raw: Json, count: EntryCount, isKept: (place: number) => boolean): Json | null {
  const all = count(raw);
  if (all === null) return null;
  for (const { rows, put } of listsIn(raw)) {
    const entriesIn = rows.map((row) => count(put([row])) ?? 0);
    if (entriesIn.some((number) => number > 1) || entriesIn.reduce((sum, each) => sum + each, 0) !== all)
      continue;
    let place = 0;
    const purged = put(rows.filter((_row, at) => entriesIn[at] === 0 || isKept(place++)));
    const kept = Array.from({ length: all }, (_, at) => at).filter(isKept).length;
    return count(purged) === kept ? purged : null;
  }
  return null;
}

type Row = readonly [key: string, value: Json];

/** Rows that stand side by side in a book: in a list, or under names of their own. */
interface HeldRows {
  readonly rows: readonly Row[];
  /** The book with these rows only. */
  readonly put: (rows: readonly Row[]) => Json;
}

// RoleCall's stand deepest: `lorebook.entries`, in an envelope.
const DEEPEST = 2;

function listsIn(raw: Json, depth = 0): readonly HeldRows[] {
  if (isArray(raw)) {
    const rows = raw.map((value, at): Row => [String(at), value]);
    return [{ rows, put: (kept) => kept.map(([, value]) => value) }];
  }
  if (!isObject(raw) || depth > DEEPEST) return [];
  const fields = Object.entries(raw).flatMap(([key, value]): Row[] =>
    value === undefined ? [] : [[key, value]],
  );
  const within = fields.flatMap(([key, value]) =>
    listsIn(value, depth + 1).map(({ rows, put }) => ({
      rows,
      put: (kept: readonly Row[]): JsonObject => ({ ...raw, [key]: put(kept) }),
    })),
  );
  const isMap = depth > 0 && fields.every(([, value]) => isObject(value));
  return isMap ? [{ rows: fields, put: Object.fromEntries }, ...within] : within;
}
