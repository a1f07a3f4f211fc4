// Random characters and chats through SillyTavern's rules and through a model of RisuAI's: where the two decide otherwise
// of an entry, a finding on that entry says why, or on one whose text starts it.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { risuCard } from '../../src/formats/risu/card.ts';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { anyChat, anyInput } from '../parity/arbitrary-scans.ts';
import { run } from '../parity/engine.ts';
import { activeInRisu } from '../support/risu-engine.ts';

vi.setConfig({ testTimeout: 120_000 });

// Where an entry stands, and what it is called, decides nothing.
const NO_DECISION = /^(position\.|title$|order$|displayIndex$)/;
const GREETING = { role: 'assistant', name: 'Nyra', text: 'Sit down.' } as const;
const markOf = (text: string): number => Number(/MARK_(\d+)/.exec(text)?.[1]);

describe.each(['natural', 'exact'] as const)('%s', (style) => {
  it('decides as SillyTavern does, or says that it does not', () => {
    let [same, told] = [0, 0];
    fc.assert(
      fc.property(anyInput, fc.array(anyChat, { minLength: 1, maxLength: 3 }), (given, chats) => {
        // What these change is said of the whole book.
        const settings = {
          ...given.settings,
          budget: 25,
          budgetCap: 0,
          minActivations: 0,
          maxRecursionSteps: 0,
        };
        const resolved = resolveCharacter({ ...given, settings });
        const { card, findings } = risuCard(resolved, { style });
        const entries = resolved.books.flatMap(({ lorebook, entries: own }) =>
          own.map((each) => ({ each, bookId: lorebook.id })),
        );
        for (const rest of chats) {
          // RisuAI searches the messages behind the greeting.
          const messages = [GREETING, ...rest];
          const { active } = run(resolved, { messages, trigger: 'normal', maxContext: 1e6 });
          const theirs = new Set(
            activeInRisu(
              card,
              rest.map(({ text }) => text),
            ).map(markOf),
          );
          const different = entries.filter(({ each }) => {
            const mark = markOf(each.entry.content);
            return active.includes(mark) !== theirs.has(mark);
          });
          same += entries.length - different.length;
          told += different.length;
          const said = different.filter(({ each, bookId }) =>
            findings.some(
              ({ entryId, bookId: id, path }) =>
                entryId === each.source.id && id === bookId && !NO_DECISION.test(path),
            ),
          );
          // With recursion one entry that decides otherwise brings others.
          const isSaid = settings.recursive ? said.length > 0 : said.length === different.length;
          if (different.length > 0 && !isSaid) {
            const [first] = different.filter((each) => !said.includes(each));
            expect({ entry: first?.each.entry, messages, active, theirs: [...theirs], card }).toBeNull();
          }
        }
      }),
      { seed: 20_260_704, numRuns: 1500 },
    );
    expect(told).toBeGreaterThan(100);
    expect(same).toBeGreaterThan(told * 5);
  });
});
