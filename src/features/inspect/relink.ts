// Behind a dead link: the worlds that hold what the card's copy holds, so that a renamed one is found again.

import { sameFingerprint } from '../../core/fingerprint.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { lorebookFromWorld } from '../../formats/sillytavern/world-twin.ts';
import { readWorld, type WorldListing } from '../../host/world-store.ts';
import { candidateNames } from '../import/candidates.ts';

// As many requests as a browser has under way at a time.
const AT_ONCE = 6;

/**
 * Worlds with the same content as a card's copy (decisions 13). Names and stored fingerprints only tell where to look;
 * each file is read and its fingerprint made anew. Worlds of other names are looked into only when no likely one has
 * the content, for a renamed world may have any name (case 11).
 *
 * @param copy the card's primary copy; one without entries is like any empty file, so it has no match
 * @param link the name that leads nowhere
 */
export async function relinkTargets(
  copy: CanonicalLorebook | undefined,
  link: string,
  listed: readonly WorldListing[],
): Promise<readonly string[]> {
  if (copy === undefined || copy.body.entries.length === 0) return [];
  const fingerprint = sameFingerprint(copy.body);
  const named = (isDead: boolean, name: string): readonly string[] =>
    candidateNames(name, link, fingerprint, listed, isDead, new Set());
  const likely = [...new Set([...named(false, link), ...named(false, copy.name)])];
  const found = await holding(likely, fingerprint);
  if (found.length > 0) return found;
  return holding(
    named(true, copy.name).filter((name) => !likely.includes(name)),
    fingerprint,
  );
}

async function holding(names: readonly string[], fingerprint: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let index = 0; index < names.length; index += AT_ONCE) {
    const group = names.slice(index, index + AT_ONCE);
    const held = await Promise.all(group.map((name) => holds(name, fingerprint)));
    found.push(...group.filter((_, place) => held[place]));
  }
  return found;
}

// A world that cannot be read is no offer.
async function holds(name: string, fingerprint: string): Promise<boolean> {
  const stored = await readWorld(name).catch(() => undefined);
  if (stored === undefined) return false;
  return sameFingerprint(lorebookFromWorld(stored.data, name, name).lorebook.body) === fingerprint;
}
