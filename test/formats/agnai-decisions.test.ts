// Random characters and chats through SillyTavern's rules and through a model of Agnai's: where the two decide otherwise
// of an entry, a finding on that entry says why.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { agnaiCharacter } from '../../src/formats/agnai/character.ts';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { anyChat, anyInput } from '../parity/arbitrary-scans.ts';
import { run } from '../parity/engine.ts';
import { findsEntry, type MemoryEntry } from '../support/agnai-app.ts';

vi.setConfig({ testTimeout: 120_000 });

// Where an entry stands, and what it is called, decides nothing.
const NO_DECISION = /^(position\.|title$)/;
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
        };
        const resolved = resolveCharacter({ ...given, settings });
        const { card, findings, settings: preset } = agnaiCharacter(resolved, { style });
        const book = card['characterBook'] as { readonly entries: readonly MemoryEntry[] } | undefined;
        const elsewhere = JSON.stringify([card['insert'], card['sampleChat']]);
        const entries = resolved.books.flatMap(({ lorebook, entries: own }) =>
          own.map((each) => ({ each, bookId: lorebook.id })),
        );
        for (const messages of chats) {
          const { active } = run(resolved, { messages, trigger: 'normal', maxContext: 1e6 });
          const lines = messages
            .slice(-Number(preset['memoryDepth'] ?? 2))
            .map(({ name, text }) => `${name}: ${text}`.trim());
          entries.forEach(({ each, bookId }, at) => {
            const written = book?.entries[at] as MemoryEntry;
            const mark = markOf(each.entry.content);
            const theirs = findsEntry(written, lines) || new RegExp(`MARK_${mark}(?!\\d)`).test(elsewhere);
            if (active.includes(mark) === theirs) {
              same++;
              return;
            }
            told++;
            const said = findings.filter(
              ({ entryId, bookId: id, path }) =>
                entryId === each.source.id && id === bookId && !NO_DECISION.test(path),
            );
            if (said.length === 0) {
              expect({
                keys: each.entry.keys,
                entry: each.entry,
                keywords: written.keywords,
                lines,
                theirs,
              }).toBeNull();
            }
          });
        }
      }),
      { seed: 20_260_701, numRuns: 1500 },
    );
    expect(told).toBeGreaterThan(100);
    expect(same).toBeGreaterThan(told * 5);
  });
});
