// JSON text as bytes: a file of its own, the payload of a PNG chunk, or card.json in a charx.

import { isArray, isObject, type Json } from '../core/json.ts';
import { jsonFault, lineAndColumn } from './json-fault.ts';
import { countKeys, jsonShape } from './json-shape.ts';
import { type Limits, sizeText } from './limits.ts';

/** What reading JSON came to: the value with remarks, or what is wrong, as the rest of a sentence. */
export type JsonRead =
  | { readonly json: Json; readonly notes: readonly string[] }
  | { readonly problem: string };

/**
 * Reads JSON text whose top level must be an object or a list. UTF-8 with or without a byte order mark, or
 * UTF-16 with one; white space, NULs and stray marks around it are passed over. No reviver: it would be slow,
 * and `JSON.parse` makes `__proto__` an own key, harmless as long as nobody assigns through it. Never throws.
 * @param fallback how bytes that are no UTF-8 are read: as Windows-1252 (a superset of PNG's Latin-1), or with
 *   the broken bytes replaced and a note
 */
export function readJsonBytes(
  bytes: Uint8Array,
  limits: Limits,
  fallback: 'replace' | 'windows-1252' = 'replace',
): JsonRead {
  if (bytes.length > limits.cardTextBytes) {
    return {
      problem: `holds ${sizeText(bytes.length)} of JSON, more than the limit of ${sizeText(limits.cardTextBytes)}`,
    };
  }
  const { text, damaged } = decodeText(bytes, fallback);
  const [start, end] = solidPart(text);
  if (start === end) return { problem: 'is empty' };
  const solid = text.slice(start, end);
  const shape = jsonShape(solid, limits);
  if ('over' in shape) return { problem: overText(shape.over, limits) };
  let json: Json;
  try {
    json = JSON.parse(solid) as Json;
  } catch {
    return { problem: faultText(text, start, solid) };
  }
  if (!isObject(json) && !isArray(json)) {
    return { problem: 'holds only a single JSON value, neither a card nor a lorebook' };
  }
  const notes = damaged ? ['Some bytes were no valid text and were replaced by "\ufffd".'] : [];
  if (countKeys(json) < shape.keys)
    notes.push(
      'The JSON gives a key twice in one object; the last one counts, as in every app that reads it.',
    );
  if (shape.inexact !== undefined)
    notes.push(
      `The number ${shape.inexact} is bigger than a number can be here or has more digits; it is not kept exactly, as in every app that reads it.`,
    );
  return { json, notes };
}

function overText(limit: 'jsonDepth' | 'jsonValues', limits: Limits): string {
  return limit === 'jsonDepth'
    ? `holds JSON nested deeper than the limit of ${limits.jsonDepth} levels`
    : `holds more values in its JSON than the limit of ${limits.jsonValues}`;
}

/**
 * A card as a JSON file's bytes: 4 spaces and no line break at the end, as SillyTavern exports it; a monster of a
 * card without any space.
 */
export function writeCardJson(card: Json): Uint8Array {
  return new TextEncoder().encode(indentedJson(card, 4));
}

/** More space in front of lines than this is for no eyes, and would fill the memory. */
const MOST_SPACE = 32 * 1024 * 1024;

/** JSON text with lines and spaces, or without when there would be tens of megabytes of them. */
export function indentedJson(value: unknown, width: number): string {
  return spaceIn(value, width, 0) > MOST_SPACE ? JSON.stringify(value) : JSON.stringify(value, null, width);
}

function spaceIn(value: unknown, width: number, margin: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = margin + width;
  let space = margin;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    space += inner + spaceIn(item, width, inner);
    if (space > MOST_SPACE) break;
  }
  return space;
}

/** The index of the first byte that is no white space, NUL or UTF-8 byte order mark; the length if there is none. */
export function firstSolidByte(bytes: Uint8Array): number {
  let i = 0;
  for (; i < bytes.length; i++) {
    const b = bytes[i] as number;
    if (b > 32 && b !== 0xef && b !== 0xbb && b !== 0xbf) break;
  }
  return i;
}

/** Whether bytes begin with a UTF-16 byte order mark. */
export function hasUtf16Mark(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function decodeText(
  bytes: Uint8Array,
  fallback: 'replace' | 'windows-1252',
): { text: string; damaged: boolean } {
  const encoding = hasUtf16Mark(bytes) ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), damaged: false };
  } catch {
    if (encoding === 'utf-8' && fallback === 'windows-1252') {
      return { text: new TextDecoder('windows-1252').decode(bytes), damaged: false };
    }
    return { text: new TextDecoder(encoding).decode(bytes), damaged: true };
  }
}

function solidPart(text: string): [start: number, end: number] {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text[start] as string)) start++;
  while (end > start && isBlank(text[end - 1] as string)) end--;
  return [start, end];
}

function isBlank(letter: string): boolean {
  return letter === '\0' || letter.trim() === '';
}

function faultText(text: string, start: number, solid: string): string {
  if (solid.startsWith('<')) return 'is a web page or XML, not JSON';
  const fault = jsonFault(solid);
  if (fault === undefined) return 'is not valid JSON';
  if (fault >= solid.length) return 'is not complete: its JSON ends too early';
  return `is not valid JSON (see ${lineAndColumn(text, start + fault)})`;
}
