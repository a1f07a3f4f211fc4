// Every file that RisuAI itself wrote reads as the app held it when it exported (the sidecars), field by field.

import { describe, expect, it } from 'vitest';
import { readContainer } from '../../src/containers/container.ts';
import { readPieces } from '../../src/convert.ts';
import { convertFile } from '../../src/convert-file.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { CanonicalLorebook, Escrow } from '../../src/core/lorebook.ts';
import { lorebookToCharacterBook, readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { rawEntries } from '../../src/formats/_shared/raw-entries.ts';
import { isRisuLorebook, readRisuLorebook } from '../../src/formats/risu/lorebook-file.ts';
import { openFile } from '../../src/open-file.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import {
  foreignFiles,
  foreignFilesOf,
  type HeldByApp,
  type MeantBook,
  type MeantEntry,
  type ReadBooks,
  readingOf,
  timesSaid,
} from '../support/foreign-files.ts';

interface EntryOfApp extends HeldByApp<string | { readonly regex: string }> {
  readonly kind?: 'folder';
  readonly logic: readonly string[];
  readonly forcedOn: boolean;
  readonly priority: number | null;
  readonly position: string;
  readonly role?: string;
  readonly probability: number | null;
  readonly timing: Readonly<Record<string, string | boolean>>;
  readonly recursion: { readonly canTrigger: boolean | string; readonly searchesRecursionText: boolean };
  readonly scan: {
    readonly depth: number | string;
    readonly wholeWord: boolean | string;
    readonly caseSensitive: boolean;
  };
  readonly folder: string | null;
}
interface Sidecar {
  readonly format: string;
  readonly lostInFormat: readonly string[];
  readonly books: readonly [
    {
      readonly settings: {
        readonly scanDepth?: number;
        readonly tokenBudget?: number;
        readonly recursion?: boolean;
      };
      readonly entries: readonly EntryOfApp[];
    },
  ];
}

const { names: NAMES, bytesOf, sidecarOf } = foreignFiles<Sidecar>('risu');

function booksIn(name: string): ReadBooks {
  const { json } = readContainer(bytesOf(name), name);
  deepFreeze(json);
  if (!isRisuLorebook(json)) return readPieces(json);
  const { lorebook, findings } = readRisuLorebook(json, 'b', 'x');
  return { lorebooks: [lorebook], findings };
}
const bookIn = (name: string) => booksIn(name).lorebooks[0] as CanonicalLorebook;

function placeOf({ position: words, role = 'system' }: EntryOfApp): unknown {
  const fromEnd = /^at depth (\d+)(?: from the end|\s*\(end of prompt\))?/.exec(words);
  if (fromEnd !== null) return ['depth', Number(fromEnd[1]), role];
  // RisuAI counts from the top what the standard counts from the end; SillyTavern can only do the latter.
  const fromTop = /^index (\d+) counted from the TOP/.exec(words);
  if (fromTop !== null) return ['depth', Number(fromTop[1]), role];
  const marker = /^prompt-template marker "(.*)"$/.exec(words);
  if (marker !== null) return ['outlet', marker[1]];
  return [words.startsWith('before the character description') ? 'world' : 'character'];
}

