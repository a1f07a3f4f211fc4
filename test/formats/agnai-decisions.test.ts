// Random characters and chats through SillyTavern's rules and through a model of Agnai's: where the two decide otherwise
// of an entry, a finding on that entry says why.

import { vi } from 'vitest';
import { agnaiCharacter } from '../../src/formats/agnai/character.ts';
import { findsEntry, type MemoryEntry } from '../support/agnai-app.ts';
import { decisionsOf } from '../support/decisions.ts';

vi.setConfig({ testTimeout: 120_000 });

decisionsOf({
  seed: 20_260_701,
  noDecision: /^(position\.|title$)/,
  write: (resolved, style) => {
    const { card, findings, settings } = agnaiCharacter(resolved, { style });
    const book = card['characterBook'] as { readonly entries: readonly MemoryEntry[] } | undefined;
    const elsewhere = JSON.stringify([card['insert'], card['sampleChat']]);
    return {
      findings,
      starts: (messages) => {
        const lines = messages
          .slice(-Number(settings['memoryDepth'] ?? 2))
          .map(({ name, text }) => `${name}: ${text}`.trim());
        return (mark, at) =>
          findsEntry(book?.entries[at] as MemoryEntry, lines) ||
          new RegExp(`MARK_${mark}(?!\\d)`).test(elsewhere);
      },
    };
  },
});
