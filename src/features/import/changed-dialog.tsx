// "This card brings a changed book": the difference, and what may be done about it (decisions 14).

import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { openDialog } from '../../host/dialogs.ts';
import type { ChangeAnswer } from './apply.ts';
import { ChangedRow, EntryRow } from './changed-row.tsx';
import { placeOf } from './entry-words.ts';
import type { BookChange, ExtractionPlan } from './plan.ts';

// A difference of thousands of rows is counted above; a person reads the first ones.
const MOST_ROWS = 100;
// Texts of more than these are unfolded one by one.
const MOST_OPEN = 6;

/** Asks what to do with the changed book of a plan. Closing the dialog keeps the user's book. */
export async function askChanges(plan: ExtractionPlan): Promise<ChangeAnswer> {
  const changed = plan.books.find((book) => book.kind === 'changed');
  if (changed === undefined) return 'keep';
  let answer: ChangeAnswer = 'keep';
  const content = document.createElement('div');
  const dialog = openDialog(content, {
    title: t`This card brings a changed book`,
    okButton: false,
    wide: true,
  });
  const choose = (chosen: ChangeAnswer): void => {
    answer = chosen;
    dialog.close();
  };
  render(
    <ChangedBook
      character={plan.card.character}
      name={changed.name}
      change={changed.change}
      choose={choose}
    />,
    content,
  );
  await dialog.closed;
  render(null, content);
  return answer;
}

interface Props {
  readonly character: string;
  readonly name: string;
  readonly change: BookChange;
  readonly choose: (answer: ChangeAnswer) => void;
}

function ChangedBook({ character, name, change, choose }: Props) {
  const { added, changed, removed, unchanged } = change.difference;
  const { edited } = change;
  const editedHere = edited === null ? 0 : changed.filter(({ before }) => edited.has(before.id)).length;
  const safe = useRef<HTMLButtonElement>(null);
  const keepIsSafe = edited !== null && edited.size === 0;
  useEffect(() => {
    if (keepIsSafe) safe.current?.focus();
  }, [keepIsSafe]);
  const total = added.length + changed.length + removed.length;
  return (
    <div class="lf-stack">
      <p class="lf-lead">
        {t`The new card of ${character} holds another version of “${name}”, which you already have as a lorebook.`}{' '}
        {editedHere === 1 ? t`You edited 1 of the entries that differ.` : null}
        {editedHere > 1 ? t`You edited ${editedHere} of the entries that differ.` : null}
        {edited === null
          ? t`Whether you edited yours is not known: it was not extracted by Loreferry.`
          : null}
      </p>
      <fieldset class="lf-counts" aria-label={t`Differences`}>
        <Count icon="plus" count={added.length} word={t`Added`} small={t`only in the new card`} />
        <Count icon="pen" count={changed.length} word={t`Changed`} small={t`${unchanged} stay the same`} />
        <Count icon="minus" count={removed.length} word={t`Missing`} small={t`only in your file`} />
      </fieldset>
      <ul class="lf-rows">
        {added.slice(0, MOST_ROWS).map((entry) => (
          <EntryRow key={`a${entry.id}`} icon="plus" kind={t`Added`} entry={entry} what={placeOf(entry)} />
        ))}
        {changed.slice(0, MOST_ROWS).map((each, index) => (
          <ChangedRow
            key={`c${each.before.id}`}
            changed={each}
            edited={edited?.has(each.before.id) ?? false}
            isOpen={index < MOST_OPEN}
          />
        ))}
        {removed.slice(0, MOST_ROWS).map((entry) => (
          <EntryRow
            key={`r${entry.id}`}
            icon="minus"
            kind={t`Missing`}
            entry={entry}
            what={placeOf(entry)}
            edited={edited?.has(entry.id) ?? false}
          />
        ))}
        {total > 3 * MOST_ROWS ? <li class="lf-muted">{t`Only the first rows are shown.`}</li> : null}
      </ul>
      <div class="lf-ways">
        <Way
          title={t`Replace`}
          text={t`Your file becomes the new version. The old one is kept in Recent changes, and you can undo.`}
        >
          <button type="button" class="menu_button" onClick={() => choose('replace')}>{t`Replace`}</button>
        </Way>
        <Way
          title={t`Keep`}
          text={t`Your file stays as it is and stays linked. The new version is set aside.`}
        >
          <button
            ref={safe}
            type="button"
            class={`menu_button ${keepIsSafe ? 'lf-primary' : ''}`}
            onClick={() => choose('keep')}
          >
            {t`Keep my book`}
          </button>
        </Way>
        <Way
          title={t`Both`}
          text={t`The new version is saved as a file of its own, not linked, so nothing enters the prompt twice.`}
        >
          <button type="button" class="menu_button" onClick={() => choose('beside')}>{t`Save beside`}</button>
        </Way>
        {edited !== null && edited.size > 0 ? (
          <Way
            title={t`Take the new`}
            text={t`New and changed entries come in, the ones that you edited stay yours. Nothing is removed.`}
          >
            <button
              type="button"
              class="menu_button"
              onClick={() => choose('merge')}
            >{t`Take new, keep my edits`}</button>
          </Way>
        ) : null}
      </div>
    </div>
  );
}

function Count({ icon, count, word, small }: { icon: string; count: number; word: string; small: string }) {
  return (
    <div class="lf-count-box">
      <b>{count}</b>
      <span>
        <i class={`fa-solid fa-${icon}`} aria-hidden="true" /> {word}
      </span>
      <small>{small}</small>
    </div>
  );
}

function Way({ title, text, children }: { title: string; text: string; children: preact.ComponentChildren }) {
  return (
    <div class="lf-choice">
      <div>
        <b>{title}</b>
        <p class="lf-muted">{text}</p>
      </div>
      {children}
    </div>
  );
}
