// World info files are found by their name alone, so a name must be known as the server will store it, and must
// differ from every other one on any file system (decisions.md 19).

import * as z from 'zod/mini';
import { cleanName, freeName, limitBytes } from '../core/file-name.ts';
import { postJson, ServerError } from './server.ts';

export { cleanName, foldName, freeName, limitBytes } from '../core/file-name.ts';

/**
 * What SillyTavern's server makes of `<name>.json`, without the extension, by our own imitation of its cleaning
 * (the npm package sanitize-filename, 1.13 to 1.19): forbidden and control characters vanish, a device name of
 * Windows becomes empty, everything after 255 bytes is cut.
 *
 * @returns the name, or "" when no usable file name is left
 */
export function storedNameHere(name: string): string {
  const file = `${name}.json`
    .replace(/[/?<>\\:*|"]/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what vanishes
    .replace(/[\u0000-\u001f\u0080-\u009f]/g, '')
    .replace(/^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i, '');
  return withoutExtension(limitBytes(file, 255));
}

// A file without `.json` is in no list of SillyTavern: such a name is unusable.
function withoutExtension(file: string): string {
  return file.endsWith('.json') ? file.slice(0, -'.json'.length) : '';
}

const Cleaned = z.object({ fileName: z.string() });

// Letters, digits and harmless marks: no cleaning touches these, so the server need not be asked. Reserved names of
// Windows are not among them.
const PLAIN = /^[\p{L}\p{N}](?:[\p{L}\p{N} _'’()&,!-]*[\p{L}\p{N}_')!])?$/u;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
const isPlain = (name: string): boolean =>
  PLAIN.test(name) && !RESERVED.test(name) && limitBytes(name, 200) === name;

/**
 * What the server will store a world's name as: asked of itself, imitated where the endpoint is missing.
 *
 * @returns the name, or "" when no usable file name is left
 * @throws {ServerError} when the server does not answer at all
 */
export async function storedName(name: string): Promise<string> {
  if (isPlain(name)) return name;
  try {
    const reply = await postJson('/api/files/sanitize-filename', { fileName: `${name}.json` });
    return withoutExtension(z.parse(Cleaned, reply).fileName);
  } catch (error) {
    if (error instanceof ServerError && error.status === 0) throw error;
    return storedNameHere(name);
  }
}

/**
 * The name that a new world shall have: cleaned, as the server stores it, free.
 *
 * @param wanted the book's own name, or ""
 * @param fallback what to call it when nothing is left of that, e.g. `Alice's Lorebook`
 * @param existing all names that are taken
 * @throws {ServerError} when the server does not answer
 */
export async function newWorldName(
  wanted: string,
  fallback: string,
  existing: Iterable<string>,
): Promise<string> {
  for (const candidate of [wanted, fallback]) {
    // Cleaning after the server's own: a colon that vanishes may leave a space at the end.
    const name = cleanName(candidate) && cleanName(await storedName(cleanName(candidate)));
    if (name) return freeName(name, existing);
  }
  return freeName('Lorebook', existing);
}
