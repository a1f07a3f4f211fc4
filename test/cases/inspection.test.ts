// What a file says of itself, in the shape that `inspect --json` prints (decisions 42).

import { describe, expect, it } from 'vitest';
import type { ContainerRead } from '../../src/containers/container.ts';
import { ContainerError } from '../../src/containers/container.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { inspectFile } from '../../src/inspection/inspection.ts';
import { fileStem, openFile, openJson } from '../../src/open-file.ts';
import { bookEntry, bookOf, cardWith, readCase, worldEntry, worldOf } from '../support/fixtures.ts';

const container = (json: Json, extra: Partial<ContainerRead> = {}): ContainerRead => ({
  kind: 'json',
  json,
  copies: [{ json }],
  notes: [],
  ...extra,
});
const inspect = (json: Json, name = 'file.json') => inspectFile(openJson(container(json), name));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('an entry, field by field', () => {
  it('of a book', () => {
    const entry = bookEntry({
      id: 'x',
      keys: ['lamp', '/l[ae]mp/i'],
      secondary_keys: ['oil'],
      position: 'after_char',
      insertion_order: 7,
      extensions: { position: 4, depth: 2, role: 2, outlet_name: 'unused', selectiveLogic: 3 },
    });
    expect(inspect(cardWith(bookOf(entry))).entries).toEqual([
      {
        id: 'e0',
        bookId: 'data.character_book',
        index: 0,
        originalId: 'x',
        title: 'Lamp',
        enabled: true,
        constant: false,
        keys: ['lamp', '/l[ae]mp/i'],
        secondaryKeys: ['oil'],
        logic: 'and_all',
        order: 7,
        coarse: { present: true, value: 'after_char' },
        precise: { present: true, value: 4, at: 'extensions' },
        slot: 'depth',
        depth: 2,
        role: 'assistant',
        outlet: null,
        agreement: 'agree',
        floor: true,
      },
    ]);
  });
  it('depth and role stand only at a depth, the outlet only in an outlet', () => {
    const { entries } = inspect(
      worldOf(
        worldEntry(0, { position: 7, depth: 2, outletName: 'shelf' }),
        worldEntry(1, { position: 0, depth: 2 }),
      ),
    );
    expect(entries.map(({ depth, role, outlet }) => [depth, role, outlet])).toEqual([
      [null, null, 'shelf'],
      [null, null, null],
    ]);
  });
  it('keys are shown as written', () => {
    const keys = ['AC/DC', '/open(/i', '/sea\\/land/i', '', ' '];
    expect(inspect(cardWith(bookOf(bookEntry({ keys })))).entries[0]?.keys).toEqual(keys);
  });
  it('findings name the book and the entry that the list names', () => {
    const { entries, findings } = inspect(cardWith(bookOf(bookEntry(), bookEntry({ id: 1, enabled: 0 }))));
    expect(findings).toMatchObject([
      { code: 'repaired', bookId: entries[1]?.bookId, entryId: entries[1]?.id, path: 'enabled' },
    ]);
  });
});

