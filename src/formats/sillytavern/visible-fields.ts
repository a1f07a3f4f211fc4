// What SillyTavern's editor shows of an entry, its place in the list excepted: the fields over which a person's edits
// and a newer card's changes are told (decisions 14).

import type { ComparedField } from '../../core/compare.ts';
import { compareEntries, isNoDifference, visibleFields } from '../../core/compare.ts';
import { hashJson } from '../../core/hash.ts';
import type { Json } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { WORLD_INFO_FIELDS } from './world-table.ts';

// The editor has one line for both, the comment.
const shownTitle = (entry: LorebookEntry): string => entry.memo || entry.title;

const SHOWN = WORLD_INFO_FIELDS.filter(({ path }) => path !== 'displayIndex').map((row) => ({
  path: row.path,
  show: row.path === 'title' ? shownTitle : (entry: LorebookEntry): Json => row.show(entry),
  same:
    row.path === 'title'
      ? (a: LorebookEntry, b: LorebookEntry) => shownTitle(a) === shownTitle(b)
      : (a: LorebookEntry, b: LorebookEntry) => row.same(a, b),
}));

/** The fields, as a comparison takes them. */
export const VISIBLE_FIELDS: readonly ComparedField[] = visibleFields(SHOWN);

// SillyTavern's own card has no place for a character filter: that an incoming book lacks one is no change.
const FIELDS_OF_A_CARD: readonly ComparedField[] = VISIBLE_FIELDS.map((field) =>
  field.path === 'characterFilter'
    ? {
        path: field.path,
        same: (mine, incoming) => incoming.characterFilter === null || field.same(mine, incoming),
      }
    : field,
);

/** A fingerprint over these fields of all entries, in order: titles and character filters count. */
export function visibleFingerprint(entries: readonly LorebookEntry[]): string {
  return hashJson(entries.map((entry) => SHOWN.map((row) => row.show(entry))));
}

/** Whether an incoming card's entries bring nothing that a person would see changed. */
export function bringsNothingNew(
  mine: readonly LorebookEntry[],
  incoming: readonly LorebookEntry[],
): boolean {
  return isNoDifference(compareEntries(mine, incoming, FIELDS_OF_A_CARD));
}
