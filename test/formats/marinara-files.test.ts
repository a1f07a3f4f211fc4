// Marinara's files around the entries: which carries the lore, what a person is told, folders and filters of its own
// lorebook file, zips, and where entries of equal order stand.

import { describe, expect, it } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { frozenSettings, hasOutlets } from '../../src/formats/marinara/book-writing.ts';
import { marinaraLorebooks } from '../../src/formats/marinara/card.ts';
import { isMarinaraCompatible } from '../../src/formats/marinara/compatible-lorebook.ts';
import { exportMarinara } from '../../src/formats/marinara/export.ts';
import { isMarinaraCharacter, readMarinaraCharacter } from '../../src/formats/marinara/native-character.ts';
import { isMarinaraLorebook, readMarinaraLorebook } from '../../src/formats/marinara/native-lorebook.ts';
import { marinaraPackage } from '../../src/formats/marinara/packed-files.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import { throughJson } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf, type PartOfEntry } from '../support/in-force.ts';

const literal = (text: string) => [{ kind: 'literal' as const, text }];
const resolvedWith = (...given: readonly PartOfEntry[]) =>
  characterInForce([lorebookOf(given.map((each, at) => entryOf(each, `w${at}`)))]);

describe('which file carries the lore', () => {
  const bookIn = (json: JsonObject): Json | undefined => (json['data'] as JsonObject)['character_book'];
  it('the card, unless an entry needs what only a lorebook file can say; never both', () => {
    const card = exportMarinara(resolvedWith({}), { style: 'natural', carrier: 'auto' });
    expect([card.carrier, card.lorebooks.length, bookIn(card.character) === null]).toEqual([
      'card',
      0,
      false,
    ]);
    for (const needs of [{ triggers: ['swipe'] }, { sources: { personaDescription: true } }]) {
      const native = exportMarinara(resolvedWith({}, needs), { style: 'natural', carrier: 'auto' });
      expect([native.carrier, native.lorebooks.length, bookIn(native.character)]).toEqual([
        'native',
        1,
        null,
      ]);
      expect(isMarinaraLorebook(native.lorebooks[0]?.json as Json)).toBe(true);
    }
  });
  it('one lorebook file for each book', () => {
    const books = ['One', 'Two'].map((name) => lorebookOf([entryOf()], name));
    const { lorebooks } = exportMarinara(characterInForce(books), { style: 'exact', carrier: 'native' });
    expect(lorebooks.map(({ name }) => name)).toEqual(['One', 'Two']);
  });
  it("a character file has no outlets, since Marinara's check would put them before the character", () => {
    const outlet = resolvedWith({ position: { slot: 'outlet', outlet: 'o' } });
    const options = { style: 'natural', targetVersion: '2.4.2', privateFields: 'keep' } as const;
    const file = exportMarinara(outlet, { ...options, carrier: 'native-character' });
    expect(isMarinaraCharacter(file.character)).toBe(true);
    const { card } = readMarinaraCharacter(file.character) ?? { card: {} };
    expect(bookIn(card)).toMatchObject({ entries: [{ enabled: false, position: 'before_char' }] });
    expect(bookIn(exportMarinara(outlet, { ...options, carrier: 'card' }).character)).toMatchObject({
      entries: [{ enabled: true, position: 7, outletName: 'o' }],
    });
  });
  it('a character without lore has none', () => {
    const { character, findings, steps, settings } = exportMarinara(characterInForce([]), {
      style: 'natural',
      carrier: 'auto',
    });
    expect([bookIn(character), findings, steps.length, settings]).toEqual([null, [], 1, {}]);
  });
  it.each([
    ['2.3.3', false],
    ['2.4', true],
    ['2.4.2', true],
    ['v2.10', true],
    ['3', true],
    ['new', false],
    [undefined, false],
  ])('version %s has outlets: %s', (version, has) => {
    expect(hasOutlets(version)).toBe(has);
  });
});

