import { describe, expect, it } from 'vitest';
import { parityCases, resolvedCase } from './cases.ts';
import { run } from './engine.ts';

const CASES = parityCases();

describe('a resolved character does what the real SillyTavern does', () => {
  it('in every measured case', () => expect(CASES).toHaveLength(27));

  it.each(CASES.map((each) => [each.id, each] as const))('%s', (_, given) => {
    const resolved = resolvedCase(given);
    expect(given.chats.length).toBeGreaterThan(2);
    for (const chat of given.chats) {
      const outcome = run(resolved, {
        messages: chat.messages,
        trigger: chat.trigger ?? 'normal',
        maxContext: given.settings.maxContext,
      });
      expect({ chat: chat.id, ...outcome }).toEqual({ chat: chat.id, ...chat.truth });
    }
  });
});
