// Takes a step of the journal back: only what we wrote, and only while it is still as we left it (decisions 22).

import type { JsonObject } from '../../core/json.ts';
import { lorebookFromBook } from '../../formats/_shared/character-book.ts';
import { worldFromLorebook } from '../../formats/sillytavern/world-twin.ts';
import { cardBookHash, readCardBook, writeCardBook } from '../../host/card-book.ts';
import { linkWorld, readCharacter } from '../../host/character-store.ts';
import { context, t } from '../../host/context.ts';
import type { Journal, JournalStep } from '../../host/journal.ts';
import { refreshWorldList, unsavedEdits } from '../../host/world-editor.ts';
import { activeWorlds, charactersWithExtra, extraBooks, setExtraBooks } from '../../host/world-links.ts';
import { deleteWorld, listWorlds, readWorld, writeWorld } from '../../host/world-store.ts';
import { changeSettings, currentAvatar, settings } from '../settings/settings.ts';
import { fromJournal, type ImportAction, toJournal } from './journal-actions.ts';
import { worldShelf } from './shelf.ts';

/** What became of an undo: sentences for the person, and worlds whose old version could not be put back. */
export interface UndoResult {
  readonly done: readonly string[];
  readonly left: readonly string[];
  /** Whether a character's card still holds the book that was taken away. */
  readonly cardKeepsCopy: boolean;
  /** Old versions that can still be saved beside the file that changed since. */
  readonly saveBeside: readonly { readonly name: string; readonly data: JsonObject }[];
}

/**
 * Undoes a step, the last change first. A step whose world file was edited since is refused whole: a link taken away
 * from a book that stays would be half an undo. The step leaves the
 * journal when all of it was undone. `refreshWorldList` is still to be called, once for all steps.
 */
export async function undoStep(step: JournalStep, journal: Journal): Promise<UndoResult> {
  const actions = step.actions.flatMap((raw) => atNow(fromJournal(raw), step.at) ?? []).reverse();
  const refused = await refusalOf(actions);
  if (refused !== null) return refused;
  const done: string[] = [];
  const left: string[] = [];
  for (const action of actions) {
    try {
      const said = await undoAction(action);
      if (said !== null) done.push(said);
    } catch (error) {
      left.push(error instanceof Error ? error.message : String(error));
      // What came before stays then, too: a link without its file would be half an undo.
      break;
    }
  }
  if (left.length === 0) await journal.remove(step.id);
  const kinds = new Set(actions.map(({ kind }) => kind));
  return { done, left, cardKeepsCopy: kinds.has('world-created') && kinds.has('link'), saveBeside: [] };
}

async function refusalOf(actions: readonly ImportAction[]): Promise<UndoResult | null> {
  const left: string[] = [];
  const saveBeside: { name: string; data: JsonObject }[] = [];
  for (const action of actions) {
    if (action.kind === 'card-book') {
      const now = await readCardBook(action.avatar, action.slot);
      if (cardBookHash(now) !== action.hash)
        left.push(t`${await cardOf(action.avatar)} holds another lorebook by now. It stays as it is.`);
    }
    // Alone, it is not known what took its place.
    if (action.kind === 'world-deleted' && actions.length === 1 && (await readWorld(action.name))) {
      left.push(t`There is another “${action.name}” by now. It stays as it is.`);
      saveBeside.push({ name: action.name, data: action.before });
    }
    if (action.kind !== 'world-created' && action.kind !== 'world-replaced') continue;
    const users = action.kind === 'world-created' ? await otherUsers(action.name, actions) : [];
    const state = await stateOf(action);
    if (users.length > 0) {
      left.push(t`“${action.name}” is linked to ${users.join(', ')} as well, so it stays.`);
    } else if (state === 'edited') {
      left.push(t`“${action.name}” was edited since. It stays as it is, with its link.`);
    } else if (state === 'gone' && action.kind === 'world-replaced') {
      left.push(t`“${action.name}” is gone already.`);
    } else {
      continue;
    }
    if (action.kind === 'world-replaced') saveBeside.push({ name: action.name, data: action.before });
  }
  return left.length === 0 ? null : { done: [], left, cardKeepsCopy: false, saveBeside };
}

const cardOf = async (avatar: string): Promise<string> =>
  t`The card of ${(await readCharacter(avatar)).name}`;

