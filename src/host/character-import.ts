// Handing a file to SillyTavern's own character import, for files that its page refuses by name.

import { context, t } from './context.ts';
import { ServerError } from './server.ts';

const PATH = '/api/characters/import';

/** The kinds that SillyTavern's endpoint takes from us. */
export type ImportType = 'png' | 'json' | 'charx';

/**
 * Posts a card to `/api/characters/import` as SillyTavern's page does (public/script.js, importCharacter), through
 * the page's own `fetch`, so that its lorebooks are extracted on the way like those of any other import.
 *
 * @returns the new character's avatar file name
 * @throws {ServerError} when the server refuses, or answers that the file is no character
 */
export async function importCharacterFile(
  bytes: Uint8Array,
  name: string,
  type: ImportType,
): Promise<string> {
  const { getRequestHeaders, name1 } = context();
  const form = new FormData();
  form.append('avatar', new File([new Uint8Array(bytes)], `${name}.${type}`));
  form.append('file_type', type);
  form.append('user_name', name1 ?? '');
  // The browser sets the content type of a form itself, with its boundary.
  const headers = Object.fromEntries(
    Object.entries(getRequestHeaders?.() ?? {}).filter(([key]) => key.toLowerCase() !== 'content-type'),
  );
  const response = await window.fetch(PATH, { method: 'POST', headers, body: form, cache: 'no-cache' });
  const reply: unknown = response.ok ? await response.json().catch(() => null) : null;
  const fileName =
    typeof reply === 'object' && reply !== null ? (reply as { file_name?: unknown }).file_name : undefined;
  if (typeof fileName !== 'string') {
    throw new ServerError(response.status, PATH, t`SillyTavern did not accept the character “${name}”.`);
  }
  return `${fileName}.png`;
}

/** Loads SillyTavern's list of characters anew. */
export async function refreshCharacters(): Promise<void> {
  await context().getCharacters?.();
}
