// World info files are found by their name alone, so a name must be known as the server will store it, and must
// differ from every other one on any file system (decisions.md 19).

import * as z from 'zod/mini';
import { postJson, ServerError } from './server.ts';

/** UTF-8 bytes that a name may have before a suffix; the server cuts `<name>.json` at 255. */
const NAME_BYTES = 200;

// What cannot be seen, or turns text around: control characters, lone surrogates (they are no UTF-8), soft
// hyphen, bidi marks and isolates, zero-width characters, line separators, invisible operators, interlinear
// marks, tags, and the blank letters of Hangul.
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/**
 * A name as we are willing to write it: unseen characters gone, no spaces and dots around it, not too long.
 *
 * @param wanted any text, e.g. the name inside a card
 * @returns the name, possibly empty
 */
export function cleanName(wanted: string): string {
  return trimmed(limitBytes(trimmed(wanted.replace(UNSEEN, '').replace(/\s+/gu, ' ')), NAME_BYTES));
}

function trimmed(name: string): string {
  return name.replace(/^[\s.]+/u, '').replace(/[\s.]+$/u, '');
}

/** The longest start of a text that has at most so many bytes of UTF-8; no character is cut in two. */
export function limitBytes(text: string, bytes: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += utf8Length(character);
    if (used > bytes) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function utf8Length(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

/**
 * A name for comparing: case, accents and look-alike forms are folded. SillyTavern's dialogs fold case and
 * accents (public/scripts/utils.js, compareIgnoreCaseAndAccents), file systems fold case or composition; this
 * folds at least what any of them does.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE00-\uFE0F\uFE20-\uFE2F]/gu, '')
    .toUpperCase()
    .toLowerCase();
}

/**
 * A name that no existing one equals when folded: the wanted one, else `Name (2)`, `Name (3)` ...
 *
 * @param wanted a cleaned name
 * @param existing all names that are taken
 */
export function freeName(wanted: string, existing: Iterable<string>): string {
  const taken = new Set(Array.from(existing, foldName));
  if (!taken.has(foldName(wanted))) return wanted;
  const numbered = /^(.*\S)\s*\((\d{1,6})\)$/su.exec(wanted);
  const base = numbered?.[1] ?? wanted;
  for (let number = Number(numbered?.[2] ?? 1) + 1; ; number++) {
    const name = `${base} (${number})`;
    if (!taken.has(foldName(name))) return name;
  }
}

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
