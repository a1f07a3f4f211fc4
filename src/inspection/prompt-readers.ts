// How readers place the entries of a lorebook: SillyTavern, and one that knows only the standard. Another app's reader
// joins with what its own table says; there is no second list.

import type { Position } from '../core/position.ts';
import { nearestPosition, type Slot } from '../core/position.ts';
import { positionToCoarse } from '../formats/_shared/book-position.ts';
import { ROLECALL_SLOTS } from '../formats/_shared/lore-enums.ts';
import { AGNAI_SLOTS, blockRank, insertDepth, placeKind, type Standing } from '../formats/agnai/placing.ts';
import {
  LUMIVERSE_SLOTS,
  lumiverseOutletMarker,
  lumiversePosition,
  noteRank,
} from '../formats/lumiverse/placing.ts';
import { MARINARA_SLOTS, marinaraPlace } from '../formats/marinara/placing.ts';
import { outletMarker, RISU_SLOTS, risuPlace, risuRank } from '../formats/risu/placing.ts';
import { rolecallPlace } from '../formats/rolecall/placing.ts';
import { NOTE_DEPTH } from '../formats/sillytavern/prompt-settings.ts';
import type { EntryView } from './book-view.ts';

/** Where a reader puts an entry; `nowhere` is no prompt at all. */
export type PromptPlace = RankedPosition | 'nowhere';

/** A place, and where the reader tells them apart the part of it: the lower the rank, the higher it stands. */
export interface RankedPosition extends Position {
  readonly rank?: number;
}

/** What stands around the entries. */
export interface PromptSurroundings {
  /** The depth of SillyTavern's author's note. */
  readonly noteDepth: number;
  /** The character whose prompt it is; null for a lorebook alone. */
  readonly character: {
    /** The depth of its own note; null for none. */
    readonly noteDepth: number | null;
    /** Names of the outlets that its texts show. */
    readonly outlets: ReadonlySet<string>;
  } | null;
}

/** A lorebook alone, with SillyTavern's own depth of the note. */
export const NOTHING_AROUND: PromptSurroundings = { noteDepth: NOTE_DEPTH, character: null };

/** Places one entry. */
export type Placer = (entry: EntryView) => PromptPlace;

