// The peers: every entry, and 100 % of the leaves inside the book object, with the twin and without (decisions 11).

import { describe, expect, it } from 'vitest';
import { emitPieces, readPieces } from '../../src/convert.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookBody } from '../../src/core/lorebook.ts';
import { findCharacterBooks } from '../../src/formats/_shared/book-slots.ts';
import { lorebookToCharacterBook, readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK, CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { extractCharacterBooks } from '../../src/formats/_shared/extract-books.ts';
import { rawEntries } from '../../src/formats/_shared/raw-entries.ts';
import type { RawPlace } from '../../src/formats/_shared/unwritten-values.ts';
import { rowAt, UNWRITTEN_KINDS } from '../../src/formats/_shared/unwritten-values.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { bookEntry, bookOf, readCase, readPeers, throughJson } from '../support/fixtures.ts';
import { leafDifferences, leavesOf } from '../support/leaves.ts';

const rawOf = (lorebook: CanonicalLorebook): JsonObject =>
  lorebook.original[CHARACTER_BOOK]?.raw as JsonObject;
const marksIn = (value: unknown): number => JSON.stringify(value).match(/MARK:/g)?.length ?? 0;
const PEERS = readPeers();

describe('with the twin: card to world file to card', () => {
  it.each(PEERS)(
    '%s: every entry, 100 %% of the leaves inside the book, and the card around it as it was',
    (_, card) => {
      const pieces = readPieces(card);
      const lorebooks = pieces.lorebooks.map((lorebook) => {
        const world = throughJson(worldFromLorebook(lorebook, { character: 'x', slot: lorebook.id }));
        expect(Object.keys(world['entries'] as object)).toHaveLength(lorebook.body.entries.length);
        return lorebookFromWorld(world, lorebook.id, lorebook.name).lorebook;
      });
      const { card: written } = emitPieces({ ...pieces, lorebooks }, 'sillytavern');
      const back = extractCharacterBooks(throughJson(written)).books.map((book) => book.lorebook);
      const differences = back.flatMap((book, index) =>
        leafDifferences(rawOf(pieces.lorebooks[index] as CanonicalLorebook), rawOf(book)),
      );
      expect(back).toHaveLength(findCharacterBooks(card).books.length);
      expect(differences).toEqual([]);
      expect(marksIn(back.map(rawOf))).toBe(marksIn(card));
      // The card itself: all that is not a book stands where it stood, or in the data of a card that was flat.
      const rest = (json: JsonObject) =>
        leavesOf(json).filter(({ path }) => !path.includes('character_book'));
      const kept = new Map(rest(written).map(({ path, text }) => [path.join('.'), text]));
      for (const { path, text } of rest(card)) expect([path, kept.get(path.join('.'))]).toEqual([path, text]);
      if (findCharacterBooks(card).books.every(({ slot }) => slot === 'data.character_book')) {
        expect(leafDifferences(card, written)).toEqual([]);
      }
    },
  );
  it('56 marks stand in the primary books and two in a second one, so none can go missing unseen', () => {
    const primary = PEERS.map(([, card]) => marksIn(findCharacterBooks(card).books[0]?.raw ?? null));
    const second = PEERS.map(([, card]) => marksIn(findCharacterBooks(card).books.slice(1)));
    expect(primary.reduce((sum, count) => sum + count, 0)).toBe(56);
    expect(second.reduce((sum, count) => sum + count, 0)).toBe(2);
  });
});

/** Every value of a raw book that is not inside another one's value. */
function placesOf(book: JsonObject): readonly { readonly place: RawPlace; readonly entry: number | null }[] {
  const at = (where: RawPlace['at'], object: JsonObject, entry: number | null, skip: string) =>
    Object.entries(object)
      .filter(([key]) => key !== skip)
      .map(([key, value]) => ({ place: { at: where, key, value: value as Json }, entry }));
  return [
    ...at('book', book, null, 'entries'),
    ...rawEntries(book).items.flatMap((item, index) => {
      const entry = isObject(item) ? item : {};
      const bag = entry['extensions'];
      return [
        ...at('entry', entry, index, isObject(bag) ? 'extensions' : ''),
        ...(isObject(bag) ? at('extensions', bag, index, '') : []),
      ];
    }),
  ];
}

function writtenAt(book: JsonObject, { at, key }: RawPlace, entry: number | null): Json | undefined {
  if (entry === null) return book[key];
  const item = rawEntries(book).items[entry] as JsonObject;
  return at === 'entry' ? item[key] : (item['extensions'] as JsonObject)[key];
}

/** The kind of a value that did not come back as it stood: named by a finding on its field, or declared. */
function kindOf(place: RawPlace, entry: number | null, findings: readonly Finding[]): string {
  const path =
    place.at === 'book'
      ? place.key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
      : (rowAt(place)?.row.path ?? place.key);
  const entryId = entry === null ? null : `e${entry}`;
  const said = findings.some(
    (each) =>
      each.entryId === entryId &&
      each.path === path &&
      leafDifferences(each.before, place.value).length === 0,
  );
  if (said) return 'said by a finding';
  return UNWRITTEN_KINDS.find((kind) => kind.covers(place))?.name ?? 'not declared';
}

const met = new Set<string>();
const view = (body: LorebookBody) => ({
  ...body,
  entries: body.entries.map((entry) => [
    Object.fromEntries(CHARACTER_BOOK_FIELDS.map((row) => [row.path, row.show(entry)])),
    entry.bag,
  ]),
});

describe('without the twin: decode, write, decode', () => {
  const ODD = bookOf(
    bookEntry({
      extensions: {
        position: 0,
        sticky: 0,
        delay_until_recursion: true,
        group_weight: null,
        character_filter: { isExclude: false, names: [], tags: [] },
        vendor: null,
        x: 0,
      },
    }),
    bookEntry({ id: 5, name: 'Alone', comment: undefined, depth: 3, use_regex: true, extensions: null }),
  );
  const books = [
    ...PEERS,
    ...['18-', '20-', '21-', '23-', '26-', '51-', '54-', '58-', '87-', 'S1-'].map(
      (name) => [name, readCase(name)] as const,
    ),
  ]
    .flatMap(([name, card]) =>
      findCharacterBooks(card).books.map(({ slot, raw }) => [`${name} ${slot}`, raw] as const),
    )
    .concat([['every declared kind', throughJson({ ...ODD, description: '', scan_depth: null })]]);

  it.each(books)(
    '%s: the canonical side is equal, and every value that changed is of a declared kind',
    (_, raw) => {
      const { body, findings } = readCharacterBook(raw, 'b');
      const written = throughJson(lorebookToCharacterBook(body));
      const again = readCharacterBook(written, 'b');
      expect(leafDifferences(view(body), view(again.body))).toEqual([]);
      // What we write ourselves has nothing to be mended.
      expect(again.findings).toEqual([]);
      for (const { place, entry } of placesOf(raw)) {
        if (leafDifferences(place.value, writtenAt(written, place, entry)).length === 0) continue;
        const kind = kindOf(place, entry, findings);
        met.add(kind);
        expect({ place, entry, kind }).not.toMatchObject({ kind: 'not declared' });
      }
    },
  );
  it('every declared kind occurs, and has a reason', () => {
    expect(UNWRITTEN_KINDS.map(({ name }) => name).filter((name) => !met.has(name))).toEqual([]);
    for (const { reason } of UNWRITTEN_KINDS) expect(reason).toMatch(/^\S.*\.$/);
  });
  it.each<RawPlace>([
    { at: 'entry', key: 'content', value: 'x' },
    { at: 'entry', key: 'keys', value: ['x'] },
    { at: 'entry', key: 'enabled', value: false },
    { at: 'entry', key: 'insertion_order', value: 0 },
    { at: 'entry', key: 'x_top', value: null },
    { at: 'extensions', key: 'position', value: 4 },
    { at: 'extensions', key: 'depth', value: 0 },
    { at: 'extensions', key: 'vendor', value: null },
    { at: 'extensions', key: 'sticky', value: 2 },
    { at: 'extensions', key: 'delay_until_recursion', value: 2 },
    { at: 'book', key: 'x_book', value: null },
    { at: 'book', key: 'name', value: 'x' },
  ])('no kind covers $at $key $value: that must come back as it stood', (place) => {
    expect(UNWRITTEN_KINDS.filter((kind) => kind.covers(place))).toEqual([]);
  });
});
