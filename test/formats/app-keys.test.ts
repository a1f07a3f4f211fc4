// Keys of Marinara's and Lumiverse's entries as their engines take them, whatever form of theirs holds the entry.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import { readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { readLumiverseWorldBook } from '../../src/formats/lumiverse/native-book.ts';
import { readMarinaraCompatible } from '../../src/formats/marinara/compatible-lorebook.ts';
import { readMarinaraLorebook } from '../../src/formats/marinara/native-lorebook.ts';

interface Given {
  readonly keys: readonly string[];
  readonly patterns: boolean;
  readonly words?: boolean;
  readonly cased?: boolean;
}

const MARINARA: Readonly<Record<string, (given: Given) => ReturnType<typeof readCharacterBook>>> = {
  'its lorebook file': ({ keys, patterns, words = false, cased = false }) => {
    const entry = { name: 'A', content: 'x', keys, useRegex: patterns, matchWholeWords: words };
    const data = { lorebook: { name: 'B' }, entries: [{ ...entry, caseSensitive: cased }] };
    return readMarinaraLorebook({ type: 'marinara_lorebook', version: 1, data }, 'b', 'x');
  },
  'a card': ({ keys, patterns, words = false, cased = false }) => {
    const own = { selectiveLogic: 'and', preventRecursion: true, groupWeight: null };
    const entry = { keys, content: 'x', useRegex: patterns, regex: patterns, extensions: {}, ...own };
    return readCharacterBook({ entries: [{ ...entry, matchWholeWords: words, case_sensitive: cased }] }, 'b');
  },
  'its file in the look of a world file': ({ keys, patterns, words = false, cased = false }) => {
    const entry = { key: keys, content: 'x', useRegex: patterns, matchWholeWords: words };
    const entries = { 0: { uid: 0, ...entry, caseSensitive: cased } };
    return readMarinaraCompatible({ name: 'B', extensions: { marinara: {} }, entries }, 'b', 'x');
  },
};

const LUMIVERSE: typeof MARINARA = {
  'its world book': ({ keys, patterns, words = false, cased = false }) => {
    const own = { selective_logic: 0, position: 0, use_regex: patterns };
    const entry: JsonObject = { key: keys, content: 'x', ...own, match_whole_words: words };
    const entries = [{ ...entry, case_sensitive: cased }];
    return readLumiverseWorldBook({ type: 'lumiverse_world_book', version: 1, entries }, 'b', 'x');
  },
  'a card': ({ keys, patterns, words = false, cased = false }) => {
    const extensions = { selective_logic: 0, use_regex: patterns };
    const entry = { keys, content: 'x', position: 0, match_whole_words: words, case_sensitive: cased };
    return readCharacterBook({ entries: [{ ...entry, extensions }] }, 'b');
  },
};

const readBy = (read: (given: Given) => ReturnType<typeof readCharacterBook>, given: Given) => {
  const { body, findings } = read(given);
  const said = findings.filter(({ path }) => path === 'keys');
  return [body.entries[0]?.keys.map(writeKey), said.map(({ code }) => code)];
};

describe.each(Object.entries(MARINARA))('Marinara, %s', (_, read) => {
  it.each<[string, Given, readonly string[], number]>([
    ['a pattern', { keys: ['la?mp'], patterns: true }, ['/la?mp/i'], 0],
    ['a pattern where case counts', { keys: ['La?mp'], patterns: true, cased: true }, ['/La?mp/'], 0],
    ['one that it refuses', { keys: ['(a+)+b'], patterns: true }, ['(a+)+b'], 1],
    ['one that does not compile', { keys: [' (lamp '], patterns: true }, ['(lamp'], 1],
    ['a refused one beside whole words', { keys: ['x++'], patterns: true, words: true }, ['/x\\+\\+/i'], 1],
    ['a text', { keys: ['lamp'], patterns: false }, ['lamp'], 0],
    ['a text in slashes', { keys: ['/lamp/i'], patterns: false }, ['/\\/lamp\\/i/i'], 0],
  ])('%s', (_name, given, keys, said) => {
    expect(readBy(read, given)).toEqual([keys, Array.from({ length: said }, () => 'assumed')]);
  });
});

describe.each([...Object.entries(MARINARA), ...Object.entries(LUMIVERSE)])('either, %s', (_, read) => {
  it.each([
    ['^lamp', ['approximated']],
    ['(?:lamp|wick)$', ['approximated']],
    ['(?:^|\\W)(?:lamp)(?:$|\\W)', []],
    ['[^l]amp', []],
    ['\\$5', []],
  ])('that the ends of the text are others is said of %s', (key, codes) => {
    expect(readBy(read, { keys: [key], patterns: true })).toEqual([[`/${key}/i`], codes]);
  });
});

describe.each(Object.entries(LUMIVERSE))('Lumiverse, %s', (_, read) => {
  it.each<[string, Given, readonly string[], number]>([
    ['a pattern', { keys: ['(a+)+b'], patterns: true }, ['/(a+)+b/i'], 0],
    ['the space before a pattern', { keys: [' lamp'], patterns: true }, ['/ lamp/i'], 0],
    ['one that does not compile', { keys: ['C++'], patterns: true }, ['C++'], 1],
    ['a text in slashes', { keys: ['/lamp/i'], patterns: false }, ['/\\/lamp\\/i/i'], 0],
    ['slashes in a pattern', { keys: ['/lamp/i'], patterns: true }, ['/\\/lamp\\/i/i'], 0],
  ])('%s', (_name, given, keys, said) => {
    expect(readBy(read, given)).toEqual([keys, Array.from({ length: said }, () => 'assumed')]);
  });
});
