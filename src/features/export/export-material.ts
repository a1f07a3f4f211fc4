// What an export is made of, and what it gives: plain data, since it is made apart from the page (a conversion of
// thousands of entries takes seconds).

import type { Form, WrittenFile } from '../../convert-file.ts';
import type { ExportOption, Style } from '../../core/exporter.ts';
import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { EntryCounts } from '../../measure.ts';

/** The file that is exported. `character`: one of SillyTavern's own; `world`: one of its world files. */
export interface ExportFile {
  readonly kind: 'character' | 'world' | 'file';
  /** An avatar's file name, a world's name, or the name of a file. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a world is to a character; it may be several things. */
export type WorldRole = 'linked' | 'additional' | 'chat' | 'persona' | 'global';

/** A world file that is in force, or could be, when the character speaks. */
export interface WorldInForce {
  readonly name: string;
  readonly roles: readonly WorldRole[];
  readonly bytes: Uint8Array;
}

/** What SillyTavern knows around a character. */
export interface ExportAround {
  /** Its world info settings by its own names; absent where it does not tell. */
  readonly settings?: Json;
  readonly userName?: string;
  readonly tagIds?: readonly string[];
  /** The depth of the author's note. */
  readonly noteDepth?: number;
  /** Tokens that a prompt may have. */
  readonly contextSize?: number;
}

/** What was found in the file. */
export interface OpenedForExport {
  readonly isCard: boolean;
  /** The world that the card names, "" for none. */
  readonly linked: string;
}

/** A lorebook that can go along. */
export interface OfferedBook {
  readonly key: string;
  readonly name: string;
  /** What it is to the character; `card`: it stands in the card only; `alone`: it is what is exported. */
  readonly roles: readonly (WorldRole | 'card' | 'alone')[];
  readonly isTicked: boolean;
  readonly entryCount: number;
  /** In how many entries the card's copy differs from this world file; 0 for none, null for too many to count. */
  readonly drift: number | null;
  /** Whether an entry names other things of the user's: characters, tags, automations. */
  readonly hasPrivate: boolean;
}

/** A form in which files are written; `auto`: the one that carries most. */
export type OfferedForm = Form | 'auto';

/** An app that can be written for. */
export interface OfferedTarget {
  readonly id: string;
  /** The first one is the usual one. */
  readonly forms: readonly OfferedForm[];
  readonly versions: readonly string[];
  /** Whether keys can be written in two styles. */
  readonly hasStyles: boolean;
  /** Choices that only its files have. */
  readonly options: readonly ExportOption[];
}

/** What can be chosen. */
export interface ExportOffer {
  /** The character's name, or the lorebook's. */
  readonly name: string;
  readonly isCard: boolean;
  readonly hasPicture: boolean;
  readonly books: readonly OfferedBook[];
  readonly targets: readonly OfferedTarget[];
}

/** What was chosen. */
export interface ExportChoices {
  readonly target: string;
  readonly form: OfferedForm;
  readonly version: string | null;
  readonly style: Style;
  /** What was chosen of the target's own options; the others are as usual. */
  readonly options: Readonly<Record<string, string>>;
  /** Keys of books. */
  readonly books: readonly string[];
  readonly privateFields: 'keep' | 'drop';
}

/** An entry that was exported. */
export interface ExportedEntry {
  readonly bookId: string;
  readonly entryId: string;
  readonly bookName: string;
  /** "" when it has neither title nor key. */
  readonly label: string;
}

/** What came of it. */
export interface ExportOutcome {
  readonly files: readonly WrittenFile[];
  readonly entries: readonly ExportedEntry[];
  readonly counts: EntryCounts;
  readonly findings: readonly Finding[];
  /** Names of the lorebooks, by their ids. */
  readonly bookNames: ReadonlyMap<string, string>;
  readonly steps: readonly string[];
  readonly settings: JsonObject;
}
