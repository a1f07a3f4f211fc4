// How much lore a file holds is known before any of it is read.

import { expect, it } from 'vitest';
import type { Json, JsonObject } from '../src/core/json.ts';
import { heldIn } from '../src/held-books.ts';
import { bookEntry, bookOf, cardWith, worldEntry, worldOf } from './support/fixtures.ts';

const entries = (count: number): readonly Json[] => Array.from({ length: count }, () => ({}));
const mark = (raw: Json): JsonObject => ({ loreferry: { v: 1, original: { x: { raw } } } });

it('what lies in the file and beside it counts', () => {
  expect(heldIn(cardWith(bookOf(bookEntry(), bookEntry())), [])).toEqual({ entries: 2, books: 1 });
  expect(heldIn(cardWith(undefined), [{ entries: entries(3) }, {}])).toEqual({ entries: 3, books: 2 });
});

it.each<[string, Json]>([
  ['in a world file', { ...worldOf(worldEntry(0)), ...mark({ kind: 'memory', entries: entries(7) }) }],
  ['in a card’s book', cardWith({ ...bookOf(bookEntry()), extensions: mark({ entries: entries(7) }) })],
  ['in a book alone', { ...bookOf(bookEntry()), extensions: mark({ data: { entries: entries(7) } }) }],
  ['as a list', { ...worldOf(worldEntry(0)), ...mark(entries(7)) }],
])('an app’s own book that rides along counts: %s', (_, json) => {
  expect(heldIn(json, [])).toEqual({ entries: 7, books: 1 });
});

it('what rides along is mostly what stands there: it does not count twice', () => {
  const world = worldOf(worldEntry(0), worldEntry(1), worldEntry(2));
  expect(heldIn({ ...world, ...mark({ entries: entries(3) }) }, [])).toEqual({ entries: 3, books: 1 });
});
