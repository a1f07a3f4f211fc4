import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { BookFamily } from '../../src/formats/_shared/book-family.ts';
import { BOOK_FAMILIES, familyOf } from '../../src/formats/_shared/book-family.ts';
import { lorebookToCharacterBook, readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { bookEntry, bookOf } from '../support/fixtures.ts';

const LUMIVERSE = bookEntry({
  position: 4,
  depth: 2,
  role: 'assistant',
  case_sensitive: true,
  // What Lumiverse leaves behind of a SillyTavern card that was edited there.
  extensions: {
    position: 0,
    depth: 9,
    role: 1,
    selectiveLogic: 2,
    useProbability: true,
    selective_logic: 0,
    use_probability: false,
    probability: 40,
  },
});
const MARINARA = bookEntry({
  position: 4,
  depth: 2,
  role: 2,
  selectiveLogic: 'not',
  probability: 40,
  preventRecursion: true,
  groupWeight: 30,
  extensions: { position: 1, depth: 9, role: 1, prevent_recursion: false },
});
const SILLYTAVERN = bookEntry({ depth: 9, extensions: { position: 4, depth: 2, exclude_recursion: false } });

describe('whose book it is, told by content, in this order (decisions 8a)', () => {
  const TABLE: readonly (readonly [string, BookFamily, JsonObject])[] = [
    ['the loreferry key', 'loreferry', { ...bookOf(LUMIVERSE), extensions: { loreferry: { v: 1 } } }],
    ['a numeric position with extensions.selective_logic', 'lumiverse', bookOf(LUMIVERSE)],
    ['string selectiveLogic, preventRecursion and groupWeight at the entry', 'marinara', bookOf(MARINARA)],
    [
      'a risu_ key in the book',
      'risu',
      { ...bookOf(SILLYTAVERN), extensions: { risu_fullWordMatching: false } },
    ],
    ['a risu_ key in an entry', 'risu', bookOf(bookEntry({ extensions: { risu_bookVersion: 2 } }))],
    ["SillyTavern's extension fields", 'sillytavern', bookOf(SILLYTAVERN)],
    [
      'one such field on any entry',
      'sillytavern',
      bookOf(bookEntry(), bookEntry({ extensions: { automation_id: '' } })),
    ],
    ['none of these', 'plain', bookOf(bookEntry())],
    [
      'fields that many write prove nothing',
      'plain',
      bookOf(bookEntry({ extensions: { depth: 4, role: 0, group: '' } })),
    ],
    [
      'decorators alone prove nothing',
      'plain',
      bookOf(bookEntry({ content: '@@depth 4\n@@role user\nText.' })),
    ],
    ['a numeric position alone (Chub)', 'plain', bookOf(bookEntry({ position: 0 }))],
    ['extensions.selective_logic alone', 'plain', bookOf(bookEntry({ extensions: { selective_logic: 0 } }))],
    ['entries in an object are looked into as well', 'sillytavern', { entries: { 0: SILLYTAVERN } }],
    ['an empty book', 'plain', { entries: [] }],
    ['a book that is none', 'plain', { entries: 'x' }],
  ];
  it.each(TABLE)('%s', (_, family, book) => {
    expect(familyOf(book).family).toBe(family);
  });
  it('the families are tested in the decided order', () => {
    expect(BOOK_FAMILIES.map(({ family }) => family)).toEqual([
      'loreferry',
      'lumiverse',
      'marinara',
      'risu',
      'sillytavern',
      'plain',
    ]);
  });
});

describe('whether use_regex makes patterns is asked of the fields, not of the family (decisions 5)', () => {
  const risu = { vendor: 1, risu_loreCache: null };
  it.each([
    ["a book of RisuAI's own", risu, true],
    ["a book of RisuAI's that came from SillyTavern", { ...risu, selectiveLogic: 0 }, false],
    ['a plain book', { vendor: 1 }, true],
    ["a book of SillyTavern's", { display_index: 0 }, false],
  ])('%s', (_, extensions, patterns) => {
    expect(familyOf(bookOf(bookEntry({ extensions }))).patternKeys).toBe(patterns);
  });
});

describe('which level is believed', () => {
  const first = (book: JsonObject) => readCharacterBook(book, 'b').body.entries[0];

  it('Lumiverse: entry level and snake_case win over what SillyTavern left in the extensions', () => {
    const entry = first(bookOf(LUMIVERSE));
    expect(entry?.position).toMatchObject({ slot: 'depth', depth: 2, role: 'assistant' });
    expect(entry?.logic).toBe('and_all');
    expect(entry?.probability).toEqual({ chance: 40, used: false });
    expect(entry?.scan.caseSensitive).toBe(true);
  });
  it.each([
    [0, 'and_all'],
    [1, 'not_any'],
    [2, 'and_any'],
    [3, 'not_all'],
  ] as const)(
    'Lumiverse counts its logics in its own way: %i is %s, and an edit writes its number',
    (number, logic) => {
      const raw = bookOf(
        bookEntry({ position: 0, extensions: { selective_logic: number, selectiveLogic: 2 } }),
      );
      const { body } = readCharacterBook(raw, 'b');
      expect(body.entries[0]?.logic).toBe(logic);
      const start = bookOf(bookEntry({ position: 0, extensions: { selective_logic: (number + 1) % 4 } }));
      const read = readCharacterBook(start, 'b').body;
      const written = lorebookToCharacterBook(
        { ...read, entries: read.entries.map((entry) => ({ ...entry, logic })) },
        { raw: start },
      );
      expect((written['entries'] as JsonObject[])[0]?.['extensions']).toMatchObject({
        selective_logic: number,
      });
      expect(readCharacterBook(written, 'b').body.entries[0]?.logic).toBe(logic);
    },
  );
  it('elsewhere the same name counts as SillyTavern does (peers/06)', () => {
    const plain = bookOf(bookEntry({ selective_logic: 2, extensions: {} }));
    expect(first(plain)?.logic).toBe('not_any');
  });
  it('Marinara: entry level wins', () => {
    const entry = first(bookOf(MARINARA));
    expect(entry?.position).toMatchObject({ slot: 'depth', depth: 2, role: 'assistant' });
    expect(entry?.logic).toBe('not_any');
    expect(entry?.recursion.prevent).toBe(true);
    expect([entry?.probability.chance, entry?.group.weight]).toEqual([40, 30]);
  });
  it('words for role and logic are their own way to write, so nothing was mended', () => {
    const words = { position: 'after_char', role: 'assistant', selectiveLogic: 'not' };
    const marinara = bookOf(
      bookEntry({ ...words, preventRecursion: true, groupWeight: null, extensions: {} }),
    );
    expect(readCharacterBook(marinara, 'b').findings).toEqual([]);
    expect(first(marinara)).toMatchObject({ logic: 'not_any', position: { role: 'assistant' } });
    const lumiverse = bookOf(
      bookEntry({ position: 4, role: 'assistant', extensions: { selective_logic: 0 } }),
    );
    expect(readCharacterBook(lumiverse, 'b').findings.map(({ path }) => path)).toEqual(['position.slot']);
    const odd = bookOf(bookEntry({ ...words, role: 'narrator', preventRecursion: true, groupWeight: null }));
    expect(readCharacterBook(odd, 'b').findings).toMatchObject([{ code: 'repaired', path: 'position.role' }]);
    const sillytavern = bookOf(bookEntry({ ...words, extensions: { vectorized: false } }));
    expect(
      readCharacterBook(sillytavern, 'b')
        .findings.map(({ path }) => path)
        .sort(),
    ).toEqual(['logic', 'position.role']);
  });
  it('an edit keeps the words, because the app itself reads nothing else there', () => {
    const raw = bookOf(
      bookEntry({
        position: 'after_char',
        role: 'user',
        selectiveLogic: 'not',
        preventRecursion: true,
        groupWeight: 1,
        extensions: {},
      }),
    );
    const { body } = readCharacterBook(raw, 'b');
    const entries = body.entries.map((entry) => ({
      ...entry,
      logic: 'and_all' as const,
      position: { ...entry.position, slot: 'depth' as const, role: 'assistant' as const },
    }));
    const written = lorebookToCharacterBook({ ...body, entries }, { raw });
    expect((written['entries'] as JsonObject[])[0]).toMatchObject({
      position: 4,
      role: 'assistant',
      selectiveLogic: 'and_all',
    });
    expect(familyOf(written).family).toBe('marinara');
    expect(readCharacterBook(written, 'b').body.entries[0]).toMatchObject({
      logic: 'and_all',
      position: { slot: 'depth', role: 'assistant' },
    });
  });
  it('SillyTavern: extensions win', () => {
    expect(first(bookOf(SILLYTAVERN))?.position).toMatchObject({ slot: 'depth', depth: 2 });
  });
  it('the stale position beside a live one is a conflict that names it', () => {
    const { findings } = readCharacterBook(bookOf(LUMIVERSE), 'b');
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'conflict', path: 'position.slot', before: 0, after: 'depth' }),
    );
  });
  it('decorators never move an entry of a SillyTavern or plain book', () => {
    const content = '@@depth 4\n@@role assistant\nText.';
    expect(first(bookOf(bookEntry({ content })))).toMatchObject({ content, position: { slot: 'world' } });
    expect(first(bookOf(bookEntry({ content, extensions: { position: 1 } })))).toMatchObject({
      content,
      position: { slot: 'character' },
    });
  });
});
