// The embedded character_book of CCv2 and CCv3 cards: to the canonical lorebook and back (spec 000).

import type { Finding, Note } from '../../core/finding.ts';
import { finding, noteInto, shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, NO_FIELDS } from '../../core/json.ts';
import type { CanonicalLorebook, Escrow, LorebookBody, LorebookEntry } from '../../core/lorebook.ts';
import { familyOf } from './book-family.ts';
import { changedBookHead, readBookHead, writeBookHead } from './book-fields.ts';
import { parseBookPosition } from './book-position.ts';
import { CHARACTER_BOOK, CHARACTER_BOOK_FIELDS } from './character-book-table.ts';
import type { ReadOptions } from './entry-field.ts';
import { entryIdAt, idFindings } from './entry-ids.ts';
import { entryReader, readEntry } from './entry-reader.ts';
import { type EntryRecord, type EntryRecords, entryRecords } from './entry-records.ts';
import { changedFields, entryTable, isUnedited } from './entry-table.ts';
import { overlayEntry, writeEntry } from './entry-writer.ts';
import type { PlacedEntry } from './raw-entries.ts';
import { placeEntries, rawEntries } from './raw-entries.ts';
import { indexesOfLore, withFolders, withoutFolders } from './risu/book.ts';
import { forgetFields, restoreEntry, stashIn, withoutOwnExtensions } from './stash.ts';
import { noteUnheededSettings } from './unheeded-settings.ts';

/** The table of this dialect. */
export const CHARACTER_BOOK_TABLE = entryTable(
  CHARACTER_BOOK,
  CHARACTER_BOOK_FIELDS,
  ['id', 'uid'],
  'The entry uses field names of a world info file inside a card; they were read as such.',
);

/** What reading a book yields: its body, what was said on the way, and what stood in the file for each entry. */
export interface ReadLorebook {
  readonly body: LorebookBody;
  readonly findings: readonly Finding[];
  readonly known: EntryRecords;
  /** How the entries were read, by whose book it is. */
  readonly options: ReadOptions;
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
  const reader = entryReader(CHARACTER_BOOK_TABLE, family);
  let entryId = '';
  const note: Note = (code, path, before, after, message) => {
    findings.push(finding(code, { bookId, entryId }, path, before, after, message));
  };
  const records: EntryRecord[] = [];
  const lore = family.translate === undefined ? items : withoutFolders(items, bookId, findings);
  const entries = lore.map((raw, index): LorebookEntry => {
    entryId = entryIdAt(index);
    const stash = isObject(raw) ? stashIn(raw) : null;
    if (stash !== null && isObject(raw)) {
      // What another app shows is nobody's wish; only what was edited there counts.
      const shown = reader.read(withoutOwnExtensions(raw, family), entryId, () => undefined);
      const entry = restoreEntry(shown, stash);
      const { reading } = parseBookPosition(raw['position'], extensionOf(raw, 'position'), family.precedence);
      const isOwn = family.translate !== undefined || family.ownExtensions === true;
      const told = isOwn ? (reader.position ?? reading) : reading;
      const position = { ...told, slot: entry.position.slot };
      records.push({ id: entryId, raw, originalId: stash.id ?? idOf(raw), position });
      return entry;
    }
    const read = reader.read(raw, entryId, note);
    records.push({ id: entryId, raw, originalId: idOf(raw), position: reader.position });
    return read;
  });
  family.noteBook?.(items, noteInto(findings, whole), book);
  if (family.heedsBook === true) noteUnheededSettings(head, items, noteInto(findings, whole));
  const ids = records.map(({ originalId }) => originalId);
  for (const each of idFindings(ids, (at) => ({ bookId, entryId: entryIdAt(at) }))) findings.push(each);
  return { body: { ...head, entries }, findings, known: entryRecords(records), options: family };
}

const extensionOf = (entry: JsonObject, key: string): Json | undefined =>
  isObject(entry['extensions']) ? entry['extensions'][key] : undefined;

const idOf = (item: Json): Json | undefined =>
  isObject(item) ? (item['id'] === undefined ? item['uid'] : item['id']) : undefined;

/** Where each entry of a raw book stands in its list: RisuAI's folders are none. */
export function entryIndexes(book: JsonObject): readonly number[] {
  const { items } = rawEntries(book);
  return familyOf(book).translate === undefined ? items.map((_, index) => index) : indexesOfLore(items);
}

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
 * as nobody edits it. `freeId` is asked only for an entry that is written whole; `options` are those of the book.
 */
