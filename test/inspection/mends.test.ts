// What each mend writes, and what it leaves alone.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject, withoutKey } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { LorebookBody } from '../../src/core/lorebook.ts';
import { nearestPosition } from '../../src/core/position.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { rawEntries } from '../../src/formats/_shared/raw-entries.ts';
import { readWorldInfo } from '../../src/formats/sillytavern/world-info.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import {
  type Mend,
  type MendKind,
  type MendSource,
  mendAll,
  mendsFor,
  readSource,
} from '../../src/inspection/mends.ts';
import { mendBook } from '../../src/inspection/mends-writing.ts';
import { anyBook } from '../support/arbitrary-books.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { bookEntry, bookOf, readCase, throughJson, worldEntry, worldOf } from '../support/fixtures.ts';
import { changedPaths } from '../support/leaves.ts';

const RUNS = { seed: 20_260_102, numRuns: 300 };
vi.setConfig({ testTimeout: 60_000 });

const ofCard = (raw: JsonObject): MendSource => ({ form: 'card-book', raw, id: 'b', name: 'Book' });
const ofWorld = (raw: JsonObject): MendSource => ({ form: 'world', raw, id: 'w', name: 'World' });
const bookIn = (card: JsonObject): JsonObject => (card['data'] as JsonObject)['character_book'] as JsonObject;
const offered = (source: MendSource): Record<string, readonly MendKind[]> =>
  Object.fromEntries(mendsFor(source).byEntry);
const every = (source: MendSource, kind: MendKind): Mend => ({
  kind,
  entryIds: [...mendsFor(source).byEntry].filter(([, kinds]) => kinds.includes(kind)).map(([id]) => id),
});
const mend = (source: MendSource, kind: MendKind): JsonObject => mendBook(source, [every(source, kind)]).raw;
const itemsOf = (raw: JsonObject): readonly JsonObject[] => rawEntries(raw).items as readonly JsonObject[];
const idsOf = (raw: JsonObject): readonly unknown[] => itemsOf(raw).map((item) => item?.['id']);

