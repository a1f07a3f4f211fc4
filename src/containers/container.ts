// Bytes <-> card JSON. What a file is, its bytes tell; names lie (`.png` that is a WebP, `.jpeg` that is a zip).

import type { Json } from '../core/json.ts';
import { firstSolidByte, hasUtf16Mark, type JsonRead, readJsonBytes, writeCardJson } from './card-json.ts';
import {
  blankPng,
  type CardKeyword,
  cardTextChunks,
  type PngTextOptions,
  readPngCards,
  type TextChunkType,
  writePngText,
} from './card-png.ts';
import { readCharx, writeCharx } from './charx.ts';
import { refusal } from './container-error.ts';
import { LIMITS, type Limits, sizeText } from './limits.ts';
import { isPng } from './png-chunks.ts';
import { readPngLorebook } from './png-lorebook.ts';
import { isRisum, readRisum } from './risum.ts';
import { findZipDirectory, type ZipDirectory } from './zip-directory.ts';

export { ContainerError } from './container-error.ts';

/** What a file is. `charx` is any zip with a card.json; `jpeg+zip` one behind a JPEG. */
export type ContainerKind = 'png' | 'json' | 'charx' | 'jpeg+zip';

/** One card found in a file; keyword and chunk type only in a PNG. */
export interface CardCopy {
  readonly json: Json;
  readonly keyword?: CardKeyword;
  readonly chunkType?: TextChunkType;
}

/** A file as read. */
export interface ContainerRead {
  readonly kind: ContainerKind;
  /** The card, world file or lorebook that counts; one of `copies`, by reference. */
  readonly json: Json;
  /** PNG: every readable card chunk in file order. Others: one. */
  readonly copies: readonly CardCopy[];
  /** PNG: the file itself. Charx: the main icon's bytes when they are a PNG. */
  readonly picture?: Uint8Array;
  /** The picture when it is no PNG, where the format holds it beside the card: who can draw it can make one of it. */
  readonly otherPicture?: Uint8Array;
  /** Charx: all readable members by path, in the archive's order. */
  readonly zip?: ReadonlyMap<string, Uint8Array>;
  /** Charx: where card.json stood. */
  readonly cardPath?: string;
  /** Charx: the member that is the main picture, also when it is no PNG. */
  readonly iconPath?: string;
  /** jpeg+zip, or any charx behind something else: the bytes before the zip. */
  readonly prefix?: Uint8Array;
  /** Remarks, each one sentence. */
  readonly notes: readonly string[];
}

/**
 * Reads a card or lorebook file, told apart by content; `fileName` only goes into messages.
 * @throws ContainerError, and nothing else whatever the bytes are, when there is nothing to be used
 */
export function readContainer(bytes: Uint8Array, fileName: string, limits: Limits = LIMITS): ContainerRead {
  if (bytes.length === 0) throw refusal(fileName, 'is empty');
  if (bytes.length > limits.fileBytes) {
    const limit = sizeText(limits.fileBytes);
    throw refusal(fileName, `is ${sizeText(bytes.length)} big, more than the limit of ${limit}`);
  }
  if (isPng(bytes)) return readPng(bytes, fileName, limits);
  if (beginsLikeJson(bytes)) return asJson(readJsonBytes(bytes, limits), fileName);
  if (isRisum(bytes)) return asJson(readRisum(bytes, limits), fileName);
  const directory = findZipDirectory(bytes, limits);
  if (directory && 'entries' in directory) return readZip(bytes, directory, fileName, limits);
  if (directory) throw refusal(fileName, directory.problem);
  if (!foreignKind(bytes) && isText(bytes)) return asJson(readJsonBytes(bytes, limits), fileName);
  throw refusal(fileName, foreignKind(bytes) ?? 'is no PNG, JSON or charx file');
}

/** What `writeContainer` needs; a `ContainerRead` is one. */
export type ContainerTarget = Pick<ContainerRead, 'kind'> &
  Partial<Pick<ContainerRead, 'picture' | 'zip' | 'cardPath' | 'prefix'>>;

