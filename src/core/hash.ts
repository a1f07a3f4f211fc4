// A short hash that tells whether a JSON value is still the same one. Not for secrets. It needs no secure context,
// so it works on pages that a phone opens over plain http.

/** Two independent 32-bit lanes. */
interface Lanes {
  first: number;
  second: number;
}

/**
 * 64 bits of a JSON value as 16 hex digits. The order of keys does not count, a key that is undefined counts as
 * absent, and a number counts as JSON writes it.
 */
export function hashJson(value: unknown): string {
  const lanes: Lanes = { first: 0x811c9dc5 | 0, second: 0x9747b28c | 0 };
  feed(lanes, value);
  return hex(mixed(lanes.first)) + hex(mixed(lanes.second));
}

// A mark before each value, so that no two different values feed the same numbers.
const MARK = { text: 1, list: 2, object: 3, number: 4, yes: 5, no: 6, nothing: 7 } as const;

function feed(lanes: Lanes, value: unknown): void {
  if (typeof value === 'string') feedText(lanes, value);
  else if (typeof value === 'boolean') feedNumber(lanes, value ? MARK.yes : MARK.no);
  else if (typeof value === 'number' && Number.isFinite(value)) {
    feedNumber(lanes, MARK.number);
    if (Number.isInteger(value) && Math.abs(value) < 0x7fffffff) feedNumber(lanes, value | 0);
    else feedText(lanes, String(value));
  } else if (Array.isArray(value)) {
    feedNumber(lanes, MARK.list);
    feedNumber(lanes, value.length);
    for (const item of value) feed(lanes, item);
  } else if (typeof value === 'object' && value !== null) {
    feedObject(lanes, value as Readonly<Record<string, unknown>>);
  } else {
    feedNumber(lanes, MARK.nothing);
  }
}

function feedObject(lanes: Lanes, object: Readonly<Record<string, unknown>>): void {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  feedNumber(lanes, MARK.object);
  feedNumber(lanes, keys.length);
  for (const key of keys.sort()) {
    feedText(lanes, key);
    feed(lanes, object[key]);
  }
}

function feedText(lanes: Lanes, text: string): void {
  feedNumber(lanes, MARK.text);
  feedNumber(lanes, text.length);
  let { first, second } = lanes;
  // Two code units a step: books are mostly text, and this is where their hashing spends its time.
  const even = text.length & ~1;
  for (let i = 0; i < even; i += 2) {
    const pair = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16);
    first = Math.imul(first ^ pair, 0x01000193);
    first ^= first >>> 15;
    second = Math.imul(second ^ pair, 0x85ebca6b);
    second = (second << 13) | (second >>> 19);
  }
  lanes.first = first;
  lanes.second = second;
  if (even < text.length) feedNumber(lanes, text.charCodeAt(even));
}

function feedNumber(lanes: Lanes, number: number): void {
  const first = Math.imul(lanes.first ^ number, 0x01000193);
  lanes.first = first ^ (first >>> 15);
  const second = Math.imul(lanes.second ^ number, 0x85ebca6b);
  lanes.second = (second << 13) | (second >>> 19);
}

function mixed(lane: number): number {
  let value = lane ^ (lane >>> 16);
  value = Math.imul(value, 0x7feb352d);
  value ^= value >>> 15;
  value = Math.imul(value, 0x846ca68b);
  return value ^ (value >>> 16);
}

const hex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0');
