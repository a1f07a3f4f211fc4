// Lumiverse's own world book, in a file of its own or among the modules of a charx (1.1.0).

import type { Finding } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import { hashJson } from '../../core/hash.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import type { BookHead } from '../_shared/book-fields.ts';
import { readBookHead } from '../_shared/book-fields.ts';
import type { ReadLorebook } from '../_shared/character-book.ts';
import { noteLumiverseBook } from '../_shared/lumiverse/book-notes.ts';
import { isImportedFrom } from '../_shared/lumiverse/merged-book.ts';
import { rawEntries } from '../_shared/raw-entries.ts';
import { STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import type { BookStash } from '../_shared/stashed-books.ts';
import { READ_LUMIVERSE, readEntries, withoutNote } from './reading.ts';

/** The name of this dialect: the key of a raw book in a lorebook's `original`. */
export const LUMIVERSE = 'lumiverse';

/** What the app writes into `type`. */
const WORLD_BOOK = 'lumiverse_world_book';
const FILE_VERSION = 1;
/**
 * Whether a file is Lumiverse's own world book: by its type, which the app never reads itself, or by entries that hold
 * what only it calls so.
 */
export function isLumiverseWorldBook(json: Json): json is JsonObject {
  if (!isObject(json)) return false;
  const { items } = rawEntries(json);
  if (json['type'] === WORLD_BOOK) return isArray(json['entries']) || isObject(json['entries']);
  return items.some((item) => isObject(item) && OWN_NAMES.every((name) => Object.hasOwn(item, name)));
}

const OWN_NAMES = ['order_value', 'keysecondary', 'disabled', 'selective_logic'] as const;

/** A lorebook that was read, with everything that is known of it. */
export interface ReadFile extends ReadLorebook {
  readonly lorebook: CanonicalLorebook;
}

/** Reads such a file, with the card or alone (`hasCard`). Takes any JSON value and never throws. */
export function readLumiverseWorldBook(
  json: Json,
  id: string,
  fallbackName: string,
  hasCard = false,
): ReadFile {
  const file: JsonObject = isObject(json) ? json : {};
  const findings: Finding[] = [];
  const note = noteInto(findings, { bookId: id, entryId: null });
  const { form, items } = rawEntries(file);
  if (form === 'unusable') note('refused', 'entries', file['entries'], [], 'The file holds no entries.');
  const read = readEntries('native', withoutNote('native', items, hasCard), id);
  const head = restoredHead(readBookHead(file, LUMIVERSE, note, ENVELOPE), file);
  noteLumiverseBook(items, note);
  const body = { ...head, entries: read.entries };
  const name = head.name.trim() === '' ? fallbackName : head.name;
  return {
    lorebook: { id, name, body, original: { [LUMIVERSE]: { raw: json } } },
    body,
    findings: [...findings, ...read.findings],
    known: read.known,
    options: READ_LUMIVERSE,
  };
}

// Nothing of the lorebook itself.
const ENVELOPE = ['version', 'type', 'exported_at', 'metadata'];

// The book's own fields, where the file still says what we wrote into it. The app keeps metadata in a charx only.
function restoredHead(head: BookHead, file: JsonObject): BookHead {
  const { metadata } = file;
  const stash = isObject(metadata) ? metadata[STASH_KEY] : undefined;
  const book = isObject(stash) ? stash['book'] : undefined;
  const shown = isObject(stash) ? stash['shown'] : undefined;
  if (!isObject(book) || !isObject(book['kept']) || !isObject(shown)) return head;
  const own = readBookHead(book['kept'], LUMIVERSE, () => undefined);
  const isAsWritten = (name: string): boolean =>
    shown[name] === hashJson(file[name]) || (name === 'description' && isImportedFrom(file[name]));
  return {
    ...own,
    name: isAsWritten('name') ? own.name : head.name,
    description: isAsWritten('description') ? own.description : head.description,
  };
}

/** What a world book file is made of. */
export interface WorldBookParts {
  readonly name: string;
  readonly description: string;
  /** The book's own fields, or null where it has none. */
  readonly stash: BookStash | null;
  readonly entries: readonly Json[];
}

/** Writes a world book. */
export function worldBookFile({ name, description, stash, entries }: WorldBookParts): JsonObject {
  const shown = { name: hashJson(name), description: hashJson(description) };
  const mark: JsonObject = { v: STASH_VERSION, in: LUMIVERSE, book: stash ?? {}, shown };
  return {
    version: FILE_VERSION,
    type: WORLD_BOOK,
    name,
    description,
    metadata: stash === null ? {} : { [STASH_KEY]: mark },
    entries,
  };
}
