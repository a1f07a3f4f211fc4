// What JSON text holds, counted before it is parsed, and what parsing it silently drops. Takes no recursion over the
// text, so its depth does not matter.

import type { Limits } from './limits.ts';

const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const LIST = 91;
const BACKSLASH = 92;
const LIST_END = 93;
const OBJECT = 123;
const OBJECT_END = 125;

/** A whole number below this length is held exactly. */
const EXACT_DIGITS = 16;
/** A number of this length cannot be held at all; nothing is reckoned with it. */
const MOST_DIGITS = 400;

/** The shape of JSON text, or the limit that it passes. */
export type JsonShape =
  | { readonly over: 'jsonDepth' | 'jsonValues' }
  | {
      /** Keys as the text has them; an object that has one twice keeps the last. */
      readonly keys: number;
      /** A number that JavaScript cannot hold as it stands, shortened, if there is one. */
      readonly inexact: string | undefined;
    };

/** Counts what text holds. Of text that is no JSON it counts something. */
export function jsonShape(text: string, limits: Pick<Limits, 'jsonDepth' | 'jsonValues'>): JsonShape {
  let depth = 0;
  let values = 1;
  let keys = 0;
  let inexact: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) {
        if (text.charCodeAt(i) === BACKSLASH) i++;
      }
    } else if (c === OBJECT || c === LIST) {
      if (++depth > limits.jsonDepth) return { over: 'jsonDepth' };
      if (++values > limits.jsonValues) return { over: 'jsonValues' };
    } else if (c === OBJECT_END || c === LIST_END) depth--;
    else if (c === COLON) keys++;
    else if (c === COMMA) {
      if (++values > limits.jsonValues) return { over: 'jsonValues' };
    } else if (c >= ZERO && c <= NINE) {
      const start = i;
      while (i + 1 < text.length && isOfNumber(text.charCodeAt(i + 1))) i++;
      if (inexact === undefined && !isExact(text, start, i + 1)) {
        inexact = i - start < 24 ? text.slice(start, i + 1) : `${text.slice(start, start + 20)}...`;
      }
    }
  }
  return { keys, inexact };
}

/** The keys of all objects in a value. */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  for (const key of Object.keys(value)) count += 1 + countKeys((value as Record<string, unknown>)[key]);
  return count;
}

function isOfNumber(c: number): boolean {
  return (c >= ZERO && c <= NINE) || c === POINT || c === PLUS || c === MINUS || (c | 32) === 101;
}

// A fraction is always near enough; a whole number may be an id, of which every digit counts.
function isExact(text: string, start: number, end: number): boolean {
  const length = end - start;
  // Three characters say 1e9, and five 1e999.
  if (length < 5) return true;
  const isLong = length > MOST_DIGITS;
  const number = isLong ? text.slice(start, start + MOST_DIGITS) : text.slice(start, end);
  if (/^\d+$/.test(number)) {
    if (length < EXACT_DIGITS) return true;
    return !isLong && BigInt(number) === BigInt(Number(number));
  }
  return /^\d+\.\d+$/.test(number) || Number.isFinite(Number(number));
}
