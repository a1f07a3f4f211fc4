// JSON as a type, and the few questions we ask of it. Everything that a card holds is untrusted JSON.

/** Any JSON value, never changed in place. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** A JSON object; a key may be absent. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** The object without keys; one and the same, so that empty bags compare at once. */
export const NO_FIELDS: JsonObject = Object.freeze({});

/** Whether a value is a JSON object (neither null nor an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an array; unlike `Array.isArray` it keeps the type readonly. */
export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Whether two JSON values hold the same leaves. The order of keys does not count; a key that is absent equals
 * one that is undefined, since JSON cannot write the latter. Only own keys count, so `__proto__` is a plain key.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isArray(a)) {
    if (!isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!sameJson(a[i], b[i])) return false;
    return true;
  }
  if (!isObject(a) || !isObject(b)) return false;
  let held = 0;
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) continue;
    held++;
    const other = b[key];
    if (value !== other && !sameJson(value, other)) return false;
    if (other === undefined || !Object.hasOwn(b, key)) return false;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) held--;
  return held === 0;
}

/** A value as JSON text in which the order of keys does not count: equal texts hold the same leaves. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) =>
    isObject(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : held,
  );
}

/** A value at a path of keys, or undefined where the path ends early. Only own keys are followed. */
export function jsonAt(value: unknown, path: readonly string[]): Json | undefined {
  let here = value;
  for (const key of path) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here as Json | undefined;
}

/** An object without one key; the same object when it does not hold the key. */
export function withoutKey(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  const { [key]: _gone, ...rest } = object;
  return rest;
}
