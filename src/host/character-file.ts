// The file in which SillyTavern keeps a character, byte for byte.

import { t } from './context.ts';
import { originalFetch } from './fetch-hook.ts';
import { post, ServerError } from './server.ts';

/**
 * Reads the PNG of a character as it is stored: SillyTavern serves its characters' folder (1.19, src/users.js). Its own
 * export rewrites the text in the picture and is asked only where the file is not served, as for names with a percent
 * sign, which the server decodes twice.
 *
 * @param avatar the avatar's file name
 * @throws {ServerError} when there is no such character, or no answer
 */
export async function readCharacterFile(avatar: string): Promise<Uint8Array> {
  const path = `/characters/${encodeURIComponent(avatar)}`;
  let response: Response;
  try {
    response = await originalFetch()(path, {
      cache: 'no-store',
    });
  } catch (cause) {
    throw new ServerError(0, path, t`SillyTavern's server did not answer.`, { cause });
  }
  const served = response.ok
    ? response
    : await post('/api/characters/export', { format: 'png', avatar_url: avatar });
  return new Uint8Array(await served.arrayBuffer());
}
