// What a person does in Agnai with the files, and the settings that belong to them (decisions 32; Agnaistic 1.0.27).

import type { JsonObject } from '../../core/json.ts';
import { writeKey } from '../../core/key.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import type { MemoryPreset } from './preset.ts';

/** Words and values. */
export interface Guidance {
  readonly steps: readonly string[];
  readonly settings: JsonObject;
}

/** The steps in order, and the settings by name; `preset` is null where there is no book. */
export function agnaiGuidance(
  { books }: ResolvedCharacter,
  preset: MemoryPreset | null,
  carrier: 'character' | 'book',
): Guidance {
  const steps: string[] = [
    carrier === 'character'
      ? 'In Agnai, open Characters, press Import and choose the file.'
      : 'In Agnai, open Library, press Import Memory Book and choose the file; then open Memory in the menu of a chat and choose the book.',
  ];
  if (preset === null) return { steps, settings: {} };
  const { memoryDepth, memoryContextLimit } = preset;
  steps.push(
    `In the preset that you chat with, open Memory, set “Memory: Chat History Depth” to ${memoryDepth} and “Memory: Context Limit” to ${memoryContextLimit}.`,
  );
  const entries = books.flatMap((book) => book.entries).filter(({ fires }) => fires !== 'never');
  if (entries.length > 0) {
    steps.push(
      'The entries stand where the prompt template has {{memory}}; a template without it shows none of them.',
    );
  }
  const withComma = entries
    .flatMap(({ entry }) => (entry.constant ? [] : entry.keys))
    .find((key) => writeKey(key).includes(','));
  if (withComma !== undefined) {
    steps.push(
      `Agnai’s form splits keywords at commas: after an edit of the book there, “${writeKey(withComma)}” is several keywords.`,
    );
  }
  return { steps, settings: { memoryDepth, memoryContextLimit } };
}
