// Where a lorebook stood, in words: every slot of decisions 42, and those of lists.

import { expect, it } from 'vitest';
import { bookPlace, bookPlaceWords } from '../../src/core/book-place.ts';

it.each([
  ['data.character_book', 'the card’s usual place'],
  ['character_book', 'the root of the card'],
  ['data.extensions.character_book', 'the card’s extensions'],
  ['data.extensions.character_books.1', 'the card’s list of lorebooks, number 2'],
  ['extensions.character_books.0', 'the card’s list of lorebooks, number 1'],
  ['characterBook', 'the character’s memory book'],
  ['data.characterBook', 'the character’s memory book'],
  ['lumiverse_modules.world_books.0', 'Lumiverse’s world books, number 1'],
  ['worldinfo', 'the file'],
])('%s', (slot, words) => {
  expect(bookPlaceWords(slot)).toBe(words);
});

it('any other stays as it is', () => {
  expect(bookPlace('some.where.3')).toEqual({ kind: 'path', path: 'some.where.3' });
});
