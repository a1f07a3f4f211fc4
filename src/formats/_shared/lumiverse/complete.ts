// What an entry of Lumiverse's says beside its fields: a block of the prompt that it stands at, and a priority. For every
// form in which the app holds entries (1.1.0).

import type { EntryDraft } from '../../../core/lorebook.ts';
import type { EntrySource } from '../entry-field.ts';
import { MARKER, readLumiverseSlot } from './slots.ts';

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
  const priority = entry['priority'] ?? extensions['priority'];
  if (typeof priority === 'number' && priority !== USUAL_PRIORITY) {
    const message = `Its priority ${priority} is compared before the order there; SillyTavern has only the order, so it is kept aside.`;
    note('stashed', 'priority', priority, null, message);
  }
}
