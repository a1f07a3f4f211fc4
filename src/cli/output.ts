// Files on disk: read with a clear word when they cannot be, written whole or not at all.

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from './usage-error.ts';

/** A file to be written. */
export interface OutputFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads a file.
 * @throws UsageError, one sentence, when it is not there or cannot be read
 */
export function readInput(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UsageError(`${path} does not exist.`);
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder, not a file.`);
    throw new UsageError(`${path} cannot be read (${code ?? String(error)}).`);
  }
}

/**
 * Writes files: each beside its place first, then all are moved there. Existing files are replaced only by force.
 * @throws UsageError when a file exists or a folder cannot be written; nothing of ours is left behind then
 */
export function writeOutput(files: readonly OutputFile[], force: boolean): void {
  for (const { path } of files) {
    if (!force && exists(path)) throw new UsageError(`${path} exists already; use --force to replace it.`);
    if (exists(path) && statSync(path).isDirectory()) throw new UsageError(`${path} is a folder.`);
  }
  const parts: { readonly part: string; readonly path: string }[] = [];
  try {
    files.forEach(({ path, bytes }, index) => {
      mkdirSync(dirname(path), { recursive: true });
      const part = join(dirname(path), `.loreferry-${process.pid}-${index}.part`);
      parts.push({ part, path });
      writeFileSync(part, bytes);
    });
    for (const { part, path } of parts) renameSync(part, path);
  } catch (error) {
    for (const { part } of parts) rmSync(part, { force: true });
    const { code, path } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path ?? 'The output'} cannot be written (${code ?? String(error)}).`);
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether a path is an existing folder, or is written like one. */
export function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

/** A name from a card as a file name: nothing of it may lead out of the folder or be refused by a file system. */
export function safeFileName(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 ? name.slice(dot) : '';
  const stem = cleanStem(dot > 0 ? name.slice(0, dot) : name);
  let candidate = stem + ending;
  for (let count = 2; taken.has(fold(candidate)); count++) candidate = `${stem} (${count})${ending}`;
  taken.add(fold(candidate));
  return candidate;
}

const fold = (name: string): string => name.normalize('NFKD').toLowerCase();

function cleanStem(stem: string): string {
  const clean = basename(
    [...stem.replace(/[/\\?<>:*|"]/g, '')].filter((letter) => !isInvisible(letter)).join(''),
  ).replace(/^[\s.]+|[\s.]+$/g, '');
  const short = cut(clean, 200);
  return short === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short) ? 'Lorebook' : short;
}

// Control characters, and those that turn or hide text: a name must be what it looks like.
function isInvisible(letter: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}]/u.test(letter) && letter !== '\u200d';
}

function cut(text: string, bytes: number): string {
  const encoder = new TextEncoder();
  let result = '';
  let size = 0;
  for (const letter of text) {
    size += encoder.encode(letter).length;
    if (size > bytes) break;
    result += letter;
  }
  return result.trim();
}
