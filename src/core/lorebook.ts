// A lorebook in nobody's dialect, beside the raw objects it was read from.

import type { Json, JsonObject } from './json.ts';
import { NO_FIELDS } from './json.ts';
import type { Key } from './key.ts';
import type { Position } from './position.ts';

/** How the secondary keys join with the primary ones. */
export type Logic = 'and_any' | 'and_all' | 'not_any' | 'not_all';

/** Fields that we do not model. `entry` holds unmodelled keys of the entry itself, which mean something only
 * in the dialect they were read from; `extensions` holds those of its extension bag, which every dialect of
 * SillyTavern's family carries along. */
export interface Bag {
  readonly dialect: string;
  readonly entry: JsonObject;
  readonly extensions: JsonObject;
}

/** Messages that an entry stays, rests or waits; null is unset. */
export interface Timing {
  readonly sticky: number | null;
  readonly cooldown: number | null;
  readonly delay: number | null;
}

/** The inclusion group: of the entries of one group that fire together, one is taken. */
export interface Group {
  /** One name, or several joined by commas. */
  readonly name: string;
  readonly override: boolean;
  readonly weight: number;
  readonly scoring: boolean | null;
}

/** What an entry has to do with the scan of other entries' text. `delayUntil`: 0 is off, else the level. */
export interface Recursion {
  readonly exclude: boolean;
  readonly prevent: boolean;
  readonly delayUntil: number;
}

/** How keys are looked for; null inherits the reader's global setting. */
export interface Scan {
  readonly depth: number | null;
  readonly caseSensitive: boolean | null;
  readonly matchWholeWords: boolean | null;
}

/** Texts beside the chat in which keys are looked for. */
export interface Sources {
  readonly personaDescription: boolean;
  readonly characterDescription: boolean;
  readonly characterPersonality: boolean;
  readonly characterDepthPrompt: boolean;
  readonly scenario: boolean;
  readonly creatorNotes: boolean;
}

/** Chance in percent; it is rolled only when `used`. */
export interface Probability {
  readonly chance: number;
  readonly used: boolean;
}

/** Characters (avatar file names without the ending) and tag ids that an entry is for, or is not for. */
export interface CharacterFilter {
  readonly exclude: boolean;
  readonly names: readonly string[];
  readonly tags: readonly string[];
}

/** One entry of a lorebook. */
export interface LorebookEntry {
  /** Unique in the book; not the id that the file gave. */
  readonly id: string;
  /** CCv3 `name` when the file has one, else the comment, which is what SillyTavern shows. */
  readonly title: string;
  /** The comment, when it stands beside a name. */
  readonly memo: string;
  readonly content: string;
  readonly enabled: boolean;
  readonly constant: boolean;
  readonly vectorized: boolean;
  readonly keys: readonly Key[];
  readonly secondaryKeys: readonly Key[];
  readonly selective: boolean;
  readonly logic: Logic;
  /** Lower comes first in the text; higher gets the budget first. */
  readonly order: number;
  /** Place in the editor's list, null when the file has none. */
  readonly displayIndex: number | null;
  readonly position: Position;
  readonly probability: Probability;
  readonly ignoreBudget: boolean;
  readonly timing: Timing;
  readonly group: Group;
  readonly recursion: Recursion;
  readonly scan: Scan;
  readonly sources: Sources;
  readonly triggers: readonly string[];
  readonly characterFilter: CharacterFilter | null;
  readonly automationId: string;
  readonly bag: Bag;
}

/** The lorebook itself. */
export interface LorebookBody {
  readonly name: string;
  readonly description: string;
  readonly scanDepth: number | null;
  readonly tokenBudget: number | null;
  readonly recursiveScanning: boolean | null;
  readonly extensions: JsonObject;
  readonly entries: readonly LorebookEntry[];
  /** Unmodelled keys of the book, by the dialect they were read from. */
  readonly bag: { readonly dialect: string; readonly book: JsonObject };
}

/** A raw object exactly as it was read. */
export interface Escrow {
  readonly raw: Json;
}

/** A body with its raw twins, keyed by dialect; a book that came out of a card is under `character-book`. */
export interface CanonicalLorebook {
  readonly id: string;
  readonly name: string;
  readonly body: LorebookBody;
  readonly original: Readonly<Record<string, Escrow>>;
}

/** An entry that can be filled in field by field before it is handed out. Its position is its own object. */
export type EntryDraft = {
  -readonly [K in keyof LorebookEntry]: K extends 'position'
    ? { -readonly [F in keyof Position]: Position[F] }
    : LorebookEntry[K];
};

const NO_KEYS: readonly never[] = Object.freeze([]);
const EMPTY_BAGS = new Map<string, Bag>();

/** The empty bag of a dialect; one object, so that bags of untouched entries compare at once. */
export function emptyBag(dialect: string): Bag {
  let bag = EMPTY_BAGS.get(dialect);
  if (!bag) {
    bag = Object.freeze({ dialect, entry: NO_FIELDS, extensions: NO_FIELDS });
    EMPTY_BAGS.set(dialect, bag);
  }
  return bag;
}

/**
 * Sections of which nothing is set. Most entries of a book have most of them, so they are shared, never changed:
 * who sets a field of one puts a copy in its place.
 */
export const UNSET: Readonly<
  Pick<LorebookEntry, 'probability' | 'timing' | 'group' | 'recursion' | 'scan' | 'sources'>
> = Object.freeze({
  probability: Object.freeze({ chance: 100, used: true }),
  timing: Object.freeze({ sticky: null, cooldown: null, delay: null }),
  group: Object.freeze({ name: '', override: false, weight: 100, scoring: null }),
  recursion: Object.freeze({ exclude: false, prevent: false, delayUntil: 0 }),
  scan: Object.freeze({ depth: null, caseSensitive: null, matchWholeWords: null }),
  sources: Object.freeze({
    personaDescription: false,
    characterDescription: false,
    characterPersonality: false,
    characterDepthPrompt: false,
    scenario: false,
    creatorNotes: false,
  }),
});

/**
 * A new entry with the defaults of SillyTavern's own template (1.19, `newWorldInfoEntryDefinition`), except the
 * position: the reader of each dialect sets it.
 */
export function newEntry(id: string): EntryDraft {
  return {
    id,
    title: '',
    memo: '',
    content: '',
    enabled: true,
    constant: false,
    vectorized: false,
    keys: NO_KEYS,
    secondaryKeys: NO_KEYS,
    selective: true,
    logic: 'and_any',
    order: 100,
    displayIndex: null,
    position: { slot: 'world', depth: 4, role: 'system', outlet: '' },
    probability: UNSET.probability,
    ignoreBudget: false,
    timing: UNSET.timing,
    group: UNSET.group,
    recursion: UNSET.recursion,
    scan: UNSET.scan,
    sources: UNSET.sources,
    triggers: NO_KEYS,
    characterFilter: null,
    automationId: '',
    bag: emptyBag(''),
  };
}

/** A label for a person: the title, else the memo, else the first key. It is never written anywhere. */
export function entryLabel(entry: LorebookEntry): string {
  if (entry.title.trim() !== '') return entry.title;
  if (entry.memo.trim() !== '') return entry.memo;
  const key = entry.keys[0];
  return key === undefined ? '' : key.kind === 'literal' ? key.text : `/${key.source}/${key.flags}`;
}
