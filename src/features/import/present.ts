// Shows what an import did: a notice for one card, a summary for several.

import type { JsonObject } from '../../core/json.ts';
import { linkWorld } from '../../host/character-store.ts';
import { t, warn } from '../../host/context.ts';
import { confirmDialog } from '../../host/dialogs.ts';
import type { Journal } from '../../host/journal.ts';
import { type NoticeAction, notify, notifyError } from '../../host/notices.ts';
import { openWorldEditor, refreshWorldList } from '../../host/world-editor.ts';
import { changeSettings, settings } from '../settings/settings.ts';
import { askChanges } from './changed-dialog.tsx';
import { answerQuestion } from './extraction.ts';
import { inspection } from './inspect-offer.ts';
import { toJournal } from './journal-actions.ts';
import { type CardOutcome, outcomeLines, outcomeTitle } from './outcome.ts';
import { showSummary } from './summary-dialog.tsx';
import { saveBeside, undoStep } from './undo.ts';

/** Shows the outcomes of a batch. Cards in which there was nothing to do are not mentioned alone. */
export function presentOutcomes(outcomes: readonly CardOutcome[], journal: Journal): void {
  const told = outcomes.filter((outcome) =>
    outcome.kind === 'none' ? outcome.app !== undefined : outcome.kind !== 'left',
  );
  if (told.length === 0) return;
  const [only] = told;
  if (outcomes.length === 1 && only !== undefined) {
    presentOne(only, journal);
    tellOfExtraBooks(told);
    return;
  }
  const closed = showSummary(outcomes, {
    retry: (outcome) => retry(outcome, journal),
    undo: (list) => undoAll(list, journal),
    link: (outcome) => linkClaimed(outcome, journal),
  });
  // Not before: a notice would stand over the summary.
  void closed.then(() => tellOfExtraBooks(told));
}

async function linkClaimed(
  { avatar, character, world }: Extract<CardOutcome, { kind: 'claim' }>,
  journal: Journal,
): Promise<void> {
  const before = await linkWorld(avatar, world);
  const action = toJournal({ kind: 'link', avatar, before, after: world });
  await journal.add(t`${character}: linked to “${world}”`, [action]);
}

function presentOne(outcome: CardOutcome, journal: Journal): void {
  const lines = outcomeLines(outcome);
  if (outcome.kind === 'failed') {
    notify({
      kind: 'error',
      title: t`Card imported, lorebook not`,
      lines,
      sticky: true,
      actions:
        outcome.retry === null
          ? []
          : [
              {
                label: t`Try again`,
                onSelect: async () => presentOutcomes([await retry(outcome, journal)], journal),
              },
            ],
    });
    return;
  }
  if (outcome.kind === 'claim') {
    const link: NoticeAction = {
      label: t`Link it`,
      onSelect: () => linkClaimed(outcome, journal),
    };
    notify({
      kind: 'info',
      title: outcomeTitle(outcome),
      lines,
      actions: outcome.exists ? [link] : [],
      sticky: outcome.exists,
    });
    return;
  }
  if (outcome.kind === 'none') {
    notify({ kind: 'success', title: t`Character converted`, lines });
    return;
  }
  if (outcome.kind !== 'done') return;
  const actions: NoticeAction[] = [];
  const world = outcome.books[0]?.world;
  if (outcome.step !== null) actions.push({ label: t`Undo`, onSelect: () => undoAll([outcome], journal) });
  if (world !== undefined)
    actions.push({ label: t`Open in the editor`, onSelect: async () => void (await openWorldEditor(world)) });
  const inspect = inspection();
  if (inspect !== null)
    actions.push({
      label: t`Inspect`,
      onSelect: () => inspect({ kind: 'character', avatar: outcome.avatar }),
    });
  const created = outcome.books.some(({ how }) => how === 'created');
  notify({
    kind: created ? 'success' : 'info',
    title: created ? t`Lorebook extracted` : outcomeTitle(outcome),
    lines,
    actions,
  });
}

