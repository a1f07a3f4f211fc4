// What writing an entry depends on, and the shape of a step that brings one of its fields as near as Agnai can say it.

import type { Key } from '../../core/key.ts';
import type { DelayedPasses } from '../../core/resolved.ts';
import type { NearestIn } from '../_shared/draft-steps.ts';
import type { Style } from './keys.ts';
import type { Place } from './placing.ts';

/** What becomes of entries for which nothing can be looked for: always there, or off with their text kept. */
export type WithoutKeywords = 'always' | 'off';

/** What writing an entry depends on beside the entry. */
export interface WriteContext {
  readonly style: Style;
  readonly withoutKeywords: WithoutKeywords;
  /** The entry's place in its book, from 1. */
  readonly number: number;
  readonly place: Place;
  /** Lines that Agnai is told to search. */
  readonly memoryDepth: number;
  readonly delayedPasses: DelayedPasses;
  /** Whether another entry's text can start it. */
  readonly isReached: boolean;
  /** Keywords of the entries that start it, where that is written out; one `*` when they are always there. */
  readonly alsoStartedBy: readonly string[];
  /** Whether a line of the chat can be without any letter that Agnai sees: no speaker's name has one. */
  readonly isNamelessThere: boolean;
  /** A key of it that Agnai can find in a speaker's name, which SillyTavern does not search; null when there is none. */
  readonly keyInName: Key | null;
}

/** A step of writing an entry for Agnai. */
export type Nearest = NearestIn<WriteContext>;
