// A file that is not imported, as the panel shows it.

import { type Finding, finding } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import { readingOf } from '../../formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';
import type { FiringSurroundings } from '../../formats/sillytavern/firing.ts';
import { FILE_BOOK, type OpenedFile } from '../../open-file.ts';
import { filesIn, openAnyFile } from '../../packed-file.ts';
import { cardBooks } from './card-books.ts';
import type { Subject, SubjectBook, SubjectCharacter } from './subject.ts';
import { SHIPPED_SURROUNDINGS } from './surroundings.ts';

/** What the host knows around a file; it is not asked here, so that a file can be read at once. */
export interface FileSurroundings {
  readonly surroundings: FiringSurroundings;
  readonly worldNames: readonly string[];
}

/**
 * Reads a file for the panel: a card with its books, a world info file, any other lorebook, or a zip of them.
 *
 * @param fileName as the person sees it; what the file is, is told by its content
 * @param around what the host knows; SillyTavern's shipped settings when absent
 * @throws ContainerError, one sentence with the file's name, when nothing in it can be used
 */
export function fileSubject(
  bytes: Uint8Array,
  fileName: string,
  around: FileSurroundings = { surroundings: SHIPPED_SURROUNDINGS, worldNames: [] },
): Subject {
  const opened = openAnyFile(bytes, fileName);
  const files = filesIn(opened);
  const { worldNames } = around;
  // Of several characters none is the one; their books are shown one beside the other.
  const [card, ...more] = files.filter((file) => file.kind === 'card');
  const character = card !== undefined && more.length === 0 ? characterOf(card, worldNames) : null;
  return {
    fileName,
    character,
    books: opened.kind === 'pack' ? files.flatMap(booksInPack) : booksOf(opened),
    findings: [
      ...(opened.kind === 'pack' ? [...opened.findings, ...opened.notes.map(remark)] : []),
      ...files.flatMap(({ findings, container }) => [
        ...findings.filter(({ bookId }) => bookId === null),
        ...container.notes.map(remark),
      ]),
    ],
    surroundings: {
      ...around.surroundings,
      character: character && { name: character.name, avatar: null, tags: [] },
    },
    worldNames,
  };
}

const booksOf = (opened: OpenedFile): readonly SubjectBook[] =>
  opened.kind === 'card' ? cardBooks(opened.pieces, 'file') : [bookOf(opened)];

function booksInPack(opened: OpenedFile, index: number): readonly SubjectBook[] {
  return booksOf(opened).map((book) => ({ ...book, key: `${book.key}:${index}` }));
}

function characterOf(
  { pieces, card, spec }: Extract<OpenedFile, { kind: 'card' }>,
  worldNames: readonly string[],
): SubjectCharacter {
  const linked = claimOf(pieces.character.body.extensions);
  return {
    avatar: null,
    name: pieces.character.name,
    spec,
    card,
    linked,
    linkExists: linked !== '' && worldNames.includes(linked),
    relink: [],
    additional: [],
    isLeftAlone: false,
  };
}

const claimOf = (extensions: JsonObject): string =>
  typeof extensions['world'] === 'string' ? extensions['world'] : '';

function bookOf(opened: Exclude<OpenedFile, { kind: 'card' }>): SubjectBook {
  const lorebook = opened.kind === 'worldinfo' ? opened.world.lorebook : opened.lorebook;
  const escrow = lorebook.original[CHARACTER_BOOK];
  const own = opened.kind === 'worldinfo' ? opened.world.reading : opened.reading;
  return {
    key: `file:${FILE_BOOK}`,
    kind: 'file',
    name: lorebook.name,
    slot: FILE_BOOK,
    lorebook,
    reading: own ?? (escrow === undefined ? undefined : readingOf(escrow, lorebook.id)),
    findings: opened.findings.filter(({ bookId }) => bookId !== null),
    stored: null,
  };
}

const remark = (note: string): Finding =>
  finding('assumed', { bookId: null, entryId: null }, 'file', null, null, note);
