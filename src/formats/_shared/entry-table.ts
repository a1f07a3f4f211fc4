// Runs a dialect's table over one entry: read it, write it whole, or overlay on its raw twin what changed.

import type { Note } from '../../core/finding.ts';
import { shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, NO_FIELDS, sameJson } from '../../core/json.ts';
import type { Bag, EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import { emptyBag, newEntry } from '../../core/lorebook.ts';
import type { PositionReading } from '../../core/position.ts';
import type { EntryField, EntrySource, Precedence } from './entry-field.ts';

/** A dialect of lorebook entries. */
export interface EntryTable {
  readonly dialect: string;
  readonly fields: readonly EntryField[];
  /** The name under which the dialect writes an entry's id. */
  readonly identity: string;
  /** Keys that a field reads, or that stand for the entry's identity: never part of the bag. */
  readonly known: { readonly entry: ReadonlySet<string>; readonly extensions: ReadonlySet<string> };
  /** Keys at which a row looks only after its first place. */
  readonly alternates: { readonly entry: ReadonlySet<string>; readonly extensions: ReadonlySet<string> };
  /** Whether the extensions hold fields of ours, or only what others put there. */
  readonly extensionsAreLive: boolean;
  /** Names in extensions that look like a field's but that SillyTavern does not read, with the name it reads. */
  readonly lookalikes: ReadonlyMap<string, string>;
  /** What is said of an entry that uses another dialect's names. */
  readonly foreignNames: string;
}

/** How a book's entries are read. */
export interface ReadOptions {
  readonly precedence: Precedence;
  readonly patternKeys: boolean;
}

/**
 * Builds a table from its rows. `identity`: the names under which the dialect writes an entry's id; `foreignNames`:
 * what is said of an entry that uses another dialect's names.
 */
export function entryTable(
  dialect: string,
  fields: readonly EntryField[],
  identity: readonly string[],
  foreignNames = 'The entry uses field names of another dialect; they were read as such.',
): EntryTable {
  const entry = new Set<string>([...identity, 'extensions']);
  const extensions = new Set<string>();
  const alternates = { entry: new Set<string>(), extensions: new Set<string>() };
  for (const row of fields) {
    row.wires.forEach((wire, index) => {
      (wire.at === 'entry' ? entry : extensions).add(wire.key);
      if (index > 0 && row.isPlain) alternates[wire.at].add(wire.key);
    });
  }
  const lookalikes = new Map<string, string>();
  for (const key of extensions) {
    const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!extensions.has(camel)) lookalikes.set(camel, key);
  }
  return {
    dialect,
    fields,
    identity: identity[0] ?? 'id',
    known: { entry, extensions },
    alternates,
    extensionsAreLive: extensions.size > 0,
    lookalikes,
    foreignNames,
  };
}

/** Reads the entries of one book, one after the other; `position` is how the last one's position was known. */
export interface EntryReader {
  readonly read: (raw: Json | undefined, id: string, note: Note) => LorebookEntry;
  readonly position: PositionReading | null;
}

/** A reader for the entries of a book. It never throws: what is no object becomes an empty entry with a finding. */
export function entryReader(table: EntryTable, options: ReadOptions): EntryReader {
  const firstWireIsFirst = options.precedence === 'extensions-first' || !table.extensionsAreLive;
  // One source for all entries of a book: it is emptied, not made anew.
  const source: EntrySource = {
    entry: NO_FIELDS,
    extensions: NO_FIELDS,
    precedence: options.precedence,
    patternKeys: options.patternKeys,
    onlyFirstWires: false,
    note: () => undefined,
    mend: (reason) => {
      source.mended = reason;
    },
    mended: null,
    sawForeign: false,
    position: null,
  };
  return {
    read: (raw, id, note) => {
      const draft = newEntry(id);
      source.entry = isObject(raw) ? raw : NO_FIELDS;
      source.extensions = extensionsOf(source.entry, raw, note);
      source.note = note;
      source.sawForeign = false;
      source.position = null;
      const entryKeys = splitKeys(source.entry, table.known.entry, table.alternates.entry);
      const extensionKeys = splitKeys(source.extensions, table.known.extensions, table.alternates.extensions);
      source.onlyFirstWires = firstWireIsFirst && !entryKeys.alternates && !extensionKeys.alternates;
      for (const row of table.fields) row.read(source, draft);
      if (source.sawForeign) note('assumed', 'dialect', null, null, table.foreignNames);
      draft.bag = bagOf(table, entryKeys.rest, extensionKeys.rest);
      noteLookalikes(table, draft.bag.extensions, source.extensions, note);
      return draft;
    },
    get position() {
      return source.position;
    },
  };
}

