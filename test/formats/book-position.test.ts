import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Agreement, Slot } from '../../src/core/position.ts';
import {
  parseBookPosition,
  parseWorldPosition,
  positionToCoarse,
  positionToExt,
} from '../../src/formats/_shared/book-position.ts';
import { readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { readWorldInfo } from '../../src/formats/sillytavern/world-info.ts';
import { bookEntry, bookOf, worldEntry, worldOf } from '../support/fixtures.ts';

const ABSENT = undefined;
/** `floor` and `repaired` are named; what is not named must not be there. */
type Row = readonly [
  coarse: Json | undefined,
  precise: Json | undefined,
  Slot,
  Agreement,
  ...('floor' | 'repaired')[],
];

describe('position in a book: the slot, and how far the two encodings agree (decisions 1 and 2)', () => {
  const DECIDED: readonly Row[] = [
    ['after_char', 4, 'depth', 'agree', 'floor'],
    ['after_char', '4', 'depth', 'agree', 'floor', 'repaired'],
    ['before_char', 'before_char', 'world', 'agree', 'repaired'],
    ['before_char', 5, 'before_example', 'agree', 'floor'],
    ['after_char', 5, 'before_example', 'agree', 'floor'],
    ['before_char', 4, 'depth', 'conflict'],
    ['after_char', 0, 'world', 'conflict'],
    ['before_char', null, 'world', 'coarse-only'],
    [ABSENT, 2, 'note_top', 'precise-only'],
    ['before_char', 42, 'world', 'invalid'],
    [0, ABSENT, 'world', 'invalid', 'repaired'],
    ['2', ABSENT, 'note_top', 'invalid', 'repaired'],
    ['', ABSENT, 'character', 'invalid'],
    [ABSENT, ABSENT, 'character', 'assumed'],
  ];
  const MORE: readonly Row[] = [
    ['before_char', 0, 'world', 'agree'],
    ['after_char', 1, 'character', 'agree'],
    ['after_char', 2, 'note_top', 'agree', 'floor'],
    ['after_char', 3, 'note_bottom', 'agree', 'floor'],
    ['after_char', 6, 'after_example', 'agree', 'floor'],
    ['after_char', 7, 'outlet', 'agree', 'floor'],
    ['before_char', 1, 'character', 'conflict'],
    ['before_char', 2, 'note_top', 'conflict'],
    ['before_char', 6, 'after_example', 'conflict'],
    ['before_char', 7, 'outlet', 'conflict'],
    ['before_char', '4', 'depth', 'conflict', 'repaired'],
    ['after_char', 'before_char', 'world', 'conflict', 'repaired'],
    ['after_char', 'depth', 'depth', 'agree', 'floor', 'repaired'],
    [ABSENT, '7', 'outlet', 'precise-only', 'repaired'],
    [null, 4, 'depth', 'precise-only'],
    [null, null, 'character', 'assumed'],
    ['after_char', ABSENT, 'character', 'coarse-only'],
    ['after_char', 8, 'character', 'invalid'],
    ['after_char', -1, 'character', 'invalid'],
    ['before_char', 4.5, 'world', 'invalid'],
    ['before_char', 'top_of_chat', 'world', 'invalid'],
    ['before_char', '', 'world', 'invalid'],
    ['before_char', true, 'world', 'invalid'],
    ['before_char', [4], 'world', 'invalid'],
    ['before_char', {}, 'world', 'invalid'],
    // An unusable value at the entry spoils the agreement, not the slot that the extensions name.
    [0, 4, 'depth', 'invalid'],
    ['', 4, 'depth', 'invalid'],
    ['beforeChar', 4, 'depth', 'invalid'],
    ['', '4', 'depth', 'invalid', 'repaired'],
    // Both unusable as written.
    [1, 42, 'character', 'invalid', 'repaired'],
    ['0', 'nowhere', 'world', 'invalid', 'repaired'],
    ['beforeChar', 42, 'character', 'invalid'],
    [1, ABSENT, 'character', 'invalid', 'repaired'],
    [4, ABSENT, 'depth', 'invalid', 'repaired'],
    [7, null, 'outlet', 'invalid', 'repaired'],
    [8, ABSENT, 'character', 'invalid'],
    ['9', ABSENT, 'character', 'invalid'],
    ['top_of_chat', ABSENT, 'character', 'invalid'],
    ['Before_Char', ABSENT, 'character', 'invalid'],
    [true, ABSENT, 'character', 'invalid'],
    [['before_char'], ABSENT, 'character', 'invalid'],
    [{}, {}, 'character', 'invalid'],
  ];

  const shown = (value: Json | undefined): string => (value === undefined ? 'absent' : JSON.stringify(value));
  const named = [...DECIDED, ...MORE].map(
    (row) => [`${shown(row[0])} with ${shown(row[1])} is ${row.slice(2).join(', ')}`, row] as const,
  );
  it.each(named)('%s', (_, [coarse, precise, slot, agreement, ...marks]) => {
    const entry = bookEntry({
      position: coarse,
      extensions: { ...(precise === undefined ? {} : { position: precise }), vectorized: false },
    });
    const { body, known, findings } = readCharacterBook(bookOf(entry), 'b');
    const reading = known.positions.get('e0');
    expect(reading).toMatchObject({ slot, agreement, floor: marks.includes('floor') });
    expect(reading?.coarse).toEqual({
      present: coarse !== undefined && coarse !== null,
      value: coarse ?? null,
    });
    expect(reading?.precise).toEqual({
      present: precise !== undefined && precise !== null,
      value: precise ?? null,
      at: 'extensions',
    });
    expect(body.entries[0]?.position.slot).toBe(slot);

    const ours = findings.filter(({ path }) => path === 'position.slot');
    const codes = ours.map(({ code }) => code);
    expect(codes.includes('repaired')).toBe(marks.includes('repaired'));
    expect(codes.includes('conflict')).toBe(agreement === 'conflict');
    if (agreement === 'agree' && !marks.includes('repaired')) expect(codes).toEqual([]);
    if (agreement === 'coarse-only' || agreement === 'precise-only') {
      expect(codes.filter((code) => code !== 'repaired')).toEqual([]);
    }
    if (agreement === 'assumed') expect(codes).toEqual(['assumed']);
    if (agreement === 'invalid') expect(codes.length).toBeGreaterThan(0);
    for (const { entryId, bookId, after } of ours)
      expect([entryId, bookId, after]).toEqual(['e0', 'b', slot]);
  });

  it('a number at the entry is said to have landed after the character in SillyTavern (decisions 1c)', () => {
    const { findings } = readCharacterBook(bookOf(bookEntry({ position: 4 })), 'b');
    const [found] = findings.filter(({ path }) => path === 'position.slot');
    expect(found).toMatchObject({ code: 'repaired', before: 4, after: 'depth' });
    expect(found?.message).toMatch(/SillyTavern's own import would have put the entry after the character/);
  });

  it('a mended precise value that also contradicts the word says both', () => {
    const { findings } = readCharacterBook(
      bookOf(bookEntry({ position: 'before_char', extensions: { position: '4' } })),
      'b',
    );
    expect(
      findings
        .filter(({ path }) => path === 'position.slot')
        .map(({ code }) => code)
        .sort(),
    ).toEqual(['conflict', 'repaired']);
  });

  it('every unusable value is named once, whatever was recovered from the other', () => {
    const { findings } = readCharacterBook(
      bookOf(bookEntry({ position: 1, extensions: { position: 42 } })),
      'b',
    );
    const befores = findings.filter(({ path }) => path === 'position.slot').map(({ before }) => before);
    expect(befores).toContain(1);
    expect(befores).toContain(42);
  });
});

describe('a world file has one position, at the top level; its extensions are ignored (decisions 1d and 2)', () => {
  const TABLE: readonly (readonly [Json | undefined, Slot, Agreement, ('repaired' | undefined)?])[] = [
    [0, 'world', 'precise-only'],
    [1, 'character', 'precise-only'],
    [4, 'depth', 'precise-only'],
    [7, 'outlet', 'precise-only'],
    ['4', 'depth', 'invalid', 'repaired'],
    ['after_char', 'character', 'invalid', 'repaired'],
    [10, 'world', 'invalid'],
    [-1, 'world', 'invalid'],
    ['nowhere', 'world', 'invalid'],
    ['', 'world', 'invalid'],
    [undefined, 'world', 'assumed'],
    [null, 'world', 'assumed'],
  ];
  it.each(TABLE)('%j is %s, %s %s', (position, slot, agreement, mark) => {
    const world = worldOf(worldEntry(0, { position, extensions: { position: 3 } }));
    const { known, body, findings } = readWorldInfo(world, 'w');
    expect(known.positions.get('w0')).toEqual({
      coarse: { present: false, value: null },
      precise: { present: position !== undefined && position !== null, value: position ?? null, at: 'entry' },
      slot,
      agreement,
      floor: false,
    });
    expect(body.entries[0]?.position.slot).toBe(slot);
    const codes = findings.filter(({ path }) => path === 'position.slot').map(({ code }) => code);
    expect(codes.includes('repaired')).toBe(mark === 'repaired');
    expect(codes.length).toBe(agreement === 'precise-only' ? 0 : 1);
  });
  it('is read the same by the parser itself', () => {
    expect(parseWorldPosition({ position: 4 }).reading.slot).toBe('depth');
    expect(parseWorldPosition({}).reading.slot).toBe('world');
  });
});

describe('an app that writes its own level first is believed there (decisions 8a)', () => {
  it.each([
    [4, 0, 'depth'],
    ['before_char', 1, 'world'],
    [undefined, 4, 'depth'],
    ['nonsense', 4, 'depth'],
  ])('%j at the entry, %j in extensions: %s', (coarse, precise, slot) => {
    expect(parseBookPosition(coarse, precise, 'entry-first').reading.slot).toBe(slot);
    const flipped = parseBookPosition(coarse, precise, 'extensions-first').reading.slot;
    expect(flipped).toBe(parseBookPosition(undefined, precise).reading.slot);
  });
});

describe('writing a slot in both encodings (spec 000)', () => {
  const TABLE: readonly (readonly [Slot, 'before_char' | 'after_char', number])[] = [
    ['world', 'before_char', 0],
    ['character', 'after_char', 1],
    ['note_top', 'after_char', 2],
    ['note_bottom', 'after_char', 3],
    ['depth', 'after_char', 4],
    ['before_example', 'before_char', 5],
    ['after_example', 'after_char', 6],
    ['outlet', 'after_char', 7],
    ['prepend_top', 'before_char', 0],
    ['scene', 'before_char', 0],
    ['append', 'after_char', 1],
    ['append_bottom', 'after_char', 4],
  ];
  it.each(TABLE)('%s is %s and %i', (slot, coarse, precise) => {
    expect(positionToCoarse(slot)).toBe(coarse);
    expect(positionToExt(slot)).toBe(precise);
  });
  it.each(TABLE.slice(0, 8))('%s comes back as itself, without a conflict', (slot, coarse, precise) => {
    expect(parseBookPosition(coarse, precise).reading).toMatchObject({ slot, agreement: 'agree' });
  });
  it('a value in the extensions is an integer 0 to 7, never a word', () => {
    const written: JsonObject = Object.fromEntries(TABLE.map(([slot]) => [slot, positionToExt(slot)]));
    for (const value of Object.values(written)) expect([0, 1, 2, 3, 4, 5, 6, 7]).toContain(value);
  });
});
