// Where an entry stands in Marinara's prompt: before or after the character, or at a depth of the chat (Marinara Engine
// 2.3.3; decisions 29).

import type { Position, Slot } from '../../core/position.ts';
import { nearestPosition } from '../../core/position.ts';

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