/** The one condition that SillyTavern has beside the keys, in the words of the sidecar. */
function conditionOf({ logic, secondaryKeys }: EntryOfApp): unknown {
  const lists = logic.flatMap(
    (words) => /^(and any of|and none of|not when every)[^[]*\[(.*)\]$/.exec(words)?.slice(1, 3) ?? [],
  );
  const [kind, list = ''] = lists;
  if (logic[0] === 'any secondary key too') return ['and_any', secondaryKeys];
  if (kind === 'and none of') return ['not_any', list.split(',')];
  if (kind === 'not when every') return ['not_all', list.split(',')];
  if (lists.length === 4) return ['and_all', [`/${list.replace(',', '|')}/i`, lists[3]]];
  return kind === 'and any of' ? ['and_any', list.split(',')] : null;
}

const unlessBooks = <T>(value: T): T | null => (value === 'book setting' ? null : value);

function expected(entry: EntryOfApp): MeantEntry {
  const { timing, recursion, scan } = entry;
  const delay = timing['activate_only_after'];
  return {
    heading: entry.title,
    content: entry.content,
    keys: entry.keys.map((key) => (typeof key === 'string' ? key : key.regex)),
    condition: conditionOf(entry),
    enabled: entry.enabled,
    constant: entry.constant || entry.forcedOn,
    order: entry.order,
    place: placeOf(entry),
    role: entry.role ?? 'system',
    probability: { chance: entry.probability ?? 100, used: true },
    timing: { delay: delay === undefined ? null : Number(delay) },
    recursion: { prevent: recursion.canTrigger === false, exclude: !recursion.searchesRecursionText },
    scan: {
      depth: unlessBooks(scan.depth),
      matchWholeWords: unlessBooks(scan.wholeWord),
      caseSensitive: scan.caseSensitive,
    },
    folder: entry.folder ?? undefined,
  };
}

const loreOf = (name: string): readonly EntryOfApp[] =>
  sidecarOf(name).books[0].entries.filter(({ kind }) => kind !== 'folder');

function meantBooks(name: string): readonly MeantBook[] {
  const { books, lostInFormat } = sidecarOf(name);
  const { scanDepth = null, tokenBudget = null, recursion = null } = books[0].settings;
  const body = { scanDepth, tokenBudget, recursiveScanning: recursion };
  return [{ body: lostInFormat.includes('book settings') ? {} : body, entries: loreOf(name).map(expected) }];
}

foreignFilesOf({
  name: 'RisuAI',
  files: NAMES,
  count: 20,
  read: booksIn,
  meant: meantBooks,
  also: (name, { findings }) => {
    const hasFolders = loreOf(name).length < sidecarOf(name).books[0].entries.length;
    expect(timesSaid(findings, 'folders')).toBe(hasFolders ? 1 : 0);
  },
  inCards: {
    family: 'risu',
    files: NAMES.filter((name) => !/lorebook_export|\.risum$/.test(name)),
    title: 'the book comes out as it went in',
    also: expectOneEdited,
  },
});

function expectOneEdited({ id, body, original }: CanonicalLorebook): void {
  const escrow = original[CHARACTER_BOOK] as Escrow;
  const edited = body.entries.map((entry, at) => (at === 1 ? { ...entry, content: 'Edited.' } : entry));
  const written = lorebookToCharacterBook({ ...body, entries: edited }, escrow);
  const before = rawEntries(escrow.raw as JsonObject).items;
  const after = rawEntries(written).items;
  expect(after.filter((raw, at) => raw !== before[at])).toHaveLength(1);
  const read = readCharacterBook(written, id).body.entries;
  // Another app's mark is no field of ours.
  expect(read.map(readingOf)).toEqual(edited.map(readingOf));
}

describe('files that RisuAI wrote', () => {
  it.each(NAMES)('%s: what SillyTavern cannot say is named, once', (name) => {
    const { findings } = booksIn(name);
    const entries = loreOf(name);
    const said = (path: string): number => timesSaid(findings, path);
    const count = (test: (entry: EntryOfApp) => boolean): number => entries.filter(test).length;
    for (const word of [
      'keep_activate_after_match',
      'dont_activate_after_match',
      'activate_only_every',
      'is_greeting',
    ]) {
      expect(said(`decorators.${word}`)).toBe(count(({ timing }) => timing[word] !== undefined));
    }
    expect(said('position.depth')).toBe(count(({ position }) => position.includes('from the TOP')));
    expect(said('position.slot')).toBe(
      count(({ position }) => /default lorebook|^(prepend|append)/.test(position)),
    );
  });
  it('a module has a name, and is the same in the words of JSON', () => {
    const name = 'risu-full-ilsa-marrow-module.risum';
    const { json } = readContainer(bytesOf(name), name);
    const { lorebook } = readRisuLorebook(json, 'b', 'x');
    expect(lorebook.name).toBe('Tern Quay module');
    if (!isObject(json) || !isObject(json['module'])) throw new Error('no module');
    for (const form of [{ ...json['module'], type: 'risuModule' }, json['module']]) {
      expect(isRisuLorebook(form)).toBe(true);
      expect(readRisuLorebook(form, 'b', 'x').body).toEqual(lorebook.body);
    }
    const without = { type: 'risuModule', module: { name: 'Only pictures' } };
    expect(readRisuLorebook(without, 'b', 'x').body.entries).toEqual([]);
  });
  it.each([
    ['cut off', (bytes: Uint8Array) => bytes.subarray(0, 1000)],
    ['of other bytes', (bytes: Uint8Array) => bytes.map((byte, at) => (at < 6 ? byte : (byte + 1) % 256))],
    ['of nothing', () => new Uint8Array([111, 0, 0, 0, 0, 0, 0])],
  ])('a module %s is refused in one sentence', (_, change) => {
    const bytes = change(new Uint8Array(bytesOf('risu-full-ilsa-marrow-module.risum')));
    expect(() => readContainer(bytes, 'm.risum')).toThrow(/^m\.risum is a RisuAI module [^\n]*\.$/);
  });
  it.each(NAMES)('%s goes to SillyTavern in its own words', (name) => {
    const { files } = convertFile(openFile(bytesOf(name), name), { target: 'sillytavern', form: 'book' });
    const raw = JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as JsonObject;
    const entries = raw['entries'] as readonly JsonObject[];
    const { entries: held } = bookIn(name).body;
    expect(entries.map(({ content }) => content)).toEqual(held.map(({ content }) => content));
    expect(entries.map(({ enabled }) => enabled)).toEqual(held.map(({ enabled }) => enabled));
    for (const entry of entries) expect(entry['extensions']).toHaveProperty('position');
    expect(readCharacterBook(raw, 'b').body.entries.map(readingOf)).toEqual(held.map(readingOf));
  });
});
