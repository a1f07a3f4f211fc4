// The embedded character_book, both ways: every row of the table, the exact wire, and the overlay on the raw twin.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { literalKey } from '../../src/core/key.ts';
import type { LorebookBody, LorebookEntry } from '../../src/core/lorebook.ts';
import {
  CHARACTER_BOOK_TABLE,
  characterBookToLorebook,
  entryToBook,
  entryToCanonical,
  lorebookToCharacterBook,
  readingOf,
} from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK, CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { FIELD_VALUES, fullEntry, valueAt, withValue } from '../support/entry-values.ts';
import { bookEntry, bookOf, throughJson } from '../support/fixtures.ts';
import { changedPaths, leafDifferences } from '../support/leaves.ts';

/** The exact JSON of an entry of which every field is set. */
const FULL_WIRE: JsonObject = deepFreeze({
  id: 0,
  keys: ['lamp', '/l[ae]mp/i'],
  secondary_keys: ['oil'],
  use_regex: false,
  name: 'The Lamp',
  comment: 'Keep short.',
  content: 'Lamp note.',
  constant: true,
  selective: true,
  insertion_order: 7,
  enabled: false,
  position: 'after_char',
  extensions: {
    position: 4,
    depth: 2,
    role: 2,
    outlet_name: 'shelf',
    display_index: 5,
    probability: 35,
    useProbability: false,
    selectiveLogic: 3,
    exclude_recursion: true,
    prevent_recursion: true,
    delay_until_recursion: 2,
    group: 'lights',
    group_override: true,
    group_weight: 40,
    use_group_scoring: true,
    scan_depth: 6,
    case_sensitive: true,
    match_whole_words: false,
    automation_id: 'au1',
    vectorized: true,
    sticky: 3,
    cooldown: 2,
    delay: 1,
    match_persona_description: true,
    match_character_description: true,
    match_character_personality: true,
    match_character_depth_prompt: true,
    match_scenario: true,
    match_creator_notes: true,
    triggers: ['normal', 'swipe'],
    ignore_budget: true,
    character_filter: { isExclude: true, names: ['Odo Pell'], tags: ['t1'] },
  },
});

/** The exact JSON of an entry of which nothing is set. */
const BLANK_WIRE: JsonObject = deepFreeze({
  id: 0,
  keys: [],
  secondary_keys: [],
  use_regex: false,
  comment: '',
  content: '',
  constant: false,
  selective: true,
  insertion_order: 100,
  enabled: true,
  position: 'before_char',
  extensions: {
    position: 0,
    depth: 4,
    role: 0,
    outlet_name: '',
    probability: 100,
    useProbability: true,
    selectiveLogic: 0,
    exclude_recursion: false,
    prevent_recursion: false,
    delay_until_recursion: 0,
    group: '',
    group_override: false,
    group_weight: 100,
    use_group_scoring: null,
    scan_depth: null,
    case_sensitive: null,
    match_whole_words: null,
    automation_id: '',
    vectorized: false,
    sticky: null,
    cooldown: null,
    delay: null,
    match_persona_description: false,
    match_character_description: false,
    match_character_personality: false,
    match_character_depth_prompt: false,
    match_scenario: false,
    match_creator_notes: false,
    triggers: [],
    ignore_budget: false,
  },
});

const write = (entry: LorebookEntry): JsonObject => entryToBook(entry, null, () => 0) as JsonObject;
const blank = entryToCanonical(BLANK_WIRE);
const emptyBody = characterBookToLorebook({ entries: [] });

describe('the exact wire', () => {
  it('of an entry of which every field is set', () => {
    expect(leafDifferences(FULL_WIRE, write(fullEntry()))).toEqual([]);
  });
  it('of an entry of which nothing is set: every field that SillyTavern writes is there', () => {
    expect(leafDifferences(BLANK_WIRE, write(blank))).toEqual([]);
  });
  it('is read back to the same entry', () => {
    expect(leafDifferences(fullEntry(), { ...entryToCanonical(FULL_WIRE), bag: fullEntry().bag })).toEqual(
      [],
    );
  });
});

