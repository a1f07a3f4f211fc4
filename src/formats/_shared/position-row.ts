// The row of an entry's slot in a book: two encodings that are always written together.

import type { FindingCode } from '../../core/finding.ts';
import { shown } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import type { Role, Slot } from '../../core/position.ts';
import { nearestPosition } from '../../core/position.ts';
import type { ParsedPosition } from './book-position.ts';
import { parseBookPosition, parseWorldPosition, positionToCoarse, positionToExt } from './book-position.ts';
import type { EntryField, EntrySource, EntryTarget, Lens } from './entry-field.ts';
import { inEntry, inExtensions, inside } from './entry-field.ts';
import { readLumiverseSlot, writeLumiverseSlot } from './lumiverse/slots.ts';

/** The slot of a book's entry: the standard's word at the entry, SillyTavern's number in its extensions. */
export const bookPositionRow: EntryField = {
  path: 'position.slot',
  wires: [inExtensions('position'), inEntry('position')],
  isPlain: false,
  read: (source, draft) => {
    const { entry, extensions, options } = source;
    const slotOf = options.ownNumbers === 'lumiverse' ? lumiverseSlotOf(source) : undefined;
    const parsed = parseBookPosition(entry['position'], extensions['position'], options.precedence, slotOf);
    draft.position.slot = parsed.reading.slot;
    source.position = parsed.reading;
    notePosition(source, parsed);
  },
  same: (a, b) => a.position.slot === b.position.slot,
  take: (from, into) => {
    into.position.slot = from.position.slot;
  },
  write: (entry, target) => {
    const { slot } = entry.position;
    target.extensions['position'] = positionToExt(slot);
    // Lumiverse reads the standard's words as well; where one stood, one stays.
    const isWord = typeof target.twin?.entry['position'] === 'string' && positionToExt(slot) <= 1;
    if (target.options.ownNumbers === 'lumiverse' && !isWord) {
      writeLumiverseSlot(nearestPosition(entry.position), target.entry, target.extensions);
      return;
    }
    target.entry['position'] =
      target.options.precedence === 'entry-first' ? ownPosition(slot, target) : positionToCoarse(slot);
  },
  show: (entry) => entry.position.slot,
};

// What a value at the entry means to Lumiverse, whose marker stands beside it.
const lumiverseSlotOf =
  ({ extensions }: EntrySource) =>
  (value: Json | undefined): Slot | undefined => {
    const read = readLumiverseSlot(value, extensions['wi_marker'], extensions['wi_marker_side']);
    return read.isKnown ? read.slot : undefined;
  };

// An app that believes its own level needs the exact slot there; where it wrote a number, it gets a number.
function ownPosition(slot: Slot, { twin }: EntryTarget): Json {
  const isNumber = typeof twin?.entry['position'] === 'number';
  return isNumber || positionToExt(slot) > 1 ? positionToExt(slot) : positionToCoarse(slot);
}

/** The slot of a world file's entry: one number at the entry's own level. */
export const worldPositionRow: EntryField = {
  path: 'position.slot',
  wires: [inEntry('position')],
  isPlain: false,
  read: (source, draft) => {
    const parsed = parseWorldPosition(source.entry);
    draft.position.slot = parsed.reading.slot;
    source.position = parsed.reading;
    notePosition(source, parsed);
  },
  same: bookPositionRow.same,
  take: bookPositionRow.take,
  write: (entry, target) => {
    target.entry['position'] = positionToExt(entry.position.slot);
  },
  show: bookPositionRow.show,
};

/** The depth as SillyTavern's family can hold it: RoleCall's bottom of the chat is depth 0 (decisions 29). */
export const depthLens: Lens<number> = {
  ...inside('position', 'depth'),
  get: (entry) => nearestPosition(entry.position).depth,
};

/** The role as SillyTavern's family can hold it: RoleCall's bottom of the chat speaks as system. */
export const roleLens: Lens<Role> = {
  ...inside('position', 'role'),
  get: (entry) => nearestPosition(entry.position).role,
};

// Every value that was mended, passed over or contradicted is named once.
function notePosition(source: EntrySource, parsed: ParsedPosition): void {
  const { byCoarse, byPrecise, taken } = parsed;
  const { agreement, coarse, precise, slot } = parsed.reading;
  const note = (code: FindingCode, before: Json, message: string): void =>
    source.note(code, 'position.slot', before, slot, message);
  if (agreement === 'assumed') note('assumed', null, `The entry has no position; it was put ${WHERE[slot]}.`);
  if (taken === 'precise' && typeof precise.value === 'string') {
    note(
      'repaired',
      precise.value,
      `The position ${shown(precise.value)} is text where a number belongs; it was read as ${WHERE[slot]}.`,
    );
  }
  if (precise.present && byPrecise === undefined)
    note('assumed', precise.value, unknown(precise.value, slot));
  const isWord = coarse.value === 'before_char' || coarse.value === 'after_char';
  if (coarse.present && !isWord && taken !== 'coarse') {
    note('assumed', coarse.value, unknown(coarse.value, slot));
  }
  if (!isWord && taken === 'coarse' && byPrecise === undefined) {
    note(
      'repaired',
      coarse.value,
      `The position ${shown(coarse.value)} stands where a word belongs; it was read as ${WHERE[slot]}. SillyTavern's own import would have put the entry after the character.`,
    );
  }
  // An app that writes its own level first leaves stale values in the extensions (decisions 8a).
  const isStale = taken === 'coarse' && byPrecise !== undefined && byPrecise !== byCoarse;
  if (agreement === 'conflict' || isStale) {
    const winner = taken === 'coarse' ? 'the first' : 'the second';
    note(
      'conflict',
      taken === 'coarse' ? precise.value : coarse.value,
      `The two positions disagree: ${shown(coarse.value)} at the entry, ${shown(precise.value)} in its extensions. Here ${winner} one counts: ${WHERE[slot]}.`,
    );
  }
}

const unknown = (value: Json, slot: Slot): string =>
  `The position ${shown(value)} is not one that is known there, so it was not used: the entry stands ${WHERE[slot]}.`;

/** Each slot in words that fit behind "the entry stands ...". */
export const WHERE: Readonly<Record<Slot, string>> = {
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
