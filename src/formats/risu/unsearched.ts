// What SillyTavern searches and RisuAI does not (1.19; 460ecae2): names of speakers, the greeting, and in a short chat
// some of its messages.

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import { jsonAt } from '../../core/json.ts';
import type { Key } from '../../core/key.ts';
import { writeKey } from '../../core/key.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { holdsKey } from '../_shared/key-matching.ts';
import { keyTouching, speakersOf } from '../_shared/speaker-names.ts';

/** What of the chat is not searched there. */
export interface Unsearched {
  /** Names of speakers, when SillyTavern searches them. */
  readonly names: readonly string[];
  readonly greetings: readonly string[];
}

/** The texts of a character that RisuAI does not search. */
export function unsearchedOf(resolved: ResolvedCharacter): Unsearched {
  const { character, settings } = resolved;
  const card = Object.values(character.original)[0]?.raw;
  const others = jsonAt(card, ['data', 'alternate_greetings']);
  const greetings = [character.body.firstMessage, ...(Array.isArray(others) ? others : [])];
  return {
    names: settings.includeNames ? speakersOf(resolved) : [],
    greetings: greetings.filter((text): text is string => typeof text === 'string' && text.trim() !== ''),
  };
}

/** What of an entry is searched for less than in SillyTavern, one finding each. */
export function unsearchedFindings(
  each: ResolvedEntry,
  bookId: string,
  { names, greetings }: Unsearched,
): readonly Finding[] {
  const { entry, source, fires } = each;
  if (fires !== 'keys' || !entry.enabled) return [];
  const place = { bookId, entryId: source.id };
  const found: Finding[] = [];
  const used: readonly Key[] = entry.selective ? [...entry.keys, ...entry.secondaryKeys] : entry.keys;
  const near = (path: string, before: string, after: string, message: string): void => {
    found.push(finding('approximated', place, path, before, after, message));
  };
  const named = keyTouching(each, names);
  if (named !== null) {
    const key = writeKey(named);
    const message = `The key “${key}” can be found in a speaker's name here; RisuAI searches only what was said.`;
    near('keys', `${key}, names of speakers searched`, `${key}, names of speakers not searched`, message);
  }
  const matching = {
    caseSensitive: entry.scan.caseSensitive === true,
    matchWholeWords: entry.scan.matchWholeWords === true,
  };
  const greeted = used.find((key) => greetings.some((text) => holdsKey(text, key, matching)));
  if (greeted !== undefined) {
    const key = writeKey(greeted);
    const message = `The key “${key}” stands in a greeting of the character, which RisuAI never searches.`;
    near('keys', `${key}, greeting searched`, `${key}, greeting not searched`, message);
  }
  const depth = entry.scan.depth ?? 0;
  if (depth > 2) {
    const message = `In a chat of fewer than ${depth} messages RisuAI searches only some of them.`;
    near('scan.depth', `${depth} messages`, `${depth} messages, fewer in a short chat`, message);
  }
  return found;
}
