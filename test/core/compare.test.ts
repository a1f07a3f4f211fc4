import { describe, expect, it } from 'vitest';
import { compareEntries, isNoDifference, isStillEntry, pairEntries } from '../../src/core/compare.ts';
import { literalKey } from '../../src/core/key.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { newEntry } from '../../src/core/lorebook.ts';
import { deepFreeze } from '../support/deep-freeze.ts';

const entry = (title: string, key: string, content: string, order = 100): LorebookEntry =>
  deepFreeze({ ...newEntry('x'), title, keys: key === '' ? [] : [literalKey(key)], content, order });

const FIELDS = [
  { path: 'content', same: (a: LorebookEntry, b: LorebookEntry) => a.content === b.content },
  { path: 'order', same: (a: LorebookEntry, b: LorebookEntry) => a.order === b.order },
];

describe('which entry is which', () => {
  it('equal entries pair in order, also when they repeat', () => {
    const twice = [entry('A', 'a', 'same'), entry('A', 'a', 'same')];
    expect([...pairEntries(twice, twice)]).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
  it('a moved entry is found by its text, an edited text by title and keys', () => {
    const before = [entry('A', 'a', 'one'), entry('B', 'b', 'two')];
    const after = [entry('B', 'b', 'two, edited'), entry('A', 'a', 'one')];
    expect(new Map(pairEntries(before, after))).toEqual(
      new Map([
        [0, 1],
        [1, 0],
      ]),
    );
  });
  it('an entry with nothing in common has no partner', () => {
    expect(pairEntries([entry('A', 'a', 'one')], [entry('B', 'b', 'two')]).size).toBe(0);
  });
  it('the same single key is enough where nothing else is left', () => {
    expect(pairEntries([entry('A', 'a', 'one')], [entry('B', 'a', 'two')]).size).toBe(1);
  });
  it('what both lack is nothing in common', () => {
    expect(pairEntries([entry('A', 'a', '')], [entry('B', 'b', '')]).size).toBe(0);
    expect(pairEntries([entry('', 'a', 'one')], [entry('', 'b', 'two')]).size).toBe(0);
    expect(pairEntries([entry('A', '', 'one')], [entry('B', '', 'two')]).size).toBe(0);
  });
  it('no entry is paired twice', () => {
    const pairs = pairEntries([entry('A', 'a', 'one')], [entry('A', 'a', 'one'), entry('A', 'a', 'one')]);
    expect([...pairs]).toEqual([[0, 0]]);
    const many = pairEntries([entry('A', 'a', 'x'), entry('A', 'a', 'y')], [entry('A', 'a', 'z')]);
    expect([...many]).toEqual([[0, 0]]);
  });
  it('two blank entries are the same blank entry', () => {
    expect(pairEntries([entry('', '', '')], [entry('', '', '')]).size).toBe(1);
  });
  it('an exact partner is never taken by a near one', () => {
    const before = [entry('A', 'a', 'old'), entry('A', 'a', 'kept')];
    const after = [entry('A', 'a', 'kept'), entry('A', 'a', 'new')];
    expect(pairEntries(before, after)).toEqual(
      new Map([
        [1, 0],
        [0, 1],
      ]),
    );
  });
});

describe('the difference between two versions', () => {
  it('names what is added, removed and changed, field by field', () => {
    const before = [entry('A', 'a', 'one'), entry('B', 'b', 'two'), entry('C', 'c', 'three')];
    const after = [entry('A', 'a', 'one'), entry('B', 'b', 'two, edited', 5), entry('D', 'd', 'four')];
    const difference = compareEntries(before, after, FIELDS);
    expect(difference.added.map(({ title }) => title)).toEqual(['D']);
    expect(difference.removed.map(({ title }) => title)).toEqual(['C']);
    expect(difference.changed.map(({ before: { title }, paths }) => [title, paths])).toEqual([
      ['B', ['content', 'order']],
    ]);
    expect(difference.unchanged).toBe(1);
    expect(isNoDifference(difference)).toBe(false);
  });
  it('is none between a version and itself', () => {
    const entries = [entry('A', 'a', 'one'), entry('A', 'a', 'one')];
    const difference = compareEntries(entries, entries, FIELDS);
    expect(isNoDifference(difference)).toBe(true);
    expect(difference.unchanged).toBe(2);
  });
});

describe('an entry is still its twin when content, keys or comment match (decisions 24)', () => {
  const twin = entry('Lamp', 'lamp', 'Lamp note.');
  it.each([
    ['content', entry('X', 'x', 'Lamp note.')],
    ['keys', entry('X', 'lamp', 'x')],
    ['comment', entry('Lamp', 'x', 'x')],
  ])('%s alone is enough', (_, other) => {
    expect(isStillEntry(other, twin)).toBe(true);
  });
  it('a shared emptiness is no match', () => {
    expect(isStillEntry(entry('X', 'x', ''), entry('Lamp', 'lamp', ''))).toBe(false);
    expect(isStillEntry(entry('X', '', 'x'), entry('Lamp', '', 'Lamp note.'))).toBe(false);
    expect(isStillEntry(entry('', 'x', 'x'), entry('', 'lamp', 'Lamp note.'))).toBe(false);
  });
  it('a blank twin is matched by a blank entry only', () => {
    expect(isStillEntry(entry('', '', ''), entry('', '', ''))).toBe(true);
    expect(isStillEntry(entry('', '', 'x'), entry('', '', ''))).toBe(false);
  });
});
