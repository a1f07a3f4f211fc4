// What is said of the findings of an import: counted by what became of the values.

import { expect, it } from 'vitest';
import { type FindingCode, finding } from '../../src/core/finding.ts';
import { outcomeLines, repairs } from '../../src/features/import/outcome.ts';

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

it('a conflict is called what the panel calls it', () => {
  expect(repairs([said('conflict', 'e1')])).toBe('1 conflict needs a look.');
  expect(repairs([said('conflict', 'e1'), said('conflict', 'e2')])).toBe('2 conflicts need a look.');
});

it.each([
  ['data.character_book', ''],
  ['character_book', ' Found at the root of the card, where old cards have it.'],
  ['data.extensions.character_book', ' Found in the extensions of the card.'],
  ['data.extensions.character_books.1', ' Found as number 2 in the card’s list of lorebooks.'],
  ['characterBook', ' Found as the memory book of the character.'],
  [
    'lumiverse_modules.world_books.0',
    ' Found as number 1 of the world books that Lumiverse packs beside the card.',
  ],
])('where a book stood is said in words: %s', (slot, words) => {
  const book = { world: 'Quay', wanted: 'Quay', entries: 1, slot, how: 'created', nameTaken: false } as const;
  const lines = outcomeLines({
    kind: 'done',
    avatar: 'm.png',
    character: 'Mara',
    books: [book],
    findings: [],
    step: null,
    changed: true,
    hasExtras: false,
    linkToCheck: null,
  });
  expect(lines).toEqual([`“Quay”: 1 entry, linked to Mara.${words}`]);
});
