// Every file that Agnai itself wrote reads as the app held it when it exported (the sidecars), field by field.

import { describe, expect, it } from 'vitest';
import { readContainer } from '../../src/containers/container.ts';
import type { ExtractedBooks } from '../../src/core/adapter.ts';
import { textAt } from '../../src/core/character.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import { extractCharacterBooks } from '../../src/formats/_shared/extract-books.ts';
import { agnaiNativeCharacter } from '../../src/formats/agnai/adapter.ts';
import { agnaiCharacter, agnaiMemoryBook } from '../../src/formats/agnai/character.ts';
import { isMemoryBook, readMemoryBooks } from '../../src/formats/agnai/memory-book.ts';
import { agnaiBooksOf, cardOfAgnai, isAgnaiCharacter } from '../../src/formats/agnai/native-character.ts';
import { tavernBooksOf } from '../../src/formats/agnai/tavern-book.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import {
  foreignFiles,
  foreignFilesOf,
  type HeldByApp,
  type MeantEntry,
  timesSaid,
} from '../support/foreign-files.ts';
import { characterInForce } from '../support/in-force.ts';
import { resolvedOf } from '../support/sent-books.ts';

interface KeywordOfApp {
  readonly keyword: string;
  readonly wildcard?: boolean;
  readonly engineRegex: string;
}
interface EntryOfApp extends HeldByApp<KeywordOfApp> {
  readonly priority: number;
  readonly notes: {
    readonly practicallyConstant?: string;
    readonly storedButIgnored?: Readonly<Record<string, Json>>;
  };
}
interface Sidecar {
  readonly character: {
    readonly name: string | null;
    readonly depthPrompt?: JsonObject;
    readonly personaKind?: string;
  };
  readonly books: readonly {
    readonly name: string;
    readonly settings: {
      readonly description: string;
      readonly scanDepth: number | null;
      readonly tokenBudget: number | null;
      readonly recursiveScanning: boolean | null;
    };
    readonly entries: readonly EntryOfApp[];
  }[];
  readonly lostInFormat: readonly string[];
}

const { names: NAMES, bytesOf, sidecarOf } = foreignFiles<Sidecar>('agnai');

const jsonOf = (name: string): JsonObject => {
  const { json } = readContainer(bytesOf(name), name);
  if (!isObject(json)) throw new Error('no object');
  return deepFreeze(json);
};

function booksIn(json: JsonObject): ExtractedBooks {
  if (isAgnaiCharacter(json)) return agnaiBooksOf(json);
  if (isMemoryBook(json)) {
    const findings: Finding[] = [];
    const books = readMemoryBooks(json, 'b', 'x', findings);
    return { books: books.map((lorebook) => ({ slot: 'b', lorebook })), findings };
  }
  return tavernBooksOf(json, 'x') ?? extractCharacterBooks(json);
}

/** A keyword as it must read: its text, or with wildcards the pattern that Agnai's engine makes of it. */
function keyOfApp({ keyword, wildcard, engineRegex }: KeywordOfApp): string {
  if (wildcard !== true || keyword.startsWith('/')) return keyword;
  const [, inner = ''] = /^\/\\b\((.*)\)\\b\/giu$/.exec(engineRegex) ?? [];
  return `/\\b${inner}\\b/i`;
}

function expected({ title, content, keys, enabled, order, notes }: EntryOfApp): MeantEntry {
  const isConstant = notes.practicallyConstant !== undefined;
  return {
    title,
    memo: notes.storedButIgnored?.['comment'] ?? '',
    content,
    keys: isConstant ? [] : keys.map(keyOfApp),
    secondaryKeys: [],
    enabled,
    constant: isConstant,
    order,
    place: ['character'],
    probability: { chance: 100, used: true },
    recursion: { exclude: false, prevent: false, delayUntil: 0 },
    scan: { depth: null, caseSensitive: false, matchWholeWords: true },
  };
}

