// What an app gives to the house as a target: what it can be written as, and the writing itself.

import type { Finding } from './finding.ts';
import type { JsonObject } from './json.ts';
import type { OwnPart } from './own-part.ts';
import type { ResolvedCharacter } from './resolved.ts';

/** How keys are written (decisions 28): as a person can read and edit them there, or with SillyTavern's decisions. */
export type Style = 'natural' | 'exact';

/** The forms that a target's files may have; `native` is the app's own character file, `lorebook` its own lorebooks. */
export type ExportForm = 'png' | 'json' | 'charx' | 'native' | 'lorebook';

/** The containers of a card. */
export type CardForm = 'png' | 'json' | 'charx';

/** What is asked of an exporter. */
export interface ExportRequest {
  /** Absent: what carries most, which may be a card with lorebook files beside it. */
  readonly form?: ExportForm;
  readonly style: Style;
  /** The app's version that is written for; absent is the exporter's own. */
  readonly targetVersion?: string;
  readonly privateFields: 'keep' | 'drop';
  /** Whether the file is the picture that the card came in, so that its other text chunks (assets, too) stay in it. */
  readonly keepsChunks?: boolean;
  /** The character's picture as a data URL; given for the app's own character file alone, and only where there is one. */
  readonly picture?: string;
  /** What was chosen of the exporter's own options, by their ids; an absent one is as usual. */
  readonly options?: Readonly<Record<string, string>>;
  /** The depth of SillyTavern's author's note; absent is its default, 4. */
  readonly noteDepth?: number;
  /** Tokens that SillyTavern's prompt may have; absent where nobody tells: each exporter knows what is usual. */
  readonly contextSize?: number;
}

/** A choice that only one app's files leave to the user. Declared as data: the dialog draws it, `--option` names it. */
export interface ExportOption {
  /** In words with hyphens, as the command line has it. */
  readonly id: string;
  /** In the order in which they are offered. */
  readonly choices: readonly string[];
  /** What it is unless somebody chooses. */
  readonly usual: Readonly<Record<Style, string>>;
  /** The style in which alone it makes a difference; absent: in both. */
  readonly only?: Style;
}

/** Every option of a declared list with one of its own choices. */
export type ChosenOptions<Options extends readonly ExportOption[]> = {
  readonly [Option in Options[number] as Option['id']]: Option['choices'][number];
};

/** Reads what was chosen of an exporter's options; what is none of an option's choices is as usual. */
export function chosenOptions<const Options extends readonly ExportOption[]>(
  options: Options,
  { style, options: asked = {} }: Pick<ExportRequest, 'style' | 'options'>,
): ChosenOptions<Options> {
  const chosen = options.map(({ id, choices, usual }) => [
    id,
    choices.find((choice) => Object.hasOwn(asked, id) && choice === asked[id]) ?? usual[style],
  ]);
  return Object.fromEntries(chosen) as ChosenOptions<Options>;
}

/** A file before it is put into its container. A `card` goes into the picture where the form is one. */
export interface ExportedFile {
  readonly kind: 'card' | 'file';
  /** A proposal, with its ending where the kind is `file`. */
  readonly name: string;
  readonly json: JsonObject;
  /** Further members by their path, where the container of a card is a charx. */
  readonly members?: Readonly<Record<string, JsonObject>>;
}

/** What was written, and what is to be said and done about it. */
export interface Exported {
  readonly files: readonly ExportedFile[];
  /** The container that the card should have when nobody asked for one; absent: the one that it came in. */
  readonly cardForm?: CardForm;
  readonly findings: readonly Finding[];
  /** What of the lorebooks is the app's own again, as it wrote it. */
  readonly own?: readonly OwnPart[];
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
  readonly usualForm: CardForm;
  /** Whether what carries most depends on the books: then it is offered as a form of its own. */
  readonly hasBestFit?: boolean;
  /** The text chunks of a PNG that the app reads, and how they are put (decisions 27). */
  readonly png: {
    readonly keywords: readonly ('chara' | 'ccv3')[];
    readonly first?: boolean;
    readonly dropOtherText?: boolean;
    /** Behind it, as `ccv3`, stands the same character for SillyTavern (decisions 27). */
    readonly withSillyTavern?: boolean;
  };
  /** Choices that only its files have. */
  readonly options?: readonly ExportOption[];
  readonly write: (resolved: ResolvedCharacter, request: ExportRequest) => Exported;
}
