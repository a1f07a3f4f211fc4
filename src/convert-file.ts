// A file into another app's file: opened, its live lorebooks chosen, written, and what was written measured.

import { writeCardJson } from './containers/card-json.ts';
import { asCharx, asPng, withIcon } from './containers/card-picture.ts';
import type { ContainerKind, ContainerRead } from './containers/container.ts';
import { writeContainer } from './containers/container.ts';
import { ConversionError, emitBundle, readPieces } from './convert.ts';
import type { Conversion } from './convert-report.ts';
import { conversion } from './convert-report.ts';
import { convertToApp } from './convert-to-app.ts';
import type { Style } from './core/exporter.ts';
import type { Finding } from './core/finding.ts';
import type { JsonObject } from './core/json.ts';
import { isObject, withoutKey } from './core/json.ts';
import type { CanonicalLorebook } from './core/lorebook.ts';
import type { BookOrigin } from './core/resolved.ts';
import type { ExportSurroundings, WrittenFile } from './export-character.ts';
import { lorebookFromBook } from './formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from './formats/_shared/character-book-table.ts';
import { inStandardWords } from './formats/_shared/foreign-book.ts';
import { lorebooksToCharacterBook } from './formats/_shared/source-books.ts';
import { exporterFor } from './formats/exporters.ts';
import { adapterFor } from './formats/registry.ts';
import { forgetPrivate, type PrivateChoice } from './formats/sillytavern/private-fields.ts';
import { overlayWorldInfo, worldReadingOf } from './formats/sillytavern/world-info.ts';
import { WORLD_INFO } from './formats/sillytavern/world-table.ts';
import { withoutTwin, worldFromLorebook } from './formats/sillytavern/world-twin.ts';
import type { LinkedWorld } from './live-lorebooks.ts';
import { liveLorebooks } from './live-lorebooks.ts';
import { measureLorebooks } from './measure.ts';
import type { OpenedFile } from './open-file.ts';
import { readWorldFile } from './own-books.ts';
import { forCard, rejoined } from './riding-books.ts';
import { withoutWorldBooks } from './world-books-beside.ts';

/** The forms in which a file can be written. */
export const FORMS = ['png', 'json', 'charx', 'native', 'lorebook', 'book'] as const;
/** One of them. */
export type Form = (typeof FORMS)[number];

export type { LinkedWorld } from './live-lorebooks.ts';

/** What to write. */
export interface ConvertOptions extends ExportSurroundings {
  readonly target: string;
  readonly form?: Form;
  readonly worlds?: readonly LinkedWorld[];
  /** Whose each lorebook of the card is, in their order; see `CharacterExport`. Not with `worlds`. */
  readonly origins?: readonly BookOrigin[];
  /** Absent: kept on the way to SillyTavern, dropped on the way to another app (decisions 26). */
  readonly privateFields?: PrivateChoice;
  readonly style?: Style;
  readonly targetVersion?: string;
  /** What was chosen of the target's own options, by their ids. */
  readonly options?: Readonly<Record<string, string>>;
}

export type { Conversion, ConvertReport } from './convert-report.ts';
export type { WrittenFile } from './export-character.ts';

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
  const exporter = exporterFor(options.target);
  if (exporter !== null) return convertToApp(opened, exporter, options);
  if (adapterFor(options.target) === null) {
    throw new ConversionError(`Loreferry cannot write files for ${options.target} yet.`);
  }
  return opened.kind === 'card' ? convertCard(opened, options) : convertBook(opened, options);
}

function convertCard(opened: Extract<OpenedFile, { kind: 'card' }>, options: ConvertOptions): Conversion {
  const { pieces, container } = opened;
  const { character } = pieces;
  const { extensions } = character.body;
  const live = liveLorebooks(pieces.lorebooks, options.worlds ?? [], extensions['world']);
  const form = options.form ?? defaultForm(container.kind);
  const choice = options.privateFields ?? 'keep';
  const anew = live.lorebooks.map((book) => inStandardWords(book, extensions));
  const isSame = anew.every((book, index) => book === live.lorebooks[index]);
  // A world file is in SillyTavern's words anyway, and keeps the book that it was made of.
  const worded = form === 'lorebook' || isSame ? live.lorebooks : anew;
  const { lorebooks, findings } = checked(worded, form, choice);
  const said = [
    ...opened.findings.filter(({ bookId }) => bookId === null || !live.replaced.has(bookId)),
    ...live.findings,
    ...findings,
  ];
  if (form === 'book' || form === 'lorebook') {
    return writtenBooks(lorebooks, form, character.name, said, options);
  }
  const books = lorebooks.map((book, at) => forCard(book, live.lorebooks[at], choice));
  const emitted = emitBundle(character, books.length === 0 ? undefined : books, options.target);
  const file = cardFile(container, emitted.card, form, character.name);
  // A card that is written as it was read has nothing to be measured, and may be big.
  const isAsRead = emitted.card === opened.card && lorebooks === pieces.lorebooks;
  const measured = isAsRead
    ? []
    : measureLorebooks(lorebooks.map(rejoined), readPieces(emitted.card).lorebooks.map(rejoined));
  return conversion([file], lorebooks, [...said, ...emitted.findings, ...measured], options);
}

