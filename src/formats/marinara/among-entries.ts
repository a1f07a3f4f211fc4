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

/** An entry of chance 0 that takes the turn of its group in SillyTavern only. */
export const unblocked = ({ source }: ResolvedEntry, bookId: string, name: string): Finding =>
  finding(
    'approximated',
    { bookId, entryId: source.id },
    'group.name',
    `${name}, with an entry of chance 0`,
    `${name}, without it`,
    'An entry with a chance of 0 takes the turn of its group here; there it is off and takes none.',
  );

/** The entries of each group that never reach the prompt but can win. */
export function blockingGroups({ books }: ResolvedCharacter): ReadonlyMap<string, readonly ResolvedEntry[]> {
  const groups = new Map<string, ResolvedEntry[]>();
  for (const each of books.flatMap(({ entries }) => entries)) {
    if (!each.blocksGroup) continue;
    for (const name of groupNames(each.entry)) {
      const held = groups.get(name);
      if (held) held.push(each);
      else groups.set(name, [each]);
    }
  }
  return groups;
}

/** A key that is found in a speaker's name in SillyTavern only. */
export const named = ({ source }: ResolvedEntry, bookId: string, key: string): Finding =>
  finding(
    'approximated',
    { bookId, entryId: source.id },
    'keys',
    `${key}, names of speakers searched`,
    `${key}, names of speakers not searched`,
    `The key “${key}” can be found in a speaker's name here; Marinara searches only what was said.`,
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
