// Agnai as a target: its files, the preset that belongs to them, and what is told to be Agnai's again.

import { describe, expect, it } from 'vitest';
import { blankPng } from '../../src/containers/blank-png.ts';
import { cardTextChunks, writePngText } from '../../src/containers/card-png.ts';
import { readContainer } from '../../src/containers/container.ts';
import { LIMITS } from '../../src/containers/limits.ts';
import { readPngChunks } from '../../src/containers/png-chunks.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { withoutKey } from '../../src/core/json.ts';
import type { CanonicalLorebook } from '../../src/core/lorebook.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import { exportCharacter } from '../../src/export-character.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { agnaiCharacter, agnaiMemoryBook } from '../../src/formats/agnai/character.ts';
import { AGNAI_EXPORTER } from '../../src/formats/agnai/exporter.ts';
import { AGNAI_FIELDS } from '../../src/formats/agnai/fields.ts';
import { isMemoryBook, readMemoryBook } from '../../src/formats/agnai/memory-book.ts';
import { isAgnaiCharacter } from '../../src/formats/agnai/native-character.ts';
import { isTavernBook } from '../../src/formats/agnai/tavern-book.ts';
import { one, write } from '../support/agnai-wire.ts';
import { FIELD_VALUES } from '../support/entry-values.ts';
import { bookEntry, bookOf, cardWith } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf, MARA } from '../support/in-force.ts';
import { EXACT } from '../support/sent-books.ts';
import { literal } from '../support/wire-tables.ts';

describe('settings of the preset', () => {
  it('are the depth of most entries, and room for all of them', () => {
    const deep = (id: string, depth: number) => entryOf({ scan: { depth } }, id);
    expect(one({}).settings).toEqual({ memoryDepth: 2, memoryContextLimit: 500 });
    const { settings, codes } = write([lorebookOf([deep('w0', 7), deep('w1', 7), deep('w2', 3)])]);
    expect(settings['memoryDepth']).toBe(7);
    expect(codes('scan.depth')).toEqual(['approximated']);
    expect(one({}, EXACT, { depth: 500 }).settings['memoryDepth']).toBe(100);
  });
  it("SillyTavern's budget where it is the smaller one", () => {
    const limit = (given: Partial<ScanSettings>, contextSize?: number): unknown =>
      one({}, contextSize === undefined ? EXACT : { ...EXACT, contextSize }, given).settings[
        'memoryContextLimit'
      ];
    expect([limit({ budget: 1 }), limit({ budget: 1 }, 30_000), limit({ budgetCap: 60 })]).toEqual([
      82, 300, 60,
    ]);
  });
  it('a limit on the steps of recursion is one on the keywords that are added', () => {
    const link = (id: string, key: string, text: string) =>
      entryOf({ title: key, keys: literal(key), content: text }, id);
    const chain = lorebookOf([
      link('w0', 'one', 'two'),
      link('w1', 'two', 'three'),
      link('w2', 'three', 'end'),
    ]);
    expect(write([chain], EXACT, { maxRecursionSteps: 2 }).entries[2]?.keywords).toEqual(['three', 'two']);
    expect(write([chain], EXACT).entries[2]?.keywords).toEqual(['three', 'two', 'one']);
  });
  it('a book that does not fit is named', () => {
    const { settings, findings, steps } = one({ content: 'word '.repeat(3000) });
    expect(settings['memoryContextLimit']).toBe(2000);
    expect(findings.map(({ path }) => path)).toContain('settings.budget');
    expect(steps.join(' ')).toContain('to 2 and “Memory: Context Limit” to 2000');
  });
  it('a character without a book needs none', () => {
    const { card, settings, steps } = agnaiCharacter(characterInForce([]), EXACT);
    expect(card['characterBook']).toBeUndefined();
    expect([settings, steps]).toEqual([{}, ['In Agnai, open Characters, press Import and choose the file.']]);
  });
  it('a keyword with a comma is told', () => {
    expect(one({ keys: literal('a,b') }).steps.join(' ')).toContain('“a,b” is several keywords');
  });
});

