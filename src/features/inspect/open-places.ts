// Where the panel is opened from.

import { panelAvatar } from '../../host/character-form.ts';
import { t } from '../../host/context.ts';
import type { Journal } from '../../host/journal.ts';
import { addExtensionsMenuItem, addIconButton } from '../../host/menus.ts';
import { notify, notifyError } from '../../host/notices.ts';
import { whenIdle } from '../../host/when-idle.ts';
import { openInEditor } from '../../host/world-editor.ts';
import { offerInspection } from '../import/inspect-offer.ts';
import type { PanelSource } from './panel-source.ts';
import { addInspectCommand, currentSource } from './slash-command.ts';

const ICON = 'magnifying-glass-chart';

/**
 * Puts every way into the panel in its place: the character panel's row with the globe, which a group member's panel
 * shares, the World Info panel's row, the extensions menu, `/lore-inspect`, and the results of imports.
 *
 * @returns functions that put each of them; each gives one that takes it away
 */
export function openingPlaces(journal: Journal): readonly (() => () => void)[] {
  // Not with the page, whose start must not wait for it; but before somebody asks.
  const load = () => import('./open-panel.tsx');
  whenIdle(() => void load().catch(() => undefined));
  const open = (source: PanelSource): void => {
    load()
      .then(({ openPanel }) => openPanel(source, journal))
      .catch((error) => notifyError(t`The panel could not be opened`, error));
  };
  return [
    () =>
      addIconButton({
        id: 'lf-inspect-character',
        label: t`Inspect lorebooks`,
        icon: ICON,
        after: ['#world_button', '#advanced_div'],
        onSelect: () => {
          const avatar = panelAvatar();
          if (avatar !== undefined) open({ kind: 'character', avatar });
          else
            notify({ kind: 'info', title: t`Inspect lorebooks`, lines: [t`Save the new character first.`] });
        },
      }),
    () =>
      addIconButton({
        id: 'lf-inspect-world',
        label: t`Inspect this lorebook`,
        icon: ICON,
        after: ['#world_popup_export', '#world_import_button'],
        onSelect: () => {
          const name = openInEditor();
          open(name === undefined ? { kind: 'choose' } : { kind: 'world', name });
        },
      }),
    () =>
      addExtensionsMenuItem({
        id: 'lf-inspect-menu',
        label: t`Inspect lorebooks`,
        icon: ICON,
        onSelect: () => {
          const source = currentSource();
          open(source.kind === 'character' ? source : { kind: 'choose' });
        },
      }),
    () => addInspectCommand(open),
    () => offerInspection(open),
  ];
}
