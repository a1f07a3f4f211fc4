// The entries of one slot of the prompt map, as buttons that lead to the table.

import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Diagnosis } from '../../core/firing.ts';
import { t } from '../../host/context.ts';
import type { MapEntry, MapOrigin, PromptMap } from '../../inspection/prompt-map.ts';
import { cut } from './entry-row.tsx';
import { slotWords } from './prompt-words.ts';

/** So many chips are drawn at once: thousands of buttons would hold up the page. */
const CHIPS_AT_FIRST = 160;
const FEWEST_CHIPS = 6;
const PAGE = 100;
const LABEL_LETTERS = 60;

/** So many depths, and so many outlets, are drawn at first. */
export const ROWS_AT_FIRST = 20;

/** How many entries each slot of a map shows at first. */
export function chipsAtFirst(map: PromptMap): number {
  const rows = [map.depths ?? [], map.outlets ?? []].map(({ length }) => Math.min(length, ROWS_AT_FIRST));
  const slots = [
    map.before,
    map.after,
    map.examplesTop,
    map.examplesBottom,
    map.noteTop,
    map.noteBottom,
    map.nowhere,
  ];
  const count = slots.filter((slot) => (slot?.length ?? 0) > 0).length + (rows[0] ?? 0) + (rows[1] ?? 0);
  return Math.max(FEWEST_CHIPS, Math.floor(CHIPS_AT_FIRST / Math.max(count, 1)));
}

interface Props {
  readonly entries: readonly MapEntry[];
  readonly first: number;
  readonly onChoose: (entryId: string) => void;
}

/** Draws the entries of a slot, the rest of them page by page. */
export function MapChips({ entries, first, onChoose }: Props) {
  const [asked, setAsked] = useState({ entries, pages: 1 });
  // Another prompt begins with its first page again.
  const pages = asked.entries === entries ? asked.pages : 1;
  const latest = useRef(onChoose);
  latest.current = onChoose;
  // A page that is drawn stays the same object, so that Preact passes over it when the next one comes.
  const drawn = useMemo<VNode[]>(() => [], [entries, first]);
  if (entries.length === 0) return <span class="lf-muted">{t`no entries`}</span>;
  for (let page = drawn.length; page < pages; page++) {
    const start = page === 0 ? 0 : first + (page - 1) * PAGE;
    const onPage = entries.slice(start, first + page * PAGE);
    drawn.push(<Page key={page} entries={onPage} onChoose={(id) => latest.current(id)} />);
  }
  const more = entries.length - first - (pages - 1) * PAGE;
  return (
    <div class="lf-chip-pages">
      {drawn}
      {more > 0 ? (
        <button
          type="button"
          class="lf-link lf-show-more"
          onClick={() => setAsked({ entries, pages: pages + 1 })}
        >
          {more > PAGE ? t`Show ${PAGE} more of ${more}` : t`Show ${more} more`}
        </button>
      ) : null}
    </div>
  );
}

interface PageProps {
  readonly entries: readonly MapEntry[];
  readonly onChoose: (entryId: string) => void;
}

function Page({ entries, onChoose }: PageProps) {
  return (
    <div class="lf-chips">
      {entries.map((entry) => (
        <Chip key={entry.view.id} entry={entry} onChoose={onChoose} />
      ))}
    </div>
  );
}

interface ChipProps {
  readonly entry: MapEntry;
  readonly onChoose: (entryId: string) => void;
}

function Chip({ entry: { view, movedFrom }, onChoose }: ChipProps) {
  const isOff = view.state === 'off';
  const warning = isOff ? null : warningOf(view.diagnoses);
  const classes = ['lf-chip', isOff ? 'lf-chip-off' : '', movedFrom === null ? '' : 'lf-chip-moved'];
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(' ')}
      data-chip={view.id}
      onClick={() => onChoose(view.id)}
    >
      <span class="lf-chip-order">{view.order}</span>{' '}
      {view.state === 'on' ? null : <i class={`fa-solid fa-${STATE_ICONS[view.state]}`} aria-hidden="true" />}
      <span class={`lf-clip lf-text ${view.isLabelDerived ? 'lf-derived' : ''}`}>
        {view.label.trim() === '' ? t`Untitled` : cut(view.label, LABEL_LETTERS)}
      </span>
      {view.state === 'on' ? null : <Tag>{stateTag(view.state)}</Tag>}
      {view.entry.content === '' ? <Tag>{t`no text`}</Tag> : null}
      {warning === null ? null : (
        <Tag>
          <i class="fa-solid fa-triangle-exclamation" aria-hidden="true" /> {warning}
        </Tag>
      )}
      {movedFrom === null ? null : (
        <Tag more="lf-chip-from">
          <i class="fa-solid fa-shuffle" aria-hidden="true" /> {fromWords(movedFrom)}
        </Tag>
      )}
    </button>
  );
}

interface TagProps {
  readonly more?: string;
  readonly children: ComponentChildren;
}

// The space is for those who hear it: the parts of a chip are set apart by gaps.
function Tag({ more = '', children }: TagProps) {
  return (
    <>
      {' '}
      <span class={`lf-chip-tag ${more}`}>{children}</span>
    </>
  );
}

const STATE_ICONS = { off: 'toggle-off', constant: 'thumbtack', vectorized: 'layer-group' } as const;

function stateTag(state: keyof typeof STATE_ICONS): string {
  switch (state) {
    case 'off':
      return t`off`;
    case 'constant':
      return t`constant`;
    case 'vectorized':
      return t`vectorized`;
  }
}

// A key that joins several is hardly ever found.
function warningOf(diagnoses: readonly Diagnosis[]): string | null {
  if (diagnoses.some(({ kind }) => kind === 'cannot-fire')) return t`cannot fire`;
  return diagnoses.some(({ reason }) => reason === 'joined-keys') ? t`joined keys` : null;
}

function fromWords(origin: MapOrigin): string {
  if (origin === 'nowhere') return t`from nowhere`;
  if (origin.slot === 'depth' || origin.slot === 'append_bottom') return t`from depth ${origin.depth}`;
  if (origin.slot === 'outlet') return t`from outlet`;
  return t`from ${slotWords(origin.slot, null, null, null).glyph}`;
}
