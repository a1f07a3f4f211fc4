// What will happen there: counts, every entry with the reason, and what is left to do by hand.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { copyText } from '../inspect/copy-text.ts';
import { differenceWords } from './difference-words.ts';
import type { ExportChoices, ExportOutcome } from './export-material.ts';
import { fateWords } from './fate-words.ts';
import { ReportList } from './report-list.tsx';
import { FATES, type Fate, type ReportFilter, reportRows, shownGroups } from './report-rows.ts';
import { reportText } from './report-text.ts';
import { Segments } from './segments.tsx';
import { settingWords } from './setting-words.ts';
import { Steps } from './steps-box.tsx';
import { targetWords } from './target-words.ts';
import type { ConversionOfNow } from './use-conversion.ts';

interface Props extends ConversionOfNow {
  readonly choices: ExportChoices;
  /** Whether the files were downloaded. */
  readonly isSaved: boolean;
}

/** Draws the report. */
export function ReportPanel({ outcome, error, isWorking, choices, isSaved }: Props) {
  const { name } = targetWords(choices.target);
  const app = choices.version === null ? name : `${name} ${choices.version}`;
  return (
    <section class="lf-report" aria-labelledby="lf-export-report" aria-busy={isWorking}>
      <header>
        <h3 id="lf-export-report" tabIndex={-1}>{t`What will happen in ${name}`}</h3>
        <span class="lf-muted" role="status">
          {isWorking
            ? t`Working…`
            : outcome === null
              ? ''
              : totalWords(outcome, choices.version === null ? '' : app)}
        </span>
      </header>
      {error === null ? null : (
        <p class="lf-note" role="alert">
          {error}
        </p>
      )}
      {outcome === null || error !== null ? null : (
        <Measured outcome={outcome} app={app} name={name} target={choices.target} isSaved={isSaved} />
      )}
    </section>
  );
}

function totalWords({ counts }: ExportOutcome, app: string): string {
  const { total } = counts;
  const said =
    total === 0
      ? ''
      : total === 1
        ? t`1 entry, read back and compared`
        : t`${total.toLocaleString()} entries, read back and compared`;
  return [said, app].filter(Boolean).join(' · ');
}

const BOXES: readonly Fate[] = ['exact', 'stashed', 'approximated', 'lost'];

interface MeasuredProps {
  readonly outcome: ExportOutcome;
  readonly app: string;
  readonly name: string;
  readonly target: string;
  readonly isSaved: boolean;
}

function Measured({ outcome, app, name, target, isSaved }: MeasuredProps) {
  const [filter, setFilter] = useState<ReportFilter>('differ');
  const [search, setSearch] = useState('');
  const rows = useMemo(() => reportRows(outcome), [outcome]);
  const sentence = (found: Parameters<typeof differenceWords>[0]): string => differenceWords(found).why;
  const groups = useMemo(() => shownGroups(rows.entries, filter, search, sentence), [rows, filter, search]);
  const others = useMemo(() => shownGroups(rows.others, filter, search, sentence), [rows, filter, search]);
  const { counts, steps, settings } = outcome;
  const differing = counts.lost + counts.approximated + counts.stashed;
  return (
    <>
      <fieldset class="lf-counts lf-counts-four" aria-label={t`Result`}>
        {BOXES.map((fate) => {
          const { name: word, icon, meaning } = fateWords(fate);
          return (
            <div class="lf-count-box" key={fate}>
              <b>{counts[fate].toLocaleString()}</b>
              <span>
                <i class={`fa-solid fa-${icon}`} aria-hidden="true" /> {word}
              </span>
              <small>{meaning}</small>
            </div>
          );
        })}
      </fieldset>
      {steps.length === 0 ? null : (
        <Steps steps={steps} settings={settingWords(target, settings)} name={name} isNext={isSaved} />
      )}
      <div class="lf-filters">
        <Segments<ReportFilter>
          label={t`Show`}
          choices={[
            { id: 'differ', text: t`Differ ${differing.toLocaleString()}` },
            ...FATES.filter((id) => counts[id] > 0 || id === filter).map((id) => ({
              id,
              text: `${fateWords(id).name} ${counts[id].toLocaleString()}`,
            })),
          ]}
          chosen={filter}
          choose={setFilter}
        />
        <Search search={search} change={setSearch} />
        <button
          type="button"
          class="menu_button lf-at-end"
          onClick={() => void copyText(reportText(t`What will happen in ${app}`, target, outcome, rows))}
        >
          <i class="fa-solid fa-copy" aria-hidden="true" />
          <span>{t`Copy report`}</span>
        </button>
      </div>
      <ReportList
        key={`${filter}\n${search}`}
        groups={groups}
        isGathered={search.trim() === ''}
        others={others.flatMap((group) => group.rows)}
        none={emptyWords(filter, search, counts.total)}
      />
    </>
  );
}

function emptyWords(filter: ReportFilter, search: string, total: number): string {
  if (search.trim() !== '') return t`Nothing in the report matches.`;
  if (total === 0) return t`No lorebook goes along.`;
  return filter === 'differ' ? t`Nothing differs: every entry goes as it is.` : t`None.`;
}

const SEARCH_DELAY_MS = 120;

function Search({ search, change }: { readonly search: string; readonly change: (text: string) => void }) {
  const [typed, setTyped] = useState(search);
  useEffect(() => {
    const waiting = setTimeout(() => change(typed), SEARCH_DELAY_MS);
    return () => clearTimeout(waiting);
  }, [typed, change]);
  return (
    <label class="lf-search">
      <i class="fa-solid fa-magnifying-glass" aria-hidden="true" />
      <input
        class="text_pole"
        type="search"
        value={typed}
        placeholder={t`Search the report`}
        aria-label={t`Search the report`}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </label>
  );
}