describe('the file', () => {
  const TABLE: readonly (readonly [string, Json, JsonObject])[] = [
    [
      'a V3 card',
      { ...cardWith(bookOf()), spec: 'chara_card_v3' },
      { kind: 'card', spec: 'chara_card_v3', name: 'Mara Lint' },
    ],
    ['a V2 card', cardWith(bookOf()), { kind: 'card', spec: 'chara_card_v2' }],
    ['a flat card', { name: 'Odo', first_mes: '' }, { kind: 'card', spec: 'v1', name: 'Odo' }],
    [
      'a world file',
      worldOf(worldEntry(0)),
      { kind: 'worldinfo', spec: null, format: 'sillytavern', name: 'file' },
    ],
    [
      'a world file with a name',
      { ...worldOf(worldEntry(0)), name: 'Quay' },
      { kind: 'worldinfo', name: 'Quay' },
    ],
    [
      'a bare book',
      { ...bookOf(bookEntry()), name: '' },
      { kind: 'lorebook', spec: null, format: 'plain', name: 'file' },
    ],
    [
      'a CCv3 lorebook file',
      { spec: 'lorebook_v3', data: bookOf(bookEntry()) },
      { kind: 'lorebook', name: 'Quay Notes' },
    ],
    [
      'a memory book',
      { kind: 'memory', name: 'Mem', entries: [{ name: 'a', entry: 'b' }] },
      { kind: 'lorebook', format: 'agnai', name: 'Mem' },
    ],
    [
      'a book of SillyTavern',
      cardWith(bookOf(bookEntry({ extensions: { vectorized: false } }))),
      { format: 'sillytavern' },
    ],
    [
      'a book of Marinara',
      cardWith(bookOf(bookEntry({ selectiveLogic: 'and', preventRecursion: true, groupWeight: null }))),
      { format: 'marinara' },
    ],
    [
      'a book of Lumiverse',
      cardWith(bookOf(bookEntry({ position: 0, extensions: { selective_logic: 0 } }))),
      { format: 'lumiverse' },
    ],
    [
      'a book of RisuAI',
      cardWith({ ...bookOf(), extensions: { risu_fullWordMatching: false } }),
      { format: 'risu' },
    ],
    [
      'a card of SillyTavern without a book',
      cardWith(undefined, { extensions: { fav: false, talkativeness: '0.5' } }),
      { format: 'sillytavern', books: [] },
    ],
    ['any other card without a book', cardWith(undefined), { format: 'plain', books: [], entries: [] }],
  ];
  it.each(TABLE)('%s', (_, json, expected) => {
    expect(inspect(json)).toMatchObject({ container: 'json', notes: [], ...expected });
  });
  it('books are listed with their slots and counts', () => {
    const { books } = inspect(
      cardWith(bookOf(bookEntry()), {
        extensions: { character_books: [bookOf(), { name: 'B', entries: [bookEntry({ content: 'B.' })] }] },
      }),
    );
    expect(books).toEqual([
      { id: 'data.character_book', slot: 'data.character_book', name: 'Quay Notes', entryCount: 1 },
      {
        id: 'data.extensions.character_books.1',
        slot: 'data.extensions.character_books.1',
        name: 'B',
        entryCount: 1,
      },
    ]);
  });
  it('a world file keeps its uids as original ids', () => {
    expect(
      inspect(worldOf(worldEntry(3), worldEntry(8))).entries.map(({ originalId }) => originalId),
    ).toEqual([3, 8]);
  });
  it('the inspection is plain JSON', () => {
    for (const json of [readCase('26-'), readCase('38-'), readCase('45-')]) {
      const each = Array.isArray(json) ? (json as JsonObject[]) : [json];
      for (const one of each) {
        const inspection = inspect(one);
        expect(JSON.parse(JSON.stringify(inspection))).toEqual(inspection);
      }
    }
  });
});

describe('two copies of a card in one picture (case 41)', () => {
  const [two, one] = [bookOf(bookEntry(), bookEntry({ id: 1 })), bookOf(bookEntry())];
  const withCopies = (...books: readonly (Json | undefined)[]) => {
    const copies = books.map((book, index) => ({
      json: cardWith(book),
      keyword: index === 0 ? ('ccv3' as const) : ('chara' as const),
    }));
    return openJson(container(copies[0]?.json ?? null, { kind: 'png', copies }), 'x.png').findings;
  };
  it('that hold different books are a conflict with both counts', () => {
    const findings = withCopies(two, one);
    expect(findings).toMatchObject([{ code: 'conflict', path: 'data.character_book' }]);
    expect(findings[0]?.message).toMatch(/2 entries.*1 entries/);
  });
  it('of which one has no book are a conflict too', () => {
    expect(withCopies(two, undefined)).toMatchObject([{ code: 'conflict' }]);
  });
  it('that differ in their envelope only are none, as in nearly every file', () => {
    expect(withCopies(two, two)).toEqual([]);
    expect(withCopies(undefined, null)).toEqual([]);
  });
});

describe('a file that is nothing of ours', () => {
  it.each<Json>([[], {}, 'x', 5, null, { entries: 'x' }, { data: 'x' }, { a: { b: 1 } }])(
    '%j is refused in one sentence that names the file',
    (json) => {
      expect(() => openJson(container(json), 'odd.json')).toThrow(ContainerError);
      expect(() => openJson(container(json), 'odd.json')).toThrow(
        /^odd\.json is neither a character card nor a lorebook\.$/,
      );
    },
  );
  it.each(['', '{', 'text', '[1,', '\u0000\u0001'])(
    'bytes %j are refused, and nothing else is thrown',
    (text) => {
      expect(() => openFile(bytes(text), 'odd.json')).toThrow(ContainerError);
    },
  );
  it('bytes that are a card open as one', () => {
    expect(openFile(bytes(JSON.stringify(cardWith(null))), 'x.json')).toMatchObject({
      kind: 'card',
      spec: 'chara_card_v2',
    });
  });
});

it.each([
  ['Quay.json', 'Quay'],
  ['a/b/Quay.v2.json', 'Quay.v2'],
  ['C:\\x\\Quay.json', 'Quay'],
  ['Quay', 'Quay'],
  ['.json', '.json'],
])('the stem of %j is %j', (name, stem) => {
  expect(fileStem(name)).toBe(stem);
});
