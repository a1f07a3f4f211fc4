// What an app gives to the house as a target: what it can be written as, and the writing itself.

import type { Finding } from './finding.ts';
import type { JsonObject } from './json.ts';
import type { ResolvedCharacter } from './resolved.ts';

/** How keys are written (decisions 28): as a person can read and edit them there, or with SillyTavern's decisions. */
export type Style = 'natural' | 'exact';

/** The forms that a target's files may have; `native` is the app's own character file, `lorebook` its own lorebooks. */
export type ExportForm = 'png' | 'json' | 'charx' | 'native' | 'lorebook';

/** What is asked of an exporter. */
export interface ExportRequest {
  /** Absent: what carries most, which may be a card with lorebook files beside it. */
  readonly form?: ExportForm;
  readonly style: Style;
  /** The app's version that is written for; absent is the exporter's own. */
  readonly targetVersion?: string;
  readonly privateFields: 'keep' | 'drop';
}

/** A file before it is put into its container. A `card` goes into the picture where the form is one. */
export interface ExportedFile {
  readonly kind: 'card' | 'file';
  /** A proposal, with its ending where the kind is `file`. */
  readonly name: string;
  readonly json: JsonObject;
}

/** What was written, and what is to be said and done about it. */
export interface Exported {
  readonly files: readonly ExportedFile[];
  readonly findings: readonly Finding[];
  /** What the user does in the app, in order. */
  readonly steps: readonly string[];
  /** The app's settings that belong to it, by the app's own names. */
  readonly settings: JsonObject;
}

/** One app as a target. */
export interface Exporter {
  readonly id: string;
  /** The app's version whose behaviour it answers. */
  readonly version: string;
  /** Versions that can be chosen, the default one first. */
  readonly versions: readonly string[];
  readonly forms: readonly ExportForm[];
  /** The form of a card whose own container the app does not take. */
  readonly usualForm: 'png' | 'json' | 'charx';
  /** The text chunks of a PNG that the app reads, and how they are put (decisions 27). */
  readonly png: {
    readonly keywords: readonly ('chara' | 'ccv3')[];
    readonly first?: boolean;
    readonly dropOtherText?: boolean;
    /** Behind it, as `ccv3`, stands the same character for SillyTavern (decisions 27). */
    readonly withSillyTavern?: boolean;
  };
  readonly write: (resolved: ResolvedCharacter, request: ExportRequest) => Exported;
}
