// What will happen to each entry, in rows: the worst first.

import { type Finding, type FindingCode, isRemark } from '../../core/finding.ts';
import type { ExportOutcome } from './export-material.ts';

/** What happens to an entry, by its worst finding (decisions 9). */
export type Fate = 'lost' | 'approximated' | 'stashed' | 'exact';

/** The fates in the order of the report. */
export const FATES: readonly Fate[] = ['lost', 'approximated', 'stashed', 'exact'];

/** One entry, one whole lorebook (`label` null), or the card (both null). */
export interface ReportRow {
  readonly key: string;
  readonly fate: Fate;
  readonly label: string | null;
  readonly bookName: string | null;
  /** Those that explain the fate, the worst first; of an exact entry what else was found. */
  readonly findings: readonly Finding[];
}

/** The rows of a report. */
export interface ReportRows {
  readonly entries: readonly ReportRow[];
  /** About whole lorebooks and the card; not counted. */
  readonly others: readonly ReportRow[];
}

/** Puts what was found beside the entries it is about. */
export function reportRows({ entries, findings, bookNames }: ExportOutcome): ReportRows {
  const byEntry = new Map<string, Finding[]>();
  const others: Finding[] = [];
  for (const each of findings) {
    if (each.bookId === null || each.entryId === null) {
      others.push(each);
      continue;
    }
    const key = keyOf(each.bookId, each.entryId);
    const held = byEntry.get(key);
    if (held === undefined) byEntry.set(key, [each]);
    else held.push(each);
  }
  return {
    entries: entries.map(({ bookId, entryId, bookName, label }): ReportRow => {
      const key = keyOf(bookId, entryId);
      const found = byEntry.get(key) ?? [];
      const fate = fateOf(found);
      return { key, fate, label, bookName, findings: explaining(found, fate) };
    }),
    others: others
      .map((found, index): ReportRow => {
        const fate = fateOf([found]);
        const bookName = found.bookId === null ? null : (bookNames.get(found.bookId) ?? '');
        return { key: `other ${index}`, fate, label: null, bookName, findings: [found] };
      })
      .sort((a, b) => FATES.indexOf(a.fate) - FATES.indexOf(b.fate)),
  };
}

const keyOf = (bookId: string, entryId: string): string => `${bookId}\n${entryId}`;

const WORST_FIRST = ['lost', 'approximated', 'stashed'] as const satisfies readonly FindingCode[];

const fateOf = (findings: readonly Finding[]): Fate =>
  WORST_FIRST.find((fate) => findings.some((found) => found.code === fate && !isRemark(found))) ?? 'exact';

function explaining(findings: readonly Finding[], fate: Fate): readonly Finding[] {
  if (fate === 'exact') return findings;
  return WORST_FIRST.flatMap((code) => findings.filter((found) => found.code === code));
}

/** What of a report is shown. `differ`: every fate but exact. */
export type ReportFilter = 'differ' | Fate;

/** The rows that a filter and a search leave, grouped by fate; groups without rows are left out. */
export function shownGroups(
  rows: readonly ReportRow[],
  filter: ReportFilter,
  search: string,
  sentence: (found: Finding) => string,
): readonly { readonly fate: Fate; readonly rows: readonly ReportRow[] }[] {
  const wanted = search.trim().toLowerCase();
  const has = (text: string | null): boolean => text?.toLowerCase().includes(wanted) ?? false;
  const matches = ({ label, bookName, findings }: ReportRow): boolean =>
    wanted === '' || has(label) || has(bookName) || findings.some((found) => has(sentence(found)));
  return FATES.filter((fate) => (filter === 'differ' ? fate !== 'exact' : fate === filter))
    .map((fate) => ({ fate, rows: rows.filter((row) => row.fate === fate && matches(row)) }))
    .filter((group) => group.rows.length > 0);
}
