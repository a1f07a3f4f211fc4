// One upload of SillyTavern's World Info panel: another app's lorebook is stored as we read it, a world file as it is.
// What SillyTavern deleted to make room for it is kept, and is put back when nothing comes of the import (decisions 37).

import { writeCardJson } from '../../containers/card-json.ts';
import { ContainerError } from '../../containers/container.ts';
import type { JsonObject } from '../../core/json.ts';
import { sameJson } from '../../core/json.ts';
import { appName } from '../../formats/app-names.ts';
import { t, warn } from '../../host/context.ts';
import type { Journal } from '../../host/journal.ts';
import { type NoticeAction, notify, notifyError } from '../../host/notices.ts';
import { refreshWorldList } from '../../host/world-editor.ts';
import {
  type DeletedWorld,
  type WorldImportHandlers,
  type WorldUpload,
  type WorldUploadWatcher,
  worldImportHandlers,
} from '../../host/world-import-hook.ts';
import { countEntries, readWorld, type StoredWorld, writeWorld } from '../../host/world-store.ts';
import { giveBackUses } from '../../host/world-uses.ts';
import { type OpenedFile, openFile } from '../../open-file.ts';
import { storedLines } from './import-lorebooks.ts';
import { type ImportAction, toJournal } from './journal-actions.ts';
import { appOf, lorebookOf, needsWriting, worldOf } from './lorebook-file.ts';
import { entryCount } from './outcome.ts';
import { undoSteps } from './present.ts';

/** What is done at the endpoints of the World Info panel. */
export function worldUploads(journal: Journal): WorldImportHandlers {
  return worldImportHandlers({
    onUpload: (upload) => watchWorldUpload(upload, journal),
    onError: (error) => warn('An import of a lorebook went on without us.', error),
  });
}

/** Watches one upload. */
export function watchWorldUpload({ file, deleted }: WorldUpload, journal: Journal): WorldUploadWatcher {
  let opened: OpenedFile | null = null;
  let ready: JsonObject | null = null;
  let sent: JsonObject | null = null;
  let isAsked = false;

  return {
    before: async () => {
      opened = await openUpload(file);
      if (opened !== null && opened.kind !== 'card' && needsWriting(opened)) ready = worldOf(opened);
    },
    replacement: () => {
      // What is ready only later was not sent.
      isAsked = true;
      sent = ready;
      return sent === null ? undefined : new File([new Uint8Array(writeCardJson(sent))], file.name);
    },
    after: async (name) => {
      const stored = await readBack(name);
      if (stored === undefined) {
        if (deleted !== undefined) await keepOld(deleted, name, journal);
        return;
      }
      const step = await noted(stored, deleted, sent !== null, journal);
      if (opened !== null && opened.kind !== 'card') tell(opened, stored, { deleted, sent, step, journal });
      if (deleted?.name === name && (await giveBackUses(name, deleted.uses))) await refreshWorldList();
    },
    failed: async () => {
      if (deleted !== undefined) await putBack(deleted, journal);
      if (isAsked && opened?.kind === 'card') tellOfCard(opened.pieces.character.name);
    },
  };
}

async function readBack(name: string): Promise<StoredWorld | undefined> {
  try {
    return await readWorld(name);
  } catch (error) {
    warn('A lorebook that was imported could not be read back.', error);
    return undefined;
  }
}

// Nobody knows what stands there now; what stood there before is not lost with it.
async function keepOld(deleted: DeletedWorld, name: string, journal: Journal): Promise<void> {
  const action = toJournal({ kind: 'world-deleted', name: deleted.name, before: deleted.data });
  const step = await journal.add(t`Lorebook “${deleted.name}”, deleted for an import`, [action]);
  notify({
    kind: 'warning',
    title: t`Import not checked`,
    lines: [t`“${name}” could not be read back.`, oldLine(deleted, step?.id ?? null)],
    sticky: true,
  });
}

const oldLine = ({ name }: DeletedWorld, step: string | null): string =>
  step === null
    ? t`Your old “${name}” was too large to be kept.`
    : t`Your old “${name}” is kept in Recent changes.`;

