// What reading knows of each entry beside the entry itself. Nearly nobody asks for all of it, so the look-up tables
// are made when somebody does.

import type { Json } from '../../core/json.ts';
import type { PositionReading } from '../../core/position.ts';

/** What stood in the file for one entry. */
export interface EntryRecord {
  readonly id: string;
  readonly raw: Json;
  readonly originalId: Json | undefined;
  readonly position: PositionReading | null;
}

/** The records by canonical id, each table made at its first use. */
export interface EntryRecords {
  readonly records: readonly EntryRecord[];
  /** How each entry's position was known. */
  readonly positions: ReadonlyMap<string, PositionReading>;
  /** The ids that stood in the file. */
  readonly originalIds: ReadonlyMap<string, Json | undefined>;
  /** The raw entry of each canonical id. */
  readonly rawById: ReadonlyMap<string, Json>;
}

/** Wraps the records of a book's entries, in book order. */
export function entryRecords(records: readonly EntryRecord[]): EntryRecords {
  const once = <T>(make: () => T): (() => T) => {
    let made: { readonly value: T } | null = null;
    return () => {
      made ??= { value: make() };
      return made.value;
    };
  };
  const tableOf = <T>(pick: (record: EntryRecord) => T): (() => ReadonlyMap<string, T>) =>
    once(() => new Map(records.map((record) => [record.id, pick(record)])));
  const positions = once(() => {
    const known = records.filter((record) => record.position !== null);
    return new Map(known.map(({ id, position }) => [id, position as PositionReading]));
  });
  const originalIds = tableOf(({ originalId }) => originalId);
  const rawById = tableOf(({ raw }) => raw);
  return {
    records,
    get positions() {
      return positions();
    },
    get originalIds() {
      return originalIds();
    },
    get rawById() {
      return rawById();
    },
  };
}
