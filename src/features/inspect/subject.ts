// What the panel is opened on: a character with its lorebooks, a world file, or a file that is not imported yet. Plain
// data, read once; after a change it is read again.

import type { Finding } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import type { ReadLorebook } from '../../formats/_shared/character-book.ts';
import type { FiringSurroundings } from '../../formats/sillytavern/firing.ts';
import type { StoredWorld } from '../../host/world-store.ts';
import type { BookTotals } from '../../inspection/book-view.ts';

/** Where a lorebook of the panel comes from. `card`: a copy in the card; the others are world files, but `file`. */
export type BookKind = 'card' | 'linked' | 'additional' | 'world' | 'file';

/** One lorebook that the panel can show. */
export interface SubjectBook {
  /** Unique in the subject, and the same after it is read again: `card:<slot>`, `world:<name>`, `file:<slot>`. */
  readonly key: string;
  readonly kind: BookKind;
  readonly name: string;
  /** The place in the file, as decisions 42 names it. */
  readonly slot: string;
  readonly lorebook: CanonicalLorebook;
  readonly reading: ReadLorebook | undefined;
  readonly findings: readonly Finding[];
  /** The world file as it was read; null for a card's copy and for a file that is not imported. */
  readonly stored: StoredWorld | null;
  /** Known before the entries are read: the book holds only those that are seen first. */
  readonly totals?: BookTotals;
}

/** The character of a subject. */
export interface SubjectCharacter {
  /** The avatar's file name; null while the card is only a file. */
  readonly avatar: string | null;
  readonly name: string;
  readonly spec: 'chara_card_v3' | 'chara_card_v2' | 'v1' | null;
  /** The raw card as it stands in the file. */
  readonly card: JsonObject;
  /** The world that the card names, "" for none. */
  readonly linked: string;
  /** Whether a world of that name exists. */
  readonly linkExists: boolean;
  /** For a dead link: worlds that hold the same as the card's copy. */
  readonly relink: readonly string[];
  /** Additional books, by name, also those that do not exist any more. */
  readonly additional: readonly string[];
  readonly isLeftAlone: boolean;
}

/** Everything that the panel is opened on. */
export interface Subject {
  /** The file's name when it is opened from a file, else null. */
  readonly fileName: string | null;
  readonly character: SubjectCharacter | null;
  /** The card's copy first, then the linked book, additional books, others. */
  readonly books: readonly SubjectBook[];
  /** Findings that are about no book, and remarks on the container. */
  readonly findings: readonly Finding[];
  readonly surroundings: FiringSurroundings;
  /** All worlds there are, for linking. */
  readonly worldNames: readonly string[];
}
