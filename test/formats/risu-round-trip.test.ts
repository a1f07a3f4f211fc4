// SillyTavern -> RisuAI -> SillyTavern: the entries come back as they were, also after RisuAI wrote the card anew; what
// was edited there stays edited. And nothing is lost in silence.

import { describe, expect, it, vi } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import { READ_RISU, shownRow, writeBooks } from '../../src/formats/risu/book-writing.ts';
import { NOTE_TITLE, risuCard } from '../../src/formats/risu/card.ts';
import { differencesOf } from '../../src/formats/risu/differences.ts';
import { RISU_EXPORTER } from '../../src/formats/risu/exporter.ts';
import { isRisuLorebook, readRisuLorebook } from '../../src/formats/risu/lorebook-file.ts';
import { risuLorebooks } from '../../src/formats/risu/lorebook-writing.ts';
import { editTripsOf, WICK } from '../support/edit-trips.ts';
import { cardWith, throughJson } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf, MARA } from '../support/in-force.ts';
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

describe("the character's note", () => {
  const note = { prompt: 'Whisper.', depth: 3, role: 'user' };
  const { character } = readPieces(cardWith(undefined, { extensions: { depth_prompt: note } }));
  const book = lorebookOf([entryOf()]);
  const card = throughJson(risuCard(resolvedOf([book], character), keep('natural')).card);
  it('is an entry that always fires and starts none', () => {
    const rows = rowsOf(card);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({
      constant: true,
      content: '@@depth 3\n@@reverse_depth 3\n@@role user\n@@unrecursive\nWhisper.',
    });
  });
  const noteOf = (from: JsonObject): unknown =>
    readPieces(from).character.body.extensions['depth_prompt'] ?? null;
  const NONE = { depth: 0, prompt: '' };
  it('is the note again on the way back, also where RisuAI has dropped it', () => {
    expect(entriesBack(card).map(({ content }) => content)).toEqual(['Lamp note.']);
    const there = rewrittenCard(card);
    expect((there['data'] as JsonObject)['extensions']).toMatchObject({ depth_prompt: NONE });
    expect(entriesBack(there).map(({ content }) => content)).toEqual(['Lamp note.']);
    expect(noteOf(there)).toEqual(note);
  });
  it('keeps what was edited there, and is an entry only once it can be no note', () => {
    const edited = rewrittenCard(card, (lore) =>
      lore.comment === NOTE_TITLE
        ? { ...lore, content: lore.content.replaceAll('depth 3', 'depth 1').replace('Whisper.', 'Shout.') }
        : lore,
    );
    expect(entriesBack(edited).map(({ content }) => content)).toEqual(['Lamp note.']);
    expect(noteOf(edited)).toEqual({ prompt: 'Shout.', depth: 1, role: 'user' });
    const keyed = rewrittenCard(card, (lore) =>
      lore.comment === NOTE_TITLE ? { ...lore, alwaysActive: false, key: 'lamp' } : lore,
    );
    const [, entry] = entriesBack(keyed);
    expect(entry).toMatchObject({
      content: 'Whisper.',
      constant: false,
      position: { slot: 'depth', depth: 3, role: 'user' },
    });
    expect(entry?.bag.extensions).not.toHaveProperty('loreferry');
    expect(noteOf(keyed)).toEqual(NONE);
  });
  it('alone makes a book of its own, and none on the way back', () => {
    const alone = throughJson(risuCard(resolvedOf([], character), keep('natural')).card);
    expect(rowsOf(alone)).toHaveLength(1);
    expect(readPieces(alone).lorebooks).toEqual([]);
    expect(readPieces(rewrittenCard(alone)).lorebooks).toEqual([]);
    expect(noteOf(rewrittenCard(alone))).toEqual(note);
  });
  it('that is blank keeps its depth, unless one was written there', () => {
    const blank = { prompt: '', depth: 4, role: 'system' };
    const { character: own } = readPieces(cardWith(undefined, { extensions: { depth_prompt: blank } }));
    const there = rewrittenCard(throughJson(risuCard(resolvedOf([book], own), keep('natural')).card));
    expect(noteOf(there)).toEqual(blank);
    const data = there['data'] as JsonObject;
    const extensions = { ...(data['extensions'] as JsonObject), depth_prompt: note };
    expect(noteOf({ ...there, data: { ...data, extensions } })).toEqual(note);
  });
  it('leaves no stash in the card that comes back', () => {
    const { character: back } = readPieces(rewrittenCard(card));
    expect(back.body.extensions).not.toHaveProperty('loreferry');
    expect(JSON.stringify(back.original)).not.toContain('"in":"risu","books"');
  });
});

describe('outlets that the card shows', () => {
  const { character } = readPieces(
    cardWith(undefined, {
      post_history_instructions: 'Recall {{outlet::shelf}}.',
      description: 'See {{outlet::shelf}}.',
    }),
  );
  const shelf = lorebookOf([entryOf({ position: { slot: 'outlet', outlet: 'shelf' } })]);
  it('are RisuAI’s markers where it has some, and come back', () => {
    const { card, findings } = risuCard(resolvedOf([shelf], character), keep('exact'));
    const data = card['data'] as JsonObject;
    expect(data['post_history_instructions']).toBe('Recall {{position::shelf}}.');
    const said = findings.filter(({ path }) => path.startsWith('data.'));
    expect(said.map(({ code, path }) => [code, path])).toEqual([
      ['approximated', 'data.description'],
      ['repaired', 'data.post_history_instructions'],
    ]);
    const back = readPieces(rewrittenCard(throughJson(card))).character.original['sillytavern']?.raw;
    expect(jsonAt(back, ['data', 'post_history_instructions'])).toBe('Recall {{outlet::shelf}}.');
  });
  it('need no marker in the prompt template', () => {
    const steps = (from: typeof character) =>
      RISU_EXPORTER.write(resolvedOf([shelf], from), { style: 'exact', privateFields: 'keep' }).steps;
    expect(steps(character).join(' ')).not.toContain('{{position::shelf}}');
    expect(steps(MARA).join(' ')).toContain('{{position::shelf}}');
  });
});

describe('fields of the card that RisuAI does not know', () => {
  const own = { x_own: { a: [1] }, creator_notes_multilingual: { de: 'Notiz' }, nickname: 'M' };
  const { character } = readPieces(cardWith(undefined, own));
  it.each([[[]], [[lorebookOf([entryOf()])]]])('are named, and come back', (books) => {
    const { card, findings } = risuCard(resolvedOf(books, character), keep('natural'));
    const said = findings
      .filter(({ path }) => path.startsWith('data.'))
      .map(({ code, path }) => [code, path]);
    expect(said).toEqual([
      ['stashed', 'data.x_own'],
      ['stashed', 'data.creator_notes_multilingual'],
    ]);
    const there = rewrittenCard(throughJson(card));
    expect(there['data']).not.toHaveProperty('x_own');
    const back = readPieces(there);
    expect(jsonAt(back.character.original['sillytavern']?.raw, ['data'])).toMatchObject(own);
    expect(back.lorebooks).toHaveLength(books.length);
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
