// A file into another app's file: opened, its live lorebooks chosen, written, and what was written measured.

import { writeCardJson } from './containers/card-json.ts';
import { asPng } from './containers/card-picture.ts';
import type { ContainerKind, ContainerRead } from './containers/container.ts';
import { writeContainer } from './containers/container.ts';
import { ConversionError, emitBundle, readPieces } from './convert.ts';
import type { CanonicalCharacter } from './core/character.ts';
import type { Finding } from './core/finding.ts';
import { finding } from './core/finding.ts';
import { sameFingerprint } from './core/fingerprint.ts';
import type { Json, JsonObject } from './core/json.ts';
import { isObject } from './core/json.ts';
import type { CanonicalLorebook } from './core/lorebook.ts';
import { lorebooksToCharacterBook } from './formats/_shared/source-books.ts';
import { adapterFor } from './formats/registry.ts';
import { forgetPrivate, type PrivateChoice } from './formats/sillytavern/private-fields.ts';
import { lorebookToWorldInfo } from './formats/sillytavern/world-info.ts';
import { WORLD_INFO } from './formats/sillytavern/world-table.ts';
import { lorebookFromWorld, worldFromLorebook } from './formats/sillytavern/world-twin.ts';
import type { EntryCounts } from './measure.ts';
import { countEntries, measureLorebooks } from './measure.ts';
import type { OpenedFile } from './open-file.ts';

/** The forms in which a file can be written. */
export const FORMS = ['png', 'json', 'charx', 'native', 'lorebook', 'book'] as const;
/** One of them. */
export type Form = (typeof FORMS)[number];

/** A world file that is linked to the character in SillyTavern. */
export interface LinkedWorld {
  readonly name: string;
  readonly world: JsonObject;
}

/** What to write. */
export interface ConvertOptions {
  readonly target: string;
  readonly form?: Form;
  readonly worlds?: readonly LinkedWorld[];
  readonly privateFields?: PrivateChoice;
}

/** A file to be written. `name` is a proposal. */
export interface WrittenFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** What happened, as `--report` writes it. */
export interface ConvertReport {
  readonly target: string;
  readonly targetVersion: string | null;
  readonly style: 'natural' | 'exact';
  readonly files: readonly { readonly name: string; readonly mime: string; readonly bytes: number }[];
  readonly entries: EntryCounts;
  readonly findings: readonly Finding[];
  readonly steps: readonly string[];
  readonly settings: JsonObject;
}

/** Written files with their report. */
export interface Conversion {
  readonly files: readonly WrittenFile[];
  readonly report: ConvertReport;
}

const MIME: Readonly<Record<ContainerKind, string>> = {
  png: 'image/png',
  json: 'application/json',
  charx: 'application/zip',
  'jpeg+zip': 'application/zip',
};

/**
 * Converts an opened file. A card is written with its live lorebooks: a world file whose name the card links takes
 * the place of the embedded copy, other world files are added behind. A lorebook alone is written as a lorebook.
 * @throws ConversionError when the target has no writer or cannot have the form that was asked for
 */
export function convertFile(opened: OpenedFile, options: ConvertOptions): Conversion {
  if (adapterFor(options.target) === null) {
    throw new ConversionError(`Loreferry cannot write files for ${options.target} yet.`);
  }
  return opened.kind === 'card' ? convertCard(opened, options) : convertBook(opened, options);
}

function convertCard(opened: Extract<OpenedFile, { kind: 'card' }>, options: ConvertOptions): Conversion {
  const { pieces, container } = opened;
  const chosen = liveLorebooks(pieces.character, pieces.lorebooks, options.worlds ?? []);
  const kept = chosen.lorebooks.map((book) => forgetPrivate(book, options.privateFields ?? 'keep'));
  const findings: Finding[] = [
    ...opened.findings,
    ...chosen.findings,
    ...kept.flatMap((book) => book.findings),
  ];
  const lorebooks = kept.map(({ lorebook }) => lorebook);
  const form = options.form ?? defaultForm(container.kind);
  const name = pieces.character.name;
  if (form === 'book' || form === 'lorebook')
    return written(
      bookFiles(lorebooks, form, name, options.privateFields ?? 'keep'),
      lorebooks,
      findings,
      options,
    );
  const emitted = emitBundle(
    pieces.character,
    lorebooks.length === 0 ? undefined : lorebooks,
    options.target,
  );
  findings.push(...emitted.findings);
  const file = cardFile(container, emitted.card, form, name);
  const readBack = readPieces(emitted.card).lorebooks;
  findings.push(...measureLorebooks(lorebooks, readBack));
  return written([file], lorebooks, findings, options);
}

