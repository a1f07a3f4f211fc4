// What we put into a card's book under our own key, taken out again for who leaves us (decisions 40).

import type { JsonObject } from '../../core/json.ts';
import { isArray, isObject, withoutKey } from '../../core/json.ts';
import { STASH_KEY } from './stash.ts';

/** A raw character_book without our key in its extensions and in those of its entries; the same object without one. */
export function withoutOwnMarks(book: JsonObject): JsonObject {
  const bare = withoutMark(book);
  const { entries } = bare;
  if (!isArray(entries)) return bare;
  const clean = entries.map((entry) => (isObject(entry) ? withoutMark(entry) : entry));
  return clean.every((entry, index) => entry === entries[index]) ? bare : { ...bare, entries: clean };
}

function withoutMark(holder: JsonObject): JsonObject {
  const { extensions } = holder;
  if (!isObject(extensions) || !Object.hasOwn(extensions, STASH_KEY)) return holder;
  return { ...holder, extensions: withoutKey(extensions, STASH_KEY) };
}