describe('every row of the table', () => {
  it('has two values in the tests, and no row is missing', () => {
    expect(FIELD_VALUES.map(({ path }) => path).sort()).toEqual(
      CHARACTER_BOOK_FIELDS.map(({ path }) => path).sort(),
    );
  });
  it.each(FIELD_VALUES)(
    '$path: set alone, written without a twin, it is read back',
    ({ path, set, other }) => {
      for (const value of [set, other]) {
        const entry = withValue(blank, path, value);
        const back = entryToCanonical(throughJson(write(entry)));
        expect(valueAt(back, path)).toEqual(value);
        const changed = CHARACTER_BOOK_FIELDS.filter((row) => !row.same(back, entry)).map((row) => row.path);
        expect(changed).toEqual([]);
      }
    },
  );
  it.each(FIELD_VALUES)('$path: edited on a twin, only its own wires change', ({ path, other }) => {
    const row = CHARACTER_BOOK_FIELDS.find((each) => each.path === path);
    const wires = row?.wires.map(({ at, key }) => (at === 'extensions' ? `extensions.${key}` : key)) ?? [];
    // The title's row holds the memo too, and writes only what it must.
    const raw = deepFreeze({
      ...FULL_WIRE,
      x_top: 'keep',
      extensions: { ...(FULL_WIRE['extensions'] as object), vendor: { deep: [1] } },
    });
    const read = entryToCanonical(raw);
    const entry = withValue(read, path, other);
    const written = entryToBook(entry, { raw, read }, () => 0);
    const changed = changedPaths(raw, written);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.filter((at) => !wires.some((wire) => at === wire || at.startsWith(`${wire}.`)))).toEqual(
      [],
    );
    const back = entryToCanonical(written);
    expect(valueAt(back, path)).toEqual(other);
    expect(CHARACTER_BOOK_FIELDS.filter((each) => !each.same(back, entry)).map((each) => each.path)).toEqual(
      [],
    );
  });
  it.each(FIELD_VALUES)('$path: edited on a twin that lacks it, nothing else is added', ({ path, other }) => {
    const row = CHARACTER_BOOK_FIELDS.find((each) => each.path === path);
    const wires = row?.wires.map(({ at, key }) => (at === 'extensions' ? `extensions.${key}` : key)) ?? [];
    const raw = deepFreeze({ keys: ['lamp'], content: 'x', enabled: false, constant: true, selective: true });
    const read = entryToCanonical(raw);
    const entry = withValue(read, path, other);
    const written = entryToBook(entry, { raw, read }, () => 0);
    expect(
      changedPaths(raw, written).filter(
        (at) => !wires.some((wire) => at === wire || at.startsWith(`${wire}.`)),
      ),
    ).toEqual([]);
    expect(valueAt(entryToCanonical(written), path)).toEqual(other);
  });
});

describe('use_regex on export: only when every key of both lists is a regex (spec 000)', () => {
  const regex = { kind: 'regex', source: 'a', flags: '' } as const;
  const text = literalKey('b');
  it.each([
    [[regex], [], true],
    [[regex], [regex], true],
    [[], [regex], true],
    [[regex, text], [], false],
    [[regex], [text], false],
    [[text], [regex], false],
    [[text], [], false],
    [[], [], false],
  ])('%j with %j: %s', (keys, secondaryKeys, expected) => {
    expect(write({ ...blank, keys, secondaryKeys })['use_regex']).toBe(expected);
  });
  it('a pattern of a plain book is written in slash form, so that it keeps its meaning everywhere', () => {
    const entry = entryToCanonical({ keys: ['l[ae]mp'], use_regex: true, content: 'x' });
    expect(write(entry)).toMatchObject({ keys: ['/l[ae]mp/'], use_regex: true });
  });
  it('editing one list of a pattern entry does not turn the other list into text', () => {
    const raw = bookEntry({ keys: ['l[ae]mp'], secondary_keys: ['oil|wax'], use_regex: true });
    const read = entryToCanonical(raw);
    const written = entryToBook({ ...read, keys: [literalKey('lamp')] }, { raw, read }, () => 0);
    const back = entryToCanonical(written);
    expect(back.keys).toEqual([literalKey('lamp')]);
    expect(back.secondaryKeys).toEqual(read.secondaryKeys);
  });
  it('editing keys of a SillyTavern entry beside literal second keys leaves those alone', () => {
    const raw = bookEntry({ secondary_keys: ['oil'], use_regex: true, extensions: { vectorized: false } });
    const read = entryToCanonical(raw);
    const written = entryToBook({ ...read, keys: [literalKey('wick')] }, { raw, read }, () => 0);
    expect(changedPaths(raw, written)).toEqual(['keys.0', 'use_regex']);
  });
});

describe('title and memo are written where they stood', () => {
  const cases: readonly (readonly [string, JsonObject, Partial<LorebookEntry>, readonly string[]])[] = [
    ['a comment alone', { comment: 'Lamp' }, { title: 'Wick' }, ['comment']],
    ['a name alone', { name: 'Lamp', comment: undefined }, { title: 'Wick' }, ['name']],
    ['the title of both', { name: 'Lamp', comment: 'memo' }, { title: 'Wick' }, ['name']],
    ['the memo of both', { name: 'Lamp', comment: 'memo' }, { memo: 'other' }, ['comment']],
    ['a memo taken away', { name: 'Lamp', comment: 'memo' }, { memo: '' }, ['comment']],
    [
      'a memo beside a comment that was the title',
      { comment: 'Lamp' },
      { memo: 'memo' },
      ['comment', 'name'],
    ],
  ];
  it.each(cases)('%s', (_, given, edit, changed) => {
    const raw = throughJson(bookEntry(given));
    const read = entryToCanonical(raw);
    const entry = { ...read, ...edit };
    const written = entryToBook(entry, { raw, read }, () => 0);
    expect(changedPaths(raw, written)).toEqual(changed);
    const back = entryToCanonical(written);
    expect([back.title, back.memo]).toEqual([entry.title, entry.memo]);
  });
});

