// Marinara's own lorebook file, read: folders, filters, triggers and limits. Facts: Marinara Engine 2.3.3.

import type { Finding, Note } from '../../core/finding.ts';
import { noteInto, shown } from '../../core/finding.ts';
import { hashJson } from '../../core/hash.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../core/lorebook.ts';
import type { BookHead } from '../_shared/book-fields.ts';
import { readBookHead } from '../_shared/book-fields.ts';
import type { ReadLorebook } from '../_shared/character-book.ts';
import { noteMarinaraBook } from '../_shared/marinara/complete.ts';
import { isStash, restoreEntry, STASH_KEY } from '../_shared/stash.ts';
import { noteUnheededSettings } from '../_shared/unheeded-settings.ts';
import { SOURCE_NAMES } from './codecs.ts';
import { marinaraEnvelope } from './envelope.ts';
import { READ_MARINARA, readEntries } from './reading.ts';

/** The name of this dialect: the key of a raw file in a lorebook's `original`. */
export const MARINARA = 'marinara';

/** Whether a file is Marinara's own lorebook file. */
export function isMarinaraLorebook(json: Json): json is JsonObject {
  return marinaraEnvelope(json)?.type === 'marinara_lorebook';
}

/** A lorebook that was read, with everything that is known of it. */
export interface ReadFile extends ReadLorebook {
  readonly lorebook: CanonicalLorebook;
}

/** Reads Marinara's own lorebook file. Takes any JSON value and never throws. */
export function readMarinaraLorebook(json: Json, id: string, fallbackName: string): ReadFile {
  const data = marinaraEnvelope(json)?.data ?? {};
  const lorebook = isObject(data['lorebook']) ? data['lorebook'] : {};
  const findings: Finding[] = [];
  const note = noteInto(findings, { bookId: id, entryId: null });
  if (!isObject(data['lorebook'])) {
    note('refused', 'lorebook', data['lorebook'], null, 'The file holds no lorebook.');
  }
  const listed = inOwnOrder(isArray(data['entries']) ? data['entries'] : []);
  const closed = closedFolders(data['folders']);
  const hasVectors = lorebook['excludeFromVectorization'] === false;
  const read = readEntries('native', listed, id, (raw, entry, noteEntry) =>
    readAside(isObject(raw) ? raw : {}, entry, { closed, hasVectors }, noteEntry),
  );
  noteFolders(data['folders'], note);
  const head = restoredHead(headOf(lorebook, note), data, lorebook);
  noteMarinaraBook(listed, note);
  noteUnheededSettings(head, listed, note);
  const body = { ...head, entries: read.entries };
  const name = head.name.trim() === '' ? fallbackName : head.name;
  return {
    lorebook: { id, name, body, original: { [MARINARA]: { raw: json } } },
    body,
    findings: [...findings, ...read.findings],
    known: read.known,
    options: READ_MARINARA,
  };
}

// Entries that we wrote stand in the other direction there; each says where it stood. Others follow the one before them.
function inOwnOrder(items: readonly Json[]): readonly Json[] {
  let last = -1;
  const placed = items.map((item) => {
    const stash = isObject(item) ? item[STASH_KEY] : undefined;
    if (isStash(stash)) last = stash.at;
    return { item, at: last };
  });
  return placed.some(({ at }) => at >= 0)
    ? placed.sort((a, b) => a.at - b.at).map(({ item }) => item)
    : items;
}

const HEAD_NAMES: readonly (readonly [string, string])[] = [
  ['scanDepth', 'scan_depth'],
  ['tokenBudget', 'token_budget'],
  ['recursiveScanning', 'recursive_scanning'],
];

// What its importer takes where a book says nothing.
const UNSAID = { scanDepth: 2, tokenBudget: 2048, recursiveScanning: false };

