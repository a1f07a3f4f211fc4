// SillyTavern -> Agnai -> SillyTavern: entries and the card come back as they were, also after Agnai saved the book, edited
// it or exported it anew; what was edited there stays edited. And nothing is lost in silence.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter } from '../../src/core/resolved.ts';
import { lorebookFromBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { readEntry } from '../../src/formats/_shared/entry-reader.ts';
import { agnaiNativeCharacter } from '../../src/formats/agnai/adapter.ts';
import { type AgnaiOptions, inItsPlace } from '../../src/formats/agnai/book-writing.ts';
import { agnaiCharacter, agnaiMemoryBook } from '../../src/formats/agnai/character.ts';
import { differencesOf } from '../../src/formats/agnai/differences.ts';
import { AGNAI_TABLE } from '../../src/formats/agnai/fields.ts';
import { READ_AGNAI, readMemoryBooks } from '../../src/formats/agnai/memory-book.ts';
import { agnaiBooksOf, cardOfAgnai, characterOfAgnai } from '../../src/formats/agnai/native-character.ts';
import type { Place } from '../../src/formats/agnai/placing.ts';
import { tavernBooksOf } from '../../src/formats/agnai/tavern-book.ts';
import { sillytavernCard } from '../../src/formats/sillytavern/card.ts';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import { lorebookFromWorld } from '../../src/formats/sillytavern/world-twin.ts';
import {
  editedBook,
  type MemoryEntry,
  refusedField,
  savedCharacter,
  tavernExport,
} from '../support/agnai-app.ts';
import { anyFilledBook } from '../support/arbitrary-books.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { fullEntry } from '../support/entry-values.ts';
import { cardWith, throughJson, worldEntry, worldOf } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf, MARA } from '../support/in-force.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { seed: 20_260_701, numRuns: 150 };
const STYLES = ['natural', 'exact'] as const;
const keep = (style: 'natural' | 'exact'): AgnaiOptions => ({ style, privateFields: 'keep' });

const resolvedOf = (lorebooks: readonly CanonicalLorebook[], character = MARA): ResolvedCharacter =>
  resolveCharacter({
    character,
    books: lorebooks.map((lorebook) => ({ lorebook, origin: 'primary' as const })),
    settings: SHIPPED_SCAN_SETTINGS,
    userName: 'Robin',
    avatar: 'Mara Lint.png',
  });

const nativeOf = (lorebooks: readonly CanonicalLorebook[], options: AgnaiOptions): JsonObject =>
  throughJson(agnaiCharacter(resolvedOf(lorebooks), options).card);

/** Entries of every kind, with all that a world file can hold. */
const WORLD = worldOf(
  worldEntry(3, { key: ['lamp', 'oil lamp', '/l[ae]mp/i'], addMemo: true, displayIndex: 2, x_own: { a: 1 } }),
  worldEntry(5, {
    key: ['wick'],
    keysecondary: ['oil', 'tar'],
    selectiveLogic: 3,
    comment: '',
    position: 2,
    depth: 3,
    role: 1,
    order: 10,
    scanDepth: 0,
    useProbability: true,
    probability: 30,
    content: 'Wick note.',
    extensions: { vendor: 'kept' },
  }),
  worldEntry(9, {
    key: ['pier'],
    position: 7,
    outletName: 'shelf',
    triggers: ['swipe', 'quiet'],
    group: 'a,b',
    groupOverride: true,
    sticky: 4,
    delayUntilRecursion: 2,
    matchPersonaDescription: true,
    automationId: 'au1',
    characterFilter: { isExclude: false, names: ['Mara Lint'], tags: ['t1'] },
    ignoreBudget: true,
    content: '@@activate\nPier note.',
  }),
  worldEntry(12, { constant: true, key: [], position: 4, depth: 4, role: 2, content: 'Deep.' }),
  worldEntry(13, { constant: true, key: ['x'], position: 6, content: 'Example.' }),
  worldEntry(14, { key: ['龍'], position: 0, content: 'Dragon.' }),
);

const lorebookOfWorld = (world: JsonObject, name: string): CanonicalLorebook =>
  lorebookFromWorld(world, `worldinfo:${name}`, name).lorebook;

