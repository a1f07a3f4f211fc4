// SillyTavern -> RisuAI -> SillyTavern: the entries come back as they were, also after RisuAI wrote the card anew; what
// was edited there stays edited. And nothing is lost in silence.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { jsonAt, withoutKey } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter } from '../../src/core/resolved.ts';
import { lorebookFromBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { READ_RISU, type RisuOptions, shownRow, writeBooks } from '../../src/formats/risu/book-writing.ts';
import { NOTE_TITLE, risuCard } from '../../src/formats/risu/card.ts';
import { differencesOf } from '../../src/formats/risu/differences.ts';
import { RISU_EXPORTER } from '../../src/formats/risu/exporter.ts';
import { isRisuLorebook, readRisuLorebook } from '../../src/formats/risu/lorebook-file.ts';
import { risuLorebooks } from '../../src/formats/risu/lorebook-writing.ts';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import {
  lorebookFromWorld,
  withoutTwin,
  worldFromLorebook,
} from '../../src/formats/sillytavern/world-twin.ts';
import { anyFilledBook } from '../support/arbitrary-books.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { fullEntry } from '../support/entry-values.ts';
import { cardWith, throughJson, worldEntriesOf, worldEntry, worldOf } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf, MARA } from '../support/in-force.ts';
import { type AppLore, rewrittenCard } from '../support/risu-app.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { seed: 20_260_704, numRuns: 150 };
const STYLES = ['natural', 'exact'] as const;
const keep = (style: 'natural' | 'exact'): RisuOptions => ({ style, privateFields: 'keep' });

const resolvedOf = (lorebooks: readonly CanonicalLorebook[], character = MARA): ResolvedCharacter =>
  resolveCharacter({
    character,
    books: lorebooks.map((lorebook) => ({ lorebook, origin: 'primary' as const })),
    settings: SHIPPED_SCAN_SETTINGS,
    userName: 'Robin',
    avatar: 'Mara Lint.png',
  });
const cardOf = (lorebooks: readonly CanonicalLorebook[], options: RisuOptions): JsonObject =>
  throughJson(risuCard(resolvedOf(lorebooks), options).card);

/** An entry of every kind, with all that a world file can hold. */
const WORLD = worldOf(
  worldEntry(3, {
    key: ['lamp', 'oil, lamp', '/l[ae]{1,3}mp\\/x/i'],
    addMemo: true,
    displayIndex: 2,
    x_own: { a: 1 },
  }),
  worldEntry(5, {
    key: ['wick'],
    keysecondary: ['oil', 'tar'],
    selectiveLogic: 3,
    comment: '',
    position: 2,
    depth: 3,
    role: 1,
    order: 10,
    caseSensitive: null,
    matchWholeWords: null,
    scanDepth: 0,
    useProbability: true,
    probability: 30,
    content: 'Wick note.',
    extensions: { vendor: 'kept' },
  }),
  worldEntry(9, {
    key: ['pier'],
    keysecondary: ['oil', 'tar', 'rope'],
    selectiveLogic: 1,
    position: 7,
    outletName: 'shelf, left',
    triggers: ['swipe', 'normal'],
    group: 'a,b',
    groupOverride: true,
    groupWeight: 30,
    useGroupScoring: true,
    sticky: 4,
    matchPersonaDescription: true,
    automationId: 'au1',
    characterFilter: { isExclude: false, names: ['Mara Lint'], tags: ['t1'] },
    ignoreBudget: true,
    content: 'Pier note for <user>.',
  }),
  worldEntry(12, { key: [' '], position: 5, content: ' Blank.\n', vectorized: true }),
  worldEntry(13, {
    key: ['gate'],
    keysecondary: ['rain'],
    selectiveLogic: 2,
    position: 0,
    order: 50,
    disable: true,
  }),
);

const lorebookOfWorld = (world: JsonObject, name: string): CanonicalLorebook =>
  lorebookFromWorld(world, `worldinfo:${name}`, name).lorebook;
