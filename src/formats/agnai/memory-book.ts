// Agnai's memory book, read: alone in a file, or under `characterBook` of a native character. Facts: Agnaistic 1.0.27.

import type { ExtractedBook } from '../../core/adapter.ts';
import type { Finding, Note } from '../../core/finding.ts';
import { noteInto, shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, jsonAt, sameJson, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../core/lorebook.ts';
import type { BookHead } from '../_shared/book-fields.ts';
import { readBookHead } from '../_shared/book-fields.ts';
import type { ReadOptions } from '../_shared/entry-field.ts';
import { entryIdAt } from '../_shared/entry-ids.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { noteTopLines } from '../_shared/top-lines.ts';
import { AGNAI, AGNAI_TABLE, IDLE_FIELDS, saysSomething } from './fields.ts';
import { memoryStashOf, restoredBooks } from './restoring.ts';
import { noteSearchedTexts } from './searched-texts.ts';

export { AGNAI } from './fields.ts';

/** How entries of a memory book are read: every field stands at the entry's own level. */
export const READ_AGNAI: ReadOptions = { precedence: 'entry-first', patternKeys: false };

// A native character holds it at its root; tools that copy a native character into a V2 card leave it in `data`.
const SLOTS: readonly (readonly string[])[] = [['data', 'characterBook'], ['characterBook']];

/** Whether a value has the shape of a memory book; `kind` is missing in some, so it is not asked for. */
export function isMemoryBook(raw: Json | undefined): raw is JsonObject {
  if (!isObject(raw) || !isArray(raw['entries'])) return false;
  if (raw['kind'] === 'memory') return true;
  return raw['entries'].some(
    (each) => isObject(each) && ('entry' in each || isArray(each['keywords'])) && !('content' in each),
  );
}

/**
 * Reads a raw memory book as one lorebook; never throws. One that we wrote comes back as it was, unless it was made of
 * several.
 */
export function readMemoryBook(
  raw: JsonObject,
  id: string,
  fallbackName: string,
  findings: Finding[],
): CanonicalLorebook {
  const said: Finding[] = [];
  const [first, ...others] = readMemoryBooks(raw, id, fallbackName, said);
  const isOne = first !== undefined && others.length === 0;
  if (isOne) for (const each of said) findings.push(each);
  return isOne ? first : asItStands(raw, id, fallbackName, findings);
}

/** Whether an entry has the six fields that Agnai asks for; with one of them missing it refuses the whole book. */
export function isWholeEntry(item: Json | undefined): item is JsonObject {
  if (!isObject(item)) return false;
  const { keywords } = item;
  return (
    typeof item['name'] === 'string' &&
    typeof item['entry'] === 'string' &&
    typeof item['weight'] === 'number' &&
    typeof item['priority'] === 'number' &&
    typeof item['enabled'] === 'boolean' &&
    isArray(keywords) &&
    keywords.every((keyword) => typeof keyword === 'string')
  );
}

/** Whether Agnai would take a memory book as it stands. */
export function isWholeBook(raw: JsonObject): boolean {
  const { name, description, entries } = raw;
  const isDescribed = description === undefined || typeof description === 'string';
  return typeof name === 'string' && isDescribed && isArray(entries) && entries.every(isWholeEntry);
}

/** Reads a raw memory book as what stands in it, whoever wrote it; never throws. */
export function memoryBookAsItStands(raw: JsonObject, id: string, fallbackName: string): CanonicalLorebook {
  return asItStands(raw, id, fallbackName, []);
}

function asItStands(
  raw: JsonObject,
  id: string,
  fallbackName: string,
  findings: Finding[],
): CanonicalLorebook {
  const items = isArray(raw['entries']) ? raw['entries'] : [];
  const entries = items.map((item, index): LorebookEntry => {
    const entryId = entryIdAt(index);
    const note = noteInto(findings, { bookId: id, entryId });
    noteIdle(item, note);
    const entry = readEntry(AGNAI_TABLE, item, entryId, READ_AGNAI, note);
    noteSwitch(item, note);
    noteTitle(entry, note);
    noteTopLines(entry.content, note);
    return entry;
  });
  const note = noteInto(findings, { bookId: id, entryId: null });
  const head = readMemoryHead(raw, note);
  notePriorities(items, note);
  noteSearchedTexts(entries, note);
  const name = head.name.trim() === '' ? fallbackName : head.name;
  return { id, name, body: { ...head, entries }, original: { [AGNAI]: { raw } } };
}

/**
 * Reads a raw memory book as the lorebooks that it was made of, where it was written by us and still says so. `edited`:
 * places outside of the book (`insert`, `examples`) that no longer hold what was written there.
 */
export function readMemoryBooks(
  raw: JsonObject,
  id: string,
  fallbackName: string,
  findings: Finding[],
  edited: ReadonlySet<string> = NOTHING_EDITED,
): readonly CanonicalLorebook[] {
  const said: Finding[] = [];
  const read = asItStands(raw, id, fallbackName, said);
  const restored = restoredBooks(raw, read, said, edited);
  for (const each of restored?.findings ?? said) findings.push(each);
  return restored?.books ?? [read];
}

const NOTHING_EDITED: ReadonlySet<string> = new Set();

const HEAD_NAMES: readonly (readonly [string, string])[] = [
  ['scanDepth', 'scan_depth'],
  ['tokenBudget', 'token_budget'],
  ['recursiveScanning', 'recursive_scanning'],
];

/** The book's own fields. */
export function readMemoryHead(raw: JsonObject, note: Note): BookHead {
  const renamed = Object.entries(raw).map(([key, value]): [string, Json | undefined] => {
    const own = HEAD_NAMES.find(([name]) => name === key);
    return [own?.[1] ?? key, value];
  });
  return readBookHead(Object.fromEntries(renamed), AGNAI, note);
}

// An imported book keeps fields of other apps, which do nothing there; a guest's copy of a world info file looks like
// SillyTavern's own.
function noteIdle(item: Json, note: Note): void {
  if (!isObject(item)) return;
  for (const [name, nothing] of IDLE_FIELDS) {
    const value = item[name];
    if (!saysSomething(value, nothing)) continue;
    note(
      'stashed',
      name,
      value,
      null,
      `Agnai keeps ${name} ${shown(value)} of another app and does not use it; it was not applied and is kept aside.`,
    );
  }
}

// It imports a lorebook's entry without the switch as one that is on, and leaves it out where it finds it in a character.
function noteSwitch(item: Json, note: Note): void {
  if (!isObject(item) || (item['enabled'] !== undefined && item['enabled'] !== null)) return;
  const message = 'The entry says nothing of its switch; it is on here, as where Agnai imports a lorebook.';
  note('assumed', 'enabled', item['enabled'] ?? null, true, message);
}

/** What Agnai calls an entry that came without a name (1.0.27, memoryEntryToNative). */
const UNNAMED = 'Unnamed';

// A card's entry may have a name and a comment: Agnai shows the one, SillyTavern the other.
function noteTitle({ title, memo }: LorebookEntry, note: Note): void {
  if (memo === '' || memo === title || title === UNNAMED) return;
  const message = `Agnai shows the name “${title}” of the entry; SillyTavern shows the comment “${memo}” that came with it.`;
  note('assumed', 'title', title, memo, message);
}

// Priority decides who stays when the budget is short, weight who stands where; here one number does both.
function notePriorities(items: readonly Json[], note: Note): void {
  const held = items.flatMap((item) => {
    const [priority, weight] = isObject(item) ? [item['priority'], item['weight']] : [];
    return typeof priority === 'number' && typeof weight === 'number' ? [{ priority, weight }] : [];
  });
  const sorted = [...held].sort((a, b) => a.weight - b.weight);
  const isOneOrder = sorted.every((each, at) => {
    const before = sorted[at - 1] ?? each;
    return Math.sign(each.priority - before.priority) === Math.sign(each.weight - before.weight);
  });
  // One and the same for all is nobody's choice.
  if (isOneOrder || held.every(({ priority }) => priority === held[0]?.priority)) return;
  const priorities = held.map(({ priority }) => priority);
  note(
    'stashed',
    'priority',
    priorities,
    null,
    'Agnai has a priority for the budget beside the weight; SillyTavern has one order for both, so the priorities are kept aside.',
  );
}

/** The memory books of a card. */
export function memoryBooksOf(
  card: JsonObject,
  fallbackName: string,
  findings: Finding[],
): readonly ExtractedBook[] {
  return SLOTS.flatMap((path) => {
    const raw = jsonAt(card, path);
    if (!isMemoryBook(raw)) return [];
    const slot = path.join('.');
    return readMemoryBooks(raw, slot, fallbackName, findings).map((lorebook) => ({ slot, lorebook }));
  });
}

/**
 * The raw memory book that a lorebook came from, when it was not changed and Agnai itself, or another tool, wrote it. As a
 * file of its own: without the ids that a book inside a character has.
 */
export function untouchedBook({ id, name, body, original }: CanonicalLorebook): JsonObject | null {
  const raw = original[AGNAI]?.raw;
  if (!isMemoryBook(raw) || raw['kind'] !== 'memory' || !isWholeBook(raw)) return null;
  if (memoryStashOf(raw) !== null || !sameJson(asItStands(raw, id, name, []).body, body)) return null;
  return withoutKey(withoutKey(raw, '_id'), 'userId');
}
