// The first look at a large world file: it says of all entries what the whole view says, and shows the same rows first.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { BY_ORDER, NO_FILTER, shownEntries } from '../../src/features/inspect/entries-filter.ts';
import { SHIPPED_SURROUNDINGS } from '../../src/features/inspect/surroundings.ts';
import { readWorldInfo } from '../../src/formats/sillytavern/world-info.ts';
import { type BookView, viewBook } from '../../src/inspection/book-view.ts';
import { FIRST_ENTRIES, firstLook } from '../../src/inspection/first-look.ts';
import { anyEntry } from '../support/arbitrary-books.ts';
import { worldEntry } from '../support/fixtures.ts';

function wholeView(world: JsonObject): BookView {
  const reading = readWorldInfo(world, 'b');
  const lorebook = { id: 'b', name: 'b', body: reading.body, original: {} };
  return viewBook(lorebook, reading, reading.findings, SHIPPED_SURROUNDINGS);
}

const rowsOf = (view: BookView) =>
  shownEntries(view.entries, NO_FILTER, BY_ORDER)
    .slice(0, FIRST_ENTRIES)
    .map(({ id, label, order, state }) => ({ id, label, order, state }));

const counted = ({ entries, on, off, constant, vectorized }: BookView['totals']) => ({
  entries,
  on,
  off,
  constant,
  vectorized,
});

function expectSameLook(world: JsonObject): void {
  const look = firstLook(world);
  if (look === null) throw new Error('read whole');
  const whole = wholeView(world);
  expect(counted(look.totals)).toEqual(counted(whole.totals));
  expect(rowsOf(wholeView(look.world))).toEqual(rowsOf(whole));
}

describe('the first look', () => {
  it('shows the rows with the lowest order, wherever they stand', () => {
    const entries = Array.from({ length: 200 }, (_, uid) =>
      worldEntry(uid, { order: (uid * 37) % 100, disable: uid % 3 === 0, constant: uid % 5 === 0 }),
    );
    expectSameLook({ entries: Object.fromEntries(entries.map((entry, uid) => [String(uid), entry])) });
  });

  it('is that of any world file', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { minLength: FIRST_ENTRIES + 1, maxLength: 90 }), (items) => {
        expectSameLook({ entries: Object.fromEntries(items.map((item, index) => [String(index), item])) });
      }),
      { numRuns: 60 },
    );
  });

  it('leaves a small file to be read whole', () => {
    expect(firstLook({ entries: { 0: worldEntry(0) } })).toBeNull();
  });
});