/** Options of `writeContainer`. */
export interface WriteOptions extends PngTextOptions {
  /** PNG: the keywords under which the card is written; both by default, as SillyTavern does. */
  readonly keywords?: readonly CardKeyword[];
}

/**
 * A card as a file of the given kind: a PNG keeps its picture and other chunks (a blank one when there is none),
 * a charx its other members, a jpeg+zip also its JPEG.
 * @throws ContainerError when the picture is no PNG or a zip cannot hold the members
 */
export function writeContainer(target: ContainerTarget, card: Json, options: WriteOptions = {}): Uint8Array {
  const { kind, picture, zip, cardPath, prefix } = target;
  if (kind === 'json') return writeCardJson(card);
  if (kind === 'png') {
    return writePngText(
      picture ?? blankPng(),
      cardTextChunks(card, options.keywords ?? ['chara', 'ccv3']),
      options,
    );
  }
  return writeCharx(zip ?? new Map(), card, {
    ...(cardPath !== undefined && { cardPath }),
    ...(kind === 'jpeg+zip' && prefix && { prefix }),
    ...(options.fileName !== undefined && { fileName: options.fileName }),
  });
}

function asJson(read: JsonRead, fileName: string): ContainerRead {
  if ('problem' in read) throw refusal(fileName, read.problem);
  return { kind: 'json', json: read.json, copies: [{ json: read.json }], notes: read.notes };
}

function readPng(bytes: Uint8Array, fileName: string, limits: Limits): ContainerRead {
  const cards = readPngCards(bytes, fileName, limits);
  if (cards) return { kind: 'png', picture: bytes, ...cards };
  const book = readPngLorebook(bytes, fileName, limits);
  if (book) return { kind: 'png', picture: bytes, copies: [{ json: book.json }], ...book };
  const directory = findZipDirectory(bytes, limits);
  if (directory && 'entries' in directory) return readZip(bytes, directory, fileName, limits);
  throw refusal(fileName, 'is a picture without a character card inside');
}

function readZip(
  bytes: Uint8Array,
  directory: ZipDirectory,
  fileName: string,
  limits: Limits,
): ContainerRead {
  const { json, cardPath, members, iconPath, notes } = readCharx(directory, fileName, limits);
  const icon = iconPath === undefined ? undefined : members.get(iconPath);
  return {
    kind: isJpeg(bytes) ? 'jpeg+zip' : 'charx',
    json,
    copies: [{ json }],
    zip: members,
    cardPath,
    ...(iconPath !== undefined && { iconPath }),
    ...(icon && isPng(icon) && { picture: icon }),
    ...(directory.start > 0 && { prefix: bytes.subarray(0, directory.start) }),
    notes,
  };
}

function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8;
}

/** How far a file is looked into to tell text from other data. */
const SNIFFED = 512;

function beginsLikeJson(bytes: Uint8Array): boolean {
  const first = bytes[firstSolidByte(bytes)];
  return hasUtf16Mark(bytes) || first === '{'.charCodeAt(0) || first === '['.charCodeAt(0);
}

/** Whether a file is some text: then what is wrong with it as JSON is the best thing to say about it. */
function isText(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SNIFFED).every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));
}

function startsWith(bytes: Uint8Array, letters: string, at = 0): boolean {
  return [...letters].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));
}

/** What a file of a known other kind is, as the rest of a sentence. */
function foreignKind(bytes: Uint8Array): string | undefined {
  if (isJpeg(bytes)) return 'is a JPEG picture without a character card behind it';
  if (startsWith(bytes, 'PK')) return 'is a zip archive that is damaged or cut off: its directory is missing';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) {
    return 'is a WebP picture; a character card travels in a PNG, so ask for the PNG';
  }
  if (startsWith(bytes, 'GIF8')) return 'is a GIF picture without a character card inside';
  return undefined;
}
