// One row of a dialect's table: a canonical field, the wires it is read from, and how it is written back.
// Reading, writing, the changed-only overlay and the documentation all go through these rows.

import type { Note } from '../../core/finding.ts';
import { shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import type { PositionReading } from '../../core/position.ts';
import type { Codec, Mend } from './codecs.ts';

/** Which level of an entry wins when both hold a field (decisions 8a). */
export type Precedence = 'extensions-first' | 'entry-first';

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
  readonly precedence: Precedence;
  /** Whether keys of `use_regex` entries are patterns (decisions 5): not in a book that SillyTavern wrote. */
  readonly patternKeys: boolean;
  /** Whether words at the entry's own level are as good as SillyTavern's numbers. */
  readonly ownWords: boolean;
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
  /** Whether the book's readers believe the entry's own level before its extensions (decisions 8a). */
  readonly entryFirst: boolean;
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

/** What a plain row needs. */
export interface PlainRow<T> {
  readonly lens: Lens<T>;
  readonly codec: Codec<T>;
  /** In order of precedence for a book of SillyTavern's family; the first is where an absent field is written. */
  readonly wires: readonly Wire[];
  readonly unset: T;
  /** Said with an `assumed` finding when no wire holds a usable value. */
  readonly assumed?: string;
  /** Leave the field out when it is unset and there is no twin. */
  readonly omitUnset?: boolean;
}

/** A row whose value stands whole at one wire. */
export function plain<T>(row: PlainRow<T>): EntryField {
  const { lens, codec, unset } = row;
  const order: Record<Precedence, readonly Wire[]> = {
    'extensions-first': row.wires,
    'entry-first': entryFirst(row.wires),
  };
  return {
    path: lens.path,
    wires: row.wires,
    isPlain: true,
    read: (source, draft) => {
      const wires = order[source.precedence];
      const count = source.onlyFirstWires ? 1 : wires.length;
      let met = false;
      for (let i = 0; i < count; i++) {
        const wire = wires[i] as Wire;
        const raw = (wire.at === 'extensions' ? source.extensions : source.entry)[wire.key];
        if (raw === undefined || raw === null) continue;
        met = true;
        const decoded = codec.decode(raw, source.mend);
        const value = wire.invert && decoded !== undefined ? (!decoded as T) : decoded;
        const isOwnWord = source.ownWords && wire.at === 'entry' && codec.say !== undefined;
        if (isOwnWord && typeof raw === 'string' && value !== undefined) source.mended = null;
        if (source.mended !== null) {
          const after = codec.encode(value === undefined ? unset : value);
          source.note('repaired', lens.path, raw, after, `${lens.path} ${shown(raw)} ${source.mended}.`);
          source.mended = null;
        }
        if (value === undefined) continue;
        if (wire.foreign) source.sawForeign = true;
        lens.set(draft, value);
        if (count > 1) noteLosers(row, wires.slice(i + 1), value, source);
        return;
      }
      lens.set(draft, unset);
      if (row.assumed !== undefined && !met) {
        source.note('assumed', lens.path, undefined, codec.encode(unset), row.assumed);
      }
    },
    same: (a, b) => codec.same(lens.get(a), lens.get(b)),
    take: (from, into) => lens.set(into, lens.get(from)),
    write: (entry, target) => {
      const value = lens.get(entry);
      if (target.twin === null && (target.isBlank || row.omitUnset === true) && codec.same(value, unset))
        return;
      writeAt(row.wires, codec.encode(value), target, codec.say?.(value));
    },
    show: (entry) => codec.encode(lens.get(entry)),
  };
}

// Another level that says something else is named; a foreign vocabulary beside our own is nobody's claim.
function noteLosers<T>(row: PlainRow<T>, wires: readonly Wire[], value: T, source: EntrySource): void {
  for (const wire of wires) {
    const raw = (wire.at === 'extensions' ? source.extensions : source.entry)[wire.key];
    if (wire.foreign || raw === undefined || raw === null) continue;
    const other = row.codec.decode(raw, () => undefined);
    if (other === undefined || row.codec.same(other, value)) continue;
    const { path } = row.lens;
    const counts = row.codec.encode(value);
    const message = `${path} is ${shown(raw)} at one level of the entry and ${shown(counts)} at another; the second counts.`;
    source.note('conflict', path, raw, counts, message);
  }
}

/**
 * Writes a value at the first wire and at every other wire of the dialect's own where the twin holds one, so that
 * no level contradicts another. A foreign name is written only where the twin has no other: SillyTavern itself
 * leaves Chub's second vocabulary behind when an entry is edited. `word` is written instead at the own level of an
 * app that has a word there and believes that level.
 */
export function writeAt(wires: readonly Wire[], value: Json, target: EntryTarget, word?: string): void {
  const { twin } = target;
  const first = wires[0] as Wire;
  if (twin === null) {
    bagOf(target, first)[first.key] = first.invert ? !value : value;
    return;
  }
  const held = wires.filter((wire) => Object.hasOwn(bagOf(twin, wire), wire.key));
  const own = held.filter((wire) => !wire.foreign);
  const places = own.length === 0 && held.length > 0 ? held : own.includes(first) ? own : [first, ...own];
  for (const wire of places) {
    const isWord =
      target.entryFirst && wire.at === 'entry' && typeof bagOf(twin, wire)[wire.key] === 'string';
    const own = isWord && word !== undefined ? word : value;
    bagOf(target, wire)[wire.key] = wire.invert ? !own : own;
  }
}

function bagOf<B>(holder: { readonly entry: B; readonly extensions: B }, wire: Wire): B {
  return wire.at === 'extensions' ? holder.extensions : holder.entry;
}

// Lumiverse writes its own extensions in snake_case beside SillyTavern's stale camelCase (decisions 8a).
function entryFirst(wires: readonly Wire[]): readonly Wire[] {
  const rank = ({ at, key, foreign }: Wire): number =>
    foreign ? 3 : at === 'entry' ? 0 : /[A-Z]/.test(key) ? 2 : 1;
  return [...wires].sort((a, b) => rank(a) - rank(b));
}
