// What of a character's card is the user's own and stays when it leaves SillyTavern.

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { OF_THE_USER } from '../../formats/_shared/card-data.ts';

/** A card without the user's own fields; a favourite becomes none, as in SillyTavern's export. The same when it has none. */
export function leavingCard(card: JsonObject): JsonObject {
  const root = withoutOwn(card, OF_THE_USER);
  const data = root['data'];
  if (!isObject(data)) return withExtensions(root);
  const left = withExtensions(withoutOwn(data, ['chat']));
  return left === data ? root : { ...root, data: left };
}

function withExtensions(holder: JsonObject): JsonObject {
  const extensions = holder['extensions'];
  if (!isObject(extensions)) return holder;
  const left = withoutOwn(extensions, ['chat']);
  return left === extensions ? holder : { ...holder, extensions: left };
}

function withoutOwn(holder: JsonObject, keys: readonly string[]): JsonObject {
  const isFavourite = Object.hasOwn(holder, 'fav') && holder['fav'] !== false;
  if (!isFavourite && !keys.some((key) => Object.hasOwn(holder, key))) return holder;
  const left: [string, Json | undefined][] = Object.entries(holder)
    .filter(([key]) => !keys.includes(key))
    .map(([key, value]) => [key, key === 'fav' ? false : value]);
  return Object.fromEntries(left) as JsonObject;
}
