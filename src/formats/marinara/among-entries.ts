// What other entries, and the names of speakers, do to an entry in SillyTavern and not in Marinara (1.19; 2.3.3).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { groupNames } from '../_shared/group-names.ts';

/** Keys in the chat and in other entries, which Marinara does not see together. */
export const combined = ({ source }: ResolvedEntry, bookId: string): Finding =>
  finding(
    'approximated',
    { bookId, entryId: source.id },
    'recursion',
    'keys in the chat and in other entries count together',
    'keys in other entries count by themselves',
    'Where one of its keys stands in the chat and another in an entry, Marinara does not see them together.',
  );

const SURE = 1_000_000;

/**
 * Weights for the preferred entries of groups: SillyTavern takes the preferred entry of the highest order, so each is a
 * thousand times as heavy as the next one.
 */
export function winnerWeights({ books }: ResolvedCharacter): ReadonlyMap<ResolvedEntry, number> {
  const groups = new Map<string, ResolvedEntry[]>();
  for (const each of books.flatMap(({ entries }) => entries)) {
    const [first] = groupNames(each.entry);
    if (!each.entry.group.override || first === undefined) continue;
    const members = groups.get(first);
    if (members) members.push(each);
    else groups.set(first, [each]);
  }
  const weights = new Map<ResolvedEntry, number>();
  for (const members of groups.values()) {
    // Of equal orders the first counts.
    const ranked = [...members].reverse().sort((a, b) => a.entry.order - b.entry.order);
    for (const [rank, each] of ranked.entries()) weights.set(each, SURE * 1000 ** Math.min(rank, 3));
  }
  return weights;
}
