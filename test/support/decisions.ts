// Random characters and chats through SillyTavern's rules and through a model of another app's: where the two decide
// otherwise of an entry, a finding on that entry says why.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Style } from '../../src/core/exporter.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { ResolvedCharacter, ResolvedEntry, ScanSettings } from '../../src/core/resolved.ts';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { anyChat, anyInput } from '../parity/arbitrary-scans.ts';
import type { Message } from '../parity/cases.ts';
import { run } from '../parity/engine.ts';
import { STYLES } from './sent-books.ts';

/** What was written for an app, and how it decides. */
export interface Deciding {
  readonly findings: readonly Finding[];
  /** Whether the app starts an entry in a chat; the entry's place among all of them is given, too. */
  readonly starts: (messages: readonly Message[]) => (mark: number, at: number) => boolean;
}

/** What is an app's own about deciding as SillyTavern does. */
export interface Decisions {
  readonly write: (resolved: ResolvedCharacter, style: Style) => Deciding;
  /** Settings that change what is said of the whole book, beside those that no app has. */
  readonly settings?: Partial<ScanSettings>;
  /** Fields that decide nothing: where an entry stands, and what it is called. */
  readonly noDecision: RegExp;
  /** What every chat begins with. */
  readonly greeting?: Message;
  /** Whether entries start each other there, so that one that decides otherwise, and is said, brings others. */
  readonly areChained?: boolean;
  readonly seed: number;
}

/** The number in an entry's text by which it is known. */
export const markOf = (text: string): number => Number(/MARK_(\d+)/.exec(text)?.[1]);

/** Describes that an app decides of every entry as SillyTavern does, or a finding on the entry says why not. */
export function decisionsOf(app: Decisions): void {
  describe.each(STYLES)('%s', (style) => {
    it('decides as SillyTavern does, or says that it does not', () => {
      let [same, told] = [0, 0];
      fc.assert(
        fc.property(anyInput, fc.array(anyChat, { minLength: 1, maxLength: 3 }), (given, chats) => {
          // What these change is said of the whole book.
          const whole = { budget: 25, budgetCap: 0, minActivations: 0, ...app.settings };
          const resolved = resolveCharacter({ ...given, settings: { ...given.settings, ...whole } });
          const { findings, starts } = app.write(resolved, style);
          const entries = resolved.books.flatMap(({ lorebook, entries: own }) =>
            own.map((each) => ({ each, bookId: lorebook.id })),
          );
          for (const chat of chats) {
            const messages = app.greeting === undefined ? chat : [app.greeting, ...chat];
            const { active } = run(resolved, { messages, trigger: 'normal', maxContext: 1e6 });
            const isStarted = starts(chat);
            const different = entries.filter(({ each }, at) => {
              const mark = markOf(each.entry.content);
              return active.includes(mark) !== isStarted(mark, at);
            });
            same += entries.length - different.length;
            told += different.length;
            const unsaid = different.filter(
              ({ each, bookId }) => !isSaid(findings, each, bookId, app.noDecision),
            );
            const isBrought =
              app.areChained && resolved.settings.recursive && unsaid.length < different.length;
            const [first] = isBrought ? [] : unsaid;
            if (first !== undefined)
              expect({ entry: first.each.entry, messages, active, findings }).toBeNull();
          }
        }),
        { seed: app.seed, numRuns: 1500 },
      );
      expect(told).toBeGreaterThan(100);
      expect(same).toBeGreaterThan(told * 5);
    });
  });
}

const isSaid = (
  findings: readonly Finding[],
  { source }: ResolvedEntry,
  bookId: string,
  noDecision: RegExp,
): boolean =>
  findings.some(
    (each) => each.entryId === source.id && each.bookId === bookId && !noDecision.test(each.path),
  );
