// Whether an entry is for this character, and for any way of generating (SillyTavern 1.19, checkWorldInfo).

import type { Json } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';

/** Who the character is to a filter. */
export interface FilteredCharacter {
  /** The avatar's file name. */
  readonly avatar: string;
  /** Ids of the tags that the user gave the character; null when they are not known. */
  readonly tagIds: readonly string[] | null;
}

/** The ways of generating that SillyTavern tells apart; it starts a scan with one of them. */
const TRIGGERS: ReadonlySet<string> = new Set([
  'normal',
  'continue',
  'impersonate',
  'swipe',
  'regenerate',
  'quiet',
]);

/** What a filter says: `undecided` when it asks for tags that are not known. */
export type FilterVerdict = 'passes' | 'refused' | 'undecided';

/**
 * Whether an entry is for a character: by avatar file name without its ending, and by tag id. Both lists count when
 * both are filled; `exclude` turns each of them round.
 */
export function filterVerdict(entry: LorebookEntry, character: FilteredCharacter): FilterVerdict {
  const filter = entry.characterFilter;
  if (filter === null) return 'passes';
  if (filter.names.length > 0) {
    const isNamed = filter.names.includes(character.avatar.replace(/\.[^/.]+$/, ''));
    if (isNamed === filter.exclude) return 'refused';
  }
  if (filter.tags.length > 0) {
    if (character.tagIds === null) return 'undecided';
    const isTagged = character.tagIds.some((tag) => filter.tags.includes(tag));
    if (isTagged === filter.exclude) return 'refused';
  }
  return 'passes';
}

/** Whether an entry waits for a way of generating that SillyTavern does not have. */
export function waitsForUnknownTrigger(entry: LorebookEntry): boolean {
  return entry.triggers.length > 0 && !entry.triggers.some((trigger) => TRIGGERS.has(trigger));
}

/**
 * The ids of the tags that a user's `settings.json` gives a character (`tag_map`, by avatar file name). Null when the
 * file has no such map, as the bare `world_info_settings` object has none.
 */
export function readTagIds(settings: Json | undefined, avatar: string): readonly string[] | null {
  const map = isObject(settings) ? settings['tag_map'] : undefined;
  if (!isObject(map)) return null;
  const ids = Object.hasOwn(map, avatar) ? map[avatar] : undefined;
  return isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
}
