// Where an entry stands in Marinara's prompt: before or after the character, or at a depth of the chat (Marinara Engine
// 2.3.3; decisions 29).

import type { Position, Slot } from '../../core/position.ts';
import { nearestPosition } from '../../core/position.ts';
import type { ResolvedEntry } from '../../core/resolved.ts';

const NEAREST_SLOT: Partial<Readonly<Record<Slot, Slot>>> = {
  note_top: 'depth',
  note_bottom: 'depth',
  before_example: 'world',
  after_example: 'character',
};

/** The places that Marinara has; outlets are there from 2.4 on. */
export const MARINARA_SLOTS: readonly Slot[] = ['world', 'character', 'depth'];

/** The nearest place; an outlet stays one, for which there may be none. `noteDepth`: that of the author's note. */
export function marinaraPlace(position: Position, { noteDepth }: { readonly noteDepth: number }): Position {
  const own = nearestPosition(position);
  const { slot } = own;
  const isNote = slot === 'note_top' || slot === 'note_bottom';
  return {
    slot: NEAREST_SLOT[slot] ?? slot,
    depth: isNote ? noteDepth : Math.max(0, Math.round(own.depth)),
    role: isNote ? 'system' : own.role,
    outlet: own.outlet,
  };
}

const REGION: Readonly<Partial<Record<Slot, string>>> = {
  before_example: 'world',
  after_example: 'character',
  note_top: 'note',
  note_bottom: 'note',
};

/** The piece of text that an entry goes into. */
export function marinaraRegion({ entry }: ResolvedEntry): string {
  const { slot, depth, role } = nearestPosition(entry.position);
  return slot === 'depth' ? `depth ${depth} ${role}` : (REGION[slot] ?? slot);
}

const SLOT_RANK: Readonly<Partial<Record<Slot, number>>> = {
  before_example: 1,
  after_example: 1,
  note_bottom: 1,
};

/** Which of the slots that share a piece of text comes first. */
export const marinaraSlotRank = ({ entry }: ResolvedEntry): number => SLOT_RANK[entry.position.slot] ?? 0;
