// SillyTavern -> Lumiverse -> SillyTavern: the entries come back as they were, also after Lumiverse wrote the card anew;
// what was edited there stays edited. And nothing is lost in silence.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { CanonicalCharacter } from '../../src/core/character.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { withoutKey } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter } from '../../src/core/resolved.ts';
import { lorebookFromBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { type LumiverseOptions, shownEntry } from '../../src/formats/lumiverse/book-writing.ts';
import { lumiverseCard, lumiverseLorebooks } from '../../src/formats/lumiverse/card.ts';
import { differencesOf } from '../../src/formats/lumiverse/differences.ts';
import { readLumiverseWorldBook } from '../../src/formats/lumiverse/native-book.ts';
import { NOTE_TITLE } from '../../src/formats/lumiverse/note-entry.ts';
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
import {
  type AppBook,
  type AppEntry,
  editedBooks,
  exportedCard,
  exportedModules,
  importedBooks,
  nativeFile,
} from '../support/lumiverse-app.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { seed: 20_261_130, numRuns: 120 };
const STYLES = ['natural', 'exact'] as const;
const keep = (style: 'natural' | 'exact'): LumiverseOptions => ({ style, privateFields: 'keep' });

const resolvedOf = (
  lorebooks: readonly CanonicalLorebook[],
  character: CanonicalCharacter = MARA,
): ResolvedCharacter =>
  resolveCharacter({
    character,
    books: lorebooks.map((lorebook) => ({ lorebook, origin: 'primary' as const })),
    settings: SHIPPED_SCAN_SETTINGS,
    userName: 'Robin',
    avatar: 'Mara Lint.png',
  });

/** What is handed over: the card, and what lies beside it in a charx. */
interface Handed {
  readonly card: JsonObject;
  readonly modules?: JsonObject;
}
const handed = (resolved: ResolvedCharacter, options: LumiverseOptions): Required<Handed> => {
  const { card, modules } = lumiverseCard(resolved, 'charx', options);
  return { card: throughJson(card), modules: throughJson(modules) };
};

/** The ways that a card goes: as it is, imported as a charx or as a PNG, and exported again as one or the other. */
type Way = (there: Required<Handed>, edit?: (books: readonly AppBook[]) => readonly AppBook[]) => Handed;
const WAYS: readonly (readonly [string, Way])[] = [
  ['as it is, as a PNG', ({ card }) => ({ card })],
  ['as it is, as a charx', (there) => there],
  [
    'charx to charx',
    ({ card, modules }, edit = (books) => books) => {
      const books = edit(importedBooks(card, modules));
      return { card: exportedCard(card, books), modules: exportedModules(books) };
    },
  ],
  [
    'charx to PNG',
    ({ card, modules }, edit = (books) => books) => ({
      card: exportedCard(card, edit(importedBooks(card, modules))),
    }),
  ],
  [
    'PNG to PNG',
    ({ card }, edit = (books) => books) => ({ card: exportedCard(card, edit(importedBooks(card))) }),
  ],
  [
    'PNG to charx',
    ({ card }, edit = (books) => books) => {
      const books = edit(importedBooks(card));
      return { card: exportedCard(card, books), modules: exportedModules(books) };
    },
  ],
];
const THROUGH_THE_APP = WAYS.filter(([name]) => name.includes(' to '));

const piecesOf = ({ card, modules }: Handed) => readPieces(card, modules);
const entriesBack = (back: Handed): readonly LorebookEntry[] =>
  piecesOf(back).lorebooks.flatMap(({ body }) => body.entries);

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

const view = (entry: LorebookEntry): unknown => [
  Object.fromEntries(CHARACTER_BOOK_FIELDS.map((row) => [row.path, row.show(entry)])),
  entry.bag.entry,
  entry.bag.extensions,
];
const views = (lorebook: CanonicalLorebook): readonly unknown[] => lorebook.body.entries.map(view);

describe.each(STYLES)('%s, there and back', (style) => {
  const sent = lorebookOfWorld(WORLD, 'Quay Notes');
  it.each(WAYS)('a world file, %s', (_, way) => {
    const [back, ...others] = piecesOf(way(handed(resolvedOf([sent]), keep(style)))).lorebooks;
    expect(others).toEqual([]);
    expect(back?.name).toBe('Quay Notes');
    expect(back?.body.description).toBe('');
    const again = worldEntriesOf(backToWorld(back as CanonicalLorebook));
    const own = worldEntriesOf(backToWorld(sent));
    expect(Object.values(again).map((entry) => withoutKey(entry, 'uid'))).toEqual(
      Object.values(own).map((entry) => withoutKey(entry, 'uid')),
    );
    const sentEntries = Object.values(worldEntriesOf(WORLD)).map((entry) => withoutKey(entry, 'uid'));
    for (const [at, entry] of sentEntries.entries()) expect(Object.values(again)[at]).toMatchObject(entry);
  });
  it.each(WAYS)('several books keep their boundaries, %s', (_, way) => {
    const other = lorebookOfWorld(
      worldOf(worldEntry(0, { key: ['tar'], order: 1, content: 'Tar.' })),
      'Tar Notes',
    );
    const { lorebooks } = piecesOf(way(handed(resolvedOf([sent, other]), keep(style))));
    expect(lorebooks.map(({ name, body }) => [name, body.entries.length])).toEqual([
      ['Quay Notes', 4],
      ['Tar Notes', 1],
    ]);
    expect(views(lorebooks[0] as CanonicalLorebook)).toEqual(views(sent));
    expect(views(lorebooks[1] as CanonicalLorebook)).toEqual(views(other));
  });
  it("Lumiverse's own world book, as written and as the app writes it again", () => {
    const { lorebooks } = lumiverseLorebooks(resolvedOf([sent]), keep(style));
    const json = throughJson(lorebooks[0]?.json as Json) as JsonObject;
    const [book] = importedBooks({ data: { name: 'x' } }, { world_books: [json] });
    for (const file of [json, nativeFile({ ...(book as AppBook), metadata: { source: 'import' } })]) {
      const { lorebook } = readLumiverseWorldBook(file, 'b', 'x');
      expect(views(lorebook)).toEqual(views(sent));
      expect(lorebook.name).toBe('Quay Notes');
    }
  });
  it('any book', () => {
    fc.assert(
      fc.property(anyFilledBook, (raw) => {
        const book = lorebookFromBook(raw, 'data.character_book', 'x');
        const there = handed(resolvedOf([book]), keep(style));
        const own = book.body.entries.map((entry) => view(deepFreeze(throughJson(entry))));
        for (const [, way] of WAYS) expect(entriesBack(way(there)).map(view)).toEqual(own);
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
  const wick = { kind: 'literal', text: 'wick' } as const;
  const other = entryOf({ title: 'Wick', content: 'Wick note.', keys: [wick] }, 'w1');
  const there = handed(characterInForce([lorebookOf([original, other])]), keep('exact'));
  const edits: readonly (readonly [string, (entry: AppEntry) => AppEntry, readonly string[]])[] = [
    ['the text', (entry) => ({ ...entry, content: 'New.' }), ['content']],
    ['the place', (entry) => ({ ...entry, position: 1 }), ['position.depth', 'position.slot']],
    [
      'an outlet',
      (entry) => ({ ...entry, position: 8, outlet_name: 'o' }),
      ['position.depth', 'position.outlet', 'position.slot'],
    ],
    ['the depth', (entry) => ({ ...entry, depth: 9 }), ['position.depth', 'position.slot']],
    [
      'the role',
      (entry) => ({ ...entry, role: 'user' }),
      ['position.depth', 'position.role', 'position.slot'],
    ],
    ['the chance', (entry) => ({ ...entry, probability: 55 }), ['probability.chance']],
    ['the logic', (entry) => ({ ...entry, selective_logic: 1 }), ['logic']],
    ['the title', (entry) => ({ ...entry, comment: 'New' }), ['title']],
    ['a key', (entry) => ({ ...entry, key: [...entry.key, 'new'] }), ['keys']],
    ['the scan depth', (entry) => ({ ...entry, scan_depth: 7 }), ['scan.depth']],
    [
      'the text and the title',
      (entry) => ({ ...entry, comment: 'New', content: 'New.' }),
      ['content', 'title'],
    ],
  ];
  it.each(edits.flatMap((edit) => THROUGH_THE_APP.map(([name, way]) => [edit[0], name, edit, way] as const)))(
    '%s, %s',
    (_edit, _way, [, edit, paths], way) => {
      const back = way(there, (books) =>
        editedBooks(books, (entry) => (entry.comment === 'Lamp' ? edit(entry) : entry)),
      );
      const [first, second] = entriesBack(back);
      const changed = CHARACTER_BOOK_FIELDS.filter((row) => !row.same(original, first as LorebookEntry));
      expect(changed.map(({ path }) => path).sort()).toEqual([...paths].sort());
      expect(view(second as LorebookEntry)).toEqual(view(other));
    },
  );
  it.each(THROUGH_THE_APP)('the name and the description of the book, %s', (_, way) => {
    const back = way(there, (books) =>
      books.map((book) => ({ ...book, name: 'Pier', description: 'Of it.' })),
    );
    expect(piecesOf(back).lorebooks.map(({ name, body }) => [name, body.description])).toEqual([
      ['Pier', 'Of it.'],
    ]);
  });
  it.each(THROUGH_THE_APP)(
    'an entry that was made there has only what stands there, and a removed one is gone, %s',
    (_, way) => {
      const back = way(there, (books) =>
        books.map((book) => {
          const kept = book.entries.find(({ comment }) => comment === 'Wick') as AppEntry;
          const made = {
            ...kept,
            comment: 'New',
            content: 'Made there.',
            key: ['fresh'],
            position: 4,
            depth: 6,
            extensions: {},
          };
          return { ...book, entries: [kept, made] };
        }),
      );
      const entries = entriesBack(back);
      expect(entries.map(({ title }) => title)).toEqual(['Wick', 'New']);
      expect(view(entries[0] as LorebookEntry)).toEqual(view(other));
      expect(entries[1]).toMatchObject({
        position: { slot: 'depth', depth: 6 },
        automationId: '',
        content: 'Made there.',
      });
    },
  );
  it('private fields come back only when they were kept', () => {
    const dropped = handed(characterInForce([lorebookOf([original])]), { style: 'exact' });
    for (const [, way] of WAYS) {
      expect(entriesBack(way(dropped))[0]).toMatchObject({
        automationId: '',
        triggers: ['swipe', 'normal'],
      });
    }
  });
});

describe("the character's note", () => {
  const note = { prompt: 'Whisper.', depth: 3, role: 'user' };
  const { character } = readPieces(cardWith(undefined, { extensions: { depth_prompt: note } }));
  const there = handed(resolvedOf([lorebookOf([entryOf()])], character), keep('natural'));
  const noteOf = (back: Handed): unknown => piecesOf(back).character.body.extensions['depth_prompt'] ?? null;
  it('is an entry that always fires at its depth and starts none', () => {
    const book = (there.card['data'] as JsonObject)['character_book'] as JsonObject;
    expect((book['entries'] as readonly JsonObject[])[1]).toMatchObject({
      comment: NOTE_TITLE,
      constant: true,
      content: 'Whisper.',
      position: 4,
      depth: 3,
      role: 'user',
      extensions: { prevent_recursion: true },
    });
  });
  it.each(WAYS)('is the note again on the way back, %s', (_, way) => {
    const back = way(there);
    expect(entriesBack(back).map(({ content }) => content)).toEqual(['Lamp note.']);
    expect(noteOf(back)).toEqual(note);
  });
  it.each(THROUGH_THE_APP)(
    'keeps what was edited there, and is an entry once it can be no note, %s',
    (_, way) => {
      const edited = way(there, (books) =>
        editedBooks(books, (entry) =>
          entry.comment === NOTE_TITLE ? { ...entry, content: 'Shout.', depth: 1 } : entry,
        ),
      );
      expect(entriesBack(edited).map(({ content }) => content)).toEqual(['Lamp note.']);
      expect(noteOf(edited)).toEqual({ prompt: 'Shout.', depth: 1, role: 'user' });
      const keyed = way(there, (books) =>
        editedBooks(books, (entry) =>
          entry.comment === NOTE_TITLE ? { ...entry, constant: false, key: ['lamp'] } : entry,
        ),
      );
      const [, entry] = entriesBack(keyed);
      expect(entry).toMatchObject({
        content: 'Whisper.',
        constant: false,
        position: { slot: 'depth', depth: 3 },
      });
      expect(entry?.bag.extensions).not.toHaveProperty('loreferry');
    },
  );
  it('is no entry of a world book that was exported alone, unless it was edited and no card has it', () => {
    const [book] = importedBooks(there.card, there.modules);
    const contents = (edited: AppBook): readonly string[] => {
      const { lorebook } = readLumiverseWorldBook(nativeFile(edited), 'b', 'x');
      return lorebook.body.entries.map(({ content }) => content);
    };
    expect(contents(book as AppBook)).toEqual(['Lamp note.']);
    const [edited] = editedBooks([book as AppBook], (entry) =>
      entry.comment === NOTE_TITLE ? { ...entry, content: 'Shout.' } : entry,
    );
    expect(contents(edited as AppBook)).toEqual(['Lamp note.', 'Shout.']);
  });
  it.each(WAYS)('alone makes a book of its own, and none on the way back, %s', (_, way) => {
    const back = way(handed(resolvedOf([], character), keep('natural')));
    expect(piecesOf(back).lorebooks).toEqual([]);
    expect(noteOf(back)).toEqual(note);
  });
  it('leaves no stash in the card that comes back', () => {
    const { body, original } = piecesOf(there).character;
    expect(body.extensions).toEqual({ depth_prompt: note });
    for (const { raw } of Object.values(original))
      expect(((raw as JsonObject)['data'] as JsonObject)['extensions']).toEqual({ depth_prompt: note });
  });
});

describe('nothing is lost in silence', () => {
  const pathsOf = (findings: readonly Finding[], entryId: string): ReadonlySet<string> =>
    new Set(findings.filter((each) => each.entryId === entryId).map(({ path }) => path));
  const FORMS = ['card', 'native'] as const;
  it.each(STYLES)('%s: what reads back otherwise has a finding, and nothing is unforeseen', (style) => {
    fc.assert(
      fc.property(anyFilledBook, (raw) => {
        const book = lorebookFromBook(raw, 'data.character_book', 'x');
        const resolved = resolvedOf([book]);
        for (const form of FORMS) {
          const written = lumiverseCard(resolved, form === 'card' ? 'card' : 'charx', keep(style));
          const { findings } = written;
          const json = throughJson(
            form === 'card'
              ? (written.card['data'] as JsonObject)['character_book']
              : (written.modules['world_books'] as readonly Json[])[0],
          ) as JsonObject;
          expect(findings.filter(({ message }) => message.includes('does not read back'))).toEqual([]);
          const entries = json['entries'] as readonly JsonObject[];
          const stashes = entries.map(
            (each) => (each['extensions'] as JsonObject)['loreferry'] as JsonObject,
          );
          resolved.books[0]?.entries.forEach(({ entry, source }, at) => {
            const held = entries[stashes.findIndex((stash) => stash['at'] === at)] as JsonObject;
            const bag = withoutKey(held['extensions'] as JsonObject, 'loreferry');
            const shown = shownEntry({ ...held, extensions: bag }, form, source.id);
            const said = pathsOf(findings, source.id);
            expect(differencesOf(entry, shown).filter(({ path }) => !said.has(path))).toEqual([]);
          });
          for (const { code, before, after, entryId } of findings) {
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
    for (const carrier of ['card', 'charx'] as const) {
      const { findings } = lumiverseCard(resolved, carrier, keep('natural'));
      expect(findings.filter(({ message }) => message.includes('does not read back'))).toEqual([]);
    }
  });
});
