// Which worlds are in force, apart from a character's primary book: its additional books, and the books of the
// chat, the persona and of every chat; and the settings with which they are scanned.

import type { JsonObject } from '../core/json.ts';
import { context } from './context.ts';
import { worldInfoModule } from './world-info-module.ts';

/** The worlds that SillyTavern scans, in the precedence in which a world linked twice counts once. */
export interface ActiveWorlds {
  readonly chat: string | undefined;
  readonly persona: string | undefined;
  readonly global: readonly string[];
}

/**
 * The worlds in force in the chat that is open, whoever the character is.
 */
export async function activeWorlds(): Promise<ActiveWorlds> {
  const { chatMetadata, powerUserSettings } = context();
  const module = await worldInfoModule();
  return {
    chat: name(chatMetadata?.['world_info']),
    persona: name(powerUserSettings?.['persona_description_lorebook']),
    global: [...(module?.selected_world_info ?? [])],
  };
}

function name(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * The additional books of a character. They are settings: they do not travel with its card.
 *
 * @param avatar the avatar file name
 * @returns world names; empty also when the client does not tell
 */
export async function extraBooks(avatar: string): Promise<readonly string[]> {
  const lore = (await worldInfoModule())?.world_info?.charLore;
  return [...(lore?.find((one) => one.name === loreKey(avatar))?.extraBooks ?? [])];
}

/** Gives a duplicated character the additional books of its original; SillyTavern 1.19 copies only the link. */
export async function copyExtraBooks(original: string, copy: string): Promise<void> {
  const books = await extraBooks(original);
  if (books.length > 0) await setExtraBooks(copy, books);
}

/** The characters, by avatar file name without its ending, that have a world as an additional book. */
export async function charactersWithExtra(world: string): Promise<readonly string[]> {
  const lore = (await worldInfoModule())?.world_info?.charLore ?? [];
  return lore.filter(({ extraBooks: books }) => books?.includes(world)).map(({ name: key }) => key);
}

/**
 * Replaces the additional books of a character, and lets SillyTavern save its settings.
 *
 * @param avatar the avatar file name
 * @param books world names; none removes the character from the list
 * @returns false when the client does not let us: nothing is changed then
 */
export async function setExtraBooks(avatar: string, books: readonly string[]): Promise<boolean> {
  const settings = (await worldInfoModule())?.world_info;
  const { saveSettingsDebounced } = context();
  if (!settings || !saveSettingsDebounced) return false;
  const key = loreKey(avatar);
  const kept = settings.charLore?.find((one) => one.name === key);
  const others = (settings.charLore ?? []).filter((one) => one.name !== key);
  const unique = [...new Set(books)];
  // `world_info` itself is what SillyTavern saves (getWorldInfoSettings): changed in place, never replaced.
  settings.charLore = unique.length > 0 ? [...others, { ...kept, name: key, extraBooks: unique }] : others;
  saveSettingsDebounced();
  return true;
}

// As getCharaFilename (public/scripts/utils.js): the avatar's name without its last extension.
function loreKey(avatar: string): string {
  return avatar.replace(/\.[^/.]+$/, '');
}

/**
 * The user's scan settings under SillyTavern's own names (`world_info_depth`, `world_info_recursive` ...), as
 * they stand in `settings.json` under `world_info_settings`.
 *
 * @returns the settings that the client has, or undefined when it does not tell
 */
export async function scanSettings(): Promise<JsonObject | undefined> {
  const module = await worldInfoModule();
  if (!module) return undefined;
  const settings: Record<string, number | boolean> = {};
  for (const key of Object.keys(module)) {
    const value = module[key];
    if (!key.startsWith('world_info_')) continue;
    if (typeof value === 'number' || typeof value === 'boolean') settings[key] = value;
  }
  return settings;
}
