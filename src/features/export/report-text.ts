// The report as text, for copying.

import { t } from '../../host/context.ts';
import { differenceWords } from './difference-words.ts';
import type { ExportOutcome } from './export-material.ts';
import { fateWords } from './fate-words.ts';
import { FATES, type ReportRow, type ReportRows } from './report-rows.ts';
import { settingLines, settingWords } from './setting-words.ts';

/** The whole report, the exact entries only as a number. */
export function reportText(
  title: string,
  target: string,
  outcome: ExportOutcome,
  { entries, others }: ReportRows,
): string {
  const counts = FATES.map((fate) => `${fateWords(fate).name}: ${outcome.counts[fate]}`).reverse();
  const groups = FATES.filter((fate) => fate !== 'exact').flatMap((fate) => {
    const rows = entries.filter((row) => row.fate === fate);
    return rows.length === 0 ? [] : ['', fateWords(fate).name, ...rows.flatMap(rowLines)];
  });
  const wide = others.length === 0 ? [] : ['', t`Lorebooks and card`, ...others.flatMap(rowLines)];
  const { steps } = outcome;
  const todo =
    steps.length === 0 ? [] : ['', t`Steps`, ...steps.map((step, index) => `${index + 1}. ${step}`)];
  const values = settingWords(target, outcome.settings);
  const set = values.length === 0 ? [] : ['', t`Settings there`, ...settingLines(values)];
  return [title, counts.join(', '), ...groups, ...wide, ...todo, ...set].join('\n');
}

function rowLines({ label, bookName, findings }: ReportRow): readonly string[] {
  const name = [label === '' ? t`Untitled` : label, bookName].filter((part) => part !== null).join(' · ');
  return [
    `- ${name === '' ? t`The card` : name}`,
    ...findings.map((found) => {
      const { from, to, why } = differenceWords(found);
      return from === null ? `  ${why}` : `  ${from} → ${to ?? ''}. ${why}`;
    }),
  ];
}
