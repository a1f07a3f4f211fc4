// SillyTavern -> Marinara -> SillyTavern: the entries come back as they were, also after Marinara wrote the card anew;
// what was edited there stays edited. And nothing is lost in silence.

import { describe, expect, it, vi } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import { shownEntry } from '../../src/formats/marinara/book-writing.ts';
import { marinaraCard, marinaraLorebooks } from '../../src/formats/marinara/card.ts';
import { differencesOf } from '../../src/formats/marinara/differences.ts';
import { readMarinaraLorebook } from '../../src/formats/marinara/native-lorebook.ts';
import { editTripsOf } from '../support/edit-trips.ts';
import { throughJson } from '../support/fixtures.ts';
import { type AppEntry, rewrittenCard } from '../support/marinara-app.ts';
import { type HandOver, roundTripsOf, type Way } from '../support/round-trips.ts';
import { entryViews, keep, lorebookOfWorld, quayWorld, resolvedOf, STYLES } from '../support/sent-books.ts';
import { toldLossesOf, type WrittenBook } from '../support/told-losses.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { seed: 20_260_701, numRuns: 150 };
const WORLD = quayWorld();

const handOver: HandOver<JsonObject> = (resolved, options) => {
  const { card, findings } = marinaraCard(resolved, options);
  return { there: throughJson(card), findings };
};
const booksIn = (card: JsonObject) => readPieces(card).lorebooks;
const WAYS: readonly Way<JsonObject>[] = [
  ['unedited', booksIn],
  ['after Marinara wrote the card anew', (card) => booksIn(rewrittenCard(card))],
];

roundTripsOf({
  handOver,
  ways: WAYS,
  runs: RUNS,
  world: WORLD,
  several: {
    also: (card) =>
      expect(jsonAt(card, ['data', 'character_book', 'extensions', 'vaud_source_books'])).toEqual([
        { name: 'Quay Notes', entryCount: 4 },
        { name: 'Tar Notes', entryCount: 1 },
        { name: 'Nothing Yet', entryCount: 0 },
      ]),
  },
});

describe.each(STYLES)('%s, there and back', (style) => {
  it("Marinara's own lorebook file", () => {
    const sent = lorebookOfWorld(WORLD, 'Quay Notes');
    const { lorebooks } = marinaraLorebooks(resolvedOf([sent]), keep(style));
    const back = readMarinaraLorebook(throughJson(lorebooks[0]?.json as Json), 'b', 'x');
    expect(entryViews(back.lorebook)).toEqual(entryViews(sent));
    expect([back.lorebook.name, back.body.scanDepth, back.body.tokenBudget]).toEqual([
      'Quay Notes',
      null,
      null,
    ]);
  });
});

editTripsOf<JsonObject, AppEntry>({
  handOver,
  ways: WAYS,
  editWays: [['', (card, edit) => booksIn(rewrittenCard(card, edit))]],
  titleOf: ({ name }) => name,
  edits: [
    ['the text', (entry) => ({ ...entry, content: 'New.' }), ['content']],
    ['the place', (entry) => ({ ...entry, position: 1 }), ['position.slot', 'position.depth']],
    ['the chance', (entry) => ({ ...entry, probability: 55 }), ['probability.chance']],
    ['the title', (entry) => ({ ...entry, name: 'New' }), ['title']],
    ['a key', (entry) => ({ ...entry, keys: [...entry.keys, 'new'] }), ['keys']],
    ['the text and the title', (entry) => ({ ...entry, name: 'New', content: 'New.' }), ['content', 'title']],
  ],
  made: {
    of: (other) => ({
      ...other,
      name: 'New',
      content: 'Made there.',
      keys: ['fresh'],
      position: 2,
      depth: 6,
    }),
    position: { slot: 'depth', depth: 6 },
  },
});

/** A book with the places that its entries had before they were sorted, and each as the app finds it. */
function writtenBook(
  book: unknown,
  places: readonly unknown[],
  form: 'card' | 'native',
): Pick<WrittenBook, 'shown' | 'differences'> {
  const entries = (throughJson(book) as { readonly entries: readonly JsonObject[] }).entries;
  const at = places.map((place) => (place as { readonly at: number }).at);
  return {
    shown: ({ source }, index) => {
      const { extensions: _own, loreferry: _stash, ...bare } = entries[at.indexOf(index)] as JsonObject;
      return shownEntry(bare, form, source.id);
    },
    differences: (meant, shown) => differencesOf(meant, shown, { meant: 2, read: 2 }),
  };
}

toldLossesOf({
  runs: RUNS,
  forms: [
    (resolved, style) => {
      const { card, findings } = marinaraCard(resolved, keep(style));
      const places = jsonAt(card, ['data', 'extensions', 'loreferry', 'entries']) as readonly Json[];
      return { findings, ...writtenBook(jsonAt(card, ['data', 'character_book']), places, 'card') };
    },
    (resolved, style) => {
      const { lorebooks, findings } = marinaraLorebooks(resolved, keep(style));
      const book = lorebooks[0]?.json['data'] as { readonly entries: readonly JsonObject[] };
      const places = book.entries.map(({ loreferry }) => loreferry);
      return { findings, ...writtenBook(book, places, 'native') };
    },
  ],
});
