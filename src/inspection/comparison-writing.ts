// One copy of a lorebook brought to what the other says: only what differs is written, onto the raw object that is
// there. Entries in which nothing differs are shared, and so is everything that we do not model.

import { pairEntries } from '../core/compare.ts';
import { isObject, type Json, type JsonObject } from '../core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../core/lorebook.ts';
import { familyOf } from '../formats/_shared/book-family.ts';
import { lorebookToCharacterBook, readingOf } from '../formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../formats/_shared/character-book-table.ts';
import { withFields } from '../formats/_shared/entry-table.ts';
import { overlayEntry } from '../formats/_shared/entry-writer.ts';
import { type PlacedEntry, placeEntries, rawEntries } from '../formats/_shared/raw-entries.ts';
import { entryToWorld } from '../formats/sillytavern/world-info.ts';
import { WORLD_INFO_FIELDS, WORLD_INFO_TABLE } from '../formats/sillytavern/world-table.ts';
import type { BookSource, WorldLorebook } from '../formats/sillytavern/world-twin.ts';
import { deletedMarks, withTwin } from '../formats/sillytavern/world-twin.ts';
import { COPY_FIELDS } from './comparison.ts';

/**
 * The card's copy as the world file has it.
 *
 * @param raw the raw book in the card, which keeps its own fields; null when there is none
 * @returns the new raw book; the same object when nothing differs
 */
export function cardFromWorld(raw: JsonObject | null, { lorebook }: WorldLorebook): JsonObject {
  const { body, name, original } = lorebook;
  if (raw === null) {
    const written = lorebookToCharacterBook(body, original[CHARACTER_BOOK]);
    return body.name === '' ? { ...written, name } : written;
  }
  const escrow = { raw };
  const card = readingOf(escrow, '').body;
  const partners = new Map(
    [...pairEntries(card.entries, body.entries)].map(([mine, theirs]) => [theirs, mine]),
  );
  const entries = body.entries.map((theirs, index): LorebookEntry => {
    const mine = card.entries[partners.get(index) ?? -1];
    // No id of the card's own begins so: it is a new entry there.
    return mine === undefined ? { ...theirs, id: `new${index}` } : updated(mine, mine, theirs, 'card');
  });
  const isSame =
    entries.length === card.entries.length && entries.every((entry, at) => entry === card.entries[at]);
  return isSame ? raw : lorebookToCharacterBook({ ...card, entries }, escrow);
}

/**
 * The world file as the card's copy has it: entries of both keep their uids, new ones come behind all others, and every
 * other key of the file stays. The file's twin becomes the card's book (decisions 14, 23), with what the old twin held
 * and SillyTavern's own copy cannot carry.
 */
export function worldFromCard(
  world: JsonObject,
  stored: WorldLorebook,
  card: CanonicalLorebook,
  source: BookSource,
): JsonObject {
  const live = stored.lorebook.body.entries;
  const read = stored.reading.body.entries;
  const held = isObject(world['entries']) ? world['entries'] : {};
  const keyByItem = new Map(Object.keys(held).map((key) => [held[key], key]));
  const pairs = pairEntries(card.body.entries, live);
  const freeUid = uidsBehind([...stored.reading.uids.values(), ...Object.keys(held).map(Number)]);
  const places: [string, Json][] = [];
  const uids = card.body.entries.map((theirs, index): number => {
    const at = pairs.get(index) ?? -1;
    const [mine, base] = [live[at], read[at]];
    if (mine === undefined || base === undefined) {
      const uid = freeUid();
      places.push([String(uid), entryToWorld(theirs, uid, index)]);
      return uid;
    }
    const uid = stored.reading.uids.get(base.id) as number;
    const item = stored.reading.known.rawById.get(base.id) as Json;
    const next = updated(mine, base, theirs, 'world');
    const written =
      next === base
        ? item
        : isObject(item)
          ? overlayEntry(WORLD_INFO_TABLE, next, { raw: item, read: base })
          : entryToWorld(next, uid, index);
    places.push([(isObject(item) ? keyByItem.get(item) : undefined) ?? String(uid), written]);
    return uid;
  });
  const written = { ...world, entries: Object.fromEntries(places) };
  const raw = card.original[CHARACTER_BOOK]?.raw;
  if (!isObject(raw)) return written;
  const before = new Map([...pairs].map(([index, at]) => [index, live[at]?.id ?? '']));
  const twin = withKept(raw, stored.lorebook, before);
  return withTwin(written, twin, uids, readingOf({ raw: twin }, card.id).body, source, deletedMarks(world));
}

