// Every field of a SillyTavern entry against the value that Agnai expects (agnai.md, section 5).

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
import type { AgnaiOptions } from '../../src/formats/agnai/book-writing.ts';
import { agnaiCharacter, agnaiMemoryBook } from '../../src/formats/agnai/character.ts';
import { AGNAI_EXPORTER } from '../../src/formats/agnai/exporter.ts';
import { AGNAI_FIELDS } from '../../src/formats/agnai/fields.ts';
import { isMemoryBook, readMemoryBook } from '../../src/formats/agnai/memory-book.ts';
import { isAgnaiCharacter } from '../../src/formats/agnai/native-character.ts';
import { isTavernBook } from '../../src/formats/agnai/tavern-book.ts';
import { findsEntry, inPrompt, type MemoryEntry } from '../support/agnai-app.ts';
import { FIELD_VALUES } from '../support/entry-values.ts';
import { bookEntry, bookOf, cardWith, throughJson } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf, MARA, type PartOfEntry } from '../support/in-force.ts';
import { literal } from '../support/wire-tables.ts';

const NATURAL: AgnaiOptions = { style: 'natural', privateFields: 'keep' };
const EXACT: AgnaiOptions = { style: 'exact', privateFields: 'keep' };

interface Written {
  readonly native: JsonObject;
  readonly entries: readonly MemoryEntry[];
  readonly findings: readonly Finding[];
  readonly steps: readonly string[];
  readonly settings: JsonObject;
  readonly codes: (path: string) => readonly string[];
}

function write(
  books: readonly CanonicalLorebook[],
  options: AgnaiOptions = EXACT,
  settings: Partial<ScanSettings> = {},
): Written {
  const { card, findings, ...guidance } = agnaiCharacter(characterInForce(books, settings), options);
  const native = throughJson(card);
  const held = (native['characterBook'] as JsonObject)['entries'] as unknown as readonly MemoryEntry[];
  const codes = (path: string): readonly string[] =>
    findings.filter((each) => each.entryId !== null && each.path === path).map(({ code }) => code);
  return { native, entries: held, findings, ...guidance, codes };
}

const one = (given: PartOfEntry, options = EXACT, settings: Partial<ScanSettings> = {}): Written =>
  write([lorebookOf([entryOf(given)])], options, settings);
const titles = (entries: readonly MemoryEntry[]): readonly string[] => entries.map(({ name }) => name);

describe('one entry', () => {
  it.each<[string, PartOfEntry, Partial<MemoryEntry>]>([
    ['keywords', {}, { keywords: ['lamp'] }],
    ['text', { content: 'x\n{{char}} {{user}}' }, { entry: 'x\n{{char}} {{user}}' }],
    ['name', { title: 'A' }, { name: 'A' }],
    ['constant', { constant: true }, { keywords: ['*'], enabled: true }],
    ['off', { enabled: false }, { enabled: false, keywords: ['lamp'] }],
    ['blank keys', { keys: literal('', 'lamp') }, { keywords: ['lamp'] }],
  ])('%s', (_, given, expected) => {
    const { entries, findings } = one(given);
    expect(entries[0]).toMatchObject(expected);
    expect(Object.keys(entries[0] ?? {})).toEqual([
      'name',
      'entry',
      'keywords',
      'priority',
      'weight',
      'enabled',
    ]);
    expect(findings.filter(({ entryId, path }) => entryId !== null && path !== 'position.slot')).toEqual([]);
  });
  it('nothing is said of an ordinary entry behind the character, in either style', () => {
    for (const style of [NATURAL, EXACT]) {
      const { findings } = one({ position: { slot: 'character' } }, style);
      // Its order is a rank there, which is said once for the book.
      expect(findings.map(({ entryId, path }) => [entryId, path])).toEqual([[null, 'order']]);
    }
  });
  it.each<[string, PartOfEntry, string, readonly string[]]>([
    ['second keys', { secondaryKeys: literal('oil') }, 'secondaryKeys', ['approximated']],
    ['second keys that are off', { selective: false, secondaryKeys: literal('oil') }, 'secondaryKeys', []],
    [
      'case',
      { keys: literal('Rose'), scan: { caseSensitive: true } },
      'scan.caseSensitive',
      ['approximated'],
    ],
    ['case of digits', { keys: literal('42'), scan: { caseSensitive: true } }, 'scan.caseSensitive', []],
    ['a chance', { probability: { chance: 40 } }, 'probability.chance', ['approximated']],
    ['a chance of 100', { probability: { chance: 100 } }, 'probability.chance', []],
    ['a group', { group: { name: 'g' } }, 'group.name', ['approximated']],
    ['triggers', { triggers: ['normal', 'swipe'] }, 'triggers', ['approximated']],
    ['sticky', { timing: { sticky: 3 } }, 'timing.sticky', ['stashed']],
    ['cooldown', { timing: { cooldown: 3 } }, 'timing.cooldown', ['stashed']],
    ['delay', { timing: { delay: 3 } }, 'timing.delay', ['stashed']],
    ['vectorized', { vectorized: true }, 'vectorized', ['stashed']],
    [
      'persona searched',
      { sources: { personaDescription: true } },
      'sources.personaDescription',
      ['stashed'],
    ],
    ['no budget', { ignoreBudget: true }, 'ignoreBudget', ['approximated']],
    ['automation', { automationId: 'a' }, 'automationId', ['stashed']],
    ['exclude', { recursion: { exclude: true } }, 'recursion.exclude', []],
    ['prevent', { recursion: { prevent: true } }, 'recursion.prevent', []],
    ['a delay until recursion', { recursion: { delayUntil: 1 } }, 'recursion.delayUntil', ['approximated']],
    ['no name', { title: '' }, 'title', ['assumed']],
    ['a macro that Agnai does not know', { content: '{{time}}' }, 'content', ['approximated']],
    ['non-Latin keys', { keys: literal('龍') }, 'enabled', ['approximated']],
  ])('%s', (_, given, path, codes) => {
    expect(one(given).codes(path)).toEqual(codes);
    expect(one(given, NATURAL).codes(path)).toEqual(codes);
  });
  it('ordinary replies never start it: off', () => {
    const { entries, codes } = one({ triggers: ['quiet'] });
    expect(entries[0]).toMatchObject({ enabled: false, entry: 'Lamp note.' });
    expect(codes('enabled')).toEqual(['approximated']);
  });
  it('keys without a Latin letter: off with the text kept, or always there, as the user says', () => {
    const given = { keys: literal('龍', 'ドラゴン') };
    expect(one(given).entries[0]).toMatchObject({ enabled: false, keywords: [], entry: 'Lamp note.' });
    expect(one(given, { ...EXACT, withoutKeywords: 'always' }).entries[0]).toMatchObject({
      enabled: true,
      keywords: ['*'],
    });
    expect(one({ keys: literal('龍', 'dragon') }).entries[0]).toMatchObject({
      enabled: true,
      keywords: ['dragon'],
    });
  });
});

