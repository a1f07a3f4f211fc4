// RisuAI's fields: of each field of an entry, where RisuAI has it, and what becomes of it where it has not. The
// decorators themselves are a table of their own, which reading shares (_shared/risu/table.ts). Facts: commit 460ecae2.

import type { Nearest } from './nearest.ts';
import * as nearest from './nearest.ts';

/** One field. */
export interface RisuField {
  readonly path: string;
  /** The field of a card's entry, or the decorators, that say it; absent where nothing does. */
  readonly at?: string;
  /** What is written when the value cannot be said. */
  readonly nearest?: Nearest;
  /** What is said where nothing holds it. */
  readonly absent?: string;
}

const NOT_SEARCHED = 'RisuAI does not search this text for keys';

/** The fields, in the order in which what cannot be said is said. */
export const RISU_FIELDS: readonly RisuField[] = [
  { path: 'keys', at: 'keys' },
  { path: 'secondaryKeys', at: 'secondary_keys, @@additional_keys, @@exclude_keys' },
  { path: 'scan.caseSensitive', at: 'the flags of patterns' },
  { path: 'scan.matchWholeWords', at: 'patterns' },
  { path: 'title', at: 'name, comment', nearest: nearest.title },
  { path: 'content', at: 'content', nearest: nearest.content },
  { path: 'enabled', at: '@@dont_activate' },
  { path: 'constant', at: 'constant' },
  { path: 'selective', at: 'selective', nearest: nearest.selective },
  { path: 'logic', at: 'selective, @@additional_keys, @@exclude_keys' },
  { path: 'order', at: 'insertion_order', nearest: nearest.order },
  { path: 'position.slot', at: '@@position, @@depth, @@reverse_depth', nearest: nearest.position },
  { path: 'position.depth', at: '@@depth, @@reverse_depth' },
  { path: 'position.role', at: '@@role' },
  { path: 'position.outlet', at: '@@position pt_' },
  { path: 'scan.depth', at: '@@scan_depth', nearest: nearest.scanDepth },
  { path: 'probability.chance', at: '@@probability', nearest: nearest.chance },
  { path: 'timing.delay', at: '@@activate_only_after', nearest: nearest.delay },
  { path: 'timing.sticky', absent: 'an entry of RisuAI’s stays for ever or not at all' },
  { path: 'timing.cooldown', absent: 'an entry of RisuAI’s rests for ever or not at all' },
  { path: 'group.name', nearest: nearest.group },
  { path: 'group.override' },
  { path: 'group.weight' },
  { path: 'group.scoring' },
  { path: 'recursion.prevent', at: '@@unrecursive', nearest: nearest.prevent },
  { path: 'recursion.exclude', at: '@@no_recursive_search', nearest: nearest.exclude },
  { path: 'recursion.delayUntil', at: '@@scan_depth 0', nearest: nearest.delayUntil },
  { path: 'ignoreBudget', at: '@@priority' },
  { path: 'triggers', nearest: nearest.triggers },
  { path: 'vectorized', absent: 'RisuAI finds entries by their keys alone' },
  { path: 'sources.personaDescription', absent: NOT_SEARCHED },
  { path: 'sources.characterDescription', absent: NOT_SEARCHED },
  { path: 'sources.characterPersonality', absent: NOT_SEARCHED },
  { path: 'sources.characterDepthPrompt', absent: NOT_SEARCHED },
  { path: 'sources.scenario', absent: NOT_SEARCHED },
  { path: 'sources.creatorNotes', absent: NOT_SEARCHED },
  { path: 'characterFilter', absent: 'RisuAI has no lorebooks for several characters' },
  { path: 'automationId', absent: "it names an automation of SillyTavern's" },
  // The place in the list is the list's own order there.
  { path: 'displayIndex' },
];
