// Where an entry lands in the prompt, and how a reader came to know it.

import type { Json } from './json.ts';

/** The slots of the prompt. The last four are RoleCall's own. */
export type Slot =
  | 'world'
  | 'character'
  | 'note_top'
  | 'note_bottom'
  | 'depth'
  | 'before_example'
  | 'after_example'
  | 'outlet'
  | 'append'
  | 'append_bottom'
  | 'prepend_top'
  | 'scene';

/** Who speaks an entry that stands at a depth. */
export type Role = 'system' | 'user' | 'assistant';

/**
 * An entry's place. Depth and role count only in the slot `depth`, the outlet's name only in `outlet`, yet all
 * are kept: SillyTavern keeps them too, and gives them back when the slot changes.
 */
export interface Position {
  readonly slot: Slot;
  /** Messages below the entry, counted from the end of the chat. */
  readonly depth: number;
  readonly role: Role;
  readonly outlet: string;
}

const BOTTOM: Position = Object.freeze({ slot: 'depth', depth: 0, role: 'system', outlet: '' });

/**
 * The place that an app of SillyTavern's family has for a position: RoleCall's own slots become their nearest
 * (decisions 29), every other position is itself.
 */
export function nearestPosition(position: Position): Position {
  const { slot } = position;
  if (slot === 'append_bottom') return BOTTOM;
  if (slot === 'append') return { ...position, slot: 'character' };
  return slot === 'prepend_top' || slot === 'scene' ? { ...position, slot: 'world' } : position;
}

/** Whether the two encodings of a position fit together (decisions 2). */
export type Agreement = 'agree' | 'conflict' | 'coarse-only' | 'precise-only' | 'invalid' | 'assumed';

/** A raw value that stood in a file, or did not (absent and null are the same). */
export interface RawValue {
  readonly present: boolean;
  readonly value: Json;
}

/** How a position was known: both raw values, where the precise one stood, and what they say together. */
export interface PositionReading {
  readonly coarse: RawValue;
  readonly precise: RawValue & { readonly at: 'extensions' | 'entry' };
  readonly slot: Slot;
  readonly agreement: Agreement;
  /** The coarse word is only the nearest that the standard can say. */
  readonly floor: boolean;
}
