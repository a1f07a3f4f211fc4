// What was written, read back, beside what was meant: the fields in which they differ in force. Values that do nothing
// in an entry are no difference.

import type { Json } from '../../core/json.ts';
import { sameJson } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { nearestPosition } from '../../core/position.ts';
import type { DelayedPasses } from '../../core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { titlesInForce } from '../_shared/one-title.ts';
import { decisionOf, usesCase } from './keys.ts';
import { keywordOfKey } from './keywords.ts';
import { unknownMacros } from './macros.ts';

/** Which of the two an entry is, and what Agnai is told. */
interface Side {
  readonly ours: boolean;
  readonly memoryDepth: number;
  readonly delayedPasses: DelayedPasses;
}

type View = (entry: LorebookEntry, side: Side) => Json;

const searches = (entry: LorebookEntry): boolean => entry.enabled && !entry.constant;
const nothing: View = () => null;

/** Fields of which not every value counts, and what counts of them. */
const IN_FORCE: Readonly<Record<string, View>> = {
  title: titlesInForce,
  // A macro that is left as it is says something else.
  content: (entry, { ours }) => [entry.content, ...(ours ? unknownMacros(entry.content) : [])],
  keys: (entry, { ours }) =>
    searches(entry) ? decisionOf(entry, ours ? null : entry.keys.map(keywordOfKey)) : null,
  secondaryKeys: (entry, { ours }) => (ours && searches(entry) && usesSecondary(entry) ? entry.logic : null),
  selective: nothing,
  logic: nothing,
  // The order stays, its numbers are ranks; said once for the book.
  order: nothing,
  displayIndex: nothing,
  'position.slot': ({ position }) => {
    const { slot } = nearestPosition(position);
    // The block stands directly before the examples as well.
    return slot === 'before_example' ? 'character' : slot;
  },
  'position.depth': ({ position }) =>
    nearestPosition(position).slot === 'depth' ? nearestPosition(position).depth : null,
  'position.role': ({ position }) =>
    nearestPosition(position).slot === 'depth' ? nearestPosition(position).role : null,
  'position.outlet': ({ position }) => (position.slot === 'outlet' ? position.outlet : null),
  'probability.chance': ({ enabled, probability }) =>
    enabled && probability.used ? probability.chance : 100,
  'probability.used': nothing,
  'scan.caseSensitive': (entry, { ours }) => ours && searches(entry) && usesCase(entry),
  'scan.matchWholeWords': nothing,
  'scan.depth': (entry, { ours, memoryDepth }) =>
    ours && searches(entry) ? entry.scan.depth : searches(entry) ? memoryDepth : null,
  'group.name': ({ enabled, group }) => (enabled ? group.name : ''),
  'group.override': nothing,
  'group.weight': nothing,
  'group.scoring': nothing,
  'recursion.exclude': nothing,
  'recursion.prevent': nothing,
  'recursion.delayUntil': ({ enabled, recursion }, { delayedPasses }) =>
    enabled && delayedPasses !== 'always' ? recursion.delayUntil : 0,
  triggers: ({ enabled, triggers }) => (enabled ? [...new Set(triggers)].sort() : []),
  ignoreBudget: ({ enabled, ignoreBudget }) => enabled && ignoreBudget,
};

const usesSecondary = ({ selective, secondaryKeys }: LorebookEntry): boolean =>
  selective && secondaryKeys.length > 0;

// Another slot says enough, and so does an entry that is switched off or always there instead.
const OF_THE_SLOT = ['position.depth', 'position.role', 'position.outlet'];
const OF_THE_KEYS = ['keys', 'secondaryKeys', 'scan.caseSensitive', 'scan.depth'];

/** A field that reads back otherwise than it was meant. */
export interface FieldDifference {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
}

/** Compares an entry in force with what Agnai shows of it, over every field that we know. */
export function differencesOf(
  meant: LorebookEntry,
  read: LorebookEntry,
  told: Omit<Side, 'ours'>,
): readonly FieldDifference[] {
  const isMoved = nearestPosition(meant.position).slot !== nearestPosition(read.position).slot;
  const rows = CHARACTER_BOOK_FIELDS.filter(({ path }) => !isMoved || !OF_THE_SLOT.includes(path));
  const isDecided = searches(meant) && !searches(read);
  return rows.flatMap((row): readonly FieldDifference[] => {
    if (isDecided && OF_THE_KEYS.includes(row.path)) return [];
    const view = IN_FORCE[row.path] ?? ((entry: LorebookEntry) => row.show(entry));
    const before = view(meant, { ...told, ours: true });
    const after = view(read, { ...told, ours: false });
    return sameJson(before, after)
      ? []
      : [{ path: row.path, before: row.show(meant), after: row.show(read) }];
  });
}
