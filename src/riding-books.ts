// A card for SillyTavern that was made of another app's: its lorebook is in SillyTavern's words, and the book as the app
// wrote it rides along in its extensions, so that it can go back there as it was (decisions 26).

import type { Json, JsonObject } from './core/json.ts';
import { isArray, isObject, jsonAt, withoutKey } from './core/json.ts';
import type { CanonicalLorebook, Escrow, LorebookBody, LorebookEntry } from './core/lorebook.ts';
import { sameBookHead } from './formats/_shared/book-fields.ts';
import { CHARACTER_BOOK_TABLE, entryToBook, readingOf } from './formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from './formats/_shared/character-book-table.ts';
import { readEntry } from './formats/_shared/entry-reader.ts';
import { isOfOurs } from './formats/_shared/own-twin.ts';
import { STASH_KEY, STASH_VERSION } from './formats/_shared/stash.ts';
import { mergedEntry } from './formats/_shared/three-way.ts';
import type { PrivateChoice } from './formats/sillytavern/private-fields.ts';
import { WORLD_INFO } from './formats/sillytavern/world-table.ts';
import { readOwnBook } from './own-books.ts';
import { purgedBook } from './purged-book.ts';

type Original = CanonicalLorebook['original'];

// A big book takes a second to be read, and is asked for several times on one way.
const BODIES = new WeakMap<object, Map<string, LorebookBody | null>>();

function bodyOf(dialect: string, raw: Json, { id, name }: CanonicalLorebook): LorebookBody | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const read = BODIES.get(raw) ?? new Map<string, LorebookBody | null>();
  BODIES.set(raw, read);
  const key = JSON.stringify([dialect, id, name]);
  const held = read.get(key);
  if (held !== undefined) return held;
  const body = dialect === CHARACTER_BOOK ? readingOf({ raw }, id).body : readOwnBook(dialect, raw, id, name);
  read.set(key, body);
  return body;
}

/**
 * A lorebook that is about to be written into a card. One that is written anew gets the book that its app wrote as a
 * rider, unless private fields are to stay behind; and by its raw form it is known in the slot where it stood. One that
 * has a rider already: see `withPurgedRider`.
 *
 * @param held the same lorebook with all that is known of where it came from
 */
export function forCard(
  lorebook: CanonicalLorebook,
  held: CanonicalLorebook | undefined,
  choice: PrivateChoice,
): CanonicalLorebook {
  if (lorebook.original[CHARACTER_BOOK] !== undefined) return withPurgedRider(lorebook, choice);
  if (held === undefined) return lorebook;
  const written = choice === 'keep' ? withRider(lorebook, held) : lorebook;
  const raw = held.original[CHARACTER_BOOK];
  if (raw === undefined) return written;
  return { ...written, original: { ...written.original, [`${CHARACTER_BOOK}-raw`]: raw } };
}

function withRider(lorebook: CanonicalLorebook, held: CanonicalLorebook): CanonicalLorebook {
  const own = Object.entries(held.original).filter(
    ([dialect, { raw }]) => dialect !== WORLD_INFO && !isOfOurs(raw),
  );
  const [first] = own;
  const body = first === undefined ? null : bodyOf(first[0], first[1].raw, held);
  if (body === null) return lorebook;
  const places = new Map(lorebook.body.entries.map(({ id }, at) => [id, at]));
  const ids = body.entries.map(({ id }) => places.get(id));
  const original = purgedBooks(own, held, ids);
  if (original === null) return lorebook;
  const mark: JsonObject = { v: STASH_VERSION, original, ids: ids.filter((place) => place !== undefined) };
  const extensions = { ...lorebook.body.extensions, [STASH_KEY]: mark };
  return { ...lorebook, body: { ...lorebook.body, extensions } };
}

// The first is the one whose entries the numbers are of: without it the others are none.
function purgedBooks(
  books: readonly (readonly [dialect: string, escrow: Escrow])[],
  held: CanonicalLorebook,
  ids: readonly (number | undefined)[],
): JsonObject | null {
  const purged = books.map(
    ([dialect, { raw }]) => [dialect, withoutDeleted(dialect, raw, held, ids)] as const,
  );
  if ((purged[0]?.[1] ?? null) === null) return null;
  return Object.fromEntries(purged.flatMap(([dialect, raw]) => (raw === null ? [] : [[dialect, { raw }]])));
}

function withoutDeleted(
  dialect: string,
  raw: Json,
  held: CanonicalLorebook,
  ids: readonly (number | undefined)[],
): Json | null {
  const count = (book: Json): number | null => bodyOf(dialect, book, held)?.entries.length ?? null;
  if (count(raw) !== ids.length) return null;
  if (!ids.includes(undefined)) return raw;
  return purgedBook(raw, count, (place) => ids[place] !== undefined);
}

/**
 * A lorebook of a card, in which an app's own book may ride along from an earlier writing: entries that were deleted
 * since leave that one, too, and all of it stays behind where private fields do. Any other lorebook as it is.
 */
