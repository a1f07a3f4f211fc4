// What Lumiverse's engine makes of an entry's values, and what they are in SillyTavern: its world book, a card, and what
// it calls a book of SillyTavern's.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { splitMergedBook } from '../../src/formats/_shared/lumiverse/merged-book.ts';
import { readLumiverseWorldBook } from '../../src/formats/lumiverse/native-book.ts';
import { readLumiverseSillyTavern } from '../../src/formats/lumiverse/sillytavern-book.ts';

// Values by the names of its own world book; elsewhere some stand deeper, or have another name.
const TOP = [
  'position',
  'depth',
  'role',
  'constant',
  'selective',
  'match_whole_words',
  'case_sensitive',
  'content',
  'comment',
];
const FORMS = {
  native: (entry: JsonObject) =>
    readLumiverseWorldBook({ type: 'lumiverse_world_book', version: 1, entries: [entry] }, 'b', 'x'),
  card: ({ key, keysecondary, group_name: group, ...rest }: JsonObject) => {
    const entries = Object.entries(rest);
    const top = Object.fromEntries(entries.filter(([name]) => TOP.includes(name)));
    const extensions = Object.fromEntries(entries.filter(([name]) => !TOP.includes(name)));
    const named = group === undefined || group === '' ? {} : { group };
    const own = { keys: key, secondary_keys: keysecondary, enabled: true, insertion_order: 100 };
    return readCharacterBook({ entries: [{ ...top, ...own, ...named, extensions }] }, 'b');
  },
  sillytavern: ({ key, keysecondary, group_name: group, selective_logic: logic, ...rest }: JsonObject) => {
    const own = { uid: 'u', keys: key, secondary_keys: keysecondary, group, selectiveLogic: logic };
    const order = { insertion_order: rest['order_value'] };
    return readLumiverseSillyTavern({ name: 'B', entries: { 0: { ...rest, ...own, ...order } } }, 'b', 'x');
  },
} as const;

type Said = readonly (readonly [code: string, path: string, before: Json, after: Json])[];
const USUAL = {
  ...{ key: ['lamp'], keysecondary: [], content: 'x', comment: 'A', position: 0, selective_logic: 0 },
  ...{ case_sensitive: false, match_whole_words: false, order_value: 100 },
};

function read(form: keyof typeof FORMS, given: JsonObject) {
  const { body, findings } = FORMS[form]({ ...USUAL, scan_depth: 2, ...given });
  // That SillyTavern itself would put a number's entry elsewhere is said of every one in a card.
  const ofEntry = findings.filter(({ entryId, path }) => entryId !== null && path !== 'position.slot');
  const said: Said = ofEntry.map(({ code, path, before, after }) => [code, path, before, after]);
  return { entry: body.entries[0] as LorebookEntry, said, findings };
}

describe.each(Object.keys(FORMS) as (keyof typeof FORMS)[])('%s', (form) => {
  it('counts below 0 are none', () => {
    const { entry } = read(form, { sticky: -2, cooldown: -1, delay: -3 });
    expect(entry.timing).toEqual({ sticky: null, cooldown: null, delay: null });
  });
  it('a cooldown that never starts there keeps its number, and is named', () => {
    const { entry, said } = read(form, { cooldown: 3 });
    expect(entry.timing.cooldown).toBe(3);
    expect(said).toEqual([['approximated', 'timing.cooldown', 'never starts', 3]]);
    expect(read(form, { cooldown: 3, sticky: 1 }).said.map(([code]) => code)).toEqual([
      'repaired',
      'repaired',
    ]);
  });
  it('that what is constant waits for nothing there is named', () => {
    const timed = { constant: true, sticky: 1, delay: 3, delay_until_recursion: true };
    const { entry, said } = read(form, timed);
    expect([entry.timing, entry.recursion.delayUntil]).toEqual([{ sticky: 1, cooldown: null, delay: 3 }, 1]);
    expect(said).toEqual([
      ['approximated', 'timing.sticky', 'not used', 1],
      ['approximated', 'timing.delay', 'not used', 3],
      ['approximated', 'recursion.delayUntil', 'not used', 1],
    ]);
  });
  it('a group whose name SillyTavern parts keeps its name, and a weight of 0 is 1', () => {
    const { entry, said } = read(form, { group_name: 'g, h', group_weight: 0 });
    expect(entry.group).toMatchObject({ name: 'g, h', weight: 1 });
    expect(said.map(([code, path]) => [code, path])).toEqual([
      ['repaired', 'group.weight'],
      ['approximated', 'group.name'],
    ]);
  });
  it('a logic that it does not know asks for no secondary keys', () => {
    const given = { keysecondary: ['wick'], selective: true, selective_logic: 7 };
    const { entry, said } = read(form, given);
    expect(entry.selective).toBe(false);
    expect(said).toContainEqual(['repaired', 'selective', true, false]);
    expect(read(form, { ...given, selective_logic: 3 }).entry).toMatchObject({
      selective: true,
      logic: 'not_all',
    });
  });
  it('an outlet beside another place is named', () => {
    const { said } = read(form, { outlet_name: 'shop', position: 1 });
    expect(said).toEqual([['approximated', 'position.outlet', 'shop', null]]);
    expect(read(form, { outlet_name: 'shop', position: 8 }).said).toEqual([]);
  });
  it('that no entry starts a vectorized one is named', () => {
    expect(read(form, { vectorized: true }).said.map(([code, path]) => [code, path])).toEqual([
      ['approximated', 'vectorized'],
    ]);
  });
  it('lines that SillyTavern would take for its own instructions are named', () => {
    const { said } = read(form, { content: '@@activate\nA lamp.' });
    expect(said).toEqual([['approximated', 'content', ['@@activate'], null]]);
  });
  it.each<[string, JsonObject, string | null]>([
    ['words of several', { key: ['old lamp'], match_whole_words: true }, 'scan.matchWholeWords'],
    ['words with an edge', { key: ['C++'], match_whole_words: true }, 'scan.matchWholeWords'],
    ['a plain word', { key: ["d'or"], match_whole_words: true }, null],
    ['padded', { key: ['cat '] }, 'keys'],
    ['a padded pattern', { key: ['cat '], use_regex: true }, null],
  ])('%s: said once of the book', (_, given, path) => {
    const { findings } = read(form, given);
    const ofBook = findings.filter(({ entryId }) => entryId === null);
    expect(ofBook.map(({ code, path: place }) => [code, place])).toEqual(
      path === null ? [] : [['approximated', path]],
    );
  });
});

