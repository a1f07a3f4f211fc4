// What a world file says of its own origin: read by whoever looks for the same book again.

import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import { OWN_KEY } from './world-info.ts';

/** What is written of a book's origin: the character's name and the slot in its card. */
export interface BookSource {
  readonly character: string;
  readonly slot: string;
}

/** The mark in a world's `extensions.loreferry`, as SillyTavern's list call returns it. */
export interface WorldMark {
  readonly source: BookSource;
  /** `sameFingerprint` of the book as it was extracted. */
  readonly fingerprint: string;
}

/** Reads the mark from a world's extensions, or null. */
export function markOf(extensions: Json | undefined): WorldMark | null {
  const own = isObject(extensions) ? extensions[OWN_KEY] : undefined;
  if (!isObject(own) || typeof own['fingerprint'] !== 'string') return null;
  const source = isObject(own['source']) ? own['source'] : {};
  const word = (key: string): string => (typeof source[key] === 'string' ? source[key] : '');
  return { source: { character: word('character'), slot: word('slot') }, fingerprint: own['fingerprint'] };
}

/** Marks of entries that the user deleted, as an earlier merge left them in a world file. */
export function deletedMarks(world: JsonObject): readonly string[] {
  const own = world[OWN_KEY];
  const marks = isObject(own) ? own['deleted'] : undefined;
  return isArray(marks) ? marks.filter((mark): mark is string => typeof mark === 'string') : [];
}

/** `visibleFingerprint` of the book that a world file was last made or merged from; "" when it says none. */
export function seenFingerprint(world: JsonObject): string {
  const own = world[OWN_KEY];
  return isObject(own) && typeof own['seen'] === 'string' ? own['seen'] : '';
}
