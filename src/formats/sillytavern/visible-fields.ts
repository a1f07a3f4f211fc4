// What SillyTavern's editor shows of an entry, its place in the list excepted: the fields over which a person's edits
// and a newer card's changes are told (decisions 14).

import type { ComparedField } from '../../core/compare.ts';
import { compareEntries, isNoDifference, visibleFields } from '../../core/compare.ts';
import { hashJson } from '../../core/hash.ts';
import type { Json } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { nearestPosition } from '../../core/position.ts';
import { WORLD_INFO_FIELDS } from './world-table.ts';

const SHOWN_OTHERWISE: Readonly<Record<string, (entry: LorebookEntry) => string>> = {
  // The editor has one line for both, the comment.
  title: (entry) => entry.memo || entry.title,
  // Nor has it RoleCall's own places; the nearest one is written.
  'position.slot': (entry) => nearestPosition(entry.position).slot,
};

const SHOWN = WORLD_INFO_FIELDS.filter(({ path }) => path !== 'displayIndex').map((row) => {
  const shown = SHOWN_OTHERWISE[row.path];
  return {
    path: row.path,
    show: shown ?? ((entry: LorebookEntry): Json => row.show(entry)),
    same: (a: LorebookEntry, b: LorebookEntry): boolean =>
      shown === undefined ? row.same(a, b) : shown(a) === shown(b),
  };
});

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
