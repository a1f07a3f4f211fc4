// A memory book that Agnai itself wrote, written again after an edit: entries that nobody touched are its own objects,
// an edited one gets only what changed, and weights stay where the order allows it (design, rule 2).

import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookBody, LorebookEntry } from '../../core/lorebook.ts';
import type { OwnPart } from '../../core/own-part.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { AGNAI } from './fields.ts';
import { isMemoryBook, isWholeEntry, memoryBookAsItStands } from './memory-book.ts';
import type { Place } from './placing.ts';
import { ownMemoryBook } from './restoring.ts';

interface TwinEntry {
  readonly raw: JsonObject;
  readonly read: LorebookEntry;
}

/** The raw book, how it reads, and each entry of it by its id. */
export interface MemoryTwin {
  readonly raw: JsonObject;
  readonly body: LorebookBody;
  readonly byId: ReadonlyMap<string, TwinEntry>;
}

/** The memory book that a lorebook came from; null when it came from elsewhere, or we wrote it anew ourselves. */
export function memoryTwinOf({ id, name, original }: CanonicalLorebook): MemoryTwin | null {
  const held = original[AGNAI]?.raw;
  const raw = isMemoryBook(held) ? ownMemoryBook(held) : null;
  if (raw === null) return null;
  const { body } = memoryBookAsItStands(raw, id, name);
  const items = isArray(raw['entries']) ? raw['entries'] : [];
  const entries = body.entries.flatMap((read, at): [string, TwinEntry][] => {
    const item = items[at];
    return isWholeEntry(item) ? [[read.id, { raw: item, read }]] : [];
  });
  return { raw, body, byId: new Map(entries) };
}

const isSame = (a: LorebookEntry, b: LorebookEntry, paths: readonly string[] | null): boolean =>
  CHARACTER_BOOK_FIELDS.every((row) => (paths !== null && !paths.includes(row.path)) || row.same(a, b));

// What each of Agnai's fields is written from.
const WRITTEN_FROM: Readonly<Record<string, readonly string[]>> = {
  name: ['title'],
  entry: ['content'],
  keywords: [
    'keys',
    'constant',
    'secondaryKeys',
    'selective',
    'logic',
    'scan.caseSensitive',
    'scan.matchWholeWords',
  ],
};
const PLACE_FIELDS = ['order', 'position.slot', 'position.depth', 'position.role', 'position.outlet'];

/** An entry written onto its twin. */
export interface OverlaidEntry {
  readonly raw: JsonObject;
  /** Fields of which nothing is to be said, since they are as they were; null for the whole entry. */
  readonly asTheyWere: readonly string[] | null;
}

/** Writes an entry onto its twin: what was not touched is the twin's own. Null for an entry without one. */
export function overlaidEntry(
  { source }: ResolvedEntry,
  twin: MemoryTwin | null,
  write: () => JsonObject,
): OverlaidEntry | null {
  const held = twin?.byId.get(source.id);
  if (held === undefined) return null;
  if (isSame(source, held.read, null)) return { raw: held.raw, asTheyWere: null };
  const kept = Object.entries(WRITTEN_FROM).filter(
    ([field, paths]) => Object.hasOwn(held.raw, field) && isSame(source, held.read, paths),
  );
  const own = Object.fromEntries(kept.map(([field]) => [field, held.raw[field] as Json]));
  return { raw: { ...held.raw, ...write(), ...own }, asTheyWere: kept.flatMap(([, paths]) => paths) };
}

/** Findings of an overlaid entry about what really changed. */
export const saidOf = ({ asTheyWere }: OverlaidEntry, findings: readonly Finding[]): readonly Finding[] =>
  asTheyWere === null ? [] : findings.filter(({ path }) => !asTheyWere.includes(path));

type Ranks = Pick<Place, 'weight' | 'priority'>;

