// A dialect's table of lorebook entries, and what it says of two entries: in which rows they differ.

import { sameJson } from '../../core/json.ts';
import type { Bag, EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import type { EntryField } from './entry-field.ts';

/** A dialect of lorebook entries. */
export interface EntryTable {
  readonly dialect: string;
  readonly fields: readonly EntryField[];
  /** The name under which the dialect writes an entry's id. */
  readonly identity: string;
  /** Keys that a field reads, or that stand for the entry's identity: never part of the bag. */
  readonly known: { readonly entry: ReadonlySet<string>; readonly extensions: ReadonlySet<string> };
  /** Keys at which a row looks only after its first place. */
  readonly alternates: { readonly entry: ReadonlySet<string>; readonly extensions: ReadonlySet<string> };
  /** Whether the extensions hold fields of ours, or only what others put there. */
  readonly extensionsAreLive: boolean;
  /** Names in extensions that look like a field's but that SillyTavern does not read, with the name it reads. */
  readonly lookalikes: ReadonlyMap<string, string>;
  /** What is said of an entry that uses another dialect's names. */
  readonly foreignNames: string;
}

/**
 * Builds a table from its rows. `identity`: the names under which the dialect writes an entry's id; `foreignNames`:
 * what is said of an entry that uses another dialect's names.
 */
export function entryTable(
  dialect: string,
  fields: readonly EntryField[],
  identity: readonly string[],
  foreignNames = 'The entry uses field names of another dialect; they were read as such.',
): EntryTable {
  const entry = new Set<string>([...identity, 'extensions']);
  const extensions = new Set<string>();
  const alternates = { entry: new Set<string>(), extensions: new Set<string>() };
  for (const row of fields) {
    row.wires.forEach((wire, index) => {
      (wire.at === 'entry' ? entry : extensions).add(wire.key);
      if (index > 0 && row.isPlain) alternates[wire.at].add(wire.key);
    });
  }
  const lookalikes = new Map<string, string>();
  for (const key of extensions) {
    const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!extensions.has(camel)) lookalikes.set(camel, key);
  }
  return {
    dialect,
    fields,
    identity: identity[0] ?? 'id',
    known: { entry, extensions },
    alternates,
    extensionsAreLive: extensions.size > 0,
    lookalikes,
    foreignNames,
  };
}

/** The rows in which two entries differ; the bag is no row. */
export function changedFields(table: EntryTable, a: LorebookEntry, b: LorebookEntry): readonly EntryField[] {
  return a === b ? [] : table.fields.filter((row) => !row.same(a, b));
}

/** Whether the parts of two bags that every dialect carries are the same. */
export function sameBags(a: Bag, b: Bag): boolean {
  return a === b || sameJson(a.extensions, b.extensions);
}

/** Whether an entry says what its twin says, in every row and in the bag that travels. */
export function isUnedited(table: EntryTable, entry: LorebookEntry, twin: LorebookEntry): boolean {
  return changedFields(table, entry, twin).length === 0 && sameBags(entry.bag, twin.bag);
}

/** A copy of an entry into which the given rows are taken from another. */
export function withFields(
  entry: LorebookEntry,
  from: LorebookEntry,
  rows: readonly EntryField[],
): EntryDraft {
  const draft: EntryDraft = {
    ...entry,
    position: { ...entry.position },
    probability: { ...entry.probability },
    timing: { ...entry.timing },
    group: { ...entry.group },
    recursion: { ...entry.recursion },
    scan: { ...entry.scan },
    sources: { ...entry.sources },
  };
  for (const row of rows) row.take(from, draft);
  return draft;
}
