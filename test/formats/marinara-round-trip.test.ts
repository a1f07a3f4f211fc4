// SillyTavern -> Marinara -> SillyTavern: the entries come back as they were, also after Marinara wrote the card anew;
// what was edited there stays edited. And nothing is lost in silence.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { withoutKey } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter } from '../../src/core/resolved.ts';
import { lorebookFromBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { type MarinaraOptions, shownEntry } from '../../src/formats/marinara/book-writing.ts';
import { marinaraCard, marinaraLorebooks } from '../../src/formats/marinara/card.ts';
import { differencesOf } from '../../src/formats/marinara/differences.ts';
import { readMarinaraLorebook } from '../../src/formats/marinara/native-lorebook.ts';
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
import { throughJson, worldEntriesOf, worldEntry, worldOf } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf, MARA } from '../support/in-force.ts';
import { type AppEntry, rewrittenCard } from '../support/marinara-app.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { seed: 20_260_701, numRuns: 150 };
const STYLES = ['natural', 'exact'] as const;
const keep = (style: 'natural' | 'exact'): MarinaraOptions => ({ style, privateFields: 'keep' });

const resolvedOf = (lorebooks: readonly CanonicalLorebook[]): ResolvedCharacter =>
  resolveCharacter({
    character: MARA,
    books: lorebooks.map((lorebook) => ({ lorebook, origin: 'primary' as const })),
    settings: SHIPPED_SCAN_SETTINGS,
    userName: 'Robin',
    avatar: 'Mara Lint.png',
  });

const cardOf = (lorebooks: readonly CanonicalLorebook[], options: MarinaraOptions): JsonObject =>
  throughJson(marinaraCard(resolvedOf(lorebooks), options).card);

/** An entry of every kind, with all that a world file can hold. */
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
    position: 7,
    outletName: 'shelf',
    triggers: ['swipe', 'quiet'],
    group: 'a,b',
    groupOverride: true,
    groupWeight: 30,
    useGroupScoring: true,
    sticky: 4,
    delayUntilRecursion: 2,
    matchPersonaDescription: true,
    automationId: 'au1',
    characterFilter: { isExclude: false, names: ['Mara Lint'], tags: ['t1'] },
    ignoreBudget: true,
    content: '@@activate\nPier note.',
  }),
  worldEntry(12, { key: [' '], position: 5, content: 'Blank.', vectorized: true }),
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
const bodyWithUids = (lorebook: CanonicalLorebook): readonly unknown[] => lorebook.body.entries.map(view);

