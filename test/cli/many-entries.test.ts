// Books of a size and shape that nobody means well with: everything is read in time that grows with the file and no
// faster, and whatever is odd in it, no entry goes missing.

import { describe, expect, it } from 'vitest';
import { emitPieces, readPieces } from '../../src/convert.ts';
import { compareEntries, pairEntries } from '../../src/core/compare.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookBody } from '../../src/core/lorebook.ts';
import { findCharacterBooks } from '../../src/formats/_shared/book-slots.ts';
import {
  CHARACTER_BOOK_TABLE,
  lorebookFromBook,
  lorebookToCharacterBook,
} from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { extractCharacterBooks } from '../../src/formats/_shared/extract-books.ts';
import { placeEntries, rawEntries } from '../../src/formats/_shared/raw-entries.ts';
import { lorebooksToCharacterBook, splitSourceBooks } from '../../src/formats/_shared/source-books.ts';
import {
  isWorldInfo,
  overlayWorldInfo,
  readWorldInfo,
  worldReadingOf,
  worldRows,
} from '../../src/formats/sillytavern/world-info.ts';
import { mergeNewVersion } from '../../src/formats/sillytavern/world-merge.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { measureLorebooks } from '../../src/measure.ts';
import { bookEntry, bookOf, cardWith, throughJson, worldEntriesOf, worldEntry } from '../support/fixtures.ts';

const SOURCE = { character: 'x', slot: 'data.character_book' };
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
/** A book of that many ordinary entries. */
const bigBook = (count: number, given: (index: number) => JsonObject = () => ({})): JsonObject => ({
  name: 'Big',
  extensions: {},
  entries: range(count).map((id) => ({
    ...bookEntry({
      id,
      keys: [`key ${id}`],
      comment: `Entry ${id}`,
      content: `Text ${id}.`,
      extensions: { position: id % 8 },
    }),
    ...given(id),
  })),
});
const withEdits = (body: LorebookBody, at: (index: number) => boolean): LorebookBody => ({
  ...body,
  entries: body.entries.map((entry, index) =>
    at(index) ? { ...entry, content: `${entry.content} E` } : entry,
  ),
});

/** Milliseconds of one call. */
function millisecondsOf(action: () => unknown): number {
  const start = performance.now();
  action();
  return performance.now() - start;
}

/**
 * Runs an action for a small and an eight times bigger input. Work that grows with the square would take 64 times as
 * long; caches and the collector are given their share.
 */
function growth(prepare: (count: number) => () => unknown, small: number): number {
  const best = (count: number): number => Math.min(...range(3).map(() => millisecondsOf(prepare(count))));
  best(small);
  return best(8 * small) / Math.max(best(small), 4);
}
const LINEAR = 28;