describe('write both encodings', () => {
  const TABLE: readonly (readonly [string, JsonObject, string, number])[] = [
    [
      'a conflict, as SillyTavern follows it',
      { position: 'before_char', extensions: { position: 4 } },
      'after_char',
      4,
    ],
    ['a conflict the other way', { position: 'after_char', extensions: { position: 0 } }, 'before_char', 0],
    ['a number where a word belongs', { position: 0, extensions: {} }, 'before_char', 0],
    ['digits where a word belongs', { position: '2', extensions: {} }, 'after_char', 2],
    ['nothing usable', { position: '', extensions: {} }, 'after_char', 1],
    ['an unknown precise value', { position: 'before_char', extensions: { position: 42 } }, 'before_char', 0],
    ['nothing at all', { position: null, extensions: {} }, 'after_char', 1],
    ['only the word', { position: 'before_char', extensions: {} }, 'before_char', 0],
    ['only the number', { position: null, extensions: { position: 5 } }, 'before_char', 5],
    ['a number written as text', { position: 'after_char', extensions: { position: '4' } }, 'after_char', 4],
    [
      'a word where a number belongs',
      { position: 'before_char', extensions: { position: 'before_char' } },
      'before_char',
      0,
    ],
    ['no extensions', { position: 'before_char', extensions: null }, 'before_char', 0],
  ];
  it.each(TABLE)('%s', (_, given, coarse, precise) => {
    const source = ofCard(bookOf(bookEntry({ id: 0, ...given })));
    expect(offered(source)).toEqual({ e0: ['write-both'] });
    const [entry] = itemsOf(mend(source, 'write-both'));
    expect(entry?.['position']).toBe(coarse);
    expect(entry?.['extensions']).toEqual({ position: precise });
    expect(
      changedPaths(itemsOf(source.raw)[0], entry).filter(
        (path) => !/^(position|extensions(\.position)?)$/.test(path),
      ),
    ).toEqual([]);
  });

  it.each([
    ['agreement', { position: 'before_char', extensions: { position: 0 } }],
    ['a floor by the spec', { position: 'before_char', extensions: { position: 5 } }],
    ['a floor by SillyTavern', { position: 'after_char', extensions: { position: 5 } }],
    ['a slot of RoleCall', { position: 'after_char', extensions: { position: 'append' } }],
  ])('leaves %s alone', (_, given) => {
    const source = ofCard(bookOf(bookEntry({ id: 0, ...given })));
    expect(offered(source)).toEqual({});
    expect(mendBook(source, [{ kind: 'write-both', entryIds: ['e0'] }]).raw).toBe(source.raw);
  });

  it('mends only what was chosen, and shares the rest', () => {
    const source = ofCard(bookIn(readCase('26-')));
    const { raw } = mendBook(source, [{ kind: 'write-both', entryIds: ['e1'] }]);
    const [before, after] = [itemsOf(source.raw), itemsOf(raw)];
    expect(after.map((item, index) => item === before[index])).toEqual(before.map((_, index) => index !== 1));
  });

  it('a bare pattern of a plain book stays a pattern, though the book now looks like SillyTavern’s', () => {
    const source = ofCard(
      bookOf(
        bookEntry({ id: 0, keys: ['lamp.*'], use_regex: true, position: 0 }),
        bookEntry({ id: 1, keys: ['qu(a|e)y'], use_regex: true, extensions: {} }),
      ),
    );
    const keys = (raw: JsonObject) =>
      readSource(ofCard(raw)).body.entries.map((entry) => entry.keys.map(writeKey));
    const after = mendBook(source, [{ kind: 'write-both', entryIds: ['e0'] }]).raw;
    expect(keys(after)).toEqual(keys(source.raw));
    expect(keys(after)).toEqual([['/lamp.*/'], ['/qu(a|e)y/']]);
  });

  it('an entry whose app believes its own level stays as that app writes it (decisions 8a)', () => {
    const lumiverse = (position: number) =>
      bookEntry({ id: position, position, extensions: { selective_logic: 0, position: 0 } });
    const source = ofCard(bookOf(lumiverse(1), lumiverse(4)));
    expect(offered(source)).toEqual({ e0: ['write-both'] });
    const after = mend(source, 'write-both');
    expect(itemsOf(after)[0]).toMatchObject({ position: 'after_char', extensions: { position: 1 } });
    expect(itemsOf(after)[1]).toBe(itemsOf(source.raw)[1]);
    expect(readSource(ofCard(after)).body.entries.map(({ position }) => position.slot)).toEqual([
      'character',
      'depth',
    ]);
  });

  it('a world file gets the number, also where its engine found none', () => {
    const source = ofWorld(
      worldOf(
        worldEntry(0),
        worldEntry(1, { position: null }),
        worldEntry(2, { position: '4' }),
        worldEntry(3, { position: 42 }),
        worldEntry(4, { position: 'after_char' }),
      ),
    );
    expect(Object.keys(offered(source))).toEqual(['w1', 'w2', 'w3', 'w4']);
    const after = mend(source, 'write-both');
    expect(itemsOf(after).map(({ position }) => position)).toEqual([0, 0, 4, 0, 1]);
    expect(itemsOf(after)[0]).toBe(itemsOf(source.raw)[0]);
    expect(changedPaths(source.raw, after)).toEqual([1, 2, 3, 4].map((uid) => `entries.${uid}.position`));
  });

  it('a world file keeps keys that are not its uids, and its twin', () => {
    const own = { v: 1, other: true };
    const raw = deepFreeze({ entries: { a: worldEntry(5, { position: '1' }) }, loreferry: own, vendor: [1] });
    expect(mend(ofWorld(raw), 'write-both')).toEqual({
      entries: { a: worldEntry(5, { position: 1 }) },
      loreferry: own,
      vendor: [1],
    });
  });
});

