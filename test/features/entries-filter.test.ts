// Which entries the table shows, in which order; and which of them are drawn.

import { describe, expect, it } from 'vitest';
import {
  BY_ORDER,
  type EntriesFilter,
  NO_FILTER,
  type SortColumn,
  shownEntries,
} from '../../src/features/inspect/entries-filter.ts';
import { windowAt } from '../../src/features/inspect/row-window.ts';
import { bookEntry, bookOf, cardWith } from '../support/fixtures.ts';
import { viewOf } from '../support/views.ts';

const VIEW = viewOf(
  cardWith(
    bookOf(
      bookEntry({ id: 0, comment: 'Bell', keys: ['bell'], insertion_order: 30, position: 'after_char' }),
      bookEntry({ id: 1, comment: 'anchor', keys: [], content: 'Rusts in the SQUALL.', insertion_order: 10 }),
      bookEntry({ id: 2, comment: 'Cant', enabled: false, insertion_order: 20, extensions: { position: 4 } }),
      bookEntry({
        id: 3,
        comment: 'Dock',
        secondary_keys: ['pier'],
        insertion_order: 10,
        position: 'after_char',
        extensions: { position: 4 },
      }),
    ),
  ),
);
const labels = (filter: Partial<EntriesFilter>, sort = BY_ORDER) =>
  shownEntries(VIEW.entries, { ...NO_FILTER, ...filter }, sort).map(({ label }) => label);

describe('the filter', () => {
  const TABLE: readonly (readonly [Partial<EntriesFilter>, readonly string[]])[] = [
    [{}, ['anchor', 'Dock', 'Cant', 'Bell']],
    [{ search: 'squall' }, ['anchor']],
    [{ search: 'PIER' }, ['Dock']],
    [{ search: 'be ell' }, ['Bell']],
    [{ search: 'nothing like it' }, []],
    [{ state: 'off' }, ['Cant']],
    [{ slot: 'depth' }, ['Dock', 'Cant']],
    [{ agreement: 'floor' }, ['Dock']],
    [{ agreement: 'conflict' }, ['Cant']],
    [{ agreement: 'agree' }, []],
    [{ agreement: 'coarse-only' }, ['anchor', 'Bell']],
    [{ finding: 'cannot-fire', state: 'on' }, ['anchor']],
    [{ look: true }, ['anchor', 'Cant']],
    [{ look: true, search: 'cant' }, ['Cant']],
  ];
  it.each(TABLE)('%o', (filter, expected) => {
    expect(labels(filter)).toEqual(expected);
  });
});

describe('the order', () => {
  const TABLE: readonly (readonly [SortColumn, boolean, readonly string[]])[] = [
    ['order', true, ['Bell', 'Cant', 'anchor', 'Dock']],
    ['label', false, ['anchor', 'Bell', 'Cant', 'Dock']],
    ['label', true, ['Dock', 'Cant', 'Bell', 'anchor']],
    ['state', false, ['Bell', 'anchor', 'Dock', 'Cant']],
    ['lands', false, ['anchor', 'Bell', 'Cant', 'Dock']],
    ['agreement', false, ['Cant', 'Bell', 'anchor', 'Dock']],
    ['precise', true, ['Cant', 'Dock', 'Bell', 'anchor']],
  ];
  it.each(TABLE)('by %s, descending %s', (column, descending, expected) => {
    expect(labels({}, { column, descending })).toEqual(expected);
  });
});

describe('the window', () => {
  const ids = Array.from({ length: 1000 }, (_, index) => `e${index}`);
  const usual = { of: () => undefined, usual: 30 };
  const at = (scrolled: number, heights: Parameters<typeof windowAt>[1] = usual) =>
    windowAt(ids, heights, scrolled, 600);

  it.each([0, 100, 14_000, 29_400, 90_000])(
    'draws what is seen at %i, and the whole list is as high as ever',
    (scrolled) => {
      const { first, end, above, below } = at(scrolled);
      expect(above + (end - first) * 30 + below).toBe(30_000);
      expect(above).toBeLessThanOrEqual(scrolled);
      expect(above + (end - first) * 30).toBeGreaterThanOrEqual(Math.min(30_000, scrolled + 600));
      expect(end - first).toBeLessThan(60);
    },
  );

  it('counts rows that were measured as they are', () => {
    const { first, end, above } = at(500, { of: (id) => (id === 'e0' ? 500 : undefined), usual: 30 });
    expect([first, above]).toEqual([0, 0]);
    expect(end).toBeGreaterThan(20);
  });

  it('of an empty list is empty', () => {
    expect(windowAt([], usual, 0, 600)).toEqual({ first: 0, end: 0, above: 0, below: 0 });
  });
});
