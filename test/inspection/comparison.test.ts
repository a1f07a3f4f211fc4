// The card's copy against the world file: what is called a difference, and each brought to what the other says.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isNoDifference } from '../../src/core/compare.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { familyOf } from '../../src/formats/_shared/book-family.ts';
import {
  lorebookFromBook,
  lorebookToCharacterBook,
  readCharacterBook,
} from '../../src/formats/_shared/character-book.ts';
import { rawEntries } from '../../src/formats/_shared/raw-entries.ts';
import { overlayWorldInfo, worldReadingOf } from '../../src/formats/sillytavern/world-info.ts';
import {
  lorebookFromWorld,
  withoutTwin,
  worldFromLorebook,
} from '../../src/formats/sillytavern/world-twin.ts';
import { compareCopies } from '../../src/inspection/comparison.ts';
import { cardFromWorld, worldFromCard } from '../../src/inspection/comparison-writing.ts';
import { anyBook, anyEntry, anyFilledBook } from '../support/arbitrary-books.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { FIELD_VALUES, withValue } from '../support/entry-values.ts';
import {
  bookEntry,
  bookOf,
  readCase,
  readPeers,
  throughJson,
  worldEntriesOf,
  worldEntry,
  worldOf,
} from '../support/fixtures.ts';
import { changedPaths } from '../support/leaves.ts';
import { edited, embedAsSillyTavern, withNewEntry, withoutEntry } from '../support/sillytavern.ts';

const RUNS = { seed: 20_260_103, numRuns: 300 };
vi.setConfig({ testTimeout: 60_000 });

const SOURCE = { character: 'Mara Lint', slot: 'data.character_book' };
const cardOf = (raw: JsonObject) => lorebookFromBook(raw, 'data.character_book', 'Quay Notes');
const worldOfBook = (raw: JsonObject): JsonObject => throughJson(worldFromLorebook(cardOf(raw), SOURCE));
const readWorld = (world: JsonObject) =>
  lorebookFromWorld(throughJson(world), 'worldinfo:Quay Notes', 'Quay Notes');
const compare = (card: JsonObject, world: JsonObject) =>
  compareCopies(readCharacterBook(throughJson(card), 'b').body, readWorld(world).lorebook.body);
const updateCard = (card: JsonObject | null, world: JsonObject): JsonObject =>
  deepFreeze(cardFromWorld(card, lorebookFromWorld(world, 'w', 'Quay Notes')));
const updateWorld = (world: JsonObject, card: JsonObject): JsonObject =>
  deepFreeze(worldFromCard(world, lorebookFromWorld(world, 'w', 'Quay Notes'), cardOf(card), SOURCE));
const bookIn = (card: JsonObject): JsonObject => {
  const data = (card['data'] ?? card) as { character_book?: JsonObject; extensions?: JsonObject };
  return (data.character_book ?? data.extensions?.['character_book']) as JsonObject;
};
const contents = (entries: readonly LorebookEntry[]) => entries.map(({ content }) => content);

const BOOK = bookOf(
  bookEntry({ id: 0, name: 'The Lamp', comment: 'Lamp', content: 'Lamp.', x_top: { deep: [1] } }),
  bookEntry({
    id: 4,
    comment: 'Quay',
    keys: ['quay'],
    content: 'Quay.',
    extensions: { position: 2, vendor: 1 },
  }),
  bookEntry({ id: 9, comment: 'Wick', keys: ['wick'], content: 'Wick.' }),
);

describe('the comparison', () => {
  it('finds what was added, removed and changed, and in which fields', () => {
    const world = withNewEntry(
      withoutEntry(edited(worldOfBook(BOOK), 4, { order: 7, content: 'Edited.' }), 9),
      { content: 'New.', key: ['new'] },
    ).world;
    const { difference, same } = compare(BOOK, world);
    expect(
      difference.changed.map(({ before, after, paths }) => [before.content, after.content, paths]),
    ).toEqual([['Quay.', 'Edited.', ['content', 'order']]]);
    expect(contents(difference.added)).toEqual(['New.']);
    expect(contents(difference.removed)).toEqual(['Wick.']);
    expect(contents(same)).toEqual(['Lamp.']);
  });

  it('is what the panel must show of a stale copy (case 62)', () => {
    const { worlds, cards } = readCase('62-') as unknown as {
      worlds: Record<string, JsonObject>;
      cards: JsonObject[];
    };
    const card = bookIn(cards[0] as JsonObject);
    const { difference } = compare(card, worlds['Quay Notes'] as JsonObject);
    expect([difference.changed.length, difference.added.length, difference.removed.length]).toEqual([
      1, 1, 0,
    ]);
  });

  it('lists what SillyTavern’s own copy cannot carry, and never as a difference (decisions 13)', () => {
    const world = edited(worldOfBook(BOOK), 9, {
      characterFilter: { isExclude: true, names: ['Odo'], tags: [] },
    });
    const copy = embedAsSillyTavern(world, 'Quay Notes');
    const { difference, notCarried, notCarriedOfBook } = compare(copy, { ...world, description: 'Notes' });
    expect(isNoDifference(difference)).toBe(true);
    expect(notCarried.map(({ entry, paths }) => [entry.content, paths])).toEqual([
      ['Lamp.', ['title', 'x_top']],
      ['Wick.', ['characterFilter']],
    ]);
    expect(notCarriedOfBook).toEqual(['description']);
  });

  it('a character filter that the card has and the world file has not is a difference', () => {
    const card = bookOf(
      bookEntry({
        extensions: { position: 0, character_filter: { isExclude: false, names: ['Odo'], tags: [] } },
      }),
    );
    expect(compare(card, worldOf(worldEntry(0))).difference.changed[0]?.paths).toEqual(['characterFilter']);
  });

  it.each(readPeers())('%s: the copy that SillyTavern makes of its world file is the same', (_, peer) => {
    const raw = bookIn(peer);
    const world = worldOfBook(raw);
    expect(compare(embedAsSillyTavern(world, 'x'), world).difference).toMatchObject({
      added: [],
      removed: [],
      changed: [],
    });
  });
});