foreignFilesOf({
  name: 'Agnai',
  files: NAMES,
  count: 23,
  read: (name) => {
    const { books, findings } = booksIn(jsonOf(name));
    return { lorebooks: books.map(({ lorebook }) => lorebook), findings };
  },
  meant: (name) => {
    const { books, lostInFormat } = sidecarOf(name);
    const held = lostInFormat.includes('the whole book') ? [] : books;
    return held.map(({ name: title, settings, entries }) => {
      const { description, scanDepth, tokenBudget, recursiveScanning } = settings;
      return {
        name: title,
        body: { description, scanDepth, tokenBudget, recursiveScanning },
        entries: entries.map(expected),
      };
    });
  },
});

describe('files that Agnai wrote', () => {
  it.each(NAMES)('%s: what does nothing there is named and kept', (name) => {
    const entries = sidecarOf(name).books.flatMap((book) => book.entries);
    const { books, findings } = booksIn(jsonOf(name));
    if (books.length === 0) return;
    const said = (path: string): number => timesSaid(findings, path, 'stashed');
    const count = (test: (idle: Readonly<Record<string, Json>>) => boolean): number =>
      entries.filter(({ notes }) => test(notes.storedButIgnored ?? {})).length;
    expect(said('constant')).toBe(count((idle) => idle['constant'] === true));
    expect(said('secondaryKeys')).toBe(
      count((idle) => ((idle['secondaryKeys'] as readonly Json[] | undefined) ?? []).length > 0),
    );
    expect(said('position')).toBe(
      count(
        (idle) => idle['position'] !== undefined && ![1, 'after_char'].includes(idle['position'] as string),
      ),
    );
    const [book] = books;
    expect(Object.keys(book?.lorebook.original ?? {})).toEqual(['agnai']);
  });
  it.each(NAMES.filter((name) => name.includes('-native.')))('%s: the character is a card', (name) => {
    const native = jsonOf(name);
    const { character } = sidecarOf(name);
    const card = cardOfAgnai(native);
    const tavern = jsonOf(name.replace('-native.', '-tavern.'));
    const data = card['data'] as JsonObject;
    const { character_book: _book, extensions: theirs, ...rest } = tavern['data'] as JsonObject;
    expect(data).toMatchObject(rest);
    const extensions = data['extensions'] as JsonObject;
    if (character.depthPrompt !== undefined)
      expect(extensions['depth_prompt']).toMatchObject(character.depthPrompt);
    // What Agnai's own Tavern export keeps under its name is there too.
    expect(extensions['agnai']).toMatchObject((theirs as JsonObject)['agnai'] as JsonObject);
    expect(textAt(data, 'name')).toBe(character.name);
  });
  it.each(NAMES.filter((name) => name.includes('-native.')))(
    '%s: untouched, it is written as it was',
    (name) => {
      const native = jsonOf(name);
      const resolved = resolvedOf(
        agnaiBooksOf(native).books.map(({ lorebook }) => lorebook),
        agnaiNativeCharacter.toCanonical(native),
      );
      expect(agnaiCharacter(resolved, { style: 'exact' })).toMatchObject({ findings: [], settings: {} });
      expect(agnaiCharacter(resolved, { style: 'exact' }).card).toBe(native);
      const [book] = resolved.books;
      const edited = {
        ...resolved,
        books:
          book === undefined
            ? []
            : [
                {
                  ...book,
                  lorebook: { ...book.lorebook, body: { ...book.lorebook.body, description: 'New' } },
                },
              ],
      };
      expect(agnaiCharacter(edited, { style: 'exact' }).card['characterBook']).toMatchObject({
        description: 'New',
      });
    },
  );
  it.each(NAMES.filter((name) => name.startsWith('agnai-book-')))(
    '%s: untouched, it is written as it was',
    (name) => {
      const raw = jsonOf(name);
      const [found] = booksIn(raw).books;
      if (found === undefined) throw new Error('no book');
      const resolved = characterInForce([found.lorebook]);
      expect(agnaiMemoryBook(resolved, { style: 'natural' }).json).toEqual(raw);
      const edited = { ...found.lorebook, body: { ...found.lorebook.body, entries: [] } };
      expect(agnaiMemoryBook(characterInForce([edited]), { style: 'natural' }).json['entries']).toEqual([]);
    },
  );
});
