// Keys that are found with the help of a speaker's name: with names included SillyTavern searches "Name: text" (1.19),
// Marinara, Lumiverse and RisuAI only the text (2.3.3; 1.1.0; 460ecae2), Agnai always both (1.0.27).

import type { Key } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { patternSearch } from './pattern-search.ts';

/** The first key of an entry that may be found in a name, or across the end of one; null when there is none. */
export function keyInName(each: ResolvedEntry, resolved: ResolvedCharacter): Key | null {
  return resolved.settings.includeNames ? keyTouching(each, speakersOf(resolved)) : null;
}

/** The names under which messages stand. */
export function speakersOf({ character, userName }: ResolvedCharacter): readonly string[] {
  return [character.name, userName].filter((name) => name.trim() !== '');
}

/** The first key of an entry that may be found in one of the names, or across the end of one, where names are searched. */
export function keyTouching({ entry, fires }: ResolvedEntry, names: readonly string[]): Key | null {
  if (fires !== 'keys') return null;
  const used: readonly Key[] = entry.selective ? [...entry.keys, ...entry.secondaryKeys] : entry.keys;
  return used.find((key) => names.some((name) => touchesName(key, name, entry))) ?? null;
}

function touchesName(key: Key, name: string, { scan }: LorebookEntry): boolean {
  if (key.kind === 'regex') return findsIn(key, `${name}: `);
  const fold = (text: string): string => (scan.caseSensitive === true ? text : text.toLowerCase());
  const [speaker, text] = [fold(`${name}:`), fold(key.text.trim())];
  if (text === '') return false;
  if (speaker.includes(text)) return true;
  // A key that begins inside the name and goes on in the text.
  return [...speaker].some((_, at) => text.startsWith(speaker.slice(at)));
}

function findsIn(key: Extract<Key, { kind: 'regex' }>, text: string): boolean {
  return patternSearch(key.source, key.flags.replace('y', ''))?.(text) === true;
}
