// The extension's door: started by SillyTavern's manifest hooks where a client has them, by itself where not.

import { exportingPlaces } from './features/export/export-places.ts';
import { startImportFlow } from './features/import/import-flow.ts';
import { openingPlaces } from './features/inspect/open-places.ts';
import { mountSettings } from './features/settings/mount-settings.ts';
import { followDuplicate, followRename } from './features/settings/settings.ts';
import { t, warn } from './host/context.ts';
import { onCharacterDuplicated, onCharacterRenamed } from './host/events.ts';
import { openJournal } from './host/journal.ts';
import { addCharacterMenuItem, addImportButton } from './host/menus.ts';
import { notifyError } from './host/notices.ts';
import { whenReady } from './host/ready.ts';
import { copyExtraBooks } from './host/world-links.ts';
import { takeFromWorldPicker } from './host/world-picker.ts';

let stopAll: (() => void) | null = null;

function start(): void {
  if (stopAll !== null) return;
  const began = performance.now();
  const journal = openJournal();
  const stops: (() => void)[] = [];
  stopAll = () => {
    for (const stop of stops.reverse()) stop();
    stopAll = null;
  };
  const importOther = async (): Promise<void> => {
    const { openImportDialog } = await import('./features/library/import-dialog.tsx');
    openImportDialog(journal);
  };
  const importPacked = (files: readonly File[]): Promise<void> =>
    import('./features/library/import-dialog.tsx')
      .then(({ importFiles }) => importFiles(files, journal))
      .catch((error) => void notifyError(t`Not imported`, error));
  // The hook first: whatever else fails, imports are watched; and a place that is missing in an older page must
  // not take the others with it.
  const parts: readonly (() => () => void)[] = [
    () => startImportFlow(journal, () => stopAll !== null).stop,
    () =>
      addCharacterMenuItem({
        id: 'lf-extract-lorebook',
        label: t`Extract lorebook`,
        onSelect: (avatar) =>
          import('./features/library/extract-existing.ts')
            .then(({ extractExisting }) => extractExisting(avatar, journal))
            .catch((error) => notifyError(t`The lorebook was not extracted`, error)),
      }),
    () => addImportButton(importOther),
    () => takeFromWorldPicker(['.zip', '.risum', '.marinara'], importPacked),
    () =>
      addCharacterMenuItem({
        id: 'lf-import-other',
        label: t`Import from another app...`,
        onSelect: importOther,
      }),
    ...openingPlaces(journal),
    ...exportingPlaces(),
    () => mountSettings(journal),
    () => onCharacterRenamed(followRename),
    () => onCharacterDuplicated(followDuplicate),
    () => onCharacterDuplicated(copyExtraBooks),
  ];
  for (const part of parts) {
    try {
      stops.push(part());
    } catch (error) {
      warn('A part of Loreferry could not be started.', error);
    }
  }
  // Our share of SillyTavern's boot, for whoever profiles a page.
  performance.measure?.('Loreferry: start', { start: began });
}

/** Manifest hook `activate` (SillyTavern 1.17 and later): the extension is loaded. */
export function onActivate(): void {
  whenReady(start);
}

/** Manifest hook `enable`. */
export function onEnable(): void {
  whenReady(start);
}

/** Manifest hook `disable`: everything of ours leaves the page; files stay as they are. */
export function onDisable(): void {
  stopAll?.();
}

/** Manifest hook `clean`: takes our keys out of world files, cards and settings, for people who leave for good. */
export async function onClean(): Promise<void> {
  const { removeOwnTraces } = await import('./features/library/clean.ts');
  await removeOwnTraces();
}

// Clients before 1.17 call no hooks.
whenReady(start);
