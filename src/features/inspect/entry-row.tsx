// One row of the entries table. It reads as a sentence: this value, that value, do they agree, so it lands here.
//
// A row is made of the same elements whatever it shows, some of them hidden: while a person scrolls, rows only get other
// words. A new element would have the whole page styled again, since SillyTavern's sheets look into popups by `:has()`.

import type { ComponentChildren } from 'preact';
import type { Json } from '../../core/json.ts';
import type { RawValue } from '../../core/position.ts';
import { t } from '../../host/context.ts';
import type { EntryView } from '../../inspection/book-view.ts';
import { agreementMark, type Mark, shortSlot, stateMark } from './entry-marks.ts';
import { firingShort } from './firing-words.ts';
import { slotWords } from './prompt-words.ts';

/** Letters of a title, a key or a raw value that a row shows: a card can hold a book in a title. */
const MOST_LETTERS = 240;
const KEY_LETTERS = 60;
/** The keys that a row shows. */
const KEY_PLACES = [0, 1, 2];

/** A text cut to what a line can show. */
export const cut = (text: string, most = MOST_LETTERS): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

interface RowProps {
  readonly view: EntryView;
  /** Its number in the whole list, for screen readers; 1 is the head. */
  readonly rowIndex: number;
  readonly isOpen: boolean;
  /** Whether the arrow keys have come to this row. */
  readonly isCurrent: boolean;
  readonly onToggle: (id: string) => void;
  readonly onFocus: (id: string) => void;
  /** What stands below the row: a strip, or the whole entry. */
  readonly children?: ComponentChildren;
}

/** Draws a row and what hangs on it. */
export function EntryRow({ view, rowIndex, isOpen, isCurrent, onToggle, onFocus, children }: RowProps) {
  const label = view.label === '' ? t`Untitled` : cut(view.label);
  const warning = view.diagnoses.find(({ kind }) => kind !== 'always') ?? view.diagnoses[0];
  const classes = ['lf-entry', view.state === 'off' ? 'lf-is-off' : '', isOpen ? 'lf-is-open' : ''];
  return (
    <div class={classes.filter(Boolean).join(' ')} data-row={view.id}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row's button has the focus */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: and the keys */}
      {/* biome-ignore lint/a11y/useSemanticElements: a grid of divs can be windowed and become cards on a phone */}
      <div
        role="row"
        class="lf-entry-row"
        aria-rowindex={rowIndex}
        onClick={(event) => press(event, view.id, onToggle)}
      >
        <Cell name="open">
          <button
            type="button"
            class="lf-open-button"
            aria-expanded={isOpen}
            aria-label={isOpen ? t`Close ${label}` : t`Open ${label}`}
            tabIndex={isCurrent ? 0 : -1}
            data-entry={view.id}
            onFocus={() => onFocus(view.id)}
            onClick={() => onToggle(view.id)}
          >
            <i class={`fa-solid fa-chevron-${isOpen ? 'down' : 'right'}`} aria-hidden="true" />
          </button>
        </Cell>
        <Cell name="state">
          <MarkOf mark={stateMark(view.state)} kind="lf-state" />
        </Cell>
        <Cell name="title">
          <span class={`lf-clip lf-text ${view.isLabelDerived ? 'lf-derived' : ''}`} title={label}>
            {label}
          </span>
          <span class="lf-warn" hidden={warning === undefined || view.state === 'off'}>
            <i class="fa-solid fa-triangle-exclamation" aria-hidden="true" />
            {warning === undefined || view.state === 'off' ? '' : firingShort(warning)}
          </span>
        </Cell>
        <Cell name="keys">
          <Keys view={view} />
        </Cell>
        {/* One line on a phone; on a wide screen the cells stand in the row themselves. */}
        <span role="presentation" class="lf-cell-how">
          <Cell name="coarse" label={t`Coarse`}>
            <Raw raw={view.coarse} place="" />
          </Cell>
          <Cell name="precise" label={t`Precise`}>
            <Raw raw={view.precise} place={view.precise.present ? shortSlot(view.slot) : ''} />
          </Cell>
          <Cell name="mark">
            <MarkOf mark={agreementMark(view)} kind="lf-mark" />
          </Cell>
        </span>
        <Cell name="lands">
          <Place view={view} />
        </Cell>
        <Cell name="order" label={t`order`}>
          {view.order}
        </Cell>
      </div>
      {children}
    </div>
  );
}

