// Finding the books of a card, and putting books back (spec 000; decisions 7, 8, 8b).

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { CanonicalLorebook } from '../../src/core/lorebook.ts';
import {
  embedCharacterBook,
  findCharacterBook,
  findCharacterBooks,
} from '../../src/formats/_shared/book-slots.ts';
import { lorebookFromBook, readingOf } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import {
  defaultBookName,
  extractCharacterBook,
  extractCharacterBooks,
} from '../../src/formats/_shared/extract-books.ts';
import { splitSourceBooks } from '../../src/formats/_shared/source-books.ts';
import { sillytavernCard, withWorldLink } from '../../src/formats/sillytavern/card.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { bookEntry, bookOf, cardWith, throughJson } from '../support/fixtures.ts';

const A: JsonObject = bookOf(bookEntry({ content: 'A.' }));
const B: JsonObject = deepFreeze({ ...bookOf(bookEntry({ content: 'B.' })), name: 'B' });
const C: JsonObject = deepFreeze({ ...bookOf(bookEntry({ content: 'C.' })), name: 'C' });
const EMPTY: JsonObject = deepFreeze({ name: 'Empty', entries: [] });
const asLorebook = (raw: JsonObject, id = 'b'): CanonicalLorebook => lorebookFromBook(raw, id, 'Fallback');
const slots = (card: Json) => findCharacterBooks(card).books.map(({ slot, raw }) => [slot, raw]);

describe('where a card holds its books', () => {
  const TABLE: readonly (readonly [string, Json, readonly (readonly [string, Json])[]])[] = [
    ['the standard slot', cardWith(A), [['data.character_book', A]]],
    [
      'the V2 convention',
      cardWith(undefined, { extensions: { character_book: A } }),
      [['data.extensions.character_book', A]],
    ],
    [
      "RoleCall's list",
      cardWith(undefined, { extensions: { character_books: [A, B] } }),
      [
        ['data.extensions.character_books.0', A],
        ['data.extensions.character_books.1', B],
      ],
    ],
    ['the flat V1 slot', { name: 'x', character_book: A }, [['character_book', A]]],
    ['the root of a wrapped card', { ...cardWith(undefined), character_book: A }, [['character_book', A]]],
    [
      'a card body without its wrapper',
      { name: 'x', extensions: { character_book: A } },
      [['extensions.character_book', A]],
    ],
    [
      'the standard slot comes first',
      { ...cardWith(A, { extensions: { character_book: B, character_books: [C] } }) },
      [
        ['data.character_book', A],
        ['data.extensions.character_book', B],
        ['data.extensions.character_books.0', C],
      ],
    ],
    [
      'the same book again is one book (Wyvern writes it twice)',
      { ...cardWith(A), character_book: throughJson(A) },
      [['data.character_book', A]],
    ],
    [
      'also when it is only written differently',
      cardWith(A, {
        extensions: { character_book: bookOf({ ...bookEntry({ content: 'A.' }), id: 9, use_regex: false }) },
      }),
      [['data.character_book', A]],
    ],
    ['null is none (case 46)', cardWith(null), []],
    ['an empty object is none', cardWith({}), []],
    ['an absent one is none', cardWith(undefined), []],
    ['a book without entries is a book', cardWith(EMPTY), [['data.character_book', EMPTY]]],
    [
      'but it is never before one with entries',
      cardWith(EMPTY, { extensions: { character_book: B } }),
      [['data.extensions.character_book', B]],
    ],
    [
      'nulls in a list are none',
      cardWith(undefined, { extensions: { character_books: [null, B] } }),
      [['data.extensions.character_books.1', B]],
    ],
    ['no card at all', null, []],
    ['a list', [A], []],
  ];
  it.each(TABLE)('%s', (_, card, found) => {
    expect(slots(card)).toEqual(found);
    expect(findCharacterBooks(card).findings).toEqual([]);
    expect(findCharacterBook(card)).toBe(found[0]?.[1] ?? null);
  });
  it('the raw book is returned verbatim, not copied', () => {
    const card = cardWith(A);
    expect(findCharacterBook(card)).toBe((card['data'] as JsonObject)['character_book']);
  });
  it.each([['text'], [5], [true], [['x']]])('a slot that holds %j is refused by name', (held) => {
    const { books, findings } = findCharacterBooks(cardWith(held));
    expect(books).toEqual([]);
    expect(findings).toMatchObject([
      { code: 'refused', path: 'data.character_book', before: held, bookId: null, entryId: null },
    ]);
  });
});

