// Entries that always lose in their inclusion group (SillyTavern 1.19, filterByInclusionGroups).

import type { Key } from '../../core/key.ts';
import { sameKeys, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { ResolvedEntry, ScanSettings } from '../../core/resolved.ts';
import { groupNames } from '../_shared/group-names.ts';
import type { PlacedEntry } from './resolve-order.ts';

// Each member is compared with each: a larger group is left to the chat.
const MOST_MEMBERS = 300;

/** The groups in which keys are counted to find a winner. */
export function scoredGroups(
  entries: readonly LorebookEntry[],
  settings: Pick<ScanSettings, 'useGroupScoring'>,
): ReadonlySet<string> {
  const scored = entries.filter((entry) => settings.useGroupScoring || entry.group.scoring === true);
  return new Set(scored.flatMap(groupNames));
}

/**
 * The entries that never win: another entry of their only group fires in every pass in which they do, and is always
 * preferred. Entries are given in the order of the engine. Groups with scoring are left to the chat.
 */
export function alwaysLosing(
  ordered: readonly PlacedEntry[],
  scored: ReadonlySet<string>,
): ReadonlySet<ResolvedEntry> {
  const groups = new Map<string, ResolvedEntry[]>();
  for (const { resolved } of ordered) {
    if (resolved.fires === 'never') continue;
    const names = groupNames(resolved.entry);
    // With several names it blocks only within one pass, so nothing is sure.
    if (names.length !== 1 || names[0] !== resolved.entry.group.name || scored.has(names[0])) continue;
    const members = groups.get(names[0]);
    if (members) members.push(resolved);
    else groups.set(names[0], [resolved]);
  }
  const losing = new Set<ResolvedEntry>();
  for (const members of groups.values()) {
    if (members.length > MOST_MEMBERS) continue;
    const winners = [...members.entries()].filter(([, { entry }]) => canWinForSure(entry));
    for (const [place, loser] of members.entries()) {
      if (loser.entry.vectorized) continue;
      const isBeaten = winners.some(
        ([at, winner]) =>
          winner !== loser &&
          isPreferred(winner.entry, loser.entry, at < place) &&
          firesWhenever(winner, loser),
      );
      if (isBeaten) losing.add(loser);
    }
  }
  return losing;
}

// Nothing but its keys may hold the winner back.
function canWinForSure({ probability, timing, triggers }: LorebookEntry): boolean {
  return (
    !probability.used &&
    timing.sticky === null &&
    timing.cooldown === null &&
    timing.delay === null &&
    triggers.length === 0
  );
}

function isPreferred(winner: LorebookEntry, loser: LorebookEntry, isEarlier: boolean): boolean {
  if (winner.ignoreBudget !== loser.ignoreBudget && loser.ignoreBudget) return false;
  if (winner.group.override) {
    if (!loser.group.override) return true;
    return winner.order > loser.order || (winner.order === loser.order && isEarlier);
  }
  // The roll takes the first entry whose share reaches it, and a share of 0 adds nothing.
  return !loser.group.override && loser.group.weight === 0 && winner.group.weight > 0;
}

function firesWhenever(winner: ResolvedEntry, loser: ResolvedEntry): boolean {
  const [a, b] = [winner.entry, loser.entry];
  if (a.recursion.exclude && !b.recursion.exclude) return false;
  if (a.recursion.delayUntil > b.recursion.delayUntil) return false;
  if (winner.fires === 'always') return true;
  if (loser.fires === 'always') return false;
  return holdsAll(a, b) && sameSecondary(a, b) && searchesAsMuch(a, b);
}

function holdsAll(winner: LorebookEntry, loser: LorebookEntry): boolean {
  const held = new Set(winner.keys.map(marked));
  return loser.keys.every((key) => held.has(marked(key)));
}

const marked = (key: Key): string => `${key.kind} ${writeKey(key)}`;

function sameSecondary(winner: LorebookEntry, loser: LorebookEntry): boolean {
  const counts = (entry: LorebookEntry): boolean => entry.selective && entry.secondaryKeys.length > 0;
  if (!counts(winner)) return true;
  // What must be missing is missing less often in a longer text, so the texts must be the same.
  const sameText = winner.scan.depth === loser.scan.depth || winner.logic.startsWith('and');
  return (
    counts(loser) &&
    winner.logic === loser.logic &&
    sameKeys(winner.secondaryKeys, loser.secondaryKeys) &&
    sameText
  );
}

function searchesAsMuch(winner: LorebookEntry, loser: LorebookEntry): boolean {
  return (
    (winner.scan.depth ?? 0) >= (loser.scan.depth ?? 0) &&
    winner.scan.caseSensitive === loser.scan.caseSensitive &&
    winner.scan.matchWholeWords === loser.scan.matchWholeWords &&
    Object.entries(winner.sources).every(
      ([name, held]) => held === loser.sources[name as keyof LorebookEntry['sources']],
    )
  );
}