export function entryToBook(
  entry: LorebookEntry,
  twin: { readonly raw: Json; readonly read: LorebookEntry } | null,
  freeId: () => number,
  options?: ReadOptions,
): Json {
  if (twin !== null) {
    const { raw, read } = twin;
    // What another app shows of an entry does not fit beside words of our own.
    const isSpoken = options?.translate !== undefined && isObject(raw) && stashIn(raw) !== null;
    if (isSpoken) {
      if (isUnedited(CHARACTER_BOOK_TABLE, entry, read)) return raw;
    } else if (isObject(raw)) {
      const written = overlayEntry(CHARACTER_BOOK_TABLE, entry, { raw, read }, options);
      if (written === raw || stashIn(raw) === null) return written;
      const edited = changedFields(CHARACTER_BOOK_TABLE, entry, read);
      return forgetFields(
        written,
        edited.map(({ path }) => path),
      );
    }
    if (!isSpoken && isUnedited(CHARACTER_BOOK_TABLE, entry, read)) return raw;
  }
  return writeEntry(CHARACTER_BOOK_TABLE, entry, { id: freeId() }, NO_FIELDS, options);
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
  const takenIds = new Set<Json | undefined>(twin.known.originalIds.values());
  let nextId = 0;
  const freeId = (): number => {
    while (takenIds.has(nextId)) nextId++;
    takenIds.add(nextId);
    return nextId;
  };
  const { options } = twin;
  const held = rawEntries(raw);
  const places = options.translate === undefined ? null : indexesOfLore(held.items);
  const placed = body.entries.map((entry): PlacedEntry => {
    const index = indexById.get(entry.id);
    const read = index === undefined ? undefined : twin.body.entries[index];
    if (index === undefined || read === undefined)
      return { raw: entryToBook(entry, null, freeId, options), twinIndex: null };
    const rawEntry = twin.known.rawById.get(entry.id) as Json;
    const twinIndex = places?.[index] ?? index;
    if (entry === read) return { raw: rawEntry, twinIndex };
    return { raw: entryToBook(entry, { raw: rawEntry, read }, freeId, options), twinIndex };
  });
  const all = places === null ? placed : withFolders(held.items, placed);
  const entries = placeEntries(held, raw['entries'], all);
  const head = changedBookHead(body, twin.body, raw);
  if (entries === raw['entries'] && Object.keys(head).length === 0) return raw;
  if (entries === raw['entries']) return { ...raw, ...head };
  return settled({ ...raw, ...head, entries }, body, twin.options);
}

/**
 * An edit can change whose book it looks like (decisions 8a, 5), and with it how every entry is read: one field of
 * SillyTavern's in a plain book, and bare patterns are text. What would now be read otherwise is written anew.
 */
function settled(book: JsonObject, body: LorebookBody, written: ReadOptions, rounds = 3): JsonObject {
  const family = familyOf(book);
  if (isReadAlike(family, written) || rounds === 0) return book;
  const twin = rawEntries(book);
  // Folders of RisuAI's are items and no entries.
  const lore = family.translate === undefined ? null : indexesOfLore(twin.items);
  const entryAt = lore === null ? null : new Map(lore.map((item, index) => [item, index]));
  const placed = twin.items.map((raw, index): PlacedEntry => {
    const entry = body.entries[entryAt === null ? index : (entryAt.get(index) ?? -1)];
    if (entry === undefined || !isObject(raw)) return { raw, twinIndex: index };
    const read = readEntry(CHARACTER_BOOK_TABLE, raw, entry.id, family, () => undefined);
    return { raw: overlayEntry(CHARACTER_BOOK_TABLE, entry, { raw, read }, family), twinIndex: index };
  });
  const entries = placeEntries(twin, book['entries'], placed);
  // What is written now can make it look like yet another family's; each round brings it nearer to SillyTavern's.
  return entries === book['entries'] ? book : settled({ ...book, entries }, body, family, rounds - 1);
}

const isReadAlike = (a: ReadOptions, b: ReadOptions): boolean =>
  a.precedence === b.precedence &&
  a.translate === b.translate &&
  a.patternKeys === b.patternKeys &&
  a.ownNumbers === b.ownNumbers &&
  a.bareKeys === b.bareKeys;

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
