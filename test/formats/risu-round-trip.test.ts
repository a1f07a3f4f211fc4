// SillyTavern -> RisuAI -> SillyTavern: the entries come back as they were, also after RisuAI wrote the card anew; what
// was edited there stays edited. And nothing is lost in silence.

import { describe, expect, it, vi } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import { READ_RISU, shownRow, writeBooks } from '../../src/formats/risu/book-writing.ts';
import { risuCard } from '../../src/formats/risu/card.ts';
import { differencesOf } from '../../src/formats/risu/differences.ts';
import { isRisuLorebook, readRisuLorebook } from '../../src/formats/risu/lorebook-file.ts';
import { risuLorebooks } from '../../src/formats/risu/lorebook-writing.ts';
import { editTripsOf, WICK } from '../support/edit-trips.ts';
import { throughJson } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf } from '../support/in-force.ts';
import { type AppLore, rewrittenCard } from '../support/risu-app.ts';
import { type HandOver, roundTripsOf, type Way } from '../support/round-trips.ts';
import {
  entryView,
  entryViews,
  keep,
  lorebookOfWorld,
  quayWorld,
  resolvedOf,
  STYLES,
} from '../support/sent-books.ts';
import { toldLossesOf } from '../support/told-losses.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { seed: 20_260_704, numRuns: 150 };
const WORLD = quayWorld({
  3: { key: ['lamp', 'oil, lamp', '/l[ae]{1,3}mp\\/x/i'] },
  9: {
    keysecondary: ['oil', 'tar', 'rope'],
    selectiveLogic: 1,
    outletName: 'shelf, left',
    triggers: ['swipe', 'normal'],
    content: 'Pier note for <user>.',
  },
  12: { content: ' Blank.\n' },
  13: { key: ['gate'], keysecondary: ['rain'], selectiveLogic: 2, order: 50, disable: true },
});

const handOver: HandOver<JsonObject> = (resolved, options) => {
  const { card, findings } = risuCard(resolved, options);
  return { there: throughJson(card), findings };
};
const booksIn = (card: JsonObject) => readPieces(card).lorebooks;
const entriesBack = (card: JsonObject) => booksIn(card).flatMap(({ body }) => body.entries);
const rowsOf = (card: JsonObject) =>
  jsonAt(card, ['data', 'character_book', 'entries']) as readonly JsonObject[];
const WAYS: readonly Way<JsonObject>[] = [
  ['unedited', booksIn],
  ['after RisuAI wrote the card anew', (card) => booksIn(rewrittenCard(card))],
];

roundTripsOf({
  handOver,
  ways: WAYS,
  runs: RUNS,
  world: WORLD,
  several: { title: 'several books keep their boundaries, each in its folder', also: expectFolders },
});

function expectFolders(card: JsonObject): void {
  const rows = rowsOf(card);
  const folders = rows.filter(({ mode }) => mode === 'folder');
  expect(folders.map(({ name }) => name)).toEqual(['Quay Notes', 'Tar Notes', 'Nothing Yet']);
  const keys = folders.map((folder) => (folder['keys'] as readonly string[])[0]);
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^\uf000folder:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  const inSecond = rows.filter(({ folder }) => folder === keys[1]);
  expect(inSecond.map(({ content }) => String(content).split('\n').at(-1))).toEqual(['Tar.']);
}

describe.each(STYLES)('%s, there and back', (style) => {
  const sent = lorebookOfWorld(WORLD, 'Quay Notes');
  it("RisuAI's own lorebook file, as written and as the app writes it again", () => {
    const { lorebooks } = risuLorebooks(resolvedOf([sent]), keep(style));
    const json = throughJson(lorebooks[0]?.json as Json) as JsonObject;
    const again = { type: 'risu', ver: 1, data: json['data'] as Json };
    for (const file of [json, again]) {
      expect(isRisuLorebook(file)).toBe(true);
      expect(entryViews(readRisuLorebook(file, 'b', 'Quay Notes').lorebook)).toEqual(entryViews(sent));
    }
    expect(readRisuLorebook(json, 'b', 'x').lorebook.name).toBe('Quay Notes');
  });
});

const lines =
  (from: string | RegExp, to: string) =>
  (lore: AppLore): AppLore => ({
    ...lore,
    content: lore.content.replace(from, to),
  });

