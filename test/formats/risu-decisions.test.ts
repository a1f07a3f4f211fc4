// Random characters and chats through SillyTavern's rules and through a model of RisuAI's: where the two decide otherwise
// of an entry, a finding on that entry says why, or on one whose text starts it.

import { vi } from 'vitest';
import { risuCard } from '../../src/formats/risu/card.ts';
import { decisionsOf, markOf } from '../support/decisions.ts';
import { activeInRisu } from '../support/risu-engine.ts';

vi.setConfig({ testTimeout: 120_000 });

decisionsOf({
  seed: 20_260_704,
  settings: { maxRecursionSteps: 0 },
  noDecision: /^(position\.|title$|order$|displayIndex$)/,
  areChained: true,
  // RisuAI searches the messages behind the greeting.
  greeting: { role: 'assistant', name: 'Nyra', text: 'Sit down.' },
  write: (resolved, style) => {
    const { card, findings } = risuCard(resolved, { style });
    return {
      findings,
      starts: (messages) => {
        const texts = messages.map(({ text }) => text);
        const active = new Set(activeInRisu(card, texts).map(markOf));
        return (mark) => active.has(mark);
      },
    };
  },
});
