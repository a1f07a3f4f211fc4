// From a card to its pieces and back (spec 000): readPieces, emitPieces, emitBundle.

import { describe, expect, it } from 'vitest';
import type { Pieces } from '../../src/convert.ts';
import { ConversionError, emitBundle, emitPieces, readPieces } from '../../src/convert.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { CanonicalLorebook } from '../../src/core/lorebook.ts';
import { findCharacterBooks } from '../../src/formats/_shared/book-slots.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { extractCharacterBooks } from '../../src/formats/_shared/extract-books.ts';
import { bookEntry, bookOf, cardWith, readPeers, throughJson } from '../support/fixtures.ts';
import { changedPaths } from '../support/leaves.ts';

const A = bookOf(bookEntry({ content: 'A.' }));
const B: JsonObject = { ...bookOf(bookEntry({ content: 'B.' })), name: 'B' };
const first = (pieces: Pieces): CanonicalLorebook => pieces.lorebooks[0] as CanonicalLorebook;
const editFirst = (pieces: Pieces, content: string): Pieces => {
  const book = first(pieces);
  const entries = book.body.entries.map((entry) => ({ ...entry, content }));
  return {
    ...pieces,
    lorebooks: [{ ...book, body: { ...book.body, entries } }, ...pieces.lorebooks.slice(1)],
  };
};

describe('readPieces', () => {
  const card = cardWith(A, {
    extensions: { character_book: B, world: 'Claim' },
    tags: ['a', 5],
    creator_notes: 'n',
  });
  const pieces = readPieces(card);

  it('links the character to its lorebooks by id, the primary one first', () => {
    expect(pieces.character.body.knowledgeRefs).toEqual(pieces.lorebooks.map(({ id }) => id));
    expect(pieces.lorebooks.map(({ name }) => name)).toEqual(['Quay Notes', 'B']);
    expect(pieces.lorebooks.map(({ id }) => pieces.slots.get(id))).toEqual([
      'data.character_book',
      'data.extensions.character_book',
    ]);
  });
  it('keeps the raw card and the raw books in escrow, verbatim', () => {
    expect(pieces.character.original).toEqual({ sillytavern: { raw: card } });
    expect(pieces.character.original['sillytavern']?.raw).toBe(card);
    expect(pieces.lorebooks.map(({ original }) => Object.keys(original))).toEqual([
      [CHARACTER_BOOK],
      [CHARACTER_BOOK],
    ]);
    expect(first(pieces).original[CHARACTER_BOOK]?.raw).toBe(A);
  });
  it('reads what is known of the character', () => {
    expect(pieces.character.body).toMatchObject({
      name: 'Mara Lint',
      description: 'Keeps a light on the north quay.',
      firstMessage: 'The lamp is lit.',
      creatorNotes: 'n',
      tags: ['a'],
    });
  });
  it('reads a flat card from its root, with its old names', () => {
    const flat = readPieces({ char_name: 'Odo', creatorcomment: 'c', first_mes: 'Hi.' });
    expect(flat.character.body).toMatchObject({ name: 'Odo', creatorNotes: 'c', firstMessage: 'Hi.' });
  });
  it.each<Json>([null, 'x', 5, [], {}, { spec: 'lorebook_v3', data: {} }, { entries: {} }, [cardWith(A)]])(
    '%j is no card, and is refused in one sentence',
    (json) => {
      expect(() => readPieces(json)).toThrow(ConversionError);
      expect(() => readPieces(json)).toThrow(/^This is not a character card\.$/);
    },
  );
  it('the same card twice gives equal pieces', () => {
    expect(throughJson([...readPieces(card).lorebooks])).toEqual(throughJson([...pieces.lorebooks]));
  });
});

