// Every field of a SillyTavern entry against the value that Agnai expects (agnai.md, section 5).

import { describe, expect, it } from 'vitest';
import { agnaiCharacter } from '../../src/formats/agnai/character.ts';
import { findsEntry, inPrompt, type MemoryEntry } from '../support/agnai-app.ts';
import { one, write } from '../support/agnai-wire.ts';
import { characterInForce, entryOf, lorebookOf, type PartOfEntry } from '../support/in-force.ts';
import { EXACT, NATURAL } from '../support/sent-books.ts';
import { literal } from '../support/wire-tables.ts';

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
