// The table of entries: every entry with both encodings of its place side by side, and where it really lands.

import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { openWorldEditor } from '../../host/world-editor.ts';
import { type EntryView, isPart } from '../../inspection/book-view.ts';
import { ConflictStrip } from './conflict-strip.tsx';
import { BY_ORDER, NO_FILTER, type Sort, type SortColumn, shownEntries } from './entries-filter.ts';
import { EntryDetails } from './entry-details.tsx';
import { EntryRow } from './entry-row.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Inherited } from './inherited.ts';
import { useRowWindow } from './row-window.ts';
import type { TabProps } from './tab.ts';

const ROW_HEIGHT = 35;
const CARD_HEIGHT = 118;
const PHONE = '(max-width: 600px)';

interface Props extends TabProps {
  /** The entry to be shown, and how often it was asked for: asking again shows it again. */
  readonly target: { readonly entryId: string; readonly asked: number } | null;
  readonly inherited: Inherited;
}

/** Draws the tab. */
export function EntriesTab(props: Props) {
  const { view, book, target } = props;
  const [filter, setFilter] = useState(NO_FILTER);
  const [sort, setSort] = useState<Sort>(BY_ORDER);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string | null>(null);
  const shown = useMemo(() => shownEntries(view.entries, filter, sort), [view, filter, sort]);
  const count = isPart(view) ? view.totals.entries : shown.length;
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isPhone = globalThis.matchMedia?.(PHONE).matches ?? false;
  const rows = useRowWindow(ids, scroller, list, isPhone ? CARD_HEIGHT : ROW_HEIGHT);
  const { first, end, above, below } = rows.window;

  const toggle = (id: string): void => {
    setCurrent(id);
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  };
  // Another tab asks for an entry: nothing may hide it.
  useEffect(() => {
    if (target === null) return;
    setFilter(NO_FILTER);
    setOpen((now) => new Set([...now, target.entryId]));
    setCurrent(target.entryId);
  }, [target]);
  useEffect(() => {
    if (target !== null && ids.includes(target.entryId)) {
      rows.reveal(target.entryId);
      focusSoon(target.entryId);
    }
    // The list that holds the entry is there only after the filter has gone.
  }, [target, ids]);

  // Where the focus is on its way to: a key that is held down asks again before the row is drawn.
  const headed = useRef<string | null>(null);
  const move = (from: string, by: number): void => {
    const next = ids[Math.min(ids.length - 1, Math.max(0, ids.indexOf(from) + by))];
    if (next === undefined) return;
    setCurrent(next);
    rows.reveal(next);
    headed.current = next;
    focusSoon(next);
  };
  const focusSoon = (id: string): void => {
    // After the row is drawn.
    requestAnimationFrame(() => {
      headed.current = null;
      scroller.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`)?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = event.target instanceof HTMLElement ? event.target.dataset['entry'] : undefined;
    const by = row === undefined ? undefined : STEPS[event.key];
    if (row !== undefined && by !== undefined) {
      event.preventDefault();
      move(headed.current ?? row, by);
    }
  };
  useEffect(() => searchAtSlash(scroller), []);
  const tabStop = current !== null && ids.includes(current) ? current : ids[0];
  return (
    <div class="lf-entries">
      <FilterBar view={view} filter={filter} shown={count} change={setFilter} />
      {/* biome-ignore lint/a11y/useSemanticElements: a grid of divs can be windowed and become cards on a phone */}
      <div
        class="lf-table"
        role="table"
        aria-label={t`Entries`}
        aria-rowcount={count + 1}
        onKeyDown={onKeyDown}
      >
        <Head sort={sort} change={setSort} isWorld={book.stored !== null} />
        {/* biome-ignore lint/a11y/useSemanticElements: see the table */}
        <div class="lf-scroll" role="rowgroup" ref={scroller}>
          <Room height={above} />
          <div ref={list} role="presentation">
            {shown.slice(first, end).map((entry, index) => (
              <EntryRow
                // By place, not by entry: while a person scrolls, rows get other words and stay the same elements.
                // New ones would have the page's styles looked through for each of them.
                key={index}
                view={entry}
                rowIndex={first + index + 2}
                isOpen={open.has(entry.id)}
                isCurrent={entry.id === tabStop}
                onToggle={toggle}
                onFocus={setCurrent}
              >
                {entry.agreement === 'conflict' ? <ConflictStrip {...props} entry={entry} /> : null}
                {open.has(entry.id) ? <Details key={entry.id} {...props} entry={entry} /> : null}
              </EntryRow>
            ))}
          </div>
          <Room height={below} />
          {shown.length === 0 ? <p class="lf-empty">{emptyWords(view.entries)}</p> : null}
        </div>
      </div>
      <p class="lf-foot">
        <span>
          <i class="fa-solid fa-angles-down" aria-hidden="true" />{' '}
          {t`Floor: the coarse value is the nearest the standard can say to the precise one.`}
        </span>
        <span class="lf-only-desk">{t`Arrow keys move, Enter opens, / searches`}</span>
      </p>
    </div>
  );
}

// The room of the rows that are not drawn: an empty canvas, whose height is an attribute of its own. SillyTavern's sheets
// ask by `:has()` for elements with a certain `style`; with any change of a `style` the whole page is styled again.
function Room({ height }: { readonly height: number }) {
  return <canvas class="lf-room" width="1" height={height} />;
}

// Wherever the focus is: a click beside everything, and the opening of the dialog, leave it outside of the tab.
function searchAtSlash(inTab: RefObject<HTMLElement | null>): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest('input, select, textarea')) return;
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
    if (dialog !== undefined && !dialog.contains(inTab.current)) return;
    const field = inTab.current?.closest('.lf-entries')?.querySelector<HTMLElement>('.lf-search input');
    if (!field) return;
    event.preventDefault();
    field.focus();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 15,
  PageUp: -15,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const emptyWords = (entries: readonly EntryView[]): string =>
  entries.length === 0 ? t`This lorebook has no entries.` : t`No entry is like that.`;

function Details({ entry, book, show, inherited }: Props & { readonly entry: EntryView }) {
  const world = book.stored?.name;
  return (
    <EntryDetails
      view={entry}
      inherited={inherited}
      onShowOnMap={() => show('map', entry.id)}
      onEdit={world === undefined ? null : () => void openWorldEditor(world)}
    />
  );
}

interface HeadProps {
  readonly sort: Sort;
  readonly change: (sort: Sort) => void;
  readonly isWorld: boolean;
}

function Head({ sort, change, isWorld }: HeadProps) {
  const columns: readonly (readonly [SortColumn, string, string])[] = [
    ['state', t`State`, ''],
    ['label', t`Entry`, ''],
    ['keys', t`Keys`, ''],
    ['coarse', t`Coarse`, isWorld ? t`not in a world file` : t`in entry`],
    ['precise', t`Precise`, isWorld ? t`in entry` : t`in extensions`],
    ['agreement', t`Agreement`, ''],
    ['lands', t`Lands in`, ''],
    ['order', t`Order`, ''],
  ];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the buttons in it have the focus
    // biome-ignore lint/a11y/useSemanticElements: see the table
    <div role="row" class="lf-entry-row lf-entry-head" aria-rowindex={1}>
      {/* biome-ignore lint/a11y/useSemanticElements: see the table */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: nothing to do in it */}
      <span role="columnheader" aria-label={t`Opened`} />
      {columns.map(([column, name, where]) => {
        const isSorted = sort.column === column;
        const direction = sort.descending ? 'descending' : 'ascending';
        return (
          // biome-ignore lint/a11y/useSemanticElements: see the table
          // biome-ignore lint/a11y/useFocusableInteractive: the button in it has the focus
          <span
            role="columnheader"
            class={`lf-head-${column}`}
            aria-sort={isSorted ? direction : 'none'}
            key={column}
          >
            <button
              type="button"
              onClick={() => change({ column, descending: isSorted && !sort.descending })}
            >
              <span>
                {name}
                {isSorted ? <span aria-hidden="true"> {sort.descending ? '↓' : '↑'}</span> : null}
              </span>
              {where === '' ? null : <span class="lf-where">{where}</span>}
            </button>
          </span>
        );
      })}
    </div>
  );
}
