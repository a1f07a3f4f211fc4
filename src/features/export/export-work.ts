// The work of an export: opens the file, says what can go along, and writes what was chosen. Knows no page; it runs in a
// worker where there is one.

import { readContainer } from '../../containers/container.ts';
import { emitBundle, readPieces } from '../../convert.ts';
import { type ConvertOptions, convertFile } from '../../convert-file.ts';
import { isObject, jsonAt } from '../../core/json.ts';
import { type CanonicalLorebook, entryLabel } from '../../core/lorebook.ts';
import { familyOf } from '../../formats/_shared/book-family.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';
import { SILLYTAVERN } from '../../formats/sillytavern/card.ts';
import { withoutTwin } from '../../formats/sillytavern/world-twin.ts';
import { type OpenedFile, openJson } from '../../open-file.ts';
import type {
  ExportAround,
  ExportChoices,
  ExportedEntry,
  ExportFile,
  ExportOffer,
  ExportOutcome,
  OpenedForExport,
  WorldInForce,
} from './export-material.ts';
import { leavingCard } from './leaving-card.ts';
import { type BookInOffer, offeredBooks } from './offered-books.ts';
import { offeredTargets } from './offered-targets.ts';

type OpenedCard = Extract<OpenedFile, { kind: 'card' }>;

/** An export from opening to writing; each step needs the one before. */
export interface ExportWork {
  /** @throws ContainerError, one sentence, when nothing in the file can be used */
  readonly open: (file: ExportFile) => OpenedForExport;
  readonly offer: (worlds: readonly WorldInForce[], around: ExportAround) => ExportOffer;
  /** @throws ConversionError when the target cannot have the form */
  readonly convert: (choices: ExportChoices) => ExportOutcome;
}

interface State {
  readonly file: ExportFile;
  readonly opened: OpenedFile;
  readonly books: readonly BookInOffer[];
  readonly around: ExportAround;
}

/** Begins the work. */
export function exportWork(): ExportWork {
  let state: State | undefined;
  const current = (): State => {
    if (state === undefined) throw new Error('Nothing was opened.');
    return state;
  };
  return {
    open: (file) => {
      const opened = openLeaving(file);
      state = { file, opened, books: [], around: {} };
      return { isCard: opened.kind === 'card', linked: linkOf(opened) };
    },
    offer: (worlds, around) => {
      const { file, opened } = current();
      const books = offeredBooks(opened, worlds, linkOf(opened));
      state = { file, opened, books, around };
      const isCard = opened.kind === 'card';
      const name = isCard ? opened.pieces.character.name : (books[0]?.lorebook.name ?? '');
      return {
        name: name.trim() === '' ? file.name : name,
        isCard,
        hasPicture: opened.container.picture !== undefined,
        books: books.map(({ offered }) => offered),
        targets: offeredTargets(isCard, opened.container.kind),
      };
    },
    convert: (choices) => convertChosen(current(), choices),
  };
}

function openLeaving({ kind, name, bytes }: ExportFile): OpenedFile {
  // A world file is named by its file alone.
  const fileName = kind === 'world' ? `${name}.json` : name;
  const container = readContainer(bytes, fileName);
  const { json } = container;
  const leaving = kind === 'character' && isObject(json) ? leavingCard(json) : json;
  return openJson(leaving === json ? container : { ...container, json: leaving }, fileName);
}

function linkOf(opened: OpenedFile): string {
  if (opened.kind !== 'card') return '';
  const world = jsonAt(opened.pieces.character.body.extensions, ['world']);
  return typeof world === 'string' ? world : '';
}

function convertChosen({ file, opened, books, around }: State, choices: ExportChoices): ExportOutcome {
  const chosen = books.filter(({ offered }) => choices.books.includes(offered.key));
  const lorebooks = chosen.map(({ lorebook }) => lorebook);
  const { target, form, version, style, privateFields, options: own } = choices;
  const options: ConvertOptions = {
    target,
    style,
    privateFields,
    options: own,
    ...around,
    ...(file.kind === 'character' ? { avatar: file.name } : {}),
    ...(form === 'auto' ? {} : { form }),
    ...(version === null ? {} : { targetVersion: version }),
    ...(opened.kind === 'card' ? { origins: chosen.map(({ origin }) => origin) } : {}),
  };
  const subject = opened.kind === 'card' ? withBooks(opened, books, chosen) : alone(opened, target, form);
  const { files, report } = convertFile(subject, options);
  return {
    files,
    entries: lorebooks.flatMap(entriesOf),
    counts: report.entries,
    findings: report.findings,
    bookNames: new Map(lorebooks.map(({ id, name }) => [id, name])),
    steps: report.steps,
    settings: report.settings,
  };
}

const entriesOf = ({ id, name, body }: CanonicalLorebook): readonly ExportedEntry[] =>
  body.entries.map((entry) => ({
    bookId: id,
    entryId: entry.id,
    bookName: name,
    label: entryLabel(entry),
  }));

// A world file's own twin never leaves (decisions 26); another app is given what the file holds anyway. A card's book that
// the file was made of is no twin to that form, but the book itself: it comes back with what was edited.
function alone(opened: OpenedFile, target: string, form: ExportChoices['form']): OpenedFile {
  const { container } = opened;
  const { json } = container;
  if (opened.kind !== 'worldinfo' || target !== SILLYTAVERN || !isObject(json)) return opened;
  if (form === 'book' && isMadeOfCardBook(opened.world.lorebook)) return opened;
  const bare = withoutTwin(json);
  return bare === json
    ? opened
    : openJson({ ...container, json: bare }, `${opened.world.lorebook.name}.json`);
}

// Another app's words for the same would be read badly.
function isMadeOfCardBook({ original }: CanonicalLorebook): boolean {
  const raw = original[CHARACTER_BOOK]?.raw;
  const family = isObject(raw) ? familyOf(raw).family : '';
  return family === 'plain' || family === 'sillytavern';
}

// The chosen books take the place of the card's own. A book that is left behind must not stay in its slot either.
function withBooks(
  opened: OpenedCard,
  offered: readonly BookInOffer[],
  chosen: readonly BookInOffer[],
): OpenedCard {
  const isAll = offered.every((book) => !book.offered.isTicked || chosen.includes(book));
  const bare = isAll ? opened : withoutBooks(opened);
  const ids = new Set(chosen.map(({ lorebook }) => lorebook.id));
  const findings = [
    ...opened.findings.filter(({ bookId }) => bookId === null || ids.has(bookId)),
    ...chosen.flatMap((book) => book.findings),
  ];
  const lorebooks = chosen.map(({ lorebook }) => lorebook);
  const own = opened.pieces.lorebooks;
  // Untouched books stay the same list: then the card is known to be written as it was read.
  const isSame = own.length === lorebooks.length && own.every((book, index) => book === lorebooks[index]);
  const pieces = { ...bare.pieces, lorebooks: isSame ? own : lorebooks };
  return { ...bare, pieces: isSame && bare === opened ? opened.pieces : pieces, findings };
}

function withoutBooks(opened: OpenedCard): OpenedCard {
  const { character } = opened.pieces;
  if (character.original[SILLYTAVERN] === undefined) return opened;
  const { card } = emitBundle(character, [], SILLYTAVERN);
  return { ...opened, card, pieces: readPieces(card) };
}
