// The case files that are about reading, locating and writing a lorebook. Each test is named after the outcome that
// its `.expect.md` asks for; what a case says about the panel or about other targets is tested there.

import { describe, expect, it } from 'vitest';
import type { ContainerRead } from '../../src/containers/container.ts';
import { emitPieces, readPieces } from '../../src/convert.ts';
import { compareEntries } from '../../src/core/compare.ts';
import type { Finding } from '../../src/core/finding.ts';
import { sameFingerprint } from '../../src/core/fingerprint.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import { findCharacterBooks } from '../../src/formats/_shared/book-slots.ts';
import { CHARACTER_BOOK_TABLE, lorebookToCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { readWorldInfo } from '../../src/formats/sillytavern/world-info.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { inspectFile } from '../../src/inspection/inspection.ts';
import type { OpenedFile } from '../../src/open-file.ts';
import { openJson } from '../../src/open-file.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { bookEntry, cardWith, readCase, throughJson, worldEntriesOf } from '../support/fixtures.ts';
import { changedPaths, leafDifferences } from '../support/leaves.ts';
import { edited } from '../support/sillytavern.ts';

const primary = (card: Json): CanonicalLorebook => readPieces(card).lorebooks[0] as CanonicalLorebook;
const worldOfCard = (card: Json): JsonObject =>
  throughJson(worldFromLorebook(primary(card), { character: 'Mara Lint', slot: 'data.character_book' }));
const bookFrom = (world: JsonObject): JsonObject => {
  const { lorebook } = lorebookFromWorld(world, 'w', 'x');
  return lorebookToCharacterBook(lorebook.body, lorebook.original[CHARACTER_BOOK]);
};
const reembedded = (card: JsonObject, world = worldOfCard(card)): JsonObject => {
  const pieces = readPieces(card);
  const { lorebook } = lorebookFromWorld(world, pieces.lorebooks[0]?.id ?? '', 'x');
  return throughJson(emitPieces({ ...pieces, lorebooks: [lorebook] }, 'sillytavern').card);
};
const open = (json: Json, name = 'file.json'): OpenedFile =>
  openJson({ kind: 'json', json, copies: [{ json }], notes: [] } satisfies ContainerRead, name);
const inspect = (json: Json) => inspectFile(open(json));
const about = (findings: readonly Finding[], path: string) =>
  findings.filter((each) => each.path === path).map(({ entryId, code, before }) => [entryId, code, before]);

describe('18', () => {
  const card = readCase('18-');
  it('extract keeps all eight precise positions 0-7 with depth 3/role assistant on P4 and outlet "shelf" on P7', () => {
    const world = Object.values(worldEntriesOf(worldOfCard(card)));
    expect(world.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(world[4]).toMatchObject({ comment: 'P4', depth: 3, role: 2 });
    expect(world[7]).toMatchObject({ comment: 'P7', outletName: 'shelf' });
    expect(world.map(({ displayIndex }) => displayIndex)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
    expect(world.map(({ selectiveLogic }) => selectiveLogic)).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  });
  it('and puts them back', () => {
    expect(leafDifferences(card, reembedded(card))).toEqual([]);
  });
});

describe('19', () => {
  it('a round trip must not turn precise position 4 into 2; depth 2, role user, the regex key and the recursion and vector flags survive', () => {
    const world = readCase('19-');
    const [lamp, regex] = throughJson(bookFrom(world))['entries'] as readonly JsonObject[];
    expect(lamp).toMatchObject({
      position: 'after_char',
      extensions: { position: 4, depth: 2, role: 1, exclude_recursion: true },
    });
    expect(regex).toMatchObject({ keys: ['/l[ae]mp/i'], use_regex: true, extensions: { vectorized: true } });
    const back = primary(cardWith(throughJson(bookFrom(world))));
    expect(sameFingerprint(back.body)).toBe(sameFingerprint(readWorldInfo(world, 'w').body));
    expect(back.body.entries[1]?.keys[0]?.kind).toBe('regex');
  });
});

describe('20', () => {
  it('every V3-only card field, every book-level setting and every entry field is still present after extract then re-embed without edits', () => {
    const card = readCase('20-');
    expect(leafDifferences(card, reembedded(card))).toEqual([]);
  });
});

describe('21', () => {
  const card = readCase('21-');
  it('title and memo stay two separate values through extract, edit of the content only, and re-embed; probability 35, sticky 2, scan depth 5 and whole-word stay', () => {
    const world = worldOfCard(card);
    expect(primary(card).body.entries[0]).toMatchObject({
      title: 'The Lamp',
      memo: 'author memo: keep short',
    });
    expect(worldEntriesOf(world)['0']).toMatchObject({
      comment: 'author memo: keep short',
      probability: 35,
      sticky: 2,
      scanDepth: 5,
      matchWholeWords: true,
    });
    const written = reembedded(card, edited(world, 0, { content: 'Edited.' }));
    expect(changedPaths(card, written)).toEqual(['data.character_book.entries.0.content']);
  });
});

describe('23', () => {
  it('the four logics 0 AND ANY, 1 NOT ALL, 2 NOT ANY, 3 AND ALL stay distinct in the world file and in the re-embedded card', () => {
    const card = readCase('23-');
    expect(primary(card).body.entries.map(({ logic }) => logic)).toEqual([
      'and_any',
      'not_all',
      'not_any',
      'and_all',
    ]);
    expect(
      Object.values(worldEntriesOf(worldOfCard(card))).map(({ selectiveLogic }) => selectiveLogic),
    ).toEqual([0, 1, 2, 3]);
    expect(leafDifferences(card, reembedded(card))).toEqual([]);
  });
});

describe('25', () => {
  const card = readCase('25-');
  const { findings, lorebooks } = readPieces(card);
  const entries = lorebooks[0]?.body.entries as readonly LorebookEntry[];
  it('keys of the form /pattern/flags are recognised as regex (0, 2 and the first key of 4), "AC/DC" and "/home/user" as text', () => {
    expect(entries.map(({ keys }) => keys.map(({ kind }) => kind))).toEqual([
      ['regex'],
      ['literal', 'literal'],
      ['regex'],
      ['literal'],
      ['regex', 'literal'],
    ]);
  });
  it('entry 3 is flagged as an uncompilable pattern, and entry 4 is flagged mixed so that no exporter sets an all-regex flag on it', () => {
    const flagged = findings.filter(({ path }) => path === 'keys');
    expect(flagged.map(({ entryId, code }) => [entryId, code])).toEqual([
      ['e3', 'assumed'],
      ['e4', 'assumed'],
    ]);
    expect(flagged[0]?.message).toMatch(/does not compile/);
    expect(flagged[1]?.message).toMatch(/some keys are regexes and some are plain text/);
    const written = lorebookToCharacterBook(lorebooks[0]?.body as CanonicalLorebook['body']);
    expect((written['entries'] as readonly JsonObject[]).map((entry) => entry['use_regex'])).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});

describe('26', () => {
  const card = readCase('26-');
  it('extensions.position as an integer, a digit string or a known word is precise; an entry-level number or digit string names its slot; the rest falls back to after the character', () => {
    const { entries } = inspect(card);
    expect(entries.map(({ slot, agreement }) => [slot, agreement])).toEqual([
      ['world', 'invalid'],
      ['character', 'invalid'],
      ['world', 'invalid'],
      ['character', 'invalid'],
      ['character', 'invalid'],
      ['character', 'assumed'],
      ['character', 'assumed'],
      ['depth', 'agree'],
      ['world', 'conflict'],
    ]);
  });
  it("with a `repaired` finding that SillyTavern's own import would have put it after the character", () => {
    const { findings } = readPieces(card);
    const own = findings.filter(
      ({ path, message }) => path === 'position.slot' && /SillyTavern's own import/.test(message),
    );
    expect(own.map(({ entryId, code }) => [entryId, code])).toEqual([
      ['e0', 'repaired'],
      ['e1', 'repaired'],
      ['e2', 'repaired'],
    ]);
    expect(
      about(findings, 'position.slot')
        .filter(([, code]) => code === 'repaired')
        .map(([id]) => id),
    ).toEqual(['e0', 'e1', 'e2', 'e7', 'e8']);
  });
  it('nothing is changed by reading', () => {
    expect(leafDifferences(card, reembedded(card))).toEqual([]);
  });
});

describe('35', () => {
  it('all text and keys survive byte-exact', () => {
    const card = readCase('35-');
    expect(primary(card).body.entries.map(({ keys }) => keys.map(writeKey))).toEqual([
      ['灯台'],
      ['маяк'],
      ['منارة'],
      ['램프'],
    ]);
    expect(JSON.stringify(reembedded(card))).toBe(JSON.stringify(card));
  });
});

describe('38', () => {
  it('the entries are not reported as broken; each position and the empty outlet name are read as they are', () => {
    const { entries, findings } = inspect(readCase('38-'));
    expect(findings).toEqual([]);
    expect(entries.map(({ slot, outlet, depth, agreement }) => [slot, outlet, depth, agreement])).toEqual([
      ['world', null, null, 'precise-only'],
      ['outlet', '', null, 'precise-only'],
      ['before_example', null, null, 'precise-only'],
      ['depth', null, 0, 'precise-only'],
    ]);
  });
});

describe('43', () => {
  it('dashes, curly quotes, emoji and a character outside the basic plane come back identical', () => {
    const card = readCase('43-');
    expect(JSON.stringify(reembedded(card))).toBe(JSON.stringify(card));
    expect(primary(card).body.entries[0]?.content).toBe('Candle — “still” lit… 🙂 𠮷');
  });
});

describe('45', () => {
  const cards = readCase('45-') as unknown as readonly JsonObject[];
  it.each(
    cards.map(
      (card, index) =>
        [
          card['label'],
          card,
          ['character_book', 'data.extensions.character_book', 'data.characterBook'][index],
        ] as const,
    ),
  )('%s: yields one entry and the slot in which the book was found is named', (_, card, slot) => {
    const { books, entries } = inspect(card);
    expect(books.map((book) => [book.slot, book.entryCount])).toEqual([[slot, 1]]);
    expect(entries.map(({ title, keys }) => [title, keys])).toEqual([['Lamp', ['lamp']]]);
  });
  it('a book in the standard slot always wins over the others', () => {
    const standard = { name: 'Standard', entries: [bookEntry({ content: 'Standard.' })] };
    for (const card of cards) {
      const data = (card['data'] ?? {}) as JsonObject;
      const both = deepFreeze({ ...card, data: { ...data, character_book: standard } });
      const { lorebooks, slots } = readPieces(both);
      expect(lorebooks[0]?.body.entries[0]?.content).toBe('Standard.');
      expect(slots.get(lorebooks[0]?.id ?? '')).toBe('data.character_book');
    }
  });
  it('an unedited export puts the book into the standard slot, and it is then found once', () => {
    for (const card of cards) {
      const written = throughJson(emitPieces(readPieces(card), 'sillytavern').card);
      const { lorebooks, slots } = readPieces(written);
      expect(lorebooks.map(({ id }) => slots.get(id))).toEqual(['data.character_book']);
      expect(lorebooks[0]?.body.entries.map(({ title }) => title)).toEqual(['Lamp']);
    }
  });
});

describe('46', () => {
  it('is treated exactly like a card with no book: no error, no empty world file', () => {
    const card = readCase('46-');
    const { lorebooks, findings, character } = readPieces(card);
    expect([lorebooks, findings, character.body.knowledgeRefs]).toEqual([[], [], []]);
    expect(emitPieces(readPieces(card), 'sillytavern').card).toBe(card);
  });
});

describe('47', () => {
  it('a world info file is told from a character by its content', () => {
    const world = readCase('47-');
    expect(open(world)).toMatchObject({ kind: 'worldinfo' });
    expect(inspect(world)).toMatchObject({
      kind: 'worldinfo',
      spec: null,
      name: 'Quay Notes',
      books: [{ slot: 'worldinfo', entryCount: 1 }],
    });
    expect(() => readPieces(world)).toThrow(/not a character card/);
  });
});

describe('50', () => {
  it('a V1 card without a book imports without an offer', () => {
    const card = readCase('50-');
    expect(inspect(card)).toMatchObject({
      kind: 'card',
      spec: 'v1',
      name: 'Mara Lint',
      books: [],
      entries: [],
      findings: [],
    });
    expect(emitPieces(readPieces(card), 'sillytavern').card).toBe(card);
  });
});

describe('51', () => {
  const card = readCase('51-');
  it('extract followed by re-embed without edits returns every unknown key at every level with the same value', () => {
    expect(leafDifferences(card, reembedded(card))).toEqual([]);
  });
  it('after an edit of one entry only that entry changes', () => {
    const written = reembedded(card, edited(worldOfCard(card), 0, { content: 'Edited.' }));
    expect(changedPaths(card, written)).toEqual(['data.character_book.entries.0.content']);
  });
});

describe('53', () => {
  it('is recognised as a spec-shaped book in a world file: two entries, orders 10 and 20, the second disabled', () => {
    const inspection = inspect(readCase('53-'));
    expect(inspection).toMatchObject({
      kind: 'lorebook',
      name: 'Spec shaped',
      books: [{ slot: 'worldinfo' }],
    });
    expect(inspection.entries.map(({ order, enabled }) => [order, enabled])).toEqual([
      [10, true],
      [20, false],
    ]);
  });
  it('and is never indexed by array position as if that were uids', () => {
    const shifted = {
      ...readCase('53-'),
      entries: (readCase('53-')['entries'] as readonly JsonObject[]).map((entry, index) => ({
        ...entry,
        id: index + 5,
      })),
    };
    expect(inspect(shifted).entries.map(({ originalId }) => originalId)).toEqual([5, 6]);
  });
});

describe('54', () => {
  it('both entries are read even though entries is an object and the second uses world-file field names; the mixed dialect is mentioned', () => {
    const card = readCase('54-');
    const { entries, findings } = inspect(card);
    expect(
      entries.map(({ title, keys, order, slot, enabled, originalId }) => ({
        title,
        keys,
        order,
        slot,
        enabled,
        originalId,
      })),
    ).toEqual([
      { title: 'Lamp', keys: ['lamp'], order: 100, slot: 'world', enabled: true, originalId: 0 },
      { title: '', keys: ['quay'], order: 7, slot: 'depth', enabled: true, originalId: 5 },
    ]);
    expect(entries[1]?.depth).toBe(2);
    const mixed = findings.filter(({ path }) => path === 'dialect');
    expect(mixed.map(({ entryId, code }) => [entryId, code])).toEqual([['e1', 'assumed']]);
    expect(leafDifferences(card, reembedded(card))).toEqual([]);
  });
});

describe('56', () => {
  it('the extracted file is unchanged', () => {
    const card = readCase('56-');
    const keys = Object.values(worldEntriesOf(worldOfCard(card))).map(({ key }) => key);
    expect(keys).toEqual([[' '], ['\n'], [''], [' lamp '], []]);
    expect(Object.values(worldEntriesOf(worldOfCard(card))).map(({ constant }) => constant)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(readPieces(card).findings).toEqual([]);
    expect(leafDifferences(card, reembedded(card))).toEqual([]);
  });
});

describe('58', () => {
  it('a card with no extensions at any of the three levels and no book name extracts one entry under a name derived from the character', () => {
    const card = readCase('58-');
    expect(primary(card).name).toBe("Mara Lint's Lorebook");
    expect(Object.values(worldEntriesOf(worldOfCard(card)))).toMatchObject([{ content: 'Lamp note.' }]);
    expect(leafDifferences(card, reembedded(card))).toEqual([]);
  });
});

describe('61', () => {
  it('the linked world is embedded (1 entry) although the card itself carried no book', () => {
    const scenario = readCase('61-');
    const [card] = scenario['cards'] as readonly JsonObject[];
    const world = (scenario['worlds'] as JsonObject)['Quay Notes'] as JsonObject;
    const pieces = readPieces(card as JsonObject);
    expect(pieces.lorebooks).toEqual([]);
    const { lorebook } = lorebookFromWorld(world, 'w', 'Quay Notes');
    const character = { ...pieces.character, body: { ...pieces.character.body, knowledgeRefs: ['w'] } };
    const { card: written } = emitPieces({ ...pieces, character, lorebooks: [lorebook] }, 'sillytavern');
    expect(findCharacterBooks(throughJson(written)).books).toMatchObject([
      {
        slot: 'data.character_book',
        raw: { entries: [{ content: 'Lamp note.', keys: ['lamp'], position: 'before_char' }] },
      },
    ]);
    // Everything else of the card is as it was.
    expect(changedPaths(card, written).every((path) => path.startsWith('data.character_book.'))).toBe(true);
  });
});

describe('62', () => {
  it('the two copies differ (1 changed, 1 added)', () => {
    const scenario = readCase('62-');
    const [card] = scenario['cards'] as readonly JsonObject[];
    const world = (scenario['worlds'] as JsonObject)['Quay Notes'] as JsonObject;
    const embedded = primary(card as JsonObject).body;
    const live = lorebookFromWorld(world, 'w', 'Quay Notes').lorebook.body;
    expect(sameFingerprint(embedded)).not.toBe(sameFingerprint(live));
    const content = CHARACTER_BOOK_TABLE.fields.filter(({ path }) => path === 'content' || path === 'keys');
    const difference = compareEntries(embedded.entries, live.entries, content);
    expect(difference.changed.map(({ paths }) => paths)).toEqual([['content']]);
    expect(difference.added.map(({ title }) => title)).toEqual(['New']);
    expect(difference.removed).toEqual([]);
  });
});

describe('68', () => {
  it('saved as a spec book it has an entries array, spec names at entry top level and everything ST-specific inside extensions; position is the word, extensions.position is 4', () => {
    const book = throughJson(bookFrom(readCase('68-')));
    expect(Array.isArray(book['entries'])).toBe(true);
    const [entry] = book['entries'] as readonly JsonObject[];
    const SPEC = [
      'id',
      'keys',
      'secondary_keys',
      'use_regex',
      'comment',
      'content',
      'constant',
      'selective',
      'insertion_order',
      'enabled',
      'position',
      'extensions',
    ];
    expect(Object.keys(entry as JsonObject).sort()).toEqual([...SPEC].sort());
    expect(entry).toMatchObject({ position: 'after_char', extensions: { position: 4, depth: 1, role: 0 } });
  });
});

describe('87', () => {
  it('entry 1 and 3 are off, entry 2 is on (absent means enabled)', () => {
    const card = readCase('87-');
    const { entries, findings } = inspect(card);
    expect(entries.map(({ enabled }) => enabled)).toEqual([true, false, true, false]);
    expect(about(findings, 'enabled')).toEqual([
      ['e2', 'assumed', null],
      ['e3', 'repaired', 0],
    ]);
    expect(Object.values(worldEntriesOf(worldOfCard(card))).map(({ disable }) => disable)).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(leafDifferences(card, reembedded(card))).toEqual([]);
  });
});

describe('88', () => {
  const recipe = readCase('88-') as {
    entries: number;
    keysPerEntry: number;
    contentChars: number;
    name: string;
  };
  const entries = Array.from({ length: recipe.entries }, (_, id) =>
    bookEntry({
      id,
      keys: Array.from({ length: recipe.keysPerEntry }, (_, key) => `key-${id}-${key}`),
      comment: `Entry ${id}`,
      content: `${id}: `.padEnd(recipe.contentChars, 'lamp '),
      extensions: { position: id % 8, depth: id % 5 },
    }),
  );
  it('count in equals count out, and nothing is lost on the way', () => {
    const card = cardWith(deepFreeze({ name: recipe.name, entries }));
    const written = (): Json => {
      const world = worldOfCard(card);
      expect(Object.keys(worldEntriesOf(world))).toHaveLength(5000);
      expect(inspect(card).entries).toHaveLength(5000);
      return reembedded(card, edited(world, 4999, { content: 'Edited.' }));
    };
    // A generous bound: it only catches work that grows with the square of the entries.
    expect(
      cpuTime(() =>
        expect(changedPaths(card, written())).toEqual(['data.character_book.entries.4999.content']),
      ),
    ).toBeLessThan(5000);
  });
});

describe('S1', () => {
  it('seven entries in, seven entries out, each under a unique integer uid, and the original ids are recoverable for re-embedding', () => {
    const card = readCase('S1-');
    const world = worldOfCard(card);
    const entries = Object.values(worldEntriesOf(world));
    expect(entries.map(({ content }) => content)).toEqual([
      'One.',
      'Two.',
      'Three.',
      'Four.',
      'Five.',
      'Six.',
      'Seven.',
    ]);
    const uids = entries.map(({ uid }) => uid);
    expect(new Set(uids).size).toBe(7);
    expect(uids.every(Number.isInteger)).toBe(true);
    expect(leafDifferences(card, reembedded(card))).toEqual([]);
    expect(inspect(card).entries.map(({ originalId }) => originalId)).toEqual([
      1,
      1,
      null,
      null,
      'x',
      null,
      5,
    ]);
  });
});

describe('S3', () => {
  it('the character filter and the book-level extensions are carried in extensions on re-embed', () => {
    const book = throughJson(bookFrom(readCase('S3-')));
    expect(book['extensions']).toEqual({ note: 'book level' });
    const [entry] = book['entries'] as readonly JsonObject[];
    expect(entry?.['extensions']).toMatchObject({
      character_filter: { isExclude: true, names: ['Odo Pell'], tags: ['t1'] },
      probability: 20,
      useProbability: false,
    });
    const back = primary(cardWith(book)).body.entries[0];
    expect(back?.characterFilter).toEqual({ exclude: true, names: ['Odo Pell'], tags: ['t1'] });
  });
});
