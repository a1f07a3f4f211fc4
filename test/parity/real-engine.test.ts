// The small engine of these tests against the real one, where that is installed (npm install in test/sillytavern).

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResolvedCharacter } from '../../src/core/resolved.ts';
import { type ResolveInput, resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { expandNames } from '../../src/formats/sillytavern/resolve-macros.ts';
import { lorebookToWorldInfo } from '../../src/formats/sillytavern/world-info.ts';
import { anyChat, anyInput } from './arbitrary-scans.ts';
import { type Message, parityCases, resolvedCase } from './cases.ts';
import { run } from './engine.ts';
import type { RealScan, RealWorld } from './real-engine.ts';
import { hasRealEngine, realEngine } from './real-engine.ts';

const marksOf = (contents: readonly string[]): readonly number[] =>
  contents.map((content) => Number(/MARK_(\d+)/.exec(content)?.[1])).sort((a, b) => a - b);

interface Given {
  readonly resolved: ResolvedCharacter;
  readonly worlds: readonly RealWorld[];
  readonly messages: readonly Message[];
  readonly maxContext: number;
  readonly trigger: string;
  readonly avatar: string;
  readonly tagIds: readonly string[];
}

function realScan({ resolved, worlds, messages, ...rest }: Given): RealScan {
  const { body } = resolved.character;
  const user = resolved.userName;
  const said = (text: string): string => expandNames(text.trim(), body.name, user);
  return {
    ...rest,
    worlds,
    settings: resolved.settings,
    messages: messages.map(({ name, text }) => (resolved.settings.includeNames ? `${name}: ${text}` : text)),
    names: { char: body.name, user },
    texts: {
      characterDescription: said(body.description),
      characterPersonality: said(body.personality),
      characterDepthPrompt: said(resolved.depthPrompt?.prompt ?? ''),
      scenario: said(body.scenario),
      creatorNotes: said(body.creatorNotes),
    },
  };
}

describe.skipIf(!hasRealEngine)('the real engine', async () => {
  const engine = hasRealEngine ? await realEngine() : async () => [];

  it('with stand-ins does what it was measured to do', async () => {
    for (const given of parityCases()) {
      const resolved = resolvedCase(given);
      const worlds = given.worlds.map(
        (each, index): RealWorld => ({ ...each, origin: index === 0 ? 'primary' : 'additional' }),
      );
      for (const chat of given.chats) {
        const { messages } = chat;
        const trigger = chat.trigger ?? 'normal';
        const { maxContext } = given.settings;
        const scan = realScan({
          resolved,
          worlds,
          messages,
          maxContext,
          trigger,
          avatar: given.avatar,
          tagIds: [],
        });
        const active = chat.truth.active.filter((mark) => mark !== 900);
        expect([given.id, chat.id, marksOf(await engine(scan))]).toEqual([given.id, chat.id, active]);
      }
    }
  });

  it('agrees with the resolved view in any chat', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyInput,
        anyChat,
        fc.constantFrom('normal', 'swipe'),
        async (given, messages, trigger) => {
          const resolved = resolveCharacter(given);
          const maxContext = 2000;
          const scan = realScan({
            resolved,
            worlds: worldsOf(given),
            messages,
            maxContext,
            trigger,
            avatar: given.avatar,
            tagIds: given.tagIds ?? [],
          });
          const { active } = run(resolved, { messages, trigger, maxContext });
          expect(active.filter((mark) => mark !== 900)).toEqual(marksOf(await engine(scan)));
        },
      ),
      { numRuns: 100 },
    );
  }, 60_000);
});

function worldsOf({ books }: ResolveInput): readonly RealWorld[] {
  return books.map(({ lorebook, origin }) => ({
    name: lorebook.name,
    origin,
    world: lorebookToWorldInfo(
      lorebook.body,
      lorebook.body.entries.map((_, index) => index),
    ),
  }));
}
