// A book as the panel draws it: every entry once, with its state, its label, its findings, and whether it needs a look.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { SLOTS } from '../support/entry-values.ts';
import { bookEntry, bookOf, cardWith, readCase, worldEntry, worldOf } from '../support/fixtures.ts';
import { viewOf, viewsOf } from '../support/views.ts';

const entryOf = (given: JsonObject) => {
  const [entry] = viewOf(cardWith(bookOf(bookEntry(given)))).entries;
  if (entry === undefined) throw new Error('no entry');
  return entry;
};

describe('an entry at a glance', () => {
  const STATES: readonly (readonly [string, JsonObject])[] = [
    ['on', {}],
    ['off', { enabled: false, constant: true }],
    ['constant', { constant: true, extensions: { vectorized: true } }],
    ['vectorized', { extensions: { vectorized: true } }],
  ];
  it.each(STATES)('is %s', (state, given) => {
    expect(entryOf(given).state).toBe(state);
  });

  it('without a title is called by its first key, and says so', () => {
    expect(entryOf({ comment: '', keys: ['fog', 'mist'] })).toMatchObject({
      label: 'fog',
      isLabelDerived: true,
      title: '',
    });
    expect(entryOf({ comment: 'Weather' })).toMatchObject({ label: 'Weather', isLabelDerived: false });
  });

  it('carries the raw entry itself', () => {
    const raw = bookEntry({ odd: { a: 1 } });
    const card = cardWith(bookOf(raw));
    expect(viewOf(card).entries[0]?.raw).toBe(raw);
  });
});

describe('what needs a look', () => {
  const TABLE: readonly (readonly [boolean, string, Json, Json])[] = [
    [false, 'agree', 'before_char', 0],
    [false, 'floor', 'after_char', 4],
    [false, 'coarse only', 'before_char', null],
    [false, 'precise only', null, 2],
    [true, 'conflict', 'before_char', 4],
    [true, 'invalid', 'middle', null],
    [true, 'assumed', null, null],
  ];
  it.each(TABLE)('%s for %s', (needsLook, _name, position, precise) => {
    expect(entryOf({ position, extensions: { position: precise } }).needsLook).toBe(needsLook);
  });

  it('an entry that cannot fire, unless it is off anyway', () => {
    expect(entryOf({ keys: [] }).needsLook).toBe(true);
    expect(entryOf({ keys: [], enabled: false }).needsLook).toBe(false);
    expect(entryOf({ keys: [], constant: true }).needsLook).toBe(false);
  });
});

describe('all eight positions', () => {
  it('of a book, each agreeing or the floor', () => {
    const entries = SLOTS.map((_, position) =>
      bookEntry({
        id: position,
        position: position === 0 ? 'before_char' : 'after_char',
        extensions: { position, depth: 3, role: 1, outlet_name: 'shelf' },
      }),
    );
    const view = viewOf(cardWith(bookOf(...entries)));
    expect(view.entries.map(({ slot }) => slot)).toEqual(SLOTS);
    expect(view.entries.map(({ floor }) => floor)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(view.entries[4]).toMatchObject({ depth: 3, role: 'user', outlet: null });
    expect(view.entries[7]).toMatchObject({ depth: null, role: null, outlet: 'shelf' });
  });

  it('of a world file, each with one value', () => {
    const entries = Array.from({ length: 8 }, (_, position) => worldEntry(position, { position }));
    const view = viewOf(worldOf(...entries));
    expect(new Set(view.entries.map(({ agreement }) => agreement))).toEqual(new Set(['precise-only']));
    expect(new Set(view.entries.map(({ precise }) => precise.at))).toEqual(new Set(['entry']));
  });
});

describe('the book', () => {
  it('is counted by states', () => {
    const view = viewOf(
      cardWith(
        bookOf(
          bookEntry({ id: 0 }),
          bookEntry({ id: 1, enabled: false }),
          bookEntry({ id: 2, constant: true }),
          bookEntry({ id: 3, position: null }),
        ),
      ),
    );
    expect(view.totals).toEqual({ entries: 4, on: 3, off: 1, constant: 1, vectorized: 0, needsLook: 1 });
  });

  it('may be empty', () => {
    expect(viewOf(cardWith(bookOf()))).toMatchObject({ entries: [], totals: { entries: 0, needsLook: 0 } });
  });

  it('of a V1 card is found', () => {
    const view = viewOf({
      name: 'Old',
      description: '',
      first_mes: 'Hi',
      character_book: bookOf(bookEntry()),
    });
    expect(view.entries).toHaveLength(1);
  });

  it('stands beside another one in its own slot', () => {
    const other = { ...bookOf(bookEntry({ content: 'Another text.' })), name: 'Second' };
    const views = viewsOf(cardWith(bookOf(bookEntry()), { extensions: { character_book: other } }));
    expect(views.map(({ entries }) => entries.length)).toEqual([1, 1]);
  });

  it('keeps an entry each for repeated and missing ids (case S1)', () => {
    const view = viewOf(readCase('S1-'));
    expect(view.entries).toHaveLength(7);
    expect(new Set(view.entries.map(({ id }) => id)).size).toBe(7);
    expect([...view.entries.flatMap(({ findings }) => findings), ...view.findings]).not.toEqual([]);
  });

  it('shows off what is off, and on what says nothing (case 87)', () => {
    const { entries } = viewOf(readCase('87-'));
    expect(entries.map(({ state }) => state === 'off')).toEqual([false, true, false, true]);
  });

  it('names a finding at its entry, and only there', () => {
    const view = viewOf(cardWith(bookOf(bookEntry(), bookEntry({ id: 1, enabled: 'false' }))));
    expect(view.entries[0]?.findings).toEqual([]);
    expect(view.entries[1]?.findings).toMatchObject([{ code: 'repaired', path: 'enabled' }]);
  });
});