describe('unique ids', () => {
  it('are whole numbers in book order (case S1)', () => {
    const source = ofCard(bookIn(readCase('S1-')));
    expect(mendsFor(source).book).toEqual(['unique-ids']);
    const after = mend(source, 'unique-ids');
    expect(idsOf(after)).toEqual(idsOf(after).map((_, index) => index));
    expect(after['name']).toBe(source.raw['name']);
    expect(itemsOf(after).map((item) => withoutKey(item, 'id'))).toEqual(
      itemsOf(source.raw).map((item) => withoutKey(item, 'id')),
    );
  });
  it.each<[string, readonly (Json | undefined)[], readonly (Json | undefined)[]]>([
    ['a duplicate', [0, 1, 1], [0, 1, 2]],
    ['null', [3, null], [0, 1]],
    ['text', [0, 'x'], [0, 1]],
    ['digits', ['0', '1'], [0, 1]],
    ['a missing one', [5, undefined, 7], [0, 1, 2]],
    ['a fraction', [1, 1.5], [0, 1]],
  ])('%s', (_, ids, expected) => {
    const source = ofCard(bookOf(...ids.map((id) => bookEntry({ id }))));
    expect(idsOf(mend(source, 'unique-ids'))).toEqual(expected);
  });
  it('stand where the app wrote them', () => {
    const { id: _, ...bare } = bookEntry();
    const source = ofCard(bookOf({ ...bare, uid: 4 }, { ...bare, uid: 4 }));
    expect(itemsOf(mend(source, 'unique-ids'))).toEqual([
      { ...bare, uid: 0 },
      { ...bare, uid: 1 },
    ]);
  });
  it.each<[string, readonly (Json | undefined)[]]>([
    ['no ids at all', [undefined, undefined]],
    ['ids with gaps', [0, 4, 9]],
    ['ids that are only out of order', [4, 0, 9]],
  ])('are not asked for where there are %s', (_, ids) => {
    const source = ofCard(bookOf(...ids.map((id) => bookEntry({ id }))));
    expect(mendsFor(source).book).toEqual([]);
    expect(mend(source, 'unique-ids')).toBe(source.raw);
  });
});

describe('keys', () => {
  const keysOf = (source: MendSource, kind: MendKind): readonly Json[] =>
    itemsOf(mend(source, kind)).map((item) => (item['keys'] ?? item['key']) as Json);
  it('blank ones go, of the primary keys only (case 56)', () => {
    const source = ofCard(bookIn(readCase('56-')));
    expect(
      Object.keys(offered(source)).filter((id) => offered(source)[id]?.includes('drop-blank-keys')),
    ).toEqual(['e0', 'e1', 'e2']);
    expect(keysOf(source, 'drop-blank-keys')).toEqual([[], [], [], [' lamp '], []]);
  });
  it('in a world file too, and nothing else of it', () => {
    const source = ofWorld(worldOf(worldEntry(3, { key: ['', 'lamp', ' '], keysecondary: [''], x: 1 })));
    const after = mend(source, 'drop-blank-keys');
    expect(after).toEqual(worldOf(worldEntry(3, { key: ['lamp'], keysecondary: [''], x: 1 })));
  });
  it.each<[readonly string[], readonly string[] | null]>([
    [['chandler, ropewalk, pitch'], ['chandler', 'ropewalk', 'pitch']],
    [['lamp,  quay,'], ['lamp', 'quay']],
    [['灯、港'], ['灯', '港']],
    [
      ['a, b, c', 'b', 'Paris, France'],
      ['a', 'c', 'b', 'Paris, France'],
    ],
    [['1,000'], null],
    [['/a,b/'], null],
    [['plain'], null],
  ])('%j split', (keys, expected) => {
    const source = ofCard(bookOf(bookEntry({ keys })));
    expect(offered(source)['e0']?.includes('split-keys')).toBe(expected !== null);
    expect(keysOf(source, 'split-keys')).toEqual([expected ?? keys]);
  });
});

