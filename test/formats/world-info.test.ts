// SillyTavern's world info file, both ways: every row of the table, the exact wire, and what it must not read.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import {
  entryToWorld,
  isWorldInfo,
  lorebookToWorldInfo,
  overlayWorldInfo,
  readWorldInfo,
  worldReadingOf,
} from '../../src/formats/sillytavern/world-info.ts';
import { WORLD_INFO_FIELDS, WORLD_INFO_TABLE } from '../../src/formats/sillytavern/world-table.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { FIELD_VALUES, fullEntry, valueAt, withValue } from '../support/entry-values.ts';
import {
  bookEntry,
  bookOf,
  readCase,
  throughJson,
  worldEntriesOf,
  worldEntry,
  worldOf,
} from '../support/fixtures.ts';
import { changedPaths, leafDifferences } from '../support/leaves.ts';
import { edited, withNewEntry } from '../support/sillytavern.ts';

/** The exact JSON of an entry of which every field is set. */
const FULL_WIRE: JsonObject = deepFreeze({
  uid: 3,
  key: ['lamp', '/l[ae]mp/i'],
  keysecondary: ['oil'],
  name: 'The Lamp',
  comment: 'Keep short.',
  content: 'Lamp note.',
  constant: true,
  vectorized: true,
  selective: true,
  selectiveLogic: 3,
  addMemo: true,
  order: 7,
  position: 4,
  disable: true,
  ignoreBudget: true,
  excludeRecursion: true,
  preventRecursion: true,
  matchPersonaDescription: true,
  matchCharacterDescription: true,
  matchCharacterPersonality: true,
  matchCharacterDepthPrompt: true,
  matchScenario: true,
  matchCreatorNotes: true,
  delayUntilRecursion: 2,
  probability: 35,
  useProbability: false,
  depth: 2,
  outletName: 'shelf',
  group: 'lights',
  groupOverride: true,
  groupWeight: 40,
  scanDepth: 6,
  caseSensitive: true,
  matchWholeWords: false,
  useGroupScoring: true,
  automationId: 'au1',
  role: 2,
  sticky: 3,
  cooldown: 2,
  delay: 1,
  triggers: ['normal', 'swipe'],
  displayIndex: 5,
  characterFilter: { isExclude: true, names: ['Odo Pell'], tags: ['t1'] },
  extensions: {},
});

const only = (world: Json): LorebookEntry => readWorldInfo(world, 'w').body.entries[0] as LorebookEntry;

describe('the exact wire', () => {
  it('of an entry of which every field is set', () => {
    expect(leafDifferences(FULL_WIRE, entryToWorld(fullEntry(), 3, 9))).toEqual([]);
  });
  it('is read back to the same entry', () => {
    const entry = only({ entries: { 3: FULL_WIRE } });
    expect(leafDifferences({ ...fullEntry(), id: 'w3', bag: entry.bag }, entry)).toEqual([]);
  });
  it('of an ordinary entry: what SillyTavern 1.19 itself wrote is written again, but for unset values', () => {
    const world = readCase('19-');
    const { body } = readWorldInfo(world, 'w');
    for (const [index, entry] of body.entries.entries()) {
      const raw = worldEntriesOf(world)[String(index)];
      // `delayUntilRecursion` false and 0 are the same; our own bag is empty where SillyTavern writes none.
      expect(leafDifferences(raw, entryToWorld(entry, index, index))).toEqual([
        'delayUntilRecursion: false -> 0',
        'extensions: absent -> {}',
      ]);
    }
  });
  it('a displayIndex is given from the place in the book only where the source has none', () => {
    const entry = withValue(fullEntry(), 'displayIndex', null);
    expect(entryToWorld(entry, 3, 9)['displayIndex']).toBe(9);
  });
});

