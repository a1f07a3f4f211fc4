// Where an entry stands in RoleCall's prompt: it has SillyTavern's slots but the author's note and outlets, and some of
// its own (decisions 29).

import type { Position } from '../../core/position.ts';

/** The nearest place; an outlet stays one, for which there is none. `noteDepth`: that of the author's note. */
export function rolecallPlace(position: Position, { noteDepth }: { readonly noteDepth: number }): Position {
  const isNote = position.slot === 'note_top' || position.slot === 'note_bottom';
  return isNote ? { ...position, slot: 'depth', depth: noteDepth, role: 'system' } : position;
}