describe('a world file with its entries in a list (case 53)', () => {
  const source = ofWorld(readCase('53-'));
  it('is offered to become a world file, and nothing else', () => {
    expect(mendsFor(source)).toEqual({ byEntry: new Map(), book: ['to-world-file'] });
    expect(mendAll(source)).toEqual([]);
  });
  it('becomes one: entries by uid, orders 10 and 20, the second off', () => {
    const { raw, before, after } = mendBook(source, [{ kind: 'to-world-file', entryIds: [] }]);
    expect(raw['entries']).toMatchObject({
      0: { uid: 0, key: ['lamp'], order: 10, disable: false, position: 0 },
      1: { uid: 1, key: ['quay'], order: 20, disable: true },
    });
    expect(raw['name']).toBe('Spec shaped');
    expect([before, after].map(({ body }) => body.entries.length)).toEqual([2, 2]);
    expect(mendsFor(ofWorld(raw)).book).toEqual([]);
  });
  it('keeps the ids where they are uids, never the places in the list, and what stands beside', () => {
    const raw = { ...bookOf(bookEntry({ id: 7, x: 1 }), bookEntry({ id: 9 })), vendor: { a: 1 } };
    const after = mendBook(ofWorld(raw), [{ kind: 'to-world-file', entryIds: [] }]).raw;
    expect(Object.keys(after['entries'] as object)).toEqual(['7', '9']);
    expect(after['vendor']).toEqual({ a: 1 });
    const twin = lorebookFromWorld(throughJson(after), 'w', 'x');
    expect(twin.edited).toBe(false);
    expect(twin.lorebook.body.entries[0]?.bag.entry).toEqual({ x: 1 });
  });
});

describe('all safe mends at once', () => {
  it('are those that change nothing in what fires', () => {
    const source = ofCard(
      bookOf(
        bookEntry({ id: 0, position: 0 }),
        bookEntry({ id: 0, keys: ['', 'a, b'] }),
        bookEntry({ id: 1, position: 'before_char', extensions: { position: 4 } }),
      ),
    );
    expect(mendAll(source)).toEqual([
      { kind: 'write-both', entryIds: ['e0', 'e2'] },
      { kind: 'unique-ids', entryIds: ['e1', 'e2'] },
    ]);
    const { raw, before, after } = mendBook(source, mendAll(source));
    expect(mendAll(ofCard(raw))).toEqual([]);
    expect(idsOf(raw)).toEqual([0, 1, 2]);
    expect(before.body.entries.map(({ position }) => position)).toEqual(
      after.body.entries.map(({ position }) => position),
    );
  });
});