describe('the overlay on the raw twin (decisions 25)', () => {
  const raw = bookOf(
    bookEntry({ id: 7, x_top: { keep: [1] }, extensions: { vendor: { deep: { er: 1 } }, position: 0 } }),
    bookEntry({ id: 7, content: 'Second.', x_top: 'second', extensions: { position: 1 } }),
    bookEntry({ id: 9, content: 'Third.' }),
  );
  const escrow = { raw };
  const read = readingOf(escrow, 'b').body;
  const rawEntries = raw['entries'] as readonly JsonObject[];
  const edited = (index: number, change: Partial<LorebookEntry>): LorebookBody => ({
    ...read,
    entries: read.entries.map((entry, at) => (at === index ? { ...entry, ...change } : entry)),
  });

  it('an unedited body is the raw book itself', () => {
    expect(lorebookToCharacterBook(read, escrow)).toBe(raw);
    expect(
      lorebookToCharacterBook({ ...read, entries: read.entries.map((entry) => ({ ...entry })) }, escrow),
    ).toBe(raw);
  });
  it("of an edited book every untouched part is the twin's own object", () => {
    const written = lorebookToCharacterBook(edited(0, { content: 'New.' }), escrow);
    const entries = written['entries'] as readonly JsonObject[];
    expect(changedPaths(raw, written)).toEqual(['entries.0.content']);
    expect(entries[1]).toBe(rawEntries[1]);
    expect(entries[2]).toBe(rawEntries[2]);
    expect(entries[0]?.['extensions']).toBe(rawEntries[0]?.['extensions']);
    expect(entries[0]?.['x_top']).toBe(rawEntries[0]?.['x_top']);
    expect(written['extensions']).toBe(raw['extensions']);
  });
  it('entries with one id keep each their own unknown fields through a reorder', () => {
    const turned = lorebookToCharacterBook({ ...read, entries: [...read.entries].reverse() }, escrow);
    expect(turned['entries']).toEqual([...rawEntries].reverse());
  });
  it('a removed entry takes nothing of the others along', () => {
    const written = lorebookToCharacterBook({ ...read, entries: read.entries.slice(1) }, escrow);
    expect(written['entries']).toEqual(rawEntries.slice(1));
  });
  it('a new entry gets an id that none has, and nothing of anybody else', () => {
    const added = withValue({ ...blank, id: 'new' }, 'content', 'New.');
    const written = lorebookToCharacterBook({ ...read, entries: [...read.entries, added] }, escrow);
    const entries = written['entries'] as readonly JsonObject[];
    expect(entries.slice(0, 3)).toEqual(rawEntries);
    expect(entries[3]).toEqual({ ...BLANK_WIRE, id: 0, content: 'New.' });
  });
  it('an edited bag loses what was taken out and keeps the fields of the table', () => {
    const entry = read.entries[0] as LorebookEntry;
    const bag = { ...entry.bag, extensions: { other: 1 } };
    const written = lorebookToCharacterBook(edited(0, { bag }), escrow);
    expect((written['entries'] as readonly JsonObject[])[0]?.['extensions']).toEqual({
      position: 0,
      other: 1,
    });
  });
  it('an entry with `extensions` of the wrong kind keeps them until a field needs a place there', () => {
    const odd = bookOf(bookEntry({ extensions: 'odd' }));
    const escrow = { raw: odd };
    const body = readingOf(escrow, 'b').body;
    const change = (values: Partial<LorebookEntry>) =>
      lorebookToCharacterBook(
        { ...body, entries: [{ ...(body.entries[0] as LorebookEntry), ...values }] },
        escrow,
      );
    expect(changedPaths(odd, change({ content: 'New.' }))).toEqual(['entries.0.content']);
    expect((change({ vectorized: true })['entries'] as readonly JsonObject[])[0]?.['extensions']).toEqual({
      vectorized: true,
    });
  });
});