async function retry(outcome: CardOutcome, journal: Journal): Promise<CardOutcome> {
  if (outcome.kind !== 'failed' || outcome.retry === null) return outcome;
  const again = await outcome.retry();
  const result =
    again.kind === 'question' ? await answerQuestion(again, await askChanges(again.plan), journal) : again;
  await refreshWorldList();
  return result;
}

/** A person who undoes the extraction for one character may not want it the next time either. */
const leaveAlone = (avatar: string): NoticeAction => ({
  label: t`Leave this character alone`,
  onSelect: () => changeSettings({ leaveAlone: [...new Set([...settings().leaveAlone, avatar])] }),
});

async function undoAll(outcomes: readonly CardOutcome[], journal: Journal): Promise<void> {
  const ids = outcomes.flatMap((outcome) =>
    outcome.kind === 'done' && outcome.step !== null ? [outcome.step] : [],
  );
  const [only, ...others] = outcomes;
  const actions = only === undefined || others.length > 0 ? [] : [leaveAlone(only.avatar)];
  await undoSteps(ids.reverse(), journal, actions);
}

/**
 * Undoes steps of the journal, the newest first, and says what became of each; `actions` are offered when all of it
 * was undone.
 */
export async function undoSteps(
  ids: readonly string[],
  journal: Journal,
  actions: readonly NoticeAction[] = [],
): Promise<void> {
  const done: string[] = [];
  const left: string[] = [];
  let cardKeepsCopy = false;
  for (const id of ids) {
    try {
      const step = await journal.get(id);
      if (step === undefined) {
        left.push(t`This change is no longer in the journal.`);
        continue;
      }
      const result = await undoStep(step, journal);
      done.push(...result.done);
      left.push(...result.left);
      cardKeepsCopy ||= result.cardKeepsCopy;
      for (const { name, data } of result.saveBeside) await offerOldVersion(name, data, journal);
    } catch (error) {
      left.push(error instanceof Error ? error.message : String(error));
    }
  }
  await refreshWorldList();
  const title = done.length === 0 ? t`Not undone` : t`Not everything was undone`;
  if (left.length > 0) notify({ kind: 'warning', title, lines: [...left, ...done], sticky: true });
  else
    notify({
      kind: 'info',
      title: t`Undone`,
      lines: [...shortened(done), ...(cardKeepsCopy ? [t`The card keeps its copy.`] : [])],
      actions,
    });
}

// A whole batch undone would be a notice higher than the screen.
const MOST_LINES = 6;
const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= MOST_LINES ? lines : [t`${lines.length} changes are taken back.`];

async function offerOldVersion(name: string, data: JsonObject, journal: Journal): Promise<void> {
  const wanted = await confirmDialog({
    title: t`“${name}” was changed since`,
    lines: [t`Your newer changes stay. The version from before can be saved as a file of its own.`],
    okButton: t`Save the old version beside`,
    cancelButton: t`No`,
  });
  if (!wanted) return;
  try {
    const saved = await saveBeside(name, data, journal);
    notify({ kind: 'info', title: t`Saved as “${saved}”` });
  } catch (error) {
    warn('The old version was not saved.', error);
    notifyError(t`The old version was not saved`, error);
  }
}

// Additional books are SillyTavern settings: they stay behind when the character is exported. Said once.
function tellOfExtraBooks(outcomes: readonly CardOutcome[]): void {
  const hasExtra = outcomes.some((outcome) => outcome.kind === 'done' && outcome.books.length > 1);
  if (!hasExtra || settings().toldOfExtraBooks) return;
  changeSettings({ toldOfExtraBooks: true });
  notify({
    kind: 'info',
    title: t`About additional lorebooks`,
    lines: [
      t`A card links one lorebook; the others are additional lorebooks of the character. SillyTavern keeps these in its settings, so they do not travel with its own export.`,
    ],
  });
}
