// Search and filters above the table. On a phone the selects fold away behind one button.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Slot } from '../../core/position.ts';
import { t } from '../../host/context.ts';
import { type BookView, isPart } from '../../inspection/book-view.ts';
import type { EntriesFilter } from './entries-filter.ts';
import { NO_FILTER } from './entries-filter.ts';
import { agreementMark, stateMark } from './entry-marks.ts';
import { slotWords } from './prompt-words.ts';

// A key press must not wait for five thousand entries.
const SEARCH_DELAY_MS = 120;

interface Props {
  readonly view: BookView;
  readonly filter: EntriesFilter;
  readonly shown: number;
  readonly change: (filter: EntriesFilter) => void;
}

/** Draws the bar. */
export function FilterBar({ view, filter, shown, change }: Props) {
  const [isUnfolded, unfold] = useState(false);
  const selects = [filter.state, filter.slot, filter.agreement, filter.finding].filter(Boolean).length;
  const { entries } = view.totals;
  const needsLook = useNeedsLook(view);
  return (
    <search class="lf-filters" aria-label={t`Filter the entries`}>
      <SearchField filter={filter} change={change} />
      <button
        type="button"
        class="menu_button lf-only-phone"
        aria-expanded={isUnfolded}
        onClick={() => unfold(!isUnfolded)}
      >
        <i class="fa-solid fa-filter" aria-hidden="true" />
        <span>{t`Filter`}</span>
        {selects > 0 ? <span class="lf-number">{selects}</span> : null}
      </button>
      <div class={`lf-selects ${isUnfolded ? 'lf-unfolded' : ''}`}>
        <Selects filter={filter} change={change} />
      </div>
      <button
        type="button"
        class={`menu_button lf-toggle ${filter.look ? 'lf-primary' : ''}`}
        aria-pressed={filter.look}
        onClick={() => change({ ...filter, look: !filter.look })}
      >
        <i class="fa-solid fa-triangle-exclamation" aria-hidden="true" />
        <span>{t`Needs a look`}</span>
        {needsLook === null ? null : <span class="lf-number">{needsLook}</span>}
      </button>
      <span class="lf-shown lf-muted" role="status">
        {t`${shown} of ${entries}`}
      </span>
      {shown === entries ? null : (
        <button type="button" class="lf-link" onClick={() => change(NO_FILTER)}>
          {t`Show all`}
        </button>
      )}
    </search>
  );
}

// Every entry has to be looked at for it: once the table stands.
function useNeedsLook(view: BookView): number | null {
  const { totals } = view;
  const part = isPart(view);
  const [counted, setCounted] = useState<BookView['totals'] | null>(null);
  useEffect(() => {
    if (part) return;
    const waiting = setTimeout(() => {
      void totals.needsLook;
      setCounted(totals);
    });
    return () => clearTimeout(waiting);
  }, [totals, part]);
  return counted === totals ? totals.needsLook : null;
}

function SearchField({ filter, change }: Pick<Props, 'filter' | 'change'>) {
  const [typed, setTyped] = useState(filter.search);
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(filter);
  latest.current = filter;
  useEffect(() => setTyped(filter.search), [filter.search]);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return (
    <label class="lf-search">
      <i class="fa-solid fa-magnifying-glass" aria-hidden="true" />
      <input
        class="text_pole"
        type="search"
        value={typed}
        placeholder={t`Search titles, keys, text`}
        aria-label={t`Search titles, keys, text`}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          clearTimeout(waiting.current);
          waiting.current = setTimeout(() => change({ ...latest.current, search: text }), SEARCH_DELAY_MS);
        }}
      />
    </label>
  );
}

const SLOTS: readonly Slot[] = [
  'world',
  'character',
  'before_example',
  'after_example',
  'note_top',
  'note_bottom',
  'depth',
  'outlet',
];

function Selects({ filter, change }: Pick<Props, 'filter' | 'change'>) {
  const states = (['on', 'off', 'constant', 'vectorized'] as const).map(
    (state) => [state, stateMark(state).word] as const,
  );
  const slots = SLOTS.map((slot) => [slot, slotName(slot)] as const);
  const agreements = (
    ['agree', 'floor', 'coarse-only', 'precise-only', 'conflict', 'invalid', 'assumed'] as const
  ).map((each) => {
    const reading =
      each === 'floor' ? { agreement: 'agree' as const, floor: true } : { agreement: each, floor: false };
    return [each, agreementMark(reading).word] as const;
  });
  const findings = [
    ['cannot-fire', t`Cannot fire`],
    ['goes-nowhere', t`Goes nowhere`],
    ['always', t`Fires always`],
    ['repaired', t`Repaired`],
    ['assumed', t`Assumed`],
    ['conflict', t`Conflict`],
  ] as const;
  return (
    <>
      <Choice
        label={t`State`}
        all={t`Any state`}
        value={filter.state}
        options={states}
        change={(state) => change({ ...filter, state })}
      />
      <Choice
        label={t`Slot`}
        all={t`Any slot`}
        value={filter.slot}
        options={slots}
        change={(slot) => change({ ...filter, slot })}
      />
      <Choice
        label={t`Agreement`}
        all={t`Any agreement`}
        value={filter.agreement}
        options={agreements}
        change={(agreement) => change({ ...filter, agreement })}
      />
      <Choice
        label={t`Finding`}
        all={t`Any finding`}
        value={filter.finding}
        options={findings}
        change={(finding) => change({ ...filter, finding })}
      />
    </>
  );
}

// The slots without a depth or a name of their own.
function slotName(slot: Slot): string {
  if (slot === 'depth') return t`At a depth`;
  return slot === 'outlet' ? t`Outlet` : slotWords(slot, null, null, null).words;
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly all: string;
  readonly value: T | '';
  readonly options: readonly (readonly [T, string])[];
  readonly change: (value: T | '') => void;
}

function Choice<T extends string>({ label, all, value, options, change }: ChoiceProps<T>) {
  return (
    <select
      class="text_pole"
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        change(options.find(([id]) => id === chosen)?.[0] ?? '');
      }}
    >
      <option value="">{all}</option>
      {options.map(([id, word]) => (
        <option key={id} value={id}>
          {word}
        </option>
      ))}
    </select>
  );
}