describe('every row of the table', () => {
  it("has two values in the tests, and the same rows as a card's book", () => {
    const paths = WORLD_INFO_FIELDS.map(({ path }) => path).sort();
    expect(paths).toEqual(FIELD_VALUES.map(({ path }) => path).sort());
    expect(paths).toEqual(CHARACTER_BOOK_FIELDS.map(({ path }) => path).sort());
  });
  const blank = only(worldOf(worldEntry(0, { key: [], comment: '', content: '' })));
  it.each(FIELD_VALUES)(
    '$path: set alone, written without a twin, it is read back',
    ({ path, set, other }) => {
      for (const value of [set, other]) {
        const entry = withValue(blank, path, value);
        const back = only(throughJson({ entries: { 0: entryToWorld(entry, 0, 0) } }));
        expect(valueAt(back, path)).toEqual(value);
        const changed = WORLD_INFO_FIELDS.filter((row) => !row.same(back, entry)).map((row) => row.path);
        // A world file always gives the entry a place in the editor.
        expect(changed.filter((each) => each !== 'displayIndex')).toEqual([]);
      }
    },
  );
  it.each(FIELD_VALUES)('$path: edited on the file, only its own key changes', ({ path, other }) => {
    const row = WORLD_INFO_FIELDS.find((each) => each.path === path);
    const own = row?.wires.map(({ key }) => key) ?? [];
    const world = deepFreeze({
      entries: { 3: { ...FULL_WIRE, x_top: 1, extensions: { stale: { a: 1 } } } },
      x: 1,
    });
    const escrow = { raw: world as JsonObject };
    const { body } = worldReadingOf(escrow, 'w');
    const entries = [withValue(body.entries[0] as LorebookEntry, path, other)];
    const written = overlayWorldInfo({ ...body, entries }, escrow);
    const changed = changedPaths(world, written);
    expect(changed.length).toBeGreaterThan(0);
    expect(
      changed.filter(
        (at) => !own.some((key) => at === `entries.3.${key}` || at.startsWith(`entries.3.${key}.`)),
      ),
    ).toEqual([]);
    expect(valueAt(only(written), path)).toEqual(other);
  });
});

describe('an entry that says nothing', () => {
  it("has the defaults of SillyTavern's own template", () => {
    expect(only({ entries: { 0: {} } })).toEqual({
      id: 'w0',
      title: '',
      memo: '',
      content: '',
      enabled: true,
      constant: false,
      vectorized: false,
      keys: [],
      secondaryKeys: [],
      selective: true,
      logic: 'and_any',
      order: 100,
      displayIndex: null,
      position: { slot: 'world', depth: 4, role: 'system', outlet: '' },
      probability: { chance: 100, used: true },
      ignoreBudget: false,
      timing: { sticky: null, cooldown: null, delay: null },
      group: { name: '', override: false, weight: 100, scoring: null },
      recursion: { exclude: false, prevent: false, delayUntil: 0 },
      scan: { depth: null, caseSensitive: null, matchWholeWords: null },
      sources: {
        personaDescription: false,
        characterDescription: false,
        characterPersonality: false,
        characterDepthPrompt: false,
        scenario: false,
        creatorNotes: false,
      },
      triggers: [],
      characterFilter: null,
      automationId: '',
      bag: { dialect: 'sillytavern', entry: {}, extensions: {} },
    });
  });
});

describe('the top level is live, the bag is what an imported card left behind (decisions 1, wild files A4)', () => {
  const stale = {
    position: 4,
    depth: 9,
    role: 2,
    exclude_recursion: true,
    prevent_recursion: true,
    display_index: 44,
    group_weight: 5,
    probability: 3,
    selectiveLogic: 3,
    vendor: { keep: 1 },
  };
  it('a stale bag changes nothing that is read, and every leaf of it is carried', () => {
    const plain = only(worldOf(worldEntry(0, { position: 1 })));
    const { body, findings } = readWorldInfo(worldOf(worldEntry(0, { position: 1, extensions: stale })), 'w');
    const [entry] = body.entries;
    expect(entry).toEqual({ ...plain, bag: { ...plain.bag, extensions: stale } });
    expect(findings).toEqual([]);
  });
  it('it is not read even where the top level has nothing', () => {
    const entry = only({ entries: { 0: { uid: 0, key: ['a'], extensions: stale } } });
    expect(entry).toMatchObject({
      position: { slot: 'world', depth: 4, role: 'system' },
      order: 100,
      logic: 'and_any',
    });
  });
});

