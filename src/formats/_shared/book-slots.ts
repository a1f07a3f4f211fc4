// Where a card holds its lorebooks: finding them, and putting them back (spec 000, decisions 7 and 8b).

import { bookPlaceWords } from '../../core/book-place.ts';
import type { Finding } from '../../core/finding.ts';
import { finding, shown } from '../../core/finding.ts';
import { strictFingerprint } from '../../core/fingerprint.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, jsonAt, sameJson, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { familyOf } from './book-family.ts';
import { characterBookToLorebook } from './character-book.ts';
import { CHARACTER_BOOK } from './character-book-table.ts';
import { rawEntries } from './raw-entries.ts';
import { lorebooksToCharacterBook, splitSourceBooks } from './source-books.ts';

/** A raw book and the slot in which it stood, as a path in the card. */
export interface FoundBook {
  readonly slot: string;
  readonly raw: JsonObject;
}

/** Every book of a card, and what is to be said of the slots that were passed over. */
export interface FoundBooks {
  readonly books: readonly FoundBook[];
  readonly findings: readonly Finding[];
}

// In order: the standard slot first. RoleCall writes a list. A card body without its wrapper, and a flat V1
// card, hold the same slots at their root.
const SLOTS: readonly (readonly string[])[] = [
  ['data', 'character_book'],
  ['data', 'extensions', 'character_book'],
  ['data', 'extensions', 'character_books'],
  ['character_book'],
  ['extensions', 'character_book'],
  ['extensions', 'character_books'],
];

const CARD: { readonly bookId: null; readonly entryId: null } = { bookId: null, entryId: null };

/**
 * Finds every book of a card, the primary one first; raw books are returned verbatim. `null`, an empty object and
 * a slot that holds the same book again are no book. A slot that holds something else than an object is passed
 * over with a `refused` finding.
 */
export function findCharacterBooks(card: Json): FoundBooks {
  const books: FoundBook[] = [];
  const marks = new Set<string>();
  const findings: Finding[] = [];
  for (const path of SLOTS) {
    const held = jsonAt(card, path);
    if (held === undefined || held === null) continue;
    const slot = path.join('.');
    const listed = path.at(-1) === 'character_books' && isArray(held);
    const candidates: [string, Json][] = listed
      ? held.map((raw, index) => [`${slot}.${index}`, raw])
      : [[slot, held]];
    for (const [at, raw] of candidates) {
      if (!isObject(raw)) {
        if (raw !== null) findings.push(refusedSlot(at, raw));
      } else if (Object.keys(raw).length > 0) {
        takeBook(books, marks, findings, { slot: at, raw });
      }
    }
  }
  return { books: emptyLast(books), findings };
}

const refusedSlot = (slot: string, raw: Json): Finding =>
  finding(
    'refused',
    CARD,
    slot,
    raw,
    null,
    `In ${bookPlaceWords(slot)} stands ${shown(raw)}, which is no lorebook.`,
  );

// `marks`: those of the books, once there is a second one to be compared.
function takeBook(books: FoundBook[], marks: Set<string>, findings: Finding[], found: FoundBook): void {
  const [primary] = books;
  if (primary === undefined) {
    books.push(found);
    return;
  }
  if (sameJson(primary.raw, found.raw)) return;
  if (marks.size === 0) marks.add(bookMark(primary.raw));
  const mark = bookMark(found.raw);
  if (marks.has(mark)) return;
  if (found.slot.endsWith('extensions.character_book') && familyOf(primary.raw).family === 'lumiverse') {
    findings.push(
      finding(
        'conflict',
        CARD,
        found.slot,
        null,
        null,
        `In ${bookPlaceWords(found.slot)} stands the book as it was before Lumiverse imported it; the book in ${bookPlaceWords(primary.slot)} was used.`,
      ),
    );
    return;
  }
  marks.add(mark);
  books.push(found);
}

// A book without entries comes first only when there is no other.
function emptyLast(books: readonly FoundBook[]): readonly FoundBook[] {
  const holds = (book: FoundBook): boolean => rawEntries(book.raw).items.length > 0;
  return [
    ...books.filter(holds),
    ...books.filter((book) => !holds(book) && book === books[0] && !books.some(holds)),
  ];
}

// Two raw books are the same book when their marks are equal. A mark, because a card may hold thousands of books.
const bookMark = (raw: JsonObject): string => strictFingerprint(characterBookToLorebook(raw));

/** The primary book of a card, verbatim, or null (spec 000). */
export function findCharacterBook(card: Json): JsonObject | null {
  return findCharacterBooks(card).books[0]?.raw ?? null;
}

/** A card's data with its lorebooks written, and what was said on the way. */
export interface EmbeddedData {
  readonly data: JsonObject;
  readonly findings: readonly Finding[];
}

// Every slot but the standard one, in a card's data and at its root. The memory book is Agnai's.
const OTHER_SLOTS: readonly (readonly string[])[] = [
  ['extensions', 'character_book'],
  ['extensions', 'character_books'],
  ['characterBook'],
];
const ROOT_SLOTS: readonly (readonly string[])[] = [['character_book'], ...OTHER_SLOTS];

