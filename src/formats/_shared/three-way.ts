// An entry that stands in one file and was written from another: what differs from what we wrote was edited, everything
// else is as it was (decisions 24).

import { isStillEntry } from '../../core/compare.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { changedFields, type EntryTable, sameBags, withFields } from './entry-table.ts';

/**
 * The entry that a file holds, as its source says it, with what was edited in the file.
 *
 * @param entry as it is read from the file
 * @param written as it would be read had nobody touched it
 * @param source what it was written from
 * @returns the source itself when nothing was edited; null when it can no longer be the same entry
 */
export function mergedEntry(
  table: EntryTable,
  entry: LorebookEntry,
  written: LorebookEntry,
  source: LorebookEntry,
): LorebookEntry | null {
  if (!isStillEntry(entry, written)) return null;
  // SillyTavern's editor switches `selective` on in every entry that it unfolds (1.19), where it means nothing as long
  // as there are no secondary keys: that is no edit.
  const isIdle = entry.secondaryKeys.length === 0 && written.secondaryKeys.length === 0;
  const rows = changedFields(table, entry, written).filter(({ path }) => !(isIdle && path === 'selective'));
  const sameBag = sameBags(entry.bag, written.bag);
  if (rows.length === 0 && sameBag) return source;
  const draft = withFields(source, entry, rows);
  if (!sameBag) draft.bag = { ...source.bag, extensions: entry.bag.extensions };
  return draft;
}
