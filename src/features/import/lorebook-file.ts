// A lorebook file that was offered as a character: refused there, and offered as what it is.

import { isObject } from '../../core/json.ts';
import { worldFromLorebook } from '../../formats/sillytavern/world-twin.ts';
import { t } from '../../host/context.ts';
import type { Journal } from '../../host/journal.ts';
import { notify } from '../../host/notices.ts';
import { refreshWorldList } from '../../host/world-editor.ts';
import { listWorlds, writeWorld } from '../../host/world-store.ts';
import type { OpenedFile } from '../../open-file.ts';
import { type ImportAction, toJournal } from './journal-actions.ts';
import { entryCount } from './outcome.ts';
import { undoSteps } from './present.ts';
import { worldShelf } from './shelf.ts';

/** A lorebook that is a file of its own. */
export type LorebookFile = Exclude<OpenedFile, { kind: 'card' }>;

/** Tells that a file is a lorebook and not a character, with a button that imports it as a lorebook. */
export function offerLorebookFile(file: LorebookFile, journal: Journal): void {
  const { name } = lorebookOf(file);
  notify({
    kind: 'warning',
    title: t`Not a character`,
    lines: [
      file.kind === 'worldinfo'
        ? t`“${name}” is a world info file, not a character. No character was made of it.`
        : t`“${name}” is a lorebook, not a character. No character was made of it.`,
    ],
    sticky: true,
    actions: [{ label: t`Import as lorebook`, onSelect: () => importLorebookFile(file, journal) }],
  });
}

const lorebookOf = (file: LorebookFile) => (file.kind === 'worldinfo' ? file.world.lorebook : file.lorebook);

/** Stores a lorebook file under a free name; an existing world is never written over. */
export async function importLorebookFile(file: LorebookFile, journal: Journal): Promise<void> {
  const lorebook = lorebookOf(file);
  const taken = (await listWorlds()).map(({ name }) => name);
  const free = await worldShelf.freshName(lorebook.name, 'Lorebook', taken);
  const raw = file.container.json;
  const data =
    file.kind === 'worldinfo' && isObject(raw)
      ? raw
      : worldFromLorebook(lorebook, { character: '', slot: 'worldinfo' });
  const { name, hash } = await writeWorld(free, data, 'absent');
  await refreshWorldList();
  const action: ImportAction = { kind: 'world-created', name, hash };
  const step = await journal.add(t`Lorebook “${name}”`, [toJournal(action)]);
  notify({
    kind: 'success',
    title: t`Lorebook imported`,
    lines: [t`“${name}”: ${entryCount(lorebook.body.entries.length)}. It is not linked to a character.`],
    actions: step === undefined ? [] : [{ label: t`Undo`, onSelect: () => undoSteps([step.id], journal) }],
  });
}
