// Every file that Marinara itself wrote reads as the app held it when it exported (the sidecars), field by field.

import { describe, expect, it } from 'vitest';
import { filesIn, lorebooksIn, openAnyFile } from '../../src/packed-file.ts';
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
  readonly storedLogic: string;
  readonly enabledFlag: boolean;
  readonly position: string;
  readonly probability: number | null;
  readonly timing: Readonly<Record<'sticky' | 'cooldown' | 'delay', number | null>>;
  readonly group: { readonly name: string; readonly weight: number | null } | null;
  readonly recursion: Readonly<
    Record<'preventRecursion' | 'excludeRecursion' | 'delayUntilRecursion', boolean>
  >;
  readonly scan: {
    readonly depth: 'book' | 'whole history' | number;
    readonly wholeWord: boolean;
    readonly caseSensitive: boolean;
    readonly extraSources: readonly string[];
  };
  readonly filters: {
    readonly triggers: { readonly mode: string; readonly triggers: readonly string[] } | null;
    readonly characters: unknown;
    readonly tags: unknown;
    readonly conditions: readonly unknown[];
    readonly schedule: unknown;
  };
  readonly vectors: string;
}
interface BookOfApp {
  readonly name: string;
  readonly settings: {
    readonly description: string;
    readonly scanDepth: number;
    readonly tokenBudget: number;
    readonly recursiveScanning: boolean;
    readonly vectorsOff: boolean;
    readonly folders: readonly { readonly name: string }[];
  };
  readonly entries: readonly EntryOfApp[];
}
interface Sidecar {
  readonly format: string;
  readonly books: readonly BookOfApp[];
  readonly linkedBooksNotInFile?: readonly string[];
  readonly lostInFormat?: readonly string[];
}

const { names: NAMES, bytesOf, sidecarOf } = foreignFiles<Sidecar>('marinara');

// By name: the folders of a zip have another order than the app's list.
const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

function booksIn(name: string): ReadBooks {
  const opened = openAnyFile(bytesOf(name), name);
  if (opened.kind === 'pack')
    expect(opened.findings.map(({ code }) => code)).toEqual(name.includes('characters') ? ['assumed'] : []);
  const files = filesIn(opened);
  for (const { container } of files) deepFreeze(container.json);
  return {
    lorebooks: files.flatMap(lorebooksIn).sort(byName),
    findings: files.flatMap(({ findings }) => findings),
  };
}

const keyOf = (held: KeyOfApp): string =>
  typeof held === 'string' ? held : `/${held.regex}/${held.flags.replace('g', '')}`;

const PLACES: Readonly<Record<string, string>> = { before: 'world', after: 'character' };
function placeOf(words: string): unknown {
  const depth = /^at depth (\d+) from the end, role (\w+)$/.exec(words);
  return depth === null ? [PLACES[words.split(' ')[0] ?? '']] : ['depth', Number(depth[1]), depth[2]];
}

const LOGIC: Readonly<Record<string, string>> = {
  and: 'and_any',
  or: 'and_any',
  and_all: 'and_all',
  not: 'not_any',
  not_all: 'not_all',
};
const TRIGGERS: Readonly<Record<string, string>> = { chat: 'normal', continue: 'continue' };

/** What is asked of the reader, in the words of the sidecar. */
function expected(entry: EntryOfApp, book: BookOfApp, { format, lostInFormat = [] }: Sidecar): MeantEntry {
  const lost = (word: string): boolean => lostInFormat.some((each) => each.includes(word));
  const has = (word: string): boolean => !lost('sources') && entry.scan.extraSources.includes(word);
  const isNative = format.includes('native lorebook');
  return {
    ...asHeld(entry, keyOf),
    selective: entry.selective,
    logic: LOGIC[entry.storedLogic],
    enabled: lost('folders') ? entry.enabledFlag : entry.enabled,
    place: placeOf(entry.position),
    probability: { chance: entry.probability ?? 100, used: true },
    timing: { sticky: entry.timing.sticky, cooldown: entry.timing.cooldown, delay: entry.timing.delay },
    group: { name: entry.group?.name ?? '', weight: entry.group?.weight ?? 100 },
    recursion: {
      prevent: entry.recursion.preventRecursion,
      exclude: entry.recursion.excludeRecursion,
      delayUntil: entry.recursion.delayUntilRecursion ? 1 : 0,
    },
    scan: {
      depth:
        entry.scan.depth === 'book' ? null : entry.scan.depth === 'whole history' ? 1000 : entry.scan.depth,
      caseSensitive: entry.scan.caseSensitive,
      matchWholeWords: entry.scan.wholeWord,
    },
    sources: {
      personaDescription: has('persona_description'),
      characterDescription: has('character_description'),
    },
    triggers: lost('filters') ? [] : (entry.filters.triggers?.triggers ?? []).map((word) => TRIGGERS[word]),
    vectorized: entry.vectors === 'allowed' && !(isNative && book.settings.vectorsOff),
  };
}

function meantBooks(name: string): readonly MeantBook[] {
  const sidecar = sidecarOf(name);
  const isLost = (words: string): boolean =>
    sidecar.lostInFormat?.some((each) => each.includes(words)) === true;
  if (sidecar.lostInFormat?.includes('the whole book')) return [];
  return [...sidecar.books].sort(byName).map((book) => {
    const { description, scanDepth, tokenBudget, recursiveScanning } = book.settings;
    return {
      name: book.name,
      body: isLost('book: description') ? {} : { description, scanDepth, tokenBudget, recursiveScanning },
      entries: book.entries.map((entry) => expected(entry, book, sidecar)),
    };
  });
}

foreignFilesOf({
  name: 'Marinara',
  files: NAMES,
  count: 24,
  read: booksIn,
  meant: meantBooks,
  inCards: {
    family: 'marinara',
    files: NAMES.filter((name) => /embedded|edited/.test(name) && !name.endsWith('.zip')),
    title: 'the book in the card is told by what it holds and comes out as it went in',
  },
});

describe('files that Marinara wrote', () => {
  it.each(NAMES.filter((name) => /lorebook\.marinara\.json$/.test(name)))(
    '%s: what SillyTavern cannot say is kept aside and named',
    (name) => {
      const [book] = sidecarOf(name).books;
      const { lorebooks, findings } = booksIn(name);
      const said = (path: string): number => timesSaid(findings, path, 'stashed');
      const count = (test: (entry: EntryOfApp) => boolean): number => book?.entries.filter(test).length ?? 0;
      expect(said('characterFilterIds')).toBe(count(({ filters }) => filters.characters !== null));
      expect(said('characterTagFilters')).toBe(count(({ filters }) => filters.tags !== null));
      expect(said('activationConditions')).toBe(count(({ filters }) => filters.conditions.length > 0));
      expect(said('schedule')).toBe(count(({ filters }) => filters.schedule !== null));
      expect(said('sources')).toBe(count(({ scan }) => scan.extraSources.includes('character_tags')));
      expect(said('folders')).toBe(book?.settings.folders.length === 0 ? 0 : 1);
      expect(lorebooks[0]?.original['marinara']?.raw).toEqual(
        JSON.parse(new TextDecoder().decode(bytesOf(name))),
      );
    },
  );
});
