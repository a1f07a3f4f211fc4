// A row of "This card brings a changed book": an entry, and of a changed one what it was and what it is.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ChangedEntry } from '../../core/compare.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { entryLabel } from '../../core/lorebook.ts';
import { t } from '../../host/context.ts';
import { fieldLines, lineWords } from '../inspect/field-words.ts';
import { TextDifference } from '../inspect/text-difference.tsx';

// Enough to see what changed; the whole of it is in the comparison.
const MOST_LETTERS = 600;
const SAME_LETTERS = 120;

interface RowProps {
  readonly icon: string;
  readonly kind: string;
  readonly entry: LorebookEntry;
  readonly what: ComponentChildren;
  readonly edited?: boolean;
  /** Stands below, over the whole width. */
  readonly children?: ComponentChildren;
}

/** Draws an entry that is on one side alone. */
export function EntryRow({ icon, kind, entry, what, edited = false, children }: RowProps) {
  return (
    <li class="lf-row lf-row-changed">
      <span class="lf-kind">
        <i class={`fa-solid fa-${icon}`} aria-hidden="true" /> {kind}
      </span>
      <b class="lf-name">{entryLabel(entry) || t`(no title)`}</b>
      <span class="lf-muted">{what}</span>
      <span class="lf-nowrap">
        {edited ? (
          <>
            <i class="fa-solid fa-user" aria-hidden="true" /> {t`You edited it`}
          </>
        ) : null}
      </span>
      {children}
    </li>
  );
}

interface ChangedProps {
  /** `before`: in the user's file; `after`: in the new card. */
  readonly changed: ChangedEntry;
  readonly edited: boolean;
  /** Whether it shows what changed without being asked. */
  readonly isOpen: boolean;
}

/** Draws an entry that both have, field by field. */
export function ChangedRow({ changed, edited, isOpen }: ChangedProps) {
  const { before, after, paths } = changed;
  const [isShown, show] = useState(isOpen);
  const lines = fieldLines(paths);
  const names = lines.map(({ name }) => name).join(', ');
  return (
    <EntryRow
      icon="pen"
      kind={t`Changed`}
      entry={after}
      edited={edited}
      what={
        isOpen ? null : (
          <button type="button" class="lf-link" aria-expanded={isShown} onClick={() => show(!isShown)}>
            <i class={`fa-solid fa-chevron-${isShown ? 'down' : 'right'}`} aria-hidden="true" /> {names}
          </button>
        )
      }
    >
      {isShown ? (
        <div class="lf-changed-fields">
          {lines.map(({ key, name }) => (
            <div class="lf-field-row" key={key}>
              <span>{name}</span>
              <Side line={key} entry={before} other={after} word={t`Yours`} />
              <Side line={key} entry={after} other={before} word={t`New`} />
            </div>
          ))}
        </div>
      ) : null}
    </EntryRow>
  );
}

interface SideProps {
  readonly line: string;
  readonly entry: LorebookEntry;
  readonly other: LorebookEntry;
  readonly word: string;
}

function Side({ line, entry, other, word }: SideProps) {
  const text = lineWords(line, entry);
  return (
    <span class="lf-side" data-side={word}>
      {text === '' ? (
        <span class="lf-muted">{t`nothing`}</span>
      ) : (
        <span class="lf-text">
          <TextDifference
            text={text}
            other={lineWords(line, other)}
            most={MOST_LETTERS}
            same={SAME_LETTERS}
          />
        </span>
      )}
    </span>
  );
}
