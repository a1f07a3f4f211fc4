// The row of an entry's slot in a book: two encodings that are always written together.

import { shown } from '../../core/finding.ts';
import type { PositionReading } from '../../core/position.ts';
import type { ParsedPosition } from './book-position.ts';
import {
  parseBookPosition,
  parseWorldPosition,
  positionToCoarse,
  positionToExt,
  slotFromPrecise,
} from './book-position.ts';
import type { EntryField, EntrySource } from './entry-field.ts';
import { inEntry, inExtensions } from './entry-field.ts';

/** The slot of a book's entry: the standard's word at the entry, SillyTavern's number in its extensions. */
export const bookPositionRow: EntryField = {
  path: 'position.slot',
  wires: [inExtensions('position'), inEntry('position')],
  read: (source, draft) => {
    const parsed = parseBookPosition(
      source.entry['position'],
      source.extensions['position'],
      source.precedence,
    );
    draft.position.slot = parsed.reading.slot;
    notePosition(source, parsed);
  },
  same: (a, b) => a.position.slot === b.position.slot,
  take: (from, into) => {
    into.position.slot = from.position.slot;
  },
  write: (entry, target) => {
    target.entry['position'] = positionToCoarse(entry.position.slot);
    target.extensions['position'] = positionToExt(entry.position.slot);
  },
  show: (entry) => entry.position.slot,
};

/** The slot of a world file's entry: one number at the entry's own level. */
export const worldPositionRow: EntryField = {
  path: 'position.slot',
  wires: [inEntry('position')],
  read: (source, draft) => {
    const parsed = parseWorldPosition(source.entry);
    draft.position.slot = parsed.reading.slot;
    notePosition(source, parsed);
  },
  same: bookPositionRow.same,
  take: bookPositionRow.take,
  write: (entry, target) => {
    target.entry['position'] = positionToExt(entry.position.slot);
  },
  show: bookPositionRow.show,
};

function notePosition(source: EntrySource, { reading, repaired }: ParsedPosition): void {
  const { agreement, coarse, precise, slot } = reading;
  if (repaired === 'precise-as-text') {
    source.note(
      'repaired',
      'position.slot',
      precise.value,
      slot,
      `The position ${shown(precise.value)} is text where a number belongs; it was read as ${WHERE[slot]}.`,
    );
  } else if (repaired === 'number-at-entry') {
    source.note(
      'repaired',
      'position.slot',
      coarse.value,
      slot,
      `The position ${shown(coarse.value)} stands where a word belongs; it was read as ${WHERE[slot]}. SillyTavern's own import would have put the entry after the character.`,
    );
  } else if (agreement === 'conflict') {
    source.note(
      'conflict',
      'position.slot',
      coarse.value,
      slot,
      `The two positions disagree: ${shown(coarse.value)} at the entry, ${shown(precise.value)} in its extensions. The second one counts: ${WHERE[slot]}.`,
    );
  } else if (agreement === 'invalid') {
    const preciseIsUsed = slotFromPrecise(precise.value) === slot;
    const bad = precise.present && !preciseIsUsed ? precise.value : coarse.value;
    const outcome = preciseIsUsed ? 'the one in its extensions counts' : 'it was not used';
    source.note(
      'assumed',
      'position.slot',
      bad,
      slot,
      `The position ${shown(bad)} is not known, so ${outcome}: the entry stands ${WHERE[slot]}.`,
    );
  } else if (agreement === 'assumed') {
    source.note(
      'assumed',
      'position.slot',
      null,
      slot,
      `The entry has no position; it was put ${WHERE[slot]}.`,
    );
  }
}

/** Each slot in words that fit behind "the entry stands ...". */
export const WHERE: Readonly<Record<PositionReading['slot'], string>> = {
  world: 'before the character',
  character: 'after the character',
  note_top: "at the top of the author's note",
  note_bottom: "at the bottom of the author's note",
  depth: 'at a depth in the chat',
  before_example: 'before the example messages',
  after_example: 'after the example messages',
  outlet: 'in an outlet',
  append: 'after the character (RoleCall: append)',
  append_bottom: 'at the end of the chat (RoleCall: append_bottom)',
  prepend_top: 'before the character (RoleCall: prepend_top)',
  scene: 'before the character (RoleCall: scene)',
};
