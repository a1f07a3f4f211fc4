// What an entry says in force, field by field, so that an entry as it was meant can be set beside what an app shows of it:
// values that do nothing in an entry are no difference.

import { type Finding, type FindingPlace, finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { sameJson } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { nearestPosition } from '../../core/position.ts';
import { CHARACTER_BOOK_FIELDS } from './character-book-table.ts';
import { groupNames } from './group-names.ts';
import { titlesInForce } from './one-title.ts';

/** A field that reads back otherwise than it was meant. */
export interface FieldDifference {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
}

/** What counts of a field; `side` tells which of the two entries it is, and what its app does. */
export type ViewInForce<Side> = (entry: LorebookEntry, side: Side) => Json;

/** Whether an entry looks for its keys. */
export const searches = ({ enabled, constant }: LorebookEntry): boolean => enabled && !constant;

/** Whether secondary keys decide anything in an entry. */
export const usesSecondary = ({ selective, secondaryKeys, constant }: LorebookEntry): boolean =>
  selective && secondaryKeys.length > 0 && !constant;

const inGroup = (entry: LorebookEntry): boolean => groupNames(entry).length > 0;
const atDepth = (entry: LorebookEntry): boolean => nearestPosition(entry.position).slot === 'depth';

/** What counts of a field in every app; an app's own views stand beside these. Keys are each app's own. */
export const VIEWS_IN_FORCE: Readonly<Record<string, (entry: LorebookEntry) => Json>> = {
  title: titlesInForce,
  // How keys are read is part of what the keys say.
  'scan.caseSensitive': () => null,
  'scan.matchWholeWords': () => null,
  selective: usesSecondary,
  logic: (entry) => (usesSecondary(entry) ? entry.logic : null),
  'position.slot': (entry) => nearestPosition(entry.position).slot,
  'position.depth': (entry) => (atDepth(entry) ? nearestPosition(entry.position).depth : null),
  'position.role': (entry) => (atDepth(entry) ? nearestPosition(entry.position).role : null),
  'position.outlet': ({ position }) => (position.slot === 'outlet' ? position.outlet : null),
  'probability.chance': ({ probability }) => (probability.used ? probability.chance : 100),
  'probability.used': () => null,
  'group.name': (entry) => (inGroup(entry) ? entry.group.name : ''),
  'group.override': (entry) => inGroup(entry) && entry.group.override,
  'group.weight': (entry) => (inGroup(entry) ? entry.group.weight : null),
  'group.scoring': (entry) => inGroup(entry) && entry.group.scoring === true,
  triggers: ({ triggers }) => [...new Set(triggers)].sort(),
  // The order of an app's list; that is said once for the book.
  displayIndex: () => null,
};

// Another slot says enough.
const OF_THE_SLOT: readonly string[] = ['position.depth', 'position.role', 'position.outlet'];

/** Paths of which nothing need be said between two entries of which one searches nothing, or has idle second keys. */
export const idleBetween = (meant: LorebookEntry, read: LorebookEntry): readonly string[] => [
  ...(searches(meant) && searches(read) ? [] : ['scan.depth']),
  ...(usesSecondary(meant) === usesSecondary(read) ? [] : ['logic']),
];

/** How two entries are compared. */
export interface ComparisonInForce<Side> {
  readonly meant: Side;
  readonly read: Side;
  /** The app's own views, by path. */
  readonly views: Readonly<Record<string, ViewInForce<Side>>>;
  /** Paths of which nothing need be said between these two. */
  readonly passedOver?: readonly string[];
}

/** The fields, of all that we know, in which an entry in force differs from what an app shows of it. */
export function differencesInForce<Side>(
  meant: LorebookEntry,
  read: LorebookEntry,
  { meant: ours, read: theirs, views, passedOver = [] }: ComparisonInForce<Side>,
): readonly FieldDifference[] {
  const isMoved = nearestPosition(meant.position).slot !== nearestPosition(read.position).slot;
  const left = isMoved ? [...passedOver, ...OF_THE_SLOT] : passedOver;
  return CHARACTER_BOOK_FIELDS.flatMap((row): readonly FieldDifference[] => {
    const { path } = row;
    if (left.includes(path)) return [];
    const view: ViewInForce<Side> = views[path] ?? VIEWS_IN_FORCE[path] ?? ((entry) => row.show(entry));
    if (sameJson(view(meant, ours), view(read, theirs))) return [];
    return [{ path, before: row.show(meant), after: row.show(read) }];
  });
}

/**
 * What reads back otherwise than it was meant and was not said by `findings`: a loss that nobody foresaw. There should be
 * none.
 */
export function unsaidLosses(
  differences: readonly FieldDifference[],
  findings: readonly Finding[],
  place: FindingPlace,
): readonly Finding[] {
  const said = new Set(findings.map(({ path }) => path));
  return differences
    .filter(({ path }) => !said.has(path))
    .map(({ path, before, after }) =>
      finding('lost', place, path, before, after, `${path} does not read back as it was meant.`),
    );
}
