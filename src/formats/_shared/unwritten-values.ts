// What a character_book written without its twin does not give back as it stood, by kind and with the reason
// (decisions 11). With the twin nothing changes; without it the meaning of every field does not change, its form may.

import type { Json } from '../../core/json.ts';
import { CHARACTER_BOOK_FIELDS } from './character-book-table.ts';
import type { EntryField } from './entry-field.ts';

/** A value of a raw book: whose key it is, and what stands there. */
export interface RawPlace {
  readonly at: 'book' | 'entry' | 'extensions';
  readonly key: string;
  readonly value: Json;
}

/** One kind of value that does not come back as it stood. */
export interface UnwrittenKind {
  readonly name: string;
  readonly reason: string;
  readonly covers: (place: RawPlace) => boolean;
}

const BOOK_FIELDS = ['name', 'description', 'scan_depth', 'token_budget', 'recursive_scanning', 'extensions'];
const TITLES = ['name', 'comment'];

/** The row that reads a place, and which of its wires the place is; null for a place that no row reads. */
export function rowAt({ at, key }: RawPlace): { readonly row: EntryField; readonly wire: number } | null {
  for (const row of CHARACTER_BOOK_FIELDS) {
    const wire = row.wires.findIndex((each) => each.at === at && each.key === key);
    if (wire >= 0) return { row, wire };
  }
  return null;
}

const isOfRow = (place: RawPlace, path: RegExp): boolean => path.test(rowAt(place)?.row.path ?? '');

/** The kinds. A value of the wrong type is none of them: reading it has said `repaired` for its field. */
export const UNWRITTEN_KINDS: readonly UnwrittenKind[] = [
  {
    name: 'id',
    reason: 'Ids are numbered anew from 0; the old ones may repeat or be missing.',
    covers: ({ at, key }) => at === 'entry' && (key === 'id' || key === 'uid'),
  },
  {
    name: 'computed',
    reason: 'The word for the position and the use_regex flag are computed from the slot and the keys.',
    covers: ({ at, key }) => at === 'entry' && (key === 'position' || key === 'use_regex'),
  },
  {
    name: 'unset',
    reason: 'null means the same as nothing; the default is written, or the field is left out.',
    covers: (place) =>
      place.value === null &&
      (rowAt(place) !== null ||
        (place.at === 'entry' && place.key === 'extensions') ||
        (place.at === 'book' && BOOK_FIELDS.includes(place.key))),
  },
  {
    name: 'no messages',
    reason: '0 messages to stay, rest or wait mean the same as none; null is written, as SillyTavern does.',
    covers: (place) => place.value === 0 && isOfRow(place, /^timing\./),
  },
  {
    name: 'level of recursion',
    reason: 'A delayed recursion is written as a level; false is 0 and true is 1.',
    covers: (place) => typeof place.value === 'boolean' && isOfRow(place, /^recursion\.delayUntil$/),
  },
  {
    name: 'empty filter',
    reason: 'A character filter that names nobody is no filter and is left out.',
    covers: (place) => isOfRow(place, /^characterFilter$/),
  },
  {
    name: 'one title',
    reason:
      'A name or comment that stands alone is the title and is written as the comment, which SillyTavern shows.',
    covers: ({ at, key }) => at === 'entry' && TITLES.includes(key),
  },
  {
    name: 'second place',
    reason:
      'A field is written once, where SillyTavern has it; what stood at another level or name is moved there.',
    covers: (place) => (rowAt(place)?.wire ?? 0) > 0,
  },
  {
    name: 'empty settings',
    reason: "A book's empty text and empty extensions mean the same as none and are left out.",
    covers: ({ at, key, value }) =>
      at === 'book' &&
      BOOK_FIELDS.includes(key) &&
      (value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)),
  },
];
