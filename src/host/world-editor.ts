// SillyTavern's World Info panel: what it shows, and that it shows the truth after we wrote.

import { hashJson } from '../core/hash.ts';
import { context, warn } from './context.ts';
import { worldInfoModule } from './world-info-module.ts';

// SillyTavern saves an edit 1 s after the last key (debounce_timeout.relaxed); its cache has it at once.
const SAVE_DELAY_MS = 1200;

function editorSelect(): HTMLSelectElement | null {
  return document.querySelector<HTMLSelectElement>('#world_editor_select');
}

/** The world that the editor shows, or undefined. */
export function openInEditor(): string | undefined {
  const select = editorSelect();
  // The first option, "--- Pick to Edit ---", has no value; the others' values are list positions.
  return select?.value ? (select.options[select.selectedIndex]?.textContent ?? undefined) : undefined;
}

/**
 * Lets the editor read a world again when it is the one that it shows. Without this its next edit would save
 * the whole old world over ours.
 */
export function refreshEditor(name: string): void {
  // `reloadWorldInfoEditor` takes "nothing selected" for the first world in the list (Number('') is 0; 1.13 to
  // 1.19) and would open it: ask only when the world is really open.
  if (openInEditor() === name) context().reloadWorldInfoEditor?.(name);
}

/**
 * Whether SillyTavern's editor holds edits of a world that are not in its file yet; if so, waits until they
 * have been saved.
 *
 * @param world the content of the file as just read
 * @returns true when it waited: read again
 */
export async function unsavedEdits(world: {
  readonly name: string;
  readonly hash: string;
}): Promise<boolean> {
  if (openInEditor() !== world.name) return false;
  const cached = (await worldInfoModule())?.worldInfoCache?.get(world.name);
  if (cached === undefined || hashJson(cached) === world.hash) return false;
  await new Promise((resolve) => setTimeout(resolve, SAVE_DELAY_MS));
  return true;
}

/**
 * Lets SillyTavern read its list of worlds again, and the editor notice when the world that it showed is gone.
 * Fetches all settings and presets (updateWorldInfoList), so: once for a batch, after the last change.
 *
 * @returns false when the client could not; the list then follows at the next reload
 */
export async function refreshWorldList(): Promise<boolean> {
  const before = openInEditor();
  try {
    const { updateWorldInfoList } = context();
    if (!updateWorldInfoList) return false;
    await updateWorldInfoList();
    // As after SillyTavern's own deletion: else the editor would go on saving a world that is gone.
    if (before !== undefined && openInEditor() !== before) {
      editorSelect()?.dispatchEvent(new Event('change', { bubbles: true }));
    }
    return true;
  } catch (error) {
    warn("SillyTavern's list of lorebooks could not be refreshed.", error);
    return false;
  }
}

/**
 * Opens a world in SillyTavern's own editor.
 *
 * @param name a world that the client's list has: call {@link refreshWorldList} first for a new one
 * @returns false when the client does not know the world, or has no way to open it
 */
export async function openWorldEditor(name: string): Promise<boolean> {
  const module = await worldInfoModule();
  // For an unknown name SillyTavern would open an empty editor.
  if (!module?.openWorldInfoEditor || module.world_names?.includes(name) === false) return false;
  module.openWorldInfoEditor(name);
  return true;
}
