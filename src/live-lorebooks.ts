// Which lorebooks a character really has: SillyTavern generates from the linked world files and never from the copy
// in the card (1.19), so a world file takes the place of the copy that it belongs to.

import type { Finding } from './core/finding.ts';
import { finding } from './core/finding.ts';
import { sameFingerprint } from './core/fingerprint.ts';
import type { JsonObject } from './core/json.ts';
import { sameJson } from './core/json.ts';
import type { CanonicalLorebook } from './core/lorebook.ts';
import { CHARACTER_BOOK } from './formats/_shared/character-book-table.ts';
import { WORLD_INFO } from './formats/sillytavern/world-table.ts';
import { readWorldFile } from './own-books.ts';
import { rejoined } from './riding-books.ts';

/** A world file that is linked to the character in SillyTavern; `name` is its file name without the ending. */
export interface LinkedWorld {
  readonly name: string;
  readonly world: JsonObject;
}

/** The lorebooks that count, the primary one first. */
export interface LiveLorebooks {
  readonly lorebooks: readonly CanonicalLorebook[];
  readonly findings: readonly Finding[];
  /** Ids of the embedded books whose place a world file took. */
  readonly replaced: ReadonlySet<string>;
}

/**
 * Chooses among the books embedded in a card and the world files linked to it. A world file takes the place of the
 * embedded book that it was extracted from, or that has the same content; the one that the card links (`link`) is the
 * primary book and takes the place of the embedded copy whatever it holds; any other one is added behind.
 */
export function liveLorebooks(
  embedded: readonly CanonicalLorebook[],
  worlds: readonly LinkedWorld[],
  link: unknown,
): LiveLorebooks {
  if (worlds.length === 0) return { lorebooks: embedded, findings: [], replaced: new Set() };
  const read = readWorlds(worlds);
  const primary = read.find(({ name }) => typeof link === 'string' && sameName(name, link));
  const places = new Map<number, ReadWorld>();
  for (const world of primary === undefined ? read : [primary, ...read.filter((each) => each !== primary)]) {
    const place = placeOf(world, embedded, places);
    if (place !== null) places.set(place, world);
  }
  const isPlaced = new Set(places.values());
  if (primary !== undefined && !isPlaced.has(primary) && embedded.length > 0 && !places.has(0)) {
    places.set(0, primary);
    isPlaced.add(primary);
  }
  const inPlace = embedded.map((book, index) => places.get(index)?.lorebook ?? book);
  const added = read.filter((world) => !isPlaced.has(world));
  const all = [...inPlace, ...added.map(({ lorebook }) => lorebook)];
  const first = primary?.lorebook;
  return {
    lorebooks: first === undefined ? all : [first, ...all.filter((book) => book !== first)],
    findings: [
      ...read.flatMap(({ findings }) => findings),
      ...added.map((world) => (world === primary ? missingCopy(world) : additional(world))),
      ...[...places].flatMap(([index, world]) => staleCopy(world, embedded[index] as CanonicalLorebook)),
    ],
    replaced: new Set([...places.keys()].map((index) => embedded[index]?.id ?? '')),
  };
}

interface ReadWorld {
  readonly name: string;
  readonly lorebook: CanonicalLorebook;
  readonly findings: readonly Finding[];
  /** Whether it differs from the book that it was extracted from; null when it does not know that book. */
  readonly edited: boolean | null;
}

// File systems compose accents in their own way.
const sameName = (a: string, b: string): boolean => a.normalize('NFC') === b.normalize('NFC');

// A file that is given twice counts once.
function readWorlds(worlds: readonly LinkedWorld[]): readonly ReadWorld[] {
  const once = worlds.filter(
    (world, index) =>
      !worlds
        .slice(0, index)
        .some(({ name, world: other }) => name === world.name && sameJson(other, world.world)),
  );
  return once.map(({ name, world }, index) => {
    const isNamed = once.slice(0, index).every((other) => other.name !== name);
    const id = isNamed ? `worldinfo:${name}` : `worldinfo:${name}#${index + 1}`;
    const { lorebook, reading, edited } = readWorldFile(world, id, name);
    // A world file has no name but that of its file; SillyTavern's own copy in a card carries it.
    const body = lorebook.body.name === '' && edited === null ? { ...lorebook.body, name } : lorebook.body;
    return { name, lorebook: { ...lorebook, body }, findings: reading.findings, edited };
  });
}

function placeOf(
  { lorebook }: ReadWorld,
  embedded: readonly CanonicalLorebook[],
  taken: ReadonlyMap<number, ReadWorld>,
): number | null {
  const free = embedded.flatMap((book, index) => (taken.has(index) ? [] : [{ book, index }]));
  const raw = lorebook.original[CHARACTER_BOOK]?.raw;
  const source = free.find(
    ({ book }) => raw !== undefined && sameJson(book.original[CHARACTER_BOOK]?.raw, raw),
  );
  if (source !== undefined) return source.index;
  // Several may have been one book in the app that they came from.
  const [own, ...others] = free.filter(({ book }) => isMadeOf(lorebook, rejoined(book)));
  if (own !== undefined && others.length === 0) return own.index;
  const { length } = lorebook.body.entries;
  if (length === 0) return null;
  const mark = sameFingerprint(lorebook.body);
  const same = free.find(
    ({ book }) => book.body.entries.length === length && sameFingerprint(book.body) === mark,
  );
  return same?.index ?? null;
}

// By the raw book that both came from, in whatever words.
const isMadeOf = (world: CanonicalLorebook, book: CanonicalLorebook): boolean =>
  Object.entries(world.original).some(
    ([dialect, { raw }]) =>
      dialect !== WORLD_INFO &&
      book.original[dialect] !== undefined &&
      sameJson(book.original[dialect]?.raw, raw),
  );

function staleCopy({ name, lorebook, edited }: ReadWorld, copy: CanonicalLorebook): readonly Finding[] {
  if (edited !== true && sameFingerprint(copy.body) === sameFingerprint(lorebook.body)) return [];
  const message = `The card's copy of the lorebook differs from the world file "${name}"; the world file was taken, because SillyTavern generates from it.`;
  return [finding('conflict', { bookId: lorebook.id, entryId: null }, 'book', copy.name, name, message)];
}

const missingCopy = ({ name, lorebook }: ReadWorld): Finding =>
  finding(
    'assumed',
    { bookId: lorebook.id, entryId: null },
    'book',
    null,
    name,
    `The card holds no copy of the lorebook that it links; the world file "${name}" was taken.`,
  );

const additional = ({ name, lorebook }: ReadWorld): Finding =>
  finding(
    'assumed',
    { bookId: lorebook.id, entryId: null },
    'book',
    null,
    name,
    `The world file "${name}" is none of the card's own lorebooks; it was added as a further one.`,
  );