const backToWorld = (lorebook: CanonicalLorebook): JsonObject =>
  throughJson(withoutTwin(worldFromLorebook(lorebook, { character: 'Mara Lint', slot: 'x' })));
const entriesBack = (card: JsonObject): readonly LorebookEntry[] =>
  readPieces(card).lorebooks.flatMap(({ body }) => body.entries);
const view = (entry: LorebookEntry): unknown => [
  Object.fromEntries(CHARACTER_BOOK_FIELDS.map((row) => [row.path, row.show(entry)])),
  entry.bag.entry,
  entry.bag.extensions,
];
const views = (lorebook: CanonicalLorebook | undefined): readonly unknown[] =>
  lorebook?.body.entries.map(view) ?? [];

const THERE: readonly (readonly [string, (card: JsonObject) => JsonObject])[] = [
  ['unedited', (card) => card],
  ['after RisuAI wrote the card anew', (card) => rewrittenCard(card)],
];

describe.each(STYLES)('%s, there and back', (style) => {
  const sent = lorebookOfWorld(WORLD, 'Quay Notes');
  it.each(THERE)('a world file, %s', (_, there) => {
    const [back, ...others] = readPieces(there(cardOf([sent], keep(style)))).lorebooks;
    expect(others).toEqual([]);
    expect(back?.name).toBe('Quay Notes');
    const again = worldEntriesOf(backToWorld(back as CanonicalLorebook));
    const own = worldEntriesOf(backToWorld(sent));
    expect(Object.keys(again)).toEqual(['3', '5', '9', '12', '13']);
    expect(Object.values(again).map((entry) => withoutKey(entry, 'uid'))).toEqual(
      Object.values(own).map((entry) => withoutKey(entry, 'uid')),
    );
    for (const [uid, entry] of Object.entries(worldEntriesOf(WORLD))) expect(again[uid]).toMatchObject(entry);
  });
  it.each(THERE)('several books keep their boundaries, each in its folder, %s', (_, there) => {
    const other = lorebookOfWorld(
      worldOf(worldEntry(0, { key: ['tar'], order: 1, content: 'Tar.' })),
      'Tar Notes',
    );
    const empty = lorebookOfWorld(worldOf(), 'Nothing Yet');
    const card = cardOf([sent, other, empty], keep(style));
    const { lorebooks } = readPieces(there(card));
    expect(lorebooks.map(({ name, body }) => [name, body.entries.length])).toEqual([
      ['Quay Notes', 5],
      ['Tar Notes', 1],
      ['Nothing Yet', 0],
    ]);
    expect(views(lorebooks[0])).toEqual(views(sent));
    expect(views(lorebooks[1])).toEqual(views(other));
    const book = (card['data'] as JsonObject)['character_book'] as JsonObject;
    const rows = book['entries'] as readonly JsonObject[];
    const folders = rows.filter(({ mode }) => mode === 'folder');
    expect(folders.map(({ name }) => name)).toEqual(['Quay Notes', 'Tar Notes', 'Nothing Yet']);
    const keys = folders.map((folder) => (folder['keys'] as readonly string[])[0]);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^\uf000folder:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    const inSecond = rows.filter(({ folder }) => folder === keys[1]);
    expect(inSecond.map(({ content }) => String(content).split('\n').at(-1))).toEqual(['Tar.']);
  });
  it("RisuAI's own lorebook file, as written and as the app writes it again", () => {
    const { lorebooks } = risuLorebooks(resolvedOf([sent]), keep(style));
    const json = throughJson(lorebooks[0]?.json as Json) as JsonObject;
    const again = { type: 'risu', ver: 1, data: json['data'] as Json };
    for (const file of [json, again]) {
      expect(isRisuLorebook(file)).toBe(true);
      expect(views(readRisuLorebook(file, 'b', 'Quay Notes').lorebook)).toEqual(views(sent));
    }
    expect(readRisuLorebook(json, 'b', 'x').lorebook.name).toBe('Quay Notes');
  });
  it('any book', () => {
    fc.assert(
      fc.property(anyFilledBook, (raw) => {
        const book = lorebookFromBook(raw, 'data.character_book', 'x');
        const card = cardOf([book], keep(style));
        for (const there of [card, rewrittenCard(card)]) {
          expect(entriesBack(there).map(view)).toEqual(
            book.body.entries.map((entry) => view(deepFreeze(throughJson(entry)))),
          );
        }
      }),
      RUNS,
    );
  });
});

