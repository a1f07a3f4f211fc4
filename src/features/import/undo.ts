// Takes a step of the journal back: only what we wrote, and only while it is still as we left it (decisions 22).

import type { JsonObject } from '../../core/json.ts';
import { lorebookFromBook } from '../../formats/_shared/character-book.ts';
import { worldFromLorebook } from '../../formats/sillytavern/world-twin.ts';
import { linkWorld, readCharacter } from '../../host/character-store.ts';
import { t } from '../../host/context.ts';
import type { Journal, JournalStep } from '../../host/journal.ts';
import { refreshWorldList } from '../../host/world-editor.ts';
import { extraBooks, setExtraBooks } from '../../host/world-links.ts';
import { deleteWorld, listWorlds, readWorld, WorldChangedError, writeWorld } from '../../host/world-store.ts';
import { currentAvatar } from '../settings/settings.ts';
import { fromJournal, type ImportAction } from './journal-actions.ts';
import { worldShelf } from './shelf.ts';

/** What became of an undo: sentences for the person, and worlds whose old version could not be put back. */
export interface UndoResult {
  readonly done: readonly string[];
  readonly left: readonly string[];
  /** Old versions that can still be saved beside the file that changed since. */
  readonly saveBeside: readonly { readonly name: string; readonly data: JsonObject }[];
}

/**
 * Undoes a step, the last change first. What is no longer as we left it stays, and is named. The step leaves the
 * journal when all of it was undone.
 */
export async function undoStep(step: JournalStep, journal: Journal): Promise<UndoResult> {
  const done: string[] = [];
  const left: string[] = [];
  const saveBeside: { name: string; data: JsonObject }[] = [];
  for (const raw of [...step.actions].reverse()) {
    const action = fromJournal(raw);
    if (action === null) continue;
    try {
      const said = await undoAction(action);
      if (said !== null) done.push(said);
    } catch (error) {
      left.push(error instanceof Error ? error.message : String(error));
      if (action.kind === 'world-replaced' && error instanceof WorldChangedError) {
        saveBeside.push({ name: action.name, data: action.before });
      }
    }
  }
  await refreshWorldList();
  if (left.length === 0) await journal.remove(step.id);
  return { done, left, saveBeside };
}

async function undoAction(action: ImportAction): Promise<string | null> {
  switch (action.kind) {
    case 'world-created': {
      if ((await readWorld(action.name)) === undefined) return t`“${action.name}” is gone already.`;
      await deleteWorld(action.name, { hash: action.hash });
      return t`The world file “${action.name}” is deleted.`;
    }
    case 'world-replaced':
      await writeWorld(action.name, action.before, { hash: action.hash });
      return t`“${action.name}” holds your old version again.`;
    case 'link': {
      const avatar = currentAvatar(action.avatar);
      const { world, name } = await readCharacter(avatar);
      if (world !== action.after)
        throw new Error(t`${name} is linked to another lorebook by now; that link stays.`);
      await linkWorld(avatar, action.before);
      return action.before === ''
        ? t`The link of ${name} is removed.`
        : t`${name} is linked to “${action.before}” again.`;
    }
    case 'extra-books': {
      const avatar = currentAvatar(action.avatar);
      const ours = action.after.filter((name) => !action.before.includes(name));
      const now = await extraBooks(avatar);
      await setExtraBooks(
        avatar,
        now.filter((name) => !ours.includes(name)),
      );
      return t`The additional lorebooks are removed.`;
    }
    case 'set-aside':
      return null;
  }
}

/** Saves an old or set-aside version under a free name and returns that name. */
export async function saveBeside(name: string, data: JsonObject): Promise<string> {
  const taken = (await listWorlds()).map((world) => world.name);
  const free = await worldShelf.freshName(name, name, taken);
  await writeWorld(free, data, 'absent');
  await refreshWorldList();
  return free;
}

/** The version that an import set aside, as a world file; null when the step holds none. */
export function setAsideOf(step: JournalStep): { readonly name: string; readonly data: JsonObject } | null {
  for (const raw of step.actions) {
    const action = fromJournal(raw);
    if (action?.kind !== 'set-aside') continue;
    const lorebook = lorebookFromBook(action.raw, action.slot, action.name);
    return {
      name: action.name,
      data: worldFromLorebook(lorebook, { character: action.avatar, slot: action.slot }),
    };
  }
  return null;
}
