// How readers place the entries of a lorebook: SillyTavern, and one that knows only the standard. Another app's reader
// joins with what its own table says; there is no second list.

import type { Position } from '../core/position.ts';
import { nearestPosition, type Slot } from '../core/position.ts';
import { positionToCoarse } from '../formats/_shared/book-position.ts';
import { MARINARA_SLOTS, marinaraPlace } from '../formats/marinara/placing.ts';
import type { EntryView } from './book-view.ts';

/** Where a reader puts an entry; `nowhere` is no prompt at all. */
export type PromptPlace = Position | 'nowhere';

/** One reader. */
export interface PromptReader {
  readonly id: string;
  /** The slots it has; an entry of another slot is given one of these, or none. */
  readonly slots: ReadonlySet<Slot>;
  readonly place: (entry: EntryView) => PromptPlace;
}

const ALL_SLOTS: ReadonlySet<Slot> = new Set<Slot>([
  'world',
  'character',
  'before_example',
  'after_example',
  'note_top',
  'note_bottom',
  'depth',
  'outlet',
]);

/** SillyTavern 1.19. */
export const SILLYTAVERN_READER: PromptReader = {
  id: 'sillytavern',
  slots: ALL_SLOTS,
  place: (view) => {
    const isUnplaced = view.diagnoses.some(
      ({ reason }) => reason === 'placed-nowhere' || reason === 'no-outlet-name',
    );
    return isUnplaced ? 'nowhere' : nearestPosition(view.entry.position);
  },
};

/**
 * A reader that knows the standard's two words and nothing else: what stands in the entry itself decides. A world file
 * has no such word, so what a card made from it would say is taken. Any other value is after the character, as CCv2
 * readers take what is not `before_char`.
 */
export const SPEC_ONLY_READER: PromptReader = {
  id: 'spec-only',
  slots: new Set<Slot>(['world', 'character']),
  place: ({ entry, coarse, precise }) => {
    const word =
      coarse.present || precise.at === 'extensions' ? coarse.value : positionToCoarse(entry.position.slot);
    return { ...entry.position, slot: word === 'before_char' ? 'world' : 'character' };
  },
};

/** SillyTavern's default depth of the author's note. */
const NOTE_DEPTH = 4;

/** Another app, by its exporter's own rule for places: what goes nowhere here goes nowhere there. */
function appReader(
  id: string,
  slots: readonly Slot[],
  place: (position: Position) => Position,
): PromptReader {
  const has = new Set(slots);
  return {
    id,
    slots: has,
    place: (view) => {
      if (SILLYTAVERN_READER.place(view) === 'nowhere') return 'nowhere';
      const there = place(view.entry.position);
      return has.has(there.slot) ? there : 'nowhere';
    },
  };
}

/** Marinara 2.3, as our exporter writes for it. */
export const MARINARA_READER: PromptReader = appReader('marinara', MARINARA_SLOTS, (position) =>
  marinaraPlace(position, { noteDepth: NOTE_DEPTH }),
);

/** The readers that there are, in the order in which they are offered. */
export const PROMPT_READERS: readonly PromptReader[] = [
  SILLYTAVERN_READER,
  SPEC_ONLY_READER,
  MARINARA_READER,
];