describe('time grows with the book', () => {
  const lorebookOf = (count: number, given?: (index: number) => JsonObject): CanonicalLorebook =>
    lorebookFromBook(bigBook(count, given), 'b', 'Big');
  const worldOfBig = (count: number): JsonObject => throughJson(worldFromLorebook(lorebookOf(count), SOURCE));
  const editedWorld = (count: number): JsonObject => {
    const world = worldOfBig(count);
    const entries = Object.entries(worldEntriesOf(world)).map(([uid, entry]) => [
      uid,
      Number(uid) % 3 === 0 ? { ...entry, content: 'Edited.' } : entry,
    ]);
    return { ...world, entries: Object.fromEntries(entries) };
  };

  it.each<[string, (count: number) => () => unknown]>([
    [
      'an edited book written onto its twin',
      (count) => {
        const { body, original } = lorebookOf(count);
        return () =>
          lorebookToCharacterBook(
            withEdits(body, (index) => index % 2 === 0),
            original[CHARACTER_BOOK],
          );
      },
    ],
    [
      'a book whose entries changed their order, with new ones, written onto its twin',
      (count) => {
        const { body, original } = lorebookOf(count);
        const added = body.entries.map((entry) => ({ ...entry, id: `new ${entry.id}` }));
        const entries = [...added, ...[...body.entries].reverse()];
        return () => lorebookToCharacterBook({ ...body, entries }, original[CHARACTER_BOOK]);
      },
    ],
    [
      'a plain book whose edit makes it another family, so that all is settled anew',
      (count) => {
        const { body, original } = lorebookOf(count, (index) => ({
          extensions: {},
          use_regex: true,
          id: index,
        }));
        const entries = body.entries.map((entry) => ({ ...entry, vectorized: true }));
        return () => lorebookToCharacterBook({ ...body, entries }, original[CHARACTER_BOOK]);
      },
    ],
    [
      'an edited world file read with its twin',
      (count) => {
        const world = editedWorld(count);
        return () => lorebookFromWorld(world, 'w', 'Big');
      },
    ],
    [
      'an unedited world file read with its twin',
      (count) => {
        const world = worldOfBig(count);
        return () => lorebookFromWorld(world, 'w', 'Big');
      },
    ],
    [
      'a world file with edits and new entries written back',
      (count) => {
        const escrow = { raw: worldOfBig(count) };
        const { body } = worldReadingOf(escrow, 'w');
        const edited = withEdits(body, (index) => index % 2 === 0);
        const entries = [
          ...edited.entries,
          ...body.entries.map((entry) => ({ ...entry, id: `new ${entry.id}` })),
        ];
        return () => overlayWorldInfo({ ...body, entries }, escrow);
      },
    ],
    [
      'rows of a world file without uids',
      (count) => {
        const world = {
          entries: Object.fromEntries(range(count).map((index) => [`k${index}`, { content: 'x' }])),
        };
        return () => worldRows(world);
      },
    ],
    [
      'a newer version merged into an edited file',
      (count) => {
        const world = editedWorld(count);
        const stored = lorebookFromWorld(world, 'w', 'Big');
        const incoming = lorebookOf(count + 10, (index) =>
          index % 5 === 0 ? { comment: `New ${index}` } : {},
        );
        return () => mergeNewVersion(world, stored, incoming, SOURCE);
      },
    ],
    [
      'pairs of entries that all look the same',
      (count) => {
        const { entries } = lorebookOf(count, () => ({ keys: ['k'], comment: 'c', content: 'x' })).body;
        const others = lorebookOf(count, () => ({ keys: ['k'], comment: 'c', content: 'y' })).body.entries;
        return () => [pairEntries(entries, [...entries]), pairEntries(entries, others)];
      },
    ],
    [
      'a comparison of entries that differ in all but one mark',
      (count) => {
        const { entries } = lorebookOf(count).body;
        const others = lorebookOf(count, (index) => ({ content: `Other ${index}`, comment: 'same' })).body
          .entries;
        return () => compareEntries(entries, others, CHARACTER_BOOK_TABLE.fields);
      },
    ],
    [
      'entries put back into an object in another order',
      (count) => {
        const raw = {
          entries: Object.fromEntries(range(count).map((index) => [`k${index}`, { id: index }])),
        };
        const twin = rawEntries(raw);
        const placed = [...twin.items].reverse().map((item) => ({ raw: item, twinIndex: null }));
        return () => placeEntries(twin, raw.entries, placed);
      },
    ],
    [
      'many books in one card, read and written as one',
      (count) => {
        const books = range(count).map((index) => bookOf(bookEntry({ content: `Text ${index}.` })));
        const card = cardWith(undefined, { extensions: { character_books: books } });
        return () => emitPieces(readPieces(card), 'sillytavern');
      },
    ],
    [
      'a merged book of many parts, taken apart',
      (count) => {
        const parts = range(count).map((index) =>
          lorebookFromBook(bookOf(bookEntry({ content: `Text ${index}.` })), `b${index}`, 'x'),
        );
        const card = throughJson(cardWith(lorebooksToCharacterBook(parts)));
        return () => extractCharacterBooks(card);
      },
    ],
  ])(
    '%s',
    (_, prepare) => {
      expect(growth(prepare, 1000)).toBeLessThan(LINEAR);
    },
    60_000,
  );

  it('50,000 entries that look the same are paired in no time', () => {
    const { entries } = lorebookOf(50_000, () => ({ keys: ['k'], comment: 'c', content: 'x' })).body;
    expect(millisecondsOf(() => pairEntries(entries, [...entries]))).toBeLessThan(2000);
  });
});

