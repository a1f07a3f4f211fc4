// Every file that RisuAI itself wrote reads as the app held it when it exported (the sidecars), field by field.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readContainer } from '../../src/containers/container.ts';
import { readPieces } from '../../src/convert.ts';
import { convertFile } from '../../src/convert-file.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import { familyOf } from '../../src/formats/_shared/book-family.ts';
import { lorebookToCharacterBook, readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { rawEntries } from '../../src/formats/_shared/raw-entries.ts';
import { isRisuLorebook, readRisuLorebook } from '../../src/formats/risu/lorebook-file.ts';
import { openFile } from '../../src/open-file.ts';
import { deepFreeze } from '../support/deep-freeze.ts';

const FOLDER = new URL('../fixtures/foreign/risu/', import.meta.url);
const NAMES = readdirSync(FOLDER).filter((name) => !name.endsWith('.expect.json'));

interface EntryOfApp {
  readonly kind?: 'folder';
  readonly title: string;
  readonly content: string;
  readonly keys: readonly (string | { readonly regex: string })[];
  readonly secondaryKeys: readonly string[];
  readonly logic: readonly string[];
  readonly enabled: boolean;
  readonly constant: boolean;
  readonly forcedOn: boolean;
  readonly order: number;
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

const bytesOf = (name: string): Uint8Array => readFileSync(new URL(name, FOLDER));
const sidecarOf = (name: string): Sidecar =>
  JSON.parse(readFileSync(new URL(`${name}.expect.json`, FOLDER), 'utf8')) as Sidecar;

interface ReadBook {
  readonly lorebook: CanonicalLorebook;
  readonly findings: readonly Finding[];
}

function bookIn(name: string): ReadBook {
  const { json } = readContainer(bytesOf(name), name);
  deepFreeze(json);
  if (isRisuLorebook(json)) return readRisuLorebook(json, 'b', 'x');
  const { lorebooks, findings } = readPieces(json);
  expect(lorebooks).toHaveLength(1);
  return { lorebook: lorebooks[0] as CanonicalLorebook, findings };
}

function placeOf(words: string): unknown {
  const fromEnd = /^at depth (\d+)(?: from the end|\s*\(end of prompt\))?/.exec(words);
  if (fromEnd !== null) return ['depth', Number(fromEnd[1])];
  // RisuAI counts from the top what the standard counts from the end; SillyTavern can only do the latter.
  const fromTop = /^index (\d+) counted from the TOP/.exec(words);
  if (fromTop !== null) return ['depth', Number(fromTop[1])];
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

const isBooks = (value: unknown): boolean => value === 'book setting';

function expected(entry: EntryOfApp): unknown {
  return {
    title: entry.title,
    content: entry.content,
    keys: entry.keys.map((key) => (typeof key === 'string' ? key : key.regex)),
    condition: conditionOf(entry),
    enabled: entry.enabled,
    constant: entry.constant || entry.forcedOn,
    order: entry.order,
    place: placeOf(entry.position),
    role: entry.role ?? 'system',
    probability: { chance: entry.probability ?? 100, used: true },
    delay:
      entry.timing['activate_only_after'] === undefined ? null : Number(entry.timing['activate_only_after']),
    prevent: entry.recursion.canTrigger === false,
    exclude: !entry.recursion.searchesRecursionText,
    depth: isBooks(entry.scan.depth) ? null : entry.scan.depth,
    wholeWord: isBooks(entry.scan.wholeWord) ? null : entry.scan.wholeWord,
    caseSensitive: entry.scan.caseSensitive,
    folder: entry.folder ?? undefined,
  };
}

function shown(entry: LorebookEntry): unknown {
  const { slot, depth, role, outlet } = entry.position;
  const isConditional = entry.selective && entry.secondaryKeys.length > 0;
  const folder = entry.bag.entry['folder'];
  return {
    title: entry.memo || entry.title,
    content: entry.content,
    keys: entry.keys.map(writeKey),
    condition: isConditional ? [entry.logic, entry.secondaryKeys.map(writeKey)] : null,
    enabled: entry.enabled,
    constant: entry.constant,
    order: entry.order,
    place: slot === 'depth' ? [slot, depth] : slot === 'outlet' ? [slot, outlet] : [slot],
    role,
    probability: entry.probability,
    delay: entry.timing.delay,
    prevent: entry.recursion.prevent,
    exclude: entry.recursion.exclude,
    depth: entry.scan.depth,
    wholeWord: entry.scan.matchWholeWords,
    caseSensitive: entry.scan.caseSensitive,
    folder,
  };
}

describe('files that RisuAI wrote', () => {
  it('are all here', () => {
    expect(NAMES).toHaveLength(20);
  });
  it.each(NAMES)('%s reads as the app held it', (name) => {
    const sidecar = sidecarOf(name);
    const { lorebook, findings } = bookIn(name);
    const { entries, settings } = sidecar.books[0];
    const lore = entries.filter(({ kind }) => kind !== 'folder');
    expect(lorebook.body.entries.map(shown)).toEqual(lore.map(expected));
    if (!sidecar.lostInFormat.includes('book settings')) {
      expect(lorebook.body).toMatchObject({
        scanDepth: settings.scanDepth ?? null,
        tokenBudget: settings.tokenBudget ?? null,
        recursiveScanning: settings.recursion ?? null,
      });
    }
    expect(findings.filter(({ path }) => path === 'folders')).toHaveLength(
      lore.length < entries.length ? 1 : 0,
    );
  });
  it.each(NAMES)('%s: what SillyTavern cannot say is named, once', (name) => {
    const { findings } = bookIn(name);
    const { entries } = sidecarOf(name).books[0];
    const said = (path: string): number => findings.filter((each) => each.path === path).length;
    const count = (test: (entry: EntryOfApp) => boolean): number =>
      entries.filter((entry) => entry.kind !== 'folder' && test(entry)).length;
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
  it.each(NAMES.filter((name) => !/lorebook_export|\.risum$/.test(name)))(
    '%s: the book comes out as it went in',
    (name) => {
      const { lorebook } = bookIn(name);
      const escrow = lorebook.original[CHARACTER_BOOK];
      if (escrow === undefined || !isObject(escrow.raw)) throw new Error('no book');
      expect(familyOf(escrow.raw).family).toBe('risu');
      expect(lorebookToCharacterBook({ ...lorebook.body }, escrow)).toBe(escrow.raw);
      const { entries } = lorebook.body;
      const edited = entries.map((entry, at) => (at === 1 ? { ...entry, content: 'Edited.' } : entry));
      const written = lorebookToCharacterBook({ ...lorebook.body, entries: edited }, escrow);
      const before = rawEntries(escrow.raw).items;
      const after = rawEntries(written).items;
      expect(after.filter((raw, at) => raw !== before[at])).toHaveLength(1);
      const read = readCharacterBook(written, lorebook.id).body.entries;
      // Another app's mark is no field of ours.
      expect(read.map(shown)).toEqual(edited.map(shown));
    },
  );
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
    const { entries: held } = bookIn(name).lorebook.body;
    expect(entries.map(({ content }) => content)).toEqual(held.map(({ content }) => content));
    expect(entries.map(({ enabled }) => enabled)).toEqual(held.map(({ enabled }) => enabled));
    for (const entry of entries) expect(entry['extensions']).toHaveProperty('position');
    expect(readCharacterBook(raw, 'b').body.entries.map(shown)).toEqual(held.map(shown));
  });
});
