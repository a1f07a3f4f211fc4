// RoleCall's table: each field of an entry and where it stands in its lorebook file (export schema 1.0.0). RoleCall itself
// could not be run: the names are those of its export, and what is in `unsupportedFields` is carried there and not used.

import type { Json } from '../../core/json.ts';
import type { Logic } from '../../core/lorebook.ts';
import type { Role } from '../../core/position.ts';
import { rawValue } from '../_shared/book-position.ts';
import type { Codec } from '../_shared/codecs.ts';
import {
  anyNumber,
  flag,
  flagOrInherit,
  messagesOrNone,
  numberOrInherit,
  numberWithin,
  recursionLevel,
  text,
  texts,
} from '../_shared/codecs.ts';
import type { EntryField, Lens, ReadOptions } from '../_shared/entry-field.ts';
import { field, inEntry, inside } from '../_shared/entry-field.ts';
import { entryTable } from '../_shared/entry-table.ts';
import { characterFilterCodec, ROLECALL_SLOTS } from '../_shared/lore-enums.ts';
import { plain } from '../_shared/plain-row.ts';
import { WHERE } from '../_shared/position-row.ts';
import { triggerRow } from './keys.ts';
import { CARRIED } from './nesting.ts';

/** The name of this dialect: the key of a raw file in a lorebook's `original`. */
export const ROLECALL = 'rolecall';

/** Every field stands at one place. */
export const READ_ROLECALL: ReadOptions = { precedence: 'entry-first', patternKeys: false, ownWords: true };

const row = <T>(lens: Lens<T>, name: string, codec: Codec<T>, unset: T): EntryField =>
  plain({ lens, codec, unset, wires: [inEntry(name)] });
const carried = <T>(lens: Lens<T>, name: string, codec: Codec<T>, unset: T): EntryField =>
  plain({ lens, codec, unset, wires: [inEntry(`${CARRIED}.${name}`)], omitUnset: true });

function words<T extends string>(all: readonly T[]): Codec<T> {
  return {
    decode: (raw, mend) => {
      const found = all.find((word) => word === raw);
      if (found === undefined && raw !== null) mend('is no known word and was not used');
      return found;
    },
    encode: (value) => value,
    same: Object.is,
  };
}

const LOGICS: readonly Logic[] = ['and_any', 'and_all', 'not_any', 'not_all'];
const ROLES: readonly Role[] = ['system', 'user', 'assistant'];

// An unknown word is after the character there.
const slotRow: EntryField = {
  path: 'position.slot',
  wires: [inEntry('injection.position')],
  isPlain: false,
  read: (source, draft) => {
    const raw = source.entry['injection.position'];
    const precise = rawValue(raw);
    const found = ROLECALL_SLOTS.find((slot) => slot === raw);
    const slot = found ?? 'character';
    draft.position.slot = slot;
    const agreement = found !== undefined ? 'precise-only' : precise.present ? 'invalid' : 'assumed';
    source.position = {
      coarse: rawValue(undefined),
      precise: { ...precise, at: 'entry' },
      slot,
      agreement,
      floor: false,
    };
    if (found !== undefined) return;
    const what = precise.present
      ? `The position ${JSON.stringify(raw)} is not known there`
      : 'The entry has no position';
    source.note('assumed', 'position.slot', raw, slot, `${what}; it stands ${WHERE[slot]}.`);
  },
  same: (a, b) => a.position.slot === b.position.slot,
  take: (from, into) => {
    into.position.slot = from.position.slot;
  },
  write: (entry, { entry: target }) => {
    target['injection.position'] = entry.position.slot;
  },
  show: (entry) => entry.position.slot,
};

const titleRow: EntryField = {
  path: 'title',
  wires: [inEntry('title'), inEntry('comment')],
  isPlain: false,
  read: ({ entry }, draft) => {
    const [title, comment] = [entry['title'], entry['comment']];
    draft.title = typeof title === 'string' ? title : '';
    draft.memo = typeof comment === 'string' ? comment : '';
  },
  same: (a, b) => a.title === b.title && a.memo === b.memo,
  take: (from, into) => {
    into.title = from.title;
    into.memo = from.memo;
  },
  write: (entry, { entry: target }) => {
    target['title'] = entry.title;
    target['comment'] = entry.memo === '' ? null : entry.memo;
  },
  show: (entry) => (entry.memo === '' ? entry.title : [entry.title, entry.memo]),
};

