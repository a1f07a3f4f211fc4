// Rows that we wrote into a RisuAI book beside its entries: folders, one for each lorebook, and the copies of an entry of
// which at most one fires. On the way back they are no entries, unless somebody edited them there.

import { hashJson } from '../../../core/hash.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isArray, isObject, jsonAt, withoutKey } from '../../../core/json.ts';
import { isRisuFolder } from './book.ts';

const markOf = (item: Json): Json | undefined => {
  const bag = isObject(item) ? item['extensions'] : undefined;
  return isObject(bag) ? bag['loreferry'] : undefined;
};

const texts = (value: Json | undefined): readonly Json[] =>
  (isArray(value) ? value : []).filter((text) => text !== '');

/** What RisuAI shows of a row, as it keeps it: copies differ only in this, and it tells whether one was edited. */
export function rowMark(item: Json): string {
  if (!isObject(item)) return '';
  const { keys, secondary_keys, content, constant, insertion_order, name } = item;
  return hashJson([texts(keys), texts(secondary_keys), content, constant, insertion_order, name]);
}

/** Whether a row was written for the character's note, which RisuAI drops. */
export function isWrittenNote(item: Json): boolean {
  const mark = markOf(item);
  return isObject(mark) && mark['of'] === 'depth_prompt';
}

/**
 * The rows that are entries: of the copies of one entry the first that is left, and those that were edited. The
 * character's note is one only where it was made another kind of entry there (`isNote` tells), or where it was edited
 * and the card has its note still.
 */
export function withoutRisuRows(
  items: readonly Json[],
  hasNote: boolean,
  isNote: (row: Json) => boolean = () => false,
): readonly Json[] {
  const met = new Set<string>();
  // Folders of a book that RisuAI itself wrote are its own.
  const isOwn = items.some((item) => jsonAt(markOf(item), ['own']) === true);
  return items.flatMap((item): readonly Json[] => {
    if (isRisuFolder(item)) return isOwn ? [item] : [];
    const mark = markOf(item);
    if (!isObject(mark) || !isObject(item)) return [item];
    if (isWrittenNote(item)) {
      const isKept = hasNote ? mark['row'] !== rowMark(item) : !isNote(item);
      return isKept
        ? [{ ...item, extensions: withoutKey(item['extensions'] as JsonObject, 'loreferry') }]
        : [];
    }
    if (mark['copies'] === undefined) return [item];
    const entry = `${mark['book']} ${mark['at']}`;
    const isFirst = !met.has(entry);
    met.add(entry);
    return isFirst || mark['row'] !== rowMark(item) ? [item] : [];
  });
}
