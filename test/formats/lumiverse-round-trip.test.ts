// SillyTavern -> Lumiverse -> SillyTavern: the entries come back as they were, also after Lumiverse wrote the card anew;
// what was edited there stays edited. And nothing is lost in silence.

import { describe, expect, it, vi } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { jsonAt, withoutKey } from '../../src/core/json.ts';
import { shownEntry } from '../../src/formats/lumiverse/book-writing.ts';
import { lumiverseCard, lumiverseLorebooks } from '../../src/formats/lumiverse/card.ts';
import { differencesOf } from '../../src/formats/lumiverse/differences.ts';
import { readLumiverseWorldBook } from '../../src/formats/lumiverse/native-book.ts';
import { editedLamp, editTripsOf, WICK } from '../support/edit-trips.ts';
import { throughJson } from '../support/fixtures.ts';
import { characterInForce, lorebookOf } from '../support/in-force.ts';
import {
  type AppBook,
  type AppEntry,
  editedBooks,
  importedBooks,
  nativeFile,
} from '../support/lumiverse-app.ts';
import { handOver, type Parts, piecesOf, THROUGH_THE_APP, WAYS } from '../support/lumiverse-ways.ts';
import { roundTripsOf, type Way } from '../support/round-trips.ts';
import { entryViews, keep, lorebookOfWorld, quayWorld, resolvedOf, STYLES } from '../support/sent-books.ts';
import { toldLossesOf, type WrittenBook } from '../support/told-losses.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { seed: 20_261_130, numRuns: 120 };
const WORLD = quayWorld();
const BOOK_WAYS = WAYS.map(
  ([name, back]): Way<Required<Parts>> => [name, (there) => piecesOf(back(there)).lorebooks],
);

roundTripsOf({
  handOver,
  ways: BOOK_WAYS,
  runs: RUNS,
  world: WORLD,
  numbersAnew: true,
  dropsEmptyBooks: true,
  several: { title: 'several books keep their boundaries' },
});

describe.each(STYLES)('%s, there and back', (style) => {
  const sent = lorebookOfWorld(WORLD, 'Quay Notes');
  it("Lumiverse's own world book, as written and as the app writes it again", () => {
    const { lorebooks } = lumiverseLorebooks(resolvedOf([sent]), keep(style));
    const json = throughJson(lorebooks[0]?.json as Json) as JsonObject;
    const [book] = importedBooks({ data: { name: 'x' } }, { world_books: [json] });
    for (const file of [json, nativeFile({ ...(book as AppBook), metadata: { source: 'import' } })]) {
      const { lorebook } = readLumiverseWorldBook(file, 'b', 'x');
      expect(entryViews(lorebook)).toEqual(entryViews(sent));
      expect(lorebook.name).toBe('Quay Notes');
    }
  });
});

editTripsOf<Required<Parts>, AppEntry>({
  handOver,
  ways: BOOK_WAYS,
  editWays: THROUGH_THE_APP.map(([name, back]) => [
    `, ${name}`,
    (there, edit) => piecesOf(back(there, (books) => editedBooks(books, edit))).lorebooks,
  ]),
  titleOf: ({ comment }) => comment,
  edits: [
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
  ],
  made: {
    of: (other) => ({
      ...other,
      comment: 'New',
      content: 'Made there.',
      key: ['fresh'],
      position: 4,
      depth: 6,
      extensions: {},
    }),
    position: { slot: 'depth', depth: 6 },
  },
});

describe('edits there win, field by field', () => {
  const { there } = handOver(characterInForce([lorebookOf([editedLamp(), WICK])]), keep('exact'));
  it.each(THROUGH_THE_APP)('the name and the description of the book, %s', (_, back) => {
    const edited = back(there, (books) =>
      books.map((book) => ({ ...book, name: 'Pier', description: 'Of it.' })),
    );
    expect(piecesOf(edited).lorebooks.map(({ name, body }) => [name, body.description])).toEqual([
      ['Pier', 'Of it.'],
    ]);
  });
});

/** A book of which each entry says in its stash where it stood, as the app finds it. */
function writtenBook(
  json: Json | undefined,
  form: 'card' | 'native',
): Pick<WrittenBook, 'shown' | 'differences'> {
  const { entries } = throughJson(json) as { readonly entries: readonly JsonObject[] };
  const places = entries.map((entry) => jsonAt(entry, ['extensions', 'loreferry', 'at']));
  return {
    shown: ({ source }, at) => {
      const held = entries[places.indexOf(at)] as JsonObject;
      const bag = withoutKey(held['extensions'] as JsonObject, 'loreferry');
      return shownEntry({ ...held, extensions: bag }, form, source.id);
    },
    differences: differencesOf,
  };
}

toldLossesOf({
  runs: RUNS,
  forms: [
    (resolved, style) => {
      const { card, findings } = lumiverseCard(resolved, 'card', keep(style));
      return { findings, ...writtenBook(jsonAt(card, ['data', 'character_book']), 'card') };
    },
    (resolved, style) => {
      const { modules, findings } = lumiverseCard(resolved, 'charx', keep(style));
      return { findings, ...writtenBook((modules['world_books'] as readonly Json[])[0], 'native') };
    },
  ],
});
