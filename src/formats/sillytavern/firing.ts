// Whether an entry can fire in SillyTavern's engine (1.19, public/scripts/world-info.js, checkWorldInfo).

import type { Diagnosis } from '../../core/firing.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { Agreement } from '../../core/position.ts';

/** Who speaks, and how the user's SillyTavern is set. */
export interface FiringSurroundings {
  /** The character the book is looked at with; null for a book alone. */
  readonly character: {
    readonly name: string;
    readonly avatar: string | null;
    readonly tags: readonly string[];
  } | null;
  readonly userName: string;
  /** Whether speaker names stand in the text that is scanned (SillyTavern's default). */
  readonly includeNames: boolean;
  /** Whether Vector Storage activates world info entries. */
  readonly vectorsActive: boolean;
  /** The user's scan depth. */
  readonly scanDepth: number;
}

/** What the file said of the entry's position: SillyTavern's engine places nothing that is assumed or invalid in a world file. */
export interface FiringPosition {
  readonly agreement: Agreement;
}

/** What is to be said of an entry; nothing when it works as it looks. */
export function diagnose(
  _entry: LorebookEntry,
  _position: FiringPosition,
  _surroundings: FiringSurroundings,
): readonly Diagnosis[] {
  return [];
}
