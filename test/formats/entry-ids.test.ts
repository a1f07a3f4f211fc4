import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { uidsFor } from '../../src/formats/_shared/entry-ids.ts';
import { bookEntry, bookOf } from '../support/fixtures.ts';

describe('uids in a world file: kept when unique, non-negative and ascending, else 0..n-1 (decisions 6)', () => {
  const TABLE: readonly (readonly [string, readonly (Json | undefined)[], readonly number[]])[] = [
    ['none', [], []],
    ['0, 1, 2', [0, 1, 2], [0, 1, 2]],
    ['gaps are kept', [3, 7, 20], [3, 7, 20]],
    ['out of order (peers/03b)', [9, 2, 5, 0], [0, 1, 2, 3]],
    ['repeated (peers/02)', [5, 5, 5, 7], [0, 1, 2, 3]],
    ['negative', [-1, 0, 1], [0, 1, 2]],
    ['fractions', [0.5, 1], [0, 1]],
    ['texts', ['0', '1'], [0, 1]],
    ['null', [null, 1], [0, 1]],
    ['absent', [undefined, 4], [0, 1]],
    ['too large to be exact', [2 ** 53, 2 ** 54], [0, 1]],
    ['case S1', [1, 1, null, null, 'x', undefined, 5], [0, 1, 2, 3, 4, 5, 6]],
  ];
  it.each(TABLE)('%s', (_, ids, uids) => {
    expect(uidsFor(ids)).toEqual(uids);
  });
});

describe('ids of entries', () => {
  const book = (...ids: readonly (Json | undefined)[]) => bookOf(...ids.map((id) => bookEntry({ id })));

  it('ours are unique, the original ones are kept beside them', () => {
    const { body, known } = readCharacterBook(book(5, 5, null, 'x', undefined), 'b');
    const ids = body.entries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    expect(ids.map((id) => known.originalIds.get(id))).toEqual([5, 5, null, 'x', undefined]);
  });
  it('a usable list is not mentioned, nor is a book that has no ids at all', () => {
    expect(readCharacterBook(book(0, 3, 4), 'b').findings).toEqual([]);
    expect(readCharacterBook(book(undefined, undefined), 'b').findings).toEqual([]);
  });
  it('each faulty id is said once, with the uid that the entry got', () => {
    const { findings } = readCharacterBook(book(1, 1, null, 'x', 5), 'b');
    expect(findings.map(({ code, entryId, before, after }) => [code, entryId, before, after])).toEqual([
      ['repaired', 'e1', 1, 1],
      ['repaired', 'e2', null, 2],
      ['repaired', 'e3', 'x', 3],
    ]);
  });
  it('a mere disorder is said once for the book', () => {
    const { findings } = readCharacterBook(book(9, 2, 5), 'b');
    expect(findings).toMatchObject([
      { code: 'repaired', entryId: null, path: 'id', before: [9, 2, 5], after: [0, 1, 2] },
    ]);
  });
});
