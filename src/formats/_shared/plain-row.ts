// A row whose value stands whole at one wire, with other wires where it may stand too.

import { shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Codec } from './codecs.ts';
import type {
  EntryField,
  EntrySource,
  EntryTarget,
  Lens,
  Precedence,
  ReadOptions,
  Wire,
} from './entry-field.ts';

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
  /** Where an app counts in its own way: names at one level. */
  readonly own?: OwnCount<T> | readonly OwnCount<T>[];
}

/** How an app counts at some of its names. */
export interface OwnCount<T> {
  readonly numbers: ReadOptions['ownNumbers'];
  readonly at: Wire['at'];
  readonly keys: readonly string[];
  readonly codec: Codec<T>;
  /** A name at the entry, which the app does not read, for a value that it cannot say. */
  readonly spare?: string;
}

/** Builds the row. */
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
      const wires = order[source.options.precedence];
      const count = source.onlyFirstWires ? 1 : wires.length;
      let met = false;
      for (let i = 0; i < count; i++) {
        const wire = wires[i] as Wire;
        const raw = (wire.at === 'extensions' ? source.extensions : source.entry)[wire.key];
        if (raw === undefined || raw === null) continue;
        met = true;
        const own = codecAt(row, wire, source.options);
        const decoded = own.decode(raw, source.mend);
        const value = wire.invert && decoded !== undefined ? (!decoded as T) : decoded;
        if (value !== undefined && isOwnWord(own, wire, raw, source.options)) source.mended = null;
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
      writeAt(row.wires, target, (wire, held) => {
        const own = codecAt(row, wire, target.options);
        const word = own.say?.(value);
        return word !== undefined && isOwnWord(own, wire, held, target.options) ? word : own.encode(value);
      });
      const first = row.wires[0] as Wire;
      const { spare, codec: own } = ownAt(row, first, target.options) ?? {};
      const isUnsaid = own?.encode(value) === null && codec.encode(value) !== null;
      if (spare !== undefined && isUnsaid) target.entry[spare] = codec.encode(value);
    },
    show: (entry) => codec.encode(lens.get(entry)),
  };
}

function ownAt<T>({ own }: PlainRow<T>, wire: Wire, { ownNumbers }: ReadOptions): OwnCount<T> | undefined {
  if (own === undefined || ownNumbers === undefined) return undefined;
  const all = 'numbers' in own ? [own] : own;
  return all.find(
    ({ numbers, at, keys }) => numbers === ownNumbers && at === wire.at && keys.includes(wire.key),
  );
}

const codecAt = <T>(row: PlainRow<T>, wire: Wire, options: ReadOptions): Codec<T> =>
  ownAt(row, wire, options)?.codec ?? row.codec;

function isOwnWord<T>(
  codec: Codec<T>,
  wire: Wire,
  raw: Json | undefined,
  { ownWords }: ReadOptions,
): boolean {
  return ownWords === true && wire.at === 'entry' && codec.say !== undefined && typeof raw === 'string';
}

// Another level that says something else is named; a foreign vocabulary beside our own is nobody's claim.
function noteLosers<T>(row: PlainRow<T>, wires: readonly Wire[], value: T, source: EntrySource): void {
  for (const wire of wires) {
    const raw = (wire.at === 'extensions' ? source.extensions : source.entry)[wire.key];
    if (wire.foreign || raw === undefined || raw === null) continue;
    const other = codecAt(row, wire, source.options).decode(raw, () => undefined);
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
 * leaves Chub's second vocabulary behind when an entry is edited. `valueAt` gives the value as it is written at a
 * wire, where the twin holds something or nothing.
 */
export function writeAt(
  wires: readonly Wire[],
  target: EntryTarget,
  valueAt: (wire: Wire, held: Json | undefined) => Json,
): void {
  const { twin } = target;
  const write = (wire: Wire, held: Json | undefined): void => {
    const value = valueAt(wire, held);
    bagOf(target, wire)[wire.key] = wire.invert ? !value : value;
  };
  const first = wires[0] as Wire;
  if (twin === null) {
    write(first, undefined);
    return;
  }
  const held = wires.filter((wire) => Object.hasOwn(bagOf<JsonObject>(twin, wire), wire.key));
  const own = held.filter((wire) => !wire.foreign);
  const places = own.length === 0 && held.length > 0 ? held : own.includes(first) ? own : [first, ...own];
  for (const wire of places) write(wire, bagOf(twin, wire)[wire.key]);
  // Nothing is passed over by readers, who would then take the foreign name's value for it.
  const isNothing = places.every((wire) => bagOf(target, wire)[wire.key] === null);
  if (isNothing)
    for (const wire of held) if (!places.includes(wire)) write(wire, bagOf(twin, wire)[wire.key]);
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