describe('two vocabularies side by side (Chub, wild files A5)', () => {
  const doubled = worldEntry(0, {
    key: ['lamp'],
    keys: ['lamp', 'stale'],
    keysecondary: ['oil'],
    secondary_keys: ['stale'],
    order: 7,
    insertion_order: 8,
    disable: true,
    enabled: true,
    selective: true,
  });
  it("SillyTavern's own names win", () => {
    const { findings } = readWorldInfo(worldOf({ ...doubled, position: 0 }), 'w');
    expect(findings).toEqual([]);
    const entry = only(worldOf(doubled));
    expect(entry.keys.map(writeKey)).toEqual(['lamp']);
    expect(entry.secondaryKeys.map(writeKey)).toEqual(['oil']);
    expect([entry.order, entry.enabled]).toEqual([7, false]);
  });
  it('an edit leaves the second vocabulary behind, as SillyTavern does', () => {
    const world = worldOf(doubled);
    const escrow = { raw: world };
    const { body } = worldReadingOf(escrow, 'w');
    const entries = [{ ...(body.entries[0] as LorebookEntry), keys: [], order: 1, enabled: true }];
    expect(changedPaths(world, overlayWorldInfo({ ...body, entries }, escrow))).toEqual([
      'entries.0.disable',
      'entries.0.key',
      'entries.0.key.0',
      'entries.0.order',
    ]);
  });
  it('the second vocabulary is read where it stands alone, and that is said', () => {
    const { body, findings } = readWorldInfo(
      {
        entries: {
          0: {
            keys: ['lamp'],
            secondary_keys: ['oil'],
            insertion_order: 8,
            enabled: false,
            content: 'x',
            position: 0,
          },
        },
      },
      'w',
    );
    const entry = body.entries[0] as LorebookEntry;
    expect([entry.keys.map(writeKey), entry.order, entry.enabled]).toEqual([['lamp'], 8, false]);
    const said = findings.filter(({ path }) => path === 'dialect');
    expect(said).toMatchObject([{ code: 'assumed', entryId: 'w0' }]);
    expect(said[0]?.message).toMatch(/card/);
    expect(said[0]?.message).not.toMatch(/inside a card/);
  });
});

describe('originalData is frozen at import and never read (wild files A7)', () => {
  it('it reaches no entry, no bag and no finding, and stays in the file', () => {
    const world = deepFreeze({
      ...worldOf(worldEntry(0)),
      originalData: { name: 'Old', entries: [{ content: 'Old.' }] },
    });
    const reading = worldReadingOf({ raw: world }, 'w');
    expect(reading.body.name).toBe('');
    expect(reading.body.bag.book).toEqual({});
    expect(reading.body.entries.map(({ content }) => content)).toEqual(['Lamp note.']);
    const escrow = { raw: world };
    const { body } = worldReadingOf(escrow, 'w');
    const entries = [{ ...(body.entries[0] as LorebookEntry), content: 'New.' }];
    expect(changedPaths(world, overlayWorldInfo({ ...body, entries }, escrow))).toEqual([
      'entries.0.content',
    ]);
  });
});

describe('uids', () => {
  it("entries are in the engine's order, ascending uid, not in displayIndex order (decisions 6)", () => {
    const world = deepFreeze({
      entries: {
        b: worldEntry(7, { content: 'seven', displayIndex: 0 }),
        a: worldEntry(2, { content: 'two', displayIndex: 1 }),
      },
    });
    const { body, uids } = readWorldInfo(world, 'w');
    expect(body.entries.map(({ content }) => content)).toEqual(['two', 'seven']);
    expect(body.entries.map(({ displayIndex }) => displayIndex)).toEqual([1, 0]);
    expect([...uids.values()]).toEqual([2, 7]);
  });
  const TABLE: readonly (readonly [string, JsonObject, readonly number[]])[] = [
    ['a uid written as text is the number of its key', { 3: { uid: '3' }, 10: { uid: '10' } }, [3, 10]],
    ['a missing uid is the number of its key', { 4: {}, 5: {} }, [4, 5]],
    ['a key that is no number gets the next free one', { x: {}, 0: { uid: 0 } }, [0, 1]],
    ['a repeated uid gets the next free one', { 0: { uid: 1 }, 1: { uid: 1 } }, [0, 1]],
    ['a negative or broken uid is the number of its key', { 0: { uid: -1 }, 1: { uid: 1.5 } }, [0, 1]],
  ];
  it.each(TABLE)('%s', (_, entries, uids) => {
    const reading = readWorldInfo({ entries }, 'w');
    expect([...reading.uids.values()]).toEqual(uids);
    expect(new Set(reading.body.entries.map(({ id }) => id)).size).toBe(uids.length);
  });
  it("a new entry takes the smallest free uid, as in SillyTavern's editor", () => {
    const world = worldOf(worldEntry(0), worldEntry(2, { content: 'Two.' }));
    const escrow = { raw: world };
    const { body } = worldReadingOf(escrow, 'w');
    const added = { ...fullEntry('new') };
    const written = overlayWorldInfo({ ...body, entries: [...body.entries, added] }, escrow);
    const entries = worldEntriesOf(written);
    expect(Object.keys(entries)).toEqual(['0', '1', '2']);
    expect(entries['1']).toMatchObject({ uid: 1, content: 'Lamp note.' });
    expect([entries['0'], entries['2']]).toEqual([worldEntriesOf(world)['0'], worldEntriesOf(world)['2']]);
    expect(withNewEntry(world, {}).uid).toBe(1);
  });
});