describe('what a person is told', () => {
  const said = (carrier: 'card' | 'native' | 'native-character', ...given: readonly PartOfEntry[]): string =>
    exportMarinara(resolvedWith(...given), { style: 'natural', carrier }).steps.join('\n');
  it('the window, the answer, and what each file needs', () => {
    expect(said('card', {})).toMatch(/Import Lorebook/);
    expect(said('native', {})).toMatch(/Assign/);
    expect(said('native-character', {})).toMatch(/Import Embedded Lorebook.*\n.*Scan Depth 2/);
    for (const carrier of ['card', 'native', 'native-character'] as const)
      expect(said(carrier, {})).toMatch(/8192/);
  });
  it('vectors, markers and the entry limit only where they matter', () => {
    expect(said('card', {})).not.toMatch(/Vectorize|markers|Entry Limit/);
    expect(said('card', { vectorized: true })).toMatch(/Vectorize missing/);
    expect(said('card', { position: { slot: 'world' } }, { position: { slot: 'character' } })).toMatch(
      /markers/,
    );
    const many = Array.from({ length: 101 }, () => ({}));
    expect(said('card', ...many)).toMatch(/Entry Limit to 101/);
    expect(said('native', ...many)).not.toMatch(/Entry Limit/);
  });
  it.each([
    [{}, { scanDepth: 2, tokenBudget: 0, recursiveScanning: true, maxRecursionDepth: 10 }],
    [{ depth: 0 }, { scanDepth: 1 }],
    [
      { depth: 9, budgetCap: 700 },
      { scanDepth: 9, tokenBudget: 700 },
    ],
    [{ recursive: false }, { recursiveScanning: false }],
    [{ maxRecursionSteps: 1 }, { recursiveScanning: false }],
    [{ maxRecursionSteps: 2 }, { recursiveScanning: true, maxRecursionDepth: 1 }],
    [{ maxRecursionSteps: 40 }, { maxRecursionDepth: 10 }],
  ])('settings %j are frozen as %j', (given, frozen) => {
    expect(frozenSettings({ ...SHIPPED_SCAN_SETTINGS, ...given })).toMatchObject(frozen);
  });
});

describe("Marinara's own lorebook file, read", () => {
  const file = (entries: readonly JsonObject[], more: JsonObject = {}, lorebook: JsonObject = {}): Json => ({
    type: 'marinara_lorebook',
    version: 1,
    exportedAt: '',
    data: { lorebook: { name: 'Port', ...lorebook }, entries, folders: [], ...more },
  });
  const entryIn = (entry: JsonObject, more: JsonObject = {}, lorebook: JsonObject = {}) =>
    readMarinaraLorebook(file([entry], more, lorebook), 'b', 'x');
  it('what is missing is as Marinara would have it', () => {
    expect(entryIn({ name: 'A', keys: ['a'] }).body.entries[0]).toMatchObject({
      title: 'A',
      enabled: true,
      selective: false,
      order: 100,
      position: { slot: 'world', depth: 4, role: 'system' },
      recursion: { prevent: true, exclude: false, delayUntil: 0 },
      vectorized: false,
    });
  });
  it.each<[Json, string]>([
    [0, 'world'],
    [1, 'character'],
    [2, 'depth'],
    [7, 'outlet'],
    ['after_char', 'character'],
    ['at_depth', 'depth'],
    [4, 'world'],
    ['x', 'world'],
  ])('position %j is %s', (position, slot) => {
    const { body, findings, known } = entryIn({ name: 'A', position });
    expect(body.entries[0]?.position.slot).toBe(slot);
    expect(findings.some(({ path }) => path === 'position.slot')).toBe([4, 'x'].includes(position as never));
    expect(known.positions.get('e0')).toMatchObject({
      slot,
      precise: { present: true, value: position, at: 'entry' },
    });
  });
  it.each<[JsonObject, readonly string[]]>([
    [{ generationTriggerFilterMode: 'any', generationTriggerFilters: ['chat'] }, []],
    [
      { generationTriggerFilterMode: 'include', generationTriggerFilters: ['chat', 'Swipe'] },
      ['normal', 'swipe'],
    ],
    [
      { generationTriggerFilterMode: 'exclude', generationTriggerFilters: ['chat'] },
      ['continue', 'impersonate', 'swipe', 'regenerate', 'quiet'],
    ],
    [{ generationTriggerFilterMode: 'include', generationTriggerFilters: [] }, []],
  ])('triggers %j are %j', (given, triggers) => {
    expect(entryIn({ name: 'A', ...given }).body.entries[0]?.triggers).toEqual(triggers);
  });
  it('an entry that fires only where SillyTavern has nothing is off', () => {
    const { body, findings } = entryIn({
      name: 'A',
      generationTriggerFilterMode: 'include',
      generationTriggerFilters: ['game_setup'],
    });
    expect(body.entries[0]).toMatchObject({ enabled: false, triggers: [] });
    expect(findings.map(({ path, code }) => [path, code])).toContainEqual(['triggers', 'stashed']);
  });
  it('folders that are off switch off what is in them, also deep inside, and rings do no harm', () => {
    const folders = [
      { id: 'a', name: 'A', enabled: false, parentFolderId: null },
      { id: 'b', name: 'B', parentFolderId: 'a' },
      { id: 'c', name: 'C', parentFolderId: 'd' },
      { id: 'd', name: 'D', parentFolderId: 'c' },
    ];
    const on = (folderId: string): boolean | undefined =>
      entryIn({ name: 'A', folderId, position: 0 }, { folders }).body.entries[0]?.enabled;
    expect(['a', 'b', 'c', 'gone'].map(on)).toEqual([false, false, true, true]);
  });
  it('vectors count only where the book has them on', () => {
    for (const [book, entry, vectorized] of [
      [false, false, true],
      [false, true, false],
      [true, false, false],
    ]) {
      const lorebook = { excludeFromVectorization: book as boolean };
      expect(
        entryIn({ name: 'A', excludeFromVectorization: entry as boolean }, {}, lorebook).body.entries[0]
          ?.vectorized,
      ).toBe(vectorized);
    }
  });
  it.each<[string, Json]>([
    ['nothing', null],
    ['no data', { type: 'marinara_lorebook', version: 1 }],
    ['no lorebook', { type: 'marinara_lorebook', version: 1, data: {} }],
    [
      'odd parts',
      file(
        [
          {
            name: 5,
            keys: 'a',
            position: {},
            schedule: 7,
            additionalMatchingSources: 'x',
            loreferry: { v: 1 },
          } as JsonObject,
        ],
        { folders: 'x' },
      ),
    ],
  ])('%s is read without harm', (_, json) => {
    expect(() => JSON.stringify(readMarinaraLorebook(json, 'b', 'x'))).not.toThrow();
  });
  it('a book in a manifest counts too', () => {
    expect(isMarinaraLorebook({ kind: 'folder', presets: [{ config: file([]) }] })).toBe(true);
    expect(isMarinaraLorebook({ presets: [file([])] })).toBe(false);
  });
});

