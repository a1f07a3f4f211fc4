// What an entry's fields mean when they are missing, of the wrong kind or written twice (decisions 3, 4, 5, 8c, 9, 10).

import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { lorebookToCharacterBook, readCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { readWorldInfo } from '../../src/formats/sillytavern/world-info.ts';
import { bookEntry, bookOf, worldEntry, worldOf } from '../support/fixtures.ts';

interface Read {
  readonly entry: LorebookEntry;
  readonly findings: readonly Finding[];
}

/** Reads one entry in a book that SillyTavern wrote, unless another bag is given. */
function read(given: JsonObject, extensions: Json = { position: 0 }): Read {
  const { body, findings } = readCharacterBook(bookOf(bookEntry({ extensions, ...given })), 'b');
  return { entry: body.entries[0] as LorebookEntry, findings };
}

const brief = (findings: readonly Finding[]) =>
  findings.map(({ code, path, before, after }) => ({ code, path, before, after }));

describe('enabled (decisions 3)', () => {
  const TABLE: readonly (readonly [string, Json | undefined, boolean, Finding['code'] | null])[] = [
    ['true', true, true, null],
    ['false', false, false, null],
    ['absent is on', undefined, true, 'assumed'],
    ['null is on', null, true, 'assumed'],
    ['0 is off', 0, false, 'repaired'],
    ['"false" is off', 'false', false, 'repaired'],
    ['1 is on', 1, true, 'repaired'],
    ['"true" is on', 'true', true, 'repaired'],
  ];
  it.each(TABLE)('%s', (_, enabled, on, code) => {
    const { entry, findings } = read({ enabled });
    expect(entry.enabled).toBe(on);
    const expected = { code, path: 'enabled', before: enabled ?? null, after: on };
    expect(brief(findings)).toEqual(code === null ? [] : [expected]);
  });
  it('a value of no use is on, and that is said once', () => {
    const { entry, findings } = read({ enabled: 'perhaps' });
    expect(entry.enabled).toBe(true);
    expect(brief(findings)).toEqual([{ code: 'repaired', path: 'enabled', before: 'perhaps', after: true }]);
  });
  it('an absent flag is said to be off in SillyTavern', () => {
    expect(read({ enabled: undefined }).findings[0]?.message).toMatch(/SillyTavern.*switched it off/);
  });
  it.each([
    [{ disable: true }, false],
    [{ disable: false }, true],
    [{ disable: undefined }, true],
    [{ disable: 1 }, false],
  ])('a world file says it the other way round: %j', (given, on) => {
    const { body } = readWorldInfo(worldOf(worldEntry(0, given)), 'w');
    expect(body.entries[0]?.enabled).toBe(on);
  });
});

describe('blank keys: reading changes nothing (decisions 4, case 56)', () => {
  it.each([[['']], [[' ']], [['\n']], [[' lamp ']], [[' ', 'lamp', '']]])('%j', (keys) => {
    const { entry, findings } = read({ keys, secondary_keys: keys, selective: true });
    expect(entry.keys.map(writeKey)).toEqual(keys);
    expect(entry.secondaryKeys.map(writeKey)).toEqual(keys);
    expect(entry.constant).toBe(false);
    expect(findings).toEqual([]);
  });
});

describe('use_regex (decisions 5)', () => {
  const kinds = (given: JsonObject, extensions: Json) =>
    read({ use_regex: true, ...given }, extensions).entry.keys.map(({ kind }) => kind);
  const PLAIN: Json = { vendor: 1 };
  const ST: Json = { vectorized: false };

  it('means nothing in an entry that SillyTavern wrote: only /pattern/flags is a regex', () => {
    expect(kinds({ keys: ['C++', 'Mr. X', 'l[ae]mp'] }, ST)).toEqual(['literal', 'literal', 'literal']);
    expect(kinds({ keys: ['/l[ae]mp/i'] }, ST)).toEqual(['regex']);
    expect(read({ keys: ['C++'], use_regex: true }, ST).findings).toEqual([]);
  });
  it('means nothing for the whole book when one entry has a SillyTavern field', () => {
    const { body } = readCharacterBook(
      bookOf(
        bookEntry({ keys: ['l[ae]mp'], use_regex: true }),
        bookEntry({ id: 1, extensions: { exclude_recursion: false } }),
      ),
      'b',
    );
    expect(body.entries[0]?.keys[0]?.kind).toBe('literal');
  });
  it("makes every key a pattern in a book that is not SillyTavern's", () => {
    const { entry, findings } = read(
      { keys: ['l[ae]mp'], secondary_keys: ['oil|wax'], use_regex: true },
      PLAIN,
    );
    expect(entry.keys).toEqual([{ kind: 'regex', source: 'l[ae]mp', flags: '' }]);
    expect(entry.secondaryKeys).toEqual([{ kind: 'regex', source: 'oil|wax', flags: '' }]);
    expect(findings).toEqual([]);
  });
  it('makes no pattern without the flag', () => {
    expect(kinds({ keys: ['l[ae]mp'], use_regex: false }, PLAIN)).toEqual(['literal']);
    expect(kinds({ keys: ['l[ae]mp'], use_regex: undefined }, PLAIN)).toEqual(['literal']);
  });
  it('takes the case of the entry into the pattern', () => {
    const { entry } = read({ keys: ['lamp'], use_regex: true, case_sensitive: false }, PLAIN);
    expect(entry.keys).toEqual([{ kind: 'regex', source: 'lamp', flags: 'i' }]);
  });
  it('a pattern that does not compile is text, and that is said', () => {
    const { entry, findings } = read({ keys: ['open('], use_regex: true }, PLAIN);
    expect(entry.keys).toEqual([{ kind: 'literal', text: 'open(' }]);
    expect(findings).toMatchObject([{ code: 'assumed', path: 'keys', before: 'open(' }]);
  });
  it('a blank key is never a pattern', () => {
    expect(kinds({ keys: [''] }, PLAIN)).toEqual(['literal']);
  });
});

describe('camelCase in extensions is raw Chub (decisions 8c)', () => {
  it('alone it is kept in the bag and not applied', () => {
    const { entry, findings } = read({}, { excludeRecursion: true, displayIndex: 3 });
    expect(entry.recursion.exclude).toBe(false);
    expect(entry.displayIndex).toBeNull();
    expect(entry.bag.extensions).toEqual({ excludeRecursion: true, displayIndex: 3 });
    expect(brief(findings)).toEqual([
      { code: 'assumed', path: 'extensions.excludeRecursion', before: true, after: true },
      { code: 'assumed', path: 'extensions.displayIndex', before: 3, after: 3 },
    ]);
  });
  it('beside a snake_case one it loses', () => {
    const { entry, findings } = read({}, { excludeRecursion: true, exclude_recursion: false });
    expect(entry.recursion.exclude).toBe(false);
    expect(findings).toEqual([]);
  });
  it('the names that SillyTavern itself writes in camelCase are no such thing', () => {
    const { entry, findings } = read({}, { useProbability: false, selectiveLogic: 3 });
    expect([entry.probability.used, entry.logic]).toEqual([false, 'and_all']);
    expect(findings).toEqual([]);
  });
});

describe('an entry that says nothing', () => {
  it('is an entry of the template that stands after the character and needs no second key', () => {
    const { body } = readCharacterBook({ entries: [{}] }, 'b');
    const world = readWorldInfo({ entries: { 0: {} } }, 'w').body.entries[0] as LorebookEntry;
    expect(body.entries[0]).toEqual({
      ...world,
      id: 'e0',
      selective: false,
      position: { ...world.position, slot: 'character' },
      bag: { dialect: 'character-book', entry: {}, extensions: {} },
    });
  });
});

describe('null, 0 and absent all mean unset (wild files A9)', () => {
  it('without a word', () => {
    const unset = {
      sticky: 0,
      cooldown: null,
      delay: 0,
      group_weight: null,
      probability: null,
      role: null,
      depth: null,
      scan_depth: null,
      case_sensitive: null,
      match_whole_words: null,
      triggers: null,
      automation_id: null,
      delay_until_recursion: false,
      character_filter: null,
    };
    const { entry, findings } = read({}, { position: 0, ...unset });
    expect(findings).toEqual([]);
    expect(entry).toEqual(read({}).entry);
  });
});

describe('values of the wrong kind are mended, and each is said once (decisions 9 and 10)', () => {
  const TABLE: readonly (readonly [string, JsonObject, string, Json, Json])[] = [
    ['depth as text (wild file A10)', { extensions: { depth: '9' } }, 'position.depth', '9', 9],
    ['probability over 100', { extensions: { probability: 150 } }, 'probability.chance', 150, 100],
    ['order as text', { insertion_order: '7' }, 'order', '7', 7],
    ['constant as 1', { constant: 1 }, 'constant', 1, true],
    ['content as number', { content: 5 }, 'content', 5, '5'],
    ['role as a word', { extensions: { position: 0, role: 'assistant' } }, 'position.role', 'assistant', 2],
    ['logic as a word', { extensions: { position: 0, selectiveLogic: 'not_any' } }, 'logic', 'not_any', 2],
    ['an unknown role', { extensions: { position: 0, role: 9 } }, 'position.role', 9, 0],
    ['triggers as text', { extensions: { position: 0, triggers: 'normal' } }, 'triggers', 'normal', []],
    ['keys as one text', { keys: 'alpha, beta' }, 'keys', 'alpha, beta', ['alpha', 'beta']],
    ['numbers and nulls among keys', { keys: [1, 'two', null] }, 'keys', [1, 'two', null], ['1', 'two']],
    ['keys that are no list', { keys: { a: 1 } }, 'keys', { a: 1 }, []],
    ['extensions that are no object', { extensions: 'x' }, 'extensions', 'x', {}],
    ['a comment that is a number', { comment: 5 }, 'title', 5, '5'],
    [
      'a filter of the wrong kind',
      { extensions: { position: 0, character_filter: 'Odo' } },
      'characterFilter',
      'Odo',
      null,
    ],
    [
      'names in a filter that are no texts',
      { extensions: { position: 0, character_filter: { isExclude: false, names: ['Odo', 5], tags: [] } } },
      'characterFilter',
      { isExclude: false, names: ['Odo', 5], tags: [] },
      { isExclude: false, names: ['Odo'], tags: [] },
    ],
    [
      'a negative recursion level',
      { extensions: { delay_until_recursion: -2 } },
      'recursion.delayUntil',
      -2,
      0,
    ],
  ];
  it.each(TABLE)('%s', (_, given, path, before, after) => {
    const { findings } = read(given);
    expect(brief(findings)).toEqual([{ code: 'repaired', path, before, after }]);
    expect(findings[0]).toMatchObject({ bookId: 'b', entryId: 'e0', severity: 'info' });
    expect(findings[0]?.message).toMatch(/^\S.*\.$/);
  });
});

describe('a finding says what was made of the value', () => {
  it.each([
    [
      { role: 'assistant' },
      /"assistant" is a word where SillyTavern writes a number; it was read as assistant\.$/,
    ],
    [{ role: 'narrator' }, /"narrator" is no known word and was not used\.$/],
    [{ role: 9 }, /9 is no known number and was not used\.$/],
    [{ role: {} }, /is of the wrong type and was not used\.$/],
    [{ probability: 150 }, /150 is more than 100 and was read as 100\.$/],
    [{ probability: -5 }, /-5 is less than 0 and was read as 0\.$/],
    [{ depth: 'x' }, /"x" is not a number and was not used\.$/],
    [{ depth: '3' }, /"3" is a number written as text\.$/],
    [{ vectorized: 0 }, /0 is not true or false and was read as false\.$/],
    [{ vectorized: 'true' }, /"true" is not true or false and was read as true\.$/],
    [{ vectorized: 'yes' }, /"yes" is neither true nor false and was not used\.$/],
    [{ triggers: ['a', 1] }, /held something else than texts, which was not used\.$/],
    [{ outlet_name: [] }, /is not a text and was not used\.$/],
  ])('%j', (extensions, message) => {
    const { findings } = read({}, { position: 0, ...extensions });
    expect(findings.map((each) => each.message)).toEqual([expect.stringMatching(message)]);
  });
});

describe('two levels that disagree (decisions 9: conflict says which one won)', () => {
  it("extensions win in a book of SillyTavern's family", () => {
    const { entry, findings } = read({ depth: 9 }, { position: 4, depth: 2 });
    expect(entry.position.depth).toBe(2);
    expect(brief(findings).filter(({ path }) => path === 'position.depth')).toEqual([
      { code: 'conflict', path: 'position.depth', before: 9, after: 2 },
    ]);
  });
  it('no word when both say the same, however it is written', () => {
    const { findings } = read(
      { position: 'after_char', depth: 2, role: 'user' },
      { position: 4, depth: 2, role: 1 },
    );
    expect(findings).toEqual([]);
  });
  it('no word when the other level holds nothing', () => {
    expect(read({ scan_depth: null, scanDepth: null }, { position: 0, scan_depth: 3 }).findings).toEqual([]);
  });
  it("the entry's own level is used when the extensions hold nothing (peers/06)", () => {
    const { entry } = read({ probability: 55, groupWeight: 30, exclude_recursion: true, scanDepth: 5 }, {});
    expect([entry.probability.chance, entry.group.weight, entry.recursion.exclude, entry.scan.depth]).toEqual(
      [55, 30, true, 5],
    );
  });
});

describe('title and memo (case 21)', () => {
  const TABLE: readonly (readonly [JsonObject, string, string])[] = [
    [{ name: 'The Lamp', comment: 'author memo' }, 'The Lamp', 'author memo'],
    [{ name: undefined, comment: 'Lamp' }, 'Lamp', ''],
    [{ name: 'Lamp', comment: undefined }, 'Lamp', ''],
    [{ name: '', comment: 'Lamp' }, 'Lamp', ''],
    [{ name: 'Lamp', comment: '' }, 'Lamp', ''],
    [{ name: null, comment: null }, '', ''],
    [{ name: 'Lamp', comment: 'Lamp' }, 'Lamp', 'Lamp'],
  ];
  it.each(TABLE)('%j', (given, title, memo) => {
    const { entry, findings } = read(given);
    expect([entry.title, entry.memo]).toEqual([title, memo]);
    expect(findings).toEqual([]);
  });
});

describe('no order (peers/09)', () => {
  it('is 100, as SillyTavern gives a new entry, and that is said', () => {
    const { entry, findings } = read({ insertion_order: undefined });
    expect(entry.order).toBe(100);
    expect(brief(findings)).toEqual([{ code: 'assumed', path: 'order', before: null, after: 100 }]);
  });
});

describe('what is no book and what is no entry', () => {
  it.each([null, 5, 'x', [], true])('%j as a book is a book without entries, and is refused', (raw) => {
    const { body, findings } = readCharacterBook(raw, 'b');
    expect(body.entries).toEqual([]);
    expect(findings.map(({ code }) => code)).toContain('refused');
  });
  it.each(['x', 5, true])('entries of %j are refused', (entries) => {
    const { findings } = readCharacterBook({ entries }, 'b');
    expect(findings).toMatchObject([{ code: 'refused', path: 'entries', before: entries }]);
  });
  it('a book without entries at all is an empty book, and nothing is wrong with it', () => {
    expect(readCharacterBook({ name: 'x' }, 'b').findings).toEqual([]);
    expect(readCharacterBook({ name: 'x', entries: null }, 'b').findings).toEqual([]);
  });
  it('an entry that is no object is an empty entry with a finding, and stays what it is when written', () => {
    const raw = bookOf('x', bookEntry(), null);
    const { body, findings } = readCharacterBook(raw, 'b');
    expect(body.entries).toHaveLength(3);
    const broken = findings.filter(({ path }) => path === 'entry');
    expect(broken.map(({ entryId, code }) => [entryId, code])).toEqual([
      ['e0', 'repaired'],
      ['e2', 'repaired'],
    ]);
    expect(lorebookToCharacterBook(body, { raw })).toEqual(raw);
  });
  it('fields of the book itself are mended too', () => {
    const { body, findings } = readCharacterBook(
      { ...bookOf(), scan_depth: '6', name: 7, extensions: [] },
      'b',
    );
    expect([body.scanDepth, body.name, body.extensions]).toEqual([6, '7', {}]);
    expect(findings.map(({ code, path, entryId }) => [code, path, entryId]).sort()).toEqual([
      ['repaired', 'extensions', null],
      ['repaired', 'name', null],
      ['repaired', 'scanDepth', null],
    ]);
  });
});