describe('edits there win, field by field', () => {
  const original = entryOf({
    title: 'Lamp',
    position: { slot: 'note_top', depth: 2 },
    probability: { chance: 30 },
    triggers: ['swipe', 'normal'],
    automationId: 'au1',
    scan: { caseSensitive: null, depth: 5 },
    timing: { delay: 3, sticky: 2 },
    recursion: { prevent: true },
    ignoreBudget: true,
    secondaryKeys: ['oil', 'tar'].map((text) => ({ kind: 'literal' as const, text })),
    logic: 'and_all',
    group: { name: 'g', weight: 30 },
  });
  const other = entryOf(
    { title: 'Wick', content: 'Wick note.', keys: [{ kind: 'literal', text: 'wick' }] },
    'w1',
  );
  const edited = (edit: (lore: AppLore) => AppLore): readonly LorebookEntry[] => {
    const card = throughJson(risuCard(characterInForce([lorebookOf([original, other])]), keep('exact')).card);
    return entriesBack(rewrittenCard(card, (lore) => (lore.comment === 'Lamp' ? edit(lore) : lore)));
  };
  const lines =
    (from: string | RegExp, to: string) =>
    (lore: AppLore): AppLore => ({
      ...lore,
      content: lore.content.replace(from, to),
    });
  it.each<[string, (lore: AppLore) => AppLore, readonly string[]]>([
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
  ])('%s', (_, edit, paths) => {
    const [first, second] = edited(edit);
    const changed = CHARACTER_BOOK_FIELDS.filter((row) => !row.same(original, first as LorebookEntry));
    expect(changed.map(({ path }) => path).sort()).toEqual([...paths].sort());
    expect(view(second as LorebookEntry)).toEqual(view(other));
  });
  it('an entry that was made there has only what stands there, and a removed one is gone', () => {
    const card = throughJson(risuCard(characterInForce([lorebookOf([original, other])]), keep('exact')).card);
    const there = rewrittenCard(card);
    const data = there['data'] as JsonObject;
    const book = data['character_book'] as JsonObject;
    const kept = (book['entries'] as readonly JsonObject[]).find((each) => each['name'] === 'Wick');
    const made = {
      ...kept,
      name: 'New',
      comment: 'New',
      content: '@@reverse_depth 6\nMade there.',
      keys: ['fresh'],
      extensions: {},
    };
    const entries = [kept, made] as readonly Json[];
    const back = entriesBack({ ...there, data: { ...data, character_book: { ...book, entries } } });
    expect(back.map(({ title }) => title)).toEqual(['Wick', 'New']);
    expect(view(back[0] as LorebookEntry)).toEqual(view(other));
    expect(back[1]).toMatchObject({
      position: { slot: 'depth', depth: 6 },
      automationId: '',
      content: 'Made there.',
    });
  });
  it('of the copies of a NOT ALL the first that is left speaks for the entry', () => {
    const text = (word: string) => ({ kind: 'literal', text: word }) as const;
    const notAll = entryOf({ logic: 'not_all', secondaryKeys: ['oil', 'tar', 'rope'].map(text) });
    const card = throughJson(risuCard(characterInForce([lorebookOf([notAll, other])]), keep('exact')).card);
    const there = rewrittenCard(card);
    const rows = ((there['data'] as JsonObject)['character_book'] as JsonObject)[
      'entries'
    ] as readonly JsonObject[];
    expect(rows).toHaveLength(4);
    expect(entriesBack(there).map(view)).toEqual([notAll, other].map(view));
    const data = there['data'] as JsonObject;
    const book = { ...(data['character_book'] as JsonObject), entries: rows.slice(2) };
    expect(entriesBack({ ...there, data: { ...data, character_book: book } }).map(view)).toEqual(
      [notAll, other].map(view),
    );
  });
  it('private fields come back only when they were kept', () => {
    const card = throughJson(risuCard(characterInForce([lorebookOf([original])]), { style: 'exact' }).card);
    expect(entriesBack(rewrittenCard(card))[0]).toMatchObject({
      automationId: '',
      triggers: ['swipe', 'normal'],
    });
  });
});