// `base` with the other side's values in all fields in which `mine` differs from it.
function updated(
  mine: LorebookEntry,
  base: LorebookEntry,
  theirs: LorebookEntry,
  side: 'card' | 'world',
): LorebookEntry {
  const [card, world] = side === 'card' ? [mine, theirs] : [theirs, mine];
  const paths = new Set(COPY_FIELDS.filter((field) => !field.same(card, world)).map(({ path }) => path));
  if (paths.size === 0) return base;
  const rows = WORLD_INFO_FIELDS.filter(({ path }) => paths.has(path) && path !== 'title');
  const draft = withFields(base, theirs, rows);
  if (paths.has('title')) {
    // SillyTavern has one line, the comment: where a name stands beside it, only the comment was meant.
    if (theirs.memo !== '' || base.memo === '') {
      draft.title = theirs.title;
      draft.memo = theirs.memo;
    } else {
      draft.memo = theirs.title;
    }
  }
  return draft;
}

/** More entries than a book has. */
const MANY = 2 ** 32;

function uidsBehind(taken: readonly number[]): () => number {
  const used = new Set(taken);
  const last = taken.reduce((most, uid) => (Number.isSafeInteger(uid) ? Math.max(most, uid) : most), -1);
  // Behind the highest number that there is, none can be counted.
  let next = Number.isSafeInteger(last + MANY) ? last + 1 : 0;
  return () => {
    while (used.has(next)) next++;
    used.add(next);
    return next;
  };
}

// The card's book with the unknown keys and names of the old twin that it lacks. Where they would have the book read as
// another app's, they are left out.
function withKept(
  raw: JsonObject,
  { original, id }: CanonicalLorebook,
  idOf: ReadonlyMap<number, string>,
): JsonObject {
  const escrow = original[CHARACTER_BOOK];
  if (escrow === undefined || !isObject(escrow.raw) || escrow.raw === raw) return raw;
  const old = readingOf(escrow, id);
  const entryById = new Map(old.body.entries.map((entry) => [entry.id, entry]));
  const twin = rawEntries(raw);
  const placed = twin.items.map((item, index): PlacedEntry => {
    const entry = entryById.get(idOf.get(index) ?? '');
    const before = entry === undefined ? undefined : old.known.rawById.get(entry.id);
    const kept = entry && isObject(item) && isObject(before) ? withKeptKeys(item, before, entry) : item;
    return { raw: kept, twinIndex: index };
  });
  const entries = placeEntries(twin, raw['entries'], placed);
  const rest = missing(raw, escrow.raw, Object.keys(escrow.raw));
  if (entries === raw['entries'] && Object.keys(rest).length === 0) return raw;
  const kept = { ...raw, ...rest, entries };
  const [is, was] = [familyOf(kept), familyOf(raw)];
  const isReadAlike =
    is.precedence === was.precedence && is.patternKeys === was.patternKeys && is.family === was.family;
  return isReadAlike ? kept : raw;
}

function withKeptKeys(item: JsonObject, before: JsonObject, entry: LorebookEntry): JsonObject {
  const names = before['comment'] === item['comment'] && before['name'] !== '' ? ['name'] : [];
  const own = missing(item, before, [...Object.keys(entry.bag.entry), ...names]);
  const [bag, old] = [item['extensions'], before['extensions']];
  const inside = isObject(bag) && isObject(old) ? missing(bag, old, Object.keys(entry.bag.extensions)) : {};
  if (Object.keys(own).length + Object.keys(inside).length === 0) return item;
  return isObject(bag) ? { ...item, ...own, extensions: { ...bag, ...inside } } : { ...item, ...own };
}

function missing(object: JsonObject, from: JsonObject, keys: readonly string[]): JsonObject {
  const absent = keys.filter((key) => Object.hasOwn(from, key) && !Object.hasOwn(object, key));
  return Object.fromEntries(absent.map((key) => [key, from[key]]));
}
