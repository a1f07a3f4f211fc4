// The entries of one slot of the prompt map, as buttons that lead to the table.

import { useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import type { MapEntry, MapOrigin } from '../../inspection/prompt-map.ts';
import { cut } from './entry-row.tsx';
import { slotWords } from './prompt-words.ts';

/** More than a slot draws at once: thousands of buttons would hold up the page. */
const STEP = 150;
const LABEL_LETTERS = 60;

interface Props {
  readonly entries: readonly MapEntry[];
  /** Said behind each entry, such as its role. */
  readonly note?: string;
  readonly onChoose: (entryId: string) => void;
}

/** Draws the entries of a slot. */
export function MapChips({ entries, note, onChoose }: Props) {
  const [shown, setShown] = useState(STEP);
  if (entries.length === 0) return <span class="lf-muted">{t`no entries`}</span>;
  const more = entries.length - shown;
  return (
    <div class="lf-chips">
      {entries.slice(0, shown).map((entry) => (
        <Chip key={entry.view.id} entry={entry} note={note} onChoose={onChoose} />
      ))}
      {more > 0 ? (
        <button type="button" class="lf-link" onClick={() => setShown(shown + STEP)}>
          {t`Show ${Math.min(STEP, more)} more of ${more}`}
        </button>
      ) : null}
    </div>
  );
}

interface ChipProps {
  readonly entry: MapEntry;
  readonly note: string | undefined;
  readonly onChoose: (entryId: string) => void;
}

function Chip({ entry: { view, movedFrom }, note, onChoose }: ChipProps) {
  const isOff = view.state === 'off';
  const cannotFire = !isOff && view.diagnoses.some(({ kind }) => kind === 'cannot-fire');
  const classes = ['lf-chip', isOff ? 'lf-chip-off' : '', movedFrom === null ? '' : 'lf-chip-moved'];
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(' ')}
      data-chip={view.id}
      onClick={() => onChoose(view.id)}
    >
      <span class="lf-chip-order">{view.order}</span>
      {view.state === 'on' ? null : <i class={`fa-solid fa-${STATE_ICONS[view.state]}`} aria-hidden="true" />}
      <span class={`lf-clip lf-text ${view.isLabelDerived ? 'lf-derived' : ''}`}>
        {view.label === '' ? t`Untitled` : cut(view.label, LABEL_LETTERS)}
      </span>
      {view.state === 'on' ? null : <Tag>{stateTag(view.state)}</Tag>}
      {note === undefined ? null : <Tag>{note}</Tag>}
      {cannotFire ? (
        <span class="lf-chip-tag">
          <i class="fa-solid fa-triangle-exclamation" aria-hidden="true" /> {t`cannot fire`}
        </span>
      ) : null}
      {movedFrom === null ? null : (
        <span class="lf-chip-tag lf-chip-from">
          <i class="fa-solid fa-shuffle" aria-hidden="true" /> {fromWords(movedFrom)}
        </span>
      )}
    </button>
  );
}

function Tag({ children }: { readonly children: string }) {
  return <span class="lf-chip-tag">{children}</span>;
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

function fromWords(origin: MapOrigin): string {
  if (origin === 'nowhere') return t`from nowhere`;
  if (origin.slot === 'depth' || origin.slot === 'append_bottom') return t`from depth ${origin.depth}`;
  if (origin.slot === 'outlet') return t`from outlet`;
  return t`from ${slotWords(origin.slot, null, null, null).glyph}`;
}
