// What SillyTavern once wrote into an entry's extensions and RisuAI carries along (460ecae2): it never looks at any of it.
// Where it has words of its own for the same, those count and the old value is kept aside; the rest can only be the
// author's and counts again (decisions 8a).

import type { Note } from '../../../core/finding.ts';
import { shown } from '../../../core/finding.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isArray } from '../../../core/json.ts';

/** Fields that RisuAI says in its own way, whatever SillyTavern once wrote. */
const STALE: readonly (readonly [name: string, path: string, says: (value: Json) => boolean])[] = [
  ['prevent_recursion', 'recursion.prevent', (value) => value === true],
  ['exclude_recursion', 'recursion.exclude', (value) => value === true],
  ['delay_until_recursion', 'recursion.delayUntil', (value) => value !== false && value !== 0],
  ['scan_depth', 'scan.depth', () => true],
  ['case_sensitive', 'scan.caseSensitive', (value) => value === true],
  ['ignore_budget', 'ignoreBudget', (value) => value === true],
];
// Its own import turns these into lines of the text; what it leaves of them says nothing.
const TAKEN: readonly string[] = [
  'position',
  'depth',
  'role',
  'outlet_name',
  'selectiveLogic',
  'match_whole_words',
  'probability',
  'useProbability',
  'delay',
];
const NAMES: ReadonlySet<string> = new Set([...TAKEN, ...STALE.map(([name]) => name)]);

const isCount = (value: Json): boolean => typeof value === 'number' && value > 0;
const isOn = (value: Json): boolean => value === true;

/** Fields for which RisuAI has no words, and what they are here. */
const AUTHORS: readonly (readonly [name: string, path: string, says: (value: Json) => boolean])[] = [
  ['sticky', 'timing.sticky', isCount],
  ['cooldown', 'timing.cooldown', isCount],
  ['group', 'group.name', (value) => typeof value === 'string' && value.trim() !== ''],
  ['vectorized', 'vectorized', isOn],
  ['triggers', 'triggers', (value) => isArray(value) && value.length > 0],
  ['match_persona_description', 'sources.personaDescription', isOn],
  ['match_character_description', 'sources.characterDescription', isOn],
  ['match_character_personality', 'sources.characterPersonality', isOn],
  ['match_character_depth_prompt', 'sources.characterDepthPrompt', isOn],
  ['match_scenario', 'sources.scenario', isOn],
  ['match_creator_notes', 'sources.creatorNotes', isOn],
];

/** An entry's extensions without what counts no more; what that said, and what counts again, is named. */
export function withoutStale(bag: JsonObject, note: Note): Record<string, Json | undefined> {
  for (const [name, path, says] of STALE) {
    const value = bag[name];
    if (value === undefined || value === null || !says(value)) continue;
    const message = `RisuAI carries ${name} ${shown(value)} of SillyTavern’s along without using it; it is kept aside.`;
    note('stashed', path, value, null, message);
  }
  for (const [name, path, says] of AUTHORS) {
    const value = bag[name];
    if (value === undefined || value === null || !says(value)) continue;
    const message = `RisuAI carries ${name} ${shown(value)} of SillyTavern’s along without using it; here it counts again.`;
    note('assumed', path, null, value, message);
  }
  return Object.fromEntries(Object.entries(bag).filter(([key]) => !NAMES.has(key)));
}
