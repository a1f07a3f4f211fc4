// What was written, read back, beside what was meant: the fields in which they differ in force.

import type { LorebookEntry } from '../../core/lorebook.ts';
import { groupNames } from '../_shared/group-names.ts';
import {
  differencesInForce,
  type FieldDifference,
  searches,
  usesSecondary,
  type ViewInForce,
} from '../_shared/in-force.ts';
import { decisionOf, type Finder } from './keys.ts';

/** Which of the two an entry is, and what its book does. */
export interface Side extends Finder {
  readonly bookDepth: number;
  readonly isRecursive: boolean;
}

// With one key "all" and "any" are the same.
const ONE_KEY: Readonly<Record<LorebookEntry['logic'], LorebookEntry['logic']>> = {
  and_any: 'and_any',
  and_all: 'and_any',
  not_any: 'not_any',
  not_all: 'not_any',
};

const VIEWS: Readonly<Record<string, ViewInForce<Side>>> = {
  keys: (entry, side) => (entry.constant ? null : decisionOf(entry, 'keys', side)),
  secondaryKeys: (entry, side) => (usesSecondary(entry) ? decisionOf(entry, 'secondaryKeys', side) : null),
  logic: (entry) => {
    if (!usesSecondary(entry)) return null;
    return entry.secondaryKeys.length === 1 ? ONE_KEY[entry.logic] : entry.logic;
  },
  'probability.chance': ({ probability: { used, chance } }, { ours, isRecursive }) =>
    !used || chance >= 100 ? 100 : ours && isRecursive ? `${chance} once` : chance,
  'scan.depth': (entry, { bookDepth }) => (searches(entry) ? (entry.scan.depth ?? bookDepth) : null),
  'recursion.delayUntil': ({ recursion: { delayUntil } }, { ours }) =>
    ours && delayUntil > 0 ? `level ${delayUntil}` : delayUntil,
  // What is read back has no group, and so weighs what an entry weighs that was never given a weight.
  'group.weight': (entry) => (groupNames(entry).length > 0 ? entry.group.weight : 100),
};

/** Compares an entry in force with what RisuAI shows of it, over every field that we know. */
export function differencesOf(
  meant: LorebookEntry,
  read: LorebookEntry,
  sides: { readonly meant: Side; readonly read: Side },
): readonly FieldDifference[] {
  // What is off there or waits for other entries searches no messages.
  const searchesNothing = read.recursion.delayUntil > 0 || !read.enabled;
  return differencesInForce(meant, read, {
    ...sides,
    views: VIEWS,
    passedOver: searchesNothing ? ['scan.depth'] : [],
  });
}
