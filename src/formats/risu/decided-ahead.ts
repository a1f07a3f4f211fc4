// What SillyTavern decides among entries and RisuAI cannot, put into keys where that says the same: NOT before other
// entries are searched, and preferred entries of a group (SillyTavern 1.19, checkWorldInfo, filterByInclusionGroups).

import type { Key } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { engineOrder } from '../_shared/engine-order.ts';
import { groupNames } from '../_shared/group-names.ts';
import { holdsKey } from '../_shared/key-matching.ts';
import type { Winners, WriteContext } from './nearest.ts';

type Shield = WriteContext['shield'];

const usesSecondary = ({ selective, secondaryKeys }: LorebookEntry): boolean =>
  selective && secondaryKeys.length > 0;
// Above this many texts the search would take longer than the export.
const MOST_PAIRS = 1_000_000;

/** For each entry with a NOT whether other entries' texts are kept from its keys. */
export function shieldsOf(
  { books }: ResolvedCharacter,
  isRecursive: boolean,
): ReadonlyMap<ResolvedEntry, Shield> {
  const shields = new Map<ResolvedEntry, Shield>();
  if (!isRecursive) return shields;
  const live = books.flatMap(({ entries }) => entries).filter(({ entry }) => entry.enabled);
  const texts = live.filter(({ entry }) => !entry.recursion.prevent && entry.content.trim() !== '');
  const asked = live.filter(
    ({ entry }) =>
      !entry.constant && usesSecondary(entry) && entry.logic.startsWith('not_') && !entry.recursion.exclude,
  );
  if (texts.length * asked.length > MOST_PAIRS) return shields;
  for (const each of asked) {
    const { scan, keys, secondaryKeys, logic } = each.entry;
    const matching = {
      caseSensitive: scan.caseSensitive === true,
      matchWholeWords: scan.matchWholeWords === true,
    };
    const isFound = (list: readonly Key[], isOwnToo: boolean): boolean =>
      texts.some(
        (other) =>
          (isOwnToo || other !== each) && list.some((key) => holdsKey(other.entry.content, key, matching)),
      );
    // Of the copies of an entry each would search the text of the others.
    if (!isFound(secondaryKeys, logic === 'not_all')) continue;
    shields.set(each, isFound(keys, false) ? 'near' : 'exact');
  }
  return shields;
}

/** For each entry the keys of preferred entries of its group that always win over it when they are found. */
export function winnersOf(resolved: ResolvedCharacter): ReadonlyMap<ResolvedEntry, Winners> {
  const winners = new Map<ResolvedEntry, Winners>();
  const groups = new Map<string, ResolvedEntry[]>();
  for (const { resolved: each } of engineOrder(resolved.books, resolved.settings)) {
    const [name, ...others] = groupNames(each.entry);
    if (name === undefined || others.length > 0 || !each.entry.enabled) continue;
    const members = groups.get(name);
    if (members) members.push(each);
    else groups.set(name, [each]);
  }
  for (const members of groups.values()) {
    if (members.some(({ entry }) => entry.group.scoring === true)) continue;
    const sure = members.filter(isSureWinner);
    for (const each of members) {
      const place = members.indexOf(each);
      // Of several preferred entries the one wins that comes first in the engine.
      const over = sure.filter(
        (winner) =>
          winner !== each &&
          (each.entry.constant || winner.entry.scan.depth === each.entry.scan.depth) &&
          (!each.entry.group.override || members.indexOf(winner) < place),
      );
      const [first] = over;
      const depth = first?.entry.scan.depth ?? null;
      if (depth === null || over.some(({ entry }) => entry.scan.depth !== depth)) continue;
      winners.set(each, { keys: over.flatMap(({ entry }) => entry.keys), depth });
    }
  }
  return winners;
}

function isSureWinner({ entry, fires }: ResolvedEntry): boolean {
  const { timing, probability, triggers, recursion, vectorized } = entry;
  const isFree = timing.sticky === null && timing.cooldown === null && timing.delay === null;
  return (
    fires === 'keys' &&
    entry.group.override &&
    isFree &&
    !usesSecondary(entry) &&
    !(probability.used && probability.chance < 100) &&
    triggers.length === 0 &&
    recursion.delayUntil === 0 &&
    !vectorized
  );
}
