// What a person does in Lumiverse with the files, and the settings that belong to them (decisions 32; Lumiverse 1.1.0).

import type { Json, JsonObject } from '../../core/json.ts';
import { nearestPosition, type Slot } from '../../core/position.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import type { BookCarrier } from './book-findings.ts';
import { isRecursive } from './book-writing.ts';

/** Words and values. */
export interface Guidance {
  readonly steps: readonly string[];
  readonly settings: JsonObject;
}

/** The most passes after the first one that its settings allow, and how many it makes unless they are changed. */
export const MOST_PASSES = 10;
const USUAL_PASSES = 3;

/** The steps in order, and the settings by name. */
export function lumiverseGuidance(resolved: ResolvedCharacter, carrier: BookCarrier): Guidance {
  const entries = resolved.books.flatMap((book) => book.entries).filter(({ entry }) => entry.enabled);
  const steps: string[] =
    carrier === 'lorebook'
      ? [
          'In Lumiverse, open World Books, press Import and choose each file.',
          'Open the character and attach the imported world books to it.',
        ]
      : ['In Lumiverse, open Characters, press Import and choose the file; the lorebooks come with it.'];
  const settings: Record<string, Json> = {};
  const passes = passesOf(resolved);
  if (passes !== USUAL_PASSES && entries.length > 0) {
    settings['maxRecursionPasses'] = passes;
    steps.push(
      `In the settings of World Books, set Max Recursion Passes to ${passes}: otherwise it stops after ${USUAL_PASSES}.`,
    );
  }
  const slots = new Set<Slot>(entries.map(({ entry }) => nearestPosition(entry.position).slot));
  if (slots.has('before_example') || slots.has('after_example')) {
    steps.push(
      'Use a preset that has the block Example Messages: entries round the examples are nowhere in the prompt without it.',
    );
  }
  if (slots.has('world') || slots.has('character')) {
    steps.push(
      'Use a preset that has the blocks World Info Before and World Info After: without them these entries stand round the chat.',
    );
  }
  const isInChat = (slot: Slot): boolean => slot === 'depth' || slot.startsWith('note_');
  if ([...slots].some(isInChat) || resolved.depthPrompt !== null) {
    steps.push(
      'Blocks of the preset behind the chat history push entries at a depth further up; put them before it.',
    );
  }
  if (entries.some(({ entry }) => entry.vectorized)) {
    steps.push('Set up embeddings and let the world book be indexed: some entries are found by meaning.');
  }
  return { steps, settings };
}

// SillyTavern counts the first scan among the steps, 0 is no limit (1.19).
function passesOf(resolved: ResolvedCharacter): number {
  if (!isRecursive(resolved)) return USUAL_PASSES;
  const steps = resolved.settings.maxRecursionSteps;
  return steps <= 0 ? MOST_PASSES : Math.min(MOST_PASSES, steps - 1);
}
