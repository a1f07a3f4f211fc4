// The form of the character panel. SillyTavern's autosave posts it whole (public/script.js,
// createOrEditCharacter): `#character_world` becomes `data.extensions.world`, and `#character_json_data` is what
// all fields without an input are taken from. What stands there wins over anything written to the file
// meanwhile, so a link that the form does not know is lost at the next key stroke.

import { isObject, type JsonObject } from '../core/json.ts';
import { withBook } from './card-slot.ts';
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
 * Brings all that the client holds of a card's lorebook in step, as {@link showLink} does with the link: `json_data`,
 * in the list and in the form, is what the next autosave posts. Nothing is saved by this.
 *
 * @param slot the place of the book in the card
 * @param book the book, null for none
 * @returns a function that puts everything back
 */
export function showBook(avatar: string, slot: string, book: JsonObject | null): () => void {
  const undo: (() => void)[] = [];
  const withText = (json: string): string => changedCard(json, (card) => withBook(card, slot, book));
  const listed = context().characters?.find((character) => character.avatar === avatar);
  if (listed && listed.shallow !== true) {
    const { json_data: json } = listed;
    if (json) {
      listed.json_data = withText(json);
      undo.push(() => {
        listed.json_data = json;
      });
    }
    // The list's entries are cards, with more in them.
    const entry = listed as unknown as Record<string, unknown>;
    const [root = ''] = slot.split('.');
    const { [root]: before } = entry;
    const after = withBook({ [root]: before } as JsonObject, slot, book)[root];
    if (after === undefined) delete entry[root];
    else entry[root] = after;
    undo.push(() => {
      if (before === undefined) delete entry[root];
      else entry[root] = before;
    });
  }
  if (panelAvatar() === avatar) undo.push(setField('#character_json_data', withText));
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
  return changedCard(json, (card) => {
    const data = isObject(card['data']) ? card['data'] : {};
    const extensions = isObject(data['extensions']) ? data['extensions'] : {};
    return { ...card, data: { ...data, extensions: { ...extensions, world } } };
  });
}

function changedCard(json: string, change: (card: JsonObject) => JsonObject): string {
  try {
    const card: unknown = JSON.parse(json);
    return isObject(card) ? JSON.stringify(change(card)) : json;
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
