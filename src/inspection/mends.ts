// What can be mended in a lorebook: which entries are offered which mend. What a mend writes stands in
// `mends-writing.ts`; nothing is written without a plan that is shown first.

import { isObject, type Json, type JsonObject } from '../core/json.ts';
import type { Key } from '../core/key.ts';
import type { LorebookEntry } from '../core/lorebook.ts';
import { SLOT_BY_NUMBER } from '../formats/_shared/book-position.ts';
import type { ReadLorebook } from '../formats/_shared/character-book.ts';
import { readingOf } from '../formats/_shared/character-book.ts';
import { uidsFor } from '../formats/_shared/entry-ids.ts';
import { joinedParts } from '../formats/sillytavern/firing.ts';
import { worldReadingOf } from '../formats/sillytavern/world-info.ts';

/**
 * The mends:
 * - `write-both`: the slot in both encodings; in a world file, its number
 * - `unique-ids`: whole numbers, each once, in a card's book
 * - `drop-blank-keys`: without the primary keys that are empty or only spaces
 * - `split-keys`: several keys in the place of one that joins them by commas
 * - `to-world-file`: a book that stands in a world file in the form of a card's becomes a world file
 */
export type MendKind = 'write-both' | 'unique-ids' | 'drop-blank-keys' | 'split-keys' | 'to-world-file';

/** The raw book to be mended: the one in a card, or a world file. */
export interface MendSource {
  readonly form: 'card-book' | 'world';
  readonly raw: JsonObject;
  readonly id: string;
  readonly name: string;
}

/** A mend of some entries, by their ids in the source's own reading; none for the whole book's. */
export interface Mend {
  readonly kind: MendKind;
  readonly entryIds: readonly string[];
}

/** What is offered. */
export interface MendOffers {
  /** By entry; entries without an offer are left out. */
  readonly byEntry: ReadonlyMap<string, readonly MendKind[]>;
  readonly book: readonly MendKind[];
}

/** The mends that leave alone what fires and where it lands: they may be taken all at once. */
export const SAFE_MENDS: readonly MendKind[] = ['write-both', 'unique-ids'];

/** The source's own reading, made once for each raw object. */
export function readSource({ form, raw, id }: MendSource): ReadLorebook {
  let escrow = ESCROWS.get(raw);
  if (escrow === undefined) {
    escrow = { raw };
    ESCROWS.set(raw, escrow);
  }
  return form === 'card-book' ? readingOf(escrow, id) : worldReadingOf(escrow, id);
}

const ESCROWS = new WeakMap<JsonObject, { readonly raw: JsonObject }>();

/** Which mend each entry of a book may have, and which the book itself. Found once for each raw object. */
export function mendsFor(source: MendSource): MendOffers {
  const { id, raw } = source;
  const known = OFFERS.get(raw);
  if (known?.id === id) return known.offers;
  const offers = offersOf(source);
  OFFERS.set(raw, { id, offers });
  return offers;
}

// Every row with a conflict asks.
const OFFERS = new WeakMap<JsonObject, { readonly id: string; readonly offers: MendOffers }>();

function offersOf(source: MendSource): MendOffers {
  if (isListWorld(source)) return { byEntry: new Map(), book: ['to-world-file'] };
  const reading = readSource(source);
  const renumbered = source.form === 'card-book' ? idsToChange(reading) : new Map<string, number>();
  const byEntry = new Map<string, readonly MendKind[]>();
  for (const entry of reading.body.entries) {
    if (!isObject(reading.known.rawById.get(entry.id))) continue;
    const kinds: MendKind[] = [];
    if (needsEncoding(source, reading, entry)) kinds.push('write-both');
    if (renumbered.has(entry.id)) kinds.push('unique-ids');
    if (entry.keys.some(isBlankKey)) kinds.push('drop-blank-keys');
    const count = liveCount(entry);
    if (entry.keys.some((key) => joinedParts(key, count) !== null)) kinds.push('split-keys');
    if (kinds.length > 0) byEntry.set(entry.id, kinds);
  }
  return { byEntry, book: renumbered.size > 0 ? ['unique-ids'] : [] };
}

/** Every safe mend that a book needs, as one list: entries that only lack one of two encodings are left as they are. */
export function mendAll(source: MendSource): readonly Mend[] {
  const { byEntry } = mendsFor(source);
  const { positions } = readSource(source).known;
  const entriesOf = (kind: MendKind): readonly string[] =>
    [...byEntry].filter(([, kinds]) => kinds.includes(kind)).map(([id]) => id);
  const misplaced = entriesOf('write-both').filter((id) => {
    const position = positions.get(id);
    if (position === undefined) return false;
    const isText = position.precise.present && typeof position.precise.value !== 'number';
    return isText || !IN_ORDER.has(position.agreement);
  });
  return [
    { kind: 'write-both' as const, entryIds: misplaced },
    { kind: 'unique-ids' as const, entryIds: entriesOf('unique-ids') },
  ].filter(({ entryIds }) => entryIds.length > 0);
}

const IN_ORDER: ReadonlySet<string> = new Set(['coarse-only', 'precise-only']);

/** Whether a world file holds its entries as a list, as a card's book does: SillyTavern reads no such file. */
export function isListWorld({ form, raw }: Pick<MendSource, 'form' | 'raw'>): boolean {
  return form === 'world' && Array.isArray(raw['entries']);
}

/** Whether an entry's slot is not yet written in every way that its file has, and can be. */
export function needsEncoding(
  { form }: MendSource,
  { known, options }: ReadLorebook,
  entry: LorebookEntry,
): boolean {
  const position = known.positions.get(entry.id);
  // RoleCall's own slots have no number; to write the nearest would move the entry there.
  if (position === undefined || !SLOT_BY_NUMBER.includes(entry.position.slot)) return false;
  const { agreement, precise } = position;
  if (form === 'world') return agreement !== 'precise-only';
  // An app that believes the entry's own level needs the exact slot there, which the standard's words cannot say
  // (decisions 8a): such an entry is as its app writes it.
  const { slot } = entry.position;
  if (options.precedence === 'entry-first' && slot !== 'world' && slot !== 'character') return false;
  // SillyTavern's engine compares strictly: a number written as text is none.
  return agreement !== 'agree' || typeof precise.value !== 'number';
}

/** The ids that change, by entry: all or none, in book order, as an extracted file would have them (decisions 6). */
export function idsToChange({ known, body }: ReadLorebook): ReadonlyMap<string, number> {
  const ids = body.entries.map(({ id }) => known.originalIds.get(id));
  const uids = uidsFor(ids);
  if (uids === ids || ids.every((id) => id === undefined) || !haveFault(ids)) return new Map();
  const changes = body.entries.flatMap(({ id }, index): [string, number][] => {
    const uid = uids[index] as number;
    return ids[index] === uid || !isObject(known.rawById.get(id)) ? [] : [[id, uid]];
  });
  return new Map(changes);
}

// Ids that are only out of order are usable as they are.
function haveFault(ids: readonly (Json | undefined)[]): boolean {
  const isUsable = (id: Json | undefined): boolean =>
    typeof id === 'number' && Number.isSafeInteger(id) && id >= 0;
  return new Set(ids).size < ids.length || !ids.every(isUsable);
}

/** Whether a key is empty, which never matches, or only spaces, which always does (decisions 4). */
export function isBlankKey(key: Key): boolean {
  return key.kind === 'literal' && key.text.trim() === '';
}

/** How many keys of an entry SillyTavern looks at: it passes over empty ones. */
export function liveCount({ keys }: LorebookEntry): number {
  return keys.filter((key) => key.kind === 'regex' || key.text !== '').length;
}
