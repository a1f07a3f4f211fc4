// Two versions of a lorebook side by side: which entries are new, gone or changed, and in which fields.

import { sameKeys, writeKey } from './key.ts';
import type { LorebookEntry } from './lorebook.ts';

/** A field as a comparison sees it: a name and whether two entries agree in it. */
export interface ComparedField {
  readonly path: string;
  readonly same: (a: LorebookEntry, b: LorebookEntry) => boolean;
}

/** One entry of both versions that differs. */
export interface ChangedEntry {
  readonly before: LorebookEntry;
  readonly after: LorebookEntry;
  readonly paths: readonly string[];
}

/** The difference from one version to another. */
export interface LorebookDifference {
  readonly added: readonly LorebookEntry[];
  readonly removed: readonly LorebookEntry[];
  readonly changed: readonly ChangedEntry[];
  readonly unchanged: number;
}

/** Pairs of indexes of entries that are the same entry; null where an entry has no partner. */
export type Pairing = ReadonlyMap<number, number>;

/**
 * Finds which entry of `before` is which entry of `after`. In turn: equal in content, keys and title; equal in
 * content; equal in title and keys; and last the same label or the same keys, which an edited text leaves alone.
 * Never by id: ids differ between files. Each entry is paired once, in order.
 */
export function pairEntries(before: readonly LorebookEntry[], after: readonly LorebookEntry[]): Pairing {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const keysOf = (entry: LorebookEntry): string => JSON.stringify(entry.keys.map(writeKey));
  const titleOf = (entry: LorebookEntry): string => entry.memo || entry.title;
  const marks: readonly ((entry: LorebookEntry) => string | null)[] = [
    (entry) => JSON.stringify([entry.content, keysOf(entry), titleOf(entry)]),
    (entry) => (entry.content === '' ? null : entry.content),
    (entry) => (titleOf(entry) === '' ? null : JSON.stringify([titleOf(entry), keysOf(entry)])),
    (entry) => (titleOf(entry) === '' ? null : titleOf(entry)),
    (entry) => (entry.keys.length === 0 ? null : keysOf(entry)),
  ];
  for (const mark of marks) {
    const waiting = new Map<string, { readonly indexes: number[]; next: number }>();
    after.forEach((entry, index) => {
      const key = taken.has(index) ? null : mark(entry);
      if (key === null) return;
      const queue = waiting.get(key);
      if (queue) queue.indexes.push(index);
      else waiting.set(key, { indexes: [index], next: 0 });
    });
    before.forEach((entry, index) => {
      const key = pairs.has(index) ? null : mark(entry);
      const queue = key === null ? undefined : waiting.get(key);
      // A cursor, since `shift` moves the whole list: thousands of entries may share one mark.
      const partner = queue?.indexes[queue.next++];
      if (partner === undefined) return;
      pairs.set(index, partner);
      taken.add(partner);
    });
  }
  return pairs;
}

/** Compares two versions over the given fields. */
export function compareEntries(
  before: readonly LorebookEntry[],
  after: readonly LorebookEntry[],
  fields: readonly ComparedField[],
): LorebookDifference {
  const pairs = pairEntries(before, after);
  const partners = new Set(pairs.values());
  const changed: ChangedEntry[] = [];
  const removed: LorebookEntry[] = [];
  let unchanged = 0;
  before.forEach((entry, index) => {
    const partner = pairs.get(index);
    const other = partner === undefined ? undefined : after[partner];
    if (other === undefined) {
      removed.push(entry);
      return;
    }
    const paths =
      entry === other ? [] : fields.filter((field) => !field.same(entry, other)).map((f) => f.path);
    if (paths.length > 0) changed.push({ before: entry, after: other, paths });
    else unchanged++;
  });
  const added = after.filter((_, index) => !partners.has(index));
  return { added, removed, changed, unchanged };
}

/** Whether a difference holds nothing. */
export function isNoDifference(difference: LorebookDifference): boolean {
  return difference.added.length + difference.removed.length + difference.changed.length === 0;
}

/** Whether an entry can still be the one that a twin describes: its content, keys or title is unchanged. */
export function isStillEntry(entry: LorebookEntry, twin: LorebookEntry): boolean {
  const title = (each: LorebookEntry): string => each.memo || each.title;
  const blank = twin.content === '' && twin.keys.length === 0 && title(twin) === '';
  if (blank) return entry.content === '' && entry.keys.length === 0 && title(entry) === '';
  return (
    (twin.content !== '' && entry.content === twin.content) ||
    (twin.keys.length > 0 && sameKeys(entry.keys, twin.keys)) ||
    (title(twin) !== '' && title(entry) === title(twin))
  );
}

/**
 * Fields as a person compares them: a value that does nothing in either entry is no difference. `selective` is on by
 * default in SillyTavern and means nothing without secondary keys; depth, role and outlet count only in their slots;
 * group options only with a group; a chance only when it is used.
 */
export function visibleFields(fields: readonly ComparedField[]): readonly ComparedField[] {
  return fields.map((field) => {
    const isIdle = IDLE[field.path];
    if (isIdle === undefined) return field;
    return { path: field.path, same: (a, b) => (isIdle(a) && isIdle(b)) || field.same(a, b) };
  });
}

const withoutSecondary = (entry: LorebookEntry): boolean => entry.secondaryKeys.length === 0;
const notAtDepth = (entry: LorebookEntry): boolean => entry.position.slot !== 'depth';
const withoutGroup = (entry: LorebookEntry): boolean => entry.group.name === '';

const IDLE: Readonly<Record<string, (entry: LorebookEntry) => boolean>> = {
  selective: withoutSecondary,
  logic: withoutSecondary,
  'position.depth': notAtDepth,
  'position.role': notAtDepth,
  'position.outlet': (entry) => entry.position.slot !== 'outlet',
  'group.override': withoutGroup,
  'group.weight': withoutGroup,
  // SillyTavern's embedded copy writes "as the reader is set" as false.
  'group.scoring': (entry) => entry.group.scoring !== true,
  'probability.chance': (entry) => !entry.probability.used,
};
