// Two fingerprints of a lorebook (decisions 13): `same` finds duplicates, `strict` sees every leaf.

import { hashJson } from './hash.ts';
import { writeKey } from './key.ts';
import type { LorebookBody, LorebookEntry } from './lorebook.ts';
import { nearestPosition } from './position.ts';

/**
 * The fingerprint by which a book is the same book: what decides whether and where its entries fire. Titles, ids,
 * names and bags do not count, nor does anything that SillyTavern's own embedded copy cannot hold: the character
 * filter, RoleCall's own slots, and "inherit" for group scoring, which that copy writes as false.
 */
export function sameFingerprint(body: LorebookBody): string {
  return hashJson(body.entries.map(firing));
}

function firing(entry: LorebookEntry): unknown {
  const { probability, timing, group, recursion, scan, sources } = entry;
  const { slot, depth, role, outlet } = nearestPosition(entry.position);
  return [
    entry.keys.map(writeKey),
    entry.secondaryKeys.length === 0 ? 0 : [entry.secondaryKeys.map(writeKey), entry.selective, entry.logic],
    entry.content,
    entry.enabled,
    entry.constant,
    entry.vectorized,
    [slot, slot === 'depth' ? [depth, role] : slot === 'outlet' ? outlet : 0],
    entry.order,
    probability.used ? probability.chance : 100,
    entry.ignoreBudget,
    [timing.sticky, timing.cooldown, timing.delay],
    group.name === '' ? 0 : [group.name, group.override, group.weight, group.scoring === true],
    [recursion.exclude, recursion.prevent, recursion.delayUntil],
    [scan.depth, scan.caseSensitive, scan.matchWholeWords],
    [
      sources.personaDescription,
      sources.characterDescription,
      sources.characterPersonality,
      sources.characterDepthPrompt,
      sources.scenario,
      sources.creatorNotes,
    ],
    entry.triggers,
    entry.automationId,
  ];
}

/** The fingerprint of every leaf that we know of a book; only our own ids and the dialect's name are left out. */
export function strictFingerprint(body: LorebookBody): string {
  const entries = body.entries.map(({ id: _, bag, ...rest }) => [rest, bag.entry, bag.extensions]);
  return hashJson({ ...body, bag: body.bag.book, entries });
}