function headOf(lorebook: JsonObject, note: Note): BookHead {
  const renamed = Object.entries(lorebook).map(([key, value]): [string, Json | undefined] => {
    const own = HEAD_NAMES.find(([name]) => name === key);
    return [own?.[1] ?? key, value];
  });
  const { enabled } = lorebook;
  if (enabled === false) {
    note(
      'stashed',
      'enabled',
      false,
      null,
      'The lorebook is switched off in Marinara; a world info file is on while it is linked.',
    );
  }
  const head = readBookHead(Object.fromEntries(renamed), MARINARA, note);
  return {
    ...head,
    scanDepth: head.scanDepth ?? UNSAID.scanDepth,
    tokenBudget: head.tokenBudget ?? UNSAID.tokenBudget,
    recursiveScanning: head.recursiveScanning ?? UNSAID.recursiveScanning,
  };
}

/** The ids of the folders that are off, or inside one that is. */
function closedFolders(folders: Json | undefined): ReadonlySet<string> {
  const held = new Map<string, JsonObject>();
  for (const folder of isArray(folders) ? folders : []) {
    if (isObject(folder) && typeof folder['id'] === 'string') held.set(folder['id'], folder);
  }
  const isClosed = (id: string, seen: ReadonlySet<string>): boolean => {
    const folder = held.get(id);
    if (folder === undefined || seen.has(id)) return false;
    const parent = folder['parentFolderId'];
    return (
      folder['enabled'] === false || (typeof parent === 'string' && isClosed(parent, new Set([...seen, id])))
    );
  };
  return new Set([...held.keys()].filter((id) => isClosed(id, new Set())));
}

function noteFolders(folders: Json | undefined, note: Note): void {
  const names = (isArray(folders) ? folders : []).filter(isObject).map((folder) => folder['name'] ?? null);
  if (names.length === 0) return;
  const message = `SillyTavern has no folders in a lorebook; ${names.length} are kept aside.`;
  note('stashed', 'folders', names, null, message);
}

interface BookFacts {
  readonly closed: ReadonlySet<string>;
  readonly hasVectors: boolean;
}

function readAside(raw: JsonObject, entry: LorebookEntry, facts: BookFacts, note: Note): LorebookEntry {
  const sources = raw['additionalMatchingSources'];
  const unknown = (isArray(sources) ? sources : []).filter(
    (word) => !SOURCE_NAMES.some(([, name]) => name === word),
  );
  if (unknown.length > 0) {
    const message = `SillyTavern does not search ${shown(unknown)} for keys; that is kept aside.`;
    note('stashed', 'sources', sources, null, message);
  }
  const folder = raw['folderId'];
  const isOff = typeof folder === 'string' && facts.closed.has(folder) && entry.enabled;
  if (isOff) {
    const message = 'The entry stands in a folder that is switched off, so it was read as off.';
    note('approximated', 'enabled', true, false, message);
  }
  const vectorized = entry.vectorized && facts.hasVectors;
  const stash = raw[STASH_KEY];
  const seen =
    isOff || vectorized !== entry.vectorized
      ? { ...entry, enabled: entry.enabled && !isOff, vectorized }
      : entry;
  return isStash(stash) ? restoreEntry(seen, stash) : withoutMark(seen);
}

function withoutMark(entry: LorebookEntry): LorebookEntry {
  if (!Object.hasOwn(entry.bag.entry, STASH_KEY)) return entry;
  return { ...entry, bag: { ...entry.bag, entry: withoutKey(entry.bag.entry, STASH_KEY) } };
}

// The book's own fields, where the file still says what we wrote into it.
function restoredHead(head: BookHead, data: JsonObject, lorebook: JsonObject): BookHead {
  const stash = data[STASH_KEY];
  const book = isObject(stash) ? stash['book'] : undefined;
  const shown = isObject(stash) ? stash['shown'] : undefined;
  if (!isObject(book) || !isObject(book['kept']) || !isObject(shown)) return head;
  const own = readBookHead(book['kept'], MARINARA, () => undefined);
  const isAsWritten = (name: string): boolean => shown[name] === hashJson(lorebook[name]);
  return {
    ...head,
    name: isAsWritten('name') ? own.name : head.name,
    description: isAsWritten('description') ? own.description : head.description,
    scanDepth: isAsWritten('scanDepth') ? own.scanDepth : head.scanDepth,
    tokenBudget: isAsWritten('tokenBudget') ? own.tokenBudget : head.tokenBudget,
    recursiveScanning: isAsWritten('recursiveScanning') ? own.recursiveScanning : head.recursiveScanning,
    extensions: own.extensions,
  };
}