describe('places', () => {
  it.each<[string, PartOfEntry['position'], readonly string[]]>([
    ['before the character', { slot: 'world' }, ['approximated']],
    ['after the character', { slot: 'character' }, []],
    ['before the examples, where the block stands', { slot: 'before_example' }, []],
    ['after the examples', { slot: 'after_example' }, ['approximated']],
    ['at a depth', { slot: 'depth', depth: 2 }, ['approximated']],
    ['in the note', { slot: 'note_top' }, ['approximated']],
  ])('started by keys, %s: in the block', (_, position, codes) => {
    const { native, entries, codes: said } = one({ position: position ?? {} });
    expect(entries[0]).toMatchObject({ enabled: true });
    expect(native['insert']).toBeUndefined();
    expect(said('position.slot')).toEqual(codes);
  });
  const constant = (content: string, position: PartOfEntry['position'], id: string, order = 100) =>
    entryOf({ constant: true, content, title: content, order, position: position ?? {} }, id);
  it('constants at one depth are the Insert, in the order of SillyTavern', () => {
    const { native, entries, codes } = write([
      lorebookOf([
        constant('B', { slot: 'depth', depth: 4 }, 'w0', 20),
        constant('A', { slot: 'depth', depth: 4, role: 'user' }, 'w1', 10),
        constant('bottom', { slot: 'note_bottom' }, 'w2'),
        constant('top', { slot: 'note_top' }, 'w3'),
        constant('elsewhere', { slot: 'depth', depth: 1 }, 'w4'),
      ]),
    ]);
    expect(native['insert']).toEqual({ prompt: 'top\nbottom\nA\nB', depth: 4 });
    expect(titles(entries.filter(({ enabled }) => enabled))).toEqual(['elsewhere']);
    expect(codes('position.role')).toEqual(['approximated']);
    expect(codes('position.slot')).toHaveLength(3);
    expect(codes('enabled')).toEqual([]);
  });
  it("the card's own note decides the depth", () => {
    const resolved = characterInForce([
      lorebookOf([
        constant('A', { slot: 'depth', depth: 4 }, 'w0'),
        constant('B', { slot: 'depth', depth: 2 }, 'w1'),
      ]),
    ]);
    const note = { prompt: 'Own.', depth: 2, role: 'system' as const };
    const { card } = agnaiCharacter({ ...resolved, depthPrompt: note }, EXACT);
    expect(card['insert']).toEqual({ prompt: 'Own.\nB', depth: 2 });
  });
  it('constants behind the examples stand in the sample chat', () => {
    const { native, entries, codes } = write([lorebookOf([constant('E', { slot: 'after_example' }, 'w0')])]);
    expect(native['sampleChat']).toBe('<START>\nE');
    expect(entries[0]).toMatchObject({ enabled: false, entry: 'E' });
    expect([...codes('position.slot'), ...codes('enabled')]).toEqual([]);
  });
  it('an outlet is off, with its text kept', () => {
    const { entries, codes } = one({ position: { slot: 'outlet', outlet: 'shelf' } });
    expect(entries[0]).toMatchObject({ enabled: false, entry: 'Lamp note.' });
    expect([...codes('position.slot'), ...codes('enabled')]).toEqual(['approximated', 'approximated']);
  });
});