describe('for every book', () => {
  const sources = fc.oneof(
    anyBook.map(ofCard),
    anyBook.map((raw) => {
      const lorebook = { id: 'b', name: 'B', body: readSource(ofCard(raw)).body, original: {} };
      return ofWorld(throughJson(worldFromLorebook(lorebook, { character: '', slot: '' })));
    }),
    // Half-valid entries under a world's roof.
    anyBook.map((raw) =>
      ofWorld(deepFreeze({ ...raw, entries: Object.fromEntries(rawEntries(raw).items.entries()) })),
    ),
  );
  const shows = (body: LorebookBody, without: readonly string[] = []) =>
    body.entries.map((entry) => [
      CHARACTER_BOOK_FIELDS.filter(({ path }) => !without.includes(path)).map((row) => row.show(entry)),
      nearestPosition(entry.position).slot,
      entry.bag.extensions,
    ]);
  const again = (source: MendSource, raw: JsonObject): MendSource => ({ ...source, raw });

  it('writing both keeps where every entry lands and all else that it says, and is then in order', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const all = every(source, 'write-both');
        const after = again(source, deepFreeze(mendBook(source, [all]).raw));
        const reading = readSource(after);
        expect(shows(reading.body)).toEqual(shows(readSource(source).body));
        for (const id of all.entryIds) {
          expect(reading.known.positions.get(id)?.agreement).toBe(
            source.form === 'world' ? 'precise-only' : 'agree',
          );
        }
        if (all.entryIds.length === 0) expect(after.raw).toBe(source.raw);
        expect(every(after, 'write-both').entryIds).toEqual([]);
      }),
      RUNS,
    );
  });

  it('and in a book that is read the same way before and after, only the two values are new', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const after = mendBook(source, [every(source, 'write-both')]).raw;
        const [was, is] = [readSource(source).options, readSource(again(source, after)).options];
        fc.pre(
          source.form === 'world' || (was.patternKeys === is.patternKeys && was.precedence === is.precedence),
        );
        fc.pre(source.form === 'world' || was.precedence === 'extensions-first');
        // An entry of nothing is a leaf itself.
        const { entries } = source.raw as { readonly entries: Readonly<Record<string, Json>> };
        const isEmpty = (at: string): boolean => JSON.stringify(entries[at]) === '{}';
        const others = changedPaths(source.raw, after).filter((path) => {
          const [, at, rest = ''] = /^entries\.(\d+)(\..*)?$/.exec(path) ?? [];
          const isMended = ['.position', '.extensions', '.extensions.position'].includes(rest);
          return at === undefined || !(isMended || (rest === '' && isEmpty(at)));
        });
        expect(others).toEqual([]);
      }),
      RUNS,
    );
  });

  it('unique ids change ids and nothing else, not even the order', () => {
    fc.assert(
      fc.property(anyBook.map(ofCard), (source) => {
        const after = deepFreeze(mend(source, 'unique-ids'));
        expect(shows(readSource(again(source, after)).body)).toEqual(shows(readSource(source).body));
        expect(
          changedPaths(source.raw, after).filter((path) => !/^entries\.\d+(\.(id|uid))?$/.test(path)),
        ).toEqual([]);
        if (mendsFor(source).book.length > 0 && itemsOf(after).every(isObject)) {
          const ids = itemsOf(after).map((item) => (item['id'] === undefined ? item['uid'] : item['id']));
          expect(ids).toEqual(ids.map((_, index) => index));
        }
        expect(mend(again(source, after), 'unique-ids')).toBe(after);
      }),
      RUNS,
    );
  });

  it.each<MendKind>(['drop-blank-keys', 'split-keys'])('%s changes primary keys alone, once', (kind) => {
    fc.assert(
      fc.property(sources, (source) => {
        const after = again(source, deepFreeze(mend(source, kind)));
        const [was, is] = [readSource(source).body, readSource(after).body];
        expect(shows(is, ['keys'])).toEqual(shows(was, ['keys']));
        expect(every(after, kind).entryIds).toEqual([]);
        expect(mend(after, kind)).toBe(after.raw);
        const chosen = every(source, kind).entryIds;
        for (const [index, entry] of was.entries.entries()) {
          if (!chosen.includes(entry.id)) expect(is.entries[index]?.keys).toEqual(entry.keys);
        }
      }),
      RUNS,
    );
  });

  it('a list becomes a world file that says the same', () => {
    fc.assert(
      fc.property(anyBook, (book) => {
        fc.pre(Array.isArray(book['entries']));
        const { raw } = mendBook(ofWorld(book), [{ kind: 'to-world-file', entryIds: [] }]);
        const world = throughJson(raw);
        const entries = lorebookFromWorld(world, 'w', 'x').lorebook.body;
        expect(shows(entries)).toEqual(shows(readSource(ofCard(book)).body));
        expect(readWorldInfo(world, 'w').findings.filter(({ code }) => code === 'refused')).toEqual([]);
      }),
      RUNS,
    );
  });
});