describe('a card from Lumiverse: the book in extensions is the stale original (decisions 8b)', () => {
  const live = bookOf(bookEntry({ content: 'Edited.', position: 4, extensions: { selective_logic: 0 } }));
  const card = cardWith(live, { extensions: { character_book: A } });
  it('it is not extracted, and that is one conflict', () => {
    const { books, findings } = findCharacterBooks(card);
    expect(books).toEqual([{ slot: 'data.character_book', raw: live }]);
    expect(findings).toMatchObject([{ code: 'conflict', path: 'data.extensions.character_book' }]);
  });
  it('it stays in the card when the live book is written', () => {
    const { data } = embedCharacterBook(card['data'] as JsonObject, [asLorebook(live)]);
    expect(data).toEqual(card['data']);
  });
  it('it does not become a second book when the live one is written in other words', () => {
    const { original: _lumiverse, ...plain } = asLorebook(live);
    const { data } = embedCharacterBook(card['data'] as JsonObject, [{ ...plain, original: {} }]);
    expect(data['extensions']).toEqual({});
    expect(findCharacterBooks({ data }).books.map(({ slot }) => slot)).toEqual(['data.character_book']);
  });
});

describe("a book's name (decisions 8)", () => {
  it.each([
    ['Mara Lint', undefined, "Mara Lint's Lorebook"],
    ['Mara Lint', '', "Mara Lint's Lorebook"],
    ['Mara Lint', '   ', "Mara Lint's Lorebook"],
    ['Mara Lint', 'Quay Notes', 'Quay Notes'],
    ['', undefined, 'Lorebook'],
  ])('of %j with the name %j is %j', (character, name, expected) => {
    const raw = { entries: [bookEntry()], ...(name === undefined ? {} : { name }) };
    const lorebook = extractCharacterBook(cardWith(raw, { name: character }));
    expect(lorebook?.name).toBe(expected);
    // The default is a label; nothing of it is written into the book.
    expect(lorebook?.body.name).toBe(name ?? '');
  });
  it('falls back to the name at the root', () => {
    expect(extractCharacterBook({ char_name: 'Odo', character_book: { entries: [] } })?.name).toBe(
      "Odo's Lorebook",
    );
    expect(defaultBookName('')).toBe('Lorebook');
  });
});

describe('an extracted lorebook', () => {
  it('holds its raw book under `character-book`, whatever card it came from (spec 000)', () => {
    for (const card of [cardWith(A), { name: 'x', character_book: A }]) {
      const lorebook = extractCharacterBook(card);
      expect(Object.keys(lorebook?.original ?? {})).toEqual(['character-book']);
      expect(lorebook?.original[CHARACTER_BOOK]?.raw).toBe(A);
    }
  });
  it('is none when the card has none', () => {
    expect(extractCharacterBook(cardWith(null))).toBeNull();
  });
  it('findings carry the id of their book', () => {
    const faulty = bookOf(bookEntry({ enabled: 0 }));
    const { findings } = extractCharacterBooks(cardWith(A, { extensions: { character_book: faulty } }));
    expect(findings).toMatchObject([
      { bookId: 'data.extensions.character_book', entryId: 'e0', path: 'enabled' },
    ]);
  });
});

