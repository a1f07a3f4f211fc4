// The twin in a world file: the raw book rides along and survives what SillyTavern's editor does (decisions 23 to 25).

import { describe, expect, it } from 'vitest';
import { sameFingerprint } from '../../src/core/fingerprint.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import {
  lorebookFromBook,
  lorebookToCharacterBook,
  readCharacterBook,
} from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { readWorldInfo } from '../../src/formats/sillytavern/world-info.ts';
import type { WorldLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { lorebookFromWorld, markOf, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import {
  bookEntry,
  readPeers,
  throughJson,
  worldEntriesOf,
  worldEntry,
  worldOf,
} from '../support/fixtures.ts';
import { changedPaths, leafDifferences } from '../support/leaves.ts';
import {
  edited,
  embedAsSillyTavern,
  extractAsSillyTavern,
  withNewEntry,
  withoutEntry,
} from '../support/sillytavern.ts';

const SOURCE = { character: 'Mara Lint', slot: 'data.character_book' };

/** A book with things that no world file can hold. */
const RAW: JsonObject = deepFreeze({
  name: 'Quay Notes',
  description: 'Notes on the quay',
  scan_depth: '6',
  extensions: { maker: { v: 2 } },
  x_book: [1, 2],
  entries: [
    bookEntry({
      id: 0,
      name: 'The Lamp',
      comment: 'author memo',
      priority: 7,
      x_top: { deep: [1] },
      position: 'after_char',
      extensions: {
        position: 4,
        depth: 3,
        role: 1,
        vendor: { color: 'red' },
        sticky: 0,
        excludeRecursion: true,
      },
    }),
    bookEntry({
      id: 4,
      content: 'Second.',
      keys: ['quay'],
      comment: 'Quay',
      x_top: 'second',
      extensions: { position: '2' },
    }),
    bookEntry({
      id: 9,
      content: 'Third.',
      keys: ['wick'],
      comment: 'Wick',
      position: 0,
      case_sensitive: true,
    }),
  ],
});
const rawEntries = RAW['entries'] as readonly JsonObject[];

const lorebook = () => lorebookFromBook(RAW, 'data.character_book', 'x');
const extract = (): JsonObject => throughJson(worldFromLorebook(lorebook(), SOURCE));
const read = (world: JsonObject): WorldLorebook => lorebookFromWorld(throughJson(world), 'w', 'Quay Notes');
const embed = (world: JsonObject): JsonObject => {
  const { lorebook: book } = read(world);
  return lorebookToCharacterBook(book.body, book.original[CHARACTER_BOOK]);
};
const embeddedEntries = (world: JsonObject) => embed(world)['entries'] as readonly JsonObject[];

describe('what an extracted world file holds (decisions 23)', () => {
  it('the mark in `extensions` is small: version, source, fingerprint, and nothing of the text', () => {
    const mark = (extract()['extensions'] as JsonObject)['loreferry'] as JsonObject;
    expect(Object.keys(mark).sort()).toEqual(['fingerprint', 'source', 'v']);
    expect(mark['source']).toEqual(SOURCE);
    expect(mark['fingerprint']).toBe(sameFingerprint(lorebook().body));
    expect(markOf(extract()['extensions'])).toEqual({ source: SOURCE, fingerprint: mark['fingerprint'] });
    expect(JSON.stringify(extract()['extensions'])).not.toContain('Lamp note');
  });
  it('the raw book and the uids stand under a top-level key of ours', () => {
    const own = extract()['loreferry'] as JsonObject;
    expect(own['original']).toEqual({ 'character-book': { raw: RAW } });
    expect(own['uids']).toEqual([0, 4, 9]);
  });
  it("the book's own extensions stand beside the mark", () => {
    expect(extract()['extensions']).toMatchObject({ maker: { v: 2 } });
  });
  it('uids are the original ids where usable, else 0..n-1 in book order (decisions 6)', () => {
    expect(Object.keys(worldEntriesOf(extract()))).toEqual(['0', '4', '9']);
    const turned = lorebookFromBook({ entries: [...rawEntries].reverse() }, 'b', 'x');
    const world = worldFromLorebook(turned, SOURCE);
    expect(Object.values(worldEntriesOf(world)).map(({ content }) => content)).toEqual([
      'Third.',
      'Second.',
      'Lamp note.',
    ]);
  });
  it('the raw book is shared, not copied (decisions 25)', () => {
    const world = worldFromLorebook(lorebook(), SOURCE);
    const own = world['loreferry'] as { original: { 'character-book': { raw: Json } } };
    expect(own.original['character-book'].raw).toBe(RAW);
  });
  it('what SillyTavern shows is what its own import would show, and better where that fails', () => {
    const theirs = worldEntriesOf(extractAsSillyTavern(RAW));
    const ours = worldEntriesOf(extract());
    const differences = leafDifferences(theirs, ours).filter((line) => !/\.extensions[.:]/.test(line));
    expect(differences.sort()).toEqual([
      '0.delayUntilRecursion: false -> 0',
      '0.name: absent -> "The Lamp"',
      '0.sticky: 0 -> null',
      '4.delayUntilRecursion: false -> 0',
      '4.position: "2" -> 2',
      '9.caseSensitive: null -> true',
      '9.delayUntilRecursion: false -> 0',
      '9.position: 1 -> 0',
    ]);
  });
  it('a lorebook that came out of no card has no twin and no mark', () => {
    const made = { id: 'x', name: 'x', body: lorebook().body, original: {} };
    const world = worldFromLorebook(made, SOURCE);
    expect(Object.keys(world)).not.toContain('loreferry');
    expect(read(world).edited).toBeNull();
  });
});

describe('unedited', () => {
  it('the book comes back deep-equal, and it is known that nothing was edited', () => {
    expect(read(extract()).edited).toBe(false);
    expect(leafDifferences(RAW, embed(extract()))).toEqual([]);
  });
  it('so it is when SillyTavern has written the file anew with its keys in another order', () => {
    const world = extract();
    const turned = {
      ...world,
      entries: Object.fromEntries(
        Object.entries(worldEntriesOf(world))
          .reverse()
          .map(([uid, entry]) => [uid, Object.fromEntries(Object.entries(entry).reverse())]),
      ),
    };
    expect(read(turned).edited).toBe(false);
    expect(embed(turned)).toEqual(RAW);
  });
  it('so it is when the editor only filled in what was unset', () => {
    let world = extract();
    for (const uid of [0, 4, 9]) {
      world = edited(world, uid, {
        characterFilter: { isExclude: false, names: [], tags: [] },
        delayUntilRecursion: false,
        sticky: 0,
        addMemo: true,
        useGroupScoring: null,
        triggers: [],
      });
    }
    expect(read(world).edited).toBe(false);
    expect(embed(world)).toEqual(RAW);
  });
});

describe("one edit in SillyTavern's editor changes that field of the raw book and nothing else", () => {
  const EDITS: readonly (readonly [string, number, JsonObject, readonly string[]])[] = [
    ['the text', 4, { content: 'Edited.' }, ['entries.1.content']],
    ['the keys', 4, { key: ['pier', 'quay'] }, ['entries.1.keys.0', 'entries.1.keys.1']],
    [
      'the second keys',
      4,
      { keysecondary: ['night'] },
      ['entries.1.secondary_keys', 'entries.1.secondary_keys.0'],
    ],
    ['the comment where it is the title', 4, { comment: 'Pier' }, ['entries.1.comment']],
    ['the comment where it is the memo', 0, { comment: 'other memo' }, ['entries.0.comment']],
    ['the position', 0, { position: 0 }, ['entries.0.extensions.position', 'entries.0.position']],
    [
      'the position where the twin said it as text',
      4,
      { position: 3 },
      ['entries.1.extensions.position', 'entries.1.position'],
    ],
    ['the depth', 0, { depth: 9 }, ['entries.0.extensions.depth']],
    ['the role', 0, { role: 2 }, ['entries.0.extensions.role']],
    ['the order', 9, { order: 5 }, ['entries.2.insertion_order']],
    ['off', 9, { disable: true }, ['entries.2.enabled']],
    ['constant', 9, { constant: true }, ['entries.2.constant']],
    ['sticky', 0, { sticky: 2 }, ['entries.0.extensions.sticky']],
    ['recursion', 0, { excludeRecursion: true }, ['entries.0.extensions.exclude_recursion']],
    [
      'the character filter',
      4,
      { characterFilter: { isExclude: true, names: ['Odo'], tags: [] } },
      [
        'entries.1.extensions.character_filter.isExclude',
        'entries.1.extensions.character_filter.names.0',
        'entries.1.extensions.character_filter.tags',
      ],
    ],
    ['triggers', 4, { triggers: ['swipe'] }, ['entries.1.extensions.triggers.0']],
    [
      'a drag in the list',
      9,
      { displayIndex: 0 },
      ['entries.2.extensions', 'entries.2.extensions.display_index'],
    ],
  ];
  it.each(EDITS)('%s', (_, uid, fields, changed) => {
    const world = edited(extract(), uid, fields);
    expect(read(world).edited).toBe(true);
    const found = changedPaths(RAW, embed(world));
    expect(found.filter((path) => !changed.includes(path))).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
    const live = read(throughJson(world)).lorebook.body.entries.find(
      (entry) => entry.content === 'Edited.' || true,
    );
    expect(live).toBeDefined();
    const back = readCharacterBook(throughJson(embed(world)), 'b').body;
    expect(sameFingerprint(back)).toBe(sameFingerprint(read(world).lorebook.body));
  });
  it("untouched entries are the twin's own objects", () => {
    const world = worldFromLorebook(lorebook(), SOURCE);
    const { lorebook: book } = lorebookFromWorld(edited(world, 4, { content: 'Edited.' }), 'w', 'x');
    const written = lorebookToCharacterBook(book.body, book.original[CHARACTER_BOOK]);
    const entries = written['entries'] as readonly JsonObject[];
    expect([entries[0], entries[2]].map((entry, index) => entry === rawEntries[index * 2])).toEqual([
      true,
      true,
    ]);
  });
  it('an edit back to what it was is no edit', () => {
    const world = edited(edited(extract(), 4, { content: 'Edited.' }), 4, { content: 'Second.' });
    expect(read(world).edited).toBe(false);
    expect(embed(world)).toEqual(RAW);
  });
  it("an edit of the book's own fields is an edit too", () => {
    const world = { ...extract(), description: 'Other' };
    expect(read(world).edited).toBe(true);
    expect(changedPaths(RAW, embed(world))).toEqual(['description']);
  });
  it('two edits of one entry, in text and keys, still find the twin by the comment', () => {
    const world = edited(extract(), 0, { content: 'Edited.', key: ['x'] });
    expect(changedPaths(RAW, embed(world))).toEqual(['entries.0.content', 'entries.0.keys.0']);
  });
});

describe('deleting and adding (decisions 24)', () => {
  it('a deleted entry is gone, the others are whole', () => {
    expect(embeddedEntries(withoutEntry(extract(), 4))).toEqual([rawEntries[0], rawEntries[2]]);
  });
  it("a new entry has nothing of the twin's", () => {
    const { world, uid } = withNewEntry(extract(), { content: 'New.', key: ['new'], comment: 'New' });
    expect(uid).toBe(1);
    const entries = embeddedEntries(world);
    expect(entries.map(({ content }) => content)).toEqual(['Lamp note.', 'New.', 'Second.', 'Third.']);
    expect([entries[0], entries[2], entries[3]]).toEqual(rawEntries);
    expect(entries[1]).toMatchObject({ keys: ['new'], comment: 'New' });
    expect(Object.keys(entries[1] as object)).not.toContain('x_top');
  });
  it("a new entry that takes over a deleted one's uid does not inherit its fields", () => {
    const { world, uid } = withNewEntry(withoutEntry(extract(), 0), {
      content: 'New.',
      key: ['new'],
      comment: 'New',
    });
    expect(uid).toBe(0);
    const fresh = embeddedEntries(world)[0] as JsonObject;
    expect(fresh).toMatchObject({ content: 'New.', keys: ['new'], comment: 'New', position: 'before_char' });
    for (const key of ['x_top', 'priority', 'name']) expect(Object.keys(fresh)).not.toContain(key);
    expect(Object.keys(fresh['extensions'] as object)).not.toContain('vendor');
  });
  it('nor does one that is still blank', () => {
    const { world } = withNewEntry(withoutEntry(extract(), 0), {});
    expect(Object.keys(embeddedEntries(world)[0] as object)).not.toContain('x_top');
  });
  it('ids in the card stay unique', () => {
    const first = withNewEntry(withoutEntry(extract(), 0), { content: 'New.' }).world;
    const ids = embeddedEntries(withNewEntry(first, { content: 'Newer.' }).world).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
  it('everything deleted is an empty book with its own fields', () => {
    const world = [0, 4, 9].reduce(withoutEntry, extract());
    expect(embed(world)).toEqual({ ...RAW, entries: [] });
  });
});

describe('a twin that cannot be trusted is none', () => {
  const broken: readonly (readonly [string, Json])[] = [
    ['no raw book', { v: 1, uids: [0, 4, 9] }],
    ['a raw book that is none', { v: 1, original: { 'character-book': { raw: 'x' } }, uids: [0, 4, 9] }],
    ['no uids', { v: 1, original: { 'character-book': { raw: RAW } } }],
    ['too few uids', { v: 1, original: { 'character-book': { raw: RAW } }, uids: [0] }],
    ['text', 'x'],
    ['null', null],
  ];
  it.each(broken)('%s', (_, own) => {
    const { edited: isEdited, lorebook: book } = read({ ...extract(), loreferry: own });
    expect(isEdited).toBeNull();
    expect(book.original[CHARACTER_BOOK]).toBeUndefined();
    expect(book.body.entries).toHaveLength(3);
  });
  it.each([null, 'x', {}, { loreferry: null }, { loreferry: {} }, { loreferry: { fingerprint: 5 } }])(
    'a mark of %j is none',
    (extensions) => {
      expect(markOf(extensions)).toBeNull();
    },
  );
  it('an ordinary world file is read without one', () => {
    const { lorebook: book, edited: isEdited } = read(worldOf(worldEntry(0)));
    expect(isEdited).toBeNull();
    expect(Object.keys(book.original)).toEqual(['sillytavern']);
  });
});

describe("SillyTavern's own embed of our world file", () => {
  it.each(readPeers())(
    '%s: keeps the order, the unknown extension bags, and what makes each entry fire',
    (_, card) => {
      const data = (card['data'] ?? card) as JsonObject;
      const raw = (data['character_book'] ??
        (data['extensions'] as JsonObject | undefined)?.['character_book']) as JsonObject;
      const book = lorebookFromBook(raw, 'b', 'x');
      const theirs = embedAsSillyTavern(throughJson(worldFromLorebook(book, SOURCE)), 'x');
      const back = readCharacterBook(throughJson(theirs), 'b').body;
      expect(back.entries.map(({ content }) => content)).toEqual(
        book.body.entries.map(({ content }) => content),
      );
      expect(back.entries.map(({ bag }) => bag.extensions)).toEqual(
        book.body.entries.map(({ bag }) => bag.extensions),
      );
      expect(sameFingerprint(back)).toBe(sameFingerprint(book.body));
    },
  );
  it('and so does the world file itself, read without its twin', () => {
    const { loreferry: _, ...bare } = extract();
    expect(sameFingerprint(readWorldInfo(bare, 'w').body)).toBe(sameFingerprint(lorebook().body));
  });
});

describe("a world file of SillyTavern's own making", () => {
  it('embedded without a twin it is what SillyTavern would embed, with every field that it cannot hold', () => {
    const world = worldOf(
      worldEntry(0, {
        position: 4,
        depth: 1,
        characterFilter: { isExclude: true, names: ['Odo'], tags: [] },
      }),
    );
    const { lorebook: book } = read(world);
    const [entry] = lorebookToCharacterBook(book.body)['entries'] as readonly JsonObject[];
    expect(entry).toMatchObject({
      position: 'after_char',
      extensions: { position: 4, depth: 1, character_filter: { isExclude: true, names: ['Odo'], tags: [] } },
    });
    const entries: readonly LorebookEntry[] = book.body.entries;
    expect(entries[0]?.characterFilter?.names).toEqual(['Odo']);
  });
});