function convertBook(opened: Exclude<OpenedFile, { kind: 'card' }>, options: ConvertOptions): Conversion {
  const lorebook = opened.kind === 'worldinfo' ? opened.world.lorebook : opened.lorebook;
  const kept = forgetPrivate(lorebook, options.privateFields ?? 'keep');
  const form = options.form ?? 'lorebook';
  if (form !== 'book' && form !== 'lorebook') {
    throw new ConversionError(`A lorebook cannot be written as ${form}; use --as lorebook or --as book.`);
  }
  const findings = [...opened.findings, ...kept.findings];
  const files = bookFiles([kept.lorebook], form, lorebook.name, options.privateFields ?? 'keep');
  return written(files, [kept.lorebook], findings, options);
}

function written(
  files: readonly WrittenFile[],
  lorebooks: readonly CanonicalLorebook[],
  findings: readonly Finding[],
  options: ConvertOptions,
): Conversion {
  return {
    files,
    report: {
      target: options.target,
      targetVersion: null,
      style: 'natural',
      files: files.map(({ name, mime, bytes }) => ({ name, mime, bytes: bytes.length })),
      entries: countEntries(lorebooks, findings),
      findings,
      steps: [],
      settings: {},
    },
  };
}

interface LiveLorebooks {
  readonly lorebooks: readonly CanonicalLorebook[];
  readonly findings: readonly Finding[];
}

// SillyTavern generates from the world file, never from the copy in the card (1.19), so the file is what travels.
function liveLorebooks(
  character: CanonicalCharacter,
  embedded: readonly CanonicalLorebook[],
  worlds: readonly LinkedWorld[],
): LiveLorebooks {
  const link = character.body.extensions['world'];
  const read = worlds.map(({ name, world }) => {
    const { lorebook } = lorebookFromWorld(world, `worldinfo:${name}`, name);
    const named = lorebook.body.name === '' ? { ...lorebook.body, name } : lorebook.body;
    return { name, lorebook: lorebook.body.name === '' ? { ...lorebook, body: named } : lorebook };
  });
  const primary = read.find(({ name }) => name === link);
  const others = read.filter((each) => each !== primary).map(({ lorebook }) => lorebook);
  const own = primary === undefined ? embedded : [primary.lorebook, ...embedded.slice(1)];
  const [copy] = embedded;
  const differs =
    primary !== undefined &&
    copy !== undefined &&
    sameFingerprint(copy.body) !== sameFingerprint(primary.lorebook.body);
  const findings = differs ? [staleCopy(primary.name, primary.lorebook.id)] : [];
  return { lorebooks: [...own, ...others], findings };
}

const staleCopy = (name: string, bookId: string): Finding =>
  finding(
    'conflict',
    { bookId, entryId: null },
    'book',
    null,
    null,
    `The card's copy of the lorebook differs from the world file "${name}"; the world file was taken, because SillyTavern generates from it.`,
  );

function defaultForm(kind: ContainerKind): Form {
  return kind === 'jpeg+zip' ? 'charx' : kind;
}

function cardFile(container: ContainerRead, card: JsonObject, form: Form, name: string): WrittenFile {
  const stem = name.trim() === '' ? 'character' : name;
  if (form === 'json') return { name: `${stem}.json`, mime: MIME.json, bytes: writeCardJson(card) };
  if (form === 'png') return { name: `${stem}.png`, mime: MIME.png, bytes: asPng(container, card) };
  if (form === 'charx') {
    const target = container.kind === 'jpeg+zip' ? { ...container, kind: 'charx' as const } : container;
    const base = target.kind === 'charx' ? target : { kind: 'charx' as const };
    return { name: `${stem}.charx`, mime: MIME.charx, bytes: writeContainer(base, card) };
  }
  throw new ConversionError(`SillyTavern has no ${form} form of a character; use --as png, json or charx.`);
}

function bookFiles(
  lorebooks: readonly CanonicalLorebook[],
  form: 'book' | 'lorebook',
  character: string,
  privateFields: PrivateChoice,
): readonly WrittenFile[] {
  return lorebooks.map((lorebook) => {
    const json: Json =
      form === 'book' ? lorebooksToCharacterBook([lorebook]) : worldJson(lorebook, character, privateFields);
    return { name: `${lorebook.name}.json`, mime: MIME.json, bytes: writeCardJson(json) };
  });
}

/**
 * A lorebook as a world file: the file itself when it came from one, else a new one with its twin. Without its private
 * fields it is written anew, and without the twin, which still holds them.
 */
function worldJson(lorebook: CanonicalLorebook, character: string, privateFields: PrivateChoice): JsonObject {
  if (privateFields === 'drop')
    return lorebookToWorldInfo(
      lorebook.body,
      lorebook.body.entries.map((_, index) => index),
    );
  const own = lorebook.original[WORLD_INFO]?.raw;
  if (isObject(own)) return own;
  return worldFromLorebook(lorebook, { character, slot: lorebook.id });
}
