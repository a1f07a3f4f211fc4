// Books and cards as no sane app writes them: half valid, with fields of the wrong kind, keys of every level missing,
// doubled or named like the prototype, huge numbers and broken Unicode.

import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { anyJson, anyNumber, anyText, HOSTILE_NAMES, PLAUSIBLE } from './arbitrary-values.ts';
import { deepFreeze } from './deep-freeze.ts';

/** An object of key and value pairs; a key called __proto__ is a plain key. */
function objectOf(
  pair: fc.Arbitrary<readonly [string, Json]>,
  size: { minLength?: number; maxLength: number },
): fc.Arbitrary<JsonObject> {
  return fc.array(pair, size).map((pairs) => Object.fromEntries(pairs));
}

const unknownPair = fc.tuple(
  fc.oneof(fc.constantFrom(...HOSTILE_NAMES, 'vendor', 'x_top', 'excludeRecursion'), anyText),
  anyJson,
);

interface Place {
  readonly at: 'entry' | 'extensions';
  readonly key: string;
  readonly value: Json;
}

// What tells whose book it is (decisions 8a); other fields may then stand over it.
const FAMILIES: readonly (readonly Place[])[] = [
  [],
  [],
  [
    { at: 'entry', key: 'position', value: 4 },
    { at: 'extensions', key: 'selective_logic', value: 0 },
  ],
  [
    { at: 'entry', key: 'selectiveLogic', value: 'and' },
    { at: 'entry', key: 'preventRecursion', value: true },
    { at: 'entry', key: 'groupWeight', value: null },
  ],
  [
    { at: 'entry', key: 'selectiveLogic', value: 'and' },
    { at: 'entry', key: 'preventRecursion', value: true },
    { at: 'entry', key: 'groupWeight', value: null },
    { at: 'entry', key: 'useRegex', value: true },
  ],
  [{ at: 'extensions', key: 'risu_loreCache', value: null }],
  [{ at: 'entry', key: 'use_regex', value: true }],
  [{ at: 'extensions', key: 'vectorized', value: false }],
];

/** One entry of a book: known fields at any of their wires, unknown ones beside them. */
export const anyEntry: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(
        knownPlaces(),
        objectOf(unknownPair, { maxLength: 2 }),
        objectOf(unknownPair, { maxLength: 2 }),
        anyId(),
        anyBag(),
      )
      .map(assemble),
  },
  { weight: 1, arbitrary: anyJson },
);

function knownPlaces(): fc.Arbitrary<readonly Place[]> {
  const places = CHARACTER_BOOK_FIELDS.flatMap((row) =>
    row.wires.map(({ at, key }) => ({
      at,
      key,
      value: key === 'use_regex' ? fc.boolean() : (PLAUSIBLE[row.path] ?? fc.boolean()),
    })),
  );
  const place = fc
    .constantFrom(...places)
    .chain(({ at, key, value }) =>
      fc
        .oneof(
          { weight: 8, arbitrary: value },
          { weight: 1, arbitrary: fc.constant<Json>(null) },
          { weight: 1, arbitrary: anyJson },
        )
        .map((held): Place => ({ at, key, value: held })),
    );
  return fc
    .tuple(fc.constantFrom(...FAMILIES), fc.array(place, { maxLength: 18 }))
    .map(([family, own]) => [...family, ...own]);
}

function anyId(): fc.Arbitrary<Json | undefined> {
  return fc.oneof(
    fc.nat(5),
    fc.constantFrom<Json | undefined>(undefined, undefined, null, 'x', '3', -1, 2.5),
  );
}

function anyBag(): fc.Arbitrary<'object' | 'absent' | 'odd'> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant('object' as const) },
    fc.constantFrom('absent' as const, 'odd' as const),
  );
}

