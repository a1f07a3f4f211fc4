// Nothing is lost in silence, the same for every app: what an app finds otherwise has a finding on the entry, and no
// writer is surprised by its own reader.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Style } from '../../src/core/exporter.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../src/core/resolved.ts';
import { lorebookFromBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { anyFilledBook } from './arbitrary-books.ts';
import { fullEntry } from './entry-values.ts';
import { characterInForce, lorebookOf } from './in-force.ts';
import type { Runs } from './round-trips.ts';
import { resolvedOf, STYLES } from './sent-books.ts';

/** A book as it was written for an app. */
export interface WrittenBook {
  readonly findings: readonly Finding[];
  /** What the app makes of the entry at a place of the book. */
  readonly shown: (meant: ResolvedEntry, at: number) => LorebookEntry;
  /** The fields in which the app decides otherwise. */
  readonly differences: (meant: LorebookEntry, shown: LorebookEntry) => readonly { readonly path: string }[];
}

/** What is an app's own about what it cannot hold. */
export interface ToldLosses {
  /** Every form in which the app's files hold a book. */
  readonly forms: readonly ((resolved: ResolvedCharacter, style: Style) => WrittenBook)[];
  readonly runs: Runs;
  /** What the test promises where that is more. */
  readonly title?: string;
  /**
   * Given where a finding on a field must have a difference, too: whether it may be without one.
   */
  readonly mayBeIdle?: (finding: Finding, meant: LorebookEntry, shown: LorebookEntry) => boolean;
}

const KNOWN = new Set(CHARACTER_BOOK_FIELDS.map(({ path }) => path));
const unforeseen = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ message }) => message.includes('does not read back'));

/** Describes that nothing is lost in silence: any book in each style, and an entry with every field set. */
export function toldLossesOf(app: ToldLosses): void {
  describe('nothing is lost in silence', () => {
    const title = app.title ?? 'what reads back otherwise has a finding, and nothing is unforeseen';
    it.each(STYLES)(`%s: ${title}`, (style) => {
      fc.assert(
        fc.property(anyFilledBook, (raw) => {
          const resolved = resolvedOf([lorebookFromBook(raw, 'data.character_book', 'x')]);
          for (const write of app.forms) expectAllTold(resolved, write(resolved, style), app.mayBeIdle);
        }),
        app.runs,
      );
    });
    it('every field at once', () => {
      const resolved = characterInForce([lorebookOf([fullEntry('w0')])]);
      for (const write of app.forms) expect(unforeseen(write(resolved, 'natural').findings)).toEqual([]);
    });
  });
}

function expectAllTold(
  { books }: ResolvedCharacter,
  { findings, shown, differences }: WrittenBook,
  mayBeIdle: ToldLosses['mayBeIdle'],
): void {
  expect(unforeseen(findings)).toEqual([]);
  books[0]?.entries.forEach((each, at) => {
    const { entry } = each;
    const seen = shown(each, at);
    const ofEntry = findings.filter(({ entryId }) => entryId === each.source.id);
    const said = new Set(ofEntry.map(({ path }) => path));
    const different = differences(entry, seen);
    expect(different.filter(({ path }) => !said.has(path))).toEqual([]);
    if (mayBeIdle === undefined) return;
    const differs = new Set(different.map(({ path }) => path));
    const idle = ofEntry.filter(({ path }) => KNOWN.has(path) && !differs.has(path));
    expect(idle.filter((finding) => !mayBeIdle(finding, entry, seen))).toEqual([]);
  });
  for (const { code, before, after, entryId } of findings) {
    if (entryId !== null && code !== 'repaired')
      expect(JSON.stringify(before)).not.toBe(JSON.stringify(after));
  }
}
