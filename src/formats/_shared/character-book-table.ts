// The table of the embedded character_book: every field of an entry, where it stands and how it is written.
// Facts: spec 000; SillyTavern 1.19 (convertCharacterBook, convertWorldInfoToCharacterBook) for the names in
// `extensions`; Marinara 2.3.3 and Lumiverse 1.1.0 write the same fields at the entry's own level.

import type { LorebookEntry } from '../../core/lorebook.ts';
import { weightAboveZero, weightFromZero } from './app-codecs.ts';
import type { Codec } from './codecs.ts';
import {
  anyNumber,
  countOrNone,
  flag,
  flagOrInherit,
  generationsOrNone,
  messagesOrNone,
  numberOrInherit,
  numberWithin,
  recursionLevel,
  text,
  texts,
  wholeChatDepth,
  wholeChatFromZero,
} from './codecs.ts';
import type { EntryField, Lens, Wire } from './entry-field.ts';
import { field, foreignKey, inEntry, inExtensions, inside } from './entry-field.ts';
import { besideKeys, CARD_KEYS, keyRows } from './key-rows.ts';
import { characterFilterCodec, logicCodec, lumiverseLogicCodec, roleCodec } from './lore-enums.ts';
import type { PlainRow } from './plain-row.ts';
import { plain } from './plain-row.ts';
import { bookPositionRow, depthLens, roleLens } from './position-row.ts';
import { titleRow } from './title-row.ts';

/** The name of this dialect: the key of a raw book in a lorebook's `original`, whatever app it came from. */
export const CHARACTER_BOOK = 'character-book';

/** A field that SillyTavern keeps in the entry's extensions; others write it at the entry in two spellings. */
function extended<T>(
  lens: Lens<T>,
  codec: Codec<T>,
  unset: T,
  name: string,
  { also, ...more }: Pick<PlainRow<T>, 'omitUnset' | 'own'> & { readonly also?: string } = {},
): EntryField {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const wires: Wire[] = [inExtensions(name)];
  if (snake !== name) wires.push(inExtensions(snake));
  wires.push(inEntry(snake));
  if (camel !== snake) wires.push(inEntry(camel));
  if (also !== undefined) wires.push(inEntry(also));
  return plain({ lens, codec, wires, unset, ...more });
}

const sourceFlag = (name: keyof LorebookEntry['sources'], wire: string, also?: string): EntryField =>
  extended(inside('sources', name), flag, false, wire, also === undefined ? {} : { also });

const timed = (name: keyof LorebookEntry['timing']): EntryField =>
  extended(inside('timing', name), messagesOrNone, null, name, {
    own: [
      { numbers: 'marinara', at: 'entry', keys: [name], codec: generationsOrNone },
      {
        numbers: 'lumiverse',
        at: 'extensions',
        keys: [name],
        codec: countOrNone,
      },
    ],
  });

// Two that Lumiverse leaves out of a card's entry where there are none: beside its own fields those in the extensions are
// stale, so a value is written where Lumiverse has it.
const atEntry = (row: EntryField, key: string, said: (entry: LorebookEntry) => string): EntryField => ({
  ...row,
  write: (entry, target) => {
    row.write(entry, target);
    const { options, twin } = target;
    const value = said(entry);
    const isAbsent = twin !== null && (twin.entry[key] ?? null) === null;
    if (options.ownNumbers === 'lumiverse' && isAbsent && value !== '') target.entry[key] = value;
  },
});

const ownSelective = plain({
  lens: field('selective'),
  codec: flag,
  wires: [inEntry('selective')],
  unset: false,
});

// Wyvern has no such switch: second keys count there as `key_logic` says, wherever there are some.
const selectiveRow: EntryField = {
  ...ownSelective,
  read: (source, draft) => {
    const { selective, key_logic: logic } = source.entry;
    if ((selective ?? null) === null && typeof logic === 'string') draft.selective = true;
    else ownSelective.read(source, draft);
  },
};

const ownCase = extended(inside('scan', 'caseSensitive'), flagOrInherit, null, 'case_sensitive');

// Marinara puts a false at the entry where SillyTavern's own field says null, "as the reader is set" (2.3.3); SillyTavern
// itself never looks there.
const caseRow: EntryField = {
  ...ownCase,
  read: (source, draft) => {
    ownCase.read(source, draft);
    const { entry, extensions, options } = source;
    const isUnset = extensions['case_sensitive'] === null && entry['case_sensitive'] === false;
    if (isUnset && options.precedence === 'extensions-first')
      draft.scan = { ...draft.scan, caseSensitive: null };
  },
};