describe('the wrappers', () => {
  it('in the character: a book with the ids that Agnai gives; alone: kind and name, and no link', () => {
    const resolved = characterInForce([lorebookOf([entryOf()])]);
    const { card } = agnaiCharacter(resolved, EXACT);
    expect(card['characterBook']).toMatchObject({
      kind: 'memory',
      _id: '__bundled__characterbook__',
      userId: 'characterBook',
    });
    const { json, name } = agnaiMemoryBook(resolved, EXACT);
    expect(json).toMatchObject({ kind: 'memory', name: 'Quay Notes', description: '' });
    expect([name, json['_id'], json['userId']]).toEqual(['Quay Notes', undefined, undefined]);
    expect(json['entries']).toEqual((card['characterBook'] as JsonObject)['entries']);
    // Alone there is no character whose Insert could take a text.
    const deep = characterInForce([lorebookOf([entryOf({ constant: true, position: { slot: 'depth' } })])]);
    expect(agnaiMemoryBook(deep, EXACT).json['entries']).toMatchObject([{ enabled: true, keywords: ['*'] }]);
  });
  it('alone it says that a signed-in user’s copy keeps nothing aside', () => {
    const said = (books: readonly CanonicalLorebook[]) =>
      agnaiMemoryBook(characterInForce(books), EXACT).findings.filter(({ path }) => path === 'extensions');
    expect(said([lorebookOf([entryOf()])]).map(({ code, entryId }) => [code, entryId])).toEqual([
      ['approximated', null],
    ]);
    const { findings } = agnaiCharacter(characterInForce([lorebookOf([entryOf()])]), EXACT);
    expect(findings.filter(({ path }) => path === 'extensions')).toEqual([]);
  });
  it('a book without a name gets one', () => {
    expect(agnaiMemoryBook(characterInForce([lorebookOf([], ' ')]), EXACT).json['name']).toBe(
      "Mara Lint's Lorebook",
    );
  });
});

describe('what is Agnai’s', () => {
  const five = { name: 'x', persona: {}, greeting: '', scenario: '', sampleChat: '' };
  it.each<[string, Json, boolean]>([
    ['by kind', { kind: 'character', name: 'x' }, true],
    ['by its five fields', five, true],
    ['four fields', { name: 'x', persona: {}, greeting: '', scenario: '' }, false],
    ['a memory book', { kind: 'memory', name: 'x', entries: [] }, false],
    ['a card', { spec: 'chara_card_v2', data: { name: 'x' }, name: 'x' }, false],
    ['no name', { kind: 'character' }, false],
    ['no object', null, false],
  ])('a character %s', (_, json, expected) => {
    expect(isAgnaiCharacter(json)).toBe(expected);
  });
  it('a book of a card by the order in which Agnai writes its fields', () => {
    const entry = {
      keys: ['a'],
      content: '',
      extensions: {},
      enabled: true,
      insertion_order: 1,
      name: 'Unnamed',
      priority: 100,
    };
    const book = { name: 'b', description: '', entries: [entry], extensions: {} };
    expect(isTavernBook(book)).toBe(true);
    expect(isTavernBook({ ...book, entries: [{ ...entry, constant: true, position: 'before_char' }] })).toBe(
      true,
    );
    // The standard's own order, other apps' fields, SillyTavern's books.
    expect(isTavernBook({ name: 'b', description: '', extensions: {}, entries: [entry] })).toBe(false);
    expect(isTavernBook({ ...book, entries: [{ priority: 1, ...withoutKey(entry, 'priority') }] })).toBe(
      false,
    );
    expect(isTavernBook({ ...book, entries: [{ ...entry, extensions: { position: 1 } }] })).toBe(false);
    expect(isTavernBook(bookOf(bookEntry()))).toBe(false);
    expect(isTavernBook({ ...book, entries: [] })).toBe(false);
  });
  it('memory books of other tools: no kind, one text for the keywords, numbers as texts', () => {
    const raw = {
      name: 'Tool',
      entries: [
        { name: 'A', entry: 'a', keywords: 'one, two', weight: '7', priority: null },
        { keywords: ['x'], entry: 5 },
      ],
    } as JsonObject;
    expect(isMemoryBook(raw)).toBe(true);
    const findings: Finding[] = [];
    const { body } = readMemoryBook(raw, 'b', 'x', findings);
    expect(
      body.entries.map(({ keys, order, content, enabled }) => [keys.length, order, content, enabled]),
    ).toEqual([
      [2, 7, 'a', true],
      [1, 0, '5', true],
    ]);
    expect(findings.filter(({ code }) => code === 'repaired').map(({ path }) => path)).toEqual([
      'keys',
      'order',
      'content',
    ]);
  });
  it.each<Json>([
    { entries: 5 },
    { entries: [null, 4, 'a', []] },
    { kind: 'memory', entries: [{ keywords: [1, null, {}], entry: [] }] },
  ])('broken books never throw: %j', (raw) => {
    expect(() => readMemoryBook(raw as JsonObject, 'b', 'x', [])).not.toThrow();
  });
});