describe('more of something than a call takes arguments', () => {
  it('200,000 entries, each with findings, come out of a card', () => {
    const book = { entries: range(200_000).map((index) => ({ content: `Text ${index}.` })) };
    const { books, findings } = extractCharacterBooks(cardWith(book));
    expect(books[0]?.lorebook.body.entries).toHaveLength(200_000);
    expect(findings.length).toBeGreaterThan(200_000);
  }, 60_000);
  it('150,000 uids stand in a file into which a newer version is merged', () => {
    const raw = { entries: range(150_000).map((id) => ({ id, content: `Text ${id}.` })) };
    const world = worldFromLorebook(lorebookFromBook(raw, 'b', 'x'), SOURCE);
    const newer = { entries: [...raw.entries, { id: 7, content: 'New.' }] };
    const incoming = lorebookFromBook(newer, 'b', 'x');
    const merged = mergeNewVersion(world, lorebookFromWorld(world, 'w', 'x'), incoming, SOURCE);
    expect(Object.keys(worldEntriesOf(merged ?? {}))).toHaveLength(150_001);
  }, 60_000);
});

describe('many books in one card', () => {
  it('each stands once, however many slots repeat it', () => {
    const books = range(3000).map((index) => bookOf(bookEntry({ content: `Text ${index % 1500}.` })));
    const card = cardWith(undefined, { extensions: { character_books: books } });
    expect(findCharacterBooks(card).books.map(({ slot }) => slot)).toEqual(
      range(1500).map((index) => `data.extensions.character_books.${index}`),
    );
  });
  it('a slot is cleared of those that were written and keeps the other one', () => {
    const books = range(50).map((index) => bookOf(bookEntry({ content: `Text ${index}.` })));
    const card = cardWith(undefined, { extensions: { character_books: books } });
    const pieces = readPieces(card);
    const lorebooks = pieces.lorebooks.slice(0, -1);
    const refs = lorebooks.map(({ id }) => id);
    const character = { ...pieces.character, body: { ...pieces.character.body, knowledgeRefs: refs } };
    const written = emitPieces({ ...pieces, character, lorebooks }, 'sillytavern');
    expect(written.card).toMatchObject({ data: { extensions: { character_books: [books[49]] } } });
    expect(written.findings).toMatchObject([{ code: 'conflict', path: 'data.extensions.character_books' }]);
  });
});

describe('a merged book whose notes of its parts are not true', () => {
  const entries = range(3).map((id) => bookEntry({ id, content: `Text ${id}.` }));
  const merged = (...sources: readonly JsonObject[]): JsonObject =>
    throughJson({ name: 'M', extensions: { vaud_source_books: sources }, entries });
  const textsOf = (book: JsonObject): readonly string[] =>
    (splitSourceBooks(book) ?? [book]).flatMap((part) =>
      rawEntries(part).items.map((item) => String((item as JsonObject)['content'])),
    );

  it.each<[string, readonly JsonObject[]]>([
    ['counts that are too high', [{ entryCount: 1e9 }, { entryCount: 2 }]],
    ['counts below nothing', [{ entryCount: 4 }, { entryCount: -1 }]],
    ['half an entry', [{ entryCount: 1.5 }, { entryCount: 1.5 }]],
    ['no counts', [{ name: 'a' }, { name: 'b' }]],
    ['no objects', [5 as unknown as JsonObject, null as unknown as JsonObject]],
    ['the same key twice', [{ entryCount: 2, keys: ['a', 'a'] }, { entryCount: 1 }]],
    [
      'keys in an order that an object does not keep',
      [{ entryCount: 2, keys: ['2', '1'] }, { entryCount: 1 }],
    ],
    [
      'keys that are no texts',
      [{ entryCount: 2, keys: [{ toString: 1, valueOf: 1 }, []] }, { entryCount: 1 }],
    ],
    [
      'ids of any kind',
      [
        { entryCount: 2, ids: [{}, null] },
        { entryCount: 1, ids: [[['x']]] },
      ],
    ],
    [
      'settings that bring entries of their own',
      [
        { entryCount: 2, settings: { entries: [{ content: 'X' }] } },
        { entryCount: 1, settings: { entries: 'x' } },
      ],
    ],
    [
      'settings that are merged themselves',
      [
        {
          entryCount: 2,
          settings: { extensions: { vaud_source_books: [{ entryCount: 1 }, { entryCount: 1 }] } },
        },
        { entryCount: 1 },
      ],
    ],
  ])('%s: every entry stands once, in its order', (_, sources) => {
    expect(textsOf(merged(...sources))).toEqual(['Text 0.', 'Text 1.', 'Text 2.']);
    const { books } = extractCharacterBooks(cardWith(merged(...sources)));
    expect(books.flatMap(({ lorebook }) => lorebook.body.entries.map(({ content }) => content))).toEqual([
      'Text 0.',
      'Text 1.',
      'Text 2.',
    ]);
  });
});