describe('embedding is three-way (spec 000)', () => {
  const both = deepFreeze({
    name: 'x',
    extensions: { character_book: A, character_books: [B], other: 1 },
    character_book: A,
  });

  it('absent: the data is left alone', () => {
    expect(embedCharacterBook(both, undefined)).toEqual({ data: both, findings: [] });
    expect(embedCharacterBook(both, undefined).data).toBe(both);
  });
  it('an empty list: the slots are cleared, and nothing else', () => {
    expect(embedCharacterBook(both, [])).toEqual({
      data: { name: 'x', extensions: { other: 1 } },
      findings: [],
    });
  });
  it('an empty list on a card without a book is no change', () => {
    const data = deepFreeze({ name: 'x', extensions: { world: 'y' } });
    expect(embedCharacterBook(data, []).data).toBe(data);
  });
  it('a list: it is in the standard slot, and a second copy of it is gone', () => {
    const data = deepFreeze({
      name: 'x',
      extensions: { character_book: throughJson(A), other: 1 },
      character_book: null,
    });
    const { data: written, findings } = embedCharacterBook(data, [asLorebook(A)]);
    expect(written).toEqual({ name: 'x', extensions: { other: 1 }, character_book: A });
    expect(written['character_book']).toBe(A);
    expect(findings).toEqual([]);
  });
  it('a copy that is only written differently is the same book, so it is gone too (decisions 7)', () => {
    const twin = bookOf({ ...bookEntry({ content: 'A.' }), id: 9, use_regex: false });
    const { data, findings } = embedCharacterBook({ extensions: { character_book: twin } }, [asLorebook(A)]);
    expect(data).toEqual({ extensions: {}, character_book: A });
    expect(findings).toEqual([]);
  });
  it('a slot that holds another book stays, with a conflict that names it (decisions 7)', () => {
    const { data, findings } = embedCharacterBook(both, [asLorebook(A)]);
    expect(data).toEqual({ name: 'x', extensions: { character_books: [B], other: 1 }, character_book: A });
    expect(findings).toMatchObject([{ code: 'conflict', path: 'data.extensions.character_books' }]);
    const kept = embedCharacterBook({ extensions: { character_book: B } }, [asLorebook(A)]);
    expect(kept.data).toEqual({ extensions: { character_book: B }, character_book: A });
    expect(kept.findings).toMatchObject([{ code: 'conflict', path: 'data.extensions.character_book' }]);
  });
  it('of a list of books only the embedded ones go', () => {
    const { data } = embedCharacterBook({ extensions: { character_books: [A, B] } }, [asLorebook(A)]);
    expect(data).toEqual({ extensions: { character_books: [B] }, character_book: A });
  });
  it('the book of the standard slot gives way to the one that is written', () => {
    const { data, findings } = embedCharacterBook(deepFreeze({ character_book: B }), [asLorebook(A)]);
    expect(data).toEqual({ character_book: A });
    expect(findings).toEqual([]);
  });
  it('empty slots of an unedited card are left as they are', () => {
    const data = deepFreeze({ character_book: A, extensions: { character_book: null, character_books: [] } });
    expect(embedCharacterBook(data, [asLorebook(A)]).data).toBe(data);
  });
  it('an edited book clears the slot that holds its old form', () => {
    const lorebook = asLorebook(A);
    const body = { ...lorebook.body, name: 'Edited' };
    const { data } = embedCharacterBook({ extensions: { character_book: A } }, [{ ...lorebook, body }]);
    expect(data).toEqual({ extensions: {}, character_book: { ...A, name: 'Edited' } });
  });
});

