// `loreferry inspect FILE [--json]`, in the shape of decisions 42 and by the rules of decisions 1 to 8.

import { Buffer } from 'node:buffer';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { hugeBook } from '../bench/huge-book.ts';
import { SLOTS } from '../support/entry-values.ts';
import {
  bookEntry,
  bookOf,
  cardWith,
  readCase,
  readPeers,
  worldEntry,
  worldOf,
} from '../support/fixtures.ts';
import { buildPng, buildZip, caseFile } from '../support/png-fixtures.ts';
import { done, here, inspected, loreferry, put, refused } from './run-cli.ts';

const SAMPLES = join(import.meta.dirname, '../../samples');
const inspect = (content: unknown, name = 'file.json') => inspected(put(name, content));
const text = (content: unknown, name = 'file.json') => done('inspect', put(name, content));

/** Control characters and those that turn or hide text; a line break is none here. */
const STEERING = /(?!\n)\p{Cc}|[\u2028\u202e\u2066\u200b\ufeff\u{e0041}]/u;

const KEYS = ['books', 'container', 'entries', 'findings', 'format', 'kind', 'name', 'notes', 'spec'];
const ENTRY_KEYS = [
  'agreement',
  'bookId',
  'coarse',
  'constant',
  'depth',
  'enabled',
  'floor',
  'id',
  'index',
  'keys',
  'logic',
  'order',
  'originalId',
  'outlet',
  'precise',
  'role',
  'secondaryKeys',
  'slot',
  'title',
];
const FINDING_KEYS = ['after', 'before', 'bookId', 'code', 'entryId', 'message', 'path', 'severity'];
const CODES = ['stashed', 'approximated', 'lost', 'repaired', 'assumed', 'conflict', 'refused'];
const ALL_SLOTS = [...SLOTS, 'append', 'append_bottom', 'prepend_top', 'scene'];

/** Checks every field of an inspection for its kind, whatever the file is. */
function expectShape(found: ReturnType<typeof inspected>): void {
  expect(Object.keys(found).sort()).toEqual(KEYS);
  expect(['png', 'json', 'charx', 'jpeg+zip']).toContain(found.container);
  expect(['card', 'worldinfo', 'lorebook']).toContain(found.kind);
  expect(typeof found.format).toBe('string');
  expect(['chara_card_v3', 'chara_card_v2', 'v1', null]).toContain(found.spec);
  expect(typeof found.name).toBe('string');
  const ids = new Set<string>();
  for (const book of found.books) {
    expect(Object.keys(book).sort()).toEqual(['entryCount', 'id', 'name', 'slot']);
    expect(found.entries.filter(({ bookId }) => bookId === book.id)).toHaveLength(book.entryCount);
    ids.add(book.id);
  }
  expect(ids.size).toBe(found.books.length);
  const entryIds = new Set(found.entries.map(({ id, bookId }) => `${bookId}\n${id}`));
  expect(entryIds.size).toBe(found.entries.length);
  for (const entry of found.entries) {
    expect(Object.keys(entry).sort()).toEqual(ENTRY_KEYS);
    expect(ids).toContain(entry.bookId);
    for (const list of [entry.keys, entry.secondaryKeys])
      expect(list.every((key) => typeof key === 'string')).toBe(true);
    expect(['and_any', 'and_all', 'not_any', 'not_all']).toContain(entry.logic);
    expect([typeof entry.enabled, typeof entry.constant, typeof entry.floor]).toEqual(
      Array.from({ length: 3 }, () => 'boolean'),
    );
    expect([typeof entry.order, typeof entry.index, typeof entry.title]).toEqual([
      'number',
      'number',
      'string',
    ]);
    expect(Object.keys(entry.coarse).sort()).toEqual(['present', 'value']);
    expect(Object.keys(entry.precise).sort()).toEqual(['at', 'present', 'value']);
    expect(['extensions', 'entry']).toContain(entry.precise.at);
    expect(ALL_SLOTS).toContain(entry.slot);
    expect(typeof entry.depth === 'number').toBe(entry.slot === 'depth');
    expect(['system', 'user', 'assistant'].includes(String(entry.role))).toBe(entry.slot === 'depth');
    expect(typeof entry.outlet === 'string').toBe(entry.slot === 'outlet');
    expect(['agree', 'conflict', 'coarse-only', 'precise-only', 'invalid', 'assumed']).toContain(
      entry.agreement,
    );
  }
  for (const finding of found.findings) {
    expect(Object.keys(finding).sort()).toEqual(FINDING_KEYS);
    expect(CODES).toContain(finding.code);
    expect(['info', 'warning', 'error']).toContain(finding.severity);
    expect(finding.message).toMatch(/^\S[^\n]*\.$/);
    if (finding.bookId !== null) expect(ids).toContain(finding.bookId);
    if (finding.entryId !== null) expect(entryIds).toContain(`${finding.bookId}\n${finding.entryId}`);
  }
}

