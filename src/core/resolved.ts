// A character as SillyTavern's engine would have it in force: the user's settings folded into every entry, what is
// decided already decided. Exporters write this view, and what they wrote is measured against it.

import type { CanonicalCharacter } from './character.ts';
import type { Finding } from './finding.ts';
import type { CanonicalLorebook, LorebookEntry } from './lorebook.ts';

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

/** Whose book it is; a book linked twice counts once, in the order chat, persona, global, character (decisions 30). */
export type BookOrigin = 'primary' | 'additional' | 'chat' | 'persona' | 'global';

/** What starts an entry: its keys, nothing needed, or nothing can. */
export type Fires = 'keys' | 'always' | 'never';

/** One entry in force. */
export interface ResolvedEntry {
  /** The entry as it was, with its id; what a stash holds. */
  readonly source: LorebookEntry;
  /**
   * The entry with everything folded in: `scan` and `group.scoring` hold values, never null; macros in keys are
   * expanded; decorators that SillyTavern honours or strips are gone from the content; `enabled` and `constant` say
   * what `fires` says.
   */
  readonly entry: LorebookEntry;
  readonly fires: Fires;
  /** Why it always or never fires although the entry does not say so; one sentence, null otherwise. */
  readonly reason: string | null;
}

/** One lorebook in force. */
export interface ResolvedBook {
  readonly lorebook: CanonicalLorebook;
  readonly origin: BookOrigin;
  /** In the order of the engine. */
  readonly entries: readonly ResolvedEntry[];
}

/** Everything that an exporter writes from. */
export interface ResolvedCharacter {
  readonly character: CanonicalCharacter;
  readonly books: readonly ResolvedBook[];
  readonly settings: ScanSettings;
  readonly userName: string;
  readonly findings: readonly Finding[];
}
