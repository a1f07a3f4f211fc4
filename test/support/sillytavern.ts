// What SillyTavern 1.19 does with world files and cards, told in our own words from reference/sillytavern.md 4:
// its editor, its own embed and its own extraction. Tests run these between our two halves.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { deepFreeze } from './deep-freeze.ts';
import { worldEntriesOf } from './fixtures.ts';

/** Each field that SillyTavern keeps in an entry's extensions, its name in a world file, and what stands for none. */
const EXTENDED: readonly (readonly [inCard: string, inWorld: string, extracted: Json, embedded: Json])[] = [
  ['exclude_recursion', 'excludeRecursion', false, false],
  ['display_index', 'displayIndex', 0, 0],
  ['probability', 'probability', 100, null],
  ['useProbability', 'useProbability', true, false],
  ['depth', 'depth', 4, 4],
  ['selectiveLogic', 'selectiveLogic', 0, 0],
  ['outlet_name', 'outletName', '', ''],
  ['group', 'group', '', ''],
  ['group_override', 'groupOverride', false, false],
  ['group_weight', 'groupWeight', 100, null],
  ['prevent_recursion', 'preventRecursion', false, false],
  ['delay_until_recursion', 'delayUntilRecursion', false, false],
  ['scan_depth', 'scanDepth', null, null],
  ['match_whole_words', 'matchWholeWords', null, null],
  ['use_group_scoring', 'useGroupScoring', null, false],
  ['case_sensitive', 'caseSensitive', null, null],
  ['automation_id', 'automationId', '', ''],
  ['role', 'role', 0, 0],
  ['vectorized', 'vectorized', false, false],
  ['sticky', 'sticky', null, null],
  ['cooldown', 'cooldown', null, null],
  ['delay', 'delay', null, null],
  ['match_persona_description', 'matchPersonaDescription', false, false],
  ['match_character_description', 'matchCharacterDescription', false, false],
  ['match_character_personality', 'matchCharacterPersonality', false, false],
  ['match_character_depth_prompt', 'matchCharacterDepthPrompt', false, false],
  ['match_scenario', 'matchScenario', false, false],
  ['match_creator_notes', 'matchCreatorNotes', false, false],
  ['triggers', 'triggers', [], []],
  ['ignore_budget', 'ignoreBudget', false, false],
];

/** The book that SillyTavern's server writes into a card from the linked world, at every save of the character. */
export function embedAsSillyTavern(world: JsonObject, name: string): JsonObject {
  const entries = Object.values(worldEntriesOf(world)).map((entry) => {
    const bag = entry['extensions'] as JsonObject | undefined;
    const extended = EXTENDED.map(([card, own, , none]): [string, Json | undefined] => [
      card,
      entry[own] ?? none,
    ]);
    return {
      id: entry['uid'],
      keys: entry['key'],
      secondary_keys: entry['keysecondary'],
      comment: entry['comment'],
      content: entry['content'],
      constant: entry['constant'],
      selective: entry['selective'],
      insertion_order: entry['order'],
      enabled: !entry['disable'],
      position: entry['position'] === 0 ? 'before_char' : 'after_char',
      use_regex: true,
      extensions: { ...bag, position: entry['position'], ...Object.fromEntries(extended) },
    };
  });
  return deepFreeze({ entries, name }) as JsonObject;
}

/** The world file that SillyTavern itself makes of a well-formed book with ids. */
export function extractAsSillyTavern(book: JsonObject): JsonObject {
  const entries = (book['entries'] as readonly JsonObject[]).map((entry, index): [string, JsonObject] => {
    const bag = (entry['extensions'] ?? {}) as JsonObject;
    const extended = EXTENDED.map(([card, own, none]): [string, Json | undefined] => [
      own,
      bag[card] ?? (own === 'displayIndex' ? index : none),
    ]);
    const made: JsonObject = {
      uid: entry['id'] ?? index,
      key: entry['keys'],
      keysecondary: entry['secondary_keys'] ?? [],
      comment: entry['comment'] ?? '',
      content: entry['content'],
      constant: entry['constant'] ?? false,
      selective: entry['selective'] ?? false,
      order: entry['insertion_order'],
      position: bag['position'] ?? (entry['position'] === 'before_char' ? 0 : 1),
      disable: !entry['enabled'],
      addMemo: Boolean(entry['comment']),
      ...Object.fromEntries(extended),
      extensions: bag,
    };
    return [String(made['uid']), made];
  });
  return deepFreeze({ entries: Object.fromEntries(entries), originalData: book }) as JsonObject;
}

/** A world file after the editor changed fields of one entry. */
export function edited(world: JsonObject, uid: number, fields: JsonObject): JsonObject {
  const entries = worldEntriesOf(world);
  const entry = entries[String(uid)];
  if (entry === undefined) throw new Error(`no entry ${uid}`);
  return deepFreeze({ ...world, entries: { ...entries, [String(uid)]: { ...entry, ...fields } } });
}

/** A world file after the editor deleted an entry. */
export function withoutEntry(world: JsonObject, uid: number): JsonObject {
  const { [String(uid)]: _gone, ...rest } = worldEntriesOf(world);
  return deepFreeze({ ...world, entries: rest });
}

/** A world file after the editor made an entry: it takes the smallest free uid. */
export function withNewEntry(
  world: JsonObject,
  fields: JsonObject,
): { readonly world: JsonObject; readonly uid: number } {
  const entries = worldEntriesOf(world);
  let uid = 0;
  while (Object.hasOwn(entries, String(uid))) uid++;
  const blank = Object.fromEntries(EXTENDED.map(([, own, none]): [string, Json] => [own, none]));
  const entry: JsonObject = {
    uid,
    key: [],
    keysecondary: [],
    comment: '',
    content: '',
    constant: false,
    selective: true,
    addMemo: false,
    order: 100,
    position: 0,
    disable: false,
    ...blank,
    displayIndex: Object.keys(entries).length,
    ...fields,
  };
  return { world: deepFreeze({ ...world, entries: { ...entries, [String(uid)]: entry } }), uid };
}
