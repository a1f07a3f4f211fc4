// A file that holds several: what apps hand out when many cards or lorebooks are exported at once. Each member is
// opened as if it had been chosen singly.

import type { ContainerRead } from './containers/container.ts';
import { ContainerError, readContainer } from './containers/container.ts';
import { refusal } from './containers/container-error.ts';
import { LIMITS, type Limits } from './containers/limits.ts';
import { isPng } from './containers/png-chunks.ts';
import { readZipPack } from './containers/zip-pack.ts';
import type { Finding } from './core/finding.ts';
import { finding } from './core/finding.ts';
import type { Json } from './core/json.ts';
import { isArray, isObject } from './core/json.ts';
import type { CanonicalLorebook } from './core/lorebook.ts';
import { marinaraPackage, SAME_NAMES } from './formats/marinara/packed-files.ts';
import { MOST_BOOKS, MOST_ENTRIES } from './held-books.ts';
import { formatOf, type OpenedFile, openFile, openJson } from './open-file.ts';

/** A card or lorebook of a pack, with its name in the archive. */
export interface PackedFile {
  readonly name: string;
  readonly opened: OpenedFile;
}

/** A zip of cards and lorebooks; there is at least one. */
export interface OpenedPack {
  readonly kind: 'pack';
  readonly members: readonly PackedFile[];
  /** What is said of the pack as a whole; what its members say stays with them. */
  readonly findings: readonly Finding[];
  /** Remarks on the archive, each one sentence. */
  readonly notes: readonly string[];
}

/**
 * Opens any file that a person hands to us, by its content; a zip of cards and lorebooks becomes a pack.
 * @throws ContainerError, one sentence with the file's name, when nothing in it can be used
 */
export function openAnyFile(
  bytes: Uint8Array,
  fileName: string,
  limits: Limits = LIMITS,
): OpenedFile | OpenedPack {
  const pack = readZipPack(bytes, fileName, limits);
  if (pack === null) return openFile(bytes, fileName);
  const single = marinaraPackage([...pack.members.keys()]);
  const picture = single?.picture == null ? undefined : pack.members.get(single.picture);
  const members: PackedFile[] = [];
  const refused: Refused[] = [];
  let left: Left = {
    values: limits.jsonValues,
    letters: limits.cardTextBytes,
    entries: MOST_ENTRIES,
    books: MOST_BOOKS,
    pictures: MOST_PICTURES,
  };
  for (const [name, member] of pack.members) {
    if (member === picture) continue;
    try {
      const opened = openMember(name, member, left.pictures, limits);
      left = without(left, opened, isPng(member));
      members.push({ name, opened });
    } catch (error) {
      if (!(error instanceof ContainerError)) throw error;
      refused.push({ name, message: error.message });
    }
    if (Math.min(left.values, left.letters, left.entries, left.books) < 0)
      throw refusal(fileName, 'holds more cards and lorebooks than can be opened together');
  }
  if (members.length === 0)
    throw refusal(
      fileName,
      `is a zip archive in which there is neither a character card nor a lorebook${because(refused)}`,
    );
  const isExport = single === null && members.some(({ opened }) => isCardOfMarinara(opened));
  return {
    kind: 'pack',
    members: picture === undefined ? members : members.map((member) => withPicture(member, picture)),
    findings: [...passedOver(refused), ...(isExport ? [SAME_NAMES] : [])],
    notes: pack.notes,
  };
}

/** All files that an opened file stands for: itself, or the members of a pack. */
export function filesIn(opened: OpenedFile | OpenedPack): readonly OpenedFile[] {
  return opened.kind === 'pack' ? opened.members.map((member) => member.opened) : [opened];
}

/** The lorebooks of an opened file. */
export function lorebooksIn(opened: OpenedFile): readonly CanonicalLorebook[] {
  if (opened.kind === 'card') return opened.pieces.lorebooks;
  return [opened.kind === 'worldinfo' ? opened.world.lorebook : opened.lorebook];
}

