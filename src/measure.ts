// Fidelity, measured: what was written is read back and compared with what went in, entry by entry.

import type { Finding, FindingCode, FindingPlace } from './core/finding.ts';
import { finding, isRemark } from './core/finding.ts';
import type { Json, JsonObject } from './core/json.ts';
import { sameJson } from './core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from './core/lorebook.ts';
import { CHARACTER_BOOK_TABLE } from './formats/_shared/character-book.ts';

/** Each entry once, under the worst thing that happened to it (decisions 9). */
export interface EntryCounts {
  readonly total: number;
  readonly exact: number;
  readonly stashed: number;
  readonly approximated: number;
  readonly lost: number;
}

const WORST_FIRST = ['lost', 'approximated', 'stashed'] as const satisfies readonly FindingCode[];

/** Counts entries by their worst finding; findings of other codes do not count, nor do remarks. */
export function countEntries(
  lorebooks: readonly CanonicalLorebook[],
  findings: readonly Finding[],
): EntryCounts {
  const worst = new Map<string, number>();
  for (const found of findings) {
    const { code, bookId, entryId } = found;
    const rank = (WORST_FIRST as readonly FindingCode[]).indexOf(code);
    if (rank < 0 || entryId === null || isRemark(found)) continue;
    const key = `${bookId}\n${entryId}`;
    worst.set(key, Math.min(rank, worst.get(key) ?? WORST_FIRST.length));
  }
  const total = lorebooks.reduce((sum, book) => sum + book.body.entries.length, 0);
  const at = (rank: number): number => [...worst.values()].filter((each) => each === rank).length;
  const [lost, approximated, stashed] = [at(0), at(1), at(2)];
  return { total, exact: total - lost - approximated - stashed, stashed, approximated, lost };
}

/**
 * Compares lorebooks with what was read back of them, in order, and returns a `lost` finding for every field that
 * differs, modelled by us or not, and for every entry that is gone. An empty result means that nothing differs.
 */
export function measureLorebooks(
  sent: readonly CanonicalLorebook[],
  readBack: readonly CanonicalLorebook[],
): readonly Finding[] {
  // Entry by entry in the order of all books: an app, or we, may draw the boundaries between them anew.
  const arrivedEntries = readBack.flatMap(({ body }) => body.entries);
  let next = 0;
  return sent.flatMap((book, at) => {
    const place = (entryId: string | null): FindingPlace => ({ bookId: book.id, entryId });
    const entries = book.body.entries.flatMap((entry): readonly Finding[] => {
      const arrived = arrivedEntries[next++];
      if (arrived === undefined) {
        const message = 'The entry is not in the written file.';
        return [finding('lost', place(entry.id), 'entry', null, null, message)];
      }
      return entryFindings(entry, arrived, place(entry.id));
    });
    const other = readBack[at];
    const isOther = other?.body.entries.length === book.body.entries.length;
    return isOther ? [...entries, ...headFindings(book, other)] : entries;
  });
}

function entryFindings(
  entry: LorebookEntry,
  arrived: LorebookEntry,
  place: FindingPlace,
): readonly Finding[] {
  if (entry === arrived) return [];
  const rows = CHARACTER_BOOK_TABLE.fields.filter(
    (row) => !row.same(entry, arrived) && !(row.path === 'displayIndex' && entry.displayIndex === null),
  );
  return [
    ...rows.map((row) => lost(place, row.path, row.show(entry), row.show(arrived))),
    ...goneFrom(entry.bag.entry, arrived.bag.entry, place, '', DERIVED),
    ...goneFrom(entry.bag.extensions, arrived.bag.extensions, place, 'extensions.', LIVE_FIELDS),
  ];
}

// A place in the editor's list is given to an entry without one, and SillyTavern shows a memo where there is one.
const DERIVED: ReadonlySet<string> = new Set(['addMemo']);
// Fields that are live elsewhere: what a world file carries along under their names is a stale copy (1.19).
const LIVE_FIELDS = CHARACTER_BOOK_TABLE.known.extensions;

const lost = (place: FindingPlace, path: string, before: Json, after: Json): Finding =>
  finding('lost', place, path, before, after, 'It does not come back from the written file as it went in.');

function goneFrom(
  sent: JsonObject,
  arrived: JsonObject,
  place: FindingPlace,
  prefix: string,
  exempt: ReadonlySet<string>,
): readonly Finding[] {
  if (sent === arrived) return [];
  return Object.keys(sent)
    .filter((key) => !exempt.has(key) && !sameJson(sent[key], ownAt(arrived, key)))
    .map((key) => lost(place, prefix + key, sent[key] ?? null, ownAt(arrived, key) ?? null));
}

const ownAt = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const HEAD = ['description', 'scanDepth', 'tokenBudget', 'recursiveScanning'] as const;
const NONE: ReadonlySet<string> = new Set();

function headFindings(sent: CanonicalLorebook, arrived: CanonicalLorebook): readonly Finding[] {
  const place = { bookId: sent.id, entryId: null };
  const [before, after] = [sent.body, arrived.body];
  return [
    ...HEAD.filter((field) => before[field] !== after[field]).map((field) =>
      lost(place, field, before[field], after[field]),
    ),
    ...goneFrom(before.bag.book, after.bag.book, place, '', NONE),
    ...goneFrom(before.extensions, after.extensions, place, 'extensions.', NONE),
  ];
}
