// What Marinara's engine makes of an entry's values, and what they are in SillyTavern: its lorebook file, a card, its
// file in the look of a world file.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { readMarinaraCompatible } from '../../src/formats/marinara/compatible-lorebook.ts';
import { readMarinaraLorebook } from '../../src/formats/marinara/native-lorebook.ts';

const USUAL = { name: 'A', content: 'x', enabled: true };
const FORMS = {
  native: (entry: JsonObject) => {
    const data = {
      lorebook: { name: 'B' },
      entries: [{ ...USUAL, keys: ['lamp'], position: 0, ...entry }],
    };
    return readMarinaraLorebook({ type: 'marinara_lorebook', version: 1, data }, 'b', 'x');
  },
  card: (entry: JsonObject) => {
    const own = { keys: ['lamp'], selectiveLogic: 'and', preventRecursion: true, groupWeight: null };
    const place = { position: 'before_char', insertion_order: 100, extensions: {} };
    const entries = [{ ...USUAL, ...own, ...place, ...entry }];
    return readCharacterBook({ entries }, 'b');
  },
  compatible: (entry: JsonObject) => {
    const own = { uid: 0, comment: 'A', content: 'x', key: ['lamp'], position: 0 };
    const entries = { 0: { ...own, ...entry } };
    return readMarinaraCompatible({ name: 'B', extensions: { marinara: {} }, entries }, 'b', 'x');
  },
} as const;

type Said = readonly (readonly [code: string, path: string, before: Json, after: Json])[];

function read(form: keyof typeof FORMS, given: JsonObject) {
  const { body, findings } = FORMS[form](given);
  const ofEntry = findings.filter(({ entryId }) => entryId !== null);
  const said: Said = ofEntry.map(({ code, path, before, after }) => [code, path, before, after]);
  return { entry: body.entries[0] as LorebookEntry, said, findings };
}

describe.each(Object.keys(FORMS) as (keyof typeof FORMS)[])('%s', (form) => {
  it('inherits no switch', () => {
    expect(read(form, {}).entry.scan).toMatchObject({ caseSensitive: false, matchWholeWords: false });
  });
  it.each([
    [-1, 10],
    [0, 1000],
    [3, 3],
    [null, null],
  ])('a scan depth of %j is %j messages', (scanDepth, depth) => {
    expect(read(form, { scanDepth }).entry.scan.depth).toBe(depth);
  });
  it('counts below 0 are none, and said', () => {
    const { entry, said } = read(form, { sticky: -2, cooldown: -1, delay: 3 });
    expect(entry.timing).toEqual({ sticky: null, cooldown: null, delay: 3 });
    expect(said).toContainEqual(['repaired', 'timing.sticky', -2, null]);
  });
  it('a group whose name SillyTavern parts keeps its name, and is named', () => {
    const { entry, said } = read(form, { group: 'g, h' });
    expect(entry.group.name).toBe('g, h');
    expect(said).toEqual([['approximated', 'group.name', ['g, h'], ['g', 'h']]]);
    expect(read(form, { group: 'g' }).said).toEqual([]);
  });
  it('a weight below 0 is 0', () => {
    expect(read(form, { group: 'g', groupWeight: -5 }).entry.group.weight).toBe(0);
  });
  it('how often an entry may fire is kept aside and named', () => {
    expect(read(form, { ephemeral: 2 }).said).toEqual([['stashed', 'ephemeral', 2, null]]);
    expect(read(form, { ephemeral: 0 }).said).toEqual([]);
  });
  it('that a delayed pass searches the chat too is said of what waits for one', () => {
    expect(read(form, { delayUntilRecursion: true }).said).toMatchObject([
      ['approximated', 'recursion.delayUntil', true, 1],
    ]);
    expect(read(form, { delayUntilRecursion: true, constant: true }).said).toEqual([]);
  });
  it('lines that SillyTavern would take for its own instructions are named', () => {
    const { said } = read(form, { content: '@@activate\nA lamp.' });
    expect(said).toEqual([['approximated', 'content', ['@@activate'], null]]);
  });
  it('whole words that are others here are said once of the book', () => {
    const lists = { keys: ['old lamp'], key: ['old lamp'] };
    const { findings } = read(form, { ...lists, matchWholeWords: true });
    const words = findings.filter(({ path }) => path === 'scan.matchWholeWords');
    expect(words.map(({ code, entryId }) => [code, entryId])).toEqual([['approximated', null]]);
    const { findings: none } = read(form, { matchWholeWords: true });
    expect(none.filter(({ path }) => path === 'scan.matchWholeWords')).toEqual([]);
  });
  it('carries along what means something, and no more', () => {
    const idle = { tag: '', locked: false, description: '', ephemeral: null };
    expect(read(form, idle).entry.bag.entry).toEqual({});
    const used = { tag: 'place', locked: true };
    expect(read(form, { ...idle, ...used }).entry.bag.entry).toEqual(used);
  });
});

it('a book that says nothing is read as its importer reads it', () => {
  const { body } = FORMS.native({});
  expect(body).toMatchObject({ scanDepth: 2, tokenBudget: 2048, recursiveScanning: false });
});

it('a filter that is switched off is none', () => {
  const filter = { characterFilterIds: ['c1'], characterTagFilters: ['sea'] };
  expect(read('native', { ...filter, characterFilterMode: 'any' }).said).toEqual([]);
  const modes = { characterFilterMode: 'include', characterTagFilterMode: 'exclude' };
  expect(read('native', { ...filter, ...modes }).said.map(([code, path]) => [code, path])).toEqual([
    ['stashed', 'characterFilterIds'],
    ['stashed', 'characterTagFilters'],
  ]);
});

it('what its data base knows of an entry is not carried along', () => {
  const row = { id: 'e1', lorebookId: 'l1', embedding: [0.5, 0.25], createdAt: 'then', updatedAt: 'now' };
  expect(read('native', { ...row, relationships: {}, folderId: null }).entry.bag.entry).toEqual({});
});

const ALL = ['normal', 'continue', 'impersonate', 'swipe', 'regenerate', 'quiet'];
it.each<[string, readonly string[], readonly string[], boolean]>([
  ['any', ['chat'], [], true],
  ['include', ['chat', 'swipe'], ['normal', 'swipe'], true],
  ['include', ['roleplay'], [], true],
  ['include', ['chat', 'Roleplay '], [], true],
  ['include', ['game'], [], false],
  ['include', ['game', 'chat'], ['normal'], true],
  ['exclude', ['chat'], ALL.filter((name) => name !== 'normal'), true],
  ['exclude', ['game'], [], true],
  ['exclude', ['roleplay', 'chat'], [], false],
])('%s %j starts at %j', (mode, filters, triggers, enabled) => {
  const given = { generationTriggerFilterMode: mode, generationTriggerFilters: filters };
  const { entry, said } = read('native', given);
  expect([entry.triggers, entry.enabled]).toEqual([triggers, enabled]);
  expect(said.filter(([, path]) => path === 'enabled')).toEqual(
    enabled ? [] : [['approximated', 'enabled', true, false]],
  );
});