/** Reads one raw entry; see `entryReader`. */
export function readEntry(
  table: EntryTable,
  raw: Json | undefined,
  id: string,
  options: ReadOptions,
  note: Note,
): LorebookEntry {
  return entryReader(table, options).read(raw, id, note);
}

function extensionsOf(entry: JsonObject, raw: Json | undefined, note: Note): JsonObject {
  if (entry !== raw) {
    note('repaired', 'entry', raw, null, `The entry ${shown(raw)} is not an object; it was read as empty.`);
  }
  const bag = entry['extensions'];
  if (isObject(bag)) return bag;
  if (bag !== undefined && bag !== null) {
    note('repaired', 'extensions', bag, {}, `extensions ${shown(bag)} is not an object and was not used.`);
  }
  return NO_FIELDS;
}

interface SplitKeys {
  /** Keys that no row knows, with their values. */
  readonly rest: JsonObject;
  /** Whether some row's second place for a value is among the keys. */
  readonly alternates: boolean;
}

const NOTHING_SPECIAL: SplitKeys = { rest: NO_FIELDS, alternates: false };

function splitKeys(
  object: JsonObject,
  known: ReadonlySet<string>,
  alternate: ReadonlySet<string>,
): SplitKeys {
  let rest: [string, Json | undefined][] | null = null;
  let alternates = false;
  for (const key of Object.keys(object)) {
    if (!known.has(key)) {
      rest ??= [];
      rest.push([key, object[key]]);
    } else if (alternate.has(key)) {
      alternates = true;
    }
  }
  if (rest === null && !alternates) return NOTHING_SPECIAL;
  // fromEntries defines each key, so that a key called __proto__ stays a key.
  return { rest: rest === null ? NO_FIELDS : Object.fromEntries(rest), alternates };
}

// A camelCase field alone in the extensions is raw Chub: SillyTavern never applied it (decisions 8c).
function noteLookalikes(table: EntryTable, bag: JsonObject, extensions: JsonObject, note: Note): void {
  if (bag === NO_FIELDS) return;
  for (const key of Object.keys(bag)) {
    const read = table.lookalikes.get(key);
    if (read === undefined || Object.hasOwn(extensions, read)) continue;
    note(
      'assumed',
      `extensions.${key}`,
      bag[key],
      bag[key],
      `extensions.${key} is kept but not applied: SillyTavern reads ${read}.`,
    );
  }
}

function bagOf(table: EntryTable, ofEntry: JsonObject, ofExtensions: JsonObject): Bag {
  if (ofEntry === NO_FIELDS && ofExtensions === NO_FIELDS) return emptyBag(table.dialect);
  return { dialect: table.dialect, entry: ofEntry, extensions: ofExtensions };
}

/**
 * Writes an entry whole, as when it comes from another dialect. `identity` is put first; `defaults` are values
 * that the entry's own bag may replace.
 */
export function writeEntry(
  table: EntryTable,
  entry: LorebookEntry,
  identity: JsonObject,
  defaults: JsonObject = NO_FIELDS,
  precedence: Precedence = 'extensions-first',
): JsonObject {
  // A copy of the blank entry in which only what is set is written over: filling an object of forty keys one by
  // one is what a book of thousands of entries would wait for.
  const blank = blankOf(table, defaults);
  const { bag } = entry;
  const written: Record<string, Json | undefined> = { ...blank.entry };
  const extensions: Record<string, Json | undefined> =
    bag.extensions === NO_FIELDS ? { ...blank.extensions } : { ...bag.extensions, ...blank.extensions };
  for (const key of Object.keys(defaults)) written[key] = defaults[key];
  if (bag.dialect === table.dialect && bag.entry !== NO_FIELDS) defineAll(written, bag.entry);
  for (const key of Object.keys(identity)) written[key] = identity[key];
  const entryFirst = precedence === 'entry-first';
  const target = { entry: written, extensions, twin: null, isBlank: true, entryFirst };
  for (const row of table.fields) row.write(entry, target);
  written['extensions'] = table.extensionsAreLive ? extensions : bag.extensions;
  return written;
}

