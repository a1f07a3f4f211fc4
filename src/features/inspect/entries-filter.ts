// Which entries the table shows, and in which order. Plain functions, so that thousands of entries are quickly asked.

import type { Agreement, Slot } from '../../core/position.ts';
import type { EntryState, EntryView } from '../../inspection/book-view.ts';

/** What of the findings a row may be asked for. */
export type FindingFilter = 'cannot-fire' | 'goes-nowhere' | 'always' | 'repaired' | 'assumed' | 'conflict';

/** What is asked; "" asks nothing. */
export interface EntriesFilter {
  readonly search: string;
  readonly state: EntryState | '';
  readonly slot: Slot | '';
  /** `floor` are those that agree because the coarse word is the nearest there is. */
  readonly agreement: Agreement | 'floor' | '';
  readonly finding: FindingFilter | '';
  readonly look: boolean;
}

/** Asks nothing. */
export const NO_FILTER: EntriesFilter = {
  search: '',
  state: '',
  slot: '',
  agreement: '',
  finding: '',
  look: false,
};

/** The columns by which the table is sorted. */
export type SortColumn = 'state' | 'label' | 'keys' | 'coarse' | 'precise' | 'agreement' | 'lands' | 'order';

/** A column and its direction. */
export interface Sort {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** As the engine has them within a slot. */
export const BY_ORDER: Sort = { column: 'order', descending: false };

/** The entries that a filter lets through, sorted; ties stay in the order of the engine. */
export function shownEntries(
  entries: readonly EntryView[],
  filter: EntriesFilter,
  sort: Sort,
): readonly EntryView[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const passed = entries.filter(
    (view) => passes(view, filter) && words.every((word) => searched(view).includes(word)),
  );
  const by = COMPARE[sort.column];
  const sign = sort.descending ? -1 : 1;
  return passed.sort((a, b) => sign * by(a, b) || a.index - b.index);
}

function passes(view: EntryView, filter: EntriesFilter): boolean {
  return (
    (filter.state === '' || view.state === filter.state) &&
    (filter.slot === '' || view.slot === filter.slot) &&
    (!filter.look || view.needsLook) &&
    hasAgreement(view, filter.agreement) &&
    hasFinding(view, filter.finding)
  );
}

function hasAgreement(view: EntryView, wanted: EntriesFilter['agreement']): boolean {
  if (wanted === '') return true;
  return wanted === 'floor' ? view.floor : view.agreement === wanted && !view.floor;
}

function hasFinding(view: EntryView, wanted: EntriesFilter['finding']): boolean {
  if (wanted === '') return true;
  return (
    view.diagnoses.some(({ kind }) => kind === wanted) || view.findings.some(({ code }) => code === wanted)
  );
}

const SEARCHED = new WeakMap<EntryView, string>();

// Lower-casing megabytes at every key press would be felt.
function searched(view: EntryView): string {
  let text = SEARCHED.get(view);
  if (text === undefined) {
    const { entry } = view;
    text = [view.label, entry.memo, ...view.keys, ...view.secondaryKeys, entry.content]
      .join('\n')
      .toLowerCase();
    SEARCHED.set(view, text);
  }
  return text;
}

const ORDER_OF_STATES: readonly EntryState[] = ['constant', 'on', 'vectorized', 'off'];
const ORDER_OF_AGREEMENTS: readonly Agreement[] = [
  'invalid',
  'conflict',
  'assumed',
  'coarse-only',
  'precise-only',
  'agree',
];
const ORDER_OF_SLOTS: readonly Slot[] = [
  'prepend_top',
  'scene',
  'world',
  'character',
  'append',
  'before_example',
  'after_example',
  'note_top',
  'note_bottom',
  'depth',
  'append_bottom',
  'outlet',
];

const inWords = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
// A title can be a whole text; its beginning decides.
const head = (text: string): string => text.slice(0, 100);

const COMPARE: Readonly<Record<SortColumn, (a: EntryView, b: EntryView) => number>> = {
  state: (a, b) => ORDER_OF_STATES.indexOf(a.state) - ORDER_OF_STATES.indexOf(b.state),
  label: (a, b) => inWords.compare(head(a.label), head(b.label)),
  keys: (a, b) => inWords.compare(head(a.keys[0] ?? ''), head(b.keys[0] ?? '')),
  coarse: (a, b) => inWords.compare(rawText(a.coarse), rawText(b.coarse)),
  precise: (a, b) => inWords.compare(rawText(a.precise), rawText(b.precise)),
  agreement: (a, b) =>
    ORDER_OF_AGREEMENTS.indexOf(a.agreement) - ORDER_OF_AGREEMENTS.indexOf(b.agreement) ||
    Number(b.floor) - Number(a.floor),
  lands: (a, b) =>
    ORDER_OF_SLOTS.indexOf(a.slot) - ORDER_OF_SLOTS.indexOf(b.slot) || (b.depth ?? 0) - (a.depth ?? 0),
  order: (a, b) => a.order - b.order,
};

const rawText = ({ present, value }: EntryView['coarse']): string =>
  present ? head(JSON.stringify(value)) : '';
