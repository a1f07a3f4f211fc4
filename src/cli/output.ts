// Files on disk: read with a clear word when they cannot be, written whole or not at all.

import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LIMITS, sizeText } from '../containers/limits.ts';
import { UsageError } from './usage-error.ts';

/** A file to be written. */
export interface OutputFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads a file.
 * @throws UsageError, one sentence, when it is not there, is no file, is too big or cannot be read
 */
export function readInput(path: string): Uint8Array {
  let file: number | undefined;
  try {
    // Without waiting: opening a pipe that nobody writes to would take for ever.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const about = fstatSync(file);
    if (about.isDirectory()) throw new UsageError(`${path} is a folder, not a file.`);
    if (!about.isFile()) throw new UsageError(`${path} is a pipe or a device, not a file.`);
    return readWhole(file, about.size, path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UsageError(`${path} does not exist.`);
    if (code === 'EACCES' || code === 'EPERM') throw new UsageError(`${path} may not be read.`);
    if (code === 'ENXIO') throw new UsageError(`${path} is a pipe or a device, not a file.`);
    throw new UsageError(`${path} cannot be read (${code ?? String(error)}).`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

// A file may have no size (in /proc), or another one than before when somebody else is writing it.
function readWhole(file: number, size: number, path: string): Uint8Array {
  let bytes = new Uint8Array(Math.min(size, LIMITS.fileBytes) + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, bytes, length, bytes.length - length, null);
    length += count;
    if (length > LIMITS.fileBytes || size > LIMITS.fileBytes) {
      const found = sizeText(Math.max(size, length));
      throw new UsageError(`${path} is ${found} big, more than the limit of ${sizeText(LIMITS.fileBytes)}.`);
    }
    if (count === 0) return bytes.subarray(0, length);
    if (length === bytes.length) {
      const more = new Uint8Array(2 * bytes.length + 65_536);
      more.set(bytes);
      bytes = more;
    }
  }
}

/**
 * Writes files: each beside its place first, then all are moved there. Existing files are replaced only by force.
 * @throws UsageError when a file exists or cannot be written; everything is then as it was before
 */
export function writeOutput(files: readonly OutputFile[], force: boolean): void {
  refuse(files, force);
  const work: Work = { folders: [], parts: [], placed: [] };
  try {
    for (const { path, bytes } of files) {
      makeFolder(dirname(path), work);
      const part = besides(path, work.parts.length, 'part');
      // Exclusively: never through a link that somebody put there.
      writeFileSync(part, bytes, { flag: 'wx' });
      work.parts.push(part);
    }
    files.forEach(({ path }, index) => {
      const kept = files.length > 1 && kindOf(path) === 'file' ? besides(path, index, 'old') : null;
      if (kept !== null) keepCopy(path, kept);
      work.placed.push({ path, kept });
      place(work.parts[index] as string, path, force);
    });
  } catch (error) {
    undo(work);
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const path = files[failedAt(work)]?.path ?? 'The output';
    throw new UsageError(`${path} cannot be written: ${REASONS[code] ?? code}.`);
  }
  for (const { kept } of work.placed) if (kept !== null) rmSync(kept, { force: true });
}

interface Work {
  /** Folders that were made, outer ones first. */
  readonly folders: string[];
  /** Files that wait beside their places, in the order of the files. */
  readonly parts: string[];
  /** Places that may be filled by now, with a copy of what stood there. */
  readonly placed: { readonly path: string; readonly kept: string | null }[];
}

function refuse(files: readonly OutputFile[], force: boolean): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    if (seen.has(resolve(path))) throw new UsageError(`${path} would be written twice; give two names.`);
    seen.add(resolve(path));
    const kind = kindOf(path);
    if (kind === 'folder') throw new UsageError(`${path} is a folder.`);
    if (kind === 'other') throw new UsageError(`${path} is a pipe or a device, not a file.`);
    if (kind === 'file' && !force) throw new UsageError(`${path} exists already; use --force to replace it.`);
  }
}

// Without force not even a file that somebody made just now is replaced.
function place(part: string, path: string, force: boolean): void {
  if (!force) {
    try {
      linkSync(part, path);
      rmSync(part);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' && kindOf(path) !== 'nothing') throw error;
      // Not every file system has hard links, and a link into nothing may stand there.
    }
  }
  renameSync(part, path);
}

const besides = (path: string, index: number, ending: string): string =>
  join(dirname(path), `.loreferry-${process.pid}-${index}.${ending}`);

function makeFolder(path: string, work: Work): void {
  if (kindOf(path) !== 'nothing' || dirname(path) === path) return;
  makeFolder(dirname(path), work);
  mkdirSync(path);
  work.folders.push(path);
}

function keepCopy(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch {
    // Not every file system has hard links.
    copyFileSync(path, kept, constants.COPYFILE_EXCL);
  }
}

function undo({ folders, parts, placed }: Work): void {
  const quietly = (action: () => void): void => {
    try {
      action();
    } catch {
      // What failed before may fail again here; the first failure is the one to be told.
    }
  };
  placed.forEach(({ path, kept }, index) => {
    const isPlaced = kindOf(parts[index] as string) === 'nothing';
    if (kept === null && isPlaced) quietly(() => rmSync(path, { force: true }));
    if (kept !== null) quietly(() => (isPlaced ? renameSync(kept, path) : rmSync(kept, { force: true })));
  });
  for (const part of parts) quietly(() => rmSync(part, { force: true }));
  for (const folder of folders.reverse()) quietly(() => rmdirSync(folder));
}

const failedAt = ({ placed, parts }: Work): number => (placed.length > 0 ? placed.length - 1 : parts.length);

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission for it',
  EPERM: 'there is no permission for it',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  EEXIST: 'somebody else made it just now',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENAMETOOLONG: 'its name is too long',
};

function kindOf(path: string): 'nothing' | 'file' | 'folder' | 'other' {
  let about: ReturnType<typeof statSync>;
  try {
    about = statSync(path, { throwIfNoEntry: false });
  } catch {
    // A part of the path is no folder, or it is too long: writing will say so.
    return 'nothing';
  }
  if (about === undefined) return 'nothing';
  return about.isFile() ? 'file' : about.isDirectory() ? 'folder' : 'other';
}

/** Whether a path is an existing folder, or is written like one. */
export function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || kindOf(path) === 'folder';
}
