// The summary of a batch: counts on top, failures first, one row a card, one undo for all.

import { render } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { openDialog } from '../../host/dialogs.ts';
import { notify, notifyError } from '../../host/notices.ts';
import { openWorldEditor } from '../../host/world-editor.ts';
import { inspection } from './inspect-offer.ts';
import { type CardOutcome, outcomeLines, outcomeTitle } from './outcome.ts';

/** What the rows' buttons do. */
export interface SummaryActions {
  readonly retry: (outcome: CardOutcome) => Promise<CardOutcome>;
  readonly undo: (outcomes: readonly CardOutcome[]) => Promise<void>;
  /** Links the lorebook that a card names and the user has. */
  readonly link: (outcome: ClaimOutcome) => Promise<void>;
}

type ClaimOutcome = Extract<CardOutcome, { kind: 'claim' }>;

/** Shows the summary and waits until it is closed. */
export async function showSummary(outcomes: readonly CardOutcome[], actions: SummaryActions): Promise<void> {
  const content = document.createElement('div');
  const title = titleOf(outcomes);
  const dialog = openDialog(content, { title, okButton: t`Done`, wide: true });
  const openEditor = (world: string, now: readonly CardOutcome[]): void => {
    dialog.close();
    void openWorldEditor(world);
    offerAgain(now, actions);
  };
  render(
    <Summary outcomes={outcomes} actions={actions} close={dialog.close} openEditor={openEditor} />,
    content,
  );
  await dialog.closed;
  render(null, content);
}

const titleOf = ({ length }: readonly CardOutcome[]): string =>
  length === 1 ? t`1 card imported` : t`${length} cards imported`;

// The editor stands behind every dialog, so the summary makes room for it and can be had back.
function offerAgain(outcomes: readonly CardOutcome[], actions: SummaryActions): void {
  notify({
    kind: 'info',
    title: titleOf(outcomes),
    sticky: true,
    actions: [{ label: t`Show the summary`, onSelect: () => showSummary(outcomes, actions) }],
  });
}

type Group = 'failed' | 'extracted' | 'linked' | 'none';

function groupOf(outcome: CardOutcome): Group {
  if (outcome.kind === 'failed' || (outcome.kind === 'claim' && !outcome.exists)) return 'failed';
  if (outcome.kind !== 'done') return 'none';
  return outcome.books.some(
    ({ how }) => how === 'created' || how === 'replaced' || how === 'merged' || how === 'beside',
  )
    ? 'extracted'
    : 'linked';
}

const canBeLinked = (outcome: CardOutcome): boolean => outcome.kind === 'claim' && outcome.exists;

// What a person can still do something about stands before what is done with.
const askFirst = (a: CardOutcome, b: CardOutcome): number => Number(canBeLinked(b)) - Number(canBeLinked(a));

function linkWords(count: number): string {
  if (count === 0) return t`nothing to do`;
  return count === 1 ? t`1 can be linked` : t`${count} can be linked`;
}

const ICON: Readonly<Record<Group, string>> = {
  failed: 'triangle-exclamation',
  extracted: 'circle-check',
  linked: 'link',
  none: 'minus',
};

interface Props {
  readonly outcomes: readonly CardOutcome[];
  readonly actions: SummaryActions;
  readonly close: () => void;
  /** Opens a world in SillyTavern's editor, and keeps what the summary shows now. */
  readonly openEditor: (world: string, now: readonly CardOutcome[]) => void;
}

