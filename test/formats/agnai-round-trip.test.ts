// SillyTavern -> Agnai -> SillyTavern: entries come back as they were, also after Agnai saved the book, edited it or
// exported it anew; what was edited there stays edited. And nothing is lost in silence.

import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter } from '../../src/core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { readEntry } from '../../src/formats/_shared/entry-reader.ts';
import { inItsPlace } from '../../src/formats/agnai/book-writing.ts';
import { agnaiCharacter, agnaiMemoryBook } from '../../src/formats/agnai/character.ts';
import { differencesOf } from '../../src/formats/agnai/differences.ts';
import { AGNAI_TABLE } from '../../src/formats/agnai/fields.ts';
import { READ_AGNAI, readMemoryBooks } from '../../src/formats/agnai/memory-book.ts';
import { agnaiBooksOf, cardOfAgnai } from '../../src/formats/agnai/native-character.ts';
import type { Place } from '../../src/formats/agnai/placing.ts';
import { tavernBooksOf } from '../../src/formats/agnai/tavern-book.ts';
import {
  editedBook,
  type MemoryEntry,
  refusedField,
  savedCharacter,
  tavernExport,
} from '../support/agnai-app.ts';
import { type Edit, editTripsOf, WICK } from '../support/edit-trips.ts';
import { throughJson } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf } from '../support/in-force.ts';
import { type HandOver, roundTripsOf, type Way } from '../support/round-trips.ts';
import { entryViews, keep, lorebookOfWorld, quayWorld, resolvedOf, STYLES } from '../support/sent-books.ts';
import { toldLossesOf, type WrittenBook } from '../support/told-losses.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { seed: 20_260_701, numRuns: 150 };
const WORLD = quayWorld({
  14: { key: ['龍'], content: 'Dragon.' },
  15: { constant: true, key: [], position: 4, depth: 4, role: 2, content: 'Deep.' },
  16: { constant: true, key: ['x'], position: 6, content: 'Example.' },
});

const handOver: HandOver<JsonObject> = (resolved, options) => {
  const { card, findings } = agnaiCharacter(resolved, options);
  return { there: throughJson(card), findings };
};
const booksOf = (native: JsonObject): readonly CanonicalLorebook[] =>
  agnaiBooksOf(native).books.map(({ lorebook }) => lorebook);
const inTavern = (native: JsonObject): readonly CanonicalLorebook[] =>
  (tavernBooksOf(tavernExport(native), 'x')?.books ?? []).map(({ lorebook }) => lorebook);
const withForm = (native: JsonObject, edit?: Edit<MemoryEntry>): JsonObject => ({
  ...native,
  characterBook: editedBook(native['characterBook'] as JsonObject, edit),
});
const WAYS: readonly Way<JsonObject>[] = [
  ['unedited', booksOf],
  ['saved by the server', (native) => booksOf(savedCharacter(native))],
  ['after its form was saved', (native) => booksOf(withForm(savedCharacter(native)))],
  ['through its Tavern export', inTavern],
];

roundTripsOf({
  handOver,
  ways: WAYS,
  runs: RUNS,
  world: WORLD,
  numbersAnew: true,
  anyBook: {
    // Its form takes a keyword with a comma for several.
    ways: WAYS.filter(([name]) => name !== 'after its form was saved'),
    also: (native) => expect(refusedField(native)).toBeNull(),
  },
});

describe.each(STYLES)('%s, there and back', (style) => {
  const sent = lorebookOfWorld(WORLD, 'Quay Notes');
  it('a memory book of its own', () => {
    const { json } = agnaiMemoryBook(resolvedOf([sent]), keep(style));
    const [back] = readMemoryBooks(throughJson(json), 'b', 'x', []);
    expect(entryViews(back)).toEqual(entryViews(sent));
    // Without the stash, as the server keeps such a book, the six fields are left.
    const { extensions: _gone, ...bare } = json;
    const [coarse] = readMemoryBooks(throughJson(bare), 'b', 'x', []);
    expect(coarse?.body.entries.map(({ content }) => content)).toEqual(
      sent.body.entries.map(({ content }) => content.replace('@@activate\n', '')),
    );
  });
});

