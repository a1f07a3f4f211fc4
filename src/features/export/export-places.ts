// Where the export dialog is opened from.

import { t } from '../../host/context.ts';
import { addCharacterMenuItem, addExportFormat, addIconButton } from '../../host/menus.ts';
import { notify, notifyError } from '../../host/notices.ts';
import { addSlashCommand } from '../../host/slash-commands.ts';
import { openInEditor } from '../../host/world-editor.ts';
import { sourceNamed } from '../inspect/slash-command.ts';
import type { ExportSource } from './load-export.ts';

/** Opens the dialog, which is loaded when it is first opened: most visits do without it. */
export function startExport(source: ExportSource, target?: string): void {
  import('./open-export.tsx')
    .then(({ openExport }) => openExport(source, target))
    .catch((error) => notifyError(t`The export could not be opened`, error));
}

/**
 * Puts every way into the dialog in its place: SillyTavern's own list of export formats, the character panel's "More..."
 * menu, the World Info panel's row of buttons, and `/lore-export`.
 *
 * @returns functions that put each of them; each gives one that takes it away
 */
export function exportingPlaces(): readonly (() => () => void)[] {
  const exportCharacter = (avatar: string): void => startExport({ kind: 'character', avatar });
  return [
    () =>
      addExportFormat({
        id: 'lf-export-format',
        label: t`Export to another app...`,
        onSelect: exportCharacter,
      }),
    () =>
      addCharacterMenuItem({
        id: 'lf-export-character',
        label: t`Export to another app...`,
        onSelect: exportCharacter,
      }),
    () =>
      addIconButton({
        id: 'lf-export-world',
        label: t`Export this lorebook to another app...`,
        icon: 'share-from-square',
        after: ['#lf-inspect-world', '#world_popup_export', '#world_import_button'],
        onSelect: () => {
          const name = openInEditor();
          if (name !== undefined) startExport({ kind: 'world', name });
          else
            notify({
              kind: 'info',
              title: t`Export this lorebook to another app...`,
              lines: [t`Open a lorebook in the editor first.`],
            });
        },
      }),
    () =>
      addSlashCommand({
        name: 'lore-export',
        help: t`Opens Loreferry's export for a character or a lorebook. Without a name: the character of this chat, else the lorebook that is open in the editor.`,
        argument: t`name of a character or a lorebook`,
        named: { name: 'target', help: t`the app to export to, such as marinara` },
        run: (name, target) => void exportNamed(name, target?.toLowerCase() || undefined),
      }),
  ];
}

async function exportNamed(name: string, target: string | undefined): Promise<void> {
  try {
    const source = await sourceNamed(name);
    if (source === null)
      notify({ kind: 'warning', title: t`No character and no lorebook is called “${name}”.` });
    else if (source.kind === 'choose')
      notify({
        kind: 'info',
        title: t`What is to be exported?`,
        lines: [
          name === ''
            ? t`Open a character or a lorebook first.`
            : t`Several characters are called “${name}”: name the file of one, as in Name.png.`,
        ],
      });
    else startExport(source, target);
  } catch (error) {
    notifyError(t`The export could not be opened`, error);
  }
}