describe('several books in one slot (spec 000)', () => {
  const books = [asLorebook(A, 'a'), asLorebook(B, 'b'), asLorebook(C, 'c')];
  const merged = (lorebooks: readonly CanonicalLorebook[]) =>
    embedCharacterBook({}, lorebooks).data['character_book'] as JsonObject;

  it("are joined under the first one's settings, with name and count of each", () => {
    const raw = merged(books);
    expect(raw).toMatchObject({ name: A['name'] });
    expect((raw['entries'] as JsonObject[]).map(({ content }) => content)).toEqual(['A.', 'B.', 'C.']);
    const { vaud_source_books: sources } = raw['extensions'] as { vaud_source_books: JsonObject[] };
    expect(sources.map(({ name, entryCount }) => [name, entryCount])).toEqual([
      ['Quay Notes', 1],
      ['B', 1],
      ['C', 1],
    ]);
  });
  it('get unique ids, because SillyTavern keys entries by id', () => {
    expect((merged(books)['entries'] as JsonObject[]).map(({ id }) => id)).toEqual([0, 1, 2]);
  });
  it('come back as the books they were, after a trip through a file', () => {
    expect(splitSourceBooks(throughJson(merged(books)))).toEqual([A, B, C]);
  });

  const ODD: readonly (readonly [string, JsonObject])[] = [
    [
      'ids of any kind',
      bookOf(...[null, 'x', 2.5, 3, 3].map((id) => bookEntry({ id })), { content: 'no id' }),
    ],
    ['entries in an object', { name: 'o', entries: { 0: bookEntry(), 5: bookEntry({ id: 5 }) } }],
    ['no entries', { name: 'none', x: 1 }],
    ['an empty list', EMPTY],
    ['null as entries', { name: 'n', entries: null }],
    ['entries that are none', { name: 'odd', entries: 'odd' }],
    ['entries that are no objects', { entries: ['x', null, bookEntry()] }],
    ['no name and no settings', { entries: [bookEntry()] }],
    ['settings and unknown keys', { ...B, scan_depth: 3, x_book: [1], extensions: { maker: 1 } }],
    [
      'keys named like the prototype',
      throughJson({ ...B, extensions: JSON.parse('{"__proto__": {"a": 1}}') as Json }),
    ],
    [
      'an entry that says itself where it came from',
      bookOf(bookEntry({ extensions: { vaud_source_books: [] } })),
    ],
  ];
  it.each(ODD)('a book with %s comes back whole, first, last or between', (_, odd) => {
    for (const order of [
      [odd, A],
      [A, odd],
      [A, odd, B],
      [odd, odd],
    ]) {
      const raw = merged(order.map((each, index) => asLorebook(deepFreeze(each), `b${index}`)));
      expect(splitSourceBooks(throughJson(raw))).toEqual(order);
    }
  });

  it('an unedited merged book is left exactly as it stands in the card', () => {
    const card = throughJson(cardWith(merged(books)));
    const extracted = extractCharacterBooks(card).books.map(({ lorebook }) => lorebook);
    expect(extracted.map(({ name }) => name)).toEqual(['Quay Notes', 'B', 'C']);
    const { data } = embedCharacterBook(card['data'] as JsonObject, extracted);
    expect(data).toBe(card['data']);
  });
  it('their ids differ, their slot is one', () => {
    const { books: found } = extractCharacterBooks(cardWith(merged(books)));
    expect(new Set(found.map(({ lorebook }) => lorebook.id)).size).toBe(3);
    expect(new Set(found.map(({ slot }) => slot))).toEqual(new Set(['data.character_book']));
  });
  it('an edit of one is an edit of that one only', () => {
    const card = throughJson(cardWith(merged(books)));
    const [a, b, c] = extractCharacterBooks(card).books.map(({ lorebook }) => lorebook) as [
      CanonicalLorebook,
      CanonicalLorebook,
      CanonicalLorebook,
    ];
    const edit = {
      ...b,
      body: { ...b.body, entries: b.body.entries.map((e) => ({ ...e, content: 'New.' })) },
    };
    const { data } = embedCharacterBook(card['data'] as JsonObject, [a, edit, c]);
    expect(splitSourceBooks(throughJson(data['character_book'] as JsonObject))).toEqual([
      A,
      { ...B, entries: [{ ...(B['entries'] as JsonObject[])[0], content: 'New.' }] },
      C,
    ]);
  });
  it('boundaries that no longer fit are not trusted', () => {
    const raw = merged(books);
    const fewer = { ...raw, entries: (raw['entries'] as Json[]).slice(1) };
    expect(splitSourceBooks(fewer)).toBeNull();
    expect(extractCharacterBooks(cardWith(fewer)).books).toHaveLength(1);
  });
  it.each([
    [undefined],
    [null],
    ['x'],
    [[]],
    [[{ name: 'A', entryCount: 1 }]],
    [
      [
        { name: 'A', entryCount: -1 },
        { name: 'B', entryCount: 2 },
      ],
    ],
    [
      [
        { name: 'A', entryCount: 0.5 },
        { name: 'B', entryCount: 0.5 },
      ],
    ],
    [['A', 'B']],
  ])('vaud_source_books of %j is not taken for one', (listed) => {
    expect(
      splitSourceBooks({ entries: [bookEntry()], extensions: { vaud_source_books: listed } }),
    ).toBeNull();
  });
  it('a file of another app with names and counts alone is split too', () => {
    const listed = [
      { name: 'One', entryCount: 1 },
      { name: 'Two', entryCount: 2 },
    ];
    const entries = [bookEntry({ id: 0 }), bookEntry({ id: 1 }), bookEntry({ id: 2 })];
    const parts = splitSourceBooks({ name: 'One', entries, extensions: { vaud_source_books: listed, x: 1 } });
    expect(parts).toEqual([
      { name: 'One', extensions: { x: 1 }, entries: entries.slice(0, 1) },
      { name: 'Two', entries: entries.slice(1) },
    ]);
  });
});