describe('inspect --json', () => {
  it('a card: every field', () => {
    const card = cardWith(
      bookOf(
        bookEntry({
          id: 'lamp-1',
          name: 'Lamp',
          comment: 'memo',
          keys: ['lamp', '/l[ae]mp/i', 'AC/DC'],
          secondary_keys: ['oil'],
          position: 'after_char',
          insertion_order: 7,
          extensions: { position: 4, depth: 2, role: 1, selectiveLogic: 3 },
        }),
        bookEntry({
          id: 5,
          enabled: false,
          constant: true,
          extensions: { position: 7, outlet_name: 'shelf' },
        }),
      ),
    );
    const found = inspect(card);
    expectShape(found);
    expect(found).toEqual({
      container: 'json',
      kind: 'card',
      format: 'sillytavern',
      spec: 'chara_card_v2',
      name: 'Mara Lint',
      books: [{ id: 'data.character_book', slot: 'data.character_book', name: 'Quay Notes', entryCount: 2 }],
      entries: [
        {
          id: 'e0',
          bookId: 'data.character_book',
          index: 0,
          originalId: 'lamp-1',
          title: 'Lamp',
          enabled: true,
          constant: false,
          keys: ['lamp', '/l[ae]mp/i', 'AC/DC'],
          secondaryKeys: ['oil'],
          logic: 'and_all',
          order: 7,
          coarse: { present: true, value: 'after_char' },
          precise: { present: true, value: 4, at: 'extensions' },
          slot: 'depth',
          depth: 2,
          role: 'user',
          outlet: null,
          agreement: 'agree',
          floor: true,
        },
        {
          id: 'e1',
          bookId: 'data.character_book',
          index: 1,
          originalId: 5,
          title: 'Lamp',
          enabled: false,
          constant: true,
          keys: ['lamp'],
          secondaryKeys: [],
          logic: 'and_any',
          order: 100,
          coarse: { present: true, value: 'before_char' },
          precise: { present: true, value: 7, at: 'extensions' },
          slot: 'outlet',
          depth: null,
          role: null,
          outlet: 'shelf',
          agreement: 'conflict',
          floor: false,
        },
      ],
      findings: [
        {
          code: 'conflict',
          severity: 'warning',
          bookId: 'data.character_book',
          entryId: 'e1',
          path: 'position.slot',
          before: 'before_char',
          after: 'outlet',
          message: expect.stringMatching(/before_char.*7/),
        },
        expect.objectContaining({ code: 'repaired', entryId: 'e0', path: 'id', before: 'lamp-1' }),
      ],
      notes: [],
    });
  });

  it('a world file: one level, uids as original ids, the file as its name', () => {
    const found = inspect(
      worldOf(
        worldEntry(3, { position: 4, depth: 0, role: 2 }),
        worldEntry(8, {
          position: '2',
          disable: true,
          key: ['a', 'b'],
          keysecondary: ['c'],
          selectiveLogic: 2,
        }),
        worldEntry(9, { position: null }),
      ),
      'Quay Notes.json',
    );
    expectShape(found);
    expect(found).toMatchObject({
      container: 'json',
      kind: 'worldinfo',
      format: 'sillytavern',
      spec: null,
      name: 'Quay Notes',
      books: [{ id: 'worldinfo', slot: 'worldinfo', name: 'Quay Notes', entryCount: 3 }],
    });
    expect(found.entries).toMatchObject([
      {
        originalId: 3,
        slot: 'depth',
        depth: 0,
        role: 'assistant',
        coarse: { present: false, value: null },
        precise: { present: true, value: 4, at: 'entry' },
        agreement: 'precise-only',
        floor: false,
      },
      {
        originalId: 8,
        enabled: false,
        keys: ['a', 'b'],
        secondaryKeys: ['c'],
        logic: 'not_any',
        slot: 'note_top',
        precise: { present: true, value: '2', at: 'entry' },
        agreement: 'invalid',
      },
      { originalId: 9, slot: 'world', precise: { present: false, value: null }, agreement: 'assumed' },
    ]);
  });

  it('a bare lorebook, and one in the wrapper of CCv3', () => {
    const bare = inspect(bookOf(bookEntry()), 'x.json');
    expectShape(bare);
    expect(bare).toMatchObject({
      kind: 'lorebook',
      spec: null,
      format: 'plain',
      name: 'Quay Notes',
      books: [{ slot: 'worldinfo', entryCount: 1 }],
    });
    expect(inspect({ spec: 'lorebook_v3', data: bookOf(bookEntry()) })).toMatchObject({
      kind: 'lorebook',
      name: 'Quay Notes',
      entries: [{ slot: 'world', agreement: 'coarse-only' }],
    });
  });

  it('a charx, one behind a JPEG, and a PNG', () => {
    const card = { ...cardWith(bookOf(bookEntry())), spec: 'chara_card_v3' };
    const members = [{ path: 'card.json', text: JSON.stringify(card) }];
    const jpeg = Buffer.from('ffd8ffe00010ffd9', 'hex');
    const files = [
      ['x.charx', buildZip(members), 'charx'],
      ['x.jpeg', buildZip(members, { prefix: jpeg }), 'jpeg+zip'],
      ['x.png', buildPng([{ type: 'tEXt', keyword: 'ccv3', base64json: card }]), 'png'],
      // What a file is, its bytes tell.
      ['x.json', buildZip(members), 'charx'],
    ] as const;
    for (const [name, bytes, container] of files) {
      const found = inspect(bytes, name);
      expectShape(found);
      expect(found).toMatchObject({
        container,
        kind: 'card',
        spec: 'chara_card_v3',
        name: 'Mara Lint',
        books: [{ slot: 'data.character_book', entryCount: 1 }],
      });
    }
  });

  it.each([
    ['Ottoline Fenn.png', 'png', 'chara_card_v2'],
    ['Sister Orm.json', 'json', 'chara_card_v3'],
    ['The Lamplighter.json', 'json', 'v1'],
  ])('the sample %s', (name, container, spec) => {
    copyFileSync(join(SAMPLES, name), join(here(), name));
    const found = inspected(name);
    expectShape(found);
    expect(found).toMatchObject({ container, kind: 'card', spec });
    expect(found.books.length).toBeGreaterThan(0);
  });

  it.each([...readPeers().map(([name]) => `peers/${name}`), '18-', '20-', '26-', '54-', '58-', '87-', 'S1-'])(
    '%s has the shape, and every mark',
    (name) => {
      const card = readCase(name);
      const found = inspect(card);
      expectShape(found);
      const text = JSON.stringify(card);
      const count = text.match(/MARK:/g)?.length ?? 0;
      if (count > 0) expect(found.entries).toHaveLength(count);
    },
  );

  it('characters that turn text or steer a terminal are escapes in the JSON, and mean the same', () => {
    const name = 'a\u001b[31m\u009b2J\u007f\u202e\u2066\u2028\u{e0041}b \u200d\u200c \u{1f56f}';
    put('file.json', cardWith(bookOf(bookEntry({ comment: name })), { name }));
    const printed = done('inspect', 'file.json', '--json');
    expect(printed).not.toMatch(STEERING);
    expect(printed).toContain('\u{1f56f}');
    expect(JSON.parse(printed)).toMatchObject({ name, entries: [{ title: name }] });
  });
});