/** What is to be said of a pack as a whole and of the containers of its members, each one sentence. */
export function packRemarks({ notes, findings, members }: OpenedPack): readonly string[] {
  return [
    ...notes,
    ...findings.map(({ message }) => message),
    ...members.flatMap(({ name, opened }) => opened.container.notes.map((note) => `${name}: ${note}`)),
  ];
}

interface Refused {
  readonly name: string;
  readonly message: string;
}

/** What may still be read: all members together stay within the limits of one file. */
interface Left {
  readonly values: number;
  readonly letters: number;
  readonly entries: number;
  readonly books: number;
  readonly pictures: number;
}

// The text in a picture may be compressed, so a picture can be far bigger than it is.
const MOST_PICTURES = 200;
const PICTURE_TEXT = 16 * 1024 * 1024;

function openMember(name: string, bytes: Uint8Array, pictures: number, limits: Limits): OpenedFile {
  const isPicture = isPng(bytes);
  if (isPicture && pictures === 0)
    throw refusal(name, `is one picture more than the ${MOST_PICTURES} that are looked into`);
  // An archive in the archive is not opened.
  if (!isPicture && !beginsAsText(bytes)) throw refusal(name, 'is neither a character card nor a lorebook');
  const text = isPicture ? Math.min(PICTURE_TEXT, limits.cardTextBytes) : limits.cardTextBytes;
  return openJson(readContainer(bytes, name, { ...limits, cardTextBytes: text, inflatedBytes: text }), name);
}

const beginsAsText = (bytes: Uint8Array): boolean =>
  !(bytes[0] === 0x50 && bytes[1] === 0x4b) && !(bytes[0] === 0xff && bytes[1] === 0xd8);

function without(left: Left, opened: OpenedFile, isPicture: boolean): Left {
  const { values, letters } = sizeOf(opened.container.copies.map(({ json }) => json));
  const lorebooks = lorebooksIn(opened);
  return {
    values: left.values - values,
    letters: left.letters - letters,
    entries: lorebooks.reduce((sum, { body }) => sum - body.entries.length, left.entries),
    books: left.books - lorebooks.length,
    pictures: isPicture ? left.pictures - 1 : left.pictures,
  };
}

function sizeOf(json: Json): { readonly values: number; readonly letters: number } {
  if (typeof json === 'string') return { values: 1, letters: json.length };
  let values = 1;
  let letters = 1;
  for (const [key, item] of isArray(json) || isObject(json) ? Object.entries(json) : []) {
    const size = sizeOf(item ?? null);
    values += size.values;
    letters += size.letters + (isArray(json) ? 0 : key.length);
  }
  return { values, letters };
}

const LISTED = 20;
const OF_PACK = { bookId: null, entryId: null };

function passedOver(refused: readonly Refused[]): readonly Finding[] {
  const findings = refused
    .slice(0, LISTED)
    .map(({ name, message }) =>
      finding('refused', OF_PACK, name, null, null, `Passed over in the archive: ${message}`),
    );
  const more = refused.length - LISTED;
  if (more <= 0) return findings;
  const text = `${more} more files of the archive were passed over.`;
  return [...findings, finding('refused', OF_PACK, 'zip', null, null, text)];
}

// Of a single file that cannot be read the reason is worth more than that there is nothing.
const because = ([only, ...more]: readonly Refused[]): string =>
  only === undefined || more.length > 0 ? '' : ` (${only.message.replace(/\.$/, '')})`;

function isCardOfMarinara(opened: OpenedFile): boolean {
  return opened.kind === 'card' && formatOf(opened) === 'marinara';
}

function withPicture({ name, opened }: PackedFile, picture: Uint8Array): PackedFile {
  const { container } = opened;
  if (opened.kind !== 'card') return { name, opened };
  const around: ContainerRead = isPng(picture)
    ? { ...container, kind: 'png', picture }
    : {
        ...container,
        otherPicture: picture,
        notes: [...container.notes, 'The picture of the character is no PNG, so a PNG card cannot take it.'],
      };
  return { name, opened: { ...opened, container: around } };
}
