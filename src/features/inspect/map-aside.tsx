// Beside the prompt map: outlets, what goes nowhere, what moved, and how to read it.

import { useState } from 'preact/hooks';
import type { FiringReason } from '../../core/firing.ts';
import { t } from '../../host/context.ts';
import type { MovedGroup, PromptMap } from '../../inspection/prompt-map.ts';
import type { PromptReader } from '../../inspection/prompt-readers.ts';
import { cut } from './entry-row.tsx';
import { MapChips, ROWS_AT_FIRST } from './map-chips.tsx';

interface Props {
  readonly map: PromptMap;
  readonly reader: PromptReader;
  /** How many entries a box shows at first. */
  readonly first: number;
  readonly choose: (entryId: string) => void;
}

/** Draws the side. */
export function MapAside(props: Props) {
  const { map } = props;
  return (
    <aside class="lf-aside" aria-label={t`Beside the prompt`}>
      {map.moved.size === 0 ? null : <Moved moved={map.moved} />}
      <Outlets {...props} />
      {map.nowhere.length === 0 ? null : <Nowhere {...props} />}
      <Legend reader={props.reader} />
    </aside>
  );
}

function Outlets({ map, reader, first, choose }: Props) {
  const markerOf = reader.outletMarker ?? ((outlet: string) => `{{outlet::${outlet}}}`);
  const [shown, setShown] = useState(ROWS_AT_FIRST);
  const outlets = map.outlets ?? [];
  const more = outlets.length - shown;
  return (
    <>
      {outlets.slice(0, shown).map(({ outlet, entries }) => (
        <section class="lf-box" key={outlet}>
          <h4>
            <span class="lf-glyph">{t`Outlet`}</span>
            <span class="lf-text">{cut(outlet, OUTLET_LETTERS)}</span>
          </h4>
          <p class="lf-muted">
            {t`Stands wherever a prompt uses`}{' '}
            <code class="lf-text">{markerOf(cut(outlet, OUTLET_LETTERS))}</code>
          </p>
          <MapChips entries={entries} first={first} onChoose={choose} />
        </section>
      ))}
      {more > 0 ? (
        <button type="button" class="lf-link lf-show-more" onClick={() => setShown(shown + ROWS_AT_FIRST)}>
          {t`Outlets that are not shown: ${more}. Show more`}
        </button>
      ) : null}
    </>
  );
}

const OUTLET_LETTERS = 60;

function Nowhere({ map, first, choose }: Props) {
  const isSaid = (reason: FiringReason): boolean =>
    map.nowhere.some(({ view }) => view.diagnoses.some((each) => each.reason === reason));
  return (
    <section class="lf-box">
      <h4>
        <i class="fa-solid fa-link-slash" aria-hidden="true" />
        <span>{t`Goes nowhere`}</span>
      </h4>
      {map.nowhere.some(({ movedFrom }) => movedFrom !== null) ? (
        <p class="lf-muted">{t`There is no place for an outlet: the entry is off there, and its text is kept.`}</p>
      ) : null}
      {isSaid('no-outlet-name') ? (
        <p class="lf-muted">{t`An outlet entry needs an outlet name. Until then it never reaches the prompt.`}</p>
      ) : null}
      {isSaid('placed-nowhere') ? (
        <p class="lf-muted">{t`SillyTavern’s engine knows the positions 0 to 7 only. It passes over any other until its editor has opened the entry.`}</p>
      ) : null}
      <MapChips entries={map.nowhere} first={first} onChoose={choose} />
    </section>
  );
}

function groupName(group: MovedGroup): string {
  switch (group) {
    case 'outlets':
      return t`From outlets`;
    case 'depths':
      return t`From the chat’s depths`;
    case 'note':
      return t`From the author’s note`;
    case 'examples':
      return t`From around the examples`;
    case 'character':
      return t`From around the character`;
    case 'nowhere':
      return t`From nowhere`;
  }
}

function Moved({ moved }: { readonly moved: PromptMap['moved'] }) {
  return (
    <section class="lf-box">
      <h4>
        <i class="fa-solid fa-shuffle" aria-hidden="true" />
        <span>{t`What moved`}</span>
      </h4>
      <dl class="lf-tally">
        {[...moved].map(([group, count]) => (
          <div key={group}>
            <dt>{groupName(group)}</dt>
            <dd>
              <b>{count}</b>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

// An exporter numbers entries anew, so that they follow each other there as they should.
function Legend({ reader }: Pick<Props, 'reader'>) {
  const lines = [
    [
      'arrow-up-1-9',
      reader.id === 'sillytavern'
        ? t`The number is the order, left to right, then down.`
        : t`They follow each other left to right, then down. The number is the order in SillyTavern.`,
    ],
    ['thumbtack', t`Constant: always in the prompt.`],
    ['toggle-off', t`Off: shown where it would stand.`],
    ['shuffle', t`Moved: stands elsewhere in SillyTavern.`],
    ['triangle-exclamation', t`Cannot fire: nothing can start it.`],
    ['eye', t`Choose an entry to find it in the table.`],
  ] as const;
  return (
    <section class="lf-box">
      <h4>{t`How to read it`}</h4>
      <ul class="lf-legend">
        {lines.map(([icon, words]) => (
          <li key={icon}>
            <i class={`fa-solid fa-${icon}`} aria-hidden="true" />
            <span class="lf-muted">{words}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