function assemble([places, unknown, unknownInside, id, bag]: [
  readonly Place[],
  JsonObject,
  JsonObject,
  Json | undefined,
  'object' | 'absent' | 'odd',
]): Json {
  const at = (where: Place['at']): [string, Json][] =>
    places.filter((place) => place.at === where).map(({ key, value }) => [key, value]);
  const inside = Object.fromEntries([...Object.entries(unknownInside), ...at('extensions')]);
  const pairs: [string, Json | undefined][] = [...Object.entries(unknown), ...at('entry')];
  if (id !== undefined) pairs.push(['id', id]);
  if (bag === 'object') pairs.push(['extensions', inside]);
  if (bag === 'odd') pairs.push(['extensions', 'odd']);
  return Object.fromEntries(pairs) as JsonObject;
}

const bookPair = fc.oneof(
  fc.tuple(fc.constantFrom('name', 'description'), anyText),
  fc.tuple(fc.constantFrom('scan_depth', 'token_budget'), anyNumber),
  fc.tuple(fc.constant('recursive_scanning'), fc.boolean()),
  fc.tuple(fc.constant('extensions'), objectOf(unknownPair, { maxLength: 3 })),
  fc.tuple(fc.constantFrom('name', 'extensions', 'scan_depth', 'recursive_scanning'), anyJson),
  unknownPair,
) as fc.Arbitrary<readonly [string, Json]>;

const entryList = fc.array(anyEntry, { maxLength: 5 });
const entries = fc.oneof(
  { weight: 10, arbitrary: entryList },
  {
    weight: 2,
    arbitrary: entryList.map((list) =>
      Object.fromEntries(list.map((item, index) => [String(index * 3), item])),
    ),
  },
  { weight: 1, arbitrary: anyJson },
);

/** A half-valid book, frozen. */
export const anyBook: fc.Arbitrary<JsonObject> = fc
  .tuple(objectOf(bookPair, { maxLength: 4 }), entries)
  .map(([head, list]) =>
    deepFreeze(Object.fromEntries([...Object.entries(head), ['entries', list]]) as JsonObject),
  );

/** A half-valid book with at least one entry that is an object. */
export const anyFilledBook: fc.Arbitrary<JsonObject> = fc
  .tuple(
    objectOf(bookPair, { maxLength: 3 }),
    fc.array(
      anyEntry.filter((entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry)),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([head, list]) =>
    deepFreeze(Object.fromEntries([...Object.entries(head), ['entries', list]]) as JsonObject),
  );

const SLOTS = [
  'data.character_book',
  'data.extensions.character_book',
  'data.extensions.character_books',
  'character_book',
];

/** A half-valid card with books, or what passes for them, in any of its slots. */
export const anyCard: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom(...SLOTS),
        fc.oneof({ weight: 4, arbitrary: anyBook }, { weight: 1, arbitrary: anyJson }),
      ),
      { maxLength: 3 },
    ),
    objectOf(unknownPair, { maxLength: 2 }),
    objectOf(unknownPair, { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([books, unknown, unknownInside, flat]) => {
    const held = new Map<string, Json>(books);
    const root: [string, Json | undefined][] = [...Object.entries(unknown), ['name', 'Mara Lint']];
    const atRoot = held.get('character_book');
    if (atRoot !== undefined) root.push(['character_book', atRoot]);
    if (flat) return deepFreeze(Object.fromEntries([...root, ['first_mes', 'Hi.']]) as JsonObject);
    const single = held.get('data.extensions.character_book');
    const list = held.get('data.extensions.character_books');
    const extensions = Object.fromEntries([
      ...Object.entries(unknownInside),
      ...(single === undefined ? [] : [['character_book', single] as const]),
      ...(list === undefined ? [] : [['character_books', [list]] as const]),
    ]);
    const standard = held.get('data.character_book');
    const data = {
      name: 'Mara Lint',
      extensions,
      ...(standard === undefined ? {} : { character_book: standard }),
    };
    return deepFreeze(Object.fromEntries([...root, ['spec', 'chara_card_v2'], ['data', data]]) as JsonObject);
  });
