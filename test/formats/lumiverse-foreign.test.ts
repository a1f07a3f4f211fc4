// Every file that Lumiverse itself wrote reads as the app held it when it exported (the sidecars), field by field.

import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isLumiverseWorldBook, readLumiverseWorldBook } from '../../src/formats/lumiverse/native-book.ts';
import { inspectFile } from '../../src/inspection/inspection.ts';
import { formatOf, openFile } from '../../src/open-file.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import {
  asHeld,
  foreignFiles,
  foreignFilesOf,
  type HeldByApp,
  type KeyOfApp,
  type MeantBook,
  type MeantEntry,
  type ReadBooks,
  timesSaid,
} from '../support/foreign-files.ts';

interface EntryOfApp extends HeldByApp {
  readonly selective: boolean;
  readonly storedLogic: number;
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
interface Sidecar {
  readonly books: readonly {
    readonly name: string;
    readonly settings: { readonly description: string };
    readonly entries: readonly EntryOfApp[];
  }[];
  readonly lostInFormat?: readonly string[];
}

const { names: NAMES, bytesOf, sidecarOf } = foreignFiles<Sidecar>('lumiverse');

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

const keyOf = (held: KeyOfApp): string =>
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
function expected(entry: EntryOfApp): MeantEntry {
  const { scan, timing, group, recursion } = entry;
  return {
    ...asHeld(entry, keyOf),
    selective: entry.selective,
    logic: LOGIC[entry.storedLogic],
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

// What the file kept of an entry that came from SillyTavern is what it was before it was edited.
function unlessStale(meant: MeantEntry): MeantEntry {
  const { place: _place, logic: _logic, probability: _probability, scan: _scan, ...rest } = meant;
  return rest;
}

function meantBooks(name: string): readonly MeantBook[] {
  const { books, lostInFormat = [] } = sidecarOf(name);
  const isLost = (words: string): boolean => lostInFormat.some((each) => each.includes(words));
  return books.map((book) => ({
    name: book.name,
    body: isLost('descriptions') ? {} : { description: book.settings.description },
    entries: book.entries.map((entry) =>
      isLost('overwrite the live ones') ? unlessStale(expected(entry)) : expected(entry),
    ),
  }));
}

foreignFilesOf({
  name: 'Lumiverse',
  files: NAMES,
  count: 22,
  read: booksIn,
  meant: meantBooks,
  inCards: {
    family: 'lumiverse',
    files: NAMES.filter((name) => /(?:keen|quill)\.(?:json|png)$/.test(name)),
    title: 'the book in the card comes out as it went in',
  },
});

describe('files that Lumiverse wrote', () => {
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
    expect(timesSaid(findings, 'priority', 'stashed')).toBe(count(({ priority }) => priority !== 10));
    // The four that it has round the first message, and the marker that is a person's to put.
    expect(timesSaid(findings, 'position.slot', 'approximated')).toBe(5);
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