const view = (entry: LorebookEntry): unknown => [
  Object.fromEntries(CHARACTER_BOOK_FIELDS.map((row) => [row.path, row.show(entry)])),
  entry.bag.entry,
  entry.bag.extensions,
];

const booksOf = (native: JsonObject): readonly CanonicalLorebook[] =>
  agnaiBooksOf(native).books.map(({ lorebook }) => lorebook);
const inTavern = (native: JsonObject): readonly CanonicalLorebook[] =>
  (tavernBooksOf(tavernExport(native), 'x')?.books ?? []).map(({ lorebook }) => lorebook);
const withBook = (native: JsonObject, change: (book: JsonObject) => JsonObject): JsonObject => ({
  ...native,
  characterBook: change(native['characterBook'] as JsonObject),
});

const WAYS: readonly (readonly [string, (native: JsonObject) => readonly CanonicalLorebook[]])[] = [
  ['unedited', booksOf],
  ['saved by the server', (native) => booksOf(savedCharacter(native))],
  [
    'after its form was saved',
    (native) => booksOf(withBook(savedCharacter(native), (book) => editedBook(book))),
  ],
  ['through its Tavern export', inTavern],
];

describe.each(STYLES)('%s, there and back', (style) => {
  const sent = lorebookOfWorld(WORLD, 'Quay Notes');
  const other = lorebookOfWorld(
    worldOf(worldEntry(0, { key: ['tar'], order: 1, content: 'Tar.' })),
    'Tar Notes',
  );
  const empty = lorebookOfWorld(worldOf(), 'Nothing Yet');
  it.each(WAYS)('a world file, %s', (_, there) => {
    const [back, ...others] = there(nativeOf([sent], keep(style)));
    expect(others).toEqual([]);
    expect(back?.name).toBe('Quay Notes');
    expect(back?.body.entries.map(view)).toEqual(sent.body.entries.map(view));
    expect([back?.body.scanDepth, back?.body.tokenBudget, back?.body.recursiveScanning]).toEqual([
      null,
      null,
      null,
    ]);
  });
  it.each(WAYS)('several books in one keep their boundaries, %s', (_, there) => {
    const back = there(nativeOf([sent, other, empty], keep(style)));
    expect(back.map(({ name, body }) => [name, body.entries.length])).toEqual([
      ['Quay Notes', 6],
      ['Tar Notes', 1],
      ['Nothing Yet', 0],
    ]);
    expect(back[1]?.body.entries.map(view)).toEqual(other.body.entries.map(view));
  });
  it('a memory book of its own', () => {
    const { json } = agnaiMemoryBook(resolvedOf([sent]), keep(style));
    const [back] = readMemoryBooks(throughJson(json), 'b', 'x', []);
    expect(back?.body.entries.map(view)).toEqual(sent.body.entries.map(view));
    // Without the stash, as the server keeps such a book, the six fields are left.
    const { extensions: _gone, ...bare } = json;
    const [coarse] = readMemoryBooks(throughJson(bare), 'b', 'x', []);
    expect(coarse?.body.entries.map(({ content }) => content)).toEqual(
      sent.body.entries.map(({ content }) => content.replace('@@activate\n', '')),
    );
  });
  it('any book', () => {
    fc.assert(
      fc.property(anyFilledBook, (raw) => {
        const book = lorebookFromBook(raw, 'data.character_book', 'x');
        const native = nativeOf([book], keep(style));
        expect(refusedField(native)).toBeNull();
        const meant = book.body.entries.map((entry) => view(deepFreeze(throughJson(entry))));
        expect(booksOf(savedCharacter(native)).flatMap(({ body }) => body.entries.map(view))).toEqual(meant);
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
  });
  const other = entryOf(
    { title: 'Wick', content: 'Wick note.', keys: [{ kind: 'literal', text: 'wick' }] },
    'w1',
  );
  const edited = (edit: (entry: MemoryEntry) => MemoryEntry): readonly LorebookEntry[] => {
    const native = throughJson(
      agnaiCharacter(characterInForce([lorebookOf([original, other])]), keep('exact')).card,
    );
    const there = withBook(native, (book) =>
      editedBook(book, (entry) => (entry.name === 'Lamp' ? edit(entry) : entry)),
    );
    return booksOf(there).flatMap(({ body }) => body.entries);
  };
  it.each<[string, (entry: MemoryEntry) => MemoryEntry, readonly string[]]>([
    ['the text', (entry) => ({ ...entry, entry: 'New.' }), ['content']],
    ['the title', (entry) => ({ ...entry, name: 'New' }), ['title']],
    ['a keyword', (entry) => ({ ...entry, keywords: [...entry.keywords, 'new*'] }), ['keys']],
    ['off', (entry) => ({ ...entry, enabled: false }), ['enabled']],
    ['the weight', (entry) => ({ ...entry, weight: 77 }), ['order']],
    ['the text and the title', (entry) => ({ ...entry, name: 'New', entry: 'New.' }), ['content', 'title']],
  ])('%s', (_, edit, paths) => {
    const [first, second] = edited(edit);
    const changed = CHARACTER_BOOK_FIELDS.filter((row) => !row.same(original, first as LorebookEntry));
    expect(changed.map(({ path }) => path).sort()).toEqual([...paths].sort());
    expect(view(second as LorebookEntry)).toEqual(view(other));
  });
  it('a removed entry is gone and a new one has only what stands there', () => {
    const native = throughJson(
      agnaiCharacter(characterInForce([lorebookOf([original, other])]), keep('exact')).card,
    );
    const made = {
      name: 'New',
      entry: 'Made there.',
      keywords: ['fresh'],
      priority: 0,
      weight: 0,
      enabled: true,
    };
    const there = withBook(native, (book) => ({
      ...book,
      entries: [(book['entries'] as readonly Json[])[1] as Json, made],
    }));
    const back = booksOf(there).flatMap(({ body }) => body.entries);
    expect(back.map(({ title }) => title)).toEqual(['Wick', 'New']);
    expect(view(back[0] as LorebookEntry)).toEqual(view(other));
    expect(back[1]).toMatchObject({
      content: 'Made there.',
      automationId: '',
      position: { slot: 'character' },
    });
  });
  it('private fields come back only when they were kept', () => {
    const { card, findings } = agnaiCharacter(characterInForce([lorebookOf([original])]), { style: 'exact' });
    expect(booksOf(throughJson(card))[0]?.body.entries[0]).toMatchObject({
      automationId: '',
      triggers: ['swipe', 'normal'],
    });
    expect(JSON.stringify(card)).not.toContain('au1');
    expect(findings.filter(({ path }) => path === 'automationId').map(({ code }) => code)).toEqual(['lost']);
  });
  it('an Insert that was edited keeps its texts, and they do not come back as entries that fire', () => {
    const deep = entryOf({ constant: true, position: { slot: 'depth', depth: 3 } });
    const native = throughJson(
      agnaiCharacter(characterInForce([lorebookOf([deep, other])]), keep('exact')).card,
    );
    expect(native['insert']).toEqual({ prompt: 'Lamp note.', depth: 3 });
    const there = { ...native, insert: { prompt: 'Lamp note. More.', depth: 3 } };
    expect(booksOf(native)[0]?.body.entries[0]).toMatchObject({ enabled: true, constant: true });
    expect(booksOf(there)[0]?.body.entries[0]).toMatchObject({ enabled: false });
    const data = cardOfAgnai(there)['data'] as JsonObject;
    expect((data['extensions'] as JsonObject)['depth_prompt']).toEqual({
      role: 'system',
      prompt: 'Lamp note. More.',
      depth: 3,
    });
  });
});

describe('the card', () => {
  const data: JsonObject = {
    name: 'Mara Lint',
    description: 'Keeps a light.\nTwice.',
    personality: 'stubborn',
    scenario: 'A quay.',
    first_mes: 'You: wait\nYou: go\\n<USER> {{char}}',
    mes_example: '<START>\n{{user}}: a',
    creator_notes: 'Notes.',
    system_prompt: '{{original}} Be brief. {{outlet::shelf}}',
    post_history_instructions: 'Stay.',
    alternate_greetings: ['You: hi\\n', 'b'],
    tags: ['t'],
    creator: 'c',
    character_version: '1',
    nickname: 'M',
    group_only_greetings: ['g'],
    extensions: {
      talkativeness: 0.7,
      fav: true,
      world: 'Quay Notes',
      depth_prompt: { prompt: 'Whisper.', depth: 2, role: 'user' },
      vendor: { a: [1] },
    },
  };
  const character = sillytavernCard.toCanonical(cardWith(undefined, data));
  const book = lorebookOfWorld(
    worldOf(
      worldEntry(0, { constant: true, key: [], position: 4, depth: 2, content: 'Deep.' }),
      worldEntry(1, { constant: true, key: [], position: 7, outletName: 'shelf', content: 'On the shelf.' }),
      worldEntry(2, { constant: true, key: [], position: 6, content: 'After examples.' }),
    ),
    'Quay Notes',
  );
  const { card, findings } = agnaiCharacter(resolvedOf([book], character), keep('exact'));
  const native = throughJson(card);
  it('has every field that Agnai asks for, as its import leaves it', () => {
    expect(refusedField(native)).toBeNull();
    expect(native).toMatchObject({
      kind: 'character',
      name: 'Mara Lint',
      greeting: '{{user}}: wait\n{{user}}: go\n{{user}} {{char}}',
      scenario: 'A quay.',
      sampleChat: '<START>\n{{user}}: a\n<START>\nAfter examples.',
      persona: { kind: 'text', attributes: { text: ['Keeps a light.\nTwice.\nstubborn'] } },
      description: 'Notes.',
      systemPrompt: '{{original}} Be brief. On the shelf.',
      insert: { prompt: 'Whisper.\nDeep.', depth: 2 },
      alternateGreetings: ['You: hi\\n', 'b'],
      creator: 'c',
      characterVersion: '1',
      tags: ['t'],
    });
    expect((native['characterBook'] as JsonObject)['entries']).toMatchObject([
      { enabled: false },
      { enabled: false },
      { enabled: false },
    ]);
  });
  it('names what Agnai cannot say of it', () => {
    const paths = findings.filter(({ bookId }) => bookId === null).map(({ code, path }) => `${code} ${path}`);
    expect(paths).toEqual(
      expect.arrayContaining([
        'approximated data.first_mes',
        'approximated data.system_prompt',
        'approximated data.personality',
        'approximated data.extensions.depth_prompt.role',
        'stashed data.nickname',
        'stashed data.group_only_greetings',
        'stashed data.extensions.talkativeness',
        'stashed data.extensions.world',
        'stashed data.extensions.vendor',
      ]),
    );
  });
  it('says nothing of what both apps put in, and names what only one does', () => {
    const said = (given: JsonObject): readonly string[] => {
      const own = sillytavernCard.toCanonical(cardWith(undefined, given));
      const written = agnaiCharacter(resolvedOf([], own), keep('exact')).findings;
      return written
        .filter(({ path }) => path.startsWith('data.'))
        .map(({ code, path }) => `${code} ${path}`);
    };
    const original = '{{original}} Be brief, {{char}}.';
    expect(said({ system_prompt: original, post_history_instructions: original })).toEqual([]);
    expect(said({ scenario: original, system_prompt: '{{time}}' })).toEqual([
      'approximated data.scenario',
      'approximated data.system_prompt',
    ]);
  });
  it('comes back whole from a signed-in user, but for what is the user’s own', () => {
    const back = cardOfAgnai(savedCharacter(native))['data'] as JsonObject;
    const { fav: _fav, ...extensions } = data['extensions'] as JsonObject;
    const { agnai: _own, ...theirs } = back['extensions'] as JsonObject;
    expect({ ...back, extensions: theirs }).toEqual({ ...data, extensions });
  });
  it('comes back whole from a Tavern export, without the texts of entries that were put into it', () => {
    const tavern = tavernExport(savedCharacter(native));
    const { character: back, lorebooks, format, slots } = readPieces(tavern);
    const { fav: _fav, ...extensions } = data['extensions'] as JsonObject;
    const raw = jsonAt(back.original['sillytavern']?.raw, ['data']) as JsonObject;
    const { agnai: _own, ...theirs } = raw['extensions'] as JsonObject;
    expect({ ...raw, extensions: theirs }).toEqual({ ...data, extensions });
    expect(lorebooks.map(({ body }) => body.entries.map(({ content }) => content))).toEqual([
      ['Deep.', 'On the shelf.', 'After examples.'],
    ]);
    expect(lorebooks[0]?.body.entries.every(({ enabled, constant }) => enabled && constant)).toBe(true);
    expect([format, [...slots.values()]]).toEqual(['agnai', ['data.character_book']]);
  });
  it('a Tavern export that was edited keeps the edit, and its texts do not come twice', () => {
    const tavern = tavernExport(savedCharacter(native));
    const held = tavern['data'] as JsonObject;
    const edited = { ...tavern, data: { ...held, mes_example: 'New.', scenario: 'A pier.' } };
    const { character: back, lorebooks } = readPieces(edited);
    expect(back.body).toMatchObject({
      exampleMessages: 'New.',
      scenario: 'A pier.',
      personality: 'stubborn',
    });
    const states = lorebooks[0]?.body.entries.map(({ content, enabled }) => [content, enabled]);
    expect(states).toEqual([
      ['Deep.', true],
      ['On the shelf.', true],
      ['After examples.', false],
    ]);
  });
  it('an edit there stays, the rest comes back', () => {
    const there = {
      ...savedCharacter(native),
      scenario: 'A pier.',
      persona: { kind: 'text', attributes: { text: ['New.'] } },
    };
    const back = cardOfAgnai(there)['data'] as JsonObject;
    expect(back).toMatchObject({
      scenario: 'A pier.',
      description: 'New.',
      personality: '',
      first_mes: data['first_mes'],
    });
  });
  it.each<[string, JsonObject]>([
    ['nothing but a name', { name: 'x' }],
    [
      'wrong kinds',
      {
        name: 5,
        description: null,
        first_mes: ['a'],
        tags: 'a',
        alternate_greetings: [1, null],
        extensions: [],
      },
    ],
    ['no name', { name: ' ' }],
  ])('%s: every field is still there', (_, held) => {
    const raw = deepFreeze({ spec: 'chara_card_v2', spec_version: '2.0', data: held });
    const written = agnaiCharacter(
      resolvedOf([book], sillytavernCard.toCanonical(raw as JsonObject)),
      keep('exact'),
    );
    expect(refusedField(throughJson(written.card))).toBeNull();
    // It is read again, with what we kept of the wrong kinds.
    expect(characterOfAgnai(throughJson(written.card)).body.tags).toEqual(held['tags'] === 'a' ? ['a'] : []);
  });
  it('a field over 10 MB is named; what is kept aside goes first', () => {
    const long = 'x'.repeat(6 * 1024 * 1024);
    const big = agnaiCharacter(
      characterInForce([lorebookOf([entryOf({ content: long, title: long.slice(0, 5_000_000) })])]),
      keep('exact'),
    );
    expect(big.findings.map(({ code, path }) => `${code} ${path}`)).toContain('refused characterBook');
    const aside = agnaiCharacter(
      characterInForce([lorebookOf([entryOf({ memo: long, title: long }), entryOf({}, 'w1')])]),
      keep('exact'),
    );
    expect(aside.findings.map(({ code, path }) => `${code} ${path}`)).toContain(
      'lost characterBook.extensions',
    );
    expect(JSON.stringify(aside.card['characterBook'])).not.toContain('loreferry');
  });
});

describe('the dialect as an adapter (spec 000)', () => {
  const native = throughJson(agnaiCharacter(characterInForce([lorebookOf([entryOf()])]), keep('exact')).card);
  const character = agnaiNativeCharacter.toCanonical(native);
  const lorebooks = agnaiBooksOf(native).books.map(({ lorebook }) => lorebook);
  it('absent lorebooks, or the same ones, leave it as it was; an empty list clears the book', () => {
    expect(agnaiNativeCharacter.fromCanonical(character, {}).card).toBe(native);
    expect(agnaiNativeCharacter.fromCanonical(character, { lorebooks }).card).toBe(native);
    const cleared = agnaiNativeCharacter.fromCanonical(character, { lorebooks: [] }).card;
    expect(cleared).toEqual({ ...native, characterBook: undefined });
  });
  it('other lorebooks are written', () => {
    const book = lorebookOf([entryOf({ content: 'Other.' })]);
    const { card } = agnaiNativeCharacter.fromCanonical(character, { lorebooks: [book] });
    expect(agnaiBooksOf(card).books[0]?.lorebook.body.entries[0]?.content).toBe('Other.');
  });
  it('the character is a card for SillyTavern', () => {
    const { card } = sillytavernCard.fromCanonical(character, { lorebooks });
    expect(card).toMatchObject({
      spec: 'chara_card_v2',
      data: { name: 'Mara Lint', character_book: { name: 'Quay Notes' } },
    });
  });
});

describe('nothing is lost in silence', () => {
  const pathsOf = (findings: readonly Finding[], entryId: string): ReadonlySet<string> =>
    new Set(findings.filter((each) => each.entryId === entryId).map(({ path }) => path));
  it.each(STYLES)('%s: what reads back otherwise has a finding, and nothing is unforeseen', (style) => {
    fc.assert(
      fc.property(anyFilledBook, fc.boolean(), (raw, isBook) => {
        const book = lorebookFromBook(raw, 'data.character_book', 'x');
        const resolved = resolvedOf([book]);
        const written = isBook ? null : agnaiCharacter(resolved, keep(style));
        const { json, findings, settings } =
          written === null
            ? agnaiMemoryBook(resolved, keep(style))
            : { ...written, json: written.card['characterBook'] as JsonObject };
        const held = throughJson(json)['entries'] as readonly JsonObject[];
        expect(findings.filter(({ message }) => message.includes('does not read back'))).toEqual([]);
        const told = { memoryDepth: Number(settings['memoryDepth']), delayedPasses: resolved.delayedPasses };
        const texts = JSON.stringify([written?.card['insert'], written?.card['sampleChat']]);
        resolved.books[0]?.entries.forEach(({ entry, source }, at) => {
          const shown = readEntry(AGNAI_TABLE, held[at], source.id, READ_AGNAI, () => undefined);
          const place = placeOf(entry, shown, written?.card, texts);
          const said = pathsOf(findings, source.id);
          const silent = differencesOf(entry, inItsPlace(shown, entry, place), told).filter(
            ({ path }) => !said.has(path),
          );
          expect(silent).toEqual([]);
          const seen = inItsPlace(shown, entry, place);
          const differs = new Set([
            ...differencesOf(entry, seen, told).map(({ path }) => path),
            ...CHARACTER_BOOK_FIELDS.filter((row) => !row.same(entry, seen)).map(({ path }) => path),
          ]);
          const known = CHARACTER_BOOK_FIELDS.map(({ path }) => path).filter((path) => said.has(path));
          expect(known.filter((path) => !differs.has(path))).toEqual([]);
        });
        for (const { code, before, after, entryId } of findings) {
          if (entryId !== null && code !== 'repaired')
            expect(JSON.stringify(before)).not.toBe(JSON.stringify(after));
        }
      }),
      RUNS,
    );
  });
  it('every field at once', () => {
    const resolved = characterInForce([lorebookOf([fullEntry('w0')])]);
    const { findings } = agnaiCharacter(resolved, keep('natural'));
    expect(findings.filter(({ message }) => message.includes('does not read back'))).toEqual([]);
  });
});

// Where the text of an entry that is off in the book really stands, seen in what was written.
function placeOf(
  meant: LorebookEntry,
  shown: LorebookEntry,
  card: JsonObject | undefined,
  texts: string,
): Place {
  const ranks = { weight: 0, priority: 0 };
  const isElsewhere = meant.enabled && meant.constant && !shown.enabled && card !== undefined;
  if (!isElsewhere || !texts.includes(JSON.stringify(meant.content).slice(1, -1)))
    return { kind: 'block', ...ranks };
  if (meant.position.slot === 'after_example') return { kind: 'examples', ...ranks };
  const { depth = 0 } = (card?.['insert'] ?? {}) as { depth?: number };
  return meant.position.slot === 'outlet' ? { kind: 'block', ...ranks } : { kind: 'insert', depth, ...ranks };
}
