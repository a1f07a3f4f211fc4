// What holds for every book, however odd (a fixed seed, so that a failure comes back).

import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ContainerError } from '../../src/containers/container.ts';
import { ConversionError, emitPieces, readPieces } from '../../src/convert.ts';
import { sameFingerprint, strictFingerprint } from '../../src/core/fingerprint.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject, withoutKey } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookBody, LorebookEntry } from '../../src/core/lorebook.ts';
import { familyOf } from '../../src/formats/_shared/book-family.ts';
import { embedCharacterBook, findCharacterBooks } from '../../src/formats/_shared/book-slots.ts';
import {
  lorebookFromBook,
  lorebookToCharacterBook,
  readCharacterBook,
  readingOf,
} from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK, CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { extractCharacterBooks } from '../../src/formats/_shared/extract-books.ts';
import { rawEntries } from '../../src/formats/_shared/raw-entries.ts';
import { splitSourceBooks } from '../../src/formats/_shared/source-books.ts';
import { overlayWorldInfo, readWorldInfo, worldReadingOf } from '../../src/formats/sillytavern/world-info.ts';
import { WORLD_INFO } from '../../src/formats/sillytavern/world-table.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { inspectFile } from '../../src/inspection/inspection.ts';
import { openJson } from '../../src/open-file.ts';
import { anyBook, anyCard, anyFilledBook } from '../support/arbitrary-books.ts';
import { anyJson } from '../support/arbitrary-values.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { FIELD_VALUES, fullEntry, withValue } from '../support/entry-values.ts';
import { throughJson } from '../support/fixtures.ts';
import { changedPaths, leafDifferences } from '../support/leaves.ts';
import { embedAsSillyTavern, withNewEntry, withoutEntry } from '../support/sillytavern.ts';

const RUNS = { seed: 20_260_101, numRuns: 300 };
vi.setConfig({ testTimeout: 60_000 });
const SOURCE = { character: 'Mara Lint', slot: 'data.character_book' };
const wild = fc.oneof(anyJson, fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>, anyBook, anyCard);
const wordsOf = (object: object): string[] => Object.getOwnPropertyNames(object).sort();
const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const before = PROTOTYPES.map(wordsOf);

afterAll(() => {
  expect(PROTOTYPES.map(wordsOf)).toEqual(before);
});

const toWorld = (lorebook: CanonicalLorebook): JsonObject => throughJson(worldFromLorebook(lorebook, SOURCE));
const write = (lorebook: CanonicalLorebook): JsonObject =>
  lorebookToCharacterBook(lorebook.body, lorebook.original[CHARACTER_BOOK]);
const shows = (entries: readonly LorebookEntry[]) =>
  entries.map((entry) => [
    Object.fromEntries(CHARACTER_BOOK_FIELDS.map((row) => [row.path, row.show(entry)])),
    // Marinara's regex switch says how the keys are written; whose book it is decides whether it means that.
    withoutKey(withoutKey(entry.bag.entry, 'useRegex'), 'regex'),
    // A place of Lumiverse's may be a block of the prompt, which is named there.
    withoutKey(withoutKey(entry.bag.extensions, 'wi_marker'), 'wi_marker_side'),
  ]);
const view = (body: LorebookBody) => ({ ...body, entries: shows(body.entries) });
const wiresOf = (path: string): string[] => {
  const row = CHARACTER_BOOK_FIELDS.find((each) => each.path === path);
  const wires = row?.wires.map(({ at, key }) => (at === 'extensions' ? `extensions.${key}` : key)) ?? [];
  // Both lists of keys share the use_regex flag, so a change of one may rewrite bare patterns of the other; extensions
  // that are no object or empty give way to the field that needs a place there.
  // Marinara's bare patterns get their case from the entry's own switch.
  if (path === 'position.slot') return [...wires, 'extensions.wi_marker', 'extensions.wi_marker_side'];
  return path.endsWith('eys') || path === 'scan.caseSensitive'
    ? [...wires, 'keys', 'key', 'secondary_keys', 'keysecondary', 'useRegex', 'regex', 'extensions']
    : wires;
};
const KEYS = ['keys', 'key', 'secondary_keys', 'keysecondary', 'use_regex'];
// Bare patterns of a plain book are written in slash form once the book holds a field of SillyTavern's: the flag beside
// them means nothing any more (decisions 5).
const isPattern = (book: JsonObject, path: string): boolean => {
  const [, index, key] = path.split('.');
  const entry = rawEntries(book).items[Number(index)];
  return (
    familyOf(book).patternKeys && isObject(entry) && entry['use_regex'] === true && KEYS.includes(key ?? '')
  );
};
const isAt = (path: string, index: number, wires: readonly string[]): boolean =>
  // An empty entry and an empty bag are leaves of their own, which end when something is put there.
  path === `entries.${index}` ||
  path === `entries.${index}.extensions` ||
  wires.some((wire) => path === `entries.${index}.${wire}` || path.startsWith(`entries.${index}.${wire}.`));

