// What is decided for an entry among all others: its place in the text, the priority that Lumiverse compares before the
// order, and what other entries do to it in SillyTavern or there only (1.19; 1.1.0).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { engineOrder } from '../_shared/engine-order.ts';
import { groupNames } from '../_shared/group-names.ts';
import { USUAL_PRIORITY } from '../_shared/lumiverse/complete.ts';
import { type TextPlace, textPlaces } from '../_shared/text-order.ts';
import { depthInChat, isTopDown, lumiverseRegion, noteRank } from './placing.ts';

/** The places of all entries in the text. Constant entries come first there among those of equal order. */
export const lumiverseTextPlaces = (
  resolved: ResolvedCharacter,
  recursive: boolean,
  noteDepth: number,
): ReadonlyMap<ResolvedEntry, TextPlace> =>
  textPlaces(resolved, {
    recursive,
    regionOf: (each) => lumiverseRegion(each, noteDepth),
    slotRank: noteRank,
    isReversed: isTopDown,
    mayTurn: (first, second) => !first.entry.constant && second.entry.constant,
  });

/**
 * Priorities where they are needed. Lumiverse puts entries into the chat one by one, counting from its end as it is by
 * then: only from the deepest to the least deep do all stand where they should. Of preferred entries of a group the one
 * of the highest priority wins there, here the one that the engine comes to first. `noteDepthOfCharacter`: the depth of
 * the character's note, which is an entry there.
 */
export function priorities(
  resolved: ResolvedCharacter,
  noteDepth: number,
  noteDepthOfCharacter: number | null,
): { readonly of: ReadonlyMap<ResolvedEntry, number>; readonly note: number } {
  const all = resolved.books.flatMap(({ entries }) => entries).filter(({ entry }) => entry.enabled);
  const of = new Map<ResolvedEntry, number>();
  const inChat = all.flatMap((each) => {
    const depth = depthInChat(each, noteDepth);
    return depth === null ? [] : [{ each, depth }];
  });
  const own = noteDepthOfCharacter === null ? [] : [noteDepthOfCharacter];
  const depths = [...new Set([...inChat.map(({ depth }) => depth), ...own])].sort((a, b) => a - b);
  const rank = (depth: number): number => USUAL_PRIORITY + depths.indexOf(depth);
  if (depths.length > 1) for (const { each, depth } of inChat) of.set(each, rank(depth));
  const preferred = new Map<string, ResolvedEntry[]>();
  for (const { resolved: each } of engineOrder(resolved.books, resolved.settings)) {
    const [first] = groupNames(each.entry);
    if (first === undefined || !each.entry.group.override || !each.entry.enabled) continue;
    const members = preferred.get(first);
    if (members) members.push(each);
    else preferred.set(first, [each]);
  }
  for (const members of preferred.values()) {
    if (members.length < 2) continue;
    for (const [at, each] of members.entries()) of.set(each, USUAL_PRIORITY + members.length - at);
  }
  return { of, note: noteDepthOfCharacter === null ? USUAL_PRIORITY : rank(noteDepthOfCharacter) };
}

/** Entries of a group that stand before others here and behind all of them there. */
export function movedBehind(resolved: ResolvedCharacter, noteDepth: number): ReadonlySet<ResolvedEntry> {
  const highest = new Map<string, number>();
  const all = resolved.books.flatMap(({ entries }) => entries).filter(({ entry }) => entry.enabled);
  for (const each of all) {
    if (groupNames(each.entry).length > 0) continue;
    const region = lumiverseRegion(each, noteDepth);
    highest.set(region, Math.max(each.entry.order, highest.get(region) ?? each.entry.order));
  }
  return new Set(
    all.filter((each) => {
      if (groupNames(each.entry).length === 0) return false;
      const region = lumiverseRegion(each, noteDepth).replace(/, grouped$/, '');
      const high = highest.get(region);
      return high !== undefined && high >= each.entry.order;
    }),
  );
}

/** Such an entry's finding. */
export const behind = ({ source, entry }: ResolvedEntry, bookId: string): Finding =>
  finding(
    'approximated',
    { bookId, entryId: source.id },
    'order',
    `${entry.order}, by its order`,
    `${entry.order}, behind all that are in no group`,
    'Entries of a group stand behind all others of their place there.',
  );
