// The twin in a world file: the raw book that it was extracted from rides along and survives edits made in
// SillyTavern's editor (decisions 23 to 25). The small mark in `extensions` is for SillyTavern's list call, which
// returns every world's extensions; the book itself stands under a top-level key, which the list leaves out.

import { sameFingerprint } from '../../core/fingerprint.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, sameJson, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook, Escrow, LorebookBody, LorebookEntry } from '../../core/lorebook.ts';
import { sameBookHead } from '../_shared/book-fields.ts';
import { readingOf } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { uidsFor } from '../_shared/entry-ids.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { mergedEntry } from '../_shared/three-way.ts';
import { type OwnBookReader, twinOf, type WorldTwin } from './held-twin.ts';
import { visibleFingerprint } from './visible-fields.ts';
import type { WorldReading } from './world-info.ts';
import {
  entryToWorld,
  lorebookToWorldInfo,
  OWN_KEY,
  readWorldHead,
  worldReadingOf,
  worldRows,
} from './world-info.ts';
import type { BookSource } from './world-mark.ts';
import { WORLD_INFO, WORLD_INFO_TABLE } from './world-table.ts';

export type { OwnBookReader } from './held-twin.ts';
export { type BookSource, deletedMarks, markOf, seenFingerprint, type WorldMark } from './world-mark.ts';

const VERSION = 1;

/**
 * Writes an extracted lorebook as a new world file with its twin. Entries keep their book order: their uids are the
 * original ids where those are usable, else 0, 1, 2 ...
 */
export function worldFromLorebook(lorebook: CanonicalLorebook, source: BookSource): JsonObject {
  const escrow = lorebook.original[CHARACTER_BOOK];
  const { body } = lorebook;
  if (escrow === undefined || !isObject(escrow.raw)) return withForeignBook(lorebook);
  const reading = readingOf(escrow, lorebook.id);
  const uids =
    body === reading.body
      ? uidsFor(reading.known.records.map(({ originalId }) => originalId))
      : body.entries.map((_, index) => index);
  const uidById = new Map(body.entries.map((entry, index) => [entry.id, uids[index] as number]));
  const twinUids = reading.body.entries.map((entry) => uidById.get(entry.id) ?? null);
  const world = withTwin(lorebookToWorldInfo(body, uids), escrow.raw, twinUids, body, source);
  return besideTwin(world, lorebook.original);
}

// The book in the words of the app that it came from rides along beside the twin.
function besideTwin(world: JsonObject, original: CanonicalLorebook['original']): JsonObject {
  const others = foreignBooks(original);
  const own = world[OWN_KEY];
  const held = isObject(own) ? own['original'] : undefined;
  if (others.length === 0 || !isObject(own) || !isObject(held)) return world;
  return { ...world, [OWN_KEY]: { ...own, original: { ...held, ...Object.fromEntries(others) } } };
}

const foreignBooks = (original: CanonicalLorebook['original']): readonly [string, JsonObject][] =>
  Object.entries(original)
    .filter(([dialect]) => dialect !== WORLD_INFO && dialect !== CHARACTER_BOOK)
    .map(([dialect, { raw }]) => [dialect, { raw }]);

// Another app's own book, such as Agnai's memory book: it rides along whole.
function withForeignBook({ body, original }: CanonicalLorebook): JsonObject {
  const uids = body.entries.map((_, index) => index);
  const world = lorebookToWorldInfo(body, uids);
  const books = foreignBooks(original);
  if (books.length === 0) return world;
  return { ...world, [OWN_KEY]: { v: VERSION, original: Object.fromEntries(books), uids } };
}

/**
 * Puts a raw book and the mark of its origin into a world file. `uids`: one for each raw entry, null for one that the
 * user deleted; `deleted`: marks by which such entries are known again.
 */
export function withTwin(
  world: JsonObject,
  raw: JsonObject,
  uids: readonly (number | null)[],
  body: LorebookBody,
  source: BookSource,
  deleted: readonly string[] = [],
): JsonObject {
  const mark = { v: VERSION, source: { ...source }, fingerprint: sameFingerprint(body) };
  const extensions = isObject(world['extensions']) ? world['extensions'] : {};
  return {
    ...world,
    extensions: { ...extensions, [OWN_KEY]: mark },
    [OWN_KEY]: {
      v: VERSION,
      original: { [CHARACTER_BOOK]: { raw } },
      uids,
      // What was purged cannot be compared any more; this tells whether a card brings the same again.
      ...(deleted.length === 0 ? {} : { deleted, seen: visibleFingerprint(body.entries) }),
    },
  };
}

