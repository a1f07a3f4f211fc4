// What is said of the findings of an import: counted by what became of the values.

import { expect, it } from 'vitest';
import { type FindingCode, finding } from '../../src/core/finding.ts';
import { repairs } from '../../src/features/import/outcome.ts';

const said = (code: FindingCode, entryId: string, path = 'content') =>
  finding(code, { bookId: 'b', entryId }, path, 'a', null, '');

it('what is lost is not called kept aside', () => {
  expect(repairs([said('stashed', 'e1'), said('lost', 'e1', 'keys'), said('lost', 'e2', 'keys')])).toBe(
    '1 value kept aside, 2 values lost.',
  );
  expect(repairs([said('lost', 'e1')])).toBe('1 value lost.');
});

it('nothing is said of nothing', () => {
  expect(repairs([])).toBe('');
});
