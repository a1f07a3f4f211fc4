// What is decided of entries together: recursion, inclusion groups, books and their order.

import { describe, expect, it } from 'vitest';
import type { ResolvedCharacter, ScanSettings } from '../../src/core/resolved.ts';
import type { ResolveInput } from '../../src/formats/sillytavern/resolve.ts';
import { engineOrder, textOrder } from '../../src/formats/sillytavern/resolve-order.ts';
import { bookOf, entryOf, type Given, resolve } from '../support/resolving.ts';

describe('entries that wait for a recursion', () => {
  const waiting: Given = { recursion: { delayUntil: 1 } };
  const starter: Given = { keys: ['bell'] };
  it.each<
    [string, readonly Given[], Partial<ScanSettings>, ResolvedCharacter['delayedPasses'], 'keys' | 'never']
  >([
    ['with a starter', [waiting, starter], {}, 'when-started', 'keys'],
    ['with one that always starts', [waiting, { constant: true }], {}, 'always', 'keys'],
    [
      'with one that may rest',
      [waiting, { constant: true, timing: { sticky: null, cooldown: 3, delay: null } }],
      {},
      'when-started',
      'keys',
    ],
    ['alone', [waiting], {}, 'never', 'never'],
    ['with a starter that is off', [waiting, { ...starter, enabled: false }], {}, 'never', 'never'],
    [
      'with one that starts nothing',
      [waiting, { ...starter, recursion: { prevent: true } }],
      {},
      'never',
      'never',
    ],
    ['without recursion', [waiting, starter], { recursive: false }, 'never', 'never'],
    ['with one step', [waiting, starter], { maxRecursionSteps: 1 }, 'never', 'never'],
    ['with two levels', [waiting, { recursion: { delayUntil: 2 } }], {}, 'always', 'keys'],
    [
      'with two levels without recursion',
      [waiting, { recursion: { delayUntil: 2 } }],
      { recursive: false },
      'always',
      'keys',
    ],
    [
      'with a level of an entry that is off',
      [waiting, { enabled: false, recursion: { delayUntil: 2 } }],
      {},
      'always',
      'keys',
    ],
    [
      'excluded from it',
      [{ recursion: { delayUntil: 1, exclude: true } }, starter],
      {},
      'when-started',
      'never',
    ],
  ])('%s', (_, given, settings, passes, fires) => {
    const resolved = resolve(
      given.map((each, index) => entryOf(each, `e${index}`)),
      settings,
    );
    expect(resolved.delayedPasses).toBe(passes);
    expect(resolved.books[0]?.entries[0]?.fires).toBe(fires);
  });

  it('leaves out levels behind the limit', () => {
    const levels = [1, 2, 3].map((delayUntil, index) => entryOf({ recursion: { delayUntil } }, `e${index}`));
    const fires = (maxRecursionSteps: number) =>
      resolve(levels, { maxRecursionSteps }).books[0]?.entries.map((each) => each.fires);
    expect(fires(0)).toEqual(['keys', 'keys', 'keys']);
    expect(fires(2)).toEqual(['keys', 'keys', 'never']);
    expect(fires(3)).toEqual(['keys', 'keys', 'keys']);
  });
});

