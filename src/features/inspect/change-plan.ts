// What the panel would change, before anything is changed: a plain object that is shown, executed and journalled.

import type { JsonObject } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';

/** One change of a plan. */
export type PlannedChange =
  /** A world file gets new content; `hash` is the one that was read when planning. */
  | {
      readonly kind: 'world';
      readonly name: string;
      readonly hash: string;
      readonly before: JsonObject;
      readonly after: JsonObject;
    }
  /** The copy in a card gets new content. `slot`: a path (decisions 42); null: there is, or is to be, no book. */
  | {
      readonly kind: 'card-book';
      readonly avatar: string;
      readonly slot: string;
      readonly before: JsonObject | null;
      readonly after: JsonObject | null;
    }
  /** The character's link; "" is none. */
  | { readonly kind: 'link'; readonly avatar: string; readonly before: string; readonly after: string }
  /** The character's additional books. */
  | {
      readonly kind: 'extra-books';
      readonly avatar: string;
      readonly before: readonly string[];
      readonly after: readonly string[];
    }
  /** Whether Loreferry leaves the character alone. */
  | { readonly kind: 'leave-alone'; readonly avatar: string; readonly after: boolean };

/** A plan: what it is called, what it does in sentences, and what it changes. */
export interface ChangePlan {
  /** What is done, as the title of its preview and of its step in the journal. */
  readonly title: string;
  /** Sentences for the preview, already in the user's language. */
  readonly lines: readonly string[];
  /** The caption of the button that applies it. */
  readonly button: string;
  /** For a changed book: it before and after, so that the preview can show the difference entry by entry. */
  readonly difference: { readonly before: CanonicalLorebook; readonly after: CanonicalLorebook } | null;
  readonly changes: readonly PlannedChange[];
}
