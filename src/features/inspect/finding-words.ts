// What the findings tab lists: everything that was found in a book, one row each, in a mark and a sentence.

import { type Finding, type FindingCode, isRemark } from '../../core/finding.ts';
import type { Diagnosis, FiringKind } from '../../core/firing.ts';
import { slotFromPrecise } from '../../formats/_shared/book-position.ts';
import { t } from '../../host/context.ts';
import type { BookView, EntryView } from '../../inspection/book-view.ts';
import type { MendKind, MendOffers } from '../../inspection/mends.ts';
import { agreementMark, agreementSentence, type Mark } from './entry-marks.ts';
import { firingSentence } from './firing-words.ts';
import { slotWords } from './prompt-words.ts';

/** One row. */
export interface FindingRow {
  readonly key: string;
  /** Null: it is about the book, the card or the file. */
  readonly entryId: string | null;
  readonly label: string;
  readonly mark: Mark;
  readonly sentence: string;
  readonly isRepaired: boolean;
  readonly mend: MendKind | null;
}

const NO_OFFERS: MendOffers = { byEntry: new Map(), book: [] };

/**
 * The rows of a book: what needs a look first, each in the order of the book.
 *
 * @param others findings about no book: on the card, or on the file
 * @param offers the mends that there are; none where nothing can be written
 */
export function findingRows(
  view: BookView,
  others: readonly Finding[] = [],
  offers: MendOffers = NO_OFFERS,
): readonly FindingRow[] {
  const rows: FindingRow[] = [
    ...[...others, ...view.findings].map((found, index) => bookRow(found, index, offers)),
    ...view.entries.flatMap((entry) => entryRows(entry, offers.byEntry.get(entry.id) ?? [])),
  ];
  const loud = rows.filter(({ mark }) => mark.weight === 'look');
  return loud.length === rows.length ? rows : [...loud, ...rows.filter(({ mark }) => mark.weight !== 'look')];
}

function bookRow(found: Finding, index: number, offers: MendOffers): FindingRow {
  const kind = found.path === 'id' ? 'unique-ids' : found.path === 'entries' ? 'to-world-file' : null;
  return {
    key: `book ${index}`,
    entryId: null,
    label: sourceWord(found),
    mark: codeMark(found.code),
    sentence: findingSentence(found),
    isRepaired: found.code === 'repaired',
    mend: kind !== null && offers.book.includes(kind) ? kind : null,
  };
}

function sourceWord({ bookId, path }: Finding): string {
  if (path === 'file') return t`The file`;
  return bookId === null && path !== 'book' ? t`The card` : t`The lorebook`;
}

function entryRows(view: EntryView, offered: readonly MendKind[]): readonly FindingRow[] {
  const label = view.label.trim() === '' ? t`Untitled` : view.label;
  const rows: FindingRow[] = [];
  const add = (mark: Mark, sentence: string, kind: MendKind | null, isRepaired = false): void => {
    // The same remark twice on one entry is one row.
    if (rows.some((row) => row.sentence === sentence && row.mark.word === mark.word)) return;
    const mend = kind !== null && offered.includes(kind) ? kind : null;
    rows.push({
      key: `${view.id} ${rows.length}`,
      entryId: view.id,
      label,
      mark,
      sentence,
      isRepaired,
      mend,
    });
  };
  const isUnplaced = view.diagnoses.some(({ reason }) => reason === 'placed-nowhere');
  const position = agreementMark(view);
  const isPositionLoud = position.weight === 'look';
  // That the engine places it nowhere says the same, and more.
  if (isPositionLoud && !isUnplaced) add(position, positionSentence(view), 'write-both');
  for (const diagnosis of view.diagnoses) {
    const { kind, reason } = diagnosis;
    // An entry that is off is meant to be off; its other faults come to light when it is switched on.
    if (reason === 'off') continue;
    const isOff = view.state === 'off';
    if (isOff && kind === 'cannot-fire') continue;
    const mark = isOff ? { ...KIND_MARKS[kind](), weight: 'note' as const } : KIND_MARKS[kind]();
    add(mark, diagnosisSentence(view, diagnosis, offered), MEND_OF_REASON[reason] ?? null);
  }
  for (const found of view.findings) {
    if (found.path === 'position.slot' && (isPositionLoud || isUnplaced)) continue;
    add(
      codeMark(found.code),
      findingSentence(found),
      MEND_OF_PATH[found.path] ?? null,
      found.code === 'repaired',
    );
  }
  return rows;
}

const MEND_OF_REASON: Readonly<Partial<Record<Diagnosis['reason'], MendKind>>> = {
  'placed-nowhere': 'write-both',
  'blank-key': 'drop-blank-keys',
  'only-empty-keys': 'drop-blank-keys',
  'joined-keys': 'split-keys',
};