/** One number where SillyTavern has a number and a switch. */
const chanceLens: Lens<number> = {
  path: 'probability.chance',
  get: ({ probability }) => (probability.used ? probability.chance : 100),
  set: (draft, chance) => {
    draft.probability = { chance, used: true };
  },
};

const nothingIs = <T extends Json>(codec: Codec<T>, unset: T, nothing: Json): Codec<T> => ({
  ...codec,
  encode: (value) => (codec.same(value, unset) ? nothing : codec.encode(value)),
});
const messages = nothingIs(messagesOrNone, null, 0);

/** The fields, in the order in which they are written. */
export const ROLECALL_FIELDS: readonly EntryField[] = [
  titleRow,
  row(field('content'), 'content', text, ''),
  row(field('enabled'), 'enabled', flag, true),
  row(field('constant'), 'constant', flag, false),
  triggerRow('keys', 'triggers.primary'),
  triggerRow('secondaryKeys', 'triggers.secondary'),
  row(field('logic'), 'triggers.selectiveLogic', words(LOGICS), 'and_any'),
  row(inside('scan', 'caseSensitive'), 'matching.caseSensitive', flagOrInherit, null),
  row(inside('scan', 'matchWholeWords'), 'matching.matchWholeWords', flagOrInherit, null),
  row(inside('scan', 'depth'), 'matching.scanDepth', numberOrInherit, null),
  slotRow,
  row(inside('position', 'depth'), 'injection.depth', numberWithin(0, 1_000_000), 4),
  row(inside('position', 'role'), 'injection.role', words(ROLES), 'system'),
  // What SillyTavern shows first has the lowest place in the list, and what counts first the highest priority.
  plain({
    lens: field('displayIndex'),
    codec: numberOrInherit,
    unset: null,
    wires: [inEntry('priority.sortOrder')],
    omitUnset: true,
  }),
  row(field('order'), 'priority.priority', anyNumber, 100),
  row(inside('timing', 'sticky'), 'timing.sticky', messages, null),
  row(inside('timing', 'cooldown'), 'timing.cooldown', messages, null),
  row(inside('timing', 'delay'), 'timing.delay', messages, null),
  row(inside('group', 'name'), 'grouping.groupName', nothingIs(text, '', null), ''),
  row(inside('group', 'weight'), 'grouping.groupWeight', anyNumber, 100),
  row(chanceLens, 'probability', numberWithin(0, 100), 100),
  row(inside('recursion', 'exclude'), 'advanced.excludeRecursion', flag, false),
  row(inside('recursion', 'prevent'), 'advanced.preventRecursion', flag, false),
  row(inside('recursion', 'delayUntil'), 'advanced.delayUntilRecursion', recursionLevel, 0),
  row(field('ignoreBudget'), 'advanced.ignoreBudget', flag, false),
  row(field('characterFilter'), 'characterFilter', characterFilterCodec, null),
  row(inside('sources', 'characterDescription'), 'scanSources.characterDescription', flag, false),
  row(inside('sources', 'characterPersonality'), 'scanSources.characterPersonality', flag, false),
  row(inside('sources', 'personaDescription'), 'scanSources.userPersona', flag, false),
  row(inside('sources', 'scenario'), 'scanSources.scenario', flag, false),
  carried(inside('sources', 'characterDepthPrompt'), 'matchCharacterDepthPrompt', flag, false),
  carried(inside('sources', 'creatorNotes'), 'matchCreatorNotes', flag, false),
  carried(inside('group', 'override'), 'groupOverride', flag, false),
  carried(inside('group', 'scoring'), 'useGroupScoring', flagOrInherit, null),
  carried(field('automationId'), 'automationId', text, ''),
  carried(field('vectorized'), 'vectorized', flag, false),
  carried(field('triggers'), 'generationTriggers', texts, []),
  carried(inside('position', 'outlet'), 'outletName', text, ''),
];

/** The table. */
export const ROLECALL_TABLE = entryTable(ROLECALL, ROLECALL_FIELDS, ['id']);

/** Fields that RoleCall carries along and does not use. */
export const CARRIED_PATHS: ReadonlySet<string> = new Set(
  ROLECALL_FIELDS.filter(({ wires }) => wires.every(({ key }) => key.startsWith(`${CARRIED}.`))).map(
    ({ path }) => path,
  ),
);