// The character that an action was about may have another file by now.
function atNow(action: ImportAction | null, at: number): ImportAction | null {
  return action !== null && 'avatar' in action
    ? { ...action, avatar: currentAvatar(action.avatar, at) }
    : action;
}

// Who would be left with a dead link; those that the step itself linked are unlinked by it.
async function otherUsers(world: string, actions: readonly ImportAction[]): Promise<readonly string[]> {
  const own = actions.flatMap((action) => ('avatar' in action ? [action.avatar] : []));
  const linked = (context().characters ?? [])
    .filter(({ avatar, data }) => data?.extensions?.world === world && !own.includes(avatar))
    .map(({ name }) => name);
  const { chat, persona, global } = await activeWorlds();
  return [
    ...new Set([
      ...linked,
      ...(await charactersWithExtra(world)).filter((name) => !own.includes(`${name}.png`)),
      ...(chat === world ? [t`this chat`] : []),
      ...(persona === world ? [t`your persona`] : []),
      ...(global.includes(world) ? [t`every chat`] : []),
    ]),
  ];
}

async function stateOf({
  name,
  hash,
}: {
  readonly name: string;
  readonly hash: string;
}): Promise<'ours' | 'edited' | 'gone'> {
  let stored = await readWorld(name);
  if (stored !== undefined && (await unsavedEdits(stored))) stored = await readWorld(name);
  return stored === undefined ? 'gone' : stored.hash === hash ? 'ours' : 'edited';
}

/**
 * Takes one action back and says so in one sentence; null when there was nothing to take back.
 * @throws the host's errors, one sentence each, when it is no longer as we left it
 */
export async function undoAction(action: ImportAction): Promise<string | null> {
  switch (action.kind) {
    case 'world-created': {
      if ((await readWorld(action.name)) === undefined) return t`“${action.name}” is gone already.`;
      await deleteWorld(action.name, { hash: action.hash });
      return t`The world file “${action.name}” is deleted.`;
    }
    case 'world-replaced':
      await writeWorld(action.name, action.before, { hash: action.hash });
      return t`“${action.name}” holds your old version again.`;
    case 'world-deleted':
      await writeWorld(action.name, action.before, 'absent');
      return t`“${action.name}” is there again.`;
    case 'link': {
      const { avatar } = action;
      const { world, name } = await readCharacter(avatar);
      if (world !== action.after)
        throw new Error(t`${name} is linked to another lorebook by now; that link stays.`);
      await linkWorld(avatar, action.before);
      return action.before === ''
        ? t`The link of ${name} is removed.`
        : t`${name} is linked to “${action.before}” again.`;
    }
    case 'extra-books': {
      const { avatar } = action;
      const ours = action.after.filter((name) => !action.before.includes(name));
      const now = await extraBooks(avatar);
      const taken = action.before.filter((name) => !action.after.includes(name));
      const kept = [...now.filter((name) => !ours.includes(name)), ...taken];
      if (!(await setExtraBooks(avatar, kept)))
        throw new Error(t`The additional lorebooks could not be removed.`);
      return taken.length > 0
        ? t`The additional lorebooks are as they were.`
        : t`The additional lorebooks are removed.`;
    }
    case 'card-book': {
      const { avatar, slot, before, hash } = action;
      await writeCardBook(avatar, slot, before, hash);
      const card = await cardOf(avatar);
      return before === null ? t`${card} holds no lorebook again.` : t`${card} holds its old lorebook again.`;
    }
    case 'leave-alone': {
      changeSettings({ leaveAlone: leftAlone(settings().leaveAlone, action.avatar, !action.after) });
      return action.after ? t`The character is watched again.` : t`The character is left alone again.`;
    }
    case 'set-aside':
      return null;
  }
}

/** The list of characters that are left alone, with one put in or taken out. */
export function leftAlone(avatars: readonly string[], avatar: string, isLeft: boolean): string[] {
  const others = avatars.filter((each) => each !== avatar);
  return isLeft ? [...others, avatar] : others;
}

/** Saves an old or set-aside version under a free name and returns that name; this too can be undone. */
export async function saveBeside(name: string, data: JsonObject, journal: Journal): Promise<string> {
  const taken = (await listWorlds()).map((world) => world.name);
  const free = await worldShelf.freshName(name, name, taken);
  const { hash } = await writeWorld(free, data, 'absent');
  await journal.add(t`Lorebook “${free}”`, [toJournal({ kind: 'world-created', name: free, hash })]);
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
