// Keys that SillyTavern finds together in the chat and in other entries: a pass of Marinara's searches only the text of
// the entries that the pass before brought, so what stands in the chat is not seen with it (2.3.3).

import type { Key } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { patternSearch } from '../_shared/pattern-search.ts';

/** An entry with the number of times that some other entry's text holds one of its keys. */
export interface KeyUse {
  readonly entry: LorebookEntry;
  readonly isFoundElsewhere: boolean;
}

const finder = (key: Key): ((text: string) => boolean) => {
  if (key.kind === 'literal') {
    const needle = key.text.trim().toLowerCase();
    return (text) => needle !== '' && text.toLowerCase().includes(needle);
  }
  const search = patternSearch(key.source, key.flags.replace('y', ''));
  return (text) => search?.(text) === true;
};

// Above this many texts the search would take longer than the export; then it is assumed.
const MOST_PAIRS = 200_000;

/**
 * The entries with secondary keys that may be decided otherwise there, because some key of theirs stands in the text of
 * another entry that starts passes.
 */
export function combiningEntries(entries: readonly LorebookEntry[]): ReadonlySet<LorebookEntry> {
  const texts = entries.filter(({ enabled, recursion }) => enabled && !recursion.prevent);
  const asked = entries.filter(
    ({ enabled, constant, selective, secondaryKeys, recursion }) =>
      enabled && !constant && selective && secondaryKeys.length > 0 && !recursion.exclude,
  );
  if (texts.length * asked.length > MOST_PAIRS) return new Set(asked);
  return new Set(
    asked.filter((entry) => {
      const finders = [...entry.keys, ...entry.secondaryKeys].map(finder);
      return texts.some((other) => other !== entry && finders.some((finds) => finds(other.content)));
    }),
  );
}
