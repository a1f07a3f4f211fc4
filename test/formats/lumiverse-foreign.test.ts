// Every file that Lumiverse itself wrote reads as the app held it when it exported (the sidecars), field by field.

import { readdirSync, readFileSync } from 'node:fs';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import { familyOf } from '../../src/formats/_shared/book-family.ts';
import { lorebookToCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { isLumiverseWorldBook, readLumiverseWorldBook } from '../../src/formats/lumiverse/native-book.ts';
import { inspectFile } from '../../src/inspection/inspection.ts';
import { formatOf, openFile } from '../../src/open-file.ts';
import { deepFreeze } from '../support/deep-freeze.ts';

const FOLDER = new URL('../fixtures/foreign/lumiverse/', import.meta.url);
const NAMES = readdirSync(FOLDER).filter((name) => !name.endsWith('.expect.json'));

type KeyOfApp = string | { readonly regex: string; readonly flags: string };
interface EntryOfApp {
  readonly title: string;
  readonly content: string;
  readonly keys: readonly KeyOfApp[];
  readonly secondaryKeys: readonly KeyOfApp[];
  readonly selective: boolean;
  readonly storedLogic: number;
  readonly enabled: boolean;
  readonly constant: boolean;
  readonly order: number;
  readonly priority: number;
  readonly position: string;
  readonly role: string | null;
  readonly outlet: string | null;
  readonly probability: number | null;
  readonly storedProbability: number;
  readonly timing: Readonly<Record<'sticky' | 'cooldown' | 'delay', number>>;
  readonly group: { readonly name: string; readonly override: boolean; readonly weight: number } | null;
  readonly recursion: Readonly<Record<'prevent' | 'exclude' | 'delayUntil', boolean>>;
  readonly scan: {
    readonly depth: string | number;
    readonly wholeWord: boolean;
    readonly caseSensitive: boolean;
  };
  readonly vectorized: boolean;
  readonly automationId: string | null;
}
interface BookOfApp {
  readonly name: string;
  readonly settings: { readonly description: string };
  readonly entries: readonly EntryOfApp[];
}
interface Sidecar {
  readonly format: string;
  readonly character: { readonly name: string | null };
  readonly books: readonly BookOfApp[];
  readonly lostInFormat?: readonly string[];
}

const bytesOf = (name: string): Uint8Array => readFileSync(new URL(name, FOLDER));
const sidecarOf = (name: string): Sidecar =>
  JSON.parse(readFileSync(new URL(`${name}.expect.json`, FOLDER), 'utf8')) as Sidecar;

interface ReadBooks {
  readonly lorebooks: readonly CanonicalLorebook[];
  readonly findings: readonly Finding[];
}

function booksIn(name: string): ReadBooks {
  if (!name.endsWith('.zip')) {
    const opened = openFile(bytesOf(name), name);
    if (opened.kind === 'worldinfo') throw new Error('taken for a world info file');
    const lorebooks = opened.kind === 'card' ? opened.pieces.lorebooks : [opened.lorebook];
    return { lorebooks, findings: opened.findings };
  }
  const read = Object.values(unzipSync(bytesOf(name))).map((bytes, index) => {
    const json = deepFreeze(JSON.parse(new TextDecoder().decode(bytes)) as Json);
    expect(isLumiverseWorldBook(json)).toBe(true);
    return readLumiverseWorldBook(json, `b${index}`, 'x');
  });
  return {
    lorebooks: read.map(({ lorebook }) => lorebook),
    findings: read.flatMap(({ findings }) => findings),
  };
}

const key = (held: KeyOfApp): string =>
  typeof held === 'string' ? held : `/${held.regex.replaceAll('/', '\\/')}/${held.flags.replace('g', '')}`;

const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^before character block/, 'world'],
  [/^after character block/, 'character'],
  [/author's note top/, 'note_top'],
  [/author's note bottom/, 'note_bottom'],
  [/example messages top/, 'before_example'],
  [/example messages bottom/, 'after_example'],
  [/^pinned before prompt block dialogue_examples$/, 'before_example'],
  [/^pinned after prompt block dialogue_examples$/, 'after_example'],
];
function placeOf({ position: words, outlet }: EntryOfApp): unknown {
  const depth = /^at depth (\d+) from the end, role (\w+)$/.exec(words);
  if (depth !== null) return ['depth', Number(depth[1]), depth[2]];
  if (words.startsWith('outlet ')) return ['outlet', outlet];
  // Where a person puts it, as an outlet is.
  if (words.includes('{{wi_marker}}')) return ['outlet', 'wi_marker'];
  return [PLACES.find(([pattern]) => pattern.test(words))?.[1]];
}

const LOGIC = ['and_all', 'not_any', 'and_any', 'not_all'];
const numberOrNull = (value: number): number | null => (value === 0 ? null : value);

/** What is asked of the reader, in the words of the sidecar. */
function expected(entry: EntryOfApp): Record<string, unknown> {
  const { scan, timing, group, recursion } = entry;
  return {
    title: entry.title,
    content: entry.content,
    keys: entry.keys.map(key),
    secondaryKeys: entry.secondaryKeys.map(key),
    selective: entry.selective,
    logic: LOGIC[entry.storedLogic],
    enabled: entry.enabled,
    constant: entry.constant,
    order: entry.order,
    place: placeOf(entry),
    probability: { chance: entry.storedProbability, used: entry.probability !== null },
    timing: {
      sticky: numberOrNull(timing.sticky),
      cooldown: numberOrNull(timing.cooldown),
      delay: numberOrNull(timing.delay),
    },
    group: {
      name: group?.name ?? '',
      override: group?.override ?? false,
      weight: group?.weight ?? 100,
    },
    recursion: {
      prevent: recursion.prevent,
      exclude: recursion.exclude,
      delayUntil: recursion.delayUntil ? 1 : 0,
    },
    scan: {
      // Nothing is the app's own setting, 0 the whole chat.
      depth: typeof scan.depth === 'string' ? null : scan.depth === 0 ? 1000 : scan.depth,
      caseSensitive: scan.caseSensitive,
      matchWholeWords: scan.wholeWord,
    },
    vectorized: entry.vectorized,
    automationId: entry.automationId ?? '',
  };
}

function shown(entry: LorebookEntry): Record<string, unknown> {
  const { slot, depth, role, outlet } = entry.position;
  const place = slot === 'depth' ? [slot, depth, role] : slot === 'outlet' ? [slot, outlet] : [slot];
  const { name, override, weight } = entry.group;
  return {
    title: entry.memo || entry.title,
    content: entry.content,
    keys: entry.keys.map(writeKey),
    secondaryKeys: entry.secondaryKeys.map(writeKey),
    selective: entry.selective,
    logic: entry.logic,
    enabled: entry.enabled,
    constant: entry.constant,
    order: entry.order,
    place,
    probability: entry.probability,
    timing: entry.timing,
    group: { name, override, weight },
    recursion: entry.recursion,
    scan: entry.scan,
    vectorized: entry.vectorized,
    automationId: entry.automationId,
  };
}

// What the file kept of an entry that came from SillyTavern is what it was before it was edited.
const STALE = ['place', 'logic', 'probability', 'scan'];
const without = (view: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(view).filter(([name]) => !names.includes(name)));

describe('files that Lumiverse wrote', () => {
  it('are all here', () => {
    expect(NAMES).toHaveLength(22);
  });
  it.each(NAMES)('%s reads as the app held it', (name) => {
    const sidecar = sidecarOf(name);
    const { lorebooks } = booksIn(name);
    const isStale = sidecar.lostInFormat?.some((each) => each.includes('overwrite the live ones')) === true;
    const view = (each: Record<string, unknown>) => (isStale ? without(each, STALE) : each);
    expect(lorebooks.map((book) => book.name)).toEqual(sidecar.books.map((book) => book.name));
    for (const [index, book] of sidecar.books.entries()) {
      const { body } = lorebooks[index] as CanonicalLorebook;
      expect(body.entries.map((entry) => view(shown(entry)))).toEqual(
        book.entries.map((entry) => view(expected(entry))),
      );
      if (sidecar.lostInFormat?.some((each) => each.includes('descriptions')) === true) continue;
      expect(body.description).toBe(book.settings.description);
    }
  });
  it.each(NAMES.filter((name) => !name.endsWith('.zip')))('%s is told to be Lumiverse’s', (name) => {
    const opened = openFile(bytesOf(name), name);
    expect(formatOf(opened)).toBe('lumiverse');
    const { entries } = inspectFile(opened);
    expect(entries).toHaveLength(sidecarOf(name).books.flatMap((book) => book.entries).length);
    expect(entries.filter(({ agreement }) => agreement === 'assumed')).toEqual([]);
  });
  it('a priority and a place that SillyTavern has not are named, once each', () => {
    const name = 'lumiverse-full-sabine-orr-book-1-native.json';
    const { findings } = booksIn(name);
    const [book] = sidecarOf(name).books;
    const count = (test: (entry: EntryOfApp) => boolean): number => book?.entries.filter(test).length ?? 0;
    const said = (path: string, code: string): number =>
      findings.filter((each) => each.path === path && each.code === code).length;
    expect(said('priority', 'stashed')).toBe(count(({ priority }) => priority !== 10));
    // The four that it has round the first message, and the marker that is a person's to put.
    expect(said('position.slot', 'approximated')).toBe(5);
  });
  it('what is no more to be told from a “SillyTavern” file is said once', () => {
    const said = (name: string) =>
      booksIn(name).findings.filter(({ code, entryId }) => entryId === null && code === 'assumed');
    expect(said('lumiverse-st-yara-quill-book-sillytavern.json')).toMatchObject([
      { path: 'entries', before: 7 },
    ]);
    expect(said('lumiverse-plain-walter-keen-book-sillytavern.json')).toEqual([]);
  });
  it.each(NAMES)('%s: that keys are searched for in the whole chat there is said once a book', (name) => {
    const sidecar = sidecarOf(name);
    const { findings } = booksIn(name);
    const searched = (entry: EntryOfApp): boolean => !entry.constant && typeof entry.scan.depth === 'string';
    expect(
      findings.filter(({ path }) => path === 'scanDepth').map(({ code, entryId }) => [code, entryId]),
    ).toEqual(
      sidecar.books.filter(({ entries }) => entries.some(searched)).map(() => ['approximated', null]),
    );
  });
  it.each(NAMES.filter((name) => /(?:keen|quill)\.(?:json|png)$/.test(name)))(
    '%s: the book in the card comes out as it went in',
    (name) => {
      for (const { body, original } of booksIn(name).lorebooks) {
        const escrow = original[CHARACTER_BOOK];
        const raw = escrow?.raw;
        if (!isObject(raw)) throw new Error('no book');
        expect(familyOf(raw).family).toBe('lumiverse');
        expect(lorebookToCharacterBook(body, escrow)).toBe(raw);
      }
    },
  );
  it('the stale original of an imported card is one conflict and no lorebook (decisions 8b)', () => {
    for (const form of ['json', 'png']) {
      const { lorebooks, findings } = booksIn(`lumiverse-st-yara-quill.${form}`);
      expect(lorebooks).toHaveLength(1);
      expect(findings.filter(({ path }) => path === 'data.extensions.character_book')).toMatchObject([
        { code: 'conflict', bookId: null },
      ]);
    }
  });
  it('a charx has its lorebooks beside the card, and not a second time in it', () => {
    const opened = openFile(bytesOf('lumiverse-full-sabine-orr.charx'), 'x.charx');
    if (opened.kind !== 'card') throw new Error('no card');
    expect([...opened.pieces.slots.values()]).toEqual([
      'lumiverse_modules.world_books.0',
      'lumiverse_modules.world_books.1',
    ]);
    const held = (opened.card['data'] as JsonObject)['character_book'] as JsonObject;
    expect(held['name']).toBe('Merged Lorebook (2 books)');
  });
  it('a charx whose world books cannot be read has the lorebook of its card, and says so', () => {
    const members = unzipSync(bytesOf('lumiverse-full-sabine-orr.charx'));
    const broken = { ...members, 'lumiverse_modules.json': new TextEncoder().encode('{"version":1') };
    const opened = openFile(zipSync(broken), 'x.charx');
    if (opened.kind !== 'card') throw new Error('no card');
    expect([...opened.pieces.slots.values()]).toEqual(['data.character_book', 'data.character_book']);
    expect(opened.container.notes).toEqual([expect.stringContaining('lumiverse_modules.json')]);
  });
});
