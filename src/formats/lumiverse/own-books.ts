// Lorebooks that Lumiverse itself wrote, on their way back to it (see `own-twin.ts`). It holds the same fields in a card's
// book and in its own world book under other names, so an entry of one can be said in the other as it stands.

import type { CanonicalCharacter } from '../../core/character.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../core/lorebook.ts';
import type { OwnPart } from '../../core/own-part.ts';
import { familyOf } from '../_shared/book-family.ts';
import { rawCardData } from '../_shared/card-data.ts';
import { CHARACTER_BOOK_TABLE, readCharacterBook, readingOf } from '../_shared/character-book.ts';
import { CHARACTER_BOOK, CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import type { Wire } from '../_shared/entry-field.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { splitMergedBook } from '../_shared/lumiverse/merged-book.ts';
import { type OwnDialect, type OwnTwin, ownTwinOf } from '../_shared/own-twin.ts';
import { KEYS_TOGETHER, PLACE_TOGETHER } from '../_shared/told-together.ts';
import type { WrittenForm } from './entry-writing.ts';
import { type Form, LUMIVERSE_FIELDS, LUMIVERSE_TABLES } from './fields.ts';
import { LUMIVERSE, readLumiverseWorldBook } from './native-book.ts';
import { READ_LUMIVERSE } from './reading.ts';
import { LUMIVERSE_SILLYTAVERN, readLumiverseSillyTavern } from './sillytavern-book.ts';

/** The book that Lumiverse wrote, and the form in which it did. */
export interface OwnBook {
  readonly twin: OwnTwin;
  readonly form: Form;
}

const quiet = (): void => undefined;

// What Lumiverse leaves out where there is none.
const OPTIONAL = new Set(['role', 'group', 'outlet_name', 'wi_marker', 'wi_marker_side', 'name']);
const required = (form: Form): readonly Wire[] => [
  ...LUMIVERSE_FIELDS.flatMap(({ rows }) => rows[form]?.wires ?? []).filter(({ key }) => !OPTIONAL.has(key)),
  wireOf(form, 'priority'),
];

// Whether an entry has all that Lumiverse gives to one: what is absent it would fill in as SillyTavern would not.
const isWholeIn =
  (form: Form) =>
  (raw: JsonObject): boolean => {
    // What it calls SillyTavern's book spreads them over the entry.
    const extensions = form === 'sillytavern' ? {} : raw['extensions'];
    if (!isObject(extensions) || !isArray(raw[form === 'native' ? 'key' : 'keys'])) return false;
    return required(form).every(({ at, key }) => (at === 'entry' ? raw : extensions)[key] !== undefined);
  };

// Its lorebooks that are files of their own.
const FILES = [
  { form: 'native', dialect: LUMIVERSE, read: readLumiverseWorldBook },
  { form: 'sillytavern', dialect: LUMIVERSE_SILLYTAVERN, read: readLumiverseSillyTavern },
] as const;

/** The book as Lumiverse wrote it; null when it wrote none, or when we wrote it for Lumiverse. */
export function lumiverseTwin({ id, name, original }: CanonicalLorebook): OwnBook | null {
  for (const { form, dialect, read } of FILES) {
    const raw = original[dialect]?.raw;
    if (!isObject(raw)) continue;
    const twin = ownTwinOf(raw, read(raw, id, name), {
      isWhole: isWholeIn(form),
      readAlone: (item, at) => readEntry(LUMIVERSE_TABLES[form], item, at, READ_LUMIVERSE, quiet),
    });
    return ownBook(twin, form);
  }
  const escrow = original[CHARACTER_BOOK];
  if (escrow === undefined || !isObject(escrow.raw)) return null;
  const family = familyOf(escrow.raw);
  if (family.family !== 'lumiverse') return null;
  const twin = ownTwinOf(escrow.raw, readingOf(escrow, id), {
    isWhole: isWholeIn('card'),
    readAlone: (item, at) => readEntry(CHARACTER_BOOK_TABLE, item, at, family, quiet),
  });
  return ownBook(twin, 'card');
}

// A book of which no entry is whole was made by somebody else.
const ownBook = (twin: OwnTwin | null, form: Form): OwnBook | null =>
  twin === null || (twin.byId.size === 0 && twin.body.entries.length > 0) ? null : { twin, form };

// One value there says several of them: the switch of both lists, the number that stands for a place.
const TOGETHER: OwnDialect['together'] = [
  KEYS_TOGETHER,
  ...PLACE_TOGETHER,
  { paths: ['probability.chance', 'probability.used'] },
  // A constant entry that rolls is told as one that is found in every text.
  {
    paths: [
      ...['constant', 'probability.chance', 'probability.used', 'recursion.exclude', 'selective'],
      ...['keys', 'secondaryKeys', 'scan.depth', 'scan.caseSensitive', 'scan.matchWholeWords'],
    ],
    by: ['constant', 'probability.chance', 'probability.used'],
    areApart: (source, told, read) => [told, read].every(({ constant }) => constant === source.constant),
  },
  { paths: ['selective', 'logic'] },
  { paths: ['group.name', 'group.override', 'group.weight'] },
  { paths: ['title', 'memo'] },
];

/** How an entry of Lumiverse's own is written over. */
export const ownLumiverse = (form: Form): OwnDialect => ({
  table: LUMIVERSE_TABLES[form],
  options: READ_LUMIVERSE,
  together: TOGETHER,
  carriesBag: true,
});

/** Names beside the table's: of the app's own, at the entry in a world book, in the extensions in a card's book. */
const BESIDE = ['priority', 'uid'];

// What SillyTavern left in the extensions of an entry that came from it: in a card's book Lumiverse would read it before
// its own values, or where it has none.
const LEFT_BEHIND = ['selectiveLogic', 'useProbability', 'group'];

type Bags = Record<Wire['at'], Record<string, Json | undefined>>;

const pairsOf = (from: Form, to: Form): readonly (readonly [Wire, Wire])[] => [
  ...LUMIVERSE_FIELDS.flatMap(({ rows }) =>
    (rows[from]?.wires ?? []).flatMap((wire, at) => {
      const other = rows[to]?.wires[at];
      return other === undefined ? [] : [[wire, other] as const];
    }),
  ),
  ...BESIDE.map((key) => [wireOf(from, key), wireOf(to, key)] as const),
];

const wireOf = (form: Form, key: string): Wire => ({
  at: form === 'card' ? 'extensions' : 'entry',
  key,
  foreign: false,
  invert: false,
});

/** An entry of Lumiverse's own in another of its forms, value by value; `id` is its number in a card's book. */
export function inForm(raw: JsonObject, from: Form, to: WrittenForm, id: number): JsonObject {
  if (from === to) return to === 'card' && raw['id'] !== id ? { ...raw, id } : raw;
  const held = isObject(raw['extensions']) ? raw['extensions'] : {};
  const source: Bags = { entry: withoutKey(withoutKey(raw, 'extensions'), 'id'), extensions: held };
  const left: Bags = { entry: { ...source.entry }, extensions: { ...source.extensions } };
  const made: Bags = { entry: {}, extensions: {} };
  for (const [wire, other] of pairsOf(from, to)) {
    const value = source[wire.at][wire.key];
    delete left[wire.at][wire.key];
    if (value === undefined) continue;
    // The one field that is said the other way round.
    const isTurned = wire.key !== other.key && [wire.key, other.key].includes('disabled');
    made[other.at][other.key] = isTurned ? value !== true : value;
  }
  // There the extensions are among the entry's own fields.
  const [top, bag] = from === 'sillytavern' ? [{}, left.entry] : [left.entry, left.extensions];
  if (to === 'card') for (const name of LEFT_BEHIND) delete bag[name];
  return {
    ...(to === 'card' ? { id } : {}),
    ...top,
    ...made.entry,
    extensions: { ...bag, ...made.extensions },
  };
}

/** A book as far as it is told whether Lumiverse wrote it. */
interface MaybeOwn {
  readonly ownBook: OwnBook | null;
  readonly own: readonly OwnPart[];
  readonly entries: readonly unknown[];
}

const HELD = new Set(
  LUMIVERSE_FIELDS.filter(({ rows }) => rows.native !== undefined).map(({ path }) => path),
);
const HELD_ROWS = CHARACTER_BOOK_FIELDS.filter(({ path }) => HELD.has(path));

/** The book into which Lumiverse merged all these lorebooks in its card, where none of them was edited; else null. */
export function ownMergedBook(character: CanonicalCharacter, books: readonly MaybeOwn[]): JsonObject | null {
  const raw = rawCardData(character, [])['character_book'];
  const parts = isObject(raw) ? splitMergedBook(raw) : null;
  if (!isObject(raw) || parts === null || parts.length !== books.length) return null;
  const isOwn = books.every(({ ownBook, own, entries }, at) => {
    if (ownBook === null || own.some(({ edited }) => edited.length > 0)) return false;
    const { twin } = ownBook;
    const merged = readCharacterBook(parts[at] as JsonObject, '').body.entries;
    // What only SillyTavern left in the extensions of the card's book is none of the world book's.
    const isSame = (each: LorebookEntry, index: number): boolean =>
      HELD_ROWS.every((row) => row.same(each, twin.body.entries[index] as LorebookEntry));
    return (
      own.length === entries.length + 1 &&
      twin.byId.size === entries.length &&
      merged.length === twin.body.entries.length &&
      merged.every(isSame)
    );
  });
  return isOwn ? raw : null;
}
