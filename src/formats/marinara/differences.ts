// What was written, read back, beside what was meant: the fields in which they differ in force. Values that do nothing
// in an entry are no difference.

import type { Json } from '../../core/json.ts';
import { sameJson } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { nearestPosition } from '../../core/position.ts';
import { CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { groupNames } from '../_shared/group-names.ts';
import { titlesInForce } from '../_shared/one-title.ts';
import { decisionOf } from './keys.ts';

type View = (entry: LorebookEntry, side: Side) => Json;

/** Which of the two an entry is, and how deep its book is searched. */
interface Side {
  readonly ours: boolean;
  readonly bookDepth: number;
}

const searches = (entry: LorebookEntry): boolean => entry.enabled && !entry.constant;
const atDepth = (entry: LorebookEntry): boolean => nearestPosition(entry.position).slot === 'depth';
const inGroup = (entry: LorebookEntry): boolean => groupNames(entry).length > 0;
const usesSecondary = ({ selective, secondaryKeys, constant }: LorebookEntry): boolean =>
  selective && secondaryKeys.length > 0 && !constant;

/** Fields of which not every value counts, and what counts of them. */
const IN_FORCE: Readonly<Record<string, View>> = {
  keys: (entry, { ours }) => (entry.constant ? null : decisionOf(entry, 'keys', ours)),
  secondaryKeys: (entry, { ours }) =>
    usesSecondary(entry) ? decisionOf(entry, 'secondaryKeys', ours) : null,
  'scan.caseSensitive': () => null,
  'scan.matchWholeWords': () => null,
  title: titlesInForce,
  selective: (entry) => usesSecondary(entry),
  logic: (entry) => (usesSecondary(entry) ? entry.logic : null),
  'position.slot': (entry) => nearestPosition(entry.position).slot,
  'position.depth': (entry) => (atDepth(entry) ? nearestPosition(entry.position).depth : null),
  'position.role': (entry) => (atDepth(entry) ? nearestPosition(entry.position).role : null),
  'position.outlet': (entry) => (entry.position.slot === 'outlet' ? entry.position.outlet : null),
  'probability.chance': ({ probability }) => (probability.used ? probability.chance : 100),
  'probability.used': () => null,
  'scan.depth': (entry, { bookDepth }) => entry.scan.depth ?? bookDepth,
  'group.name': (entry) => (inGroup(entry) ? entry.group.name : ''),
  'group.override': (entry) => inGroup(entry) && entry.group.override,
  'group.weight': (entry) => (inGroup(entry) ? entry.group.weight : null),
  'group.scoring': (entry) => inGroup(entry) && entry.group.scoring === true,
  triggers: ({ triggers }) => [...new Set(triggers)].sort(),
  // Its list is sorted by order; that is said once for the book.
  displayIndex: () => null,
};

// Another slot says enough.
const OF_THE_SLOT = ['position.depth', 'position.role', 'position.outlet'];

/** A field that reads back otherwise than it was meant. */
export interface FieldDifference {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
}

/** Compares an entry in force with what Marinara shows of it, over every field that we know. */
export function differencesOf(
  meant: LorebookEntry,
  read: LorebookEntry,
  depths: { readonly meant: number; readonly read: number },
): readonly FieldDifference[] {
  const isMoved = nearestPosition(meant.position).slot !== read.position.slot;
  const isIdle = !searches(meant) || !searches(read);
  const isUnused = usesSecondary(meant) !== usesSecondary(read);
  const rows = CHARACTER_BOOK_FIELDS.filter(
    ({ path }) =>
      !(isMoved && OF_THE_SLOT.includes(path)) &&
      !(isIdle && path === 'scan.depth') &&
      !(isUnused && path === 'logic'),
  );
  return rows.flatMap((row): readonly FieldDifference[] => {
    const view = IN_FORCE[row.path] ?? ((entry: LorebookEntry) => row.show(entry));
    const before = view(meant, { ours: true, bookDepth: depths.meant });
    const after = view(read, { ours: false, bookDepth: depths.read });
    return sameJson(before, after)
      ? []
      : [{ path: row.path, before: row.show(meant), after: row.show(read) }];
  });
}