const MEND_OF_PATH: Readonly<Record<string, MendKind>> = { id: 'unique-ids', 'position.slot': 'write-both' };

const KIND_MARKS: Readonly<Record<FiringKind, () => Mark>> = {
  'cannot-fire': () => ({ icon: 'triangle-exclamation', word: t`Cannot fire`, weight: 'look' }),
  'goes-nowhere': () => ({ icon: 'link-slash', word: t`Goes nowhere`, weight: 'look' }),
  always: () => ({ icon: 'repeat', word: t`Fires always`, weight: 'note' }),
  look: () => ({ icon: 'magnifying-glass', word: t`Look at it`, weight: 'note' }),
};

function codeMark(code: FindingCode): Mark {
  switch (code) {
    case 'repaired':
      return { icon: 'wrench', word: t`Repaired`, weight: 'note' };
    case 'assumed':
      return { icon: 'circle-question', word: t`Assumed`, weight: 'note' };
    case 'conflict':
      return { icon: 'not-equal', word: t`Conflict`, weight: 'look' };
    case 'refused':
      return { icon: 'ban', word: t`Not read`, weight: 'look' };
    case 'lost':
      return { icon: 'circle-minus', word: t`Lost`, weight: 'look' };
    case 'approximated':
      return { icon: 'arrows-left-right', word: t`Approximated`, weight: 'note' };
    case 'stashed':
      return { icon: 'box-archive', word: t`Kept aside`, weight: 'note' };
  }
}

const placeOf = (view: EntryView): string => slotWords(view.slot, view.depth, view.role, view.outlet).words;

function positionSentence(view: EntryView): string {
  const { agreement, coarse, precise } = view;
  const place = placeOf(view);
  const written = (value: unknown): string => {
    const text = JSON.stringify(value) ?? '';
    return text.length > 40 ? `${text.slice(0, 40)}…` : text;
  };
  if (agreement === 'conflict') {
    const followed =
      slotFromPrecise(precise.value) === view.slot
        ? t`SillyTavern follows the precise value`
        : t`In a book of this app the coarse value counts`;
    return t`Coarse says ${written(coarse.value)}, precise says ${written(precise.value)}. ${followed}: ${place}.`;
  }
  const sentence = agreementSentence(view, place);
  if (agreement !== 'invalid') return sentence;
  // SillyTavern's import of a card knows only the word before_char (1.19, convertCharacterBook): all else is after it.
  const theirs =
    !precise.present && view.slot !== 'character'
      ? t` SillyTavern’s own import puts it after the character.`
      : '';
  const values = precise.present
    ? t`Coarse is ${written(coarse.value)}, precise is ${written(precise.value)}.`
    : t`It is ${written(coarse.value)}.`;
  return `${sentence} ${values}${theirs}`;
}

function diagnosisSentence(view: EntryView, diagnosis: Diagnosis, offered: readonly MendKind[]): string {
  const sentence = firingSentence(diagnosis);
  if (diagnosis.reason !== 'placed-nowhere' || !offered.includes('write-both')) return sentence;
  return t`${sentence} Once mended, it stands here: ${placeOf(view)}.`;
}

/** A finding of ours in the user's language, where it is a common one; else as it was found, in English. */
export function findingSentence(found: Finding): string {
  const { code, path, before, after, message } = found;
  const value = (json: Finding['before']): string => {
    const text = JSON.stringify(json);
    return text.length > 40 ? `${text.slice(0, 40)}…` : text;
  };
  switch (`${code} ${path}`) {
    case 'repaired id':
      if (Array.isArray(before))
        return t`The ids are not in ascending order; the entries are numbered anew, so that their order stays.`;
      return before === null
        ? t`It has no id. In a world file it gets ${value(after)}.`
        : t`Its id ${value(before)} cannot be kept: in a world file it gets ${value(after)}. The old one is remembered.`;
    case 'assumed enabled':
      return t`It does not say whether it is on. It is read as on; SillyTavern’s own import would switch it off.`;
    case 'assumed order':
      return t`It has no insertion order. It is read as 100, as a new entry in SillyTavern has.`;
    case 'repaired position.slot':
      return t`Its position is ${value(before)}, text where a number belongs. SillyTavern knows only the number.`;
    case 'lost automationId':
      return isRemark(found) ? t`Only SillyTavern uses it, so it stays behind.` : message;
    case 'assumed dialect':
      return t`It uses field names of another kind of file; they are read as such.`;
    case 'repaired keys':
    case 'repaired secondaryKeys':
      return typeof before === 'string'
        ? t`Its keys were one text, ${value(before)}; they are read as several, split at the commas.`
        : message;
    default:
      return message;
  }
}