describe('weights and priorities', () => {
  const entry = (title: string, given: PartOfEntry, id: string) => entryOf({ title, ...given }, id);
  it('follow SillyTavern: bands, order, and of equal orders the later one first', () => {
    const { entries } = write([
      lorebookOf([
        entry('after 10', { order: 10, position: { slot: 'character' } }, 'w0'),
        entry('before 50', { order: 50 }, 'w1'),
        entry('before 20 first', { order: 20 }, 'w2'),
        entry('before 20 second', { order: 20 }, 'w3'),
        entry('examples 1', { order: 1, position: { slot: 'before_example' } }, 'w4'),
        entry('examples 9', { order: 9, position: { slot: 'before_example' } }, 'w5'),
        entry('deep 2', { position: { slot: 'depth', depth: 2 } }, 'w6'),
        entry('deep 8', { position: { slot: 'depth', depth: 8 } }, 'w7'),
        entry('note', { position: { slot: 'note_top' } }, 'w8'),
      ]),
    ]);
    expect(titles(inPrompt(entries))).toEqual([
      'before 20 second',
      'before 20 first',
      'before 50',
      'after 10',
      'examples 9',
      'examples 1',
      'deep 8',
      'note',
      'deep 2',
    ]);
    expect(new Set(entries.map(({ weight }) => weight)).size).toBe(entries.length);
  });
  it('the budget goes to high orders first, to those without a budget before all', () => {
    const { entries } = write([
      lorebookOf([
        entry('low', { order: 1 }, 'w0'),
        entry('free', { order: 0, ignoreBudget: true }, 'w1'),
        entry('high', { order: 9 }, 'w2'),
      ]),
      lorebookOf([entry('other', { order: 5 }, 'w0')], 'Tar Notes'),
    ]);
    const byPriority = [...entries].sort((a, b) => b.priority - a.priority);
    expect(titles(byPriority)).toEqual(['free', 'high', 'other', 'low']);
  });
});

describe('recursion', () => {
  const chain = lorebookOf([
    entryOf({ title: 'a', keys: literal('alpha'), content: 'It leads to beta.' }, 'w0'),
    entryOf({ title: 'b', keys: literal('beta'), content: 'It leads to gamma.' }, 'w1'),
    entryOf({ title: 'c', keys: literal('gamma'), content: 'The end.' }, 'w2'),
    entryOf({ title: 'd', keys: literal('beta'), recursion: { exclude: true } }, 'w3'),
  ]);
  const found = (entries: readonly MemoryEntry[]): readonly string[] =>
    titles(entries.filter((each) => findsEntry(each, ['Ann: alpha'])));
  it('is written out as keywords in the style exact', () => {
    const { entries, codes } = write([chain]);
    expect(found(entries)).toEqual(['a', 'b', 'c']);
    expect(codes('recursion')).toEqual(['approximated', 'approximated']);
    expect(found(write([chain], EXACT, { recursive: false }).entries)).toEqual(['a']);
  });
  it('is only told in the style natural, unless it is asked for', () => {
    const { entries, codes } = write([chain], NATURAL);
    expect(found(entries)).toEqual(['a']);
    expect(codes('recursion')).toEqual(['approximated', 'approximated']);
    expect(found(write([chain], { ...NATURAL, flattenRecursion: true }).entries)).toEqual(['a', 'b', 'c']);
    expect(found(write([chain], { ...EXACT, flattenRecursion: false }).entries)).toEqual(['a']);
  });
  it('what an entry that is always there names is always there', () => {
    const { entries, codes } = write([
      lorebookOf([
        entryOf({ title: 'always', constant: true, content: 'It leads to beta.' }, 'w0'),
        entryOf({ title: 'b', keys: literal('beta') }, 'w1'),
      ]),
    ]);
    expect(entries[1]).toMatchObject({ keywords: ['*'] });
    expect(codes('constant')).toEqual(['approximated']);
  });
});

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
