// What is to be done with the lorebooks of one card: a plain plan, made before anything is written (decisions 12
// to 14). The preview is this plan drawn, applying is this plan executed.

import type { LorebookDifference } from '../../core/compare.ts';
import { compareEntries } from '../../core/compare.ts';
import { sameFingerprint } from '../../core/fingerprint.ts';
import type { JsonObject } from '../../core/json.ts';
import { sameJson } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { readingOf } from '../../formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';
import { defaultBookName } from '../../formats/_shared/extract-books.ts';
import {
  bringsNothingNew,
  VISIBLE_FIELDS,
  visibleFingerprint,
} from '../../formats/sillytavern/visible-fields.ts';
import type { WorldLorebook } from '../../formats/sillytavern/world-twin.ts';
import {
  deletedMarks,
  lorebookFromWorld,
  markOf,
  seenFingerprint,
  worldFromLorebook,
} from '../../formats/sillytavern/world-twin.ts';
import { foldName } from '../../host/world-name.ts';
import type { StoredWorld } from '../../host/world-store.ts';
import { type Candidate, candidateNames } from './candidates.ts';

/** A book of a card, with the slot in which it stood. */
export interface IncomingBook {
  readonly lorebook: CanonicalLorebook;
  readonly slot: string;
}

/** A card that was imported, or one that is already in the library. */
export interface IncomingCard {
  readonly avatar: string;
  readonly character: string;
  /** Books that hold entries, the primary one first. */
  readonly books: readonly IncomingBook[];
  /** The world that the file itself claims as its own; "" for none. */
  readonly claim: string;
  /** The world that was linked here before, made by the user or by us; "" for none. */
  readonly linked: string;
  /** Its additional books before; worlds by name. */
  readonly extras: readonly string[];
  /** `visibleFingerprint` of the version that the user chose to keep out; "" for none. */
  readonly kept: string;
  /** Whether it was imported a moment ago and replaces no one, so that no page shows it yet. */
  readonly isNew: boolean;
  /** Worlds made for other cards of the same batch. */
  readonly siblings: ReadonlySet<string>;
}

/** The worlds that exist, as the plan asks for them. */
export interface WorldShelf {
  list(): Promise<readonly Candidate[]>;
  read(name: string): Promise<StoredWorld | undefined>;
  freshName(wanted: string, fallback: string, taken: readonly string[]): Promise<string>;
}

/** How a newer book differs from the world file that the user has. */
export interface BookChange {
  readonly stored: StoredWorld;
  readonly world: WorldLorebook;
  /** From the user's file to the new book. */
  readonly difference: LorebookDifference;
  /** Ids of entries of the user's file that were edited since they were extracted; null when nobody knows. */
  readonly edited: ReadonlySet<string> | null;
}

/** Why an existing world is taken. */
export type ReuseReason = 'same-content' | 'same-card' | 'already-linked' | 'kept';

/** What is done with one book. */
export type BookPlan =
  | {
      readonly kind: 'create';
      readonly book: IncomingBook;
      readonly name: string;
      readonly world: JsonObject;
      readonly nameTaken: boolean;
    }
  | {
      readonly kind: 'reuse';
      readonly book: IncomingBook;
      readonly name: string;
      readonly because: ReuseReason;
    }
  | {
      readonly kind: 'changed';
      readonly book: IncomingBook;
      readonly name: string;
      readonly change: BookChange;
    };

/** What is done with one card. The first plan is the primary book's. */
export interface ExtractionPlan {
  readonly card: IncomingCard;
  readonly books: readonly BookPlan[];
}

/** Makes the plan for a card. Writes nothing. */
export async function planExtraction(card: IncomingCard, shelf: WorldShelf): Promise<ExtractionPlan> {
  const listed = await shelf.list();
  const taken = listed.map(({ name }) => name);
  const books: BookPlan[] = [];
  for (const [index, book] of card.books.entries()) {
    const plan = await planBook(card, book, index === 0, listed, shelf, taken);
    if (plan.kind === 'create') taken.push(plan.name);
    books.push(plan);
  }
  return { card, books };
}

