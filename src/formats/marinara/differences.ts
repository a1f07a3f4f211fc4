// What was written, read back, beside what was meant: the fields in which they differ in force.

import type { LorebookEntry } from '../../core/lorebook.ts';
import {
  differencesInForce,
  type FieldDifference,
  idleBetween,
  usesSecondary,
  type ViewInForce,
} from '../_shared/in-force.ts';
import { decisionOf } from './keys.ts';

/** Which of the two an entry is, and how deep its book is searched. */
interface Side {
  readonly ours: boolean;
  readonly bookDepth: number;
}

const VIEWS: Readonly<Record<string, ViewInForce<Side>>> = {
  keys: (entry, { ours }) => (entry.constant ? null : decisionOf(entry, 'keys', ours)),
  secondaryKeys: (entry, { ours }) =>
    usesSecondary(entry) ? decisionOf(entry, 'secondaryKeys', ours) : null,
  'scan.depth': (entry, { bookDepth }) => entry.scan.depth ?? bookDepth,
};

/** Compares an entry in force with what Marinara shows of it, over every field that we know. */
export function differencesOf(
  meant: LorebookEntry,
  read: LorebookEntry,
  depths: { readonly meant: number; readonly read: number },
): readonly FieldDifference[] {
  return differencesInForce(meant, read, {
    meant: { ours: true, bookDepth: depths.meant },
    read: { ours: false, bookDepth: depths.read },
    views: VIEWS,
    passedOver: idleBetween(meant, read),
  });
}
