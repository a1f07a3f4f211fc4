// Lumiverse's table: each field of an entry, where it stands in each of its three forms, and what is written instead when
// Lumiverse cannot say it. Facts: Lumiverse 1.1.0. A card's book is read by the shared table of the character_book with
// Lumiverse's precedence; a test holds the two together.

import type { LorebookEntry } from '../../core/lorebook.ts';
import { caseFlag, delayFlag, weightAboveZero } from '../_shared/app-codecs.ts';
import type { Codec } from '../_shared/codecs.ts';
import {
  anyNumber,
  countOrNone,
  flag,
  inverted,
  numberWithin,
  text,
  wholeChatFromZero,
} from '../_shared/codecs.ts';
import { keepSelective } from '../_shared/draft-steps.ts';
import type { EntryField, Lens, Wire } from '../_shared/entry-field.ts';
import { field, inEntry, inExtensions, inside } from '../_shared/entry-field.ts';
import type { EntryTable } from '../_shared/entry-table.ts';
import { entryTable } from '../_shared/entry-table.ts';
import { lumiverseLogicCodec } from '../_shared/lore-enums.ts';
import { plain } from '../_shared/plain-row.ts';
import { speaker, textOrNull } from './codecs.ts';
import type { Nearest } from './nearest.ts';
import * as nearest from './nearest.ts';
import * as activation from './nearest-activation.ts';
import { type Level, slotRow, switchedKeyRow, titleRow } from './rows.ts';

/** The forms in which Lumiverse holds entries: its own world book, a card's book, and what it calls SillyTavern's. */
export type Form = 'native' | 'card' | 'sillytavern';

/** One field. */
export interface LumiverseField {
  readonly path: string;
  /** Its row in each form that has a place for it. */
  readonly rows: Partial<Readonly<Record<Form, EntryField>>>;
  /** What is written when the value cannot be said. */
  readonly nearest?: Nearest;
  /** What is said where no form has a place for it. */
  readonly absent?: string;
}

const FORMS = ['native', 'card', 'sillytavern'] as const;
const LEVEL: Readonly<Record<Form, Level>> = { native: 'entry', card: 'extensions', sillytavern: 'entry' };

/** Names in the forms: one for all, or one each. */
type Names = string | Readonly<Record<Form, string>>;
type More = Pick<LumiverseField, 'nearest' | 'absent'>;

const nameIn = (names: Names, form: Form): string => (typeof names === 'string' ? names : names[form]);

function of<T>(
  lens: Lens<T>,
  codec: Codec<T>,
  unset: T,
  wireIn: (form: Form) => Wire,
  more: More & { readonly codecs?: Partial<Readonly<Record<Form, Codec<T>>>> } = {},
): LumiverseField {
  const { codecs, ...rest } = more;
  const rows: Partial<Record<Form, EntryField>> = {};
  for (const form of FORMS)
    rows[form] = plain({ lens, codec: codecs?.[form] ?? codec, unset, wires: [wireIn(form)] });
  return { path: lens.path, rows, ...rest };
}

/** At the entry itself in every form. */
const top =
  (names: Names) =>
  (form: Form): Wire =>
    inEntry(nameIn(names, form));
/** In a card's book in the entry's extensions. */
const deep =
  (names: Names) =>
  (form: Form): Wire =>
    form === 'card' ? inExtensions(nameIn(names, form)) : inEntry(nameIn(names, form));

/** A row that differs between the forms by more than a name. */
function by(row: (form: Form) => EntryField, more: More = {}): LumiverseField {
  const rows: Partial<Record<Form, EntryField>> = {};
  for (const form of FORMS) rows[form] = row(form);
  return { path: rows.native?.path ?? '', rows, ...more };
}

// No form has a place for it.
const nowhere = (path: string, absent?: string): LumiverseField => ({
  path,
  rows: {},
  ...(absent === undefined ? {} : { absent }),
});

const KEYS = { native: 'key', card: 'keys', sillytavern: 'keys' };
const SECONDARY = { native: 'keysecondary', card: 'secondary_keys', sillytavern: 'secondary_keys' };
const ORDER = { native: 'order_value', card: 'insertion_order', sillytavern: 'insertion_order' };
const LOGIC = { native: 'selective_logic', card: 'selective_logic', sillytavern: 'selectiveLogic' };
const USED = { native: 'use_probability', card: 'use_probability', sillytavern: 'useProbability' };