/** One reader. */
export interface PromptReader {
  readonly id: string;
  /** The slots it has; an entry of another slot is given one of these, or none. */
  readonly slots: ReadonlySet<Slot>;
  /** How it places entries; where one stands may depend on the others. */
  readonly placer: (entries: readonly EntryView[], around: PromptSurroundings) => Placer;
  /** What stands in its prompt where an outlet belongs; absent: as in SillyTavern. */
  readonly outletMarker?: (outlet: string) => string;
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

/** Where SillyTavern 1.19 has an entry. */
export function placeHere(view: EntryView): Position | 'nowhere' {
  const isUnplaced = view.diagnoses.some(
    ({ reason }) => reason === 'placed-nowhere' || reason === 'no-outlet-name',
  );
  return isUnplaced ? 'nowhere' : nearestPosition(view.entry.position);
}

/** SillyTavern 1.19. */
export const SILLYTAVERN_READER: PromptReader = {
  id: 'sillytavern',
  slots: ALL_SLOTS,
  placer: () => placeHere,
};

/**
 * A reader that knows the standard's two words and nothing else: what stands in the entry itself decides. A world file
 * has no such word, so what a card made from it would say is taken. Any other value is after the character, as CCv2
 * readers take what is not `before_char`.
 */
export const SPEC_ONLY_READER: PromptReader = {
  id: 'spec-only',
  slots: new Set<Slot>(['world', 'character']),
  placer:
    () =>
    ({ entry, coarse, precise }) => {
      const word =
        coarse.present || precise.at === 'extensions' ? coarse.value : positionToCoarse(entry.position.slot);
      return { ...entry.position, slot: word === 'before_char' ? 'world' : 'character' };
    },
};

/** Another app, by its exporter's own rule for places: what goes nowhere here goes nowhere there. */
function appReader(
  id: string,
  slots: readonly Slot[],
  placer: (entries: readonly EntryView[], around: PromptSurroundings) => Placer,
): PromptReader {
  const has = new Set(slots);
  return {
    id,
    slots: has,
    placer: (entries, around) => {
      const place = placer(entries, around);
      return (view) => {
        if (placeHere(view) === 'nowhere') return 'nowhere';
        const there = place(view);
        return there !== 'nowhere' && has.has(there.slot) ? there : 'nowhere';
      };
    },
  };
}

/** RisuAI 166.3, as our exporter writes for it. */
export const RISU_READER: PromptReader = {
  ...appReader('risu', RISU_SLOTS, (_, around) => ({ entry }) => ({
    ...risuPlace(entry.position, around),
    rank: risuRank(entry.position),
  })),
  outletMarker,
};

/** Agnai 1.0, as our exporter writes for it: one block, and texts that are always there in a few other places. */
export const AGNAI_READER: PromptReader = appReader('agnai', AGNAI_SLOTS, (entries, around) => {
  const { noteDepth, character } = around;
  const depth =
    character === null ? null : insertDepth(character.noteDepth, entries.map(standing), noteDepth);
  const at = { hasCharacter: character !== null, noteDepth, insertDepth: depth };
  return (view) => {
    const { position } = view.entry;
    const stands = standing(view);
    switch (placeKind(stands, at)) {
      case 'block':
        return { ...position, slot: 'character', rank: blockRank(position, noteDepth) };
      case 'insert':
        return {
          ...position,
          slot: 'depth',
          depth: depth ?? 0,
          role: 'system',
          rank: blockRank(position, noteDepth),
        };
      case 'examples':
        return { ...position, slot: 'after_example', rank: 0 };
      case 'outlet':
        // One that no text of the card shows is switched off there.
        return stands.isAlways && character?.outlets.has(position.outlet) ? position : 'nowhere';
    }
  };
});

function standing({ entry, diagnoses }: EntryView): Standing {
  const { position, triggers } = entry;
  const mayStart = entry.enabled && (triggers.length === 0 || triggers.includes('normal'));
  const isAlways =
    mayStart &&
    (entry.constant || diagnoses.some(({ kind }) => kind === 'always')) &&
    !diagnoses.some(({ kind }) => kind === 'cannot-fire');
  return { position, isAlways };
}

/** Marinara 2.3, as our exporter writes for it. */
export const MARINARA_READER: PromptReader = appReader(
  'marinara',
  MARINARA_SLOTS,
  (_, around) =>
    ({ entry }) =>
      marinaraPlace(entry.position, around),
);

/** Lumiverse 1.1, as our exporter writes for it. */
export const LUMIVERSE_READER: PromptReader = {
  ...appReader('lumiverse', LUMIVERSE_SLOTS, (_, around) => ({ entry }) => ({
    ...lumiversePosition(entry.position, around),
    rank: noteRank({ entry }),
  })),
  outletMarker: lumiverseOutletMarker,
};

/**
 * RoleCall, as our exporter writes its lorebook file; nobody has seen what it makes of it. Its own slots are drawn where
 * SillyTavern's are that lie nearest (decisions 29).
 */
export const ROLECALL_READER: PromptReader = appReader(
  'rolecall',
  ROLECALL_SLOTS.filter(
    (slot) => nearestPosition({ slot, depth: 0, role: 'system', outlet: '' }).slot === slot,
  ),
  (_, around) =>
    ({ entry }) =>
      nearestPosition(rolecallPlace(entry.position, around)),
);

/** The readers that there are, in the order in which they are offered. */
export const PROMPT_READERS: readonly PromptReader[] = [
  SILLYTAVERN_READER,
  SPEC_ONLY_READER,
  RISU_READER,
  AGNAI_READER,
  MARINARA_READER,
  LUMIVERSE_READER,
  ROLECALL_READER,
];
