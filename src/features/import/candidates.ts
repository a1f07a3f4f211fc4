// Which worlds may hold the same book as a card: found by a link, a name or a stored fingerprint, and never taken
// without being loaded and compared (decisions 13).

import type { JsonObject } from '../../core/json.ts';
import { markOf } from '../../formats/sillytavern/world-twin.ts';
import { foldName } from '../../host/world-name.ts';

/** A world as it is listed. */
export interface Candidate {
  readonly name: string;
  readonly extensions: JsonObject;
}

// Each candidate is one request; a shelf full of "Lorebook (2)" must not hold up an import.
const MOST = 12;
// Only where a link is dead: its world may have been renamed to anything.
const MOST_FOR_DEAD_LINK = 200;

/**
 * Names of worlds to look into, the likeliest first: the one that the card claims, those whose stored fingerprint
 * is the book's, those of the same folded name, then with or without a number, unless they are marked as another book's;
 * behind a dead link, every world.
 *
 * @param siblings worlds made a moment ago for other cards of the same batch: books that come together under names
 *   of their own stay books of their own, also when they hold the same (case 81)
 */
export function candidateNames(
  bookName: string,
  claim: string,
  fingerprint: string,
  listed: readonly Candidate[],
  linkIsDead: boolean,
  siblings: ReadonlySet<string>,
): readonly string[] {
  const base = foldName(withoutNumber(bookName));
  const claimed = listed.filter(({ name }) => name === claim);
  const marked = listed.filter(
    ({ name, extensions }) => !siblings.has(name) && markOf(extensions)?.fingerprint === fingerprint,
  );
  // One of ours that came from another book is another book: it need not be read to know.
  const isForeign = ({ extensions }: Candidate): boolean =>
    (markOf(extensions)?.fingerprint ?? fingerprint) === fingerprint;
  const named = listed.filter((world) => foldName(withoutNumber(world.name)) === base && isForeign(world));
  // Of “Chapter 1” to “Chapter 90” the very name comes first.
  const very = named.filter(({ name }) => foldName(name) === foldName(bookName));
  const likely = [...claimed, ...marked, ...very, ...named, ...(linkIsDead ? listed : [])];
  return [...new Set(likely.map(({ name }) => name))].slice(0, linkIsDead ? MOST_FOR_DEAD_LINK : MOST);
}

const withoutNumber = (name: string): string => name.replace(/\s*\(\d+\)$|\s+\d+$/, '').trim();
