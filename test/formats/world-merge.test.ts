// A newer book and a file that was only looked at: SillyTavern's editor leaves a trace in every entry that it unfolds.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { lorebookFromBook, lorebookToCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { mergeNewVersion } from '../../src/formats/sillytavern/world-merge.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { bookEntry, bookOf, throughJson, worldEntriesOf } from '../support/fixtures.ts';
import { edited } from '../support/sillytavern.ts';

const SOURCE = { character: 'Mara Lint', slot: 'data.character_book' };
const read = (world: JsonObject) => lorebookFromWorld(throughJson(world), 'w', 'Quay Notes');
const OLD = bookOf(
  bookEntry({ id: 0, content: 'Lamp.' }),
  bookEntry({ id: 1, comment: 'Quay', keys: ['quay'], secondary_keys: ['night'], content: 'Quay.' }),
);
const NEW = bookOf(
  bookEntry({ id: 0, content: 'Lamp, by the author.' }),
  bookEntry({
    id: 1,
    comment: 'Quay',
    keys: ['quay'],
    secondary_keys: ['night'],
    content: 'Quay, by the author.',
  }),
);
const extracted = (): JsonObject => throughJson(worldFromLorebook(lorebookFromBook(OLD, 'b', 'x'), SOURCE));
const merge = (world: JsonObject): JsonObject => {
  const merged = mergeNewVersion(world, read(world), lorebookFromBook(NEW, 'b', 'x'), SOURCE);
  if (merged === null) throw new Error('nothing merged');
  return merged;
};
const contents = (world: JsonObject) => Object.values(worldEntriesOf(world)).map(({ content }) => content);

describe("an entry that SillyTavern's editor unfolded, and so switched `selective` on in", () => {
  it('is not edited, as long as it has no secondary keys', () => {
    const world = edited(extracted(), 0, { selective: true });
    expect(read(world).edited).toBe(false);
    const { lorebook } = read(world);
    expect(lorebookToCharacterBook(lorebook.body, lorebook.original[CHARACTER_BOOK])).toEqual(OLD);
  });
  it('takes the author’s change', () => {
    expect(contents(merge(edited(extracted(), 0, { selective: true })))).toEqual([
      'Lamp, by the author.',
      'Quay, by the author.',
    ]);
  });
  it('is edited where it has secondary keys: they count now', () => {
    const world = edited(extracted(), 1, { selective: true });
    expect(read(world).edited).toBe(true);
    expect(contents(merge(world))).toEqual(['Lamp, by the author.', 'Quay.']);
  });
  it('is edited once it is given one', () => {
    const world = edited(extracted(), 0, { selective: true, keysecondary: ['oil'] });
    expect(read(world).lorebook.body.entries[0]).toMatchObject({ selective: true });
    expect(contents(merge(world))).toEqual(['Lamp.', 'Quay, by the author.']);
  });
  it('keeps another edit of the same entry', () => {
    expect(contents(merge(edited(extracted(), 0, { selective: true, content: 'Mine.' })))).toEqual([
      'Mine.',
      'Quay, by the author.',
    ]);
  });
});

describe('an entry that was only moved in the list', () => {
  it('takes the author’s change and keeps its place', () => {
    const merged = worldEntriesOf(merge(edited(extracted(), 0, { displayIndex: 7 })));
    expect(merged['0']).toMatchObject({ content: 'Lamp, by the author.', displayIndex: 7 });
  });
  it('keeps what another extension wrote into it', () => {
    expect(contents(merge(edited(extracted(), 0, { extensions: { vendor: 1 } })))[0]).toBe('Lamp.');
  });
});
