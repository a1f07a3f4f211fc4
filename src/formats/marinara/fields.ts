// Marinara's table: each field of an entry, where it stands in each of its three forms, and what is written instead
// when Marinara cannot say it. Facts: Marinara Engine 2.3.3. The card form is also read by the shared table of the
// character_book, with Marinara's precedence; a test holds the two together.

import type { LorebookEntry } from '../../core/lorebook.ts';
import { caseFlag, delayFlag, inNumbers, inWords, weightFromZero } from '../_shared/app-codecs.ts';
import type { Codec } from '../_shared/codecs.ts';
import {
  anyNumber,
  countOrNone,
  flag,
  generationsOrNone,
  inverted,
  numberWithin,
  text,
  wholeChatDepth,
} from '../_shared/codecs.ts';
import { keepSelective } from '../_shared/draft-steps.ts';
import type { EntryField, Lens } from '../_shared/entry-field.ts';
import { field, inEntry, inside } from '../_shared/entry-field.ts';
import type { EntryTable } from '../_shared/entry-table.ts';
import { entryTable } from '../_shared/entry-table.ts';
import { logicCodec, roleCodec } from '../_shared/lore-enums.ts';
import { plain } from '../_shared/plain-row.ts';
import {
  CARD_SLOTS,
  COMPATIBLE_SLOTS,
  chance,
  chanceLens,
  NATIVE_SLOTS,
  SOURCE_NAMES,
  wholeNumber,
} from './codecs.ts';
import type { Nearest } from './nearest.ts';
import * as nearest from './nearest.ts';
import * as activation from './nearest-activation.ts';
import { bareKeyRow, nameRow, slotRow, sourceRow, triggersRow, vectorRows } from './rows.ts';

/** The forms in which Marinara holds a lorebook: in a card, by itself, and in the look of a world info file. */
export type Form = 'card' | 'native' | 'compatible';

/** One field. */
export interface MarinaraField {
  readonly path: string;
  /** Its row in each form that has a place for it. */
  readonly rows: Partial<Readonly<Record<Form, EntryField>>>;
  /** What is written when the value cannot be said. */
  readonly nearest?: Nearest;
  /** What is said where the form has no place for it. */
  readonly absent?: string;
}

type Place<T> = string | readonly [string, Codec<T>] | readonly [string, Codec<T>, string];
type Places<T> = Partial<Readonly<Record<Form, Place<T>>>>;

function of<T>(
  lens: Lens<T>,
  codec: Codec<T>,
  unset: T,
  places: string | Places<T>,
  more: Pick<MarinaraField, 'nearest' | 'absent'> & { readonly omitUnset?: boolean } = {},
): MarinaraField {
  const { omitUnset, ...rest } = more;
  const all: Places<T> =
    typeof places === 'string' ? { card: places, native: places, compatible: places } : places;
  const rows: Partial<Record<Form, EntryField>> = {};
  for (const form of ['card', 'native', 'compatible'] as const) {
    const place = all[form];
    if (place === undefined) continue;
    const [name, own, also] = typeof place === 'string' ? [place] : place;
    const wires = also === undefined ? [inEntry(name)] : [inEntry(name), inEntry(also)];
    rows[form] = plain({ lens, codec: own ?? codec, unset, wires, ...(omitUnset ? { omitUnset } : {}) });
  }
  return { path: lens.path, rows, ...rest };
}

/** The same row in every form that is named. */
const by = (
  rows: MarinaraField['rows'],
  more: Pick<MarinaraField, 'nearest' | 'absent'> = {},
): MarinaraField => ({
  path: (rows.card ?? rows.native)?.path ?? '',
  rows,
  ...more,
});

// No form has a place for it.
const nowhere = (path: string, absent?: string): MarinaraField => ({
  path,
  rows: {},
  ...(absent === undefined ? {} : { absent }),
});

const timing = (name: keyof LorebookEntry['timing']): MarinaraField =>
  of(
    inside('timing', name),
    countOrNone,
    null,
    {
      card: name,
      native: [name, generationsOrNone],
      compatible: [name, generationsOrNone],
    },
    { omitUnset: true, nearest: activation.timing(name) },
  );

const source = (name: keyof LorebookEntry['sources'], absent: string): MarinaraField => {
  const word = SOURCE_NAMES.find(([known]) => known === name)?.[1];
  const path = `sources.${name}`;
  return word === undefined
    ? nowhere(path, absent)
    : { path, rows: { native: sourceRow(name, word) }, absent };
};

const NOT_SEARCHED = 'Marinara does not search this text for keys';
const CARD_NOT_SEARCHED =
  "a lorebook inside a card cannot say which texts are searched; Marinara's own lorebook file can";

