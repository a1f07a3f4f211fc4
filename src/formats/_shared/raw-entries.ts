// The container of a raw book's entries: a list in nearly every card, an object in some.

import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';

/** The raw entries in book order, with the key under which each stood when the container is an object. */
export interface RawEntries {
  readonly form: 'list' | 'object' | 'missing' | 'unusable';
  readonly items: readonly Json[];
  readonly keys: readonly string[];
}

/** Reads the container; an object is walked in its own order. */
export function rawEntries(book: JsonObject): RawEntries {
  const held = book['entries'];
  if (isArray(held)) return { form: 'list', items: held, keys: [] };
  if (isObject(held)) {
    const keys = Object.keys(held);
    return { form: 'object', items: keys.map((key) => held[key] ?? null), keys };
  }
  return { form: held === undefined || held === null ? 'missing' : 'unusable', items: [], keys: [] };
}

/** An entry on its way back: its raw form, and the index at which its twin stood (null for a new one). */
export interface PlacedEntry {
  readonly raw: Json;
  readonly twinIndex: number | null;
}

/**
 * Puts entries back into the form that the twin has; the result is what belongs under `entries`, undefined when
 * nothing does. When nothing changed, the twin's own container is returned, whatever it is; an object keeps the key
 * of each entry and gives a new one the number behind its highest.
 */
export function placeEntries(
  twin: RawEntries,
  held: Json | undefined,
  placed: readonly PlacedEntry[],
): Json | undefined {
  const unchanged =
    placed.length === twin.items.length &&
    placed.every((item, index) => item.twinIndex === index && item.raw === twin.items[index]);
  if (unchanged) return held;
  if (twin.form !== 'object') return placed.map((item) => item.raw);
  let next = twin.keys.reduce(
    (free, key) => (/^\d{1,9}$/.test(key) ? Math.max(free, Number(key) + 1) : free),
    0,
  );
  const pairs = placed.map((item): [string, Json] => {
    const key = item.twinIndex === null ? undefined : twin.keys[item.twinIndex];
    return [key ?? String(next++), item.raw];
  });
  const object = Object.fromEntries(pairs);
  // An object sorts its integer keys, so an order that differs from theirs needs a list.
  const inOrder = Object.keys(object).every((key, index) => key === pairs[index]?.[0]);
  return inOrder && Object.keys(object).length === pairs.length ? object : placed.map((item) => item.raw);
}
