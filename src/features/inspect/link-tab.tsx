// The tab "Link": which character has this lorebook, as its main or an additional one, and who else uses it.

import { useContext, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { notifyError } from '../../host/notices.ts';
import { extractExisting } from '../library/extract-existing.ts';
import type { ChangePlan } from './change-plan.ts';
import { addPlan, type LinkState, leaveAlonePlan, linkPlan, removePlan, unlinkPlan } from './link-plans.ts';
import { LinkToOther } from './link-to-other.tsx';
import { PanelServicesContext } from './panel-services.ts';
import type { SubjectCharacter } from './subject.ts';
import type { TabProps } from './tab.ts';
import { WorldUsersList } from './world-users-list.tsx';

/** Draws the tab. */
export function LinkTab({ subject, book, propose }: TabProps) {
  const { character } = subject;
  const own = character?.avatar ? stateOf(character, character.avatar) : null;
  if (book.kind === 'file') return <ImportFirst />;
  // A card's copy is no file that could be linked; the world file that it belongs to is.
  const fileOfCopy = own?.linkExists === true ? own.linked : null;
  const world = book.kind === 'card' ? fileOfCopy : book.name;
  return (
    <div class="lf-link-tab">
      {own !== null && character !== null ? (
        <section aria-label={t`This character`}>
          <h4>{own.name}</h4>
          <MainLink character={character} state={own} propose={propose} />
          {book.kind === 'card' ? <CardCopy state={own} /> : null}
          {world === null ? null : <OwnLinks world={world} state={own} propose={propose} />}
          <LeaveAlone character={character} state={own} propose={propose} />
        </section>
      ) : null}
      {world === null ? null : (
        <>
          <LinkToOther
            world={world}
            worldNames={subject.worldNames}
            except={own?.avatar ?? null}
            propose={propose}
          />
          <WorldUsersList key={world} world={world} subject={subject} />
        </>
      )}
    </div>
  );
}

/** The links of a character that has no lorebook at all. */
export function CharacterLink({ subject: { character }, propose }: Pick<TabProps, 'subject' | 'propose'>) {
  if (character === null || character.avatar === null) return <ImportFirst />;
  const state = stateOf(character, character.avatar);
  return (
    <div class="lf-link-tab">
      <section aria-label={t`This character`}>
        <h4>{state.name}</h4>
        <MainLink character={character} state={state} propose={propose} />
        <LeaveAlone character={character} state={state} propose={propose} />
      </section>
    </div>
  );
}

function stateOf(character: SubjectCharacter, avatar: string): LinkState {
  const { name, linked, linkExists, additional } = character;
  return { avatar, name, linked, linkExists, additional };
}

interface OwnProps {
  readonly state: LinkState;
  readonly propose: TabProps['propose'];
}

function MainLink({ character, state, propose }: OwnProps & { readonly character: SubjectCharacter }) {
  const { name, linked, linkExists, additional } = state;
  if (linked === '') return <p>{t`${name} has no main lorebook.`}</p>;
  if (linkExists)
    return (
      <div class="lf-link-line">
        <p>{t`The main lorebook is “${linked}”. SillyTavern generates from that world file.`}</p>
        <PlanButton label={t`Unlink…`} plan={() => unlinkPlan(state)} propose={propose} />
      </div>
    );
  return (
    <div class="lf-link-line">
      <p>
        <i class="fa-solid fa-link-slash" aria-hidden="true" />{' '}
        {t`The linked world “${linked}” does not exist.`} {relinkWords(character.relink)}
      </p>
      <div class="lf-acts">
        {character.relink.map((target) => (
          <PlanButton
            key={target}
            label={character.relink.length === 1 ? t`Link to it…` : t`Link to “${target}”…`}
            plan={() => linkPlan(target, { ...state, additional })}
            propose={propose}
          />
        ))}
        <PlanButton label={t`Remove the link…`} plan={() => unlinkPlan(state)} propose={propose} />
      </div>
    </div>
  );
}

function relinkWords(targets: readonly string[]): string {
  const [only] = targets;
  if (only === undefined) return '';
  return targets.length === 1
    ? t`“${only}” has the same content.`
    : t`${targets.length} world files have the same content.`;
}

function OwnLinks({ world, state, propose }: OwnProps & { readonly world: string }) {
  const isMain = state.linked === world;
  const isAdditional = state.additional.includes(world);
  return (
    <div class="lf-link-line">
      {isAdditional ? <p>{t`“${world}” is an additional lorebook of ${state.name}.`}</p> : null}
      <div class="lf-acts">
        {isMain ? null : (
          <PlanButton
            label={t`Make “${world}” the main lorebook…`}
            plan={() => linkPlan(world, state)}
            propose={propose}
          />
        )}
        {isMain || isAdditional ? null : (
          <PlanButton
            label={t`Add as an additional lorebook…`}
            plan={() => addPlan(world, state)}
            propose={propose}
          />
        )}
        {isAdditional ? (
          <PlanButton
            label={t`Remove from the additional lorebooks…`}
            plan={() => removePlan(world, state)}
            propose={propose}
          />
        ) : null}
      </div>
    </div>
  );
}

function CardCopy({ state }: { readonly state: LinkState }) {
  const services = useContext(PanelServicesContext);
  const [busy, setBusy] = useState(false);
  if (state.linkExists)
    return (
      <p class="lf-muted">{t`This is the copy in the card. The links here are those of the world file.`}</p>
    );
  const extract = (): void => {
    if (services === null) return;
    setBusy(true);
    extractExisting(state.avatar, services.journal)
      .then(services.refresh, (error) => notifyError(t`The lorebook was not extracted`, error))
      .finally(() => setBusy(false));
  };
  return (
    <div class="lf-link-line">
      <p>{t`This lorebook stands only in the card, and SillyTavern does not use it there. Extracted, it is a world file linked to ${state.name}.`}</p>
      {services === null ? null : (
        <button type="button" class="menu_button" disabled={busy} onClick={extract}>
          {t`Extract lorebook`}
        </button>
      )}
    </div>
  );
}

function LeaveAlone({ character, state, propose }: OwnProps & { readonly character: SubjectCharacter }) {
  const { isLeftAlone } = character;
  return (
    <div class="lf-link-line">
      {isLeftAlone ? <p>{t`Loreferry leaves this character alone at imports.`}</p> : null}
      <PlanButton
        label={isLeftAlone ? t`Watch this character again…` : t`Leave this character alone…`}
        plan={() => leaveAlonePlan(state.avatar, state.name, !isLeftAlone)}
        propose={propose}
      />
    </div>
  );
}

interface PlanButtonProps {
  readonly label: string;
  readonly plan: () => ChangePlan;
  readonly propose: TabProps['propose'];
}

function PlanButton({ label, plan, propose }: PlanButtonProps) {
  return (
    <button type="button" class="menu_button" onClick={() => void propose(plan())}>
      {label}
    </button>
  );
}

function ImportFirst() {
  const services = useContext(PanelServicesContext);
  const run = services?.importFile ?? null;
  return (
    <div class="lf-link-tab">
      <p>{t`Import it first: a file can be linked to a character only once it is in SillyTavern.`}</p>
      {run === null ? null : (
        <div class="lf-acts">
          <button type="button" class="menu_button lf-primary" onClick={() => void run()}>
            {t`Import it`}
          </button>
        </div>
      )}
    </div>
  );
}
