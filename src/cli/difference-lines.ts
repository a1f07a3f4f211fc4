// What differs in a converted file, a line for all entries of which the same is said: the worst first, and not without
// end. The report file holds all of it.

import { likeness, ofAny } from '../alike-findings.ts';
import type { Conversion } from '../convert-report.ts';
import { type Finding, type FindingCode, isRemark } from '../core/finding.ts';
import { type CanonicalLorebook, entryLabel } from '../core/lorebook.ts';
import { fieldWords } from './field-words.ts';
import { short } from './terminal-text.ts';

const MOST_LINES = 12;
const MOST_NAMES = 3;

const WORDS = {
  refused: 'not taken',
  lost: 'lost',
  approximated: 'approximated',
  stashed: 'kept aside',
  conflict: 'conflict',
} as const satisfies Partial<Readonly<Record<FindingCode, string>>>;

type Told = keyof typeof WORDS;
const WORST_FIRST = Object.keys(WORDS) as readonly Told[];
const REMARK = WORST_FIRST.length;

/**
 * The lines; none when all is exact.
 *
 * @param report where the whole report is written; undefined when it is not
 */
export function differenceLines(
  { report: { findings }, lorebooks }: Conversion,
  report: string | undefined,
): readonly string[] {
  const groups = new Map<string, Finding[]>();
  for (const found of findings) {
    if (!isTold(found)) continue;
    const key = `${rank(found)} ${found.entryId === null} ${likeness(found)}`;
    const group = groups.get(key);
    if (group) group.push(found);
    else groups.set(key, [found]);
  }
  const labels = labelsOf(lorebooks);
  const sorted = [...groups.values()]
    .map((group) => ({ group, entries: entriesIn(group), rank: rank(group[0]) }))
    .sort((a, b) => a.rank - b.rank || b.entries.length - a.entries.length);
  const lines = sorted.slice(0, MOST_LINES).map(({ group, entries }) => line(group, entries, labels));
  const more = sorted.length - MOST_LINES;
  if (more <= 0) return lines;
  const where = report === undefined ? '--report REPORT.json writes them all' : `${report} has them all`;
  return [...lines, `  and ${more} more; ${where}.`];
}

// What an entry's two positions say against each other was so before, and is told by `inspect`.
const isTold = ({ code, entryId }: Finding): boolean =>
  code === 'conflict' ? entryId === null : (WORST_FIRST as readonly FindingCode[]).includes(code);

function rank(found: Finding | undefined): number {
  if (found === undefined || isRemark(found)) return REMARK;
  return WORST_FIRST.indexOf(found.code as Told);
}

const entryKey = ({ bookId, entryId }: Pick<Finding, 'bookId' | 'entryId'>): string =>
  `${bookId}\n${entryId}`;

// One entry may have several findings that are alike, one for each of its keys.
const entriesIn = (group: readonly Finding[]): readonly string[] => [
  ...new Set(group.filter(({ entryId }) => entryId !== null).map(entryKey)),
];

function labelsOf(lorebooks: readonly CanonicalLorebook[]): ReadonlyMap<string, string> {
  return new Map(
    lorebooks.flatMap(({ id, body }) =>
      body.entries.map((entry) => [entryKey({ bookId: id, entryId: entry.id }), entryLabel(entry)] as const),
    ),
  );
}

function line(
  group: readonly Finding[],
  entries: readonly string[],
  labels: ReadonlyMap<string, string>,
): string {
  const [first] = group;
  if (first === undefined) return '';
  const word = isRemark(first) ? 'remark' : WORDS[first.code as Told];
  const isOne = group.every(({ message }) => message === first.message);
  const sentence = (isOne ? first.message : ofAny(first.message)).replace(/^Kept aside: (.)/, (_, letter) =>
    String(letter).toUpperCase(),
  );
  const names = entries.slice(0, MOST_NAMES).map((key) => `“${short(labels.get(key) ?? '')}”`);
  const more = entries.length - names.length;
  const who =
    entries.length === 0 ? '' : ` of ${more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')}`;
  if (first.code === 'refused' || first.code === 'conflict') return `  ${word}${who}: ${sentence}`;
  return `  ${word}: ${fieldWords(first.path)}${who}. ${sentence}`;
}
