// A slot of a card that holds a lorebook: what stands in it, the card with another book in it, and what has to be sent
// so that SillyTavern's merging makes exactly that card.

import { isArray, isObject, type Json, type JsonObject, sameJson, withoutKey } from '../core/json.ts';

// The places in which lorebooks are found (decisions 42). Nothing else of a card is written through here.
const SLOT =
  /^(?:data\.)?(?:character_book|characterBook|extensions\.character_book|extensions\.character_books(?:\.\d{1,5})?)$/;

/** Whether a path is a place of a card in which a lorebook may stand. */
export function isCardSlot(slot: string): boolean {
  return SLOT.test(slot);
}

// A book in a list is written with its list: merging replaces lists whole.
function placeOf(slot: string): { readonly path: readonly string[]; readonly index: number | null } {
  const path = slot.split('.');
  const last = path.at(-1) ?? '';
  return /^\d+$/.test(last) ? { path: path.slice(0, -1), index: Number(last) } : { path, index: null };
}

function valueAt(card: Json | undefined, path: readonly string[]): Json | undefined {
  let here = card;
  for (const key of path) here = isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  return here;
}

/** The book in a slot of a card, or null when there is none. */
export function bookAt(card: JsonObject, slot: string): JsonObject | null {
  const { path, index } = placeOf(slot);
  const held = valueAt(card, path);
  const book = index === null ? held : isArray(held) ? held[index] : undefined;
  return isObject(book) ? book : null;
}

/**
 * A card with a book put into a slot, or taken out of it. The other parts are shared. In a list a book that is taken
 * out leaves a null, so that the others keep their places.
 */
export function withBook(card: JsonObject, slot: string, book: JsonObject | null): JsonObject {
  const { path, index } = placeOf(slot);
  if (index === null) return withValue(card, path, book ?? undefined);
  const held = valueAt(card, path);
  const list: Json[] = isArray(held) ? [...held] : [];
  while (list.length <= index) list.push(null);
  list[index] = book;
  return withValue(card, path, list);
}

function withValue(object: JsonObject, [key = '', ...rest]: readonly string[], value?: Json): JsonObject {
  const held = object[key];
  if (rest.length > 0)
    return isObject(held) || value !== undefined
      ? { ...object, [key]: withValue(isObject(held) ? held : {}, rest, value) }
      : object;
  return value === undefined ? withoutKey(object, key) : { ...object, [key]: value };
}

/** The value with which a key is taken out of a card (characters.js, UNSET_SENTINEL; 1.19, not yet in 1.16). */
export const UNSET = '__@@UNSET@@__';

/** What is to be merged into a card so that one of its slots is what it is in another. */
export interface SlotMerge {
  readonly body: JsonObject;
  /** Whether it takes keys out, which older servers store as text instead. */
  readonly unsets: boolean;
  /** Whether something stands in the way that an object cannot be merged into: the slot must be emptied first. */
  readonly blocked: boolean;
}

/**
 * The merge that makes one slot of a card what it is in another, for `/api/characters/merge-attributes`. Merging
 * (src/util.js, deepMerge) keeps what the sent object does not name, replaces lists whole, and makes an empty object of
 * one that is merged into null, a text or a list.
 */
export function slotMerge(from: JsonObject, to: JsonObject, slot: string): SlotMerge {
  const { path } = placeOf(slot);
  const found = { unsets: false, blocked: false };
  let body = mergeOf(valueAt(from, path), valueAt(to, path), found);
  for (const key of [...path].reverse()) body = { [key]: body };
  const parents = path.slice(0, -1).map((_, index) => valueAt(from, path.slice(0, index + 1)));
  const isHeld = parents.every((parent) => parent === undefined || isObject(parent));
  return { body: body as JsonObject, unsets: found.unsets, blocked: found.blocked || !isHeld };
}

function mergeOf(
  from: Json | undefined,
  to: Json | undefined,
  found: { unsets: boolean; blocked: boolean },
): Json {
  if (to === undefined) {
    found.unsets = true;
    return UNSET;
  }
  if (!isObject(to) || from === undefined) return to;
  if (!isObject(from)) {
    found.blocked = true;
    return to;
  }
  const body: Record<string, Json> = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after] = [ownOf(from, key), ownOf(to, key)];
    // "__proto__" is a key like any other in JSON, and none that an object of ours may be given.
    if (sameJson(before, after) || key === '__proto__') continue;
    body[key] = mergeOf(before, after, found);
  }
  return body;
}

const ownOf = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
