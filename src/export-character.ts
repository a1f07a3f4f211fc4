// A character out of SillyTavern into another app's file: resolved as SillyTavern has it in force, written by the
// target's exporter, and put into the container that the target reads.

import { encodeBase64 } from './containers/base64.ts';
import { writeCardJson } from './containers/card-json.ts';
import { asCharx } from './containers/card-picture.ts';
import { blankPng, cardTextChunks, writePngText } from './containers/card-png.ts';
import type { ContainerRead } from './containers/container.ts';
import { emitBundle } from './convert.ts';
import type { CanonicalCharacter } from './core/character.ts';
import type {
  CardForm,
  Exported,
  ExportedFile,
  Exporter,
  ExportForm,
  ExportRequest,
  Style,
} from './core/exporter.ts';
import type { Json, JsonObject } from './core/json.ts';
import { isObject, NO_FIELDS } from './core/json.ts';
import type { CanonicalLorebook } from './core/lorebook.ts';
import { type OwnPart, withoutOwn } from './core/own-part.ts';
import type { BookOrigin, ResolvedBook, ResolvedCharacter } from './core/resolved.ts';
import { withoutOwnersNote } from './formats/_shared/owners-note.ts';
import { forgetPrivate } from './formats/sillytavern/private-fields.ts';
import { readPromptSettings, withAssumedNote } from './formats/sillytavern/prompt-settings.ts';
import { resolveCharacter } from './formats/sillytavern/resolve.ts';
import { readTagIds } from './formats/sillytavern/resolve-filter.ts';
import { readScanSettings } from './formats/sillytavern/scan-settings.ts';
import { rejoined, withPurgedRider } from './riding-books.ts';

/** A file to be written. `name` is a proposal. */
export interface WrittenFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** Around a character when it is exported. */
export interface ExportSurroundings {
  /** SillyTavern's `settings.json` or its world info settings; absent is as shipped. */
  readonly settings?: Json;
  /** The persona's name. */
  readonly userName?: string;
  /** The character's file name; absent is its name. */
  readonly avatar?: string;
  /** Ids of its tags; absent are those that the settings name. */
  readonly tagIds?: readonly string[];
  /** The depth of the author's note; absent is what the settings say. */
  readonly noteDepth?: number;
  /** Tokens that a prompt may have; absent is what the settings say. */
  readonly contextSize?: number;
}

/** What is exported, and how. */
export interface CharacterExport extends ExportSurroundings {
  readonly character: CanonicalCharacter;
  /** Books that are in force, the primary one first; `origins` says whose each is, and is "primary" then "additional". */
  readonly lorebooks: readonly CanonicalLorebook[];
  readonly origins?: readonly BookOrigin[];
  readonly form?: ExportForm;
  readonly style: Style;
  readonly targetVersion?: string;
  readonly privateFields: 'keep' | 'drop';
  /** What was chosen of the exporter's own options. */
  readonly options?: ExportRequest['options'];
}

/** Written files, with what was said of them. */
export interface WrittenExport extends Omit<Exported, 'files' | 'cardForm'> {
  readonly files: readonly WrittenFile[];
}

// SillyTavern reads `ccv3` before `chara`: it gets its own card with the live books, without what is private.
function cardForSillyTavern({ character, lorebooks, privateFields }: CharacterExport): JsonObject {
  const books = lorebooks.map((book) =>
    withPurgedRider(forgetPrivate(book, privateFields).lorebook, privateFields),
  );
  const { card } = emitBundle(character, books.length === 0 ? undefined : books, 'sillytavern');
  const { data } = card;
  if (!isObject(data)) return card;
  return { ...card, spec: 'chara_card_v3', spec_version: '3.0', data: withoutOwnersNote(data) };
}

const NAME_OF_USER = 'User';

/**
 * Exports a character.
 *
 * @param container what the card came in: its picture is kept
 * @throws ContainerError when the picture is none
 */