describe('the card updated from the world file', () => {
  it('without a copy in it gets the author’s own book where the world file still has it', () => {
    expect(updateCard(null, worldOfBook(BOOK))).toEqual(BOOK);
  });
  it('without a copy and without a twin gets a whole book with the world’s name', () => {
    const made = updateCard(null, worldOf(worldEntry(3, { position: 4, depth: 2 })));
    expect(made).toMatchObject({
      name: 'Quay Notes',
      entries: [{ position: 'after_char', extensions: { position: 4, depth: 2 } }],
    });
  });
  it('is the same object when nothing differs', () => {
    expect(updateCard(BOOK, worldOfBook(BOOK))).toBe(BOOK);
  });
  it('keeps its own fields: only what differs is written', () => {
    const world = edited(worldOfBook(BOOK), 4, { order: 7 });
    const after = updateCard(BOOK, world);
    expect(changedPaths(BOOK, after)).toEqual(['entries.1.insertion_order']);
    expect(rawEntries(after).items[0]).toBe(rawEntries(BOOK).items[0]);
  });
  it('gets new entries with all that the twin knows of them, and loses those that are gone', () => {
    const after = updateCard(
      bookOf(...(rawEntries(BOOK).items.slice(1) as JsonObject[])),
      withoutEntry(worldOfBook(BOOK), 9),
    );
    const items = rawEntries(after).items as readonly JsonObject[];
    expect(items.map(({ content }) => content)).toEqual(['Lamp.', 'Quay.']);
    expect(items[0]).toMatchObject({ name: 'The Lamp', comment: 'Lamp', x_top: { deep: [1] } });
    expect(new Set(items.map(({ id }) => id)).size).toBe(2);
  });
  it('where a name stands beside the comment, a new comment leaves the name alone', () => {
    const world = withoutTwin(edited(worldOfBook(BOOK), 0, { comment: 'Lantern', name: undefined }));
    expect(changedPaths(BOOK, updateCard(BOOK, world))).toEqual(['entries.0.comment']);
  });
});

describe('the world file updated from the card', () => {
  const own = { vendor: { a: 1 }, entries: worldEntriesOf(worldOfBook(BOOK)) };
  it('keeps uids, puts new entries behind, and keeps all other keys of the file', () => {
    const card = bookOf(
      bookEntry({ id: 0, comment: 'New', keys: ['new'], content: 'New.' }),
      ...(rawEntries(BOOK).items as JsonObject[]),
    );
    const after = updateWorld(deepFreeze({ ...worldOfBook(BOOK), ...own }), card);
    const entries = worldEntriesOf(after);
    expect(Object.entries(entries).map(([key, { uid, content }]) => [key, uid, content])).toEqual([
      ['0', 0, 'Lamp.'],
      ['4', 4, 'Quay.'],
      ['9', 9, 'Wick.'],
      ['10', 10, 'New.'],
    ]);
    expect(after['vendor']).toEqual({ a: 1 });
  });
  it('untouched entries are the file’s own objects; in a changed one only what differs is new', () => {
    const world = worldOfBook(BOOK);
    const [first, second, third] = rawEntries(BOOK).items as readonly JsonObject[];
    const after = updateWorld(
      world,
      bookOf(first as JsonObject, { ...second, content: 'By the author.' }, third as JsonObject),
    );
    expect(changedPaths(world['entries'], after['entries'])).toEqual(['4.content']);
    expect([0, 9].map((uid) => worldEntriesOf(after)[uid] === worldEntriesOf(world)[uid])).toEqual([
      true,
      true,
    ]);
  });
  it('keeps the user’s place in the list and the character filter, which the card cannot hold', () => {
    const world = edited(worldOfBook(BOOK), 9, {
      displayIndex: 0,
      characterFilter: { isExclude: true, names: ['Odo'], tags: [] },
    });
    const copy = embedAsSillyTavern(edited(world, 9, { content: 'Edited.' }), 'Quay Notes');
    expect(changedPaths(world['entries'], updateWorld(world, copy)['entries'])).toEqual(['9.content']);
  });
  it('takes the card’s book as its twin, and keeps in it what SillyTavern’s own copy has lost', () => {
    const world = worldOfBook(BOOK);
    const copy = embedAsSillyTavern(edited(world, 4, { content: 'Edited.' }), 'Quay Notes');
    const { lorebook } = readWorld(updateWorld(world, copy));
    expect(lorebook.original['character-book']?.raw).toMatchObject({
      extensions: {},
      entries: [{ x_top: { deep: [1] } }, {}, {}],
    });
    const [lamp, quay] = lorebook.body.entries;
    expect(lamp).toMatchObject({ title: 'The Lamp', memo: 'Lamp', bag: { entry: { x_top: { deep: [1] } } } });
    expect(quay).toMatchObject({ content: 'Edited.', bag: { extensions: { vendor: 1 } } });
  });
  it('a file without a twin gets the card’s book as one', () => {
    const card = bookOf(bookEntry({ content: 'Lamp note.', x_top: 1 }));
    const after = updateWorld(worldOf(worldEntry(5)), card);
    const { lorebook } = readWorld(after);
    expect(
      lorebookToCharacterBook(lorebook.body, lorebook.original['character-book'])['entries'],
    ).toMatchObject([{ content: 'Lamp note.', x_top: 1 }]);
    expect(Object.keys(worldEntriesOf(after))).toEqual(['5']);
  });
});