// A click anywhere in the row opens it, but not where a person marks text.
function press(event: MouseEvent, id: string, onToggle: (id: string) => void): void {
  if (event.target instanceof Element && event.target.closest('button, a')) return;
  if (String(getSelection?.() ?? '') !== '') return;
  onToggle(id);
}

interface CellProps {
  readonly name: string;
  /** Stands before the value where the columns have no heads, on a phone. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

function Cell({ name, label, children }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the row
    <span role="cell" class={`lf-cell-${name}`} data-label={label}>
      {children}
    </span>
  );
}

/** A mark as icon and word. */
export function MarkOf({ mark, kind }: { readonly mark: Mark; readonly kind: string }) {
  return (
    <span class={`${kind} lf-weight-${mark.weight}`}>
      <i class={`fa-solid fa-${mark.icon}`} aria-hidden="true" />
      {mark.word}
    </span>
  );
}

/** Where an entry lands: SillyTavern's own sign and words; or nowhere. */
export function Place({ view }: { readonly view: EntryView }) {
  const { glyph, words } = slotWords(view.slot, view.depth, view.role, view.outlet);
  const isNowhere = view.diagnoses.some(
    ({ reason }) => reason === 'no-outlet-name' || reason === 'placed-nowhere',
  );
  return (
    <span class="lf-slot">
      <span class="lf-glyph" aria-hidden="true">
        {glyph}
      </span>
      <b class="lf-nowhere" hidden={!isNowhere}>
        <i class="fa-solid fa-link-slash" aria-hidden="true" />
        {isNowhere ? ` ${t`Goes nowhere`}` : ''}
      </b>
      <span class="lf-clip lf-text" hidden={isNowhere}>
        {isNowhere ? '' : cut(words, KEY_LETTERS)}
      </span>
    </span>
  );
}

function Keys({ view }: { readonly view: EntryView }) {
  const { keys, entry } = view;
  const none = entry.constant ? t`none needed` : t`none`;
  return (
    <span class="lf-keys" title={cut(keys.join(', '), 400)}>
      <span class="lf-where" hidden={keys.length > 0}>
        {keys.length > 0 ? '' : none}
      </span>
      {KEY_PLACES.map((index) => (
        <span
          class={`lf-key lf-text ${entry.keys[index]?.kind === 'regex' ? 'lf-mono' : ''}`}
          hidden={index >= keys.length}
          key={index}
        >
          {index < keys.length ? keyWords(keys[index] ?? '') : ''}
        </span>
      ))}
      <span class="lf-more" hidden={keys.length <= KEY_PLACES.length}>
        {keys.length > KEY_PLACES.length ? `+${keys.length - KEY_PLACES.length}` : ''}
      </span>
    </span>
  );
}

const keyWords = (key: string): string => (key.trim() === '' ? blankKey(key) : cut(key, KEY_LETTERS));
const blankKey = (key: string): string => (key === '' ? t`empty` : t`spaces only`);

function Raw({ raw, place }: { readonly raw: RawValue; readonly place: string }) {
  const where = raw.present ? place : t`none`;
  return (
    <span class="lf-clip">
      <code class="lf-text" hidden={!raw.present}>
        {raw.present ? rawWords(raw.value) : ''}
      </code>
      <span class="lf-where" hidden={where === ''}>
        {raw.present && where !== '' ? ` ${where}` : where}
      </span>
    </span>
  );
}

const rawWords = (value: Json): string =>
  cut(typeof value === 'string' && /^[a-z_]+$/.test(value) ? value : JSON.stringify(value), 30);
