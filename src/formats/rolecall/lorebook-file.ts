// RoleCall's lorebook file, read (export schema 1.0.0; other versions are read as far as they say the same).

import type { Finding, Note } from '../../core/finding.ts';
import { finding, noteInto, shown } from '../../core/finding.ts';
import { hashJson } from '../../core/hash.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, NO_FIELDS, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../core/lorebook.ts';
import { type BookHead, readBookHead } from '../_shared/book-fields.ts';
import type { ReadLorebook } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { entryIdAt } from '../_shared/entry-ids.ts';
import { entryReader } from '../_shared/entry-reader.ts';
import { type EntryRecord, entryRecords } from '../_shared/entry-records.ts';
import { isStash, restoreEntry, STASH_KEY } from '../_shared/stash.ts';
import { noteUnheededSettings } from '../_shared/unheeded-settings.ts';
import { READ_ROLECALL, ROLECALL, ROLECALL_TABLE } from './fields.ts';
import { isCondition } from './keys.ts';
import { CARRIED, flatEntry } from './nesting.ts';

/** The version of the export that is known. */
export const SCHEMA_VERSION = '1.0.0';

/** Whether a file is RoleCall's lorebook file: its envelope, and entries whose fields stand in groups. */
export function isRolecallLorebook(json: Json): json is JsonObject {
  if (!isObject(json) || typeof json['schemaVersion'] !== 'string') return false;
  const lorebook = json['lorebook'];
  return isObject(lorebook) && isArray(lorebook['entries']);
}

/** A lorebook that was read, with everything that is known of it. */
export interface ReadFile extends ReadLorebook {
  readonly lorebook: CanonicalLorebook;
}

const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : NO_FIELDS);

/** Reads the file. Takes any JSON value and never throws. */
export function readRolecallLorebook(json: Json, id: string, fallbackName: string): ReadFile {
  const file = asObject(json);
  const lorebook = asObject(file['lorebook']);
  const findings: Finding[] = [];
  const note = noteInto(findings, { bookId: id, entryId: null });
  const items = isArray(lorebook['entries']) ? lorebook['entries'] : null;
  if (items === null) note('refused', 'entries', null, null, 'The file holds no lorebook.');
  const version = file['schemaVersion'];
  if (version !== SCHEMA_VERSION) {
    const message = `The file is of version ${shown(version)}; it was read as one of version ${SCHEMA_VERSION}.`;
    note('assumed', 'schemaVersion', version, SCHEMA_VERSION, message);
  }
  const settings = asObject(lorebook['settings']);
  noteKeptAside(lorebook, settings, note);
  const reader = entryReader(ROLECALL_TABLE, READ_ROLECALL);
  const records: EntryRecord[] = [];
  const entries = (items ?? []).map((raw, index): LorebookEntry => {
    const entryId = entryIdAt(index);
    const said: Finding[] = [];
    const noteEntry: Note = (code, path, before, after, message) => {
      said.push(finding(code, { bookId: id, entryId }, path, before, after, message));
    };
    const flat = isObject(raw) ? flatEntry(raw) : raw;
    const stash = isObject(flat) ? flat[`${CARRIED}.${STASH_KEY}`] : undefined;
    const read = inherited(reader.read(flat, entryId, noteEntry), settings);
    if (isObject(flat)) noteOwn(flat, read, noteEntry);
    const kept = isStash(stash) ? stash : null;
    const entry = kept === null ? withoutMark(read) : restoreEntry(read, kept);
    records.push({
      id: entryId,
      raw,
      originalId: kept?.id ?? (isObject(raw) ? raw['id'] : undefined),
      position: entry.position.slot === read.position.slot ? reader.position : null,
    });
    // What a stash gives back is nothing to tell.
    for (const each of said) if (kept === null || each.code !== 'stashed') findings.push(each);
    return entry;
  });
  const head = restoredHead(headOf(lorebook, note), lorebook);
  if (!isObject(lorebook[STASH_KEY])) noteUnheededSettings(head, items ?? [], note);
  const name = head.name.trim() === '' ? fallbackName : head.name;
  const body = { ...head, name, entries };
  return {
    lorebook: { id, name, body, original: { [ROLECALL]: { raw: json } } },
    body,
    findings,
    known: entryRecords(records),
    options: READ_ROLECALL,
  };
}