/** The rows, in the order in which SillyTavern writes an entry. */
export const CHARACTER_BOOK_FIELDS: readonly EntryField[] = [
  ...keyRows(CARD_KEYS),
  titleRow,
  plain({ lens: field('content'), codec: text, wires: [inEntry('content')], unset: '' }),
  plain({ lens: field('constant'), codec: flag, wires: [inEntry('constant')], unset: false }),
  selectiveRow,
  plain({
    lens: field('order'),
    codec: anyNumber,
    wires: [inEntry('insertion_order'), foreignKey('order')],
    unset: 100,
    assumed: 'The entry has no insertion order; it was given 100, as a new entry in SillyTavern has.',
  }),
  plain({
    lens: field('enabled'),
    codec: flag,
    wires: [inEntry('enabled'), foreignKey('disable', true)],
    unset: true,
    assumed:
      "The entry does not say whether it is on; it was read as on. SillyTavern's own import would have switched it off.",
  }),
  bookPositionRow,
  extended(depthLens, numberWithin(0, 1_000_000), 4, 'depth'),
  atEntry(extended(roleLens, roleCodec, 'system', 'role'), 'role', roleLens.get),
  extended(inside('position', 'outlet'), text, '', 'outlet_name'),
  extended(field('displayIndex'), numberOrInherit, null, 'display_index', { omitUnset: true }),
  extended(inside('probability', 'chance'), numberWithin(0, 100), 100, 'probability'),
  extended(inside('probability', 'used'), flag, true, 'useProbability'),
  extended(field('logic'), logicCodec, 'and_any', 'selectiveLogic', {
    also: 'key_logic',
    own: { numbers: 'lumiverse', at: 'extensions', keys: ['selective_logic'], codec: lumiverseLogicCodec },
  }),
  extended(inside('recursion', 'exclude'), flag, false, 'exclude_recursion'),
  extended(inside('recursion', 'prevent'), flag, false, 'prevent_recursion'),
  extended(inside('recursion', 'delayUntil'), recursionLevel, 0, 'delay_until_recursion'),
  atEntry(extended(inside('group', 'name'), text, '', 'group'), 'group', ({ group }) => group.name),
  extended(inside('group', 'override'), flag, false, 'group_override'),
  extended(inside('group', 'weight'), anyNumber, 100, 'group_weight', {
    own: [
      { numbers: 'marinara', at: 'entry', keys: ['groupWeight'], codec: weightFromZero },
      { numbers: 'lumiverse', at: 'extensions', keys: ['group_weight'], codec: weightAboveZero },
    ],
  }),
  extended(inside('group', 'scoring'), flagOrInherit, null, 'use_group_scoring'),
  extended(inside('scan', 'depth'), numberOrInherit, null, 'scan_depth', {
    own: [
      { numbers: 'marinara', at: 'entry', keys: ['scan_depth', 'scanDepth'], codec: wholeChatDepth },
      {
        numbers: 'lumiverse',
        at: 'extensions',
        keys: ['scan_depth'],
        codec: wholeChatFromZero,
        spare: 'scan_depth',
      },
    ],
  }),
  besideKeys(caseRow),
  extended(inside('scan', 'matchWholeWords'), flagOrInherit, null, 'match_whole_words', {
    also: 'whole_words_only',
  }),
  extended(field('automationId'), text, '', 'automation_id'),
  extended(field('vectorized'), flag, false, 'vectorized'),
  timed('sticky'),
  timed('cooldown'),
  timed('delay'),
  sourceFlag('personaDescription', 'match_persona_description', 'scan_persona'),
  sourceFlag('characterDescription', 'match_character_description'),
  sourceFlag('characterPersonality', 'match_character_personality'),
  sourceFlag('characterDepthPrompt', 'match_character_depth_prompt'),
  sourceFlag('scenario', 'match_scenario'),
  sourceFlag('creatorNotes', 'match_creator_notes'),
  extended(field('triggers'), texts, [], 'triggers'),
  extended(field('ignoreBudget'), flag, false, 'ignore_budget'),
  // SillyTavern's own card has no place for the filter; this name of ours rides in the bag that it keeps.
  plain({
    lens: field('characterFilter'),
    codec: characterFilterCodec,
    wires: [inExtensions('character_filter'), inEntry('character_filter'), foreignKey('characterFilter')],
    unset: null,
    omitUnset: true,
  }),
];