/** A world file without the twin and its mark; the same object when it has none. */
export function withoutTwin(world: JsonObject): JsonObject {
  const bare = withoutKey(world, OWN_KEY);
  const extensions = bare['extensions'];
  if (!isObject(extensions) || !Object.hasOwn(extensions, OWN_KEY)) return bare;
  const rest = withoutKey(extensions, OWN_KEY);
  return Object.keys(rest).length === 0 ? withoutKey(bare, 'extensions') : { ...bare, extensions: rest };
}

/** A world file as a lorebook, and whether anything was edited since it was extracted. */
export interface WorldLorebook {
  readonly lorebook: CanonicalLorebook;
  readonly reading: WorldReading;
  /** null: the file has no twin, so nobody knows. */
  readonly edited: boolean | null;
}

/**
 * Reads a world file as a lorebook. Where the file carries a twin, an entry is its twin's entry when the uid and
 * at least its content, keys or title still match; what was not edited in it is then the twin's own reading, and
 * only edited fields come from the file. Entries that were made later have no twin. `readOwn` reads twins in another
 * app's words; without it only a card's book is one.
 */
export function lorebookFromWorld(
  world: JsonObject,
  id: string,
  name: string,
  readOwn: OwnBookReader = () => null,
): WorldLorebook {
  const own: Escrow = { raw: world };
  const twin = twinOf(world, id, name, readOwn);
  if (twin !== null && isAsExtracted(world, twin)) {
    return {
      lorebook: { id, name, body: twin.body, original: { [WORLD_INFO]: own, ...twin.original } },
      // Only who looks into the file itself needs it read; here that is most of the time.
      get reading() {
        return worldReadingOf(own, id);
      },
      edited: false,
    };
  }
  const reading = worldReadingOf(own, id);
  if (twin === null) {
    return {
      lorebook: { id, name, body: reading.body, original: { [WORLD_INFO]: own } },
      reading,
      edited: null,
    };
  }
  const book = twin.body;
  const entryByUid = new Map<number, { entry: LorebookEntry; index: number }>();
  twin.uids.forEach((uid, index) => {
    const entry = book.entries[index];
    if (uid !== null && entry !== undefined) entryByUid.set(uid, { entry, index });
  });
  const entries = reading.body.entries.map((entry) => {
    const uid = reading.uids.get(entry.id) as number;
    const found = entryByUid.get(uid);
    return found === undefined ? entry : merged(entry, reading.known.rawById.get(entry.id), uid, found);
  });
  const unedited =
    entries.length === book.entries.length && entries.every((entry, index) => entry === book.entries[index]);
  const head = mergedHead(reading.body, book);
  const body = unedited && head === book ? book : { ...head, entries };
  return {
    lorebook: { id, name, body, original: { [WORLD_INFO]: own, ...twin.original } },
    reading,
    edited: body !== book,
  };
}

// Whether the file says, leaf by leaf, what we wrote from the twin.
function isAsExtracted(world: JsonObject, { body, uids }: WorldTwin): boolean {
  const rows = worldRows(world);
  return (
    rows.length === body.entries.length &&
    rows.every(({ uid, item }, index) => {
      const entry = body.entries[index];
      return entry !== undefined && uids[index] === uid && sameJson(item, entryToWorld(entry, uid, index));
    }) &&
    mergedHead({ ...readWorldHead(world, () => undefined), entries: [] }, body) === body
  );
}

// Three-way: what differs from what we wrote ourselves was edited; everything else is as the twin says.
function merged(
  entry: LorebookEntry,
  raw: Json | undefined,
  uid: number,
  found: { readonly entry: LorebookEntry; readonly index: number },
): LorebookEntry {
  const base = entryToWorld(found.entry, uid, found.index);
  if (sameJson(raw, base)) return found.entry;
  const written = readEntry(
    WORLD_INFO_TABLE,
    base,
    found.entry.id,
    { precedence: 'entry-first', patternKeys: false },
    () => undefined,
  );
  return mergedEntry(WORLD_INFO_TABLE, entry, written, found.entry) ?? entry;
}

function mergedHead(world: LorebookBody, book: LorebookBody): LorebookBody {
  // A book may bring a mark of ours from an earlier export; in the file a newer one stands in its place.
  const mark = book.extensions[OWN_KEY];
  if (mark === undefined) return sameBookHead(world, book) ? book : { ...world, bag: book.bag };
  const bare = { ...book, extensions: withoutKey(book.extensions, OWN_KEY) };
  if (sameBookHead(world, bare)) return book;
  return { ...world, extensions: { ...world.extensions, [OWN_KEY]: mark }, bag: book.bag };
}
