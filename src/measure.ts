// Fidelity, measured: what was written is read back and compared with what went in, entry by entry.

import type { Finding, FindingCode } from './core/finding.ts';
import { finding } from './core/finding.ts';
import type { CanonicalLorebook } from './core/lorebook.ts';
import { CHARACTER_BOOK_TABLE } from './formats/_shared/character-book.ts';

/** Each entry once, under the worst thing that happened to it (decisions 9). */
export interface EntryCounts {
  readonly total: number;
  readonly exact: number;
  readonly stashed: number;
  readonly approximated: number;
  readonly lost: number;
}

const WORST_FIRST = ['lost', 'approximated', 'stashed'] as const satisfies readonly FindingCode[];

/** Counts entries by their worst finding; findings of other codes do not count. */
export function countEntries(
  lorebooks: readonly CanonicalLorebook[],
  findings: readonly Finding[],
): EntryCounts {
  const worst = new Map<string, number>();
  for (const { code, bookId, entryId } of findings) {
    const rank = (WORST_FIRST as readonly FindingCode[]).indexOf(code);
    if (rank < 0 || entryId === null) continue;
    const key = `${bookId}\n${entryId}`;
    worst.set(key, Math.min(rank, worst.get(key) ?? WORST_FIRST.length));
  }
  const total = lorebooks.reduce((sum, book) => sum + book.body.entries.length, 0);
  const at = (rank: number): number => [...worst.values()].filter((each) => each === rank).length;
  const [lost, approximated, stashed] = [at(0), at(1), at(2)];
  return { total, exact: total - lost - approximated - stashed, stashed, approximated, lost };
}

/**
 * Compares lorebooks with what was read back of them, in order, and returns a `lost` finding for every field that
 * differs and for every entry or book that is gone. An empty result means that nothing differs.
 */
export function measureLorebooks(
  sent: readonly CanonicalLorebook[],
  readBack: readonly CanonicalLorebook[],
): readonly Finding[] {
  return sent.flatMap((book, at) => {
    const other = readBack[at];
    const place = (entryId: string | null) => ({ bookId: book.id, entryId });
    return book.body.entries.flatMap((entry, index): readonly Finding[] => {
      const arrived = other?.body.entries[index];
      if (arrived === undefined) {
        return [
          finding('lost', place(entry.id), 'entry', null, null, 'The entry is not in the written file.'),
        ];
      }
      return CHARACTER_BOOK_TABLE.fields
        .filter((row) => !row.same(entry, arrived))
        .map((row) =>
          finding(
            'lost',
            place(entry.id),
            row.path,
            row.show(entry),
            row.show(arrived),
            `${row.path} does not come back from the written file as it went in.`,
          ),
        );
    });
  });
}
