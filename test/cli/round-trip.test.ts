// Through the command line and back: nothing inside a book may change that nobody edited.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { findCharacterBooks } from '../../src/formats/_shared/book-slots.ts';
import { hugeBook } from '../bench/huge-book.ts';
import { bookEntry, bookOf, cardWith, readCase, readPeers, throughJson } from '../support/fixtures.ts';
import { leafDifferences, leavesOf } from '../support/leaves.ts';
import { rawChunks } from '../support/png-fixtures.ts';
import { bytesOf, converted, done, inspected, jsonOf, listed, put } from './run-cli.ts';

const booksOf = (card: JsonObject): readonly JsonObject[] =>
  findCharacterBooks(card).books.map(({ raw }) => raw);
const marksIn = (value: Json): number => JSON.stringify(value).match(/MARK:/g)?.length ?? 0;

/** The books of a card after a round trip, joined in one slot or not, differ in no leaf. */
function expectSameBooks(before: JsonObject, after: string): void {
  // A merged book is split by the command line itself.
  done('convert', after, '--to', 'sillytavern', '--as', 'book', '--force', '-o', `${after}.books/`);
  const files = listed(`${after}.books`).map((name) => jsonOf(`${after}.books/${name}`));
  const books = booksOf(before);
  expect(files).toHaveLength(books.length);
  const byText = (a: JsonObject, b: JsonObject): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  const sorted = [...files].sort(byText);
  expect([...books].sort(byText).flatMap((book, index) => leafDifferences(book, sorted[index]))).toEqual([]);
}

/** The card around its books, as paths and values. */
const around = (card: JsonObject) => leavesOf(card).filter(({ path }) => !path.includes('character_book'));

const SPECIAL = ['18-', '20-', '51-', '54-', '58-', 'S1-'].map((name) => [name, readCase(name)] as const);

describe.each([...readPeers(), ...SPECIAL])('%s', (_, card) => {
  const isStandard = findCharacterBooks(card).books.every(({ slot }) => slot === 'data.character_book');

  it('unedited, as JSON: 100 % of the leaves inside the book, and every mark', () => {
    put('card.json', card);
    const report = converted('card.json', '-o', 'out.json');
    const written = jsonOf('out.json');
    expectSameBooks(card, 'out.json');
    expect(marksIn(written)).toBe(marksIn(card));
    if (isStandard) expect(written).toEqual(card);
    const kept = new Map(around(written).map(({ path, text }) => [path.join('.'), text]));
    for (const { path, text } of around(card)) expect([path, kept.get(path.join('.'))]).toEqual([path, text]);
    expect(report.findings.filter(({ code }) => code === 'lost' || code === 'approximated')).toEqual([]);
    expect(report.entries.total).toBe(inspected('card.json').entries.length);
    // What is written once is written the same again.
    done('convert', 'out.json', '--to', 'sillytavern', '-o', 'again.json');
    expect(jsonOf('again.json')).toEqual(written);
  });

  it('unedited, through a PNG', () => {
    put('card.json', card);
    done('convert', 'card.json', '--to', 'sillytavern', '--as', 'png', '-o', 'out.png');
    expect(rawChunks(bytesOf('out.png')).length).toBeGreaterThan(3);
    expectSameBooks(card, 'out.png');
    // The V3 copy is the one that is read, as in SillyTavern; from then on nothing changes any more.
    done('convert', 'out.png', '--to', 'sillytavern', '-o', 'second.png');
    done('convert', 'second.png', '--to', 'sillytavern', '-o', 'third.png');
    expect(bytesOf('third.png')).toEqual(bytesOf('second.png'));
  });

  it('extracted, and converted with the world files: the same books', () => {
    put('card.json', card);
    const books = booksOf(card).filter((book) => Object.keys((book['entries'] ?? {}) as object).length > 0);
    done('extract', 'card.json', '-o', 'x');
    if (books.length === 0) {
      expect(listed()).toEqual(['card.json']);
      return;
    }
    const worlds = listed('x').filter((name) => name !== 'card.json');
    expect(worlds).toHaveLength(books.length);
    const linked = inspected('x/card.json');
    expect(linked.books.map(({ entryCount }) => entryCount)).toEqual(
      inspected('card.json').books.map(({ entryCount }) => entryCount),
    );
    const given = worlds.flatMap((name) => ['--book', `x/${name}`]);
    const report = converted('card.json', ...given, '-o', 'out.json');
    expectSameBooks(card, 'out.json');
    expect(report.findings.filter(({ code }) => code === 'lost' || code === 'approximated')).toEqual([]);
    expect(report.findings.filter(({ message }) => /world file/.test(message))).toEqual([]);
    done('convert', 'x/card.json', '--to', 'sillytavern', ...given, '--as', 'png', '-o', 'out.png');
    expectSameBooks(card, 'out.png');
    // Each world file by itself gives back its own book.
    const bare = worlds.map((name, index) => {
      done('convert', `x/${name}`, '--to', 'sillytavern', '--as', 'book', '-o', `b${index}.json`);
      return JSON.stringify(jsonOf(`b${index}.json`));
    });
    expect(new Set(bare)).toEqual(new Set(books.map((book) => JSON.stringify(book))));
    // And it is written as it is.
    done('convert', `x/${worlds[0]}`, '--to', 'sillytavern', '-o', 'w.json');
    expect(bytesOf('w.json')).toEqual(bytesOf(`x/${worlds[0]}`));
  });
});

describe('an edit in the world file', () => {
  const card = cardWith({
    ...bookOf(
      bookEntry({ x: { y: 1 }, extensions: { position: 4, vendor: [1] } }),
      bookEntry({ id: 1, comment: 'B', keys: ['b'], content: 'B.' }),
    ),
    x_book: 1,
  });
  it('changes that leaf of the book, and nothing else', () => {
    put('card.json', card);
    done('extract', 'card.json', '-o', 'x');
    const world = throughJson(jsonOf('x/Quay Notes.json'));
    const entries = world['entries'] as Readonly<Record<string, JsonObject>>;
    put('x/Quay Notes.json', { ...world, entries: { ...entries, 1: { ...entries['1'], content: 'New.' } } });
    const report = converted('x/card.json', '--book', 'x/Quay Notes.json', '-o', 'out.json');
    expect(leafDifferences(jsonOf('x/card.json'), jsonOf('out.json'))).toEqual([
      'data.character_book.entries.1.content: "B." -> "New."',
    ]);
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        code: 'conflict',
        message: expect.stringMatching(/world file "Quay Notes"/),
      }),
    );
  });
});

it('5,000 entries: count in equals count out', () => {
  put('card.json', cardWith(hugeBook()));
  done('extract', 'card.json', '-o', 'x');
  const report = converted('x/card.json', '--book', 'x/Huge Quay.json', '-o', 'out.json');
  expect(report.entries).toEqual({ total: 5000, exact: 5000, stashed: 0, approximated: 0, lost: 0 });
  expect((jsonOf('out.json')['data'] as JsonObject)['character_book']).toEqual(throughJson(hugeBook()));
});