/** The fields, in the order in which they are written. */
export const MARINARA_FIELDS: readonly MarinaraField[] = [
  by(
    {
      card: bareKeyRow('keys', 'keys'),
      native: bareKeyRow('keys', 'keys'),
      compatible: bareKeyRow('keys', 'key'),
    },
    { nearest: nearest.keys },
  ),
  by({
    card: bareKeyRow('secondaryKeys', 'secondary_keys'),
    native: bareKeyRow('secondaryKeys', 'secondaryKeys'),
    compatible: bareKeyRow('secondaryKeys', 'keysecondary'),
  }),
  // Neither is inherited there: what is absent is off (2.3.3).
  of(inside('scan', 'caseSensitive'), caseFlag, false, {
    card: 'case_sensitive',
    native: 'caseSensitive',
    compatible: 'caseSensitive',
  }),
  of(inside('scan', 'matchWholeWords'), caseFlag, false, {
    card: ['matchWholeWords', caseFlag, 'match_whole_words'],
    native: 'matchWholeWords',
    compatible: 'matchWholeWords',
  }),
  by(
    {
      card: nameRow('name', 'comment'),
      native: nameRow('name', null),
      compatible: nameRow('comment', 'name'),
    },
    { nearest: nearest.title },
  ),
  of(field('content'), text, '', 'content'),
  of(field('enabled'), flag, true, { card: 'enabled', native: 'enabled', compatible: ['disable', inverted] }),
  of(field('constant'), flag, false, 'constant'),
  of(field('selective'), flag, false, 'selective', { nearest: keepSelective }),
  of(field('logic'), logicCodec, 'and_any', {
    card: ['selectiveLogic', inWords(logicCodec)],
    native: ['selectiveLogic', inWords(logicCodec)],
    compatible: ['selectiveLogic', inNumbers(logicCodec)],
  }),
  of(
    field('order'),
    anyNumber,
    100,
    {
      card: ['insertion_order', anyNumber, 'priority'],
      native: ['order', wholeNumber],
      compatible: 'order',
    },
    { nearest: nearest.order },
  ),
  by(
    { card: slotRow(CARD_SLOTS), native: slotRow(NATIVE_SLOTS), compatible: slotRow(COMPATIBLE_SLOTS) },
    { nearest: nearest.position },
  ),
  of(inside('position', 'depth'), numberWithin(0, 1_000_000), 4, 'depth'),
  of(inside('position', 'role'), roleCodec, 'system', {
    card: ['role', inNumbers(roleCodec)],
    native: ['role', inWords(roleCodec)],
    compatible: ['role', inNumbers(roleCodec)],
  }),
  of(
    inside('position', 'outlet'),
    text,
    '',
    { card: 'outletName', native: 'outletName', compatible: 'outletName' },
    { omitUnset: true },
  ),
  of(chanceLens, chance, null, 'probability', { omitUnset: true }),
  of(
    inside('scan', 'depth'),
    wholeChatDepth,
    null,
    { card: ['scanDepth', wholeChatDepth, 'scan_depth'], native: 'scanDepth', compatible: 'scanDepth' },
    { omitUnset: true, nearest: activation.scanDepth },
  ),
  timing('sticky'),
  timing('cooldown'),
  timing('delay'),
  of(inside('group', 'name'), text, '', 'group', { nearest: activation.group }),
  of(inside('group', 'weight'), weightFromZero, 100, 'groupWeight'),
  // The group's own rule speaks for these two.
  nowhere('group.override'),
  nowhere('group.scoring'),
  of(inside('recursion', 'prevent'), flag, true, 'preventRecursion'),
  of(inside('recursion', 'exclude'), flag, false, 'excludeRecursion'),
  of(inside('recursion', 'delayUntil'), delayFlag, 0, 'delayUntilRecursion', {
    nearest: activation.delayUntil,
  }),
  by(vectorRows),
  by({ native: triggersRow }, { nearest: activation.triggers }),
  source('personaDescription', CARD_NOT_SEARCHED),
  source('characterDescription', CARD_NOT_SEARCHED),
  source('characterPersonality', CARD_NOT_SEARCHED),
  source('scenario', CARD_NOT_SEARCHED),
  source('characterDepthPrompt', NOT_SEARCHED),
  source('creatorNotes', NOT_SEARCHED),
  nowhere('ignoreBudget', 'no entry is free of the budget there'),
  nowhere('characterFilter', 'Marinara knows characters and tags by ids of its own'),
  nowhere('automationId', "it names an automation of SillyTavern's"),
  // Its list is sorted by order; that is said once for the book.
  nowhere('displayIndex'),
];

const tableOf = (form: Form, identity: string): EntryTable =>
  entryTable(
    `marinara-${form}`,
    MARINARA_FIELDS.flatMap(({ rows }) => rows[form] ?? []),
    [identity],
  );

/** The tables of the three forms. */
export const MARINARA_TABLES: Readonly<Record<Form, EntryTable>> = {
  card: tableOf('card', 'id'),
  native: tableOf('native', 'id'),
  compatible: tableOf('compatible', 'uid'),
};