editTripsOf<JsonObject, AppLore>({
  handOver,
  ways: WAYS,
  editWays: [['', (card, edit) => booksIn(rewrittenCard(card, edit))]],
  titleOf: ({ comment }) => comment,
  original: {
    scan: { caseSensitive: null, depth: 5 },
    timing: { delay: 3, sticky: 2 },
    recursion: { prevent: true },
    ignoreBudget: true,
    secondaryKeys: ['oil', 'tar'].map((text) => ({ kind: 'literal' as const, text })),
    logic: 'and_all',
    group: { name: 'g', weight: 30 },
  },
  edits: [
    ['the text', lines('Lamp note.', 'New.'), ['content']],
    [
      'the place',
      lines(/@@depth 4\n@@reverse_depth 4/, '@@position after_desc'),
      ['position.slot', 'position.depth'],
    ],
    ['the chance', lines('@@probability 30', '@@probability 55'), ['probability.chance']],
    ['the switch', lines(/^/, '@@dont_activate\n'), ['enabled']],
    ['the title', (lore) => ({ ...lore, comment: 'New' }), ['title']],
    ['a key', (lore) => ({ ...lore, key: `${lore.key}, /[]|(?:new)|[]//i` }), ['keys']],
    ['always active', (lore) => ({ ...lore, alwaysActive: true }), ['constant']],
    ['the order', (lore) => ({ ...lore, insertorder: 7 }), ['order']],
    [
      'the depth',
      lines(/@@depth 4\n@@reverse_depth 4/, '@@reverse_depth 9'),
      ['position.slot', 'position.depth'],
    ],
    [
      'the role',
      lines(/@@reverse_depth 4/, '@@reverse_depth 4\n@@role user'),
      ['position.slot', 'position.depth', 'position.role'],
    ],
    [
      'an outlet',
      lines(/@@depth 4\n@@reverse_depth 4/, '@@position pt_shelf'),
      ['position.slot', 'position.depth', 'position.outlet'],
    ],
    ['the scan depth', lines('@@scan_depth 5', '@@scan_depth 9'), ['scan.depth']],
    ['the delay', lines('@@activate_only_after 3', '@@activate_only_after 6'), ['timing.delay']],
    ['a recursion line that is gone', lines('@@unrecursive\n', ''), ['recursion.prevent']],
    ['a recursion line that is new', lines(/^/, '@@no_recursive_search\n'), ['recursion.exclude']],
    ['a priority', lines('@@priority 1000000\n', ''), ['ignoreBudget']],
    ['a second key', lines('@@additional_keys', '@@additional_keys /[]|(?:rope)|[]//i,'), ['secondaryKeys']],
    [
      'the second keys that are gone',
      lines(/@@additional_keys.*\n/g, ''),
      ['logic', 'secondaryKeys', 'selective'],
    ],
    ['the logic', lines(/@@additional_keys/g, '@@exclude_keys'), ['logic']],
    ['keys that are no patterns any more', (lore) => ({ ...lore, key: 'lamp', useRegex: false }), []],
  ],
  made: {
    of: (other) => ({
      ...other,
      comment: 'New',
      content: '@@reverse_depth 6\nMade there.',
      key: 'fresh',
      extentions: {},
    }),
    position: { slot: 'depth', depth: 6 },
  },
});

describe('edits there win, field by field', () => {
  it('of the copies of a NOT ALL the first that is left speaks for the entry', () => {
    const text = (word: string) => ({ kind: 'literal', text: word }) as const;
    const notAll = entryOf({ logic: 'not_all', secondaryKeys: ['oil', 'tar', 'rope'].map(text) });
    const card = throughJson(risuCard(characterInForce([lorebookOf([notAll, WICK])]), keep('exact')).card);
    const there = rewrittenCard(card);
    const rows = rowsOf(there);
    expect(rows).toHaveLength(4);
    expect(entriesBack(there).map(entryView)).toEqual([notAll, WICK].map(entryView));
    const data = there['data'] as JsonObject;
    const book = { ...(data['character_book'] as JsonObject), entries: rows.slice(2) };
    expect(entriesBack({ ...there, data: { ...data, character_book: book } }).map(entryView)).toEqual(
      [notAll, WICK].map(entryView),
    );
  });
});

toldLossesOf({
  title: 'what reads back otherwise has a finding, what has one reads back otherwise',
  runs: RUNS,
  forms: (['card', 'lorebook'] as const).map((form) => (resolved, style) => {
    const side = { bookDepth: 2, isRecursive: true, includeNames: true };
    const sides = { meant: { ...side, ours: true }, read: { ...side, ours: false } };
    const write = form === 'card' ? risuCard : risuLorebooks;
    const [book] = writeBooks(resolved, form, keep(style)).books;
    return {
      findings: write(resolved, keep(style)).findings,
      shown: ({ source }, at) => {
        const row = book?.rows.find(({ stash }) => stash['at'] === at);
        if (row === undefined) throw new Error('no row');
        return shownRow(row.lore, source.id);
      },
      differences: (meant, shown) => differencesOf(meant, shown, sides),
    };
  }),
  // What was only not searched there shows in no field.
  mayBeIdle: ({ message, code, path }) =>
    /speaker|greeting|short chat|In a chat of fewer/.test(message) ||
    (code === 'repaired' && path !== 'content'),
});

describe('nothing is lost in silence', () => {
  it('is read as RisuAI’s', () => {
    expect(READ_RISU.translate).toBeDefined();
  });
});
