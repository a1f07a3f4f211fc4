// What a format gives to the house: reading and writing a character, and a lorebook on its own.

import type { CanonicalCharacter } from './character.ts';
import type { Finding } from './finding.ts';
import type { Json, JsonObject } from './json.ts';
import type { CanonicalLorebook } from './lorebook.ts';

/** What a writer is given beside the character. */
export interface EmitContext {
  /** A list: embed these. An empty list: clear the slots. Absent: leave the raw twin alone (spec 000). */
  readonly lorebooks?: readonly CanonicalLorebook[];
}

/** A raw card with what was said while it was written. */
export interface EmittedCard {
  readonly card: JsonObject;
  readonly findings: readonly Finding[];
}

/** A lorebook of a card, with the slot in which it stood. */
export interface ExtractedBook {
  readonly lorebook: CanonicalLorebook;
  readonly slot: string;
}

/** The lorebooks of a card, the primary one first. */
export interface ExtractedBooks {
  readonly books: readonly ExtractedBook[];
  readonly findings: readonly Finding[];
}

/** One dialect of character cards. */
export interface CharacterAdapter {
  readonly id: string;
  /** Whether a parsed file is a card of this dialect. */
  readonly isCard: (json: Json) => boolean;
  readonly toCanonical: (card: JsonObject) => CanonicalCharacter;
  readonly fromCanonical: (character: CanonicalCharacter, context: EmitContext) => EmittedCard;
  /** Only for dialects whose embedded book is no character_book (spec 000); else the shared extractor is used. */
  readonly extractLorebook?: (card: JsonObject) => ExtractedBooks;
}