const strays = (book: JsonObject, changed: readonly string[], index: number, field: string): string[] =>
  changed.filter((path) => !isAt(path, index, wiresOf(field)) && !isPattern(book, path));

describe('reading never throws, whatever the JSON is', () => {
  it('as a book: entries are counted as they stand, ids are unique, nothing is changed', () => {
    fc.assert(
      fc.property(wild, (json) => {
        const { body, findings } = readCharacterBook(deepFreeze(json), 'b');
        expect(body.entries).toHaveLength(isObject(json) ? rawEntries(json).items.length : 0);
        expect(new Set(body.entries.map(({ id }) => id)).size).toBe(body.entries.length);
        for (const { bookId, message } of findings) expect([bookId, message !== '']).toEqual(['b', true]);
        JSON.stringify([body, findings]);
        strictFingerprint(body);
      }),
      RUNS,
    );
  });
  it('as a world file', () => {
    fc.assert(
      fc.property(wild, (json) => {
        const { body, uids } = readWorldInfo(deepFreeze(json), 'w');
        expect(new Set(uids.values()).size).toBe(body.entries.length);
        if (isObject(json)) lorebookFromWorld(json, 'w', 'x');
      }),
      RUNS,
    );
  });
  it('as a card: it is read, inspected and written, or refused by one of our own errors', () => {
    fc.assert(
      fc.property(wild, (json) => {
        deepFreeze(json);
        findCharacterBooks(json);
        try {
          const opened = openJson({ kind: 'json', json, copies: [{ json }], notes: [] }, 'x.json');
          JSON.stringify(inspectFile(opened));
          if (opened.kind === 'card') JSON.stringify(emitPieces(opened.pieces, 'sillytavern'));
        } catch (error) {
          expect(error instanceof ContainerError || error instanceof ConversionError).toBe(true);
        }
      }),
      RUNS,
    );
  });
  it('numbers that JSON cannot hold do no harm either', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELD_VALUES), (field) => {
        const row = CHARACTER_BOOK_FIELDS.find(({ path }) => path === field.path);
        const [wire] = row?.wires ?? [];
        const key = wire?.key ?? '';
        const at = JSON.parse(`{"${key}": 1e999}`) as JsonObject;
        const entry = wire?.at === 'extensions' ? { extensions: at } : at;
        const { body } = readCharacterBook({ entries: [entry] }, 'b');
        const lost = JSON.stringify(body, (_, held: unknown) =>
          held === Number.POSITIVE_INFINITY ? 'lost' : held,
        );
        expect(lost).not.toContain('"lost"');
      }),
      { seed: RUNS.seed, numRuns: 200 },
    );
  });
});

describe('unedited in, deep-equal out', () => {
  it('a book', () => {
    fc.assert(
      fc.property(anyBook, (raw) => {
        const escrow = { raw };
        const { body } = readingOf(escrow, 'b');
        expect(lorebookToCharacterBook(body, escrow)).toBe(raw);
        const copy = { ...body, entries: body.entries.map((entry) => ({ ...entry })) };
        expect(lorebookToCharacterBook(copy, escrow)).toBe(raw);
      }),
      RUNS,
    );
  });
  it('a book through a world file and back', () => {
    fc.assert(
      fc.property(anyBook, (raw) => {
        const lorebook = lorebookFromBook(raw, 'b', 'x');
        const { lorebook: back, edited } = lorebookFromWorld(toWorld(lorebook), 'w', 'x');
        expect(edited).toBe(false);
        expect(leafDifferences(raw, write(back))).toEqual([]);
      }),
      RUNS,
    );
  });
  it('a card without lorebooks, and one with its books in the standard slot', () => {
    fc.assert(
      fc.property(anyCard, (card) => {
        const pieces = readPieces(card);
        const alone = {
          ...pieces,
          character: { ...pieces.character, body: { ...pieces.character.body, knowledgeRefs: [] } },
        };
        expect(emitPieces(alone, 'sillytavern').card).toBe(card);
        const slots = [...pieces.slots.values()];
        const { card: written } = emitPieces(pieces, 'sillytavern');
        const others = findCharacterBooks(card).books.length !== new Set(slots).size;
        if (slots.length === 1 && slots[0] === 'data.character_book' && !others && onlyStandard(card)) {
          expect(written).toBe(card);
        }
        // Whatever stood where: the same books come back, none more and none less.
        const raws = (json: JsonObject) =>
          extractCharacterBooks(json).books.map(({ lorebook }) => lorebook.original[CHARACTER_BOOK]?.raw);
        if (pieces.lorebooks.length > 0)
          expect(leafDifferences(raws(card), raws(throughJson(written)))).toEqual([]);
      }),
      RUNS,
    );
  });
  it('several books in one slot', () => {
    fc.assert(
      fc.property(fc.array(anyBook, { minLength: 2, maxLength: 3 }), (raws) => {
        const lorebooks = raws.map((raw, index) => lorebookFromBook(raw, `b${index}`, 'x'));
        const { data } = embedCharacterBook({}, lorebooks);
        const merged = throughJson(data['character_book'] as JsonObject);
        expect(leafDifferences(raws, splitSourceBooks(merged))).toEqual([]);
      }),
      RUNS,
    );
  });
});

