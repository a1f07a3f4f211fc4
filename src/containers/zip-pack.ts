// A zip that is no charx: several cards and lorebooks packed together, as apps hand out what was exported in bulk.

import { hasCard } from './charx.ts';
import { refusal } from './container-error.ts';
import { LIMITS, type Limits } from './limits.ts';
import { findZipDirectory } from './zip-directory.ts';
import { readZipMembers } from './zip-reading.ts';

/** The files of a zip, by path in the archive's order; remarks, each one sentence. */
export interface ZipPack {
  readonly members: ReadonlyMap<string, Uint8Array>;
  readonly notes: readonly string[];
}

/** Files that only the system that packed the zip needs. */
const OF_THE_SYSTEM = /(?:^|[\\/])(?:__MACOSX[\\/]|\.DS_Store$|\._|Thumbs\.db$|desktop\.ini$)/i;

/**
 * The members of a zip without a card.json.
 * @returns null when the file is anything else: a picture, a charx, no zip at all
 * @throws ContainerError when it is such a zip and passes a limit, or is broken
 */
export function readZipPack(bytes: Uint8Array, fileName: string, limits: Limits = LIMITS): ZipPack | null {
  if (!isZip(bytes) || bytes.length > limits.fileBytes) return null;
  const directory = findZipDirectory(bytes, limits);
  if (directory === undefined) return null;
  if ('problem' in directory) throw refusal(fileName, directory.problem);
  if (hasCard(directory)) return null;
  const read = readZipMembers(directory, limits);
  if ('problem' in read) throw refusal(fileName, read.problem);
  return {
    members: new Map([...read.members].filter(([path]) => !OF_THE_SYSTEM.test(path))),
    notes: read.notes,
  };
}

/** Whether bytes begin as a zip does; one that hides behind a picture is a charx. */
function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}