describe('slots are paths', () => {
  const book = (content: string): JsonObject => bookOf(bookEntry({ content }));
  it.each<[string, Json, readonly string[]]>([
    ['the standard one', cardWith(book('A')), ['data.character_book']],
    [
      'the extensions',
      cardWith(undefined, { extensions: { character_book: book('A') } }),
      ['data.extensions.character_book'],
    ],
    [
      'a list in the extensions',
      cardWith(undefined, { extensions: { character_books: [book('A'), book('B')] } }),
      ['data.extensions.character_books.0', 'data.extensions.character_books.1'],
    ],
    ['a flat card', { name: 'Odo', first_mes: '', character_book: book('A') }, ['character_book']],
    [
      'the extensions of a flat card',
      { name: 'Odo', first_mes: '', extensions: { character_book: book('A') } },
      ['extensions.character_book'],
    ],
    [
      'the root of a card with data',
      { ...cardWith(undefined), character_book: book('A') },
      ['character_book'],
    ],
    [
      'all of them, the standard one first',
      {
        ...cardWith(book('A'), { extensions: { character_book: book('B'), character_books: [book('C')] } }),
        character_book: book('D'),
      },
      [
        'data.character_book',
        'data.extensions.character_book',
        'data.extensions.character_books.0',
        'character_book',
      ],
    ],
    [
      'the same book in another slot is the same book (decisions 7)',
      cardWith(book('A'), { extensions: { character_book: book('A') } }),
      ['data.character_book'],
    ],
    [
      "Agnai's memory book",
      { name: 'Odo', characterBook: { kind: 'memory', name: 'M', entries: [{ name: 'a', entry: 'b' }] } },
      ['characterBook'],
    ],
    ['null is no book', cardWith(null), []],
    ['an empty object is no book', cardWith({}), []],
    ['no book at all', cardWith(undefined), []],
  ])('%s', (_, card, slots) => {
    const { books } = inspect(card);
    expect(books.map(({ slot }) => slot)).toEqual(slots);
  });
  it('the three cards of case 45 yield one entry each, and the slot is named', () => {
    const cards = readCase('45-') as unknown as readonly JsonObject[];
    const found = cards.map((card, index) => inspect(card, `${index}.json`));
    expect(found.map(({ books }) => books.map(({ slot, entryCount }) => [slot, entryCount]))).toEqual([
      [['character_book', 1]],
      [['data.extensions.character_book', 1]],
      [['data.characterBook', 1]],
    ]);
  });
  it('a slot that holds no book is refused by its path', () => {
    const { books, findings } = inspect(
      cardWith('nothing', { extensions: { character_book: [bookEntry()] } }),
    );
    expect(books).toEqual([]);
    expect(findings.map(({ code, path }) => [code, path])).toEqual([
      ['refused', 'data.character_book'],
      ['refused', 'data.extensions.character_book'],
    ]);
  });
});