describe('emitPieces', () => {
  it.each([
    ...readPeers(),
    ['plain', cardWith(A)] as const,
    ['none', cardWith(undefined)] as const,
    ['null', cardWith(null)] as const,
  ])(
    '%s: unedited, without lorebooks of its own or with one in the standard slot, the card itself comes back',
    (_, card) => {
      const pieces = readPieces(card);
      const withoutRefs = {
        ...pieces,
        character: { ...pieces.character, body: { ...pieces.character.body, knowledgeRefs: [] } },
      };
      expect(emitPieces(withoutRefs, 'sillytavern')).toEqual({ card, findings: [] });
      expect(emitPieces(withoutRefs, 'sillytavern').card).toBe(card);
      const slots = [...pieces.slots.values()];
      if (slots.length > 1 || (slots.length === 1 && slots[0] !== 'data.character_book')) return;
      expect(emitPieces(pieces, 'sillytavern').card).toBe(card);
    },
  );
  it('an edited entry changes that entry in the card and nothing else, whatever stands around it', () => {
    const card = { ...cardWith(A, { x_data: 1 }), x_root: { k: 1 } };
    const { card: written, findings } = emitPieces(editFirst(readPieces(card), 'New.'), 'sillytavern');
    expect(changedPaths(card, written)).toEqual(['data.character_book.entries.0.content']);
    expect(findings).toEqual([]);
  });
  it('two books become one book in the standard slot, from which both come back', () => {
    const card = cardWith(A, { extensions: { character_book: B, other: 1 } });
    const { card: written } = emitPieces(readPieces(card), 'sillytavern');
    expect(findCharacterBooks(written).books.map(({ slot }) => slot)).toEqual(['data.character_book']);
    expect((written['data'] as JsonObject)['extensions']).toEqual({ other: 1 });
    const back = extractCharacterBooks(throughJson(written)).books;
    expect(back.map(({ lorebook }) => lorebook.original[CHARACTER_BOOK]?.raw)).toEqual([A, B]);
    // And once they stand there, nothing changes any more.
    const again = throughJson(written);
    expect(emitPieces(readPieces(again), 'sillytavern').card).toBe(again);
  });
  it('a flat card is wrapped, because SillyTavern drops the book of a flat one', () => {
    const card = {
      name: 'Odo',
      description: 'd',
      first_mes: 'Hi.',
      x_root: 1,
      creatorcomment: 'c',
      character_book: A,
    };
    const { card: written } = emitPieces(readPieces(card), 'sillytavern');
    expect(written).toMatchObject({
      name: 'Odo',
      x_root: 1,
      creatorcomment: 'c',
      spec: 'chara_card_v2',
      spec_version: '2.0',
      data: {
        name: 'Odo',
        description: 'd',
        first_mes: 'Hi.',
        creator_notes: 'c',
        x_root: 1,
        character_book: A,
      },
    });
    for (const field of ['personality', 'scenario', 'mes_example']) {
      expect((written['data'] as JsonObject)[field]).toBe('');
    }
    expect(findCharacterBooks(written).books.map(({ slot }) => slot)).toEqual(['data.character_book']);
  });
});

describe('emitBundle is three-way', () => {
  const card = cardWith(A);
  const { character, lorebooks } = readPieces(card);
  it('absent: the raw card is left alone', () => {
    expect(emitBundle(character, undefined, 'sillytavern').card).toBe(card);
  });
  it('an empty list: the book is taken out', () => {
    expect(
      changedPaths(card, emitBundle(character, [], 'sillytavern').card).every((path) =>
        path.startsWith('data.character_book'),
      ),
    ).toBe(true);
    expect(findCharacterBooks(emitBundle(character, [], 'sillytavern').card).books).toEqual([]);
  });
  it('a list: it is embedded', () => {
    expect(emitBundle(character, lorebooks, 'sillytavern').card).toBe(card);
    const other = { ...(lorebooks[0] as CanonicalLorebook), original: {} };
    expect(findCharacterBooks(emitBundle(character, [other], 'sillytavern').card).books).toHaveLength(1);
  });
  it('a target that has no writer is refused by name', () => {
    expect(() => emitBundle(character, [], 'nowhere')).toThrow(ConversionError);
    expect(() => emitBundle(character, [], 'nowhere')).toThrow(/nowhere/);
  });
  it('a character without a raw card of this dialect is written whole', () => {
    const { card: made } = emitBundle({ ...character, original: {} }, lorebooks, 'sillytavern');
    const back = readPieces(throughJson(made));
    expect(back.character.body).toEqual(character.body);
    expect(findCharacterBooks(made).books.map(({ raw }) => raw)).toEqual([A]);
  });
});