describe('the form of the entries', () => {
  const one = bookEntry();
  const two = bookEntry({ id: 5, content: 'Second.' });
  it('an object stays an object, each entry under its key', () => {
    const raw = deepFreeze({ name: 'x', entries: { 0: one, 5: two } });
    const { body } = readingOf({ raw }, 'b');
    expect(body.entries.map(({ content }) => content)).toEqual(['Lamp note.', 'Second.']);
    const edit = { ...body, entries: body.entries.map((entry) => ({ ...entry, order: 3 })) };
    expect(changedPaths(raw, lorebookToCharacterBook(edit, { raw }))).toEqual([
      'entries.0.insertion_order',
      'entries.5.insertion_order',
    ]);
  });
  it('a new entry in an object gets a key behind the others', () => {
    const raw = deepFreeze({ entries: { 0: one, 5: two } });
    const { body } = readingOf({ raw }, 'b');
    const written = lorebookToCharacterBook(
      { ...body, entries: [...body.entries, { ...blank, id: 'new' }] },
      { raw },
    );
    expect(written['entries']).toEqual({ 0: one, 5: two, 6: { ...BLANK_WIRE, id: 1 } });
  });
  it('an order that an object cannot keep makes it a list, and no entry is lost', () => {
    const raw = deepFreeze({ entries: { 0: one, 5: two } });
    const { body } = readingOf({ raw }, 'b');
    const written = lorebookToCharacterBook({ ...body, entries: [...body.entries].reverse() }, { raw });
    expect(written['entries']).toEqual([two, one]);
  });
  it.each([
    [{ name: 'x' }],
    [{ name: 'x', entries: null }],
    [{ name: 'x', entries: 'odd' }],
    [{ name: 'x', entries: {} }],
  ])('%j keeps its form while there is no entry to write', (raw) => {
    deepFreeze(raw);
    const { body } = readingOf({ raw }, 'b');
    expect(leafDifferences(raw, lorebookToCharacterBook({ ...body }, { raw }))).toEqual([]);
    expect(changedPaths(raw, lorebookToCharacterBook({ ...body, name: 'y' }, { raw }))).toEqual(['name']);
    const filled = lorebookToCharacterBook({ ...body, entries: [blank] }, { raw });
    expect(Object.values(filled['entries'] as object)).toEqual([BLANK_WIRE]);
  });
});

describe("the book's own fields", () => {
  const raw = deepFreeze({
    name: 'Quay Notes',
    description: 'Notes on the quay',
    scan_depth: 6,
    token_budget: 700,
    recursive_scanning: true,
    extensions: { maker: { v: 2 } },
    x_book: [1, 2],
    entries: [bookEntry()],
  });
  const escrow = { raw };
  const { body } = readingOf(escrow, 'b');

  it('are read', () => {
    expect(body).toMatchObject({
      name: 'Quay Notes',
      description: 'Notes on the quay',
      scanDepth: 6,
      tokenBudget: 700,
      recursiveScanning: true,
      extensions: { maker: { v: 2 } },
      bag: { dialect: CHARACTER_BOOK, book: { x_book: [1, 2] } },
    });
  });
  it('are all there without the twin', () => {
    const { entries: _, ...head } = raw;
    const { entries: __, ...written } = lorebookToCharacterBook(body) as JsonObject & { entries: unknown };
    expect(written).toEqual(head);
  });
  it.each([
    [{ name: 'Other' }, 'name'],
    [{ description: '' }, 'description'],
    [{ scanDepth: null }, 'scan_depth'],
    [{ tokenBudget: 1 }, 'token_budget'],
    [{ recursiveScanning: false }, 'recursive_scanning'],
    [{ extensions: { maker: { v: 3 } } }, 'extensions.maker.v'],
  ])('%j changes only %s', (edit, path) => {
    const written = lorebookToCharacterBook({ ...body, ...edit }, escrow);
    expect(changedPaths(raw, written)).toEqual([path]);
    expect(characterBookToLorebook(written)).toMatchObject(edit);
    expect(written['entries']).toBe(raw.entries);
  });
  it('an empty book writes no field that holds nothing, as SillyTavern', () => {
    expect(lorebookToCharacterBook(emptyBody)).toEqual({ entries: [] });
  });
});

describe('foreign bags', () => {
  it('unknown keys of the entry go back into the dialect they came from, and into no other', () => {
    const entry = entryToCanonical(bookEntry({ x_top: 1, extensions: { vendor: 1 } }));
    expect(write(entry)).toMatchObject({ x_top: 1, extensions: { vendor: 1 } });
    const foreign = { ...entry, bag: { ...entry.bag, dialect: 'elsewhere' } };
    expect(Object.keys(write(foreign))).not.toContain('x_top');
    expect(write(foreign)).toMatchObject({ extensions: { vendor: 1 } });
  });
  it('no key of the table is ever in a bag', () => {
    const { known } = CHARACTER_BOOK_TABLE;
    const every = Object.fromEntries([...known.entry].map((key) => [key, 'x']));
    const everyInside = Object.fromEntries([...known.extensions].map((key) => [key, 'x']));
    const { bag } = entryToCanonical({ ...every, extensions: everyInside });
    expect([bag.entry, bag.extensions]).toEqual([{}, {}]);
  });
});