const ABSENT = Symbol('absent');
type Value = Json | typeof ABSENT;
const shownRow = (value: Value): string => (value === ABSENT ? 'absent' : JSON.stringify(value));

describe('positions: every row of decisions 2', () => {
  const ROWS: readonly (readonly [Value, Value, string, string, boolean, boolean])[] = [
    // entry level, extensions, slot, agreement, floor, repaired
    ['after_char', 4, 'depth', 'agree', true, false],
    ['after_char', '4', 'depth', 'agree', true, true],
    ['before_char', 'before_char', 'world', 'agree', false, true],
    ['before_char', 5, 'before_example', 'agree', true, false],
    ['after_char', 5, 'before_example', 'agree', true, false],
    ['before_char', 4, 'depth', 'conflict', false, false],
    ['after_char', 0, 'world', 'conflict', false, false],
    ['before_char', null, 'world', 'coarse-only', false, false],
    [ABSENT, 2, 'note_top', 'precise-only', false, false],
    ['before_char', 42, 'world', 'invalid', false, false],
    [0, ABSENT, 'world', 'invalid', false, true],
    ['2', ABSENT, 'note_top', 'invalid', false, true],
    ['', ABSENT, 'character', 'invalid', false, false],
    [ABSENT, ABSENT, 'character', 'assumed', false, false],
  ];
  const { position: _, ...entry } = bookEntry();
  const raws = ROWS.map(([coarse, precise], id) => ({
    ...entry,
    id,
    ...(coarse === ABSENT ? {} : { position: coarse }),
    extensions: precise === ABSENT ? {} : { position: precise },
  }));
  const found = inspect(cardWith(bookOf(...raws)));
  it.each(ROWS.map((row, index) => [shownRow(row[0]), shownRow(row[1]), index, row] as const))(
    '%s and %s',
    (_coarse, _precise, index, [coarse, precise, slot, agreement, floor, repaired]) => {
      expect(found.entries[index]).toMatchObject({
        slot,
        agreement,
        floor,
        coarse: { present: coarse !== ABSENT && coarse !== null, value: coarse === ABSENT ? null : coarse },
        precise: {
          present: precise !== ABSENT && precise !== null,
          value: precise === ABSENT ? null : precise,
          at: 'extensions',
        },
      });
      const own = found.findings.filter(({ entryId }) => entryId === `e${index}`);
      const codes = own.map(({ code }) => code);
      expect(codes.includes('repaired')).toBe(repaired);
      expect(codes.includes('conflict')).toBe(agreement === 'conflict');
      expect(codes.includes('assumed')).toBe(
        agreement === 'assumed' || (agreement === 'invalid' && !repaired),
      );
    },
  );

  const WORLD_ROWS: readonly (readonly [Value, string, string])[] = [
    [0, 'world', 'precise-only'],
    [6, 'after_example', 'precise-only'],
    ['4', 'depth', 'invalid'],
    ['after_char', 'character', 'invalid'],
    [8, 'world', 'invalid'],
    [-1, 'world', 'invalid'],
    [1.5, 'world', 'invalid'],
    [null, 'world', 'assumed'],
    [ABSENT, 'world', 'assumed'],
  ];
  const ofWorld = inspect(
    worldOf(
      ...WORLD_ROWS.map(([value], uid) => {
        const { position: _, ...rest } = worldEntry(uid);
        return { ...rest, ...(value === ABSENT ? {} : { position: value }), extensions: { position: 4 } };
      }),
    ),
  );
  it.each(WORLD_ROWS.map((row, index) => [shownRow(row[0]), index, row] as const))(
    'in a world file: %s',
    (_value, index, [, slot, agreement]) => {
      expect(ofWorld.entries[index]).toMatchObject({ slot, agreement, precise: { at: 'entry' } });
    },
  );
});