describe('the overlay on the file', () => {
  const world = deepFreeze({
    name: 'Quay',
    entries: { 0: worldEntry(0), 1: worldEntry(1, { content: 'Second.' }) },
    extensions: { note: 'book level', loreferry: { v: 1, fingerprint: 'x' } },
    folders: { a: 1 },
  });
  const escrow = { raw: world };
  const { body } = worldReadingOf(escrow, 'w');

  it('an unedited body is the file itself', () => {
    expect(overlayWorldInfo(body, escrow)).toBe(world);
    expect(overlayWorldInfo({ ...body, entries: body.entries.map((entry) => ({ ...entry })) }, escrow)).toBe(
      world,
    );
  });
  it("untouched entries are the file's own objects", () => {
    const entries = body.entries.map((entry, index) => (index === 0 ? { ...entry, content: 'New.' } : entry));
    const written = overlayWorldInfo({ ...body, entries }, escrow);
    expect(changedPaths(world, written)).toEqual(['entries.0.content']);
    expect(worldEntriesOf(written)['1']).toBe(world.entries[1]);
  });
  it('our own mark is no part of the body and survives an edit of the other extensions', () => {
    expect(body.extensions).toEqual({ note: 'book level' });
    const written = overlayWorldInfo({ ...body, extensions: { note: 'other' } }, escrow);
    expect(written['extensions']).toEqual({ note: 'other', loreferry: { v: 1, fingerprint: 'x' } });
  });
  it('a removed entry is gone, the others keep their uids', () => {
    const written = overlayWorldInfo({ ...body, entries: body.entries.slice(1) }, escrow);
    expect(worldEntriesOf(written)).toEqual({ 1: world.entries[1] });
  });
  it("an edit made in SillyTavern's editor is read", () => {
    const [entry] = readWorldInfo(
      edited(world, 0, { content: 'Edited.', position: 4, depth: 1, role: 1 }),
      'w',
    ).body.entries;
    expect(entry).toMatchObject({ content: 'Edited.', position: { slot: 'depth', depth: 1, role: 'user' } });
  });
});

describe('what is a world file', () => {
  it.each([
    [{ entries: {} }, true],
    [worldOf(worldEntry(0)), true],
    [{ entries: { x: {} } }, true],
    [readCase('47-'), true],
    [readCase('53-'), false],
    [bookOf(bookEntry()), false],
    [{ entries: { 0: 'x' } }, false],
    [{ spec: 'chara_card_v2', data: {} }, false],
    [{ entries: {}, data: {} }, false],
    [{}, false],
    [null, false],
    [[], false],
  ])('%#: %j', (json, expected) => {
    expect(isWorldInfo(json as Json)).toBe(expected);
  });
  it.each([null, 'x', 5, [], {}, { entries: [] }, { entries: null }])(
    'reading %j throws nothing and refuses',
    (raw) => {
      const { body, findings } = readWorldInfo(raw, 'w');
      expect(body.entries).toEqual([]);
      expect(findings).toMatchObject([{ code: 'refused', path: 'entries' }]);
    },
  );
});

describe('a body as a new file', () => {
  it('entries stand under the uids given, with the fields of the book', () => {
    const { body } = readWorldInfo(worldOf(worldEntry(0), worldEntry(1, { content: 'Second.' })), 'w');
    const written = lorebookToWorldInfo({ ...body, name: 'Quay', scanDepth: 3 }, [4, 9]);
    expect(Object.keys(worldEntriesOf(written))).toEqual(['4', '9']);
    expect(Object.values(worldEntriesOf(written)).map(({ uid }) => uid)).toEqual([4, 9]);
    expect(written).toMatchObject({ name: 'Quay', scan_depth: 3 });
  });
  it('no key of the table is ever in a bag', () => {
    const every = Object.fromEntries([...WORLD_INFO_TABLE.known.entry].map((key) => [key, 'x']));
    expect(only({ entries: { 0: every } }).bag.entry).toEqual({});
  });
});
