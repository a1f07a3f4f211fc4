// What an entry of Lumiverse's says beside its fields: a block of the prompt that it stands at, and a priority. For every
// form in which the app holds entries (1.1.0).

import type { Note } from '../../../core/finding.ts';
import type { Json } from '../../../core/json.ts';
import { isObject } from '../../../core/json.ts';
import type { EntryDraft } from '../../../core/lorebook.ts';
import type { EntrySource } from '../entry-field.ts';
import { MARKER, readLumiverseSlot } from './slots.ts';

// The name of our own mark; the stash's module reads by this table.
const STASH_KEY = 'loreferry';

/** The priority of a new entry there. */
export const USUAL_PRIORITY = 10;

/** Completes an entry after its fields were read. Its pin stands at the entry or in its extensions. */
export function completeLumiverse({ entry, extensions, note }: EntrySource, draft: EntryDraft): void {
  const marker = entry['wi_marker'] ?? extensions['wi_marker'];
  const side = entry['wi_marker_side'] ?? extensions['wi_marker_side'];
  const { slot, depth, outlet, remark } = readLumiverseSlot(entry['position'], marker, side);
  if (depth !== undefined) draft.position.depth = depth;
  if (outlet !== undefined) draft.position.outlet = outlet;
  const place = entry['position'];
  const isPinned = typeof marker === 'string' && Number(place) === MARKER;
  const shown = isPinned ? `${marker}, ${side === 'before' ? 'before' : 'after'}` : (place ?? null);
  if (remark !== null) note(remark.code, 'position.slot', shown, outlet ?? slot, remark.message);
  noteConstantChance(draft, note);
  const priority = entry['priority'] ?? extensions['priority'];
  if (typeof priority === 'number' && priority !== USUAL_PRIORITY) {
    const message = `Its priority ${priority} is compared before the order there; SillyTavern has only the order, so it is kept aside.`;
    note('stashed', 'priority', priority, null, message);
  }
}

// What is constant rolls no chance there (1.1.0); SillyTavern would roll it, and at 0 % never let the entry in.
function noteConstantChance(draft: EntryDraft, note: Note): void {
  const { chance, used } = draft.probability;
  if (!draft.enabled || !draft.constant || !used || chance >= 100) return;
  draft.probability = { chance, used: false };
  const message = `A constant entry always fires in Lumiverse, whatever its chance (${chance} %); so the chance is not used.`;
  note('repaired', 'probability.used', true, false, message);
}

/**
 * Says once of a book that keys are searched for in the whole chat there, unless an entry says how far. Entries that we
 * wrote ourselves always say.
 */
export function noteWholeChat(items: readonly Json[], note: Note): void {
  const count = items.filter((item) => {
    if (!isObject(item) || item['constant'] === true) return false;
    const bag = isObject(item['extensions']) ? item['extensions'] : {};
    if (Object.hasOwn(bag, STASH_KEY) || Object.hasOwn(item, STASH_KEY)) return false;
    const holder = Object.hasOwn(item, 'scan_depth') ? item : bag;
    return Object.hasOwn(holder, 'scan_depth') && holder['scan_depth'] === null;
  }).length;
  if (count === 0) return;
  const message = `${count} entries do not say how far back their keys are searched for: in Lumiverse in the whole chat unless its settings say less, in SillyTavern as its settings say.`;
  note('approximated', 'scanDepth', 'the whole chat', 'as SillyTavern is set', message);
}