describe('format, spec, container', () => {
  it.each<[string, Json, string]>([
    ['SillyTavern', cardWith(bookOf(bookEntry({ extensions: { vectorized: false } }))), 'sillytavern'],
    [
      'Marinara',
      cardWith(bookOf(bookEntry({ selectiveLogic: 'and', preventRecursion: true, groupWeight: null }))),
      'marinara',
    ],
    [
      'Lumiverse',
      cardWith(bookOf(bookEntry({ position: 0, extensions: { selective_logic: 0 } }))),
      'lumiverse',
    ],
    ['RisuAI', cardWith({ ...bookOf(), extensions: { risu_fullWordMatching: false } }), 'risu'],
    ['Agnai', { name: 'Odo', characterBook: { kind: 'memory', entries: [{ entry: 'a' }] } }, 'agnai'],
    ['nobody in particular', cardWith(bookOf(bookEntry())), 'plain'],
    ['a world file', worldOf(worldEntry(0)), 'sillytavern'],
  ])('%s', (_, json, format) => {
    expect(inspect(json).format).toBe(format);
  });
  it.each<[Json, string | null]>([
    [{ ...cardWith(undefined), spec: 'chara_card_v3' }, 'chara_card_v3'],
    [cardWith(undefined), 'chara_card_v2'],
    [{ data: { name: 'x' } }, 'chara_card_v2'],
    [{ name: 'Odo', first_mes: '' }, 'v1'],
    [{ char_name: 'Odo' }, 'v1'],
    [worldOf(worldEntry(0)), null],
  ])('%j is %s', (json, spec) => {
    expect(inspect(json).spec).toBe(spec);
  });
  it('the picture cases 39, 41 and 42', () => {
    const found = ['39-foreign-text-chunk-first', '41-ccv3-differs-from-chara', '42-chunk-after-idat'].map(
      (name) => inspect(caseFile(`${name}.json`).png, 'x.png'),
    );
    expect(found.map(({ container, entries }) => [container, entries.length])).toEqual([
      ['png', 1],
      ['png', 2],
      ['png', 1],
    ]);
    expect(found[1]?.findings).toMatchObject([
      {
        code: 'conflict',
        path: 'data.character_book',
        message: expect.stringMatching(/2 entries.*ccv3 was used/),
      },
    ]);
  });
});

