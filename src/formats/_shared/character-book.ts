// The embedded character_book of CCv2 and CCv3 cards: to the canonical lorebook and back (spec 000).

import type { Finding, Note } from '../../core/finding.ts';
import { finding, noteInto, shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { CanonicalLorebook, Escrow, LorebookBody, LorebookEntry } from '../../core/lorebook.ts';
import type { PositionReading } from '../../core/position.ts';
import { familyOf } from './book-family.ts';
import { changedBookHead, readBookHead, writeBookHead } from './book-fields.ts';
import { CHARACTER_BOOK, CHARACTER_BOOK_FIELDS } from './character-book-table.ts';
import { entryIdAt, idFindings } from './entry-ids.ts';
import { entryReader, entryTable, isUnedited, overlayEntry, readEntry, writeEntry } from './entry-table.ts';
import type { PlacedEntry } from './raw-entries.ts';
import { placeEntries, rawEntries } from './raw-entries.ts';

/** The table of this dialect. */
export const CHARACTER_BOOK_TABLE = entryTable(
  CHARACTER_BOOK,
  CHARACTER_BOOK_FIELDS,
  ['id', 'uid'],
  'The entry uses field names of a world info file inside a card; they were read as such.',
);

/** What reading a book yields beside its body: how each position was known, the ids that stood in the file. */
export interface ReadLorebook {
  readonly body: LorebookBody;
  readonly findings: readonly Finding[];
  readonly positions: ReadonlyMap<string, PositionReading>;
  readonly originalIds: ReadonlyMap<string, Json | undefined>;
  /** The raw entry of each canonical id. */
  readonly rawById: ReadonlyMap<string, Json>;
}

// A book is decoded once for each escrow that holds it: reading, overlay and inspection share the result.
const READINGS = new WeakMap<Escrow, ReadLorebook>();

/** The reading of an escrow's raw book, made once. */
export function readingOf(escrow: Escrow, bookId: string): ReadLorebook {
  let reading = READINGS.get(escrow);
  if (reading === undefined) {
    reading = readCharacterBook(escrow.raw, bookId);
    READINGS.set(escrow, reading);
  }
  return reading;
}

/**
 * Reads a raw character_book into a body. Takes any JSON value and never throws: what is no book is a book
 * without entries, with a `refused` finding. The raw value is not changed.
 */
export function readCharacterBook(raw: Json, bookId: string): ReadLorebook {
  const findings: Finding[] = [];
  const whole = { bookId, entryId: null };
  const book: JsonObject = isObject(raw) ? raw : {};
  if (book !== raw) {
    findings.push(
      finding('refused', whole, 'book', raw, null, `The lorebook is ${shown(raw)}, not an object.`),
    );
  }
  const family = familyOf(book);
  const { form, items } = rawEntries(book);
  if (form === 'unusable') {
    findings.push(
      finding(
        'refused',
        whole,
        'entries',
        book['entries'],
        [],
        `The lorebook's entries are ${shown(book['entries'])}, not a list.`,
      ),
    );
  }
  const head = readBookHead(book, CHARACTER_BOOK, noteInto(findings, whole));
  const positions = new Map<string, PositionReading>();
  const originalIds = new Map<string, Json | undefined>();
  const rawById = new Map<string, Json>();
  const reader = entryReader(CHARACTER_BOOK_TABLE, family);
  let entryId = '';
  const note: Note = (code, path, before, after, message) => {
    findings.push(finding(code, { bookId, entryId }, path, before, after, message));
  };
  const entries = items.map((item, index): LorebookEntry => {
    entryId = entryIdAt(index);
    rawById.set(entryId, item);
    originalIds.set(entryId, idOf(item));
    const entry = reader.read(item, entryId, note);
    if (reader.position !== null) positions.set(entryId, reader.position);
    return entry;
  });
  for (const each of idFindings([...originalIds.values()], (at) => ({ bookId, entryId: entryIdAt(at) }))) {
    findings.push(each);
  }
  return { body: { ...head, entries }, findings, positions, originalIds, rawById };
}

const idOf = (item: Json): Json | undefined =>
  isObject(item) ? (item['id'] === undefined ? item['uid'] : item['id']) : undefined;

/** Maps a raw book to a canonical body (spec 000); see `readCharacterBook` for what else is known. */
export function characterBookToLorebook(raw: Json): LorebookBody {
  return readCharacterBook(raw, '').body;
}

/** Reads one raw entry of a book as SillyTavern's family does (spec 000). */
export function entryToCanonical(raw: Json, id = entryIdAt(0)): LorebookEntry {
  return readEntry(CHARACTER_BOOK_TABLE, raw, id, familyOf({ entries: [raw] }), () => undefined);
}

/**
 * Writes one entry. With a raw twin only what differs from the twin's own reading is written onto it; without
 * one every field is written, the position in both encodings. A twin that is no object stays what it is as long
 * as nobody edits it. `freeId` is asked only for an entry that is written whole.
 */
export function entryToBook(
  entry: LorebookEntry,
  twin: { readonly raw: Json; readonly read: LorebookEntry } | null,
  freeId: () => number,
): Json {
  if (twin !== null) {
    if (isObject(twin.raw))
      return overlayEntry(CHARACTER_BOOK_TABLE, entry, { raw: twin.raw, read: twin.read });
    if (isUnedited(CHARACTER_BOOK_TABLE, entry, twin.read)) return twin.raw;
  }
  return writeEntry(CHARACTER_BOOK_TABLE, entry, { id: freeId() });
}

/**
 * Writes a body as a raw character_book (spec 000). With `escrow`, the raw book it was read from, unchanged
 * parts are the twin's own objects and an unedited body returns the twin itself; without, every field is
 * written from the body alone.
 */
export function lorebookToCharacterBook(body: LorebookBody, escrow?: Escrow): JsonObject {
  const raw = escrow?.raw;
  if (escrow === undefined || !isObject(raw)) {
    return {
      ...writeBookHead(body, CHARACTER_BOOK),
      entries: body.entries.map((entry, index) => entryToBook(entry, null, () => index)),
    };
  }
  const twin = readingOf(escrow, '');
  if (body === twin.body) return raw;
  const indexById = new Map(twin.body.entries.map((entry, index) => [entry.id, index]));
  const takenIds = new Set<Json | undefined>(twin.originalIds.values());
  let nextId = 0;
  const freeId = (): number => {
    while (takenIds.has(nextId)) nextId++;
    takenIds.add(nextId);
    return nextId;
  };
  const placed = body.entries.map((entry): PlacedEntry => {
    const index = indexById.get(entry.id);
    const read = index === undefined ? undefined : twin.body.entries[index];
    if (index === undefined || read === undefined)
      return { raw: entryToBook(entry, null, freeId), twinIndex: null };
    const rawEntry = twin.rawById.get(entry.id) as Json;
    if (entry === read) return { raw: rawEntry, twinIndex: index };
    return { raw: entryToBook(entry, { raw: rawEntry, read }, freeId), twinIndex: index };
  });
  const entries = placeEntries(rawEntries(raw), raw['entries'], placed);
  const head = changedBookHead(body, twin.body, raw);
  if (entries === raw['entries'] && Object.keys(head).length === 0) return raw;
  return entries === raw['entries'] ? { ...raw, ...head } : { ...raw, ...head, entries };
}

/** A lorebook with its raw book in escrow, as it is extracted from a card (spec 000). */
export function lorebookFromBook(raw: Json, id: string, fallbackName: string): CanonicalLorebook {
  const escrow: Escrow = { raw };
  const { body } = readingOf(escrow, id);
  return {
    id,
    name: body.name.trim() === '' ? fallbackName : body.name,
    body,
    original: { [CHARACTER_BOOK]: escrow },
  };
}
