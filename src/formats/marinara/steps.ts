// What a person does in Marinara with the files, and the settings that belong to them (decisions 32; Marinara 2.3.3).

import type { Json, JsonObject } from '../../core/json.ts';
import type { ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { ENTRY_LIMIT } from './book-findings.ts';
import { type FrozenSettings, frozenSettings } from './book-writing.ts';
import { marinaraTwin } from './own-books.ts';

/** Which files were written. */
export type Carrier = 'card' | 'native' | 'native-character';

/** Words and values. */
export interface Guidance {
  readonly steps: readonly string[];
  readonly settings: JsonObject;
}

/** The steps in order, and the settings by name. */
export function marinaraGuidance(resolved: ResolvedCharacter, carrier: Carrier): Guidance {
  const { books, settings } = resolved;
  const entries = books.flatMap((book) => book.entries);
  const own = books.length === 1 ? ownSettings(books[0]) : null;
  const frozen = own ?? frozenSettings(settings);
  const steps: string[] = ['In Marinara, open Characters, press Import and choose the character file.'];
  if (books.length > 0) {
    if (carrier === 'card') steps.push('When it asks about the lorebook, choose “Import Lorebook”.');
    if (carrier === 'native-character') {
      steps.push(
        'Open the character, go to Lorebook and press “Import Embedded Lorebook”: until then no entry is active.',
      );
      steps.push(
        `In that lorebook set Scan Depth ${frozen.scanDepth}, Token Budget ${frozen.tokenBudget} and Recursive ${frozen.recursiveScanning ? 'on' : 'off'}: the button does not take them over.`,
      );
    }
    if (carrier === 'native') {
      steps.push('Open Lorebooks, press Import and choose each lorebook file.');
      steps.push('Open the character, go to Lorebook, press Assign and choose the imported lorebooks.');
    }
  }
  const raised: Record<string, Json> = {};
  if (own === null && carrier !== 'native' && entries.length > ENTRY_LIMIT) {
    const limit = Math.min(1000, entries.length);
    steps.push(`Raise the lorebook's Entry Limit to ${limit}.`);
    raised['entryLimit'] = limit;
  }
  if (entries.some(({ entry, fires }) => entry.vectorized && fires !== 'never')) {
    steps.push(
      'Switch Vectors on in the lorebook and press “Vectorize missing”; this needs an embedding source.',
    );
  }
  const slots = new Set(entries.map(({ entry }) => entry.position.slot));
  if (slots.has('character') && slots.has('world')) {
    steps.push(
      'Use a preset with separate lorebook markers before and after the character; the default one puts both at one place.',
    );
  }
  if (books.length > 0)
    steps.push(
      'The chat has a lorebook budget of its own (8192 tokens); set it to 0 in the chat settings for no limit.',
    );
  return { steps, settings: books.length === 0 ? {} : { ...frozen, ...raised, chatLorebookTokenBudget: 0 } };
}

type BookSettings = Pick<FrozenSettings, 'scanDepth' | 'tokenBudget' | 'recursiveScanning'>;

// A lorebook that Marinara itself wrote keeps its own.
function ownSettings(book: ResolvedBook | undefined): BookSettings | null {
  if (book === undefined) return null;
  const { lorebook } = book;
  if (marinaraTwin(lorebook, 'card') === null && marinaraTwin(lorebook, 'native') === null) return null;
  const { scanDepth, tokenBudget, recursiveScanning } = lorebook.body;
  const isTold = scanDepth !== null && tokenBudget !== null && recursiveScanning !== null;
  return isTold ? { scanDepth, tokenBudget, recursiveScanning } : null;
}
