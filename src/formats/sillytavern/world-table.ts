// The table of a world info file: every field of an entry stands at the entry's own level and is live there.
// Facts: SillyTavern 1.19, newWorldInfoEntryDefinition. An entry's `extensions` is only what an imported card
// brought along and may be stale; it is carried, never read.

import type { LorebookEntry } from '../../core/lorebook.ts';
import type { Codec } from '../_shared/codecs.ts';
import {
  anyNumber,
  flag,
  flagOrInherit,
  inverted,
  messagesOrNone,
  numberOrInherit,
  numberWithin,
  recursionLevel,
  text,
  texts,
} from '../_shared/codecs.ts';
import type { EntryField, Lens, Wire } from '../_shared/entry-field.ts';
import { field, foreignKey, inEntry, inside } from '../_shared/entry-field.ts';
import { entryTable } from '../_shared/entry-table.ts';
import { keyRows } from '../_shared/key-rows.ts';
import { characterFilterCodec, logicCodec, roleCodec } from '../_shared/lore-enums.ts';
import { plain } from '../_shared/plain-row.ts';
import { depthLens, roleLens, worldPositionRow } from '../_shared/position-row.ts';
import { titleRow } from '../_shared/title-row.ts';

/** The name of this dialect: the key of a raw world file in a lorebook's `original`. */
export const WORLD_INFO = 'sillytavern';

function row<T>(
  lens: Lens<T>,
  codec: Codec<T>,
  unset: T,
  name: string,
  ...others: readonly Wire[]
): EntryField {
  return plain({ lens, codec, unset, wires: [inEntry(name), ...others] });
}

const sourceFlag = (name: keyof LorebookEntry['sources'], wire: string): EntryField =>
  row(inside('sources', name), flag, false, wire);

/** The rows, in the order of SillyTavern's own template. Chub's second vocabulary stands behind its names. */
export const WORLD_INFO_FIELDS: readonly EntryField[] = [
  ...keyRows({
    keys: [inEntry('key'), foreignKey('keys')],
    secondaryKeys: [inEntry('keysecondary'), foreignKey('secondary_keys')],
    useRegex: false,
  }),
  titleRow,
  row(field('content'), text, '', 'content'),
  row(field('constant'), flag, false, 'constant'),
  row(field('vectorized'), flag, false, 'vectorized'),
  row(field('selective'), flag, true, 'selective'),
  row(field('logic'), logicCodec, 'and_any', 'selectiveLogic'),
  row(field('order'), anyNumber, 100, 'order', foreignKey('insertion_order')),
  worldPositionRow,
  row(field('enabled'), inverted, true, 'disable', foreignKey('enabled', true)),
  row(field('ignoreBudget'), flag, false, 'ignoreBudget'),
  row(inside('recursion', 'exclude'), flag, false, 'excludeRecursion'),
  row(inside('recursion', 'prevent'), flag, false, 'preventRecursion'),
  sourceFlag('personaDescription', 'matchPersonaDescription'),
  sourceFlag('characterDescription', 'matchCharacterDescription'),
  sourceFlag('characterPersonality', 'matchCharacterPersonality'),
  sourceFlag('characterDepthPrompt', 'matchCharacterDepthPrompt'),
  sourceFlag('scenario', 'matchScenario'),
  sourceFlag('creatorNotes', 'matchCreatorNotes'),
  row(inside('recursion', 'delayUntil'), recursionLevel, 0, 'delayUntilRecursion'),
  row(inside('probability', 'chance'), numberWithin(0, 100), 100, 'probability'),
  row(inside('probability', 'used'), flag, true, 'useProbability'),
  row(depthLens, numberWithin(0, 1_000_000), 4, 'depth'),
  row(inside('position', 'outlet'), text, '', 'outletName'),
  row(inside('group', 'name'), text, '', 'group'),
  row(inside('group', 'override'), flag, false, 'groupOverride'),
  row(inside('group', 'weight'), anyNumber, 100, 'groupWeight'),
  row(inside('scan', 'depth'), numberOrInherit, null, 'scanDepth'),
  row(inside('scan', 'caseSensitive'), flagOrInherit, null, 'caseSensitive'),
  row(inside('scan', 'matchWholeWords'), flagOrInherit, null, 'matchWholeWords'),
  row(inside('group', 'scoring'), flagOrInherit, null, 'useGroupScoring'),
  row(field('automationId'), text, '', 'automationId'),
  row(roleLens, roleCodec, 'system', 'role'),
  row(inside('timing', 'sticky'), messagesOrNone, null, 'sticky'),
  row(inside('timing', 'cooldown'), messagesOrNone, null, 'cooldown'),
  row(inside('timing', 'delay'), messagesOrNone, null, 'delay'),
  row(field('triggers'), texts, [], 'triggers'),
  row(field('displayIndex'), numberOrInherit, null, 'displayIndex'),
  plain({
    lens: field('characterFilter'),
    codec: characterFilterCodec,
    wires: [inEntry('characterFilter')],
    unset: null,
    omitUnset: true,
  }),
];

/** The table of this dialect. */
export const WORLD_INFO_TABLE = entryTable(
  WORLD_INFO,
  WORLD_INFO_FIELDS,
  ['uid', 'id'],
  "The entry uses the field names of a card's book in a world info file; they were read as such.",
);
