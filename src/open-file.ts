// Any file that a person hands to us: a card with its lorebooks, a world info file, or a bare lorebook.

import { decodeBase64 } from './containers/base64.ts';
import { readBeside } from './containers/charx.ts';
import type { ContainerRead } from './containers/container.ts';
import { readContainer } from './containers/container.ts';
import { refusal } from './containers/container-error.ts';
import { isPng } from './containers/png-chunks.ts';
import type { Pieces } from './convert.ts';
import { readPieces } from './convert.ts';
import type { CardSpec } from './core/character.ts';
import { cardSpecOf } from './core/character.ts';
import type { Finding } from './core/finding.ts';
import { finding } from './core/finding.ts';
import type { Json, JsonObject } from './core/json.ts';
import { isArray, isObject, sameJson } from './core/json.ts';
import type { CanonicalLorebook } from './core/lorebook.ts';
import { cardInForeignFile, readForeignLorebook } from './foreign-file.ts';
import { familyOf } from './formats/_shared/book-family.ts';
import type { ReadLorebook } from './formats/_shared/character-book.ts';
import { lorebookFromBook, readingOf } from './formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from './formats/_shared/character-book-table.ts';
import { agnaiAvatar, isAgnaiCharacter } from './formats/agnai/native-character.ts';
import { MODULES_PATH, worldBooksOf } from './formats/lumiverse/modules.ts';
import { isWorldInfo } from './formats/sillytavern/world-info.ts';
import { shapedWorld } from './formats/sillytavern/world-shapes.ts';
import type { WorldLorebook } from './formats/sillytavern/world-twin.ts';
import { countOf, heldIn, MOST_BOOKS, MOST_ENTRIES } from './held-books.ts';
import { withModuleBeside } from './module-beside.ts';
import { readWorldFile } from './own-books.ts';

/** What a file turned out to be. */
export type OpenedFile =
  | {
      readonly kind: 'card';
      readonly container: ContainerRead;
      readonly card: JsonObject;
      readonly spec: CardSpec;
      readonly pieces: Pieces;
      /** The app whose own envelope the card came in. */
      readonly app?: string;
      /** The app out of whose module beside it the card was filled. */
      readonly filledBy?: string;
      readonly findings: readonly Finding[];
    }
  | {
      readonly kind: 'worldinfo';
      readonly container: ContainerRead;
      readonly world: WorldLorebook;
      readonly findings: readonly Finding[];
    }
  | {
      readonly kind: 'lorebook';
      readonly container: ContainerRead;
      readonly lorebook: CanonicalLorebook;
      /** What another app's reader knew beside it. */
      readonly reading?: ReadLorebook;
      readonly findings: readonly Finding[];
    };

type OpenedCard = Extract<OpenedFile, { kind: 'card' }>;

/** The id of a lorebook that is a file of its own. */
export const FILE_BOOK = 'worldinfo';

/**
 * Opens a file by its content.
 * @throws ContainerError, one sentence with the file's name, when nothing in it can be used
 */
export function openFile(bytes: Uint8Array, fileName: string): OpenedFile {
  const container = readContainer(bytes, fileName);
  return openJson(container, fileName);
}

/**
 * Opens what a container held; see `openFile`.
 * @throws ContainerError when the JSON is neither card nor lorebook
 */
export function openJson(read: ContainerRead, fileName: string): OpenedFile {
  const { container, findings: said, ...filled } = withModuleBeside(read);
  const { json } = container;
  const beside = readBeside(container, MODULES_PATH);
  const modules = beside !== null && 'json' in beside ? beside.json : undefined;
  const held = heldIn(json, worldBooksOf(modules));
  if (held.entries > MOST_ENTRIES)
    throw refusal(fileName, `holds ${held.entries} lorebook entries, more than the limit of ${MOST_ENTRIES}`);
  if (held.books > MOST_BOOKS)
    throw refusal(fileName, `holds ${held.books} lorebooks, more than the limit of ${MOST_BOOKS}`);
  // First of all: an app's own file may have a `data`, too, as a card has.
  const foreign = readForeignLorebook(json, FILE_BOOK, fileStem(fileName));
  if (foreign !== null) return { kind: 'lorebook', container, ...foreign };
  const shaped = shapedWorld(json);
  if (shaped !== null) {
    const { world, said } = shaped;
    const around = { ...container, json: world, notes: [...container.notes, said] };
    return openWorld(around, world, fileName);
  }
  const packed = cardInForeignFile(json);
  if (packed !== null) {
    const { card, avatar, app } = packed;
    const inside = { ...withAvatar(container, avatar), json: card, copies: [{ json: card }] };
    return { ...inEnvelope(openCard(inside, card), app, json), app };
  }
  if (isObject(json) && cardSpecOf(json) !== null) {
    const around = isAgnaiCharacter(json) ? withAvatar(container, agnaiAvatar(json)) : container;
    if (beside === null || !('problem' in beside))
      return { ...openCard(around, json, modules, said), ...filled };
    const note = `What lies beside the card, ${MODULES_PATH}, ${beside.problem}; the card's own lorebook was taken.`;
    return openCard({ ...container, notes: [...container.notes, note] }, json, undefined, said);
  }
  const book = bareBook(json);
  if (book === null && isWorldInfo(json)) return openWorld(container, json, fileName);
  if (book !== null) {
    const lorebook = lorebookFromBook(book, FILE_BOOK, fileStem(fileName));
    const escrow = lorebook.original[CHARACTER_BOOK];
    return {
      kind: 'lorebook',
      container,
      lorebook,
      findings: escrow ? readingOf(escrow, FILE_BOOK).findings : [],
    };
  }
  throw refusal(fileName, 'is neither a character card nor a lorebook');
}

