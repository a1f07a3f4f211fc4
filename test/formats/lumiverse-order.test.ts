// The order of entries in Lumiverse: orders and priorities that make it the same as in SillyTavern, and what is said of
// entries that others stand in the way of.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { withoutKey } from '../../src/core/json.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import type { LumiverseOptions } from '../../src/formats/lumiverse/book-writing.ts';
import { goldenOf, keyKinds, LOGICS, ORDERS, PLACES } from '../support/golden-files.ts';
import type { PartOfEntry } from '../support/in-force.ts';
import { writtenEntries } from '../support/lumiverse-wire.ts';
import { EXACT, NATURAL } from '../support/sent-books.ts';
import { keysOf, literal } from '../support/wire-tables.ts';

describe('among other entries', () => {
  const order = (given: readonly PartOfEntry[], settings: Partial<ScanSettings> = {}) => {
    const titled = given.map((each, at) => ({ title: `E${at}`, content: `Text ${at}.`, ...each }));
    const { native } = writtenEntries(titled, NATURAL, settings);
    return native.map(({ comment, order_value, priority }) => [comment, order_value, priority]);
  };
  it('of equal orders the later one stands first, as in SillyTavern, and no order changes', () => {
    expect(order([{}, {}, {}])).toEqual([
      ['E2', 100, 10],
      ['E1', 100, 10],
      ['E0', 100, 10],
    ]);
  });
  it('a constant entry comes first there among its equals, so where it must not, its order is raised', () => {
    expect(order([{ constant: true }, {}])).toEqual([
      ['E1', 100, 10],
      ['E0', 101, 10],
    ]);
    expect(order([{}, { constant: true }])).toEqual([
      ['E1', 100, 10],
      ['E0', 100, 10],
    ]);
  });
  it('outlets and entries before the examples have their orders turned round', () => {
    for (const position of [{ slot: 'outlet', outlet: 'o' }, { slot: 'before_example' }] as const) {
      const found = order([
        { order: 40, position },
        { order: 100, position },
        { order: 50, position },
      ]);
      expect(found).toEqual(
        expect.arrayContaining([
          ['E0', 100, 10],
          ['E1', 40, 10],
          ['E2', 90, 10],
        ]),
      );
    }
  });
  it('the deeper an entry stands in the chat, the higher its priority: each is put where it should be', () => {
    const at = (depth: number) => ({ position: { slot: 'depth', depth } as const });
    expect(order([at(0), at(4), at(1), {}])).toEqual(
      expect.arrayContaining([
        ['E0', 100, 10],
        ['E1', 100, 12],
        ['E2', 100, 11],
        ['E3', 100, 10],
      ]),
    );
    expect(order([at(4), at(4)]).map(([, , priority]) => priority)).toEqual([10, 10]);
  });
  it('of preferred entries of a group the one that wins here has the highest priority', () => {
    const group = { name: 'sky', override: true };
    const found = order([
      { order: 100, group },
      { order: 200, group },
      { order: 50, group: { ...group, override: false } },
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['E0', 100, 11],
        ['E1', 200, 12],
        ['E2', 50, 10],
      ]),
    );
  });
  it('says of entries that are nearly the same, stand behind others, or carry a speaker’s name', () => {
    const long = 'A long text about the lamp, the quay, the tar and the rope of the old pier, once more';
    const entries = [
      { content: `${long}.` },
      { content: `${long}!` },
      { content: 'Of a group.', order: 5, group: { name: 'g' } },
      { content: 'Named.', keys: literal('Mara') },
    ];
    const { findings } = writtenEntries(entries, EXACT);
    const said = findings.filter(({ code, entryId }) => code === 'approximated' && entryId !== null);
    expect(said.map(({ entryId, path }) => `${entryId} ${path}`).sort()).toEqual([
      'w0 content',
      'w1 content',
      'w2 order',
      'w3 keys',
    ]);
  });
});

/** The entries as they are written, but for what is kept beside them. */
function rowsOf(given: readonly PartOfEntry[], options: LumiverseOptions) {
  const bare = (entry: JsonObject): JsonObject => ({
    ...entry,
    extensions: withoutKey(entry['extensions'] as JsonObject, 'loreferry'),
  });
  const { card, native } = writtenEntries(given, options);
  return { card: card.map(bare), native: native.map(bare) };
}

goldenOf('lumiverse', 'golden: places, logics, keys and order', {
  places: rowsOf(PLACES, NATURAL),
  logics: rowsOf(
    LOGICS.map((logic) => ({
      title: logic,
      logic,
      content: `${logic}.`,
      secondaryKeys: keysOf('oil', 'tar'),
    })),
    EXACT,
  ),
  keys: keyKinds(
    { words: { keys: keysOf('lamp', 'wick') }, 'several words': { keys: keysOf('lamp', 'oil lamp') } },
    (given, style) => {
      const [row] = rowsOf([given], { ...EXACT, style }).native;
      const { key, keysecondary, use_regex, case_sensitive, match_whole_words } = row as JsonObject;
      return { key, keysecondary, use_regex, case_sensitive, match_whole_words };
    },
  ),
  order: rowsOf(ORDERS, EXACT).native.map(({ content, order_value, priority }) => [
    content,
    order_value,
    priority,
  ]),
});