export function exportCharacter(
  exporter: Exporter,
  container: ContainerRead,
  asked: CharacterExport,
): WrittenExport {
  const { character, lorebooks, origins } = asked;
  const avatar = asked.avatar ?? `${character.name}.png`;
  const scan = readScanSettings(asked.settings);
  const resolved = resolveCharacter({
    character,
    books: lorebooks.map((lorebook, index) => ({
      lorebook: rejoined(lorebook),
      origin: origins?.[index] ?? (index === 0 ? 'primary' : 'additional'),
    })),
    settings: scan.settings,
    userName: asked.userName ?? NAME_OF_USER,
    avatar,
    tagIds: asked.tagIds ?? readTagIds(asked.settings, avatar),
  });
  const { form, style, targetVersion, privateFields, options } = asked;
  const prompt = readPromptSettings(asked.settings);
  const noteDepth = asked.noteDepth ?? prompt.noteDepth;
  const contextSize = asked.contextSize ?? prompt.contextSize;
  const shape = cardShape(exporter, container, form);
  const exported = exporter.write(resolved, {
    style,
    privateFields,
    keepsChunks: container.kind === 'png' && shape === 'png',
    ...pictureFor(form, container),
    ...(options === undefined ? {} : { options }),
    ...(noteDepth === undefined ? {} : { noteDepth }),
    ...(contextSize === undefined ? {} : { contextSize }),
    ...(form === undefined ? {} : { form }),
    ...(targetVersion === undefined ? {} : { targetVersion }),
  });
  const { own = [] } = exported;
  return {
    ...exported,
    files: exported.files.map((file) =>
      written(file, shape, exporter, container, () => cardForSillyTavern(asked)),
    ),
    findings: [
      ...(isWhollyOwn(resolved, own)
        ? []
        : noteDepth === undefined && resolved.books.some(standsAtNote)
          ? withAssumedNote(scan.findings)
          : scan.findings),
      ...withoutOwn(resolved.findings, own),
      ...exported.findings,
    ],
  };
}

// An app's own character file is no picture: it holds one as text. A PNG's still holds SillyTavern's own card.
function pictureFor(
  form: ExportForm | undefined,
  { picture }: ContainerRead,
): Pick<ExportRequest, 'picture'> {
  if (form !== 'native' || picture === undefined) return {};
  return { picture: `data:image/png;base64,${encodeBase64(writePngText(picture, []))}` };
}

// SillyTavern's settings are nothing to files that the app itself wrote.
const isWhollyOwn = ({ books }: ResolvedCharacter, own: readonly OwnPart[]): boolean =>
  own.length > 0 &&
  own.every(({ edited }) => edited.length === 0) &&
  own.length === books.reduce((sum, { entries }) => sum + 1 + entries.length, 0);

const standsAtNote = ({ entries }: ResolvedBook): boolean =>
  entries.some(({ entry }) => entry.position.slot === 'note_top' || entry.position.slot === 'note_bottom');

/** Exports lorebooks alone: as the lorebook files of the target, with nobody to belong to. */
export function exportLorebooks(
  exporter: Exporter,
  container: ContainerRead,
  asked: Omit<CharacterExport, 'character' | 'form'>,
): WrittenExport {
  return exportCharacter(exporter, container, { ...asked, character: NOBODY, form: 'lorebook' });
}

const NOBODY: CanonicalCharacter = {
  id: '',
  name: '',
  body: {
    name: '',
    description: '',
    personality: '',
    scenario: '',
    firstMessage: '',
    exampleMessages: '',
    creatorNotes: '',
    tags: [],
    extensions: NO_FIELDS,
    knowledgeRefs: [],
  },
  original: {},
};

// A JSON stays JSON and a picture a picture, where the target takes it.
function cardShape(exporter: Exporter, { kind }: ContainerRead, form: ExportForm | undefined): CardForm {
  if (form === 'png' || form === 'json' || form === 'charx') return form;
  const own = kind === 'jpeg+zip' ? 'charx' : kind;
  return exporter.forms.includes(own) ? own : exporter.usualForm;
}

const MIME: Readonly<Record<CardForm, string>> = {
  png: 'image/png',
  json: 'application/json',
  charx: 'application/zip',
};

function written(
  file: ExportedFile,
  shape: CardForm,
  exporter: Exporter,
  container: ContainerRead,
  own: () => JsonObject,
): WrittenFile {
  const { kind, name, json } = file;
  if (kind === 'file') return { name, mime: MIME.json, bytes: writeCardJson(json) };
  const stem = name.trim() === '' ? 'character' : name;
  return {
    name: `${stem}.${shape}`,
    mime: MIME[shape],
    bytes: cardBytes(file, shape, exporter, container, own),
  };
}

function cardBytes(
  { json: card, members }: ExportedFile,
  shape: CardForm,
  { png }: Exporter,
  container: ContainerRead,
  own: () => JsonObject,
): Uint8Array {
  if (shape === 'json') return writeCardJson(card);
  // RisuAI waits for ever for the picture of a charx that has none.
  if (shape === 'charx') return asCharx({ picture: container.picture ?? blankPng() }, card, members);
  const { keywords, withSillyTavern, ...options } = png;
  const chunks = cardTextChunks(card, keywords);
  const all = withSillyTavern === true ? [...chunks, ...cardTextChunks(own(), ['ccv3'])] : chunks;
  return writePngText(container.picture ?? blankPng(), all, options);
}
