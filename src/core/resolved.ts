// A character as SillyTavern's engine would have it in force: the user's settings folded into every entry, what is
// decided already decided. Exporters write this view, and what they wrote is measured against it.

import type { CanonicalCharacter } from './character.ts';
import type { Finding } from './finding.ts';
import type { CanonicalLorebook, LorebookEntry } from './lorebook.ts';
import type { Role } from './position.ts';

/** SillyTavern's world info settings (1.19; names without their prefix `world_info_`). */
export interface ScanSettings {
  /** Messages scanned. */
  readonly depth: number;
  readonly minActivations: number;
  readonly minActivationsDepthMax: number;
  /** Percent of the context. */
  readonly budget: number;
  /** Tokens; 0 is no cap. */
  readonly budgetCap: number;
  readonly includeNames: boolean;
  readonly recursive: boolean;
  readonly maxRecursionSteps: number;
  readonly caseSensitive: boolean;
  readonly matchWholeWords: boolean;
  readonly useGroupScoring: boolean;
  readonly overflowAlert: boolean;
  /** 0 evenly, 1 character first, 2 global first. */
  readonly characterStrategy: number;
}

/** Whose book it is; a book that is linked twice counts once (decisions 30). */
export type BookOrigin = 'primary' | 'additional' | 'chat' | 'persona' | 'global';

/** What starts an entry: its keys, nothing needed, or nothing can. */
export type Fires = 'keys' | 'always' | 'never';

/** One entry in force. */
export interface ResolvedEntry {
  /** The entry as it was, with its id; what a stash holds. */
  readonly source: LorebookEntry;
  /**
   * The entry with everything folded in. `scan` and `group.scoring` hold values, never null; a probability of 100 is
   * not used; macros in keys are expanded and keys that can make no difference are gone; decorators that SillyTavern
   * honours or strips are gone from the content; the character filter is decided and gone; sources are those that the
   * chat still decides; `enabled` is false for `never`, `constant` is true for `always`.
   */
  readonly entry: LorebookEntry;
  readonly fires: Fires;
  /** Why it always or never fires although the entry does not say so; one sentence, null otherwise. */
  readonly reason: string | null;
  /**
   * A chance of 0: the entry never reaches the prompt, yet when its keys match it still takes its group's turn, since
   * SillyTavern rolls only after the group was decided (1.19).
   */
  readonly blocksGroup: boolean;
}

/** One lorebook in force. */
export interface ResolvedBook {
  readonly lorebook: CanonicalLorebook;
  readonly origin: BookOrigin;
  /** As in the lorebook: ascending ids, by which SillyTavern breaks ties of `order`; none is left out. */
  readonly entries: readonly ResolvedEntry[];
}

/**
 * Whether the passes run for which entries with `recursion.delayUntil` wait: none waits; they run in every chat (two
 * or more levels, or something that always starts the recursion); only when another entry fired; never.
 */
export type DelayedPasses = 'none' | 'always' | 'when-started' | 'never';

/** The character's own note at a depth (`extensions.depth_prompt`), which some targets hold as a constant entry. */
export interface DepthPrompt {
  readonly prompt: string;
  readonly depth: number;
  readonly role: Role;
}

/** Everything that an exporter writes from. */
export interface ResolvedCharacter {
  readonly character: CanonicalCharacter;
  readonly books: readonly ResolvedBook[];
  readonly settings: ScanSettings;
  readonly delayedPasses: DelayedPasses;
  /** Null when the card has none or it is blank. */
  readonly depthPrompt: DepthPrompt | null;
  readonly userName: string;
  /** What was decided at export and reads differently from the source; not of SillyTavern's own target. */
  readonly findings: readonly Finding[];
}
