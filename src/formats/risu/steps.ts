// What a person does in RisuAI with the files, and the settings that belong to them (decisions 32; RisuAI 460ecae2).

import type { Json, JsonObject } from '../../core/json.ts';
import { nearestPosition } from '../../core/position.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import { frozenSettings, type RisuOptions } from './book-writing.ts';
import { shownOutlets } from './card-data.ts';
import { outletMarker } from './placing.ts';

/** Words and values. */
export interface Guidance {
  readonly steps: readonly string[];
  readonly settings: JsonObject;
}

// What the settings of a character's lorebook take there.
const DEEPEST = 20;
const MOST_TOKENS = 4096;

/** The steps in order, and the settings by name. */
export function risuGuidance(
  resolved: ResolvedCharacter,
  form: 'card' | 'lorebook',
  { contextSize }: RisuOptions,
): Guidance {
  const entries = resolved.books.flatMap((book) => book.entries).filter(({ entry }) => entry.enabled);
  const frozen = frozenSettings(resolved.settings, contextSize);
  const steps: string[] = [];
  const settings: Record<string, Json> = {};
  if (form === 'card') {
    steps.push(
      'In RisuAI, press the plus sign beside the characters, choose “Import Character” and the file.',
    );
  } else {
    steps.push(
      'In RisuAI, open the character, go to Lorebook, press the import sign and choose each lorebook file.',
    );
    settings['scanDepth'] = Math.min(DEEPEST, Math.max(1, frozen.scanDepth));
    settings['tokenBudget'] = Math.min(MOST_TOKENS, frozen.tokenBudget);
    settings['recursiveScanning'] = frozen.recursiveScanning;
    settings['fullWordMatching'] = false;
    steps.push(
      `In the settings of that lorebook, take “Use Global Settings” off and set Scan Depth ${settings['scanDepth']}, Token Budget ${settings['tokenBudget']}, Recursive Scanning ${frozen.recursiveScanning ? 'on' : 'off'}: the file cannot hold them.`,
    );
  }
  const slots = entries.map(({ entry }) => nearestPosition(entry.position));
  const isInChat = ({ slot }: { readonly slot: string }): boolean =>
    slot === 'depth' || slot.startsWith('note_');
  if (slots.some(isInChat) || resolved.depthPrompt !== null) {
    steps.push(
      'Use a prompt template (Settings, Chat Bot, Prompt): without one, entries at a depth stand one message higher.',
    );
  }
  const outlets = [...new Set(slots.filter(({ slot }) => slot === 'outlet').map(({ outlet }) => outlet))];
  const isShown = new Set(form === 'card' ? shownOutlets(resolved.character) : []);
  for (const outlet of outlets.filter((name) => name.trim() !== '' && !isShown.has(name.trim()))) {
    steps.push(
      `Put ${outletMarker(outlet)} into the prompt template where “${outlet}” belongs: its entries are nowhere in the prompt until then.`,
    );
  }
  return { steps, settings };
}
