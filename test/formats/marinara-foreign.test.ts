// Every file that Marinara itself wrote reads as the app held it when it exported (the sidecars), field by field.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/finding.ts';
import { isObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import { familyOf } from '../../src/formats/_shared/book-family.ts';
import { lorebookToCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { filesIn, lorebooksIn, openAnyFile } from '../../src/packed-file.ts';
import { deepFreeze } from '../support/deep-freeze.ts';

const FOLDER = new URL('../fixtures/foreign/marinara/', import.meta.url);
const NAMES = readdirSync(FOLDER).filter((name) => !name.endsWith('.expect.json'));

type KeyOfApp = string | { readonly regex: string; readonly flags: string };
interface EntryOfApp {
  readonly title: string;
  readonly content: string;
  readonly keys: readonly KeyOfApp[];
  readonly secondaryKeys: readonly KeyOfApp[];
  readonly selective: boolean;
  readonly storedLogic: string;
  readonly enabled: boolean;
  readonly enabledFlag: boolean;
  readonly constant: boolean;
  readonly order: number;
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

interface ReadBook {
  readonly lorebook: CanonicalLorebook;
  readonly findings: readonly Finding[];
}

const bytesOf = (name: string): Uint8Array => readFileSync(new URL(name, FOLDER));
const sidecarOf = (name: string): Sidecar =>
  JSON.parse(readFileSync(new URL(`${name}.expect.json`, FOLDER), 'utf8')) as Sidecar;

function booksIn(name: string): readonly ReadBook[] {
  const opened = openAnyFile(bytesOf(name), name);
  if (opened.kind === 'pack')
    expect(opened.findings.map(({ code }) => code)).toEqual(name.includes('characters') ? ['assumed'] : []);
  return filesIn(opened).flatMap((file) => {
    deepFreeze(file.container.json);
    return lorebooksIn(file).map((lorebook) => ({ lorebook, findings: file.findings }));
  });
}

const key = (held: KeyOfApp): string =>
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
function expected(entry: EntryOfApp, book: BookOfApp, { format, lostInFormat = [] }: Sidecar): unknown {
  const lost = (word: string): boolean => lostInFormat.some((each) => each.includes(word));
  const has = (word: string): boolean => !lost('sources') && entry.scan.extraSources.includes(word);
  const isNative = format.includes('native lorebook');
  return {
    title: entry.title,
    content: entry.content,
    keys: entry.keys.map(key),
    secondaryKeys: entry.secondaryKeys.map(key),
    selective: entry.selective,
    logic: LOGIC[entry.storedLogic],
    enabled: lost('folders') ? entry.enabledFlag : entry.enabled,
    constant: entry.constant,
    order: entry.order,
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
    sources: [has('persona_description'), has('character_description')],
    triggers: lost('filters') ? [] : (entry.filters.triggers?.triggers ?? []).map((word) => TRIGGERS[word]),
    vectorized: entry.vectors === 'allowed' && !(isNative && book.settings.vectorsOff),
  };
}

function shown(entry: LorebookEntry): unknown {
  const { slot, depth, role } = entry.position;
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
    place: slot === 'depth' ? [slot, depth, role] : [slot],
    probability: entry.probability,
    timing: entry.timing,
    group: { name: entry.group.name, weight: entry.group.weight },
    recursion: entry.recursion,
    scan: entry.scan,
    sources: [entry.sources.personaDescription, entry.sources.characterDescription],
    triggers: entry.triggers,
    vectorized: entry.vectorized,
  };
}

describe('files that Marinara wrote', () => {
  it('are all here', () => {
    expect(NAMES).toHaveLength(24);
  });
  it.each(NAMES)('%s reads as the app held it', (name) => {
    const sidecar = sidecarOf(name);
    const read = booksIn(name);
    const byName = new Map(sidecar.books.map((book) => [book.name, book]));
    const isLinkedOnly = sidecar.lostInFormat?.includes('the whole book') === true;
    expect(read.map(({ lorebook }) => lorebook.name).sort()).toEqual(
      isLinkedOnly ? [] : [...byName.keys()].sort(),
    );
    for (const { lorebook } of read) {
      const book = byName.get(lorebook.name) as BookOfApp;
      expect(lorebook.body.entries.map(shown)).toEqual(
        book.entries.map((entry) => expected(entry, book, sidecar)),
      );
      if (sidecar.lostInFormat?.some((each) => each.includes('book: description')) === true) continue;
      const { description, scanDepth, tokenBudget, recursiveScanning } = book.settings;
      expect(lorebook.body).toMatchObject({ description, scanDepth, tokenBudget, recursiveScanning });
    }
  });
  it.each(NAMES.filter((name) => /lorebook\.marinara\.json$/.test(name)))(
    '%s: what SillyTavern cannot say is kept aside and named',
    (name) => {
      const [book] = sidecarOf(name).books;
      const [read] = booksIn(name);
      const said = (path: string): number =>
        read?.findings.filter((each) => each.path === path && each.code === 'stashed').length ?? 0;
      const count = (test: (entry: EntryOfApp) => boolean): number => book?.entries.filter(test).length ?? 0;
      expect(said('characterFilterIds')).toBe(count(({ filters }) => filters.characters !== null));
      expect(said('characterTagFilters')).toBe(count(({ filters }) => filters.tags !== null));
      expect(said('activationConditions')).toBe(count(({ filters }) => filters.conditions.length > 0));
      expect(said('schedule')).toBe(count(({ filters }) => filters.schedule !== null));
      expect(said('sources')).toBe(count(({ scan }) => scan.extraSources.includes('character_tags')));
      expect(said('folders')).toBe(book?.settings.folders.length === 0 ? 0 : 1);
      expect(read?.lorebook.original['marinara']?.raw).toEqual(
        JSON.parse(new TextDecoder().decode(bytesOf(name))),
      );
    },
  );
  it.each(NAMES.filter((name) => /embedded|edited/.test(name) && !name.endsWith('.zip')))(
    '%s: the book in the card is told by what it holds and comes out as it went in',
    (name) => {
      for (const { lorebook } of booksIn(name)) {
        const escrow = lorebook.original[CHARACTER_BOOK];
        const raw = escrow?.raw;
        if (!isObject(raw)) throw new Error('no book');
        expect(familyOf(raw).family).toBe('marinara');
        expect(lorebookToCharacterBook(lorebook.body, escrow)).toBe(raw);
      }
    },
  );
});