function Summary({ outcomes: first, actions, close, openEditor }: Props) {
  const [outcomes, setOutcomes] = useState(first);
  const [linked, setLinked] = useState(0);
  const order: readonly Group[] = ['failed', 'extracted', 'linked', 'none'];
  const rows = order.flatMap((group) =>
    outcomes.filter((outcome) => groupOf(outcome) === group).sort(askFirst),
  );
  const toLink = outcomes.filter(canBeLinked).length - linked;
  const count = (group: Group): number => outcomes.filter((outcome) => groupOf(outcome) === group).length;
  const undoable = outcomes.filter((outcome) => outcome.kind === 'done' && outcome.step !== null);
  const retry = async (outcome: CardOutcome): Promise<void> => {
    const next = await actions.retry(outcome);
    setOutcomes((now) => now.map((each) => (each === outcome ? next : each)));
  };
  return (
    <div class="lf-stack">
      <fieldset class="lf-counts lf-counts-four" aria-label={t`Result`}>
        <Count group="failed" count={count('failed')} word={t`Not done`} small={t`book not extracted`} />
        <Count
          group="extracted"
          count={count('extracted')}
          word={t`Extracted`}
          small={t`new files, linked`}
        />
        <Count group="linked" count={count('linked')} word={t`Linked`} small={t`to a book you have`} />
        <Count group="none" count={count('none')} word={t`No lorebook`} small={linkWords(toLink)} />
      </fieldset>
      <ul class="lf-rows">
        {rows.map((outcome) => (
          <Row
            key={outcome.avatar}
            outcome={outcome}
            retry={retry}
            link={async (claim) => {
              await actions.link(claim);
              setLinked((now) => now + 1);
            }}
            openEditor={(world) => openEditor(world, outcomes)}
          />
        ))}
      </ul>
      {undoable.length > 0 ? (
        <div class="lf-acts lf-acts-center">
          <button
            type="button"
            class="menu_button"
            onClick={() => {
              close();
              void actions.undo(undoable);
            }}
          >
            <i class="fa-solid fa-rotate-left" aria-hidden="true" />
            <span>{t`Undo all ${undoable.length}`}</span>
          </button>
        </div>
      ) : null}
    </div>
  );
}

function Count({ group, count, word, small }: { group: Group; count: number; word: string; small: string }) {
  return (
    <div class="lf-count-box">
      <b>{count}</b>
      <span>
        <i class={`fa-solid fa-${ICON[group]}`} aria-hidden="true" /> {word}
      </span>
      <small>{small}</small>
    </div>
  );
}

interface RowProps {
  readonly outcome: CardOutcome;
  readonly retry: (outcome: CardOutcome) => Promise<void>;
  readonly link: SummaryActions['link'];
  readonly openEditor: (world: string) => void;
}

function Row({ outcome, retry, link, openEditor }: RowProps) {
  const [busy, setBusy] = useState(false);
  const world = outcome.kind === 'done' ? outcome.books[0]?.world : undefined;
  return (
    <li class="lf-row lf-row-batch">
      <b class="lf-name">{outcome.character}</b>
      <div>
        <span class="lf-kind">
          <i class={`fa-solid fa-${ICON[groupOf(outcome)]}`} aria-hidden="true" /> {outcomeTitle(outcome)}
        </span>
        {outcomeLines(outcome).map((line) => (
          <div class="lf-muted" key={line}>
            {line}
          </div>
        ))}
      </div>
      <div>
        {outcome.kind === 'failed' && outcome.retry !== null ? (
          <button
            type="button"
            class="menu_button"
            disabled={busy}
            onClick={() => {
              setBusy(true);
              void retry(outcome).finally(() => setBusy(false));
            }}
          >
            {t`Try again`}
          </button>
        ) : null}
        {outcome.kind === 'claim' && outcome.exists ? <LinkButton outcome={outcome} link={link} /> : null}
        {world === undefined ? null : (
          <button type="button" class="menu_button" onClick={() => openEditor(world)}>
            {t`Open in the editor`}
          </button>
        )}
        <InspectButton outcome={outcome} />
      </div>
    </li>
  );
}

// The panel stands above the summary, which stays open.
function InspectButton({ outcome }: { readonly outcome: CardOutcome }) {
  const inspect = inspection();
  if (inspect === null || outcome.kind !== 'done') return null;
  return (
    <button
      type="button"
      class="menu_button"
      onClick={() => inspect({ kind: 'character', avatar: outcome.avatar })}
    >
      {t`Inspect`}
    </button>
  );
}

function LinkButton({ outcome, link }: { outcome: ClaimOutcome; link: SummaryActions['link'] }) {
  const [state, setState] = useState<'offered' | 'busy' | 'linked'>('offered');
  return (
    <button
      type="button"
      class="menu_button"
      disabled={state !== 'offered'}
      onClick={() => {
        setState('busy');
        link(outcome).then(
          () => setState('linked'),
          (error) => {
            setState('offered');
            notifyError(t`The link was not made`, error);
          },
        );
      }}
    >
      {state === 'linked' ? t`Linked` : t`Link it`}
    </button>
  );
}
