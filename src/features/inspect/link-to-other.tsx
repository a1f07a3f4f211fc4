// Linking a world to any character of the list.

import { useEffect, useState } from 'preact/hooks';
import { listedCharacters } from '../../host/character-list.ts';
import { t } from '../../host/context.ts';
import { notifyError } from '../../host/notices.ts';
import type { ChangePlan } from './change-plan.ts';
import { addPlan, type LinkState, linkPlan, linkStateOf, removePlan, unlinkPlan } from './link-plans.ts';
import { SearchSelect } from './search-select.tsx';
import type { TabProps } from './tab.ts';

interface Props {
  readonly world: string;
  readonly worldNames: readonly string[];
  /** The character that has buttons of its own, by its avatar. */
  readonly except: string | null;
  readonly propose: TabProps['propose'];
}

/** Draws the choice of a character, what it is linked to, and what can be done. */
export function LinkToOther({ world, worldNames, except, propose }: Props) {
  const others = listedCharacters().filter(({ avatar }) => avatar !== except);
  const [avatar, setAvatar] = useState(others[0]?.avatar ?? '');
  const [state, setState] = useState<LinkState | null>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    // Answers may come in another order than they were asked for.
    let isCurrent = asked >= 0;
    if (avatar !== '')
      linkStateOf(avatar, worldNames).then(
        (read) => isCurrent && setState(read),
        (error) => isCurrent && notifyError(t`The character could not be read`, error),
      );
    return () => {
      isCurrent = false;
    };
  }, [avatar, asked, worldNames]);
  if (others.length === 0) return null;
  const run = (plan: ChangePlan): void => void propose(plan).then(() => setAsked((now) => now + 1));
  return (
    <section>
      <SearchSelect
        label={except === null ? t`Link to a character` : t`Link to another character`}
        options={others.map((each) => ({ value: each.avatar, text: each.name }))}
        chosen={setAvatar}
      />
      {state === null || state.avatar !== avatar ? null : (
        <div class="lf-link-line">
          <p role="status">{stateWords(world, state)}</p>
          <div class="lf-acts">
            <button
              type="button"
              class="menu_button"
              onClick={() => run(state.linked === world ? unlinkPlan(state) : linkPlan(world, state))}
            >
              {state.linked === world ? t`Unlink…` : t`Link as the main lorebook…`}
            </button>
            {state.additional.includes(world) ? (
              <button type="button" class="menu_button" onClick={() => run(removePlan(world, state))}>
                {t`Remove from the additional lorebooks…`}
              </button>
            ) : (
              <button type="button" class="menu_button" onClick={() => run(addPlan(world, state))}>
                {t`Add as an additional lorebook…`}
              </button>
            )}
          </div>
        </div>
      )}
    </section>
  );
}

function stateWords(world: string, { name, linked, linkExists, additional }: LinkState): string {
  if (linked === world) return t`“${world}” is the main lorebook of ${name}.`;
  const main =
    linked === ''
      ? t`${name} has no main lorebook.`
      : linkExists
        ? t`The main lorebook of ${name} is “${linked}”; linking this one replaces it.`
        : t`${name} is linked to “${linked}”, which does not exist.`;
  return additional.includes(world) ? `${main} ${t`This one is an additional lorebook.`}` : main;
}
