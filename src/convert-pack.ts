// A pack into another app's files: each member by itself, with one report over all.

import { ConversionError } from './convert.ts';
import { type Conversion, type ConvertOptions, convertFile, type Form } from './convert-file.ts';
import type { Finding } from './core/finding.ts';
import { finding, shown } from './core/finding.ts';
import type { Json, JsonObject } from './core/json.ts';
import { sameJson } from './core/json.ts';
import { findingsInPack, idInPack, naming } from './inspection/pack-inspection.ts';
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
  const { settings, differing } = commonSettings(reports.map((report) => report.settings));
  const [first] = reports;
  if (first === undefined) throw new ConversionError('There is nothing in the archive.');
  return {
    files: conversions.flatMap(({ files }) => files),
    lorebooks: conversions.flatMap(({ lorebooks }, index) =>
      lorebooks.map((each) => ({ ...each, id: idInPack(each.id, index) })),
    ),
    report: {
      ...first,
      files: reports.flatMap(({ files }) => files),
      entries: reports.map(({ entries }) => entries).reduce(sum),
      findings: [
        ...opened.findings,
        ...saidOf(
          members.map(({ name }, index) => [name, findingsInPack(reports[index]?.findings ?? [], index)]),
        ),
        ...differing,
      ],
      steps: [...new Set(reports.flatMap(({ steps }) => steps))],
      settings,
    },
  };
}

// What is said of no book in particular is mostly the same of every file; what is not names its files.
function saidOf(
  files: readonly (readonly [name: string, findings: readonly Finding[]])[],
): readonly Finding[] {
  const saidBy = new Map<string, Set<string>>();
  const whatOf = (each: Finding): string => JSON.stringify(each);
  for (const [name, findings] of files)
    for (const each of findings) {
      if (each.bookId !== null) continue;
      const names = saidBy.get(whatOf(each)) ?? new Set();
      saidBy.set(whatOf(each), names.add(name));
    }
  return files.flatMap(([, findings]) =>
    findings.flatMap((each): readonly Finding[] => {
      if (each.bookId !== null) return [each];
      const names = saidBy.get(whatOf(each));
      if (names === undefined) return [];
      saidBy.delete(whatOf(each));
      return [names.size === files.length ? each : naming([...names], each)];
    }),
  );
}

// One value cannot be set for files that want several.
function commonSettings(all: readonly JsonObject[]): {
  readonly settings: JsonObject;
  readonly differing: readonly Finding[];
} {
  const names = [...new Set(all.flatMap((each) => Object.keys(each)))];
  const held = names.map((name) => {
    const values = all.flatMap((each): readonly Json[] => (each[name] === undefined ? [] : [each[name]]));
    return {
      name,
      values: values.filter((value, at) => values.findIndex((one) => sameJson(one, value)) === at),
    };
  });
  return {
    settings: Object.fromEntries(
      held.flatMap(({ name, values }) => (values.length === 1 ? [[name, values[0]]] : [])),
    ),
    differing: held.flatMap(({ name, values }) => {
      if (values.length < 2) return [];
      const message = `The files of the archive want different values of ${name} (${values.map(shown).join(', ')}); convert them one by one to see which wants which.`;
      return [
        finding('conflict', { bookId: null, entryId: null }, `settings.${name}`, values, null, message),
      ];
    }),
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
