// One row of a dialect's table: a canonical field, the wires it is read from, and how it is written back.
// Reading, writing, the changed-only overlay and the documentation all go through these rows.

import type { Note } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import type { PositionReading } from '../../core/position.ts';
import type { KeySwitch } from './bare-keys.ts';
import type { Mend } from './codecs.ts';
import type { PlainEntry } from './risu/entry.ts';

/** Which level of an entry wins when both hold a field (decisions 8a). */
export type Precedence = 'extensions-first' | 'entry-first';

/** How a book's entries are read and written back, by whose book it is. */
export interface ReadOptions {
  readonly precedence: Precedence;
  /** Whether keys of `use_regex` entries are patterns (decisions 5): not in a book that SillyTavern wrote. */
  readonly patternKeys: boolean;
  /** Whether words where SillyTavern has numbers are the app's own way to write, at the entry's own level. */
  readonly ownWords?: boolean;
  /** Whose numbers stand where an app counts in its own way. */
  readonly ownNumbers?: 'lumiverse' | 'marinara';
  /** Says an entry in SillyTavern's words first, where the app speaks in lines of the content (RisuAI); null leaves it. */
  readonly translate?: (entry: JsonObject, note: Note) => PlainEntry | null;
  /** The switch beside which keys are bare sources whose flags the entry's case switch gives. */
  readonly bareKeys?: KeySwitch;
  /** Whether the entry's extensions are the app's own fields, none of them a left-over of SillyTavern's beside them. */
  readonly ownExtensions?: boolean;
  /** Completes an entry after its rows were read, where values of several rows depend on each other. */
  readonly complete?: (source: EntrySource, draft: EntryDraft) => void;
  /** Whether a field that no row reads says nothing of the entry there; it is not carried along. */
  readonly isIdle?: (key: string, value: Json | undefined, entry: JsonObject) => boolean;
}

/** A place of a value in the file: a key of the entry itself or of its extensions. */
export interface Wire {
  readonly at: 'entry' | 'extensions';
  readonly key: string;
  /** The name that another dialect gives to it; read last, and mentioned. */
  readonly foreign: boolean;
  /** Only where the value is written in another way than at the other wires. */
  readonly invert: boolean;
}

/** A key of the entry itself. */
export const inEntry = (key: string): Wire => ({ at: 'entry', key, foreign: false, invert: false });
/** A key of the entry's extensions. */
export const inExtensions = (key: string): Wire => ({ at: 'extensions', key, foreign: false, invert: false });
/** A world file's name, met in a card's book. */
export const foreignKey = (key: string, invert = false): Wire => ({
  at: 'entry',
  key,
  foreign: true,
  invert,
});

/** A raw entry while it is read. */
export interface EntrySource {
  entry: JsonObject;
  extensions: JsonObject;
  readonly options: ReadOptions;
  /** Whether no row's second place is filled, so that none needs to be looked at. */
  onlyFirstWires: boolean;
  note: Note;
  readonly mend: Mend;
  /** What the codec said of the value in hand; the engine clears it. */
  mended: string | null;
  sawForeign: boolean;
  /** How the position was known; the position's row leaves it here. */
  position: PositionReading | null;
}

/** A raw entry while it is written. */
export interface EntryTarget {
  readonly entry: Record<string, Json | undefined>;
  readonly extensions: Record<string, Json | undefined>;
  /** Whether unset values stand in the target already, so that only the others need writing. */
  readonly isBlank: boolean;
  /** How the book will be read. */
  readonly options: ReadOptions;
  /** The raw twin that is overlaid; null when every field is written. */
  readonly twin: { readonly entry: JsonObject; readonly extensions: JsonObject } | null;
}

/** A row of the table. */
export interface EntryField {
  /** Canonical path, as findings name it. */
  readonly path: string;
  readonly wires: readonly Wire[];
  /** Whether the value stands whole at one wire, the others being second places for it. */
  readonly isPlain: boolean;
  readonly read: (source: EntrySource, draft: EntryDraft) => void;
  readonly same: (a: LorebookEntry, b: LorebookEntry) => boolean;
  /** Copies this field's value from one entry into a draft. */
  readonly take: (from: LorebookEntry, into: EntryDraft) => void;
  readonly write: (entry: LorebookEntry, target: EntryTarget) => void;
  /** A JSON view of the value, for findings and comparisons. */
  readonly show: (entry: LorebookEntry) => Json;
}

/** A typed way to one value inside an entry. */
export interface Lens<T> {
  readonly path: string;
  readonly get: (entry: LorebookEntry) => T;
  readonly set: (draft: EntryDraft, value: T) => void;
}

/** The lens of a top-level field. */
export function field<K extends keyof LorebookEntry>(name: K): Lens<LorebookEntry[K]> {
  return {
    path: name,
    get: (entry) => entry[name],
    set: (draft, value) => {
      (draft as Record<K, LorebookEntry[K]>)[name] = value;
    },
  };
}

type Section = 'position' | 'probability' | 'timing' | 'group' | 'recursion' | 'scan' | 'sources';

/** The lens of a field inside a section of an entry. */
export function inside<S extends Section, K extends keyof LorebookEntry[S] & string>(
  section: S,
  name: K,
): Lens<LorebookEntry[S][K]> {
  return {
    path: `${section}.${name}`,
    get: (entry) => entry[section][name],
    set: (draft, value) => {
      const held: LorebookEntry[S] = draft[section];
      if (Object.is(held[name], value)) return;
      // Shared while nothing in it is set; see `UNSET`.
      const own: LorebookEntry[S] = Object.isFrozen(held) ? { ...held } : held;
      own[name] = value;
      (draft as Record<S, LorebookEntry[S]>)[section] = own;
    },
  };
}