describe.each(STYLES)('%s, there and back', (style) => {
  const sent = lorebookOfWorld(WORLD, 'Quay Notes');
  it.each<[string, (card: JsonObject) => JsonObject]>([
    ['unedited', (card) => card],
    ['after Marinara wrote the card anew', (card) => rewrittenCard(card)],
  ])('a world file, %s', (_, there) => {
    const [back, ...others] = readPieces(there(cardOf([sent], keep(style)))).lorebooks;
    expect(others).toEqual([]);
    expect(back?.name).toBe('Quay Notes');
    const again = worldEntriesOf(backToWorld(back as CanonicalLorebook));
    const own = worldEntriesOf(backToWorld(sent));
    expect(Object.keys(again)).toEqual(['3', '5', '9', '12']);
    // The same file without its uids, which SillyTavern's own way back would number anew.
    expect(Object.values(again).map((entry) => withoutKey(entry, 'uid'))).toEqual(
      Object.values(own).map((entry) => withoutKey(entry, 'uid')),
    );
    for (const [uid, entry] of Object.entries(worldEntriesOf(WORLD))) expect(again[uid]).toMatchObject(entry);
  });
  it.each<[string, (card: JsonObject) => JsonObject]>([
    ['unedited', (card) => card],
    ['after Marinara wrote the card anew', (card) => rewrittenCard(card)],
  ])('several books in one keep their boundaries, %s', (_, there) => {
    const other = lorebookOfWorld(
      worldOf(worldEntry(0, { key: ['tar'], order: 1, content: 'Tar.' })),
      'Tar Notes',
    );
    const empty = lorebookOfWorld(worldOf(), 'Nothing Yet');
    const card = cardOf([sent, other, empty], keep(style));
    const book = (card['data'] as JsonObject)['character_book'] as JsonObject;
    expect((book['extensions'] as JsonObject)['vaud_source_books']).toEqual([
      { name: 'Quay Notes', entryCount: 4 },
      { name: 'Tar Notes', entryCount: 1 },
      { name: 'Nothing Yet', entryCount: 0 },
    ]);
    const { lorebooks } = readPieces(there(card));
    expect(lorebooks.map(({ name, body }) => [name, body.entries.length])).toEqual([
      ['Quay Notes', 4],
      ['Tar Notes', 1],
      ['Nothing Yet', 0],
    ]);
    expect(bodyWithUids(lorebooks[0] as CanonicalLorebook)).toEqual(bodyWithUids(sent));
    expect(bodyWithUids(lorebooks[1] as CanonicalLorebook)).toEqual(bodyWithUids(other));
  });
  it("Marinara's own lorebook file", () => {
    const { lorebooks } = marinaraLorebooks(resolvedOf([sent]), keep(style));
    const [written] = lorebooks;
    const back = readMarinaraLorebook(throughJson(written?.json as Json), 'b', 'x');
    expect(back.lorebook.body.entries.map(view)).toEqual(bodyWithUids(sent));
    expect([back.lorebook.name, back.body.scanDepth, back.body.tokenBudget]).toEqual([
      'Quay Notes',
      null,
      null,
    ]);
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
    scan: { caseSensitive: null },
  });
  const other = entryOf(
    { title: 'Wick', content: 'Wick note.', keys: [{ kind: 'literal', text: 'wick' }] },
    'w1',
  );
  const edited = (edit: (entry: AppEntry) => AppEntry): readonly LorebookEntry[] => {
    const card = throughJson(
      marinaraCard(characterInForce([lorebookOf([original, other])]), keep('exact')).card,
    );
    return entriesBack(rewrittenCard(card, (entry) => (entry.name === 'Lamp' ? edit(entry) : entry)));
  };
  it.each<[string, (entry: AppEntry) => AppEntry, readonly string[]]>([
    ['the text', (entry) => ({ ...entry, content: 'New.' }), ['content']],
    ['the place', (entry) => ({ ...entry, position: 1 }), ['position.slot', 'position.depth']],
    ['the chance', (entry) => ({ ...entry, probability: 55 }), ['probability.chance']],
    ['the title', (entry) => ({ ...entry, name: 'New' }), ['title']],
    ['a key', (entry) => ({ ...entry, keys: [...entry.keys, 'new'] }), ['keys']],
    ['the text and the title', (entry) => ({ ...entry, name: 'New', content: 'New.' }), ['content', 'title']],
  ])('%s', (_, edit, paths) => {
    const [first, second] = edited(edit);
    const changed = CHARACTER_BOOK_FIELDS.filter((row) => !row.same(original, first as LorebookEntry));
    expect(changed.map(({ path }) => path).sort()).toEqual([...paths].sort());
    expect(view(second as LorebookEntry)).toEqual(view(other));
  });
  it('an entry that was made there has only what stands there, and a removed one is gone', () => {
    const card = throughJson(
      marinaraCard(characterInForce([lorebookOf([original, other])]), keep('exact')).card,
    );
    const there = rewrittenCard(card);
    const data = there['data'] as JsonObject;
    const book = data['character_book'] as JsonObject;
    const kept = (book['entries'] as readonly JsonObject[]).find((each) => each['name'] === 'Wick');
    const made = {
      ...kept,
      id: 7,
      name: 'New',
      comment: 'New',
      content: 'Made there.',
      keys: ['fresh'],
      position: 4,
      depth: 6,
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
  it('private fields come back only when they were kept', () => {
    const card = throughJson(
      marinaraCard(characterInForce([lorebookOf([original])]), { style: 'exact' }).card,
    );
    expect(entriesBack(rewrittenCard(card))[0]).toMatchObject({
      automationId: '',
      triggers: ['swipe', 'normal'],
    });
  });
});

describe('nothing is lost in silence', () => {
  const pathsOf = (findings: readonly Finding[], entryId: string): ReadonlySet<string> =>
    new Set(findings.filter((each) => each.entryId === entryId).map(({ path }) => path));
  it.each(STYLES)('%s: what reads back otherwise has a finding, and nothing is unforeseen', (style) => {
    fc.assert(
      fc.property(anyFilledBook, (raw) => {
        const book = lorebookFromBook(raw, 'data.character_book', 'x');
        const resolved = resolvedOf([book]);
        for (const form of ['card', 'native'] as const) {
          const written =
            form === 'card' ? marinaraCard(resolved, keep(style)) : marinaraLorebooks(resolved, keep(style));
          const json = throughJson(
            'card' in written
              ? (written.card['data'] as JsonObject)['character_book']
              : written.lorebooks[0]?.json['data'],
          ) as JsonObject;
          expect(written.findings.filter(({ message }) => message.includes('does not read back'))).toEqual(
            [],
          );
          const entries = json['entries'] as readonly JsonObject[];
          const data = 'card' in written ? (written.card['data'] as JsonObject) : null;
          const stash =
            data === null ? null : ((data['extensions'] as JsonObject)['loreferry'] as JsonObject);
          const stashes = stash === null ? entries.map((each) => each['loreferry']) : stash['entries'];
          const places = (stashes as readonly { readonly at: number }[]).map(({ at }) => at);
          resolved.books[0]?.entries.forEach(({ entry, source }, at) => {
            const held = entries[places.indexOf(at)] as JsonObject;
            const { extensions: _own, loreferry: _stash, ...bare } = held;
            const shown = shownEntry(bare, form, source.id);
            const said = pathsOf(written.findings, source.id);
            const silent = differencesOf(entry, shown, { meant: 2, read: 2 }).filter(
              ({ path }) => !said.has(path),
            );
            expect(silent).toEqual([]);
          });
          for (const { code, before, after, entryId } of written.findings) {
            if (entryId !== null && code !== 'repaired')
              expect(JSON.stringify(before)).not.toBe(JSON.stringify(after));
          }
        }
      }),
      RUNS,
    );
  });
  it('every field at once', () => {
    const resolved = characterInForce([lorebookOf([fullEntry('w0')])]);
    const { findings } = marinaraCard(resolved, keep('natural'));
    expect(findings.filter(({ message }) => message.includes('does not read back'))).toEqual([]);
  });
});