describe("the character's note", () => {
  const note = { prompt: 'Whisper.', depth: 3, role: 'user' };
  const { character } = readPieces(cardWith(undefined, { extensions: { depth_prompt: note } }));
  const book = lorebookOf([entryOf()]);
  const card = throughJson(risuCard(resolvedOf([book], character), keep('natural')).card);
  it('is an entry that always fires and starts none', () => {
    const rows = ((card['data'] as JsonObject)['character_book'] as JsonObject)[
      'entries'
    ] as readonly JsonObject[];
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
    expect(((alone['data'] as JsonObject)['character_book'] as JsonObject)['entries']).toHaveLength(1);
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

describe('nothing is lost in silence', () => {
  const pathsOf = (findings: readonly Finding[], entryId: string): ReadonlySet<string> =>
    new Set(findings.filter((each) => each.entryId === entryId).map(({ path }) => path));
  const side = { bookDepth: 2, isRecursive: true, includeNames: true };
  const sides = { meant: { ...side, ours: true }, read: { ...side, ours: false } };
  it.each(STYLES)(
    '%s: what reads back otherwise has a finding, what has one reads back otherwise',
    (style) => {
      fc.assert(
        fc.property(anyFilledBook, (raw) => {
          const book = lorebookFromBook(raw, 'data.character_book', 'x');
          const resolved = resolvedOf([book]);
          for (const form of ['card', 'lorebook'] as const) {
            const [written] = writeBooks(resolved, form, keep(style)).books;
            const findings = written?.findings ?? [];
            expect(findings.filter(({ message }) => message.includes('does not read back'))).toEqual([]);
            resolved.books[0]?.entries.forEach(({ entry, source }, at) => {
              const row = written?.rows.find(({ stash }) => stash['at'] === at);
              if (row === undefined) throw new Error('no row');
              const differences = differencesOf(entry, shownRow(row.lore, source.id), sides).map(
                ({ path }) => path,
              );
              const said = pathsOf(findings, source.id);
              expect(differences.filter((path) => !said.has(path))).toEqual([]);
              // What was only not searched there shows in no field.
              const known = CHARACTER_BOOK_FIELDS.map(({ path }) => path);
              const unsearched = /speaker|greeting|short chat|In a chat of fewer/;
              const idle = findings.filter(
                ({ entryId, path, message }) =>
                  entryId === source.id &&
                  known.includes(path) &&
                  !differences.includes(path) &&
                  !unsearched.test(message),
              );
              expect(idle.filter(({ path, code }) => code !== 'repaired' || path === 'content')).toEqual([]);
            });
          }
        }),
        RUNS,
      );
    },
  );
  it('every field at once', () => {
    const resolved = characterInForce([lorebookOf([fullEntry('w0')])]);
    const { findings } = risuCard(resolved, keep('natural'));
    expect(findings.filter(({ message }) => message.includes('does not read back'))).toEqual([]);
  });
  it('is read as RisuAI’s', () => {
    expect(READ_RISU.translate).toBeDefined();
  });
});
