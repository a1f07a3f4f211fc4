// The lorebook file that Lumiverse calls SillyTavern's: entries by number as in a world info file, under names of a card's
// book, which SillyTavern itself does not read. What an entry's extensions hold is spread over its live values, so that of
// an entry that came from SillyTavern and was edited there the file says what it was before (1.1.0).

import type { Finding } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import { readBookHead } from '../_shared/book-fields.ts';
import { SLOT_BY_NUMBER } from '../_shared/book-position.ts';
import { noteLumiverseBook } from '../_shared/lumiverse/book-notes.ts';
import { lumiversePlace } from '../_shared/lumiverse/slots.ts';
import { rawEntries } from '../_shared/raw-entries.ts';
import { isStash } from '../_shared/stash.ts';
import type { ReadFile } from './native-book.ts';
import { READ_LUMIVERSE, readEntries, stashOf, withoutNote } from './reading.ts';

/** The name of this dialect: the key of a raw file in a lorebook's `original`. */
export const LUMIVERSE_SILLYTAVERN = 'lumiverse-sillytavern';

const OWN_NAMES = ['keys', 'insertion_order', 'selectiveLogic', 'useProbability', 'prevent_recursion'];

/** Whether a file is such a lorebook: no other app has these names beside a text as `uid`. */
export function isLumiverseSillyTavern(json: Json): json is JsonObject {
  if (!isObject(json) || !isObject(json['entries'])) return false;
  const items = Object.values(json['entries']);
  return (
    items.length > 0 &&
    items.every(
      (item) =>
        isObject(item) &&
        typeof item['uid'] === 'string' &&
        !Object.hasOwn(item, 'key') &&
        OWN_NAMES.every((name) => Object.hasOwn(item, name)),
    )
  );
}

// Only SillyTavern's own book holds this, however old; the app keeps it and never changes it.
const isFromSillyTavern = (item: Json): boolean => isObject(item) && Object.hasOwn(item, 'display_index');

// Of an entry that came from SillyTavern the place is SillyTavern's number, which its own extensions brought back.
function inOwnNumbers(item: Json): Json {
  if (!isObject(item) || !isFromSillyTavern(item) || isStash(stashOf(item))) return item;
  const { position, outlet_name: outlet } = item;
  const slot = typeof position === 'number' ? SLOT_BY_NUMBER[position] : undefined;
  if (slot === undefined) return item;
  const place = lumiversePlace({
    slot,
    depth: 0,
    role: 'system',
    outlet: typeof outlet === 'string' ? outlet : '',
  });
  return {
    ...item,
    position: place.position,
    ...(place.pin === null ? {} : { wi_marker: place.pin.marker, wi_marker_side: place.pin.side }),
  };
}

/** Reads such a file. Takes any JSON value and never throws; what cannot be told any more is said once. */
export function readLumiverseSillyTavern(json: Json, id: string, fallbackName: string): ReadFile {
  const file: JsonObject = isObject(json) ? json : {};
  const findings: Finding[] = [];
  const note = noteInto(findings, { bookId: id, entryId: null });
  const { items } = rawEntries(file);
  const read = readEntries('sillytavern', withoutNote('sillytavern', items.map(inOwnNumbers), false), id);
  const stale = items.filter((item) => isFromSillyTavern(item) && !isStash(stashOf(item)));
  if (stale.length > 0) {
    const message = `${stale.length} entries came from SillyTavern: this kind of file says of them what they were when Lumiverse imported them. Edits of place, depth, role, chance and logic cannot be told; export the world book as Lumiverse's own file instead.`;
    note('assumed', 'entries', stale.length, null, message);
  }
  const head = readBookHead(file, LUMIVERSE_SILLYTAVERN, note);
  noteLumiverseBook(items, note);
  const body = { ...head, entries: read.entries };
  const name = head.name.trim() === '' ? fallbackName : head.name;
  return {
    lorebook: { id, name, body, original: { [LUMIVERSE_SILLYTAVERN]: { raw: json } } },
    body,
    findings: [...findings, ...read.findings],
    known: read.known,
    options: READ_LUMIVERSE,
  };
}
