// Reads a list of entries in one of Lumiverse's forms, as the house knows a lorebook that was read.

import type { Finding, Note } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, withoutKey } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { ReadOptions } from '../_shared/entry-field.ts';
import { entryIdAt } from '../_shared/entry-ids.ts';
import { entryReader, readEntry } from '../_shared/entry-reader.ts';
import { type EntryRecord, type EntryRecords, entryRecords } from '../_shared/entry-records.ts';
import { completeLumiverse } from '../_shared/lumiverse/complete.ts';
import { isStash, restoreEntry, STASH_KEY } from '../_shared/stash.ts';
import { noteMark } from '../_shared/stashed-books.ts';
import { type Form, LUMIVERSE_TABLES } from './fields.ts';

/** How entries of Lumiverse's own forms are read. */
export const READ_LUMIVERSE: ReadOptions = {
  precedence: 'entry-first',
  patternKeys: false,
  ownWords: true,
  ownNumbers: 'lumiverse',
  ownExtensions: true,
  complete: completeLumiverse,
};

/** Entries and what stood in the file for each. */
export interface ReadEntries {
  readonly entries: readonly LorebookEntry[];
  readonly known: EntryRecords;
  readonly findings: readonly Finding[];
}

/** Our stash in an entry: in its extensions, or beside them where the app spreads those over the entry. */
export function stashOf(raw: Json): Json | undefined {
  if (!isObject(raw)) return undefined;
  const { extensions } = raw;
  return (isObject(extensions) ? extensions[STASH_KEY] : undefined) ?? raw[STASH_KEY];
}

const bare = (raw: Json): Json => {
  if (!isObject(raw)) return raw;
  const { extensions } = raw;
  const own = withoutKey(raw, STASH_KEY);
  return isObject(extensions) ? { ...own, extensions: withoutKey(extensions, STASH_KEY) } : own;
};

/** Reads raw entries in order; never throws. What we wrote ourselves is as it was, but for what was edited there. */
export function readEntries(form: Form, items: readonly Json[], bookId: string): ReadEntries {
  const table = LUMIVERSE_TABLES[form];
  const reader = entryReader(table, READ_LUMIVERSE);
  const findings: Finding[] = [];
  const records: EntryRecord[] = [];
  const entries = inOwnOrder(items).map((raw, index): LorebookEntry => {
    const id = entryIdAt(index);
    const stash = stashOf(raw);
    const isOurs = isStash(stash);
    const note: Note = (code, path, before, after, message) => {
      // What was written for it there is nobody's wish.
      if (!isOurs) findings.push(finding(code, { bookId, entryId: id }, path, before, after, message));
    };
    const read = reader.read(isOurs ? bare(raw) : raw, id, note);
    const originalId = isOurs ? stash.id : isObject(raw) ? raw[table.identity] : undefined;
    const entry = isOurs ? restoreEntry(read, stash) : ordered(read, raw, index, note);
    const position = reader.position === null ? null : { ...reader.position, slot: entry.position.slot };
    records.push({ id, raw, originalId, position });
    return entry;
  });
  return { entries, known: entryRecords(records), findings };
}

const ORDERS = ['order_value', 'insertion_order', 'order'];

// An entry without an order has its place in the file (1.1.0).
function ordered(read: LorebookEntry, raw: Json, index: number, note: Note): LorebookEntry {
  if (!isObject(raw) || ORDERS.some((name) => (raw[name] ?? null) !== null)) return read;
  note('assumed', 'order', null, index, 'The entry says no order; it has its place in the file, as there.');
  return { ...read, order: index };
}

const isWrittenNote = (item: Json): item is JsonObject => {
  const mark = stashOf(item);
  return isObject(mark) && mark['of'] === 'depth_prompt';
};

/** The character's note in the entry that we wrote for it, or null: only what always fires at a depth can be it. */
export function noteIn(form: Form, item: Json): JsonObject | null {
  if (!isWrittenNote(item)) return null;
  const read = readEntry(LUMIVERSE_TABLES[form], bare(item), 'note', READ_LUMIVERSE, () => undefined);
  const { slot, depth, role } = read.position;
  if (slot !== 'depth' || !read.enabled || !read.constant) return null;
  return { prompt: read.content, depth, role };
}

/**
 * The items without the character's note, which is no entry of the book. It is one where it was made another kind of
 * entry, and where it was edited and no card is there that could have it (`hasCard`).
 */
export function withoutNote(form: Form, items: readonly Json[], hasCard: boolean): readonly Json[] {
  return items.flatMap((item): readonly Json[] => {
    if (!isWrittenNote(item)) return [item];
    const note = noteIn(form, item);
    const mark = stashOf(item);
    const isAsWritten = note !== null && isObject(mark) && mark['shown'] === noteMark(note);
    return isAsWritten || (note !== null && hasCard) ? [] : [bare(item)];
  });
}

// Entries that we wrote stand in the other direction there; each says where it stood. Others follow the one before them.
function inOwnOrder(items: readonly Json[]): readonly Json[] {
  let last = -1;
  const placed = items.map((item) => {
    const stash = stashOf(item);
    if (isStash(stash)) last = stash.at;
    return { item, at: last };
  });
  return placed.some(({ at }) => at >= 0)
    ? placed.sort((a, b) => a.at - b.at).map(({ item }) => item)
    : items;
}
