// The mends of a book as plans: what each would change, in sentences.

import type { LorebookEntry } from '../../core/lorebook.ts';
import { entryLabel } from '../../core/lorebook.ts';
import { t } from '../../host/context.ts';
import {
  idsToChange,
  type Mend,
  type MendKind,
  type MendSource,
  readSource,
} from '../../inspection/mends.ts';
import { mendBook } from '../../inspection/mends-writing.ts';
import type { ChangePlan } from './change-plan.ts';
import { slotWords } from './prompt-words.ts';
import type { Subject, SubjectBook } from './subject.ts';
import { changeOf } from './writable-book.ts';

/** What the button of a mend says. */
export function mendWord(kind: MendKind, form: MendSource['form']): string {
  switch (kind) {
    case 'write-both':
      return form === 'world' ? t`Write the position` : t`Write both encodings`;
    case 'unique-ids':
      return t`Give unique ids`;
    case 'drop-blank-keys':
      return t`Drop blank keys`;
    case 'split-keys':
      return t`Split into several keys`;
    case 'to-world-file':
      return t`Convert the file`;
  }
}

/** The plan of mends of one book, or null when they would change nothing. */
export function mendPlan(
  book: SubjectBook,
  subject: Subject,
  source: MendSource,
  mends: readonly Mend[],
): ChangePlan | null {
  const { raw, before, after } = mendBook(source, mends);
  const change = changeOf(book, subject, source, raw);
  if (change === null) return null;
  const [first] = mends;
  const { name } = book;
  const isWorld = source.form === 'world';
  const single = mends.length === 1 && first !== undefined ? mendWord(first.kind, source.form) : null;
  const of = isWorld ? t`“${name}”` : t`“${name}” in the card`;
  return {
    title: single === null ? t`Mend ${of}` : t`${single}: ${of}`,
    lines: mends.flatMap((mend) => mendLines(mend, source)),
    button: single ?? t`Mend`,
    difference: { before, after },
    changes: [change],
  };
}

const MOST_LINES = 6;

function mendLines({ kind, entryIds }: Mend, source: MendSource): readonly string[] {
  if (kind === 'to-world-file')
    return [
      t`The file holds its entries as a list, as a card's book does, and SillyTavern reads none of them. They are written anew as a world file has them, under their ids where these can be kept.`,
      t`The file as it was rides along in it.`,
    ];
  const reading = readSource(source);
  if (kind === 'unique-ids') return idLines(idsToChange(reading), source);
  const chosen = new Set(entryIds);
  const entries = reading.body.entries.filter(({ id }) => chosen.has(id));
  switch (kind) {
    case 'write-both':
      return source.form === 'world' ? numberLines(entries) : bothLines(entries);
    case 'drop-blank-keys':
      return few(entries.map(blankLine));
    case 'split-keys':
      return few(
        entries.map(
          (entry) => t`“${labelOf(entry)}” fires on each of its keys then, not only on all of them at once.`,
        ),
      );
  }
}

function few(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more <= 0 ? lines : [...lines.slice(0, MOST_LINES), t`The same for ${more} more.`];
}

function bothLines(entries: readonly LorebookEntry[]): readonly string[] {
  const { length } = entries;
  const first = entries[0];
  if (length === 1 && first !== undefined)
    return [
      t`“${labelOf(first)}” stays where SillyTavern puts it: ${placeOf(first)}. Both values then say so, the coarse one as near as the standard can.`,
    ];
  return [
    t`${length} entries stay where SillyTavern puts them. Both values then say so, the coarse one as near as the standard can.`,
  ];
}

function numberLines(entries: readonly LorebookEntry[]): readonly string[] {
  return few(
    entries.map(
      (entry) => t`“${labelOf(entry)}” stands nowhere until now, and then here: ${placeOf(entry)}.`,
    ),
  );
}

function idLines(ids: ReadonlyMap<string, number>, source: MendSource): readonly string[] {
  const { originalIds } = readSource(source).known;
  const listed = [...ids]
    .slice(0, 12)
    .map(([id, uid]) => `${JSON.stringify(originalIds.get(id) ?? null).slice(0, 24)} → ${uid}`);
  const more = ids.size > listed.length ? ', …' : '';
  return [t`The order of the entries does not change. New ids: ${listed.join(', ') + more}.`];
}

function blankLine(entry: LorebookEntry): string {
  const label = labelOf(entry);
  const texts = entry.keys.map((key) => (key.kind === 'literal' ? key.text : key.source));
  const isLive = texts.some((text) => text !== '' && text.trim() === '');
  if (!isLive) return t`“${label}”: an empty key never matches, so nothing changes in what fires.`;
  return texts.every((text) => text.trim() === '')
    ? t`“${label}” fires always now, because of a key of spaces only. Without it no key can start it.`
    : t`“${label}” fires always now, because of a key of spaces only. Without it, only its other keys start it.`;
}

function labelOf(entry: LorebookEntry): string {
  const label = entryLabel(entry).trim() || t`Untitled`;
  return label.length > 80 ? `${label.slice(0, 80)}…` : label;
}

function placeOf({ position }: LorebookEntry): string {
  const { slot, depth, role, outlet } = position;
  return slotWords(slot, depth, role, outlet).words;
}