/**
 * Puts lorebooks into a card's data (spec 000). Absent: the data is left alone. An empty list: all slots are
 * cleared. A list: it is written to the standard slot as one book, and any other slot is cleared whose book is
 * among them; a slot that holds another book stays, with a `conflict`.
 */
export function embedCharacterBook(
  data: JsonObject,
  lorebooks: readonly CanonicalLorebook[] | undefined,
): EmbeddedData {
  if (lorebooks === undefined) return { data, findings: [] };
  const findings: Finding[] = [];
  const held = data['character_book'];
  if (lorebooks.length === 0) {
    const bare = clearSlots(data, OTHER_SLOTS, 'data.', lorebooks, findings);
    return { data: withoutKey(bare, 'character_book'), findings };
  }
  const book = isObject(held) && isAlready(held, lorebooks) ? held : lorebooksToCharacterBook(lorebooks);
  const live = book === held ? data : withoutStaleBook(data, held);
  const rest = clearSlots(live, OTHER_SLOTS, 'data.', lorebooks, findings);
  return { data: rest['character_book'] === book ? rest : { ...rest, character_book: book }, findings };
}

// What was passed over beside a book of Lumiverse's would be a second book as soon as that is written in other words.
function withoutStaleBook(data: JsonObject, held: Json | undefined): JsonObject {
  const { extensions } = data;
  if (!isObject(extensions) || !isObject(held) || familyOf(held).family !== 'lumiverse') return data;
  const rest = withoutKey(extensions, 'character_book');
  return rest === extensions ? data : { ...data, extensions: rest };
}

/** Clears the slots at the root of a card whose data now holds these lorebooks, by the same rule. */
export function clearRootSlots(
  card: JsonObject,
  lorebooks: readonly CanonicalLorebook[],
): { readonly card: JsonObject; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  return { card: clearSlots(card, ROOT_SLOTS, '', lorebooks, findings), findings };
}

// The slot already holds exactly these books, unedited: written anew it could only lose what others put there.
function isAlready(held: JsonObject, lorebooks: readonly CanonicalLorebook[]): boolean {
  const parts = splitSourceBooks(held);
  if (parts === null || parts.length !== lorebooks.length) return false;
  return lorebooks.every((book, index) => sameJson(lorebooksToCharacterBook([book]), parts[index]));
}

function clearSlots(
  holder: JsonObject,
  slots: readonly (readonly string[])[],
  prefix: string,
  lorebooks: readonly CanonicalLorebook[],
  findings: Finding[],
): JsonObject {
  let rest = holder;
  const isWritten = lorebooks.length === 0 ? 'all' : isAmong(lorebooks);
  for (const path of slots) {
    const [key, inner] = path as [string, string | undefined];
    const held = rest[key];
    if (inner === undefined) rest = clearSlot(rest, key, `${prefix}${key}`, isWritten, findings);
    else if (isObject(held)) {
      const cleared = clearSlot(held, inner, `${prefix}${key}.${inner}`, isWritten, findings);
      if (cleared !== held) rest = { ...rest, [key]: cleared };
    }
  }
  return rest;
}

function clearSlot(
  holder: JsonObject,
  key: string,
  slot: string,
  isWritten: 'all' | ((raw: Json) => boolean),
  findings: Finding[],
): JsonObject {
  const held = holder[key];
  if (held === undefined) return holder;
  if (isWritten === 'all') return withoutKey(holder, key);
  const list = isArray(held) ? held : [held];
  const kept = list.filter((raw) => !isWritten(raw));
  const isKept = kept.some(holdsBook);
  if (isKept) findings.push(keptSlot(slot));
  if (kept.length === list.length) return holder;
  return isKept ? { ...holder, [key]: kept } : withoutKey(holder, key);
}

const holdsBook = (raw: Json): boolean => isObject(raw) && Object.keys(raw).length > 0;

// Tells whether what a slot holds is one of the lorebooks, in the form in which that lorebook was read.
function isAmong(lorebooks: readonly CanonicalLorebook[]): (raw: Json) => boolean {
  const originals = lorebooks.flatMap(({ original }) => Object.entries(original));
  const books = originals.flatMap(([dialect, { raw }]) => (dialect === CHARACTER_BOOK ? [raw] : []));
  const others = originals.flatMap(([dialect, { raw }]) => (dialect === CHARACTER_BOOK ? [] : [raw]));
  const known = new Set(books);
  let marks: ReadonlySet<string> | null = null;
  const isOneOf = (part: JsonObject): boolean => {
    if (known.has(part) || others.some((raw) => sameJson(raw, part))) return true;
    marks ??= new Set(books.filter(isObject).map(bookMark));
    return marks.has(bookMark(part));
  };
  return (raw) => isObject(raw) && (splitSourceBooks(raw) ?? [raw]).every(isOneOf);
}

const keptSlot = (slot: string): Finding =>
  finding(
    'conflict',
    CARD,
    slot,
    null,
    null,
    `In ${bookPlaceWords(slot)} stands a lorebook that is not among those written; it was left in the card.`,
  );