interface BlankEntry {
  readonly entry: JsonObject;
  readonly extensions: JsonObject;
}

const BLANKS = new WeakMap<EntryTable, BlankEntry>();

// An entry of which nothing is set, as the table writes it, with all keys that will be written: V8 copies an object
// parsed from text at once, but takes ten times as long when a key is added to one of that many.
function blankOf(table: EntryTable, defaults: JsonObject): BlankEntry {
  const made = BLANKS.get(table);
  if (made !== undefined) return made;
  const entry: Record<string, Json | undefined> = { [table.identity]: null, ...defaults };
  const extensions: Record<string, Json | undefined> = {};
  const unset = readEntry(
    table,
    {},
    '',
    { precedence: 'extensions-first', patternKeys: false },
    () => undefined,
  );
  const target = { entry, extensions, twin: null, isBlank: false, entryFirst: false };
  for (const row of table.fields) row.write(unset, target);
  const blank = JSON.parse(
    JSON.stringify({ entry: { ...entry, extensions: null }, extensions }),
  ) as BlankEntry;
  BLANKS.set(table, blank);
  return blank;
}

/** The rows in which two entries differ; the bag is no row. */
export function changedFields(table: EntryTable, a: LorebookEntry, b: LorebookEntry): readonly EntryField[] {
  return a === b ? [] : table.fields.filter((row) => !row.same(a, b));
}

/** Whether the parts of two bags that every dialect carries are the same. */
export function sameBags(a: Bag, b: Bag): boolean {
  return a === b || sameJson(a.extensions, b.extensions);
}

/** Whether an entry says what its twin says, in every row and in the bag that travels. */
export function isUnedited(table: EntryTable, entry: LorebookEntry, twin: LorebookEntry): boolean {
  return changedFields(table, entry, twin).length === 0 && sameBags(entry.bag, twin.bag);
}

/**
 * Writes onto the raw twin only what differs from what the twin itself says. The twin is never changed; when
 * nothing differs it is returned as it is.
 */
export function overlayEntry(
  table: EntryTable,
  entry: LorebookEntry,
  twin: { readonly raw: JsonObject; readonly read: LorebookEntry },
  precedence: Precedence = 'extensions-first',
): JsonObject {
  const changed = changedFields(table, entry, twin.read);
  const bagChanged = !sameBags(entry.bag, twin.read.bag);
  if (changed.length === 0 && !bagChanged) return twin.raw;
  const held = isObject(twin.raw['extensions']) ? twin.raw['extensions'] : NO_FIELDS;
  const target = {
    entry: { ...twin.raw } as Record<string, Json | undefined>,
    extensions: { ...held } as Record<string, Json | undefined>,
    isBlank: false,
    entryFirst: precedence === 'entry-first',
    twin: { entry: twin.raw, extensions: held },
  };
  for (const row of changed) row.write(entry, target);
  if (bagChanged) overlayBag(table, target.extensions, entry.bag.extensions);
  const { entry: written, extensions } = target;
  if (!sameJson(extensions, held)) written['extensions'] = extensions;
  return written;
}

function overlayBag(table: EntryTable, extensions: Record<string, Json | undefined>, bag: JsonObject): void {
  for (const key of Object.keys(extensions)) {
    if (!table.known.extensions.has(key) && !Object.hasOwn(bag, key)) delete extensions[key];
  }
  defineAll(extensions, bag);
}

// Defined, not assigned: a key called __proto__ stays a key.
function defineAll(into: Record<string, Json | undefined>, from: JsonObject): void {
  for (const key of Object.keys(from)) {
    Object.defineProperty(into, key, {
      value: from[key],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

/** A copy of an entry into which the given rows are taken from another. */
export function withFields(
  entry: LorebookEntry,
  from: LorebookEntry,
  rows: readonly EntryField[],
): EntryDraft {
  const draft: EntryDraft = {
    ...entry,
    position: { ...entry.position },
    probability: { ...entry.probability },
    timing: { ...entry.timing },
    group: { ...entry.group },
    recursion: { ...entry.recursion },
    scan: { ...entry.scan },
    sources: { ...entry.sources },
  };
  for (const row of rows) row.take(from, draft);
  return draft;
}