describe('a book that brings marks of an earlier export', () => {
  it.each<JsonObject>([
    { vaud_source_books: [] },
    { vaud_source_books: [{ entryCount: 9 }, { entryCount: 1 }], x: 1 },
    { loreferry: null },
    { loreferry: { v: 1, stash: { a: 1 } }, x: 1 },
  ])('%j comes back as it stands, alone and among others', (extensions) => {
    const own = { ...bookOf(bookEntry()), extensions };
    const other = { ...bookOf(bookEntry({ content: 'B.' })), name: 'B' };
    const lorebook = lorebookFromBook(own, 'b', 'x');
    const world = throughJson(worldFromLorebook(lorebook, SOURCE));
    const back = lorebookFromWorld(world, 'w', 'x');
    expect(back.edited).toBe(false);
    expect(lorebookToCharacterBook(back.lorebook.body, back.lorebook.original[CHARACTER_BOOK])).toEqual(own);
    const edited = { ...world, entries: { 0: { ...worldEntriesOf(world)['0'], content: 'Edited.' } } };
    const { body, original } = lorebookFromWorld(throughJson(edited), 'w', 'x').lorebook;
    expect(lorebookToCharacterBook(body, original[CHARACTER_BOOK])['extensions']).toEqual(extensions);
    const merged = throughJson(lorebooksToCharacterBook([lorebook, lorebookFromBook(other, 'c', 'x')]));
    expect(splitSourceBooks(merged)).toEqual([own, other]);
  });
});

describe('what was written, measured', () => {
  const lorebook = lorebookFromBook(bookOf(bookEntry(), bookEntry({ id: 1, content: 'B.' })), 'b', 'x');
  const part = (content: string): CanonicalLorebook =>
    lorebookFromBook(bookOf(bookEntry({ content })), content, 'x');
  it('is compared entry by entry, wherever the boundaries of the books are drawn', () => {
    expect(measureLorebooks([lorebook], [part('Lamp note.'), part('B.')])).toEqual([]);
    expect(measureLorebooks([part('Lamp note.'), part('B.')], [lorebook])).toEqual([]);
    expect(measureLorebooks([lorebook], [part('Lamp note.')])).toMatchObject([
      { code: 'lost', path: 'entry' },
    ]);
    expect(measureLorebooks([lorebook], [part('Lamp note.'), part('C.')])).toMatchObject([
      { code: 'lost', entryId: 'e1', path: 'content', before: 'B.', after: 'C.' },
    ]);
  });
});

