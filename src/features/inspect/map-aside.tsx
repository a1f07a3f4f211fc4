// Beside the prompt map: outlets, what goes nowhere, what moved, and how to read it.

import { t } from '../../host/context.ts';
import type { MovedGroup, PromptMap } from '../../inspection/prompt-map.ts';
import { cut } from './entry-row.tsx';
import { MapChips } from './map-chips.tsx';

interface Props {
  readonly map: PromptMap;
  readonly choose: (entryId: string) => void;
}

/** Draws the side. */
export function MapAside({ map, choose }: Props) {
  return (
    <aside class="lf-aside">
      {map.moved.size === 0 ? null : <Moved moved={map.moved} />}
      {(map.outlets ?? []).map(({ outlet, entries }) => (
        <section class="lf-box" key={outlet}>
          <h4>
            <i class="fa-solid fa-plug" aria-hidden="true" />
            <span class="lf-text">{t`Outlet “${cut(outlet, 60)}”`}</span>
          </h4>
          <p class="lf-muted">{t`Stands where a prompt calls this outlet, else nowhere.`}</p>
          <MapChips entries={entries} onChoose={choose} />
        </section>
      ))}
      {map.nowhere.length === 0 ? null : (
        <section class="lf-box">
          <h4>
            <i class="fa-solid fa-link-slash" aria-hidden="true" />
            <span>{t`Goes nowhere`}</span>
          </h4>
          <MapChips entries={map.nowhere} onChoose={choose} />
        </section>
      )}
      <Legend />
    </aside>
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

function Legend() {
  const lines = [
    ['arrow-up-1-9', t`The number is the order, left to right, then down.`],
    ['thumbtack', t`Constant: always in the prompt.`],
    ['toggle-off', t`Off: shown where it would stand.`],
    ['shuffle', t`Moved: stands elsewhere in SillyTavern.`],
    ['triangle-exclamation', t`Cannot fire: nothing can start it.`],
    ['eye', t`Choose an entry to find it in the table.`],
  ] as const;
  return (
    <section class="lf-box lf-only-desk">
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