describe('for every pair of copies', () => {
  const listed = (book: JsonObject, more: readonly Json[]): JsonObject =>
    deepFreeze({ ...book, entries: [...rawEntries(book).items, ...more] });
  // Copies that share a part, as a real card and its world file do; some of its entries edited in the world.
  const copies = fc
    .record({
      shared: anyFilledBook,
      card: fc.array(anyEntry, { maxLength: 2 }),
      world: fc.array(anyEntry, { maxLength: 2 }),
      edits: fc.array(
        fc.record({ at: fc.nat(5), field: fc.constantFrom(...FIELD_VALUES), other: fc.boolean() }),
        { maxLength: 3 },
      ),
      hasTwin: fc.boolean(),
    })
    .map(({ shared, card, world, edits, hasTwin }) => {
      const file = worldOfBook(listed(shared, world));
      const escrow = { raw: hasTwin ? file : withoutTwin(file) };
      const { body } = worldReadingOf(escrow, 'w');
      const entries = [...body.entries];
      for (const { at, field, other } of edits) {
        const index = at % entries.length;
        entries[index] = withValue(
          entries[index] as LorebookEntry,
          field.path,
          other ? field.other : field.set,
        );
      }
      return {
        card: listed(shared, card),
        world: throughJson(overlayWorldInfo({ ...body, entries }, escrow)),
      };
    });
  const isSame = (card: JsonObject, world: JsonObject): void => {
    const { added, removed, changed } = compare(card, world).difference;
    expect({ added, removed, changed: changed.map(({ paths }) => paths) }).toEqual({
      added: [],
      removed: [],
      changed: [],
    });
  };

  it('the card is then the same as the world file, and untouched entries are its own', () => {
    fc.assert(
      fc.property(copies, ({ card, world }) => {
        const { same } = compareCopies(readCharacterBook(card, 'b').body, readWorld(world).lorebook.body);
        const after = updateCard(card, world);
        isSame(card === after ? card : after, world);
        const before = rawEntries(card).items;
        const untouched = new Set(same.map(({ id }) => before[Number(id.slice(1))]));
        // A book that now reads as another app's is written in that app's ways; see the mends.
        if (familyOf(card).family !== familyOf(after).family) return;
        for (const item of untouched) if (isObject(item)) expect(rawEntries(after).items).toContain(item);
        expect(updateCard(after, world)).toBe(after);
      }),
      RUNS,
    );
  });

  it('the world file is then the same as the card, and untouched entries are its own', () => {
    fc.assert(
      fc.property(copies, ({ card, world }) => {
        const stored = readWorld(world);
        const after = updateWorld(world, card);
        isSame(card, after);
        const touched = new Set(
          changedPaths(world['entries'], after['entries']).map((path) => path.split('.')[0]),
        );
        const { same, difference } = compareCopies(readCharacterBook(card, 'b').body, stored.lorebook.body);
        const most = difference.changed.length + difference.added.length + 2 * difference.removed.length;
        expect(touched.size).toBeLessThanOrEqual(most);
        expect(Object.keys(after['entries'] as object)).toHaveLength(rawEntries(card).items.length);
        expect(same.length).toBeLessThanOrEqual(rawEntries(card).items.length);
        const again = updateWorld(after, card);
        expect(again['entries']).toEqual(after['entries']);
      }),
      RUNS,
    );
  });

  it('the copy that SillyTavern makes of a world file of ours is no difference', () => {
    fc.assert(
      fc.property(anyBook, (book) => {
        const world = worldOfBook(book);
        isSame(throughJson(embedAsSillyTavern(world, 'x')), world);
      }),
      RUNS,
    );
  });
});
