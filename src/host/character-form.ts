// The form of the character panel. SillyTavern's autosave posts it whole (public/script.js,
// createOrEditCharacter): `#character_world` becomes `data.extensions.world`, and `#character_json_data` is what
// all fields without an input are taken from. What stands there wins over anything written to the file
// meanwhile, so a link that the form does not know is lost at the next key stroke.

import { isObject } from '../core/json.ts';
import { context } from './context.ts';

/**
 * The character whose panel is open: the chosen one, or the group member that is looked at.
 *
 * @returns its avatar file name, or undefined while none is open or a new one is being made
 */
export function panelAvatar(): string | undefined {
  // The hidden fields keep their last values while a new character is made; the form's type tells.
  const form = document.querySelector('#form_create');
  if (form?.getAttribute('actiontype') !== 'editcharacter') return undefined;
  return field('#avatar_url_pole')?.value || undefined;
}

/**
 * Brings all that the client holds about a character's link in step: the list entry with its JSON, and, when
 * its panel is open, the hidden fields and the globe. Nothing is saved by this.
 *
 * @param avatar the character's avatar file name
 * @param world the linked world's name, "" for none
 * @returns a function that puts everything back
 */
export function showLink(avatar: string, world: string): () => void {
  const undo: (() => void)[] = [];
  const listed = context().characters?.find((character) => character.avatar === avatar);
  if (listed) {
    const before = listed.data?.extensions?.world ?? '';
    const json = listed.json_data;
    setWorld(listed, world);
    if (json) listed.json_data = withWorld(json, world);
    undo.push(() => {
      setWorld(listed, before);
      if (json) listed.json_data = json;
    });
  }
  if (panelAvatar() === avatar) {
    undo.push(setField('#character_world', () => world));
    undo.push(setField('#character_json_data', (json) => withWorld(json, world)));
    undo.push(setGlobe(world !== ''));
  }
  return () => {
    for (const step of undo) step();
  };
}

/**
 * A card's JSON text with its link replaced.
 *
 * @param json a card as SillyTavern keeps it; left alone when it cannot be read
 */
export function withWorld(json: string, world: string): string {
  try {
    const card: unknown = JSON.parse(json);
    if (!isObject(card)) return json;
    const data = isObject(card['data']) ? card['data'] : {};
    const extensions = isObject(data['extensions']) ? data['extensions'] : {};
    return JSON.stringify({ ...card, data: { ...data, extensions: { ...extensions, world } } });
  } catch {
    return json;
  }
}

function setWorld(listed: { data?: { extensions?: { world?: string } } }, world: string): void {
  listed.data ??= {};
  listed.data.extensions ??= {};
  listed.data.extensions.world = world;
}

function field(selector: string): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>(selector);
}

function setField(selector: string, change: (value: string) => string): () => void {
  const input = field(selector);
  if (!input) return () => {};
  const before = input.value;
  input.value = change(before);
  return () => {
    input.value = before;
  };
}

// SillyTavern marks both the button and the menu item (setWorldInfoButtonClass).
function setGlobe(linked: boolean): () => void {
  const globes = [...document.querySelectorAll('#world_button, #set_character_world')];
  const before = globes.map((globe) => globe.classList.contains('world_set'));
  for (const globe of globes) globe.classList.toggle('world_set', linked);
  return () => {
    globes.forEach((globe, index) => {
      globe.classList.toggle('world_set', before[index] ?? false);
    });
  };
}