// A lorebook there says for all its entries what SillyTavern says for all lorebooks, so it moves into the entries.
function inherited(entry: LorebookEntry, settings: JsonObject): LorebookEntry {
  const { caseSensitive, matchWholeWords } = entry.scan;
  const usual = (name: string): boolean | null => {
    const value = settings[name];
    return typeof value === 'boolean' ? value : null;
  };
  const scan = {
    ...entry.scan,
    caseSensitive: caseSensitive ?? usual('globalCaseSensitive'),
    matchWholeWords: matchWholeWords ?? usual('globalMatchWholeWords'),
  };
  return { ...entry, scan };
}

/** The fields of a book under the names that a character_book gives them. */
export function namedHead(lorebook: JsonObject): JsonObject {
  const settings = asObject(lorebook['settings']);
  return {
    name: lorebook['name'] ?? null,
    description: lorebook['description'] ?? null,
    scan_depth: settings['globalScanDepth'] ?? null,
    token_budget: settings['tokenBudget'] ?? null,
    recursive_scanning: settings['globalRecursion'] ?? null,
  };
}

function headOf(lorebook: JsonObject, note: Note): BookHead {
  return readBookHead(namedHead(lorebook), ROLECALL, note);
}

// The book's own fields, where the file still says what we wrote into it.
function restoredHead(head: BookHead, lorebook: JsonObject): BookHead {
  const stash = asObject(lorebook[STASH_KEY]);
  const [kept, marks] = [stash['kept'], stash['shown']];
  if (!isObject(kept) || !isObject(marks)) return head;
  const own = readBookHead(kept, CHARACTER_BOOK, () => undefined);
  const now = namedHead(lorebook);
  const isAsWritten = (name: string): boolean => marks[name] === hashJson(now[name]);
  return {
    ...head,
    name: isAsWritten('name') ? own.name : head.name,
    description: isAsWritten('description') ? own.description : head.description,
    scanDepth: isAsWritten('scan_depth') ? own.scanDepth : head.scanDepth,
    tokenBudget: isAsWritten('token_budget') ? own.tokenBudget : head.tokenBudget,
    recursiveScanning: isAsWritten('recursive_scanning') ? own.recursiveScanning : head.recursiveScanning,
    extensions: own.extensions,
  };
}

const asideInBook = 'SillyTavern has nothing like it; it is kept aside.';

function noteKeptAside(lorebook: JsonObject, settings: JsonObject, note: Note): void {
  for (const path of ['categories', 'tree'] as const) {
    const held = lorebook[path];
    if (isObject(held) || (isArray(held) && held.length > 0))
      note('stashed', path, held, null, `The lorebook’s ${path}: ${asideInBook}`);
  }
  if (settings['budgetMode'] === 'entry')
    note('stashed', 'budgetMode', 'entry', null, `A budget counted in entries: ${asideInBook}`);
}

function noteOwn(flat: JsonObject, entry: LorebookEntry, note: Note): void {
  for (const [list, path] of [
    ['triggers.primary', 'keys'],
    ['triggers.secondary', 'secondaryKeys'],
  ] as const) {
    const own = (isArray(flat[list]) ? flat[list] : [])
      .filter(isObject)
      .filter(({ probability, frequency }) => {
        return (typeof probability === 'number' && probability < 100) || Boolean(frequency);
      });
    if (own.length > 0)
      note(
        'stashed',
        path,
        own,
        null,
        'SillyTavern has no chance or frequency of a single key; it is kept aside.',
      );
    const conditions = entry[path].filter((key) => key.kind === 'literal' && isCondition(key.text));
    if (conditions.length > 0) {
      const texts = conditions.map((key) => (key.kind === 'literal' ? key.text : ''));
      note(
        'approximated',
        path,
        texts,
        'looked for as text',
        `${texts.join(', ')} is a condition there; SillyTavern looks for it as text.`,
      );
    }
  }
  for (const path of ['sideEffects', 'metadata'] as const) {
    const held = flat[path];
    if (isObject(held)) note('stashed', path, held, null, `The entry’s ${path}: ${asideInBook}`);
  }
}

function withoutMark(entry: LorebookEntry): LorebookEntry {
  const mark = `${CARRIED}.${STASH_KEY}`;
  if (!Object.hasOwn(entry.bag.entry, mark)) return entry;
  return { ...entry, bag: { ...entry.bag, entry: withoutKey(entry.bag.entry, mark) } };
}
