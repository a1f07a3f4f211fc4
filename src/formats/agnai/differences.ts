// What was written, read back, beside what was meant: the fields in which they differ in force.

import type { LorebookEntry } from '../../core/lorebook.ts';
import { nearestPosition } from '../../core/position.ts';
import type { DelayedPasses } from '../../core/resolved.ts';
import {
  differencesInForce,
  type FieldDifference,
  searches,
  usesSecondary,
  type ViewInForce,
} from '../_shared/in-force.ts';
import { decisionOf, usesCase } from './keys.ts';
import { keywordOfKey } from './keywords.ts';
import { unknownMacros } from './macros.ts';

/** Which of the two an entry is, and what Agnai is told. */
interface Side {
  readonly ours: boolean;
  readonly memoryDepth: number;
  readonly delayedPasses: DelayedPasses;
}

const nothing: ViewInForce<Side> = () => null;

const VIEWS: Readonly<Record<string, ViewInForce<Side>>> = {
  // A macro that is left as it is says something else.
  content: (entry, { ours }) => [entry.content, ...(ours ? unknownMacros(entry.content) : [])],
  keys: (entry, { ours }) =>
    searches(entry) ? decisionOf(entry, ours ? null : entry.keys.map(keywordOfKey)) : null,
  secondaryKeys: (entry, { ours }) => (ours && entry.enabled && usesSecondary(entry) ? entry.logic : null),
  selective: nothing,
  logic: nothing,
  // The order stays, its numbers are ranks; said once for the book.
  order: nothing,
  'position.slot': ({ position }) => {
    const { slot } = nearestPosition(position);
    // The block stands directly before the examples as well.
    return slot === 'before_example' ? 'character' : slot;
  },
  'probability.chance': ({ enabled, probability }) =>
    enabled && probability.used ? probability.chance : 100,
  'scan.caseSensitive': (entry, { ours }) => ours && searches(entry) && usesCase(entry),
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

// Said enough by an entry that is switched off or always there instead.
const OF_THE_KEYS = ['keys', 'secondaryKeys', 'scan.caseSensitive', 'scan.depth'];

/** Compares an entry in force with what Agnai shows of it, over every field that we know. */
export function differencesOf(
  meant: LorebookEntry,
  read: LorebookEntry,
  told: Omit<Side, 'ours'>,
): readonly FieldDifference[] {
  return differencesInForce(meant, read, {
    meant: { ...told, ours: true },
    read: { ...told, ours: false },
    views: VIEWS,
    passedOver: searches(meant) && !searches(read) ? OF_THE_KEYS : [],
  });
}
