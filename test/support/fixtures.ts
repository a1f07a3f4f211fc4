// The case files, and small cards and entries made on the spot.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { deepFreeze } from './deep-freeze.ts';

// A path, since the page's own URL, under jsdom, is none that files are read from.
const CASES = join(import.meta.dirname, '../fixtures/cases');

/** A case file by the beginning of its name (`18-`, `S1-`, `peers/05-`), frozen. */
export function readCase(prefix: string): JsonObject {
  const folder = prefix.startsWith('peers/') ? 'peers/' : '';
  const start = prefix.slice(folder.length);
  const name = readdirSync(join(CASES, folder)).find(
    (each) => each.startsWith(start) && each.endsWith('.json'),
  );
  if (name === undefined) throw new Error(`no case ${prefix}`);
  return deepFreeze(JSON.parse(readFileSync(join(CASES, folder, name), 'utf8')) as JsonObject);
}

/** All peers by file name. */
export function readPeers(): readonly (readonly [string, JsonObject])[] {
  return readdirSync(join(CASES, 'peers'))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [name, readCase(`peers/${name}`)] as const);
}

/** A value as it comes back from a file. */
export function throughJson<T>(value: T): T {
  return deepFreeze(JSON.parse(JSON.stringify(value)) as T);
}

/** A V2 card that holds a book, or none. */
export function cardWith(book: Json | undefined, data: JsonObject = {}): JsonObject {
  return deepFreeze({
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: {
      name: 'Mara Lint',
      description: 'Keeps a light on the north quay.',
      personality: '',
      scenario: '',
      first_mes: 'The lamp is lit.',
      mes_example: '',
      extensions: {},
      ...data,
      ...(book === undefined ? {} : { character_book: book }),
    },
  });
}

/** A book with entries. */
export function bookOf(...entries: readonly Json[]): JsonObject {
  return deepFreeze({ name: 'Quay Notes', extensions: {}, entries });
}

/** An ordinary entry of a card's book; what is given replaces or adds. */
export function bookEntry(given: JsonObject = {}): JsonObject {
  return deepFreeze({
    id: 0,
    keys: ['lamp'],
    secondary_keys: [],
    comment: 'Lamp',
    content: 'Lamp note.',
    enabled: true,
    insertion_order: 100,
    constant: false,
    selective: false,
    position: 'before_char',
    extensions: {},
    ...given,
  });
}

/** A world file's entry with SillyTavern's defaults; what is given replaces or adds. */
export function worldEntry(uid: number, given: JsonObject = {}): JsonObject {
  return deepFreeze({
    uid,
    key: ['lamp'],
    keysecondary: [],
    comment: 'Lamp',
    content: 'Lamp note.',
    constant: false,
    vectorized: false,
    selective: true,
    selectiveLogic: 0,
    addMemo: true,
    order: 100,
    position: 0,
    disable: false,
    ...given,
  });
}

/** A world file of entries, each under its uid. */
export function worldOf(...entries: readonly JsonObject[]): JsonObject {
  return deepFreeze({ entries: Object.fromEntries(entries.map((entry) => [String(entry['uid']), entry])) });
}

/** The entries of a world file by uid. */
export function worldEntriesOf(world: JsonObject): Readonly<Record<string, JsonObject>> {
  return world['entries'] as Readonly<Record<string, JsonObject>>;
}
