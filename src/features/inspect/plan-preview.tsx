// A plan before it is applied: what it does in sentences, and the entries that it changes.

import { render } from 'preact';
import { compareEntries } from '../../core/compare.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { entryLabel } from '../../core/lorebook.ts';
import { VISIBLE_FIELDS } from '../../formats/sillytavern/visible-fields.ts';
import { t, warn } from '../../host/context.ts';
import { showDialog } from '../../host/dialogs.ts';
import { fieldName, placeOf } from '../import/entry-words.ts';
import type { ChangePlan } from './change-plan.ts';
import { overwrittenCopies } from './overwritten.ts';

const MOST_ROWS = 50;
const MOST_LETTERS = 120;

/** Shows a plan. True after a yes; "Cancel", and closing the dialog, change nothing. */
export async function previewPlan(plan: ChangePlan): Promise<boolean> {
  const content = document.createElement('div');
  const more = await overwrittenCopies(plan).catch((error) => {
    warn('Whether the copy in the card will stay could not be found out.', error);
    return [];
  });
  render(<Preview plan={plan} lines={[...plan.lines, ...more]} />, content);
  try {
    const answer = await showDialog(content, {
      title: plan.title,
      okButton: plan.button,
      cancelButton: t`Cancel`,
      wide: plan.difference !== null,
    });
    return answer === 'ok';
  } finally {
    render(null, content);
  }
}

interface Row {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly entry: LorebookEntry;
  readonly what: string;
}

function Preview({ plan, lines }: { readonly plan: ChangePlan; readonly lines: readonly string[] }) {
  const rows = plan.difference === null ? null : rowsOf(plan.difference);
  return (
    <div class="lf-stack lf-plan">
      {lines.map((line) => (
        <p class="lf-lead" key={line}>
          {line}
        </p>
      ))}
      {rows === null ? null : <Rows rows={rows} />}
    </div>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0)
    return <p class="lf-muted">{t`No entry reads differently in SillyTavern's editor.`}</p>;
  const more = rows.length - MOST_ROWS;
  return (
    <ul class="lf-rows" aria-label={t`Entries that change`}>
      {rows.slice(0, MOST_ROWS).map(({ kind, entry, what }) => (
        <li class="lf-row lf-row-changed" key={`${kind} ${entry.id}`}>
          <span class="lf-kind">
            <i class={`fa-solid fa-${ICON[kind]}`} aria-hidden="true" /> {kindWord(kind)}
          </span>
          <b class="lf-name lf-text">{labelOf(entry)}</b>
          <span class="lf-muted">{what}</span>
        </li>
      ))}
      {more > 0 ? <li class="lf-muted">{more === 1 ? t`and 1 more` : t`and ${more} more`}</li> : null}
    </ul>
  );
}

function rowsOf({ before, after }: NonNullable<ChangePlan['difference']>): readonly Row[] {
  const { added, removed, changed } = compareEntries(before.body.entries, after.body.entries, VISIBLE_FIELDS);
  return [
    ...changed.map(
      ({ after: entry, paths }): Row => ({
        kind: 'changed',
        entry,
        what: [...new Set(paths.map(fieldName))].join(', '),
      }),
    ),
    ...added.map((entry): Row => ({ kind: 'added', entry, what: placeOf(entry) })),
    ...removed.map((entry): Row => ({ kind: 'removed', entry, what: placeOf(entry) })),
  ];
}

function labelOf(entry: LorebookEntry): string {
  const label = entryLabel(entry);
  if (label.trim() === '') return t`Without a title`;
  return label.length > MOST_LETTERS ? `${label.slice(0, MOST_LETTERS)}…` : label;
}

const ICON: Readonly<Record<Row['kind'], string>> = { added: 'plus', removed: 'minus', changed: 'pen' };

function kindWord(kind: Row['kind']): string {
  switch (kind) {
    case 'added':
      return t`Added`;
    case 'removed':
      return t`Removed`;
    case 'changed':
      return t`Changed`;
  }
}