describe('inspect as text', () => {
  it('names the file, its slots, every entry with both values, and the findings', () => {
    const printed = text(
      cardWith(
        bookOf(
          bookEntry({
            comment: 'Depth',
            position: 'after_char',
            extensions: { position: 4, depth: 2, role: 1 },
          }),
          bookEntry({ id: 1, comment: 'Shelf', extensions: { position: 7 } }),
          bookEntry({ id: 2, comment: 'Off', enabled: 'false', extensions: { position: 0 } }),
          bookEntry({ id: 3, comment: 'Always', constant: true, extensions: { position: 0 } }),
        ),
        { extensions: { character_book: { ...bookOf(bookEntry()), name: 'Second' } } },
      ),
    );
    expect(printed).toMatch(/^Mara Lint: a character card \(json, V2, written by SillyTavern\)\n/);
    expect(printed).toContain('Quay Notes: 4 entries in the card’s usual place\n');
    expect(printed).toContain('Second: 1 entry in the card’s extensions\n');
    expect(printed).toMatch(/0 +on +Depth +lamp +"after_char" +4 +agree \(floor\) +depth 2 as user +100\n/);
    expect(printed).toMatch(/1 +on +Shelf .*"before_char" +7 +conflict +nowhere \(outlet without a name\)/);
    expect(printed).toMatch(/2 +off +Off /);
    expect(printed).toMatch(/3 +constant +Always /);
    expect(printed).toMatch(/repaired: entry 2 \(Off\): .*false/);
    expect(printed).toMatch(/conflict: entry 1 \(Shelf\): /);
  });
  it('says when there is no lorebook, and what is refused', () => {
    expect(text(cardWith(null))).toContain('No lorebook inside.');
    expect(text(cardWith('x'))).toMatch(/refused: In the card’s usual place stands "x"/);
  });
  it('shows remarks on the container', () => {
    const card = JSON.stringify(cardWith(undefined)).replace('"name"', '"name":"Twice","name"');
    expect(text(card)).toMatch(/\n {2}The JSON gives a key twice/);
    const png = buildPng([{ type: 'tEXt', keyword: 'chara', base64json: cardWith(undefined), crc: 1 }]);
    expect(text(png, 'x.png')).toMatch(/\n {2}The checksum of a chunk is wrong/);
  });
  it('never lets a control character through, nor one that turns or hides text', () => {
    const evil = 'x\u001b]0;owned\u0007\u009b2J\u0000\u007f\r\n\u202e\u2066\u200b\u2028\ufeffy';
    const card = cardWith(
      bookOf(
        bookEntry({
          comment: evil,
          keys: [evil, `/[${evil}/`],
          position: evil,
          extensions: { position: evil, outlet_name: evil, character_filter: { names: [evil] } },
        }),
        bookEntry({ id: evil, comment: '', extensions: { position: 7, outlet_name: evil } }),
      ),
      { name: evil },
    );
    for (const printed of [
      text({ ...card, data: { ...(card['data'] as JsonObject), character_book: evil } }),
      text(card),
      text({ ...bookOf(bookEntry()), name: evil }),
      done('extract', put('f.json', card), '-o', 'out'),
      done('convert', 'f.json', '--to', 'sillytavern', '-o', 'o/'),
    ]) {
      expect(printed).not.toMatch(STEERING);
    }
    expect(text(card)).toContain('\\x1b]0;owned');
  });
  it('a name in a path does not either', () => {
    for (const line of [
      refused('inspect', 'no\u001b[31m\nsuch'),
      refused('inspect', put('x\u202e\n.json', '5')),
    ]) {
      expect(line).not.toMatch(STEERING);
    }
  });
});

describe('case 88, 5,000 entries', () => {
  it('inspects in a few seconds, count in equals count out', () => {
    put('huge.json', cardWith(hugeBook()));
    const start = performance.now();
    const printed = done('inspect', 'huge.json');
    expect(performance.now() - start).toBeLessThan(8000);
    expect(printed.match(/^ {2}\d+ /gm)).toHaveLength(5000);
    expect(inspected('huge.json').entries).toHaveLength(5000);
  });
});

describe('what cannot be inspected', () => {
  it('is one sentence and status 2', () => {
    expect(refused('inspect', 'none.json')).toBe('none.json does not exist.');
    expect(refused('inspect', put('empty.json', ''))).toBe('empty.json is empty.');
    expect(refused('inspect', put('list.json', '[]'))).toMatch(/neither a character card nor a lorebook/);
    expect(refused('inspect', put('cut.json', '{"data":'))).toMatch(/not complete/);
    expect(refused('inspect', put('p.png', buildPng([])))).toMatch(/picture without a character card/);
    expect(refused('inspect', here())).toMatch(/is a folder/);
  });
  it('so is a wrong command line', () => {
    expect(refused('inspect')).toBe('inspect needs a file.');
    expect(refused('look', 'x.json')).toMatch(/no command "look"/);
    expect(refused('inspect', 'a', 'b')).toMatch(/Only one file/);
    expect(refused('inspect', 'a', '--colour')).toMatch(/--colour/);
    expect(refused('inspect', 'a', '--json=yes')).toMatch(/--json/);
    expect(loreferry()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('loreferry inspect FILE'),
    });
    expect(loreferry('--version')).toEqual({ status: 0, stdout: '1.2.3\n', stderr: '' });
  });
});