describe('what is Marinara’s', () => {
  it('a package has one file and its picture', () => {
    expect(marinaraPackage(['data.json', 'avatar.webp'])).toEqual({
      data: 'data.json',
      picture: 'avatar.webp',
    });
    expect(marinaraPackage(['data.json', 'readme.txt'])).toEqual({ data: 'data.json', picture: null });
    expect(marinaraPackage(['avatar.png'])).toBe(null);
  });
  it('a world file that is not Marinara’s is none of its', () => {
    expect(isMarinaraCompatible({ entries: {}, extensions: {} })).toBe(false);
    expect(isMarinaraCompatible({ entries: {}, extensions: { marinara: {} } })).toBe(true);
  });
});

describe('entries of equal order', () => {
  interface Standing {
    readonly name: string;
    readonly order: number;
  }
  const standing = (
    settings: { recursive: boolean },
    ...given: readonly PartOfEntry[]
  ): readonly Standing[] => {
    const books = [lorebookOf(given.map((each, at) => entryOf(each, `w${at}`)))];
    const { lorebooks } = marinaraLorebooks(characterInForce(books, settings), { style: 'exact' });
    const data = throughJson(lorebooks[0]?.json['data']) as JsonObject;
    const entries = data['entries'] as unknown as readonly Standing[];
    return entries.map(({ name, order }) => ({ name, order }));
  };
  it('the later one stands first, as in SillyTavern, and no order changes', () => {
    const plain = [{ title: 'a' }, { title: 'b' }, { title: 'c', order: 50 }];
    expect(standing({ recursive: false }, ...plain)).toEqual([
      { name: 'c', order: 50 },
      { name: 'b', order: 100 },
      { name: 'a', order: 100 },
    ]);
  });
  it('what another entry starts stands before it, in an order of its own', () => {
    const chain = [
      { title: 'started', keys: literal('wick'), content: 'x' },
      { title: 'starts', keys: literal('lamp'), content: 'The wick.' },
      { title: 'last', keys: literal('tar'), content: 'y', order: 101 },
    ];
    expect(standing({ recursive: true }, ...chain)).toEqual(
      expect.arrayContaining([
        { name: 'started', order: 100 },
        { name: 'starts', order: 101 },
        // Two entries whose orders differed must still differ.
        { name: 'last', order: 102 },
      ]),
    );
    expect(
      standing({ recursive: false }, ...chain)
        .map(({ order }) => order)
        .sort(),
    ).toEqual([100, 100, 101]);
  });
  it('a long chain and a ring do no harm', () => {
    const ring = Array.from({ length: 300 }, (_, at) => ({
      title: `t${at}`,
      keys: literal(`key${at}x`),
      content: `See key${(at + 1) % 300}x.`,
    }));
    expect(standing({ recursive: true }, ...ring)).toHaveLength(300);
  });
});

describe('what we wrote is read back as the card of the app', () => {
  it('as a lorebook of its own, named as it was', () => {
    const resolved = resolvedWith({ position: { slot: 'note_top' } });
    const { character } = exportMarinara(resolved, {
      style: 'exact',
      carrier: 'card',
      privateFields: 'keep',
    });
    const { lorebooks, findings } = readPieces(throughJson(character));
    expect(lorebooks.map(({ name }) => name)).toEqual(['Quay Notes']);
    expect(findings).toEqual([]);
  });
});