it('in a card what SillyTavern left of a role and a group is nobody’s where the entry has none', () => {
  const left = {
    keys: ['lamp'],
    content: 'x',
    position: 4,
    extensions: { selective_logic: 0, role: 1, group: 'old' },
  };
  const { body, findings } = readCharacterBook({ entries: [left] }, 'b');
  expect([body.entries[0]?.position.role, body.entries[0]?.group.name]).toEqual(['system', '']);
  expect(findings.filter(({ code }) => code === 'conflict').map(({ path }) => path)).toEqual([
    'position.role',
    'group.name',
  ]);
});

it('of an entry that came from any SillyTavern it says that edits cannot be told', () => {
  const { findings } = read('sillytavern', { display_index: 0 });
  expect(findings).toMatchObject([{ code: 'assumed', path: 'entries', entryId: null, before: 1 }]);
});

it.each(['native', 'card'] as const)('%s: nothing is inherited', (form) => {
  const { case_sensitive: _case, match_whole_words: _words, ...bare } = USUAL;
  const { body } = FORMS[form](bare);
  expect(body.entries[0]?.scan).toMatchObject({ caseSensitive: false, matchWholeWords: false });
});

it('an entry without an order has its place in the file', () => {
  const { order_value: _order, ...bare } = USUAL;
  const { body, findings } = readLumiverseWorldBook({ entries: [USUAL, bare] }, 'b', 'x');
  expect(body.entries.map(({ order }) => order)).toEqual([100, 1]);
  expect(findings.filter(({ path }) => path === 'order').map(({ code }) => code)).toEqual(['assumed']);
});

describe('a merged book comes apart', () => {
  const merged = (names: readonly string[], titles: readonly (readonly [string, number])[]): JsonObject => ({
    name: `Merged Lorebook (${names.length} books)`,
    description: `Merged from: ${names.join(', ')}`,
    entries: titles.map(([comment, order]) => ({ comment, insertion_order: order })),
  });
  const apart = (book: JsonObject) =>
    splitMergedBook(book)?.map(({ name, entries }) => [
      name,
      (entries as readonly JsonObject[]).map(({ comment }) => comment),
    ]);
  it('where a name holds what stands between them', () => {
    const titles = [
      ['[A, B] Pier', 1],
      ['[C] Lamp', 0],
    ] as const;
    expect(apart(merged(['A, B', 'C'], titles))).toEqual([
      ['A, B', ['Pier']],
      ['C', ['Lamp']],
    ]);
  });
  it('where two have the same name, and their orders tell', () => {
    const titles = [
      ['[A] Pier', 5],
      ['[A] Quay', 9],
      ['[A] Lamp', 0],
    ] as const;
    expect(apart(merged(['A', 'A'], titles))).toEqual([
      ['A', ['Pier', 'Quay']],
      ['A', ['Lamp']],
    ]);
  });
  it('not where the titles are others', () => {
    expect(apart(merged(['A', 'B'], [['Pier', 1]]))).toBeUndefined();
  });
});
