// Everything that was found in a book: what needs a look first, with a mend where there is one.

import { useMemo, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import {
  isListWorld,
  type Mend,
  type MendSource,
  mendAll,
  mendsFor,
  SAFE_MENDS,
} from '../../inspection/mends.ts';
import { cut, MarkOf } from './entry-row.tsx';
import { type FindingRow, findingRows } from './finding-words.ts';
import { mendPlan, mendWord } from './mend-plans.ts';
import type { TabProps } from './tab.ts';
import { writableBook } from './writable-book.ts';

const STEP = 200;

/** Draws the tab. */
export function FindingsTab({ subject, book, view, show, propose }: TabProps) {
  const [most, setMost] = useState(STEP);
  const source = useMemo(() => writableBook(book, subject), [book, subject]);
  const rows = useMemo(
    () => findingRows(view, subject.findings, source === null ? undefined : mendsFor(source)),
    [view, subject, source],
  );
  const safe = useMemo(() => (source === null ? [] : mendAll(source)), [source]);
  const safely = rows.filter(({ mend: kind }) => kind !== null && SAFE_MENDS.includes(kind)).length;
  const mend = (mends: readonly Mend[]): void => {
    const plan = source === null ? null : mendPlan(book, subject, source, mends);
    if (plan !== null) void propose(plan);
  };
  const more = rows.length - most;
  return (
    <div class="lf-findings">
      <div class="lf-filters">
        <span role="status">
          <b>{countWords(rows.length)}</b> <span class="lf-muted">{tallyWords(rows)}</span>
        </span>
        {safe.length === 0 ? null : (
          <button type="button" class="menu_button lf-primary lf-at-end" onClick={() => mend(safe)}>
            <i class="fa-solid fa-wrench" aria-hidden="true" />
            <span>{t`Mend ${safely.toLocaleString()}…`}</span>
          </button>
        )}
      </div>
      {source === null && rows.length > 0 ? (
        <p class="lf-muted lf-findings-note">{unwritable(book.kind)}</p>
      ) : null}
      {rows.length === 0 ? (
        <p class="lf-empty">{t`Nothing was found: every entry is as it looks.`}</p>
      ) : (
        <ul class="lf-rows lf-finding-rows" aria-label={t`Findings`}>
          {rows.slice(0, most).map((row) => (
            <Row key={row.key} row={row} source={source} mend={mend} show={show} />
          ))}
        </ul>
      )}
      {more > 0 ? (
        <button type="button" class="menu_button lf-show-more" onClick={() => setMost(most + STEP)}>
          {t`Show more (${more})`}
        </button>
      ) : null}
    </div>
  );
}

interface RowProps {
  readonly row: FindingRow;
  readonly source: MendSource | null;
  readonly mend: (mends: readonly Mend[]) => void;
  readonly show: TabProps['show'];
}

function Row({ row, source, mend, show }: RowProps) {
  const { entryId, label, mark, sentence, mend: kind } = row;
  const shown = cut(label);
  return (
    <li class="lf-row lf-row-finding" data-mark={mark.icon}>
      <span>
        <MarkOf mark={mark} kind="lf-mark" />
      </span>
      <span>
        {entryId === null ? (
          <b>{shown}</b>
        ) : (
          <button type="button" class="lf-link lf-text" onClick={() => show('entries', entryId)}>
            <b>{shown}</b>
          </button>
        )}
        <br />
        <span class="lf-text">{cut(sentence, 500)}</span>
      </span>
      <span>{button()}</span>
    </li>
  );

  function button() {
    if (kind !== null && source !== null) {
      const isWhole = isListWorld(source);
      const word = mendWord(kind, source.form);
      return (
        <button
          type="button"
          class="menu_button"
          aria-label={`${word}: ${shown}`}
          onClick={() => mend([{ kind, entryIds: entryId === null || isWhole ? [] : [entryId] }])}
        >
          {word}
        </button>
      );
    }
    if (entryId === null) return null;
    return (
      <button
        type="button"
        class="menu_button"
        aria-label={t`Show entry ${shown}`}
        onClick={() => show('entries', entryId)}
      >
        {t`Show entry`}
      </button>
    );
  }
}

const countWords = (count: number): string =>
  count === 1 ? t`1 finding` : t`${count.toLocaleString()} findings`;

function tallyWords(rows: readonly FindingRow[]): string {
  const look = rows.filter(({ mark }) => mark.weight === 'look').length;
  const repaired = rows.filter(({ isRepaired }) => isRepaired).length;
  const words: string[] = [];
  if (look > 0) words.push(look === 1 ? t`1 needs a look` : t`${look.toLocaleString()} need a look`);
  if (repaired > 0)
    words.push(
      repaired === 1 ? t`1 is already repaired` : t`${repaired.toLocaleString()} are already repaired`,
    );
  return words.length === 0 ? '' : `· ${words.join(', ')}`;
}

function unwritable(kind: TabProps['book']['kind']): string {
  return kind === 'file'
    ? t`This file is not imported, so nothing is mended in it. Import it first.`
    : t`This lorebook is a part of what stands in the card, so nothing is mended in it here.`;
}
