// What was written, read back, beside what was meant: the fields in which they differ in force. Values that do nothing
// in an entry are no difference.

import type { Json } from '../../core/json.ts';
import { sameJson } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { nearestPosition } from '../../core/position.ts';
import { CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { titlesInForce } from '../_shared/one-title.ts';
import { decisionOf, type Finder } from './keys.ts';
import { groupNames } from './nearest.ts';

/** Which of the two an entry is, and what its book does. */
export interface Side extends Finder {
  readonly bookDepth: number;
  readonly isRecursive: boolean;
}

type View = (entry: LorebookEntry, side: Side) => Json;

const searches = (entry: LorebookEntry): boolean => entry.enabled && !entry.constant;
const atDepth = (entry: LorebookEntry): boolean => nearestPosition(entry.position).slot === 'depth';
const inGroup = (entry: LorebookEntry): boolean => groupNames(entry).length > 0;
const usesSecondary = ({ selective, secondaryKeys, constant }: LorebookEntry): boolean =>
  selective && secondaryKeys.length > 0 && !constant;

// With one key "all" and "any" are the same.
const ONE_KEY: Readonly<Record<LorebookEntry['logic'], LorebookEntry['logic']>> = {
  and_any: 'and_any',
  and_all: 'and_any',
  not_any: 'not_any',
  not_all: 'not_any',
};

/** Fields of which not every value counts, and what counts of them. */
const IN_FORCE: Readonly<Record<string, View>> = {
  keys: (entry, side) => (entry.constant ? null : decisionOf(entry, 'keys', side)),
  secondaryKeys: (entry, side) => (usesSecondary(entry) ? decisionOf(entry, 'secondaryKeys', side) : null),
  'scan.caseSensitive': () => null,
  'scan.matchWholeWords': () => null,
  title: titlesInForce,
  selective: (entry) => usesSecondary(entry),
  logic: (entry) => {
    if (!usesSecondary(entry)) return null;
    return entry.secondaryKeys.length === 1 ? ONE_KEY[entry.logic] : entry.logic;
  },
  'position.slot': (entry) => nearestPosition(entry.position).slot,
  'position.depth': (entry) => (atDepth(entry) ? nearestPosition(entry.position).depth : null),
  'position.role': (entry) => (atDepth(entry) ? nearestPosition(entry.position).role : null),
  'position.outlet': (entry) => (entry.position.slot === 'outlet' ? entry.position.outlet : null),
  'probability.chance': ({ probability: { used, chance } }, { ours, isRecursive }) =>
    !used || chance >= 100 ? 100 : ours && isRecursive ? `${chance} once` : chance,
  'probability.used': () => null,
  'scan.depth': (entry, { bookDepth }) => (searches(entry) ? (entry.scan.depth ?? bookDepth) : null),
  'recursion.delayUntil': ({ recursion: { delayUntil } }, { ours }) =>
    ours && delayUntil > 0 ? `level ${delayUntil}` : delayUntil,
  'group.name': (entry) => (inGroup(entry) ? entry.group.name : ''),
  'group.override': (entry) => inGroup(entry) && entry.group.override,
  'group.weight': (entry) => (inGroup(entry) ? entry.group.weight : 100),
  'group.scoring': (entry) => inGroup(entry) && entry.group.scoring === true,
  triggers: ({ triggers }) => [...new Set(triggers)].sort(),
  // Its list is in the book's own order.
  displayIndex: () => null,
};

// Another slot says enough; what is off there or waits for other entries searches no messages.
const OF_THE_SLOT = ['position.depth', 'position.role', 'position.outlet'];

/** A field that reads back otherwise than it was meant. */
export interface FieldDifference {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
}

/** Compares an entry in force with what RisuAI shows of it, over every field that we know. */
export function differencesOf(
  meant: LorebookEntry,
  read: LorebookEntry,
  sides: { readonly meant: Side; readonly read: Side },
): readonly FieldDifference[] {
  const isMoved = nearestPosition(meant.position).slot !== read.position.slot;
  const searchesNothing = read.recursion.delayUntil > 0 || !read.enabled;
  const rows = CHARACTER_BOOK_FIELDS.filter(
    ({ path }) => !(isMoved && OF_THE_SLOT.includes(path)) && !(searchesNothing && path === 'scan.depth'),
  );
  return rows.flatMap((row): readonly FieldDifference[] => {
    const view = IN_FORCE[row.path] ?? ((entry: LorebookEntry) => row.show(entry));
    const [before, after] = [view(meant, sides.meant), view(read, sides.read)];
    if (sameJson(before, after)) return [];
    return [{ path: row.path, before: row.show(meant), after: row.show(read) }];
  });
}
