// What the resolver decides ahead of any chat must not change what happens in one.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { anyChat, anyInput } from './arbitrary-scans.ts';
import { run } from './engine.ts';
import { literalView } from './literal-view.ts';

describe('what is decided ahead', () => {
  it('changes nothing in any chat', () => {
    fc.assert(
      fc.property(anyInput, fc.array(anyChat, { minLength: 1, maxLength: 3 }), (given, chats) => {
        const resolved = resolveCharacter(given);
        const literal = literalView(given, resolved);
        for (const messages of chats) {
          const scan = { messages, trigger: 'normal', maxContext: 2000 };
          expect(run(resolved, scan)).toEqual(run(literal, scan));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('says never of nothing that fires, and always of what needs no key', () => {
    let never = 0;
    let always = 0;
    fc.assert(
      fc.property(anyInput, anyChat, (given, messages) => {
        const resolved = resolveCharacter(given);
        const marks = new Map(
          resolved.books
            .flatMap(({ entries }) => entries)
            .map((each) => [each, each.entry.content.match(/\d+$/)?.[0]]),
        );
        const { active } = run(literalView(given, resolved), {
          messages,
          trigger: 'normal',
          maxContext: 1e6,
        });
        for (const [each, mark] of marks) {
          if (each.fires === 'never' && each.source.enabled) never++;
          if (each.fires === 'always' && !each.source.constant) always++;
          if (each.fires === 'never') expect(active).not.toContain(Number(mark));
        }
      }),
      { numRuns: 300 },
    );
    // The generator reaches both kinds of decision.
    expect(Math.min(never, always)).toBeGreaterThan(20);
  });
});
