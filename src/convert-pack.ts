// A pack into another app's files: each member by itself, with one report over all.

import { ConversionError } from './convert.ts';
import { type Conversion, type ConvertOptions, convertFile, type Form } from './convert-file.ts';
import { findingsInPack } from './inspection/pack-inspection.ts';
import type { EntryCounts } from './measure.ts';
import type { OpenedFile } from './open-file.ts';
import type { OpenedPack } from './packed-file.ts';

/**
 * Converts any opened file; of a pack every member, as if it had been chosen singly. The report's books have the ids
 * that the pack's inspection gives them.
 * @throws ConversionError when the target has no writer or cannot have the form that was asked for
 */
export function convertAnyFile(opened: OpenedFile | OpenedPack, options: ConvertOptions): Conversion {
  if (opened.kind !== 'pack') return convertFile(opened, options);
  const { members } = opened;
  if (members.length > 1 && (options.worlds?.length ?? 0) > 0)
    throw new ConversionError('World files are linked to one character; this file holds several files.');
  if (members.length > 1 && options.avatar !== undefined)
    throw new ConversionError('A picture’s name belongs to one character; this file holds several files.');
  const hasCards = members.some(({ opened: file }) => file.kind === 'card');
  const conversions = members.map(({ opened: file }) =>
    convertFile(file, hasCards && file.kind !== 'card' ? withoutCardForm(options) : options),
  );
  const reports = conversions.map(({ report }) => report);
  const [first] = reports;
  if (first === undefined) throw new ConversionError('There is nothing in the archive.');
  return {
    files: conversions.flatMap(({ files }) => files),
    report: {
      ...first,
      files: reports.flatMap(({ files }) => files),
      entries: reports.map(({ entries }) => entries).reduce(sum),
      findings: [
        ...opened.findings,
        ...reports.flatMap(({ findings }, index) => findingsInPack(findings, index)),
      ],
      steps: [...new Set(reports.flatMap(({ steps }) => steps))],
      settings: Object.assign({}, ...reports.map(({ settings }) => settings)),
    },
  };
}

const BOOK_FORMS: readonly Form[] = ['lorebook', 'book'];

// The form of the cards in a mixed pack; its lorebooks take the one form that they have.
function withoutCardForm(options: ConvertOptions): ConvertOptions {
  if (options.form === undefined || BOOK_FORMS.includes(options.form)) return options;
  const { form: _form, ...rest } = options;
  return rest;
}

const sum = (a: EntryCounts, b: EntryCounts): EntryCounts => ({
  total: a.total + b.total,
  exact: a.exact + b.exact,
  stashed: a.stashed + b.stashed,
  approximated: a.approximated + b.approximated,
  lost: a.lost + b.lost,
});
