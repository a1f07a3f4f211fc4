import { describe, expect, it } from 'vitest';
import type { Key } from '../../src/core/key.ts';
import { emptyBag, entryLabel, newEntry } from '../../src/core/lorebook.ts';

describe('the label of an entry for a person', () => {
  const key: Key = { kind: 'literal', text: 'lamp' };
  const regex: Key = { kind: 'regex', source: 'l[ae]mp', flags: 'i' };
  it.each([
    [{ title: 'The Lamp', memo: 'memo', keys: [key] }, 'The Lamp'],
    [{ title: ' ', memo: 'memo', keys: [key] }, 'memo'],
    [{ title: '', memo: '', keys: [key, regex] }, 'lamp'],
    [{ title: '', memo: '', keys: [regex] }, '/l[ae]mp/i'],
    [{ title: '', memo: '', keys: [] }, ''],
  ])('%j is %j', (given, label) => {
    expect(entryLabel({ ...newEntry('x'), ...given })).toBe(label);
  });
});

describe('what entries share', () => {
  it('is frozen, so that no entry can change another', () => {
    const { probability, timing, group, recursion, scan, sources, keys } = newEntry('x');
    for (const shared of [probability, timing, group, recursion, scan, sources, keys, emptyBag('x')]) {
      expect(Object.isFrozen(shared)).toBe(true);
    }
    expect(newEntry('x').position).not.toBe(newEntry('y').position);
    expect(emptyBag('x')).toBe(emptyBag('x'));
    expect(emptyBag('x')).not.toBe(emptyBag('y'));
  });
});
