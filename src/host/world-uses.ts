// Where a world is in use that SillyTavern is about to delete. With the file it drops its own links to it (1.19, public/
// scripts/world-info.js, deleteWorldInfo): that of the open character, of the persona, and "in every chat". A file of the
// same name that comes at once in its place shall have them again.

import { isObject } from '../core/json.ts';
import { panelAvatar } from './character-form.ts';
import { linkWorld } from './character-store.ts';
import { context } from './context.ts';
import { worldInfoModule } from './world-info-module.ts';

/** Who uses a world. */
export interface WorldUses {
  /** The open character's avatar file name, when it is linked to it. */
  readonly avatar: string | null;
  /** Whether it is the persona's. */
  readonly persona: boolean;
  /** Avatars of personas whose descriptions name it. */
  readonly descriptions: readonly string[];
  /** Whether it is active in every chat. */
  readonly global: boolean;
}

/** Of a world that nobody uses. */
export const NOBODY: WorldUses = { avatar: null, persona: false, descriptions: [], global: false };

const shownLink = (): string | undefined =>
  document.querySelector<HTMLInputElement>('#character_world')?.value;

type Descriptions = Record<string, { lorebook?: unknown } | undefined>;

function descriptionsOfPersonas(): Descriptions {
  const held = context().powerUserSettings?.['persona_descriptions'];
  return isObject(held) ? (held as unknown as Descriptions) : {};
}

/** Who uses a world now. What the page shows is read before this returns, so that nothing can change in between. */
export async function usesOf(name: string): Promise<WorldUses> {
  const avatar = shownLink() === name ? (panelAvatar() ?? null) : null;
  const persona = context().powerUserSettings?.['persona_description_lorebook'] === name;
  const descriptions = Object.entries(descriptionsOfPersonas())
    .filter(([, each]) => each?.lorebook === name)
    .map(([key]) => key);
  const selected = (await worldInfoModule())?.selected_world_info;
  return { avatar, persona, descriptions, global: selected?.includes(name) === true };
}

// SillyTavern takes the links away once it has read its list of worlds anew.
const PATIENCE_MS = 3000;
const STEP_MS = 50;

/**
 * Gives a world its uses back, after SillyTavern has taken them; call `refreshWorldList` afterwards when it tells so.
 * @returns whether there was anything to be given back
 * @throws the host's errors when the link cannot be made
 */
export async function giveBackUses(name: string, uses: WorldUses): Promise<boolean> {
  const { avatar, persona, descriptions, global } = uses;
  const settings = context().powerUserSettings as Record<string, unknown> | undefined;
  const isTaken = (): boolean =>
    (avatar === null || shownLink() !== name) &&
    (!persona || settings?.['persona_description_lorebook'] !== name);
  for (let waited = 0; waited < PATIENCE_MS && !isTaken(); waited += STEP_MS)
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  if (global) {
    const selected = (await worldInfoModule())?.selected_world_info;
    if (selected?.includes(name) === false) selected.push(name);
  }
  if (persona && settings?.['persona_description_lorebook'] === '') {
    settings['persona_description_lorebook'] = name;
    document.querySelector('#persona_lore_button')?.classList.add('world_set');
  }
  const held = descriptionsOfPersonas();
  for (const key of descriptions) {
    const each = held[key];
    if (each !== undefined && !each.lorebook) each.lorebook = name;
  }
  if (global || persona) context().saveSettingsDebounced?.();
  if (avatar !== null) await linkWorld(avatar, name);
  return avatar !== null || persona || global;
}
