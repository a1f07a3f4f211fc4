// Runs a dialect's table over raw entries and yields canonical ones.

import type { Note } from '../../core/finding.ts';
import { shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, NO_FIELDS } from '../../core/json.ts';
import type { Bag, LorebookEntry } from '../../core/lorebook.ts';
import { emptyBag, newEntry } from '../../core/lorebook.ts';
import type { PositionReading } from '../../core/position.ts';
import { rawValue } from './book-position.ts';
import type { EntryField, EntrySource, ReadOptions } from './entry-field.ts';
import type { EntryTable } from './entry-table.ts';

/** Reads the entries of one book, one after the other; `position` is how the last one's position was known. */
export interface EntryReader {
  readonly read: (raw: Json | undefined, id: string, note: Note) => LorebookEntry;
  readonly position: PositionReading | null;
}

/** A reader for the entries of a book. It never throws: what is no object becomes an empty entry with a finding. */
export function entryReader(table: EntryTable, options: ReadOptions): EntryReader {
  const known = knownKeys(table, options);
  const firstWireIsFirst = options.precedence === 'extensions-first' || !table.extensionsAreLive;
  // One source for all entries of a book: it is emptied, not made anew.
  const source = newSource(options);
  return {
    read: (raw, id, note) => {
      const draft = newEntry(id);
      const given = isObject(raw) ? raw : NO_FIELDS;
      const plain = given === raw ? options.translate?.(given, note) : null;
      source.entry = plain?.entry ?? given;
      source.extensions = extensionsOf(source.entry, (plain ?? null) === null ? raw : source.entry, note);
      source.note = note;
      source.sawForeign = false;
      source.position = null;
      const entryKeys = splitKeys(source.entry, known.entry, table.alternates.entry, options.isIdle);
      const extensionKeys = splitKeys(source.extensions, known.extensions, table.alternates.extensions);
      source.onlyFirstWires = firstWireIsFirst && !entryKeys.alternates && !extensionKeys.alternates;
      for (const row of table.fields) row.read(source, draft);
      options.complete?.(source, draft);
      if (plain && source.position !== null) source.position = placedBy(plain.place, source.position);
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

// The switch that makes keys patterns is read with the keys: nothing of it is left over.
function knownKeys({ known }: EntryTable, { bareKeys }: ReadOptions): EntryTable['known'] {
  if (bareKeys === undefined) return known;
  const { at, names } = bareKeys;
  return { ...known, [at]: new Set([...known[at], ...names]) };
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

// Where a line of the content placed the entry, that line is what stood in the file.
function placedBy(place: string | null, { slot }: PositionReading): PositionReading {
  return {
    coarse: rawValue(undefined),
    precise: { ...rawValue(place ?? undefined), at: 'entry' },
    slot,
    agreement: place === null ? 'assumed' : 'precise-only',
    floor: false,
  };
}

/**
 * Reads some fields of many entries, for who needs no more.
 *
 * @returns a function that takes a raw entry; what it gives is overwritten by the next one
 */
export function fieldsReader(
  fields: readonly EntryField[],
  options: ReadOptions,
): (raw: Json | undefined) => LorebookEntry {
  const draft = newEntry('');
  const source = newSource(options);
  return (raw) => {
    source.entry = isObject(raw) ? raw : NO_FIELDS;
    const { extensions } = source.entry;
    source.extensions = isObject(extensions) ? extensions : NO_FIELDS;
    for (const row of fields) row.read(source, draft);
    return draft;
  };
}

function newSource(options: ReadOptions): EntrySource {
  const source: EntrySource = {
    entry: NO_FIELDS,
    extensions: NO_FIELDS,
    options,
    onlyFirstWires: false,
    note: () => undefined,
    mend: (reason) => {
      source.mended = reason;
    },
    mended: null,
    sawForeign: false,
    position: null,
  };
  return source;
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
  isIdle?: ReadOptions['isIdle'],
): SplitKeys {
  let rest: [string, Json | undefined][] | null = null;
  let alternates = false;
  for (const key of Object.keys(object)) {
    if (!known.has(key)) {
      if (isIdle?.(key, object[key], object) === true) continue;
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