editTripsOf<JsonObject, MemoryEntry>({
  handOver,
  ways: WAYS,
  editWays: [['', (native, edit) => booksOf(withForm(native, edit))]],
  titleOf: ({ name }) => name,
  edits: [
    ['the text', (entry) => ({ ...entry, entry: 'New.' }), ['content']],
    ['the title', (entry) => ({ ...entry, name: 'New' }), ['title']],
    ['a keyword', (entry) => ({ ...entry, keywords: [...entry.keywords, 'new*'] }), ['keys']],
    ['off', (entry) => ({ ...entry, enabled: false }), ['enabled']],
    ['the weight', (entry) => ({ ...entry, weight: 77 }), ['order']],
    ['the text and the title', (entry) => ({ ...entry, name: 'New', entry: 'New.' }), ['content', 'title']],
  ],
  made: {
    title: 'a removed entry is gone and a new one has only what stands there',
    of: () => ({
      name: 'New',
      entry: 'Made there.',
      keywords: ['fresh'],
      priority: 0,
      weight: 0,
      enabled: true,
    }),
    position: { slot: 'character' },
  },
});

describe('edits there win, field by field', () => {
  it('an Insert that was edited keeps its texts, and they do not come back as entries that fire', () => {
    const deep = entryOf({ constant: true, position: { slot: 'depth', depth: 3 } });
    const { there: native } = handOver(characterInForce([lorebookOf([deep, WICK])]), keep('exact'));
    expect(native['insert']).toEqual({ prompt: 'Lamp note.', depth: 3 });
    const edited = { ...native, insert: { prompt: 'Lamp note. More.', depth: 3 } };
    expect(booksOf(native)[0]?.body.entries[0]).toMatchObject({ enabled: true, constant: true });
    expect(booksOf(edited)[0]?.body.entries[0]).toMatchObject({ enabled: false });
    const data = cardOfAgnai(edited)['data'] as JsonObject;
    expect((data['extensions'] as JsonObject)['depth_prompt']).toEqual({
      role: 'system',
      prompt: 'Lamp note. More.',
      depth: 3,
    });
  });
});

/** A book beside what else was written, as Agnai finds its entries there. */
function writtenBook(
  { delayedPasses }: ResolvedCharacter,
  book: unknown,
  memoryDepth: unknown,
  card?: JsonObject,
): Pick<WrittenBook, 'shown' | 'differences'> {
  const held = jsonAt(throughJson(book), ['entries']) as readonly JsonObject[];
  const texts = JSON.stringify([card?.['insert'], card?.['sampleChat']]);
  return {
    shown: ({ entry, source }, at) => {
      const shown = readEntry(AGNAI_TABLE, held[at], source.id, READ_AGNAI, () => undefined);
      return inItsPlace(shown, entry, placeOf(entry, shown, card, texts));
    },
    differences: (meant, seen) =>
      differencesOf(meant, seen, { memoryDepth: Number(memoryDepth), delayedPasses }),
  };
}

toldLossesOf({
  runs: RUNS,
  forms: [
    (resolved, style) => {
      const { card, findings, settings } = agnaiCharacter(resolved, keep(style));
      return { findings, ...writtenBook(resolved, card['characterBook'], settings['memoryDepth'], card) };
    },
    (resolved, style) => {
      const { json, findings, settings } = agnaiMemoryBook(resolved, keep(style));
      return { findings, ...writtenBook(resolved, json, settings['memoryDepth']) };
    },
  ],
  // What reads otherwise there and decides the same has a finding, too.
  mayBeIdle: ({ path }, meant, seen) =>
    CHARACTER_BOOK_FIELDS.some((row) => row.path === path && !row.same(meant, seen)),
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