export function withPurgedRider(lorebook: CanonicalLorebook, choice: PrivateChoice): CanonicalLorebook {
  const { body, original } = lorebook;
  const mark = body.extensions[STASH_KEY];
  const escrow = original[CHARACTER_BOOK];
  if (escrow === undefined || !isObject(mark) || !isObject(mark['original'])) return lorebook;
  const { known, body: read } = readingOf(escrow, lorebook.id);
  const present = new Set(body.entries.map(({ id }) => id));
  const isWhole = read.entries.every(({ id }) => present.has(id));
  if (isWhole && choice === 'keep') return lorebook;
  const bare = withoutKey(body.extensions, STASH_KEY);
  const purged = choice === 'keep' ? purgedMark(mark, lorebook, known.originalIds, present) : null;
  const extensions = purged === null ? bare : { ...bare, [STASH_KEY]: purged };
  return { ...lorebook, body: { ...body, extensions } };
}

function purgedMark(
  mark: JsonObject,
  lorebook: CanonicalLorebook,
  originalIds: ReadonlyMap<string, Json | undefined>,
  present: ReadonlySet<string>,
): JsonObject | null {
  const riding = ridingBookOf(lorebook);
  if (riding === null) return null;
  const kept = new Set([...originalIds].flatMap(([id, own]) => (present.has(id) ? [own] : [])));
  const places = riding.ids.map((id, at) => (kept.has(id) ? at : undefined));
  const original = purgedBooks(Object.entries(riding.original), lorebook, places);
  return original === null ? null : { ...mark, original, ids: riding.ids.filter((id) => kept.has(id)) };
}

interface RidingBook {
  readonly original: Original;
  readonly body: LorebookBody;
  /** For each entry of the app's the id that it has in the card. */
  readonly ids: readonly Json[];
}

function ridingBookOf(lorebook: CanonicalLorebook): RidingBook | null {
  const mark = jsonAt(lorebook.original[CHARACTER_BOOK]?.raw, ['extensions', STASH_KEY]);
  const held = isObject(mark) ? mark['original'] : undefined;
  const ids = isObject(mark) ? mark['ids'] : undefined;
  if (!isObject(held) || !isArray(ids)) return null;
  const original = Object.entries(held).flatMap(([dialect, escrow]): [string, { readonly raw: Json }][] => {
    const raw = isObject(escrow) ? escrow['raw'] : undefined;
    return raw === undefined ? [] : [[dialect, { raw }]];
  });
  const [first] = original;
  const body = first === undefined ? null : bodyOf(first[0], first[1].raw, lorebook);
  return body?.entries.length === ids.length ? { original: Object.fromEntries(original), body, ids } : null;
}

const quiet = (): void => undefined;
const AS_WRITTEN = { precedence: 'extensions-first', patternKeys: false } as const;

/**
 * A lorebook whose app's own book rides along, as that app's again, with what was edited since; any other one as it is.
 * For who writes for another app, or wants to know what was kept.
 */
export function rejoined(lorebook: CanonicalLorebook): CanonicalLorebook {
  const escrow = lorebook.original[CHARACTER_BOOK];
  const riding = ridingBookOf(lorebook);
  if (escrow === undefined || riding === null) return lorebook;
  const { known } = readingOf(escrow, lorebook.id);
  const byId = new Map(riding.body.entries.map((entry, at) => [riding.ids[at], entry]));
  const entries = lorebook.body.entries.map((entry): LorebookEntry => {
    const id = known.originalIds.get(entry.id);
    const source = id === undefined ? undefined : byId.get(id);
    const written =
      source &&
      readEntry(
        CHARACTER_BOOK_TABLE,
        entryToBook(source, null, () => 0),
        source.id,
        AS_WRITTEN,
        quiet,
      );
    const merged = source && written && mergedEntry(CHARACTER_BOOK_TABLE, entry, written, source);
    return merged ?? { ...entry, id: ownId(entry, id) };
  });
  const rest = { ...lorebook.body, extensions: withoutKey(lorebook.body.extensions, STASH_KEY) };
  const { bag } = riding.body;
  const head = sameBookHead(rest, riding.body) ? riding.body : { ...rest, bag };
  const isAsItWas =
    head === riding.body &&
    entries.length === riding.body.entries.length &&
    entries.every((entry, at) => entry === riding.body.entries[at]);
  const others = Object.entries(lorebook.original).filter(([dialect]) => dialect !== CHARACTER_BOOK);
  return {
    ...lorebook,
    body: isAsItWas ? riding.body : { ...head, entries },
    original: { ...Object.fromEntries(others), ...riding.original },
  };
}

// Never that of an entry of the app's.
const ownId = (entry: LorebookEntry, id: Json | undefined): string =>
  typeof id === 'number' ? `w${id}` : `new-${entry.id}`;
