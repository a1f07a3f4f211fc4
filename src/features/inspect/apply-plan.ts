// Executes a plan of the panel: every change checked against what was read when planning, all of them or none.

import { sameJson } from '../../core/json.ts';
import { cardBookHash, writeCardBook } from '../../host/card-book.ts';
import { linkWorld, readCharacter } from '../../host/character-store.ts';
import { t, warn } from '../../host/context.ts';
import type { Journal } from '../../host/journal.ts';
import { notify } from '../../host/notices.ts';
import { extraBooks, setExtraBooks } from '../../host/world-links.ts';
import { writeWorld } from '../../host/world-store.ts';
import { type ImportAction, toJournal } from '../import/journal-actions.ts';
import { undoSteps } from '../import/present.ts';
import { leftAlone, undoAction } from '../import/undo.ts';
import { changeSettings, settings } from '../settings/settings.ts';
import type { ChangePlan, PlannedChange } from './change-plan.ts';

/**
 * Applies a plan in the order of its changes, keeps it in the journal, and says so with an "Undo". When a change fails,
 * those before it are taken back and the error is thrown on.
 *
 * @param onUndone told when the person undoes it from the notice
 * @throws the host's errors, one sentence each; an Error when something is not as it was when planning
 */
export async function applyPlan(
  plan: ChangePlan,
  journal: Journal,
  onUndone: () => void = () => {},
): Promise<void> {
  const actions: ImportAction[] = [];
  try {
    for (const change of plan.changes) {
      const action = await applyChange(change);
      if (action !== null) actions.push(action);
    }
  } catch (error) {
    await takeBack(actions);
    throw error;
  }
  if (actions.length === 0) {
    notify({ kind: 'info', title: plan.title, lines: [t`Nothing had to be changed.`] });
    return;
  }
  const step = await journal.add(plan.title, actions.map(toJournal));
  const undo = (id: string) => undoSteps([id], journal).then(onUndone);
  notify({
    kind: 'success',
    title: t`Done: ${plan.title}`,
    lines: step === undefined ? [t`It is too large for the journal and cannot be undone.`] : [],
    actions: step === undefined ? [] : [{ label: t`Undo`, onSelect: () => undo(step.id) }],
  });
}

// Null: it is so already, and there will be nothing to take back.
async function applyChange(change: PlannedChange): Promise<ImportAction | null> {
  switch (change.kind) {
    case 'world': {
      const { name, before, after } = change;
      if (sameJson(before, after)) return null;
      const { hash } = await writeWorld(name, after, { hash: change.hash });
      return { kind: 'world-replaced', name, hash, before };
    }
    case 'card-book': {
      const { avatar, slot, before, after } = change;
      if (sameJson(before, after)) return null;
      await writeCardBook(avatar, slot, after, cardBookHash(before));
      return { kind: 'card-book', avatar, slot, hash: cardBookHash(after), before };
    }
    case 'link':
      return applyLink(change);
    case 'extra-books':
      return applyExtraBooks(change);
    case 'leave-alone': {
      const { avatar, after } = change;
      const { leaveAlone } = settings();
      if (leaveAlone.includes(avatar) === after) return null;
      changeSettings({ leaveAlone: leftAlone(leaveAlone, avatar, after) });
      return { kind: 'leave-alone', avatar, after };
    }
  }
}

async function applyLink(change: Extract<PlannedChange, { kind: 'link' }>): Promise<ImportAction | null> {
  const { avatar, before, after } = change;
  const { world, name } = await readCharacter(avatar);
  if (world !== before) throw new Error(t`${name} is linked to another lorebook by now.`);
  if (before === after) return null;
  await linkWorld(avatar, after);
  return { kind: 'link', avatar, before, after };
}

async function applyExtraBooks(
  change: Extract<PlannedChange, { kind: 'extra-books' }>,
): Promise<ImportAction | null> {
  const { avatar, before, after } = change;
  if (!sameJson(await extraBooks(avatar), before))
    throw new Error(t`The additional lorebooks were changed in the meantime.`);
  if (sameJson(before, after)) return null;
  if (!(await setExtraBooks(avatar, after)))
    throw new Error(t`This SillyTavern does not let additional lorebooks be changed.`);
  return { kind: 'extra-books', avatar, before, after };
}

async function takeBack(actions: readonly ImportAction[]): Promise<void> {
  for (const action of [...actions].reverse()) {
    try {
      await undoAction(action);
    } catch (error) {
      warn(`A change could not be taken back (${action.kind}).`, error);
    }
  }
}
