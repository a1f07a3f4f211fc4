// The members of a zip archive, inflated within limits.

import { crc32 } from './crc32.ts';
import { inflateRaw } from './inflate.ts';
import { type Limits, sizeText } from './limits.ts';
import { rememberPacked } from './packed-members.ts';
import type { ZipDirectory, ZipEntry } from './zip-directory.ts';

/** What could be read, by path (`..` and all: a path is data here, nothing is ever written to a disk by it). */
export interface ZipMembers {
  readonly members: ReadonlyMap<string, Uint8Array>;
  /** Members that could not be read, with the reason as the rest of a sentence. */
  readonly unread: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

const STORED = 0;
const DEFLATED = 8;
/** More notes of one kind than this say nothing new. */
const NOTED = 10;

/**
 * Reads all members of a zip. Folders are left out; of two members with one path the first counts. The declared
 * sizes are added up before anything is inflated, and no member may come out bigger than it declares.
 * @returns a problem (the rest of a sentence) when the members are bigger than the limit in total
 */
export function readZipMembers(
  directory: ZipDirectory,
  limits: Limits,
): ZipMembers | { readonly problem: string } {
  const declared = directory.entries.reduce((sum, { size }) => sum + size, 0);
  if (declared > limits.inflatedBytes) {
    const limit = sizeText(limits.inflatedBytes);
    return { problem: `inflates to ${sizeText(declared)}, more than the limit of ${limit}` };
  }
  const members = new Map<string, Uint8Array>();
  const unread = new Map<string, string>();
  const twice: string[] = [];
  const wrong: string[] = [];
  for (const entry of directory.entries) {
    if (entry.path.endsWith('/') && entry.size === 0) continue;
    if (members.has(entry.path) || unread.has(entry.path)) {
      twice.push(entry.path);
      continue;
    }
    const read = readMember(entry);
    if ('problem' in read) unread.set(entry.path, read.problem);
    else {
      const { bytes } = read;
      members.set(entry.path, bytes);
      if (crc32(bytes) !== entry.crc) wrong.push(entry.path);
      else if (entry.packed !== undefined) {
        rememberPacked(bytes, { bytes: entry.packed, isStored: entry.method === STORED, crc: entry.crc });
      }
    }
  }
  const notes = [
    ...[...unread].map(([path, problem]) => `"${path}" in the archive ${problem}, so it is left out.`),
    ...twice.map((path) => `"${path}" stands twice in the archive; the first one was used.`),
    ...wrong.map((path) => `"${path}" in the archive has a wrong checksum; it may be damaged.`),
  ];
  const more = notes.length - NOTED;
  return {
    members,
    unread,
    notes: more > 0 ? [...notes.slice(0, NOTED), `${more} more files in the archive are like that.`] : notes,
  };
}

function readMember({
  isEncrypted,
  method,
  packed,
  size,
}: ZipEntry): { bytes: Uint8Array } | { problem: string } {
  if (isEncrypted) return { problem: 'is protected by a password' };
  if (!packed) return { problem: 'is damaged' };
  if (method === STORED) return packed.length === size ? { bytes: packed } : { problem: 'is damaged' };
  if (method !== DEFLATED) return { problem: 'is compressed in a way that is not supported' };
  const inflated = inflateRaw(packed, size, true);
  if ('problem' in inflated || inflated.bytes.length !== size) return { problem: 'is damaged' };
  return inflated;
}
