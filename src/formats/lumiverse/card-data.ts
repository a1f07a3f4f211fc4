// A card's own fields as Lumiverse takes them over: all of them, but what links it to lorebooks of another installation
// and what is the user's own. Facts: its card reader (1.1.0) asks only for a name and keeps all extensions; ids of world
// books among them, even dangling ones, keep the card's book from being imported.

import type { CanonicalCharacter } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import { NOT_OF_THE_CARD } from '../_shared/card-data.ts';
import { draftCardData, extensionsWithout, nameBlank } from '../_shared/written-card-data.ts';

// Assets that stand in another container do not come along with the card.
const LEFT_OUT: ReadonlySet<string> = new Set([...NOT_OF_THE_CARD, 'assets']);
const EXTENSIONS_LEFT_OUT = new Set([
  'character_book',
  'character_books',
  'world_book_ids',
  'world_book_id',
  'loreferry',
  'fav',
  'chat',
]);
// Of a card that Lumiverse itself wrote it keeps the user's own fields, and the book as it was before it imported it.
const OWN_EXTENSIONS_LEFT_OUT = new Set(['world_book_ids', 'world_book_id', 'loreferry']);
// That book holds what was deleted since.
const PURGED_EXTENSIONS_LEFT_OUT = new Set([...OWN_EXTENSIONS_LEFT_OUT, 'character_book']);

/** A card's data without its book, and what had to be changed in it. */
export interface CardData {
  readonly data: JsonObject;
  readonly findings: readonly Finding[];
}

/**
 * Takes a character's raw card where there is one, so that unknown fields travel. `isOwn`: Lumiverse wrote it;
 * `isPurged`: an entry of its lorebook was deleted since.
 */
export function lumiverseData(character: CanonicalCharacter, isOwn = false, isPurged = false): CardData {
  const draft = draftCardData(character, {
    lists: ['tags', 'alternate_greetings'],
    optionalLists: ['group_only_greetings'],
    leftOut: LEFT_OUT,
  });
  nameBlank(draft);
  const { raw, data, findings } = draft;
  if (isOwn && raw['extensions'] === undefined) return { data, findings };
  data['extensions'] = extensionsWithout(
    raw,
    isPurged ? PURGED_EXTENSIONS_LEFT_OUT : isOwn ? OWN_EXTENSIONS_LEFT_OUT : EXTENSIONS_LEFT_OUT,
  );
  return { data, findings };
}
