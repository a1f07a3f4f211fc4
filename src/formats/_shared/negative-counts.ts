// Counts below 0. SillyTavern's engine ends such a time before it has begun (1.19), and no app knows one: none is written.

import type { Note } from '../../core/finding.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';

/** Takes a count below 0 out of the draft and says so; whether it was one. */
export function leaveNegative(
  name: keyof LorebookEntry['timing'],
  entry: LorebookEntry,
  draft: EntryDraft,
  note: Note,
): boolean {
  const value = entry.timing[name];
  if (value === null || value >= 0) return false;
  draft.timing = { ...draft.timing, [name]: null };
  note('repaired', `timing.${name}`, value, null, 'A count below 0 means none; none was written.');
  return true;
}