describe('the table', () => {
  it('has a row for every field that we know', () => {
    const known = AGNAI_FIELDS.map(({ path }) => path);
    for (const { path } of CHARACTER_BOOK_FIELDS) expect(known).toContain(path);
    for (const { path } of FIELD_VALUES) expect(known).toContain(path);
    expect(new Set(known).size).toBe(known.length);
  });
});

describe('as a target', () => {
  const opened = (name: string, bytes: Uint8Array) => readContainer(bytes, name);
  const asked = {
    character: MARA,
    lorebooks: [lorebookOf([entryOf()])],
    style: 'exact' as const,
    privateFields: 'drop' as const,
  };
  it('a PNG whose first text is the native character', () => {
    const old = writePngText(blankPng(), [
      { keyword: 'Software', text: 'x' },
      ...cardTextChunks(cardWith(undefined), ['chara', 'ccv3']),
    ]);
    const { files, settings } = exportCharacter(AGNAI_EXPORTER, opened('a.png', old), asked);
    expect(files.map(({ name, mime }) => [name, mime])).toEqual([['Mara Lint.png', 'image/png']]);
    const texts = readPngChunks(files[0]?.bytes as Uint8Array, LIMITS).chunks.filter(
      ({ type }) => type === 'tEXt',
    );
    expect(texts).toHaveLength(2);
    // Behind it SillyTavern's own card, which SillyTavern reads first.
    const read = opened('b.png', files[0]?.bytes as Uint8Array);
    const byKeyword = (keyword: string) => read.copies.find((copy) => copy.keyword === keyword)?.json;
    expect(read.copies.map(({ keyword }) => keyword)).toEqual(['chara', 'ccv3']);
    expect(byKeyword('chara')).toMatchObject({ kind: 'character', name: 'Mara Lint' });
    expect(byKeyword('ccv3')).toMatchObject({ spec: 'chara_card_v3', data: { name: 'Mara Lint' } });
    expect(settings).toEqual({ memoryDepth: 2, memoryContextLimit: 500 });
  });
  it('a JSON, and a memory book of its own', () => {
    const json = opened('a.json', new TextEncoder().encode(JSON.stringify(cardWith(undefined))));
    expect(exportCharacter(AGNAI_EXPORTER, json, asked).files.map(({ name }) => name)).toEqual([
      'Mara Lint.json',
    ]);
    expect(
      exportCharacter(AGNAI_EXPORTER, json, { ...asked, form: 'lorebook' }).files.map(({ name }) => name),
    ).toEqual(['Quay Notes.json']);
  });
});
