// What a card holds that a character of Agnai's has no place for: kept aside, and named.

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, sameJson } from '../../core/json.ts';
import { STASH_KEY } from '../_shared/stash.ts';
import { TEXT_NAMES } from './native-character.ts';

const CARD = { bookId: null, entryId: null };
// Where books stand, and what is the user's own.
const LEFT_OUT = new Set([
  'character_book',
  'characterBook',
  'fav',
  'chat',
  'avatar',
  'create_date',
  'json_data',
]);
/** Extensions that are written elsewhere, or that are the user's own. */
export const EXTENSIONS_LEFT_OUT = new Set([
  'character_book',
  'character_books',
  STASH_KEY,
  'fav',
  'chat',
  'agnai',
  'depth_prompt',
]);
const WRITTEN = new Set([
  ...TEXT_NAMES.map(([, card]) => card),
  'description',
  'personality',
  'tags',
  'alternate_greetings',
  'extensions',
]);

// Values that say nothing.
const IDLE: readonly Json[] = ['', [], {}, false, 0.5];

/**
 * Names what is kept aside of a card's data. It rides in the lorebook; without one in the character's extensions, which a
 * signed-in user's copy loses (1.0.27).
 */
export function noteAside(
  data: JsonObject,
  extensions: JsonObject,
  hasBook: boolean,
  findings: Finding[],
): void {
  const message = hasBook
    ? 'Kept aside: Agnai has no place for it.'
    : 'Agnai has no place for it; it is kept aside until the character is saved by a signed-in user.';
  const aside = (path: string, value: Json | undefined): void => {
    if (value === undefined || value === null || IDLE.some((each) => sameJson(each, value))) return;
    findings.push(finding('stashed', CARD, path, value, null, message));
  };
  for (const [key, value] of Object.entries(data)) {
    if (!WRITTEN.has(key) && !LEFT_OUT.has(key)) aside(`data.${key}`, value);
  }
  for (const [key, value] of Object.entries(extensions)) {
    if (!EXTENSIONS_LEFT_OUT.has(key)) aside(`data.extensions.${key}`, value);
  }
}

/** Everything of a card's data: what reads the same there costs little, and nothing is to be guessed on the way back. */
export function keptData(data: JsonObject): JsonObject {
  const kept = Object.entries(data).filter(([key]) => !LEFT_OUT.has(key));
  const extensions = isObject(data['extensions']) ? data['extensions'] : {};
  const own = Object.entries(extensions).filter(
    ([key]) => key === 'agnai' || key === 'depth_prompt' || !EXTENSIONS_LEFT_OUT.has(key),
  );
  return { ...Object.fromEntries(kept), extensions: Object.fromEntries(own) };
}