// A plain world file that replaces nothing is SillyTavern's own affair.
async function noted(
  { name, hash }: StoredWorld,
  deleted: DeletedWorld | undefined,
  isOurs: boolean,
  journal: Journal,
): Promise<string | null> {
  if (deleted === undefined && !isOurs) return null;
  const created: ImportAction = { kind: 'world-created', name, hash };
  const actions: readonly ImportAction[] =
    deleted === undefined
      ? [created]
      : deleted.name === name
        ? [{ kind: 'world-replaced', name, hash, before: deleted.data }]
        : [{ kind: 'world-deleted', name: deleted.name, before: deleted.data }, created];
  const step = await journal.add(t`Lorebook “${name}”`, actions.map(toJournal));
  return step?.id ?? null;
}

interface Told {
  readonly deleted: DeletedWorld | undefined;
  readonly sent: JsonObject | null;
  readonly step: string | null;
  readonly journal: Journal;
}

function tell(
  file: Exclude<OpenedFile, { kind: 'card' }>,
  { name, data }: StoredWorld,
  { deleted, sent, step, journal }: Told,
): void {
  const actions: NoticeAction[] =
    step === null ? [] : [{ label: t`Undo`, onSelect: () => undoSteps([step], journal) }];
  const old = deleted === undefined ? [] : [oldLine(deleted, step)];
  const app = appOf(file);
  if (needsWriting(file) && sent === null) {
    const line =
      app === null
        ? t`“${name}” came in as SillyTavern itself reads it.`
        : t`“${name}” was written by ${appName(app)} and came in as SillyTavern itself reads it.`;
    notify({ kind: 'warning', title: t`Not converted`, lines: [line, ...old], actions, sticky: true });
  } else if (sent !== null && !sameJson(data, sent)) {
    const [wanted, found] = [countEntries(sent), countEntries(data)];
    const line = t`“${name}” reads back with ${found} of ${wanted} entries.`;
    notify({ kind: 'error', title: t`Lorebook not whole`, lines: [line, ...old], actions, sticky: true });
  } else if (sent !== null) {
    const title = app === null ? t`Lorebook imported` : t`Lorebook converted`;
    notify({ kind: 'success', title, lines: [...storedLines(file, name), ...old], actions });
  } else if (deleted !== undefined) {
    const title = t`Lorebook replaced`;
    const count = lorebookOf(file).body.entries.length;
    notify({ kind: 'info', title, lines: [t`“${name}”: ${entryCount(count)}.`, ...old], actions });
  }
}

async function putBack({ name, data, uses }: DeletedWorld, journal: Journal): Promise<void> {
  // First of all it is kept: whatever fails now, it can be had back.
  const action = toJournal({ kind: 'world-deleted', name, before: data });
  const step = await journal.add(t`Lorebook “${name}”, deleted for an import that failed`, [action]);
  try {
    await writeWorld(name, data, 'absent');
    await giveBackUses(name, uses);
    await refreshWorldList();
    if (step !== undefined) await journal.remove(step.id);
    notify({
      kind: 'warning',
      title: t`“${name}” is there again`,
      lines: [t`SillyTavern had deleted it to make room, and then the import failed.`],
      sticky: true,
    });
  } catch (error) {
    warn('A lorebook that was deleted for an import could not be put back.', error);
    notifyError(t`“${name}” could not be put back`, error, [
      ...(step === undefined ? [] : [{ label: t`Try again`, onSelect: () => undoSteps([step.id], journal) }]),
    ]);
  }
}

function tellOfCard(name: string): void {
  notify({
    kind: 'warning',
    title: t`Not a lorebook`,
    lines: [
      t`“${name}” is a character. Import it with the buttons of the character list; its lorebook comes along.`,
    ],
    sticky: true,
  });
}

async function openUpload(file: File): Promise<OpenedFile | null> {
  try {
    return openFile(new Uint8Array(await file.arrayBuffer()), file.name);
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error;
    return null;
  }
}
