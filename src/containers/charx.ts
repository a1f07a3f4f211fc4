// A charx: a zip with card.json and the card's assets (CCv3 specification; SillyTavern 1.19 src/charx.js;
// RisuAI src/ts/process/processzip.ts). RisuAI also hangs it behind a JPEG.

import { isArray, isObject, type Json, jsonAt } from '../core/json.ts';
import { readJsonBytes } from './card-json.ts';
import type { ContainerRead } from './container.ts';
import { refusal } from './container-error.ts';
import { LIMITS, type Limits } from './limits.ts';
import { isPng } from './png-chunks.ts';
import { isRisum, readRisum } from './risum.ts';
import type { ZipDirectory } from './zip-directory.ts';
import { readZipMembers } from './zip-reading.ts';
import { writeZip } from './zip-writing.ts';

/** The usual name of the card in a charx. */
export const CARD_PATH = 'card.json';

/** A charx as read. */
export interface Charx {
  readonly json: Json;
  readonly cardPath: string;
  readonly members: ReadonlyMap<string, Uint8Array>;
  /** The member that is the character's main picture, of whatever kind. */
  readonly iconPath?: string;
  readonly notes: readonly string[];
}

/**
 * Reads a charx from its zip directory. card.json stands at the root or one folder down.
 * @throws ContainerError when there is no card.json, it cannot be read, or a limit is passed
 */
export function readCharx(directory: ZipDirectory, fileName: string, limits: Limits = LIMITS): Charx {
  const cardPaths = directory.entries.map(({ path }) => path).filter((path) => cardDepth(path) < 2);
  // A stable sort: the root before folders, else the order of the archive.
  const cardPath = cardPaths.sort((a, b) => cardDepth(a) - cardDepth(b))[0];
  if (cardPath === undefined) {
    throw refusal(fileName, 'is a zip archive without a card.json, so there is no character card in it');
  }
  const zip = readZipMembers(directory, limits);
  if ('problem' in zip) throw refusal(fileName, zip.problem);
  const bytes = zip.members.get(cardPath);
  if (!bytes)
    throw refusal(fileName, `cannot be read: its ${CARD_PATH} ${zip.unread.get(cardPath) ?? 'is damaged'}`);
  const read = readJsonBytes(bytes, limits);
  if ('problem' in read) throw refusal(fileName, `cannot be read: its ${CARD_PATH} ${read.problem}`);
  if (!isObject(read.json))
    throw refusal(fileName, `cannot be read: its ${CARD_PATH} holds a list, not a card`);
  const notes = [...zip.notes, ...read.notes];
  if (new Set(cardPaths).size > 1) notes.push(`The archive holds several cards; "${cardPath}" was used.`);
  const iconPath = mainIcon(read.json, cardPath, zip.members);
  const icon = iconPath === undefined ? undefined : zip.members.get(iconPath);
  if (icon && !isPng(icon))
    notes.push(`The picture "${iconPath}" is no PNG, so a PNG card cannot take it as it is.`);
  return {
    json: read.json,
    cardPath,
    members: zip.members,
    ...(iconPath !== undefined && { iconPath }),
    notes,
  };
}

/** Options of `writeCharx`. */
export interface CharxOptions {
  /** Where the card stands; a member of that path keeps its place in the order. */
  readonly cardPath?: string;
  /** Bytes to stand before the zip (the JPEG of a jpeg+zip). */
  readonly prefix?: Uint8Array;
  readonly fileName?: string;
}

/**
 * Writes a charx: the given members with the card in place of card.json, all others as they are. RisuAI waits
 * for ever on an archive without any file that is not .json, and on an empty file: give it the icon, and no
 * empty members.
 * @throws ContainerError when a zip cannot hold the members
 */
export function writeCharx(
  members: ReadonlyMap<string, Uint8Array>,
  card: Json,
  { cardPath = CARD_PATH, prefix, fileName = 'The charx' }: CharxOptions = {},
): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(card, null, 4));
  const all = new Map(members).set(cardPath, text);
  const zip = writeZip(all, prefix);
  if (!zip) throw refusal(fileName, 'cannot be written: its files are too many or too big for a zip archive');
  return zip;
}

/** A member beside the card as JSON; `problem` is the rest of a sentence. */
export type JsonBeside = { readonly json: Json } | { readonly problem: string };

type WithMembers = Pick<ContainerRead, 'zip' | 'cardPath'>;

/**
 * Reads a member that lies beside the card of a charx: JSON, or a module of RisuAI's.
 * @returns null when there is none of that name
 */
export function readBeside(container: WithMembers, name: string, limits: Limits = LIMITS): JsonBeside | null {
  const bytes = container.zip?.get(pathBeside(container, name));
  if (bytes === undefined) return null;
  if (!name.endsWith('.risum')) return readJsonBytes(bytes, limits);
  return isRisum(bytes) ? readRisum(bytes, limits) : { problem: 'is no RisuAI module' };
}

/** The members of a charx without the one of that name beside the card. */
export function withoutBeside(container: WithMembers, name: string): ReadonlyMap<string, Uint8Array> {
  const gone = pathBeside(container, name);
  return new Map([...(container.zip ?? [])].filter(([path]) => path !== gone));
}

/** The path of a member of that name beside the card. */
export const pathBeside = ({ cardPath = CARD_PATH }: WithMembers, name: string): string =>
  cardPath.slice(0, cardPath.length - CARD_PATH.length) + name;

/** Whether an archive has a card.json where a charx has it. */
export function hasCard({ entries }: ZipDirectory): boolean {
  return entries.some(({ path }) => cardDepth(path) < 2);
}

/** 0 for card.json at the root, 1 for one in a folder, else infinite. Zips from Windows may hold backslashes. */
function cardDepth(path: string): number {
  const steps = path.replaceAll('\\', '/').replace(/^\.\//, '').split('/');
  if (steps.at(-1) !== CARD_PATH || steps[0] === '__MACOSX') return Number.POSITIVE_INFINITY;
  return steps.length <= 2 ? steps.length - 1 : Number.POSITIVE_INFINITY;
}

/** `embeded://` is RisuAI's spelling, and the most frequent. The same three as SillyTavern's. */
const ASSET_URI = /^(?:embeded:\/\/|embedded:\/\/|__asset:)(.+)$/is;
/** The picture where CCv3 puts it; Lumiverse writes no list of assets. */
const ICON_FOLDER = 'assets/icon/';
const PICTURE_END = /\.(?:a?png|jpe?g|jfif|webp|gif|avif|bmp)$/i;

function mainIcon(
  card: Json,
  cardPath: string,
  members: ReadonlyMap<string, Uint8Array>,
): string | undefined {
  const folder = cardPath.slice(0, cardPath.length - CARD_PATH.length);
  const assets = jsonAt(card, ['data', 'assets']);
  const icons = (isArray(assets) ? assets : [])
    .filter(isObject)
    .filter(({ type }) => folded(type) === 'icon');
  for (const icon of [...icons.filter(({ name }) => folded(name) === 'main'), ...icons]) {
    const path = typeof icon['uri'] === 'string' ? ASSET_URI.exec(icon['uri'].trim())?.[1] : undefined;
    if (path === undefined) continue;
    const plain = path.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
    const found = [path, plain, folder + plain].find((candidate) => members.has(candidate));
    if (found !== undefined) return found;
  }
  const pictures = [...members.keys()].filter((path) => {
    return path.startsWith(folder + ICON_FOLDER) && PICTURE_END.test(path);
  });
  return pictures.find((path) => /\/main\.\w+$/i.test(path)) ?? pictures[0];
}

function folded(value: Json | undefined): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}
