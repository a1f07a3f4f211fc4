// Ids of entries: unique ones of our own for the canonical side, and integer uids for world files.

import type { Finding, FindingPlace } from '../../core/finding.ts';
import { finding, shown } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';

/** The canonical id of the entry that stands at an index of a raw book. Ids in the file may repeat; this cannot. */
export function entryIdAt(index: number): string {
  return `e${index}`;
}

const isUid = (id: Json | undefined): id is number =>
  typeof id === 'number' && Number.isSafeInteger(id) && id >= 0;

/**
 * The uids for a world file, in book order. The original ids are kept when they are integers, unique and
 * ascending; else entries are numbered from 0, because SillyTavern's engine breaks ties by ascending uid and
 * its re-embed walks uids in ascending order (1.19, decisions 6).
 */
export function uidsFor(originalIds: readonly (Json | undefined)[]): readonly number[] {
  let last = -1;
  for (const id of originalIds) {
    if (!isUid(id) || id <= last) return originalIds.map((_, index) => index);
    last = id;
  }
  return originalIds as readonly number[];
}

/** What has to be said of ids that could not be kept. A book that has no ids at all has nothing to repair. */
export function idFindings(
  originalIds: readonly (Json | undefined)[],
  place: (index: number) => FindingPlace,
): readonly Finding[] {
  if (originalIds.every((id) => id === undefined)) return [];
  const uids = uidsFor(originalIds);
  if (uids === originalIds) return [];
  const findings: Finding[] = [];
  const seen = new Set<number>();
  originalIds.forEach((id, index) => {
    const fault = faultOf(id, seen);
    if (isUid(id)) seen.add(id);
    if (fault === null) return;
    const uid = uids[index] as number;
    findings.push(finding('repaired', place(index), 'id', id, uid, `${fault}; the entry got ${uid}.`));
  });
  if (findings.length === 0) {
    findings.push(
      finding(
        'repaired',
        { ...place(0), entryId: null },
        'id',
        originalIds.slice(0, 20).map((id) => id ?? null),
        uids.slice(0, 20),
        'The ids are not in ascending order; the entries were numbered anew so that their order stays.',
      ),
    );
  }
  return findings;
}

function faultOf(id: Json | undefined, seen: ReadonlySet<number>): string | null {
  if (id === undefined || id === null) return 'The id is missing';
  if (!isUid(id)) return `The id ${shown(id)} is not a whole number from 0`;
  return seen.has(id) ? `The id ${id} was already used by another entry` : null;
}
