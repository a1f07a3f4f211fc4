// Rows of the report that say the same of many entries, gathered: a book of hundreds of keys differs in one way mostly.

import type { Finding } from '../../core/finding.ts';
import type { ReportRow } from './report-rows.ts';

/** One row, or many that differ in the same way; `findings` are those of the first, `likeness` one for each. */
export type ReportItem =
  | { readonly kind: 'one'; readonly row: ReportRow }
  | { readonly kind: 'many'; readonly key: string; readonly rows: readonly ReportRow[] };

/** Fewer than these are read as fast as a line that gathers them. */
const LEAST = 4;

/** The rows with those gathered that say the same; the largest of these first, then the others as they were. */
export function gatheredRows(rows: readonly ReportRow[]): readonly ReportItem[] {
  const alike = new Map<string, ReportRow[]>();
  for (const row of rows) {
    const key = row.findings.map(likeness).sort().join('\n');
    const held = alike.get(key);
    if (held) held.push(row);
    else alike.set(key, [row]);
  }
  const many = [...alike].filter(([key, held]) => key !== '' && held.length >= LEAST);
  const gathered = new Set(many.flatMap(([, held]) => held));
  return [
    ...many
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([key, held]): ReportItem => ({ kind: 'many', key, rows: held })),
    ...rows.filter((row) => !gathered.has(row)).map((row): ReportItem => ({ kind: 'one', row })),
  ];
}

const likeness = (found: Finding): string => `${found.code} ${found.path} ${ofAny(found.message)}`;

/**
 * A finding's sentence as it says of any entry: without the key, the name and the number that it is about.
 */
export function ofAny(sentence: string): string {
  return sentence
    .replace(/ So can \d+ more of its keys\.$/, '')
    .replace(/\bThe (key|name) “[^”]*”/g, 'A $1')
    .replace(/“[^”]*”/g, '“…”')
    .replace(/\d+/g, '…');
}