function onlyStandard(card: JsonObject): boolean {
  const extensions = (card['data'] as JsonObject | undefined)?.['extensions'];
  const inside = isObject(extensions) ? extensions : {};
  return !('character_book' in inside || 'character_books' in inside || 'character_book' in card);
}

describe('one edited field changes that field and nothing else', () => {
  const edit = fc.record({
    book: anyFilledBook,
    at: fc.nat(3),
    field: fc.constantFrom(...FIELD_VALUES),
    other: fc.boolean(),
  });
  it('on a raw book: only its own wires, and it is read back', () => {
    fc.assert(
      fc.property(edit, ({ book, at, field, other }) => {
        const escrow = { raw: book };
        const { body } = readingOf(escrow, 'b');
        const index = at % body.entries.length;
        const read = body.entries[index] as LorebookEntry;
        const entry = withValue(read, field.path, other ? field.other : field.set);
        const entries = body.entries.map((each, place) => (place === index ? entry : each));
        const written = lorebookToCharacterBook({ ...body, entries }, escrow);
        const changed = changedPaths(book, written);
        expect(strays(book, changed, index, field.path)).toEqual([]);
        const back = readCharacterBook(throughJson(written), 'b').body;
        expect(leafDifferences(view({ ...body, entries }), view(back))).toEqual([]);
      }),
      { ...RUNS, numRuns: 800 },
    );
  });
  it('made in a world file, on the raw book that rides along', () => {
    fc.assert(
      fc.property(edit, ({ book, at, field, other }) => {
        const world = toWorld(lorebookFromBook(book, 'b', 'x'));
        const own = { raw: world };
        const { body } = worldReadingOf(own, 'w');
        const index = at % body.entries.length;
        const entry = withValue(
          body.entries[index] as LorebookEntry,
          field.path,
          other ? field.other : field.set,
        );
        const entries = body.entries.map((each, place) => (place === index ? entry : each));
        const saved = throughJson(overlayWorldInfo({ ...body, entries }, own));
        const { lorebook } = lorebookFromWorld(saved, 'w', 'x');
        const live = lorebook.body.entries[index] as LorebookEntry;
        const row = CHARACTER_BOOK_FIELDS.find(({ path }) => path === field.path);
        // SillyTavern's editor switches it on in every entry that it unfolds: without secondary keys that is no edit.
        const isIdle = field.path === 'selective' && entry.secondaryKeys.length === 0;
        if (!isIdle) expect(row?.show(live)).toEqual(row?.show(entry));
        if (!lorebook.body.entries[index]?.id.startsWith('e')) return;
        const changed = changedPaths(book, write(lorebook));
        expect(strays(book, changed, index, field.path)).toEqual([]);
      }),
      { ...RUNS, numRuns: 800 },
    );
  });
});

describe('a lorebook that was edited before it became a world file', () => {
  it('keeps the edit, the order and its twin', () => {
    const change = fc.record({
      book: anyBook,
      order: fc.array(fc.nat(9), { maxLength: 6 }),
      field: fc.constantFrom(...FIELD_VALUES),
    });
    fc.assert(
      fc.property(change, ({ book, order, field }) => {
        const lorebook = lorebookFromBook(book, 'b', 'x');
        const kept = [...new Set(order)].flatMap((index) => lorebook.body.entries[index] ?? []);
        // Where there are no second keys, the switch for them is what SillyTavern's editor does by itself.
        const isIdle = field.path === 'selective' && kept[0]?.secondaryKeys.length === 0;
        const entries = kept.map((entry, index) =>
          index === 0 && !isIdle ? withValue(entry, field.path, field.other) : entry,
        );
        const world = toWorld({ ...lorebook, body: { ...lorebook.body, entries } });
        const live = lorebookFromWorld(world, 'w', 'x').lorebook;
        // A world file always gives its entries a place in the editor's list; unknown keys of the entry itself are its
        // twin's, and an entry of which nothing is left as it was has none (decisions 24).
        const placed = (list: readonly LorebookEntry[]) =>
          shows(list.map((entry) => ({ ...entry, displayIndex: 0, bag: { ...entry.bag, entry: {} } })));
        expect(leafDifferences(placed(entries), placed(live.body.entries))).toEqual([]);
        expect(live.original[CHARACTER_BOOK]?.raw).toEqual(book);
      }),
      RUNS,
    );
  });
});

