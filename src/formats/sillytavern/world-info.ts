// SillyTavern's world info file: to the canonical lorebook and back.

import type { Finding, Note } from '../../core/finding.ts';
import { finding, noteInto, shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { Escrow, LorebookBody, LorebookEntry } from '../../core/lorebook.ts';
import { type BookHead, changedBookHead, readBookHead, writeBookHead } from '../_shared/book-fields.ts';
import type { ReadLorebook } from '../_shared/character-book.ts';
import { entryReader } from '../_shared/entry-reader.ts';
import { type EntryRecord, entryRecords } from '../_shared/entry-records.ts';
import { overlayEntry, writeEntry } from '../_shared/entry-writer.ts';
import { WORLD_INFO, WORLD_INFO_TABLE } from './world-table.ts';

/** The top-level key of ours in a world file; it is no part of the lorebook. */
export const OWN_KEY = 'loreferry';

/** How a world file's entries are read. */
export const READ_WORLD = { precedence: 'entry-first', patternKeys: false } as const;

/** A world file's entries in the order that SillyTavern's engine uses: ascending uid. */
export interface WorldReading extends ReadLorebook {
  readonly uids: ReadonlyMap<string, number>;
}

const READINGS = new WeakMap<Escrow, WorldReading>();

/** The reading of an escrow's raw world file, made once. */
export function worldReadingOf(escrow: Escrow, bookId: string): WorldReading {
  let reading = READINGS.get(escrow);
  if (reading === undefined) {
    reading = readWorldInfo(escrow.raw, bookId);
    READINGS.set(escrow, reading);
  }
  return reading;
}

/**
 * Whether a JSON value is a world info file: `entries` is an object of entries. One that is no object is read as an
 * empty entry with a finding, but a file of nothing else is no world.
 */
export function isWorldInfo(json: Json): json is JsonObject {
  if (!isObject(json) || !isObject(json['entries'])) return false;
  if ('spec' in json || isObject(json['data'])) return false;
  const entries = Object.values(json['entries']);
  return entries.length === 0 || entries.some(isObject);
}

/** The canonical id of the entry with a uid. */
export const worldEntryId = (uid: number): string => `w${uid}`;

/** Reads a world file. Takes any JSON value and never throws. */
export function readWorldInfo(raw: Json, bookId: string): WorldReading {
  const findings: Finding[] = [];
  const whole = { bookId, entryId: null };
  const world: JsonObject = isObject(raw) ? raw : {};
  const held = world['entries'];
  if (world !== raw || !isObject(held)) {
    findings.push(
      finding(
        'refused',
        whole,
        'entries',
        held,
        {},
        `The world file's entries are ${shown(held)}, not an object.`,
      ),
    );
  }
  const numbered = worldRows(world);
  const uids = new Map<string, number>();
  const reader = entryReader(WORLD_INFO_TABLE, READ_WORLD);
  let entryId = '';
  const note: Note = (code, path, before, after, message) => {
    findings.push(finding(code, { bookId, entryId }, path, before, after, message));
  };
  const records: EntryRecord[] = [];
  const entries = numbered.map(({ uid, item }): LorebookEntry => {
    entryId = worldEntryId(uid);
    uids.set(entryId, uid);
    const entry = reader.read(item, entryId, note);
    const originalId = isObject(item) ? item['uid'] : undefined;
    records.push({ id: entryId, raw: item, originalId, position: reader.position });
    return entry;
  });
  return {
    body: { ...readWorldHead(world, noteInto(findings, whole)), entries },
    findings,
    known: entryRecords(records),
    options: READ_WORLD,
    uids,
  };
}

function withoutOwnKey(extensions: JsonObject): JsonObject {
  if (!Object.hasOwn(extensions, OWN_KEY)) return extensions;
  const { [OWN_KEY]: _own, ...rest } = extensions;
  return rest;
}

// Our mark is no part of the body, so an edit of the other extensions must not drop it.
function withOwnKey(body: LorebookBody, twin: LorebookBody, raw: JsonObject): JsonObject {
  const held = raw['extensions'];
  if (body.extensions === twin.extensions || !isObject(held) || !Object.hasOwn(held, OWN_KEY))
    return body.extensions;
  return { ...body.extensions, [OWN_KEY]: held[OWN_KEY] };
}

/** Everything of a world file but its entries; our own mark is no part of it. */
export function readWorldHead(world: JsonObject, note: Note): BookHead {
  const head = readBookHead(world, WORLD_INFO, note, [OWN_KEY, 'originalData']);
  return { ...head, extensions: withoutOwnKey(head.extensions) };
}

/** A raw entry of a world file with its uid. */
export interface WorldRow {
  readonly uid: number;
  readonly item: Json;
}

/**
 * The raw entries in the order of SillyTavern's engine, ascending by uid: the entry's own, else the key under which
 * it stands, else the next free number.
 */
export function worldRows(world: JsonObject): readonly WorldRow[] {
  const held = world['entries'];
  const taken = new Set<number>();
  const placed = Object.keys(isObject(held) ? held : {}).map((key) => {
    const item = isObject(held) ? (held[key] ?? null) : null;
    const own = isObject(item) ? item['uid'] : undefined;
    const named = isUid(own) ? own : /^\d{1,15}$/.test(key) ? Number(key) : null;
    const uid = named !== null && !taken.has(named) ? named : null;
    if (uid !== null) taken.add(uid);
    return { uid, item };
  });
  let next = 0;
  return placed
    .map(({ uid, item }) => {
      if (uid !== null) return { uid, item };
      while (taken.has(next)) next++;
      taken.add(next);
      return { uid: next, item };
    })
    .sort((a, b) => a.uid - b.uid);
}

const isUid = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Writes one entry as SillyTavern's own extraction would, every field present (1.19, convertCharacterBook). */
export function entryToWorld(entry: LorebookEntry, uid: number, index: number): JsonObject {
  const shownTitle = entry.memo || entry.title;
  const shown =
    entry.displayIndex === null
      ? { addMemo: shownTitle !== '', displayIndex: index }
      : { addMemo: shownTitle !== '' };
  return writeEntry(WORLD_INFO_TABLE, entry, { uid }, shown);
}

/** Writes a body as a world file, entries under the given uids (one for each, ascending). */
export function lorebookToWorldInfo(body: LorebookBody, uids: readonly number[]): JsonObject {
  const pairs = body.entries.map((entry, index): [string, Json] => {
    const uid = uids[index] ?? index;
    return [String(uid), entryToWorld(entry, uid, index)];
  });
  return { entries: Object.fromEntries(pairs), ...writeBookHead(body, WORLD_INFO) };
}

/**
 * Writes a body onto the raw world file that it was read from: only what changed, an unedited body returns the
 * file itself. New entries take the smallest free uids, as SillyTavern's editor gives them.
 */
export function overlayWorldInfo(body: LorebookBody, escrow: Escrow): JsonObject {
  const twin = worldReadingOf(escrow, '');
  const raw = escrow.raw as JsonObject;
  if (body === twin.body) return raw;
  const readById = new Map(twin.body.entries.map((entry) => [entry.id, entry]));
  const taken = new Set(twin.uids.values());
  let next = 0;
  const pairs = body.entries.map((entry, index): [string, Json] => {
    const read = readById.get(entry.id);
    const uid = twin.uids.get(entry.id);
    const rawEntry = twin.known.rawById.get(entry.id);
    if (read === undefined || uid === undefined || rawEntry === undefined) {
      while (taken.has(next)) next++;
      taken.add(next);
      return [String(next), entryToWorld(entry, next, index)];
    }
    if (entry === read) return [String(uid), rawEntry];
    if (!isObject(rawEntry)) return [String(uid), entryToWorld(entry, uid, index)];
    return [String(uid), overlayEntry(WORLD_INFO_TABLE, entry, { raw: rawEntry, read })];
  });
  const held = raw['entries'];
  const entries = Object.fromEntries(pairs);
  const keys = Object.keys(entries);
  const same =
    isObject(held) &&
    keys.length === Object.keys(held).length &&
    keys.every((key) => held[key] === entries[key]);
  const head = changedBookHead({ ...body, extensions: withOwnKey(body, twin.body, raw) }, twin.body, raw);
  if (same && Object.keys(head).length === 0) return raw;
  return { ...raw, ...head, entries: same ? held : entries };
}