async function planBook(
  card: IncomingCard,
  book: IncomingBook,
  isPrimary: boolean,
  listed: readonly Candidate[],
  shelf: WorldShelf,
  taken: readonly string[],
): Promise<BookPlan> {
  const { lorebook } = book;
  const fingerprint = sameFingerprint(lorebook.body);
  const linkedName = isPrimary ? card.linked : extraOf(card, book, listed);
  const linked = linkedName === '' ? undefined : await open(linkedName, shelf);
  if (linked !== undefined) {
    const { name } = linked.stored;
    const { entries } = linked.world.lorebook.body;
    const same = isSameBook(linked, lorebook, fingerprint);
    if (same === 'same-card' || (same !== null && bringsNothingNew(entries, lorebook.body.entries)))
      return { kind: 'reuse', book, name, because: 'already-linked' };
    if (isPrimary && card.kept === visibleFingerprint(lorebook.body.entries))
      return { kind: 'reuse', book, name, because: 'kept' };
    return { kind: 'changed', book, name, change: changeOf(linked, lorebook) };
  }
  // The version that was not wanted stands in another slot by now: SillyTavern has written the linked one in its place.
  if (!isPrimary && card.linked !== '' && card.kept === visibleFingerprint(lorebook.body.entries))
    return { kind: 'reuse', book, name: card.linked, because: 'kept' };
  const linkIsDead = linkedName !== '';
  const claim = isPrimary ? card.claim : '';
  const names = candidateNames(lorebook.name, claim, fingerprint, listed, linkIsDead, card.siblings);
  for (const name of names) {
    const candidate = await open(name, shelf);
    const because = candidate && isSameBook(candidate, lorebook, fingerprint);
    if (because) return { kind: 'reuse', book, name, because };
  }
  const fallback = defaultBookName(card.character);
  const name = await shelf.freshName(lorebook.name, fallback, taken);
  const world = worldFromLorebook(lorebook, { character: card.character, slot: book.slot });
  return {
    kind: 'create',
    book,
    name,
    world,
    nameTaken: name !== lorebook.name && taken.some((other) => foldName(other) === foldName(lorebook.name)),
  };
}

// An additional book is the one that came out of the same slot of this character's card before.
function extraOf(card: IncomingCard, { slot }: IncomingBook, listed: readonly Candidate[]): string {
  const extra = listed.find(({ name, extensions }) => {
    const source = card.extras.includes(name) ? markOf(extensions)?.source : undefined;
    return source?.slot === slot && source.character === card.character;
  });
  return extra?.name ?? '';
}

/** A world file as read. */
export interface OpenedWorld {
  readonly stored: StoredWorld;
  readonly world: WorldLorebook;
}

async function open(name: string, shelf: WorldShelf): Promise<OpenedWorld | undefined> {
  const stored = await shelf.read(name);
  return stored && { stored, world: lorebookFromWorld(stored.data, name, stored.name) };
}

/**
 * Why a world is the incoming book: it was made of it, also when the user edited it since, or it holds the same; null
 * when it is another one.
 */
export function isSameBook(
  { stored, world: { lorebook } }: OpenedWorld,
  incoming: CanonicalLorebook,
  fingerprint: string,
): 'same-card' | 'same-content' | null {
  // The twin no longer holds the text of entries that the user deleted; its fingerprint was taken with them.
  const isPurged = deletedMarks(stored.data).length > 0;
  if (isPurged && seenFingerprint(stored.data) === visibleFingerprint(incoming.body.entries))
    return 'same-card';
  const twin = lorebook.original[CHARACTER_BOOK];
  if (twin !== undefined) {
    if (sameJson(twin.raw, incoming.original[CHARACTER_BOOK]?.raw)) return 'same-card';
    const extracted = readingOf(twin, lorebook.id).body;
    if (
      sameFingerprint(extracted) === fingerprint &&
      bringsNothingNew(extracted.entries, incoming.body.entries)
    )
      return 'same-card';
  }
  return sameFingerprint(lorebook.body) === fingerprint ? 'same-content' : null;
}

function changeOf({ stored, world }: OpenedWorld, incoming: CanonicalLorebook): BookChange {
  const mine = world.lorebook.body.entries;
  const twin = world.lorebook.original[CHARACTER_BOOK];
  const extracted = twin === undefined ? null : readingOf(twin, world.lorebook.id).body.entries;
  return {
    stored,
    world,
    difference: compareEntries(mine, incoming.body.entries, VISIBLE_FIELDS),
    edited: extracted && editedIds(mine, extracted),
  };
}

// SillyTavern's editor switches `selective` on in every entry that it unfolds: a look is no edit.
function editedIds(
  mine: CanonicalLorebook['body']['entries'],
  extracted: CanonicalLorebook['body']['entries'],
): ReadonlySet<string> {
  const byId = new Map(extracted.map((entry) => [entry.id, entry]));
  const isUnedited = (entry: (typeof mine)[number]): boolean => {
    const old = byId.get(entry.id);
    return old === entry || (old !== undefined && VISIBLE_FIELDS.every((field) => field.same(entry, old)));
  };
  return new Set(mine.filter((entry) => !isUnedited(entry)).map(({ id }) => id));
}
