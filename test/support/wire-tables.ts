// Entry by entry, what another app's file holds of it: the entries that every app is asked for, and the tests that are the
// same for every app's rows.

import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/finding.ts';
import type { Key } from '../../src/core/key.ts';
import { readKey } from '../../src/core/key.ts';
import type { ResolvedCharacter } from '../../src/core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { FIELD_VALUES } from './entry-values.ts';
import { characterInForce, entryOf, lorebookOf, type PartOfEntry } from './in-force.ts';

/** Keys that are plain texts. */
export const literal = (...texts: readonly string[]): readonly Key[] =>
  texts.map((text) => ({ kind: 'literal' as const, text }));

/** A key that is a pattern. */
export const regex = (source: string, flags = ''): Key => ({ kind: 'regex', source, flags });

/** Keys as they are written in SillyTavern. */
export const keysOf = (...written: readonly string[]): readonly Key[] =>
  written.map((text) => readKey(text).key);

const USUAL = {
  'second keys': { secondaryKeys: literal('oil') },
  'at a depth': { position: { slot: 'depth', depth: 0, role: 'system' } },
  'as the user': { position: { slot: 'depth', depth: 3, role: 'user' } },
  'as the character': { position: { slot: 'depth', depth: 9, role: 'assistant' } },
  'before the examples': { position: { slot: 'before_example' } },
  'after the examples': { position: { slot: 'after_example' } },
  'an outlet': { position: { slot: 'outlet', outlet: 'shelf' } },
  'top of the note': { position: { slot: 'note_top', depth: 9, role: 'user' } },
  'bottom of the note': { position: { slot: 'note_bottom' } },
  'scan depth 0': { scan: { depth: 0 } },
  'scan depth 0, constant': { scan: { depth: 0 }, constant: true },
  'a level of delay': { recursion: { delayUntil: 3 } },
  timing: { timing: { sticky: 4, cooldown: 2, delay: 1 } },
  'several groups': { group: { name: 'a, b' } },
  'a counted group': { group: { name: 'a', scoring: true } },
  triggers: { triggers: ['normal', 'swipe'] },
  'triggers without replies': { triggers: ['swipe'] },
  'no budget': { ignoreBudget: true },
  'an automation': { automationId: 'x' },
  'an automation, dropped': { automationId: 'x' },
  'a character filter': { characterFilter: { exclude: true, names: ['Odo'], tags: [] } },
} as const satisfies Readonly<Record<string, PartOfEntry>>;

/** The beginning of a row that more than one app has: its name, and what the entry is. */
export const usual = (name: keyof typeof USUAL): readonly [string, PartOfEntry] => [name, USUAL[name]];

/** The codes that were said of a field. */
export type Codes = (path: string) => readonly string[];

/** The codes that were said of a field of an entry: of any, or of the one of that id. */
export const codesIn =
  (findings: readonly Finding[], entryId?: string): Codes =>
  (path) =>
    findings
      .filter(
        (each) => each.entryId !== null && each.entryId === (entryId ?? each.entryId) && each.path === path,
      )
      .map(({ code }) => code);

/**
 * An entry that an app has in another way: what its file holds, and the one code that is said of each field; of all
 * other fields nothing is said.
 */
export type OtherwiseRow<Options> = readonly [
  name: string,
  given: PartOfEntry,
  held: unknown,
  said: Readonly<Record<string, string>>,
  options?: Options,
];

const all =
  (code: string) =>
  (...paths: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(paths.map((path) => [path, code]));

/** That fields are only nearly there. */
export const approximated = all('approximated');

/** That fields are only kept aside. */
export const stashed = all('stashed');

/** What is an app's own about what it has in another way. */
export interface Otherwise<Options> {
  readonly app: string;
  /** Writes an entry, with the options that are usual in these tests unless others are given. */
  readonly write: (
    given: PartOfEntry,
    options?: Options,
  ) => { readonly held: unknown; readonly codes: Codes };
  readonly rows: readonly OtherwiseRow<Options>[];
  /** All files that it writes without private fields. */
  readonly withoutPrivate: (resolved: ResolvedCharacter) => readonly unknown[];
}

/** Describes the rows of an app, and that a dropped private field stands nowhere in its files. */
export function otherwiseOf<Options>({ app, write, rows, withoutPrivate }: Otherwise<Options>): void {
  describe(`values that ${app} has in another way, or not at all`, () => {
    it.each(rows.map((row) => [row[0], row] as const))('%s', (_, [, given, held, said, options]) => {
      const out = write(given, options);
      expect(out.held).toMatchObject(held as object);
      for (const path of new Set([...FIELD_VALUES.map((each) => each.path), ...Object.keys(said)])) {
        const code = said[path];
        expect([path, out.codes(path)]).toEqual([path, code === undefined ? [] : [code]]);
      }
    });
    it('a dropped private field stands nowhere', () => {
      const filter = { exclude: true, names: ['Odo Pell'], tags: ['t77'] };
      const entry = entryOf({ automationId: 'au9', characterFilter: filter });
      for (const json of withoutPrivate(characterInForce([lorebookOf([entry])])))
        expect(JSON.stringify(json)).not.toMatch(/au9|Odo Pell|t77/);
    });
  });
}

/** A row of a dialect's table, as far as it is looked at here. */
interface Field {
  readonly path: string;
  readonly rows?: {
    readonly card?: { readonly wires: readonly { readonly at: string; readonly key: string }[] };
  };
}

/** Describes a dialect's table: it has every field that we know, once, but for those that the app has not. */
export function tableOf(fields: readonly Field[], unheld: readonly string[] = []): void {
  describe('the table', () => {
    it('has every field that we know, once', () => {
      const known = CHARACTER_BOOK_FIELDS.map(({ path }) => path).filter((path) => !unheld.includes(path));
      expect(fields.map(({ path }) => path).sort()).toEqual(known.sort());
    });
  });
}

/** Describes that cards are written at the places that the reader of all cards knows; at one level, if it is given. */
export function cardPlacesOf(fields: readonly Field[], level?: 'entry'): void {
  describe('the table', () => {
    it('writes a card where the shared reader looks', () => {
      for (const { path, rows } of fields) {
        const [first] = rows?.card?.wires ?? [];
        if (first === undefined) continue;
        expect([path, first.at]).toEqual([path, level ?? first.at]);
        const wires = CHARACTER_BOOK_FIELDS.find((row) => row.path === path)?.wires ?? [];
        const known = wires.filter(({ at }) => at === first.at).map(({ key }) => key);
        expect([path, known]).toEqual([path, expect.arrayContaining([first.key])]);
      }
    });
  });
}
