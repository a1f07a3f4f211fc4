// The file picker of SillyTavern's World Info panel. SillyTavern takes what is chosen there for JSON (1.19, public/scripts/
// world-info.js, importWorldInfo): of an archive it shows an error and asks no server, so our hook never sees it.

import { warn } from './context.ts';

const PICKER = '#world_import_file';

/**
 * Takes files by the endings of their names before SillyTavern does, and lets the picker offer them.
 *
 * @param endings in small letters, with their dots
 * @returns a function that leaves the picker as it was
 */
export function takeFromWorldPicker(
  endings: readonly string[],
  take: (files: readonly File[]) => unknown,
): () => void {
  const picker = document.querySelector<HTMLInputElement>(PICKER);
  if (!picker) {
    warn('The file picker of the World Info panel was not found.');
    return () => {};
  }
  const { accept } = picker;
  // Without a list it offers everything.
  if (accept !== '') picker.accept = [accept, ...endings].join(',');
  const onChange = (event: Event): void => {
    const files = event.target === picker ? [...(picker.files ?? [])] : [];
    const areOurs = files.every(({ name }) => endings.some((ending) => name.toLowerCase().endsWith(ending)));
    if (files.length === 0 || !areOurs) return;
    event.stopImmediatePropagation();
    // Else the same file could not be chosen again.
    picker.value = '';
    take(files);
  };
  document.addEventListener('change', onChange, true);
  return () => {
    document.removeEventListener('change', onChange, true);
    picker.accept = accept;
  };
}