describe('inclusion groups', () => {
  const sky = (group: Given['group'], rest: Given = {}): Given => ({
    ...rest,
    group: { name: 'sky', ...group },
  });
  const preferred = sky({ override: true }, { order: 200 });
  it.each<[string, Given, Given, 'keys' | 'never']>([
    ['loses against a preferred one', sky({}), preferred, 'never'],
    ['loses with a lower order', sky({ override: true }), preferred, 'never'],
    ['may win with a higher order', sky({ override: true }, { order: 300 }), preferred, 'keys'],
    ['may win with another key', sky({}, { keys: ['lamp', 'oil'] }), preferred, 'keys'],
    ['loses with fewer keys', sky({}), { ...preferred, keys: ['oil', 'lamp'] }, 'never'],
    [
      'may win when the other is rolled for',
      sky({}),
      { ...preferred, probability: { chance: 50, used: true } },
      'keys',
    ],
    ['may win when the other sees less', sky({}), { ...preferred, scan: { depth: 1 } }, 'keys'],
    ['may win in another group', sky({ name: 'sea' }), preferred, 'keys'],
    ['may win with several groups', sky({ name: 'sky, sea' }), preferred, 'keys'],
    ['is left to the scores', sky({ scoring: true }), preferred, 'keys'],
    ['loses without any weight', sky({ weight: 0 }), sky({}), 'never'],
    ['is rolled for otherwise', sky({}), sky({}), 'keys'],
    [
      'may win when the other must miss a word',
      sky({}),
      { ...preferred, secondaryKeys: ['oil'], logic: 'not_any' },
      'keys',
    ],
    ['loses against a constant one', sky({}, { keys: ['x'] }), { ...preferred, constant: true }, 'never'],
    ['may win in a recursion', sky({}), { ...preferred, recursion: { exclude: true } }, 'keys'],
    ['may win before a recursion', sky({}), { ...preferred, recursion: { delayUntil: 1 } }, 'keys'],
    ['may win beyond the budget', sky({}, { ignoreBudget: true }), preferred, 'keys'],
    ['wins as the first of two equals', sky({ override: true }, { order: 200 }), preferred, 'keys'],
    ['may start by vectors', sky({}, { vectorized: true }), preferred, 'keys'],
  ])('an entry %s', (_, given, other, fires) => {
    const resolved = resolve([entryOf(given), entryOf(other, 'e1')]);
    expect(resolved.books[0]?.entries[0]?.fires).toBe(fires);
  });

  it('are left to the chat while depths may grow', () => {
    const given = [entryOf(sky({})), entryOf({ ...preferred, scan: { depth: 2 } }, 'e1')];
    const fires = (minActivations: number) => resolve(given, { minActivations }).books[0]?.entries[0]?.fires;
    expect([fires(0), fires(2)]).toEqual(['never', 'keys']);
  });

  it('are decided once: who always wins does not lose', () => {
    const given = [entryOf({ ...preferred, order: 300 }), entryOf(preferred, 'e1'), entryOf(sky({}), 'e2')];
    expect(resolve(given).books[0]?.entries.map((each) => each.fires)).toEqual(['keys', 'never', 'never']);
  });
});

describe('books', () => {
  const book = bookOf([entryOf({})], 'b1');
  it.each<[readonly ResolveInput['books'][number]['origin'][], string]>([
    [['primary', 'global'], 'global'],
    [['chat', 'persona', 'global'], 'global'],
    [['additional', 'persona', 'chat'], 'chat'],
    [['primary', 'persona'], 'persona'],
    [['additional', 'primary'], 'primary'],
  ])('one linked as %j counts once, as %s', (origins, expected) => {
    const books = origins.map((origin) => ({ lorebook: book, origin }));
    expect(resolve([], {}, { books }).books.map(({ origin }) => origin)).toEqual([expected]);
  });

  it.each<[number, string]>([
    [0, 'c1 p1 g2 m2 a3 g1 m1'],
    [1, 'c1 p1 m2 a3 m1 g2 g1'],
    [2, 'c1 p1 g2 g1 m2 a3 m1'],
  ])('are gone through by strategy %i', (characterStrategy, expected) => {
    const orders: Readonly<Record<string, number>> = { c1: 1, p1: 1, g1: 5, g2: 50, m1: 5, m2: 50, a3: 20 };
    const of = (origin: ResolveInput['books'][number]['origin'], ...ids: readonly string[]) => ({
      origin,
      lorebook: bookOf(
        ids.map((id) => entryOf({ order: orders[id] ?? 0 }, id)),
        origin,
      ),
    });
    const books = [
      of('primary', 'm1', 'm2'),
      of('additional', 'a3'),
      of('global', 'g1', 'g2'),
      of('persona', 'p1'),
      of('chat', 'c1'),
    ];
    const resolved = resolve([], {}, { books });
    const ordered = engineOrder(resolved.books, { characterStrategy });
    expect(ordered.map((each) => each.resolved.source.id).join(' ')).toBe(expected);
  });

  it('stand in the text with lower order first, and later ones first among equals', () => {
    const entries = [entryOf({ order: 5 }, 'a'), entryOf({ order: 9 }, 'b'), entryOf({ order: 5 }, 'c')];
    const resolved = resolve(entries);
    const text = textOrder(engineOrder(resolved.books, resolved.settings));
    expect(text.map((each) => each.resolved.source.id)).toEqual(['c', 'a', 'b']);
  });
});