describe('slots outside of the data', () => {
  const write = (card: JsonObject, lorebooks: readonly CanonicalLorebook[]) =>
    sillytavernCard.fromCanonical(sillytavernCard.toCanonical(card), { lorebooks });

  it('a copy at the root is cleared as well, else it would come back as a second book after an edit', () => {
    const card = deepFreeze({ ...cardWith(A), character_book: throughJson(A) });
    const lorebook = asLorebook(A);
    const edit = { ...lorebook, body: { ...lorebook.body, name: 'Edited' } };
    const { card: written, findings } = write(card, [edit]);
    expect(findCharacterBooks(written).books).toEqual([
      { slot: 'data.character_book', raw: { ...A, name: 'Edited' } },
    ]);
    expect(findings).toEqual([]);
  });
  it('another book at the root stays, with a conflict (decisions 7)', () => {
    const card = deepFreeze({ ...cardWith(A), character_book: B });
    const { card: written, findings } = write(card, [asLorebook(A)]);
    expect(written['character_book']).toEqual(B);
    expect(findings).toMatchObject([{ code: 'conflict', path: 'character_book' }]);
  });
  it('a flat card gives up only the book that is written (decisions 7)', () => {
    const card = deepFreeze({ name: 'x', first_mes: '', character_book: A });
    expect(slots(write(card, [asLorebook(A)]).card)).toEqual([['data.character_book', A]]);
    expect(slots(write(card, []).card)).toEqual([]);
  });
  it('a body without its wrapper is wrapped, and its slot does not stay behind', () => {
    const card = deepFreeze({ name: 'x', extensions: { character_book: A, other: 1 } });
    const { card: written } = write(card, [asLorebook(A)]);
    expect(written).not.toHaveProperty('extensions.character_book');
    expect(written).toMatchObject({ data: { character_book: A, extensions: { other: 1 } } });
  });
  it('a flat card keeps its book when it only gets a link', () => {
    const card = deepFreeze({ name: 'x', first_mes: '', character_book: A });
    const linked = withWorldLink(card, 'Quay Notes');
    expect(linked).toMatchObject({ data: { extensions: { world: 'Quay Notes' } } });
    expect(slots(linked).map(([, raw]) => raw)).toEqual([A]);
  });
});

it('the same raw book is read once, whoever asks', () => {
  const escrow = { raw: A };
  expect(readingOf(escrow, 'a')).toBe(readingOf(escrow, 'b'));
});
