// The rows of the report, the worst first.

import { useMemo, useState } from 'preact/hooks';
import { ofAny } from '../../alike-findings.ts';
import type { Finding } from '../../core/finding.ts';
import { t } from '../../host/context.ts';
import { cut } from '../inspect/entry-row.tsx';
import { gatheredRows, type ReportItem } from './alike-rows.ts';
import { type DifferenceWords, differenceWords } from './difference-words.ts';
import { fateWords } from './fate-words.ts';
import { fieldTitle } from './field-titles.ts';
import type { Fate, ReportRow } from './report-rows.ts';

interface Props {
  readonly groups: readonly { readonly fate: Fate; readonly rows: readonly ReportRow[] }[];
  readonly others: readonly ReportRow[];
  /** Whether rows that say the same are one line. */
  readonly isGathered: boolean;
  /** Stands where there is no row. */
  readonly none: string;
}

/** Rows drawn at first, and with each press more: thousands at once would hold up the page. */
const STEP = 100;

/** Draws the rows. */
export function ReportList({ groups, others, isGathered, none }: Props) {
  const [most, setMost] = useState(STEP);
  const listed = useMemo(
    () =>
      groups.map((group) => ({
        ...group,
        items: isGathered ? gatheredRows(group.rows) : oneByOne(group.rows),
      })),
    [groups, isGathered],
  );
  const total = listed.reduce((sum, { items }) => sum + items.length, 0);
  if (total === 0 && others.length === 0) return <p class="lf-empty">{none}</p>;
  let left = most;
  return (
    <>
      <div class="lf-report-rows">
        {listed.map(({ fate, rows, items }) => {
          const drawn = items.slice(0, left);
          left -= drawn.length;
          const { name, icon } = fateWords(fate);
          return drawn.length === 0 ? null : (
            <section key={fate} data-fate={fate}>
              <Head icon={icon} name={name} count={rows.length} />
              <ul class="lf-rows">
                {drawn.map((item) =>
                  item.kind === 'one' ? (
                    <Row key={item.row.key} row={item.row} elsewhere={item.elsewhere} />
                  ) : (
                    <Many key={item.key} rows={item.rows} />
                  ),
                )}
              </ul>
            </section>
          );
        })}
        {others.length === 0 ? null : (
          <section data-fate="others">
            <Head icon="book" name={t`Lorebooks and card`} count={others.length} />
            <ul class="lf-rows">
              {others.slice(0, STEP).map((row) => (
                <Row key={row.key} row={row} />
              ))}
            </ul>
          </section>
        )}
      </div>
      {total > most ? (
        <button type="button" class="menu_button lf-show-more" onClick={() => setMost(most + STEP)}>
          {t`Show more (${(total - most).toLocaleString()})`}
        </button>
      ) : null}
    </>
  );
}

const oneByOne = (rows: readonly ReportRow[]): readonly ReportItem[] =>
  rows.map((row) => ({ kind: 'one', row, elsewhere: 0 }));

interface HeadProps {
  readonly icon: string;
  readonly name: string;
  readonly count: number;
}

function Head({ icon, name, count }: HeadProps) {
  return (
    <h4>
      <i class={`fa-solid fa-${icon}`} aria-hidden="true" />
      {name}
      <span class="lf-number">{count.toLocaleString()}</span>
    </h4>
  );
}

const NAME_LETTERS = 120;
const REASONS = 6;

interface RowProps {
  readonly row: ReportRow;
  /** What is said of it among many. */
  readonly elsewhere?: number;
}

function Row({ row: { label, bookName, findings }, elsewhere = 0 }: RowProps) {
  const name = label ?? bookName ?? t`The card`;
  const more = findings.length - REASONS;
  return (
    <li class="lf-row lf-row-report">
      <span>
        <b class="lf-text">{cut(name, NAME_LETTERS) || t`Untitled`}</b>
        {label === null || bookName === null ? null : (
          <span class="lf-said lf-text">{cut(bookName, NAME_LETTERS)}</span>
        )}
      </span>
      <span class="lf-reasons">
        {findings.slice(0, REASONS).map((found, index) => (
          <Reason found={found} key={index} />
        ))}
        {more > 0 ? <span class="lf-muted">{t`and ${more} more`}</span> : null}
        {elsewhere === 0 ? null : (
          <span class="lf-muted">
            {elsewhere === 1 ? t`also one of the above` : t`also ${elsewhere} of the above`}
          </span>
        )}
      </span>
    </li>
  );
}

// Drawn when it is unfolded: there may be thousands.
function Many({ rows }: { readonly rows: readonly ReportRow[] }) {
  const [isOpen, setOpen] = useState(false);
  const [most, setMost] = useState(STEP);
  const reason = useMemo(() => sharedReason(rows), [rows]);
  return (
    <li class={`lf-many ${isOpen ? 'lf-open' : ''}`}>
      <button
        type="button"
        class="lf-row lf-row-report lf-fold"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          <i class={`fa-solid fa-chevron-${isOpen ? 'down' : 'right'}`} aria-hidden="true" />
          <b>{t`${rows.length.toLocaleString()} entries`}</b>
        </span>
        <span class="lf-reasons">
          <Words {...reason} />
        </span>
      </button>
      {isOpen ? (
        <ul>
          {rows.slice(0, most).map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </ul>
      ) : null}
      {isOpen && rows.length > most ? (
        <button type="button" class="menu_button lf-show-more" onClick={() => setMost(most + STEP)}>
          {t`Show more (${(rows.length - most).toLocaleString()})`}
        </button>
      ) : null}
    </li>
  );
}

// What all of them say; where they say it in other words, as it is said of any, with the field that it is about.
function sharedReason(rows: readonly ReportRow[]): DifferenceWords {
  const findings = rows.flatMap((row) => row.findings);
  const all = findings.map(differenceWords);
  const [first] = findings;
  const { from, to, why } = all[0] ?? { from: null, to: null, why: '' };
  const isOneChange = all.every((each) => each.from === from && each.to === to);
  return {
    from: isOneChange ? from : first === undefined ? null : fieldTitle(first.path),
    to: isOneChange ? to : null,
    why: all.every((each) => each.why === why) ? why : ofAny(why),
  };
}

function Reason({ found }: { readonly found: Finding }) {
  return <Words {...differenceWords(found)} />;
}

function Words({ from, to, why }: DifferenceWords) {
  return (
    <span>
      {from === null ? null : (
        <span class="lf-from-to">
          <span class="lf-text">{from}</span>
          {to === null ? null : (
            <>
              <i class="fa-solid fa-arrow-right-long" aria-hidden="true" />
              <span class="lf-text">{to}</span>
            </>
          )}
        </span>
      )}
      <span class="lf-why lf-text">{cut(why, 400)}</span>
    </span>
  );
}
