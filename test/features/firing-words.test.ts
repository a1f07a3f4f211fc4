// What a diagnosis and a place are called.

import { describe, expect, it } from 'vitest';
import type { FiringReason } from '../../src/core/firing.ts';
import type { Slot } from '../../src/core/position.ts';
import { firingSentence, firingShort } from '../../src/features/inspect/firing-words.ts';
import { slotWords } from '../../src/features/inspect/prompt-words.ts';

// A reason that is missing here does not compile.
const REASONS: Readonly<Record<FiringReason, true>> = {
  off: true,
  'chance-zero': true,
  'no-key': true,
  'only-empty-keys': true,
  'vectors-off': true,
  'filtered-out': true,
  'invalid-regex': true,
  'dont-activate': true,
  'scan-depth-zero': true,
  'empty-second-keys': true,
  'unknown-trigger': true,
  'placed-nowhere': true,
  'no-outlet-name': true,
  'no-content': true,
  'blank-key': true,
  'speaker-key': true,
  'any-text-key': true,
  'activate-decorator': true,
  'joined-keys': true,
  'foreign-template': true,
};

describe('a diagnosis', () => {
  it.each(Object.keys(REASONS) as FiringReason[])('%s has few words for a row and a sentence', (reason) => {
    const diagnosis = { kind: 'look' as const, reason, detail: 'fog, mist' };
    expect(firingShort(diagnosis)).toMatch(/^\S.{1,23}$/);
    expect(firingSentence(diagnosis)).toMatch(/^[A-Z].*\.$/);
  });

  it('has words of its own for each reason', () => {
    const say = (words: typeof firingShort) =>
      new Set(
        Object.keys(REASONS).map((reason) =>
          words({ kind: 'look', reason: reason as FiringReason, detail: '' }),
        ),
      );
    expect(say(firingShort).size).toBe(Object.keys(REASONS).length);
    expect(say(firingSentence).size).toBe(Object.keys(REASONS).length);
  });

  it('cuts a long key', () => {
    const sentence = firingSentence({ kind: 'look', reason: 'joined-keys', detail: 'a,'.repeat(50_000) });
    expect(sentence.length).toBeLessThan(250);
  });
});

describe('a place', () => {
  const TABLE: readonly (readonly [Slot, string, string])[] = [
    ['world', '↑Char', 'Before character'],
    ['character', '↓Char', 'After character'],
    ['note_top', '↑AN', 'Author’s note, top'],
    ['note_bottom', '↓AN', 'Author’s note, bottom'],
    ['depth', '@D', 'Depth 2, user'],
    ['before_example', '↑EM', 'Examples, top'],
    ['after_example', '↓EM', 'Examples, bottom'],
    ['outlet', 'Outlet', '“signals”'],
  ];
  it.each(TABLE)('%s', (slot, glyph, words) => {
    expect(slotWords(slot, 2, 'user', 'signals')).toEqual({ glyph, words });
  });

  it('of RoleCall’s own is its nearest', () => {
    expect(slotWords('append_bottom', 0, 'system', null)).toEqual({ glyph: '@D', words: 'Depth 0, system' });
    expect(slotWords('scene', null, null, null).glyph).toBe('↑Char');
  });
});