describe('entries may come, go and move', () => {
  it('in a raw book: what is left is read back as it was, in the order given', () => {
    const change = fc.record({
      book: anyBook,
      order: fc.array(fc.nat(9), { maxLength: 6 }),
      isAdded: fc.boolean(),
    });
    fc.assert(
      fc.property(change, ({ book, order, isAdded }) => {
        const escrow = { raw: book };
        const { body } = readingOf(escrow, 'b');
        const kept = [...new Set(order)].flatMap((index) => body.entries[index] ?? []);
        const entries = isAdded ? [...kept, fullEntry('new')] : kept;
        const written = throughJson(lorebookToCharacterBook({ ...body, entries }, escrow));
        // A book is an app's by its entries: where those that say so are gone, the others are anybody's.
        if (familyOf(book).family !== familyOf(written as JsonObject).family) return;
        const back = readCharacterBook(written, 'b').body;
        expect(leafDifferences(view({ ...body, entries }).entries, view(back).entries)).toEqual([]);
      }),
      { ...RUNS, numRuns: 600 },
    );
  });
  it('in a world file: the raw book that rides along loses and gains those entries only', () => {
    fc.assert(
      fc.property(anyFilledBook, fc.nat(3), (book, at) => {
        const world = toWorld(lorebookFromBook(book, 'b', 'x'));
        const uids = Object.keys(world['entries'] as object).map(Number);
        const gone = uids[at % uids.length] as number;
        const { world: saved, uid } = withNewEntry(withoutEntry(world, gone), {
          content: 'Brand new.',
          comment: 'Brand new',
        });
        const { lorebook } = lorebookFromWorld(throughJson(saved), 'w', 'x');
        const before = readCharacterBook(book, 'b').body.entries.filter((_, index) => uids[index] !== gone);
        const back = readCharacterBook(throughJson(write(lorebook)), 'b').body.entries;
        const isNew = (entry: LorebookEntry): boolean => entry.content === 'Brand new.';
        expect(back.filter(isNew)).toHaveLength(1);
        expect(back.findIndex(isNew)).toBe(
          [...uids.filter((each) => each !== gone), uid].sort((a, b) => a - b).indexOf(uid),
        );
        expect(leafDifferences(shows(before), shows(back.filter((entry) => !isNew(entry))))).toEqual([]);
      }),
      { ...RUNS, numRuns: 500 },
    );
  });
});

describe('the meaning survives every form', () => {
  it('a book written without its twin reads back the same, and holds nothing to be mended', () => {
    fc.assert(
      fc.property(anyBook, (raw) => {
        const { body } = readCharacterBook(raw, 'b');
        const again = readCharacterBook(throughJson(lorebookToCharacterBook(body)), 'b');
        expect(leafDifferences(view(body), view(again.body))).toEqual([]);
        expect(again.findings.filter(({ code }) => code === 'repaired' || code === 'conflict')).toEqual([]);
      }),
      RUNS,
    );
  });
  it("a world file, read without its twin, and SillyTavern's own embed of it are the same book", () => {
    fc.assert(
      fc.property(anyBook, (raw) => {
        const lorebook = lorebookFromBook(raw, 'b', 'x');
        const world = toWorld(lorebook);
        const fingerprint = sameFingerprint(lorebook.body);
        const { loreferry: _, ...bare } = world;
        expect(sameFingerprint(readWorldInfo(bare, 'w').body)).toBe(fingerprint);
        expect(sameFingerprint(lorebookFromWorld(bare, 'w', 'x').lorebook.body)).toBe(fingerprint);
        const embedded = readCharacterBook(throughJson(embedAsSillyTavern(world, 'x')), 'b').body;
        expect(sameFingerprint(embedded)).toBe(fingerprint);
        expect(embedded.entries.map(({ content }) => content)).toEqual(
          lorebook.body.entries.map(({ content }) => content),
        );
        expect(lorebookFromWorld(world, 'w', 'x').lorebook.original[WORLD_INFO]?.raw).toBe(world);
      }),
      RUNS,
    );
  });
  it('extracting the same card twice gives the same fingerprints', () => {
    fc.assert(
      fc.property(anyCard, (card) => {
        const prints = (json: JsonObject) =>
          readPieces(json).lorebooks.map(({ body }) => [sameFingerprint(body), strictFingerprint(body)]);
        expect(prints(throughJson(card))).toEqual(prints(card));
      }),
      RUNS,
    );
  });
});
