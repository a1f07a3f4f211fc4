// What a report says of many entries alike, said once: in a book of hundreds of keys most differ in the same few ways.

import { likeness } from '../../alike-findings.ts';
import type { Finding } from '../../core/finding.ts';
import type { ReportRow } from './report-rows.ts';

/**
 * One entry with what is said of it alone, `elsewhere` counting what is said of many; or a difference of many entries,
 * each of which is a row with that one finding.
 */
export type ReportItem =
  | { readonly kind: 'one'; readonly row: ReportRow; readonly elsewhere: number }
  | { readonly kind: 'many'; readonly key: string; readonly rows: readonly ReportRow[] };

/** What fewer entries share is read as fast entry by entry. */
const LEAST = 4;

/** Differences of many first, the most frequent at the top; then the entries of which there is more to say. */
export function gatheredRows(rows: readonly ReportRow[]): readonly ReportItem[] {
  const alike = new Map<string, ReportRow[]>();
  for (const row of rows) {
    for (const found of distinct(row.findings)) {
      const key = likeness(found);
      const of = { ...row, findings: [found] };
      const held = alike.get(key);
      if (held) held.push(of);
      else alike.set(key, [of]);
    }
  }
  const many = [...alike].filter(([, held]) => held.length >= LEAST);
  const isShared = new Set(many.map(([key]) => key));
  return [
    ...many
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([key, held]): ReportItem => ({ kind: 'many', key, rows: held })),
    ...rows.flatMap((row): readonly ReportItem[] => {
      const findings = row.findings.filter((found) => !isShared.has(likeness(found)));
      const elsewhere = row.findings.length - findings.length;
      if (elsewhere === 0) return [{ kind: 'one', row, elsewhere }];
      return findings.length === 0 ? [] : [{ kind: 'one', row: { ...row, findings }, elsewhere }];
    }),
  ];
}

// An entry with several findings that are alike is one of the many once.
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map([...findings].reverse().map((found) => [likeness(found), found]));
  return findings.filter((found) => first.get(likeness(found)) === found);
}
