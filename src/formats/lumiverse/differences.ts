// What was written, read back, beside what was meant: the fields in which they differ in force.

import type { LorebookEntry } from '../../core/lorebook.ts';
import {
  differencesInForce,
  type FieldDifference,
  idleBetween,
  searches,
  usesSecondary,
  type ViewInForce,
} from '../_shared/in-force.ts';
import { keyDecision } from '../_shared/switched-keys.ts';
import { LUMIVERSE_KEYS } from './keys.ts';

interface Side {
  readonly ours: boolean;
}

const VIEWS: Readonly<Record<string, ViewInForce<Side>>> = {
  keys: (entry, { ours }) => (entry.constant ? null : keyDecision(entry, 'keys', ours, LUMIVERSE_KEYS)),
  secondaryKeys: (entry, { ours }) =>
    usesSecondary(entry) ? keyDecision(entry, 'secondaryKeys', ours, LUMIVERSE_KEYS) : null,
  'scan.depth': (entry) => (searches(entry) ? entry.scan.depth : null),
  'recursion.exclude': (entry) => !entry.constant && entry.recursion.exclude,
};

/** Compares an entry in force with what Lumiverse shows of it, over every field that we know. */
export function differencesOf(meant: LorebookEntry, read: LorebookEntry): readonly FieldDifference[] {
  return differencesInForce(meant, read, {
    meant: { ours: true },
    read: { ours: false },
    views: VIEWS,
    passedOver: idleBetween(meant, read),
  });
}