const NOT_SEARCHED = 'Lumiverse searches only what was said for keys';
const source = (name: keyof LorebookEntry['sources']): LumiverseField =>
  nowhere(`sources.${name}`, NOT_SEARCHED);

/** The fields, in the order in which they are written. */
export const LUMIVERSE_FIELDS: readonly LumiverseField[] = [
  by((form) => switchedKeyRow('keys', KEYS[form], LEVEL[form]), { nearest: nearest.keys }),
  by((form) => switchedKeyRow('secondaryKeys', SECONDARY[form], LEVEL[form])),
  by(() => titleRow, { nearest: nearest.title }),
  of(field('content'), text, '', top('content')),
  of(field('enabled'), flag, true, top({ native: 'disabled', card: 'enabled', sillytavern: 'enabled' }), {
    codecs: { native: inverted },
  }),
  of(field('constant'), flag, false, top('constant'), { nearest: activation.constant }),
  of(field('selective'), flag, false, top('selective'), { nearest: keepSelective }),
  of(field('logic'), lumiverseLogicCodec, 'and_all', deep(LOGIC)),
  of(field('order'), anyNumber, 100, top(ORDER), { nearest: nearest.order }),
  by((form) => slotRow(LEVEL[form]), { nearest: nearest.position }),
  of(inside('position', 'depth'), numberWithin(0, 1_000_000), 4, top('depth')),
  of(inside('position', 'role'), speaker, 'system', top('role')),
  of(inside('position', 'outlet'), textOrNull, '', deep('outlet_name')),
  // Neither is inherited there: what is absent is off (1.1.0).
  of(inside('scan', 'caseSensitive'), caseFlag, false, top('case_sensitive')),
  of(inside('scan', 'matchWholeWords'), caseFlag, false, top('match_whole_words')),
  of(inside('scan', 'depth'), wholeChatFromZero, null, deep('scan_depth'), { nearest: activation.scanDepth }),
  of(inside('probability', 'chance'), numberWithin(0, 100), 100, deep('probability'), {
    nearest: activation.chance,
  }),
  of(inside('probability', 'used'), flag, true, deep(USED)),
  of(inside('timing', 'sticky'), countOrNone, null, deep('sticky'), { nearest: activation.sticky }),
  of(inside('timing', 'cooldown'), countOrNone, null, deep('cooldown'), {
    nearest: activation.cooldown,
  }),
  of(inside('timing', 'delay'), countOrNone, null, deep('delay'), { nearest: activation.delay }),
  of(inside('group', 'name'), text, '', top({ native: 'group_name', card: 'group', sillytavern: 'group' }), {
    nearest: activation.group,
  }),
  of(inside('group', 'override'), flag, false, deep('group_override')),
  of(inside('group', 'weight'), weightAboveZero, 100, deep('group_weight')),
  // The group's own rule speaks for it.
  nowhere('group.scoring'),
  of(inside('recursion', 'prevent'), flag, false, deep('prevent_recursion')),
  of(inside('recursion', 'exclude'), flag, false, deep('exclude_recursion'), {
    nearest: activation.exclude,
  }),
  of(inside('recursion', 'delayUntil'), delayFlag, 0, deep('delay_until_recursion'), {
    nearest: activation.delayUntil,
  }),
  of(field('vectorized'), flag, false, deep('vectorized'), { nearest: activation.vectorized }),
  of(field('automationId'), textOrNull, '', deep('automation_id')),
  { path: 'triggers', rows: {}, nearest: activation.triggers },
  source('personaDescription'),
  source('characterDescription'),
  source('characterPersonality'),
  source('characterDepthPrompt'),
  source('scenario'),
  source('creatorNotes'),
  nowhere('ignoreBudget', 'no entry is free of a budget there'),
  nowhere('characterFilter', 'Lumiverse has no filter of characters and tags'),
  // Its list is sorted by order; that is said once for the book.
  nowhere('displayIndex'),
];

const tableOf = (form: Form, identity: readonly string[]): EntryTable =>
  entryTable(
    `lumiverse-${form}`,
    LUMIVERSE_FIELDS.flatMap(({ rows }) => rows[form] ?? []),
    identity,
  );

/** The tables of the three forms. */
export const LUMIVERSE_TABLES: Readonly<Record<Form, EntryTable>> = {
  native: tableOf('native', ['uid', 'id']),
  card: tableOf('card', ['id', 'uid']),
  sillytavern: tableOf('sillytavern', ['uid', 'id']),
};