/**
 * The weight and priority of every entry, in which untouched ones keep their own; null where they cannot all be kept, so
 * that ranks are needed. `places`: the ranks, which say who goes before whom.
 */
export function ranksOnTwin(
  entries: readonly ResolvedEntry[],
  places: ReadonlyMap<ResolvedEntry, Place>,
  twin: MemoryTwin,
): ReadonlyMap<ResolvedEntry, Ranks> | null {
  const numberOf = ({ source }: ResolvedEntry, field: 'weight' | 'priority'): number | null => {
    const held = twin.byId.get(source.id);
    if (held === undefined || !isSame(source, held.read, PLACE_FIELDS)) return null;
    const value = held.raw[field];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  };
  const inText = [...entries].sort((a, b) => (places.get(a)?.weight ?? 0) - (places.get(b)?.weight ?? 0));
  const weights = between(inText.map((each) => numberOf(each, 'weight')));
  if (weights === null) return null;
  const weightOf = new Map(inText.map((each, at) => [each, weights[at] ?? 0]));
  // Who is kept when the budget is short is a number of its own there; an entry without one is as a V2 import has it.
  return new Map(
    entries.map((each): [ResolvedEntry, Ranks] => [
      each,
      { weight: weightOf.get(each) ?? 0, priority: numberOf(each, 'priority') ?? each.entry.order },
    ]),
  );
}

// Fills in numbers so that the list ascends; null when those that stand do not, or leave no room.
function between(held: readonly (number | null)[]): readonly number[] | null {
  const filled: number[] = [];
  for (const [at, value] of held.entries()) {
    const before = filled.at(-1) ?? null;
    if (value !== null) {
      if (before !== null && value < before) return null;
      filled.push(value);
      continue;
    }
    const next = held.slice(at).findIndex((each) => each !== null);
    const after = next === -1 ? null : (held[at + next] ?? null);
    const made =
      before === null
        ? (after ?? 0) - (next === -1 ? 0 : next)
        : after === null
          ? before + 1
          : before + (after - before) / (next + 1);
    if ((before !== null && made <= before) || (after !== null && made >= after)) return null;
    filled.push(made);
  }
  return filled;
}

const HEAD_FIELDS = ['name', 'description', 'scanDepth', 'tokenBudget', 'recursiveScanning'] as const;

/** The book's own fields: the twin's, with those that were edited and those without which Agnai takes no book. */
export function headOnTwin({ raw, body: read }: MemoryTwin, { body, name }: CanonicalLorebook): JsonObject {
  // A book without a name is called something here; there it stays without one.
  const isNameless = read.name.trim() === '' && body.name.trim() === '';
  const live = { ...body, name: isNameless ? read.name : name };
  const edited = HEAD_FIELDS.filter((field) => live[field] !== read[field]);
  const missing = (['name', 'description'] as const).filter((field) => typeof raw[field] !== 'string');
  const own = [...edited, ...missing].map((field) => [field, live[field]]);
  return { ...withoutKey(raw, 'entries'), kind: 'memory', ...Object.fromEntries(own) };
}

/** What of a written memory book is as Agnai wrote it. */
export function ownParts({ books }: ResolvedCharacter, written: Json | undefined): readonly OwnPart[] {
  const [first, ...others] = books;
  const twin = first === undefined || others.length > 0 ? null : memoryTwinOf(first.lorebook);
  if (first === undefined || twin === null) return [];
  const items = isObject(written) && isArray(written['entries']) ? written['entries'] : [];
  const held = new Set<Json>(items);
  const { id: bookId, body } = first.lorebook;
  const head = HEAD_FIELDS.filter((field) => body[field] !== twin.body[field]);
  return [
    { bookId, entryId: null, edited: head },
    ...first.entries.flatMap(({ source }): readonly OwnPart[] => {
      const raw = twin.byId.get(source.id)?.raw;
      return raw !== undefined && held.has(raw) ? [{ bookId, entryId: source.id, edited: [] }] : [];
    }),
  ];
}
