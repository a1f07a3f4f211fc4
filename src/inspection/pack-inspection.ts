// What a zip of several files says of its entries: everything of one file after the other, under ids that tell the
// files apart (decisions 42).

import type { Finding } from '../core/finding.ts';
import type { OpenedFile } from '../open-file.ts';
import type { OpenedPack } from '../packed-file.ts';
import { type Inspection, inspectFile } from './inspection.ts';

/** Inspects any opened file. */
export function inspectAnyFile(opened: OpenedFile | OpenedPack): Inspection {
  if (opened.kind !== 'pack') return inspectFile(opened);
  const isAlone = opened.members.length === 1;
  const inspected = opened.members.map(({ name, opened: member }, index) =>
    apart(inspectFile(member), index, isAlone ? '' : name),
  );
  const cards = inspected.filter(({ kind }) => kind === 'card');
  const first = cards[0] ?? inspected[0];
  return {
    container: 'zip',
    kind: first?.kind ?? 'lorebook',
    format: first?.format ?? 'plain',
    spec: first?.spec ?? null,
    name: (cards.length > 0 ? cards : inspected).map(({ name }) => name).join(', '),
    books: inspected.flatMap(({ books }) => books),
    entries: inspected.flatMap(({ entries }) => entries),
    findings: [...opened.findings, ...inspected.flatMap(({ findings }) => findings)],
    notes: [
      ...opened.notes,
      ...inspected.flatMap(({ notes }, index) =>
        notes.map((note) => `${opened.members[index]?.name ?? ''}: ${note}`),
      ),
    ],
    files: inspected.map(({ container, kind, format, spec, name, books }, index) => ({
      file: opened.members[index]?.name ?? '',
      container,
      kind,
      format,
      spec,
      name,
      books: books.map(({ id }) => id),
    })),
  };
}

/** An id that tells the files of a pack apart. */
export const idInPack = (id: string, index: number): string => `${index}:${id}`;

/** Findings of one file of a pack, under the ids of the pack. */
export function findingsInPack(findings: readonly Finding[], index: number): readonly Finding[] {
  return findings.map((each) =>
    each.bookId === null ? each : { ...each, bookId: idInPack(each.bookId, index) },
  );
}

/** What is said of no book, with the names of the files of which it is said. */
export const naming = (files: readonly string[], said: Finding): Finding => ({
  ...said,
  message: `${files.join(', ')}: ${said.message}`,
});

function apart(inspection: Inspection, index: number, name: string): Inspection {
  const named = inspection.findings.map((each) =>
    each.bookId === null && name !== '' ? naming([name], each) : each,
  );
  return {
    ...inspection,
    books: inspection.books.map((book) => ({ ...book, id: idInPack(book.id, index) })),
    entries: inspection.entries.map((entry) => ({ ...entry, bookId: idInPack(entry.bookId, index) })),
    findings: findingsInPack(named, index),
  };
}