describe('a world file changed by hand', () => {
  const ODD = throughJson({
    entries: {
      0: worldEntry(0),
      1: null,
      2: 'text',
      3: [1],
      4: { uid: 'x', key: 'a, b' },
      '-1': { uid: -1 },
    },
  });

  it('is still a world when an entry is no object; each of them is read, and said to be empty', () => {
    expect(isWorldInfo(ODD)).toBe(true);
    const { body, findings } = readWorldInfo(ODD, 'w');
    expect(body.entries).toHaveLength(6);
    expect(findings.filter(({ path }) => path === 'entry')).toHaveLength(3);
  });
  it('keeps what is no object as it stands when another entry is edited', () => {
    const escrow = { raw: ODD };
    const { body } = worldReadingOf(escrow, 'w');
    const written = overlayWorldInfo(
      withEdits(body, (index) => index === 0),
      escrow,
    );
    const entries = worldEntriesOf(written);
    expect(entries[0]).toMatchObject({ content: 'Lamp note. E' });
    expect([entries[1], entries[2], entries[3]]).toEqual([null, 'text', [1]]);
    expect(Object.keys(entries)).toHaveLength(6);
  });

  const raw = bookOf(
    bookEntry({ content: 'A.' }),
    bookEntry({ id: 1, comment: 'B', keys: ['b'], content: 'B.' }),
  );
  const incoming = lorebookFromBook(
    bookOf(
      ...(raw['entries'] as readonly JsonObject[]),
      bookEntry({ id: 2, comment: 'C', keys: ['c'], content: 'C.' }),
      bookEntry({ id: 3, comment: 'D', keys: ['d'], content: 'D.' }),
    ),
    'b',
    'x',
  );
  const world = throughJson(worldFromLorebook(lorebookFromBook(raw, 'b', 'x'), SOURCE));
  const mergedInto = (entries: JsonObject): string[] => {
    const file = throughJson({ ...world, entries });
    const merged = mergeNewVersion(file, lorebookFromWorld(file, 'w', 'x'), incoming, SOURCE);
    return Object.values(worldEntriesOf(throughJson(merged ?? {}))).map(({ content }) => String(content));
  };
  it('takes new entries without writing over one that stands under another number than its uid', () => {
    const [a, b] = Object.values(worldEntriesOf(world));
    expect(mergedInto({ 0: a, 1: b, 2: { ...b, uid: 9, content: 'Own.' } }).sort()).toEqual([
      'A.',
      'B.',
      'C.',
      'D.',
      'Own.',
    ]);
    expect(mergedInto({ 0: a, 7: b, 2: { ...b, uid: 3, content: 'Own.' } }).sort()).toEqual([
      'A.',
      'B.',
      'C.',
      'D.',
      'Own.',
    ]);
  });
  it('takes new entries behind the highest uid that there can be', () => {
    const [a, b] = Object.values(worldEntriesOf(world));
    const highest = Number.MAX_SAFE_INTEGER;
    const own = { ...b, uid: highest, content: 'Own.' };
    expect(mergedInto({ 0: a, 1: b, [highest]: own }).sort()).toEqual(['A.', 'B.', 'C.', 'D.', 'Own.']);
  });

  const own = world['loreferry'] as JsonObject;
  it.each<[string, JsonObject | null | string]>([
    ['uids that are too few', { ...own, uids: [0] }],
    ['uids that are too many', { ...own, uids: [0, 1, 2] }],
    ['uids that repeat', { ...own, uids: [0, 0] }],
    ['uids below nothing', { ...own, uids: [-1, -2] }],
    ['uids that are anything', { ...own, uids: ['0', {}] }],
    ['uids swapped', { ...own, uids: [1, 0] }],
    ['uids that are no list', { ...own, uids: { 0: 0, 1: 1 } }],
    ['no uids', { v: 1, original: own['original'] }],
    ['a raw book that is a text', { ...own, original: { [CHARACTER_BOOK]: { raw: 'x' } } }],
    ['a raw book that is a list', { ...own, original: { [CHARACTER_BOOK]: { raw: [raw, raw] } } }],
    [
      'a raw book with its entries in an object',
      { ...own, original: { [CHARACTER_BOOK]: { raw: { ...raw, entries: { a: {}, b: 5 } } } } },
    ],
    [
      'a raw book with entries that are nothing',
      { ...own, original: { [CHARACTER_BOOK]: { raw: { ...raw, entries: [null, 'x'] } } } },
    ],
    ['a raw book without entries', { ...own, original: { [CHARACTER_BOOK]: { raw: { name: 'x' } } } }],
    ['an escrow that is nothing', { ...own, original: { [CHARACTER_BOOK]: null } }],
    ['an original that is a text', { ...own, original: 'x' }],
    ['a key that is a text', 'x'],
    ['a key that is nothing', null],
  ])('its twin with %s: what stands in the file is what is read', (_, tampered) => {
    for (const extensions of [world['extensions'] as JsonObject, {}, { loreferry: {} }, { loreferry: 5 }]) {
      const file = throughJson({ ...world, extensions, loreferry: tampered });
      const { lorebook, reading } = lorebookFromWorld(file, 'w', 'x');
      expect(lorebook.body.entries.map(({ content }) => content)).toEqual(['A.', 'B.']);
      expect(reading.body.entries).toHaveLength(2);
      expect(new Set(lorebook.body.entries.map(({ id }) => id)).size).toBe(2);
      const book = throughJson(lorebookToCharacterBook(lorebook.body, lorebook.original[CHARACTER_BOOK]));
      expect(lorebookFromBook(book, 'b', 'x').body.entries.map(({ content }) => content)).toEqual([
        'A.',
        'B.',
      ]);
    }
  });
});
