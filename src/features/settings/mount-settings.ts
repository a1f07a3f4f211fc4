// Our block in the extensions panel, closed at first: what stands in it is loaded when it is opened.

import { t } from '../../host/context.ts';
import type { Journal } from '../../host/journal.ts';
import { addSettingsBlock } from '../../host/menus.ts';
import { notifyError } from '../../host/notices.ts';

/** Puts the block in place. */
export function mountSettings(journal: Journal): () => void {
  const content = document.createElement('div');
  const remove = addSettingsBlock({ id: 'lf-settings', title: t`Loreferry: lorebooks`, content });
  const drawer = document.querySelector('#lf-settings');
  let isDrawn = false;
  const draw = (): void => {
    if (isDrawn) return;
    isDrawn = true;
    import('./settings-block.tsx')
      .then(({ drawSettings }) => drawSettings(journal, content))
      .catch((error) => {
        isDrawn = false;
        notifyError(t`The settings could not be shown`, error);
      });
  };
  // However it is opened, a press comes first.
  drawer?.addEventListener('click', draw);
  return () => {
    remove();
    // What was drawn ends with its element; its effects, with a last empty drawing.
    if (isDrawn) void import('./settings-block.tsx').then(({ undrawSettings }) => undrawSettings(content));
  };
}