function convertBook(opened: Exclude<OpenedFile, { kind: 'card' }>, options: ConvertOptions): Conversion {
  const lorebook = opened.kind === 'worldinfo' ? opened.world.lorebook : opened.lorebook;
  const form = options.form ?? 'lorebook';
  if (options.worlds !== undefined && options.worlds.length > 0) {
    throw new ConversionError(
      'Only a character card has world files linked to it; a lorebook is written alone.',
    );
  }
  if (form !== 'book' && form !== 'lorebook') {
    throw new ConversionError(`A lorebook cannot be written as ${form}; use --as lorebook or --as book.`);
  }
  const { lorebooks, findings } = checked([lorebook], form, options.privateFields ?? 'keep');
  return writtenBooks(lorebooks, form, '', [...opened.findings, ...findings], options);
}

// A world file has places of its own for the private fields, so keeping them there is nothing to tell.
function checked(
  lorebooks: readonly CanonicalLorebook[],
  form: Form,
  choice: PrivateChoice,
): { readonly lorebooks: readonly CanonicalLorebook[]; readonly findings: readonly Finding[] } {
  if (form === 'lorebook' && choice === 'keep') return { lorebooks, findings: [] };
  const kept = lorebooks.map((book) => forgetPrivate(book, choice));
  const isSame = kept.every(({ lorebook }, index) => lorebook === lorebooks[index]);
  return {
    lorebooks: isSame ? lorebooks : kept.map(({ lorebook }) => lorebook),
    findings: kept.flatMap(({ findings }) => findings),
  };
}

function writtenBooks(
  lorebooks: readonly CanonicalLorebook[],
  form: 'book' | 'lorebook',
  character: string,
  findings: readonly Finding[],
  options: ConvertOptions,
): Conversion {
  const books = bookFiles(lorebooks, form, character, options.privateFields ?? 'keep');
  const measured = measureLorebooks(
    books.map(({ sent }) => sent),
    books.map(({ readBack }) => readBack),
  );
  const files = books.map(({ file }) => file);
  return conversion(files, lorebooks, [...findings, ...measured], options);
}

function defaultForm(kind: ContainerKind): Form {
  return kind === 'jpeg+zip' ? 'charx' : kind;
}

function cardFile(container: ContainerRead, card: JsonObject, form: Form, name: string): WrittenFile {
  const stem = name.trim() === '' ? 'character' : name;
  if (form === 'json') return { name: `${stem}.json`, mime: MIME.json, bytes: writeCardJson(card) };
  if (form === 'png') return { name: `${stem}.png`, mime: MIME.png, bytes: asPng(container, card) };
  if (form === 'charx') {
    const target = container.kind === 'jpeg+zip' ? { ...container, kind: 'charx' as const } : container;
    if (target.kind === 'charx') {
      const isNew = card !== container.json;
      // Lumiverse lists no picture; a card that is written as it was read stays so.
      const listed = isNew && container.iconPath !== undefined ? withIcon(card, container.iconPath) : card;
      const bytes = writeContainer(isNew ? withoutWorldBooks(target) : target, listed);
      return { name: `${stem}.charx`, mime: MIME.charx, bytes };
    }
    return { name: `${stem}.charx`, mime: MIME.charx, bytes: asCharx(container, card) };
  }
  throw new ConversionError(`SillyTavern has no ${form} form of a character; use --as png, json or charx.`);
}

interface WrittenBook {
  readonly file: WrittenFile;
  readonly sent: CanonicalLorebook;
  /** What is read back of it. */
  readonly readBack: CanonicalLorebook;
}

function bookFiles(
  lorebooks: readonly CanonicalLorebook[],
  form: 'book' | 'lorebook',
  character: string,
  choice: PrivateChoice,
): readonly WrittenBook[] {
  return lorebooks.map((lorebook) => {
    const { id, name } = lorebook;
    const json =
      form === 'book'
        ? lorebooksToCharacterBook([forCard(lorebook, lorebook, choice)])
        : worldJson(lorebook, character, choice);
    const file = { name: `${name}.json`, mime: MIME.json, bytes: writeCardJson(json) };
    // What is written as it was read has nothing to be measured, and may be big.
    const isAsRead = Object.values(lorebook.original).some(({ raw }) => raw === json);
    if (isAsRead) return { file, sent: lorebook, readBack: lorebook };
    if (form === 'lorebook')
      return { file, sent: lorebook, readBack: readWorldFile(json, id, name).lorebook };
    return { file, sent: rejoined(lorebook), readBack: rejoined(lorebookFromBook(json, id, name)) };
  });
}

/**
 * A lorebook as a world file: the file itself when it came from one, else a new one with its twin. When private
 * fields are dropped the twin goes too, since it holds them.
 */
export function worldJson(
  lorebook: CanonicalLorebook,
  character: string,
  choice: PrivateChoice = 'keep',
): JsonObject {
  const own = lorebook.original[WORLD_INFO];
  const isOfWorld = own !== undefined && isObject(own.raw);
  if (choice === 'keep') {
    if (isOfWorld) return own.raw as JsonObject;
    return worldFromLorebook(lorebook, { character, slot: lorebook.id });
  }
  if (isOfWorld) {
    const live = { ...lorebook, body: worldReadingOf(own, lorebook.id).body };
    const written = overlayWorldInfo(forgetPrivate(live, 'drop').lorebook.body, own);
    // SillyTavern's own copy of the card's book that the file was made of.
    return withoutTwin(withoutKey(written, 'originalData'));
  }
  const twin = lorebook.original[CHARACTER_BOOK];
  const held = twin === undefined ? null : lorebookFromBook(twin.raw, lorebook.id, lorebook.name);
  const isClean = held === null || forgetPrivate(held, 'drop').lorebook === held;
  const world = worldFromLorebook(lorebook, { character, slot: lorebook.id });
  return isClean ? world : withoutTwin(world);
}
