// SillyTavern -> an app -> SillyTavern, the same for every app: a world file, several books and any book come back as they
// were, whatever the app did with them. An app's table says what is handed over to it and the ways that it goes there.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/finding.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { withoutKey } from '../../src/core/json.ts';
import type { CanonicalLorebook } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter } from '../../src/core/resolved.ts';
import { lorebookFromBook } from '../../src/formats/_shared/character-book.ts';
import { anyFilledBook } from './arbitrary-books.ts';
import { deepFreeze } from './deep-freeze.ts';
import { throughJson, worldEntriesOf, worldEntry, worldOf } from './fixtures.ts';
import {
  entryView,
  entryViews,
  keep,
  lorebookOfWorld,
  resolvedOf,
  type SendOptions,
  STYLES,
  worldOfLorebook,
} from './sent-books.ts';

/** What is handed over to an app, as it comes out of the file, and what was said of it. */
export interface Handed<There> {
  readonly there: There;
  readonly findings: readonly Finding[];
}

/** Writes for an app. */
export type HandOver<There> = (resolved: ResolvedCharacter, options: SendOptions) => Handed<There>;

/** A way through an app: its name, and the lorebooks that are read of what comes back. */
export type Way<There> = readonly [name: string, back: (there: There) => readonly CanonicalLorebook[]];

/** How often properties are tried, and from where. */
export interface Runs {
  readonly seed: number;
  readonly numRuns: number;
}

/** What is an app's own about going there and back. */
export interface RoundTrips<There> {
  readonly handOver: HandOver<There>;
  readonly ways: readonly Way<There>[];
  readonly runs: Runs;
  /** The world file that goes there. */
  readonly world: JsonObject;
  /** Whether the app keeps no ids, so that entries are numbered anew on the way back. */
  readonly numbersAnew?: boolean;
  /** Whether the app drops a lorebook without entries. */
  readonly dropsEmptyBooks?: boolean;
  /** Several books: how the test is called there, and what else is asked of what is handed over. */
  readonly several?: { readonly title?: string; readonly also?: (there: There) => void };
  /** Any book: the ways that take all of them as they are, all ways unless given; what else is asked of what is handed over. */
  readonly anyBook?: { readonly ways?: readonly Way<There>[]; readonly also?: (there: There) => void };
}

/** Describes going there and back in both styles, with three kinds of tests: a world file, several books, any book. */
export function roundTripsOf<There>(app: RoundTrips<There>): void {
  const { handOver, ways } = app;
  const sent = lorebookOfWorld(app.world, 'Quay Notes');
  const other = lorebookOfWorld(
    worldOf(worldEntry(0, { key: ['tar'], order: 1, content: 'Tar.' })),
    'Tar Notes',
  );
  const books = [sent, other, ...(app.dropsEmptyBooks ? [] : [lorebookOfWorld(worldOf(), 'Nothing Yet')])];
  describe.each(STYLES)('%s, there and back', (style) => {
    it.each(ways)('a world file, %s', (_, read) => {
      const [back, ...others] = read(handOver(resolvedOf([sent]), keep(style)).there);
      expect(others).toEqual([]);
      expectTheSame(back, sent);
      const own = worldEntriesOf(app.world);
      const again = worldEntriesOf(worldOfLorebook(back as CanonicalLorebook));
      if (!app.numbersAnew) expect(Object.keys(again)).toEqual(Object.keys(own));
      // The same file without its uids, which SillyTavern's own way back would number anew.
      const bare = (entries: Readonly<Record<string, JsonObject>>) =>
        Object.values(entries).map((entry) => withoutKey(entry, 'uid'));
      expect(bare(again)).toEqual(bare(worldEntriesOf(worldOfLorebook(sent))));
      const asKept = app.numbersAnew ? bare : Object.values;
      expect(asKept(again)).toMatchObject(asKept(own));
    });
    it.each(ways)(`${app.several?.title ?? 'several books in one keep their boundaries'}, %s`, (_, read) => {
      const { there } = handOver(resolvedOf(books), keep(style));
      const back = read(there);
      expect(back.map(({ name }) => name)).toEqual(books.map(({ name }) => name));
      for (const [at, book] of books.entries()) expectTheSame(back[at], book);
      app.several?.also?.(there);
    });
    it('any book', () => {
      fc.assert(
        fc.property(anyFilledBook, (raw) => {
          const book = lorebookFromBook(raw, 'data.character_book', 'x');
          const { there } = handOver(resolvedOf([book]), keep(style));
          app.anyBook?.also?.(there);
          const meant = book.body.entries.map((entry) => entryView(deepFreeze(throughJson(entry))));
          for (const [, read] of app.anyBook?.ways ?? ways)
            expect(read(there).flatMap(entryViews)).toEqual(meant);
        }),
        app.runs,
      );
    });
  });
}

function expectTheSame(back: CanonicalLorebook | undefined, sent: CanonicalLorebook): void {
  expect(back?.name).toBe(sent.name);
  expect(entryViews(back)).toEqual(entryViews(sent));
  const { description, scanDepth, tokenBudget, recursiveScanning } = sent.body;
  expect(back?.body).toMatchObject({ description, scanDepth, tokenBudget, recursiveScanning });
}