function openWorld(container: ContainerRead, json: JsonObject, fileName: string): OpenedFile {
  const world = readWorldFile(json, FILE_BOOK, nameOf(json) || fileStem(fileName));
  return { kind: 'worldinfo', container, world, findings: world.reading.findings };
}

// The app's own file, with what it holds beside the card, stays with the character.
function inEnvelope(opened: OpenedCard, app: string, raw: Json): OpenedCard {
  const { character } = opened.pieces;
  const original = { ...character.original, [app]: { raw } };
  return { ...opened, pieces: { ...opened.pieces, character: { ...character, original } } };
}

// `modules`: what lies beside the card in a charx of Lumiverse's.
function openCard(
  container: ContainerRead,
  card: JsonObject,
  modules?: Json,
  said: readonly Finding[] = [],
): OpenedCard {
  const pieces = readPieces(card, modules);
  return {
    kind: 'card',
    container,
    card,
    spec: cardSpecOf(card) ?? 'v1',
    pieces,
    findings: [...said, ...copyFindings(container), ...pieces.findings],
  };
}

// A picture inside the JSON stays with the character, as one beside the file does.
function withAvatar(container: ContainerRead, avatar: string | null): ContainerRead {
  if (avatar === null || container.picture !== undefined) return container;
  const picture = decodeBase64(new TextEncoder().encode(avatar.slice(avatar.indexOf(',') + 1)));
  if (isPng(picture)) return { ...container, picture };
  const note = 'The picture of the character is no PNG, so a PNG card cannot take it as it is.';
  return { ...container, otherPicture: picture, notes: [...container.notes, note] };
}

// A PNG's two copies differ in their envelope in nearly every file; a different book is worth a word.
function copyFindings(container: ContainerRead): readonly Finding[] {
  const books = container.copies.map(({ json }) =>
    isObject(json) && isObject(json['data']) ? json['data']['character_book'] : undefined,
  );
  const [first] = books;
  const other = books.find((book) => !sameJson(book ?? null, first ?? null));
  if (other === undefined && books.every((book) => sameJson(book ?? null, first ?? null))) return [];
  const counts = container.copies.map(
    ({ keyword }, index) => `${keyword ?? 'card'} has ${countOf(books[index])} entries`,
  );
  return [
    finding(
      'conflict',
      { bookId: null, entryId: null },
      'data.character_book',
      null,
      null,
      `The picture holds copies of the card whose lorebooks differ (${counts.join(', ')}); ccv3 was used.`,
    ),
  ];
}

/**
 * The raw book in a file that is a lorebook by itself, or null. CCv3 wraps it as `lorebook_v3`; Chub hands out its entries
 * as an object, whose keys stand under a card's name and not under a world file's.
 */
export function bareBook(json: Json): JsonObject | null {
  if (!isObject(json)) return null;
  if (json['spec'] === 'lorebook_v3' && isObject(json['data'])) return json['data'];
  const { entries } = json;
  if (isArray(entries)) return entries.length === 0 || entries.some(isEntryLike) ? json : null;
  const items =
    isObject(entries) && !('spec' in json) && !isObject(json['data']) ? Object.values(entries) : [];
  return items.length > 0 && items.every(isCardEntry) ? json : null;
}

const isCardEntry = (item: Json | undefined): boolean =>
  isObject(item) && isArray(item['keys']) && !Object.hasOwn(item, 'key');

// Many files hold a list of entries; only of lore they have these.
const OF_LORE = ['keys', 'key', 'secondary_keys', 'keysecondary', 'content', 'insertion_order', 'constant'];
const isEntryLike = (item: Json): boolean =>
  isObject(item) && OF_LORE.some((name) => Object.hasOwn(item, name));

const nameOf = (json: JsonObject): string => (typeof json['name'] === 'string' ? json['name'] : '');

/** A file's name without folder and ending. */
export function fileStem(fileName: string): string {
  const base = fileName.replace(/^.*[\\/]/, '');
  return base.replace(/\.[^.]*$/, '') || base;
}

/** Whose dialect an opened file is written in, by the family of its first book (decisions 42). */
export function formatOf(opened: OpenedFile): string {
  if (opened.kind === 'worldinfo') return 'sillytavern';
  if (opened.kind === 'card' && opened.app !== undefined) return opened.app;
  const books = opened.kind === 'card' ? opened.pieces.lorebooks : [opened.lorebook];
  const [first] = books;
  const raw = first?.original[CHARACTER_BOOK]?.raw;
  // A dialect of an app's is named after the app.
  if (first !== undefined && raw === undefined)
    return Object.keys(first.original)[0]?.split('-')[0] ?? 'plain';
  if (isObject(raw)) {
    const { family } = familyOf(raw);
    if (family !== 'plain') return family === 'loreferry' ? 'sillytavern' : family;
  }
  if (opened.kind === 'card' && isAgnaiCharacter(opened.card)) return 'agnai';
  if (opened.kind === 'card' && isObject(extensionsOf(opened.card)['rolecall'])) return 'rolecall';
  if (isObject(raw)) return 'plain';
  return opened.kind === 'card' && isFromSillyTavern(opened.card) ? 'sillytavern' : 'plain';
}

// SillyTavern 1.19 writes these two into every card that it saves.
function isFromSillyTavern(card: JsonObject): boolean {
  const extensions = extensionsOf(card);
  return Object.hasOwn(extensions, 'talkativeness') && Object.hasOwn(extensions, 'fav');
}

function extensionsOf(card: JsonObject): JsonObject {
  const { extensions } = isObject(card['data']) ? card['data'] : card;
  return isObject(extensions) ? extensions : {};
}
