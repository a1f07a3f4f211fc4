// What is decided of one entry, of the character's note, and what is said of it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import { writeKey } from '../../src/core/key.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../src/core/resolved.ts';
import { anyBook } from '../support/arbitrary-books.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { fullEntry } from '../support/entry-values.ts';
import { cardWith } from '../support/fixtures.ts';
import { entryOf, type Given, one, resolve } from '../support/resolving.ts';

const written = ({ entry }: ResolvedEntry) => [entry.keys.map(writeKey), entry.secondaryKeys.map(writeKey)];

describe('what is folded in', () => {
  it('takes the user’s settings where the entry has none', () => {
    const settings = { depth: 7, caseSensitive: true, matchWholeWords: false, useGroupScoring: true };
    expect(one({}, settings).entry).toMatchObject({
      scan: { depth: 7, caseSensitive: true, matchWholeWords: false },
      group: { scoring: true },
    });
    const own = { depth: 0, caseSensitive: false, matchWholeWords: true };
    const kept = one({ constant: true, scan: own, group: { scoring: false } }, settings).entry;
    expect(kept).toMatchObject({ scan: own, group: { scoring: false } });
  });

  it('keeps the scan depth within what SillyTavern searches', () => {
    expect(one({ scan: { depth: 5000 } }).entry.scan.depth).toBe(1000);
    expect(one({ scan: { depth: -3 } })).toMatchObject({ fires: 'never', entry: { scan: { depth: 0 } } });
  });

  it.each([
    [{ chance: 100, used: true }, { chance: 100, used: false }, 'keys'],
    [{ chance: 0, used: false }, { chance: 100, used: false }, 'keys'],
    [{ chance: 40, used: true }, { chance: 40, used: true }, 'keys'],
    [{ chance: 0, used: true }, { chance: 0, used: true }, 'never'],
  ])('rolls %j as %j', (probability, expected, fires) => {
    expect(one({ probability })).toMatchObject({ fires, entry: { probability: expected } });
  });

  it('leaves a plain book as it is, apart from that', () => {
    const plain = [entryOf({}), entryOf({ keys: ['/a.c/i'], secondaryKeys: ['oil'], order: 3 }, 'e1')];
    const { books, findings, delayedPasses } = resolve(plain);
    expect(findings).toEqual([]);
    expect(delayedPasses).toBe('none');
    for (const { source, entry, fires, reason, blocksGroup } of books[0]?.entries ?? []) {
      const { scan, probability, group } = entry;
      expect({ ...source, scan, probability, group }).toEqual(entry);
      expect([fires, reason, blocksGroup]).toEqual(['keys', null, false]);
    }
  });
});

describe('what always or never fires', () => {
  it.each<[string, Given, 'keys' | 'always' | 'never', RegExp | null]>([
    ['an entry that is off', { enabled: false }, 'never', null],
    ['a constant one', { constant: true, keys: [] }, 'always', null],
    ['@@activate', { content: '@@activate\nText.' }, 'always', /@@activate/],
    ['@@activate that is off', { content: '@@activate\nText.', enabled: false }, 'never', null],
    ['@@dont_activate', { content: '@@dont_activate\nText.' }, 'never', /@@dont_activate/],
    [
      '@@dont_activate on a constant',
      { content: '@@dont_activate\nText.', constant: true },
      'never',
      /@@dont/,
    ],
    ['both', { content: '@@dont_activate\n@@activate\nText.' }, 'always', /@@activate/],
    [
      'a chance of 0 on a constant',
      { constant: true, probability: { chance: 0, used: true } },
      'never',
      /probability/,
    ],
    ['no keys', { keys: [] }, 'never', /no keys/],
    ['only empty keys', { keys: ['', ''] }, 'never', /empty key/],
    ['a macro that is nothing', { keys: ['{{noop}}'] }, 'never', /empty key/],
    ['a key of spaces', { keys: ['lamp', '  '] }, 'always', /spaces/],
    ['a key of spaces with nothing to search', { keys: [' '], scan: { depth: 0 } }, 'always', /spaces/],
    [
      'scan depth 0',
      { scan: { depth: 0 }, sources: { characterDescription: true }, keys: ['keeper'] },
      'never',
      /depth is 0/,
    ],
    [
      'a pattern that matches nothing at scan depth 0',
      { scan: { depth: 0 }, keys: ['/.*/'] },
      'always',
      /depth is 0/,
    ],
    ['a pattern that matches everything', { keys: ['/.*/'] }, 'always', /every text/],
    ['vectors without keys', { keys: [], vectorized: true }, 'keys', null],
    ['an unknown way of generating', { triggers: ['whenever'] }, 'never', /way of generating/],
    ['a known one', { triggers: ['whenever', 'swipe'] }, 'keys', null],
    ['the user’s name', { keys: ['robin'] }, 'always', /name of Robin/],
    ['the user’s name by macro', { keys: ['{{user}}'] }, 'always', /name of Robin/],
    [
      'the user’s name in the last message',
      { keys: ['Robin'], scan: { depth: 1 } },
      'always',
      /name of Robin/,
    ],
    ['the character’s name', { keys: ['Nyra'] }, 'always', /name of Nyra/],
    ['the character’s name, too far away', { keys: ['Nyra'], scan: { depth: 1 } }, 'keys', null],
    ['a name in another case', { keys: ['NYRA'], scan: { caseSensitive: true } }, 'keys', null],
    ['a name and more', { keys: ['Robin: yes'] }, 'keys', null],
    ['a name by pattern', { keys: ['/n[iy]ra/i'] }, 'always', /name of Nyra/],
    ['a part of a name', { keys: ['yra'], scan: { matchWholeWords: false } }, 'always', /name of Nyra/],
    [
      'the name as what must be missing',
      { secondaryKeys: ['Nyra'], logic: 'not_any' },
      'never',
      /must be missing/,
    ],
  ])('%s', (_, given, fires, reason) => {
    const resolved = one(given);
    expect(resolved.fires).toBe(fires);
    if (reason === null) expect(resolved.reason).toBeNull();
    else expect(resolved.reason).toMatch(reason);
    expect(resolved.entry.enabled).toBe(fires !== 'never');
    if (fires === 'always') expect(resolved.entry.constant).toBe(true);
    if (fires === 'keys') expect(resolved.entry.constant).toBe(false);
  });

  it('knows no names when they are not searched', () => {
    expect(one({ keys: ['Nyra', 'Robin'] }, { includeNames: false }).fires).toBe('keys');
  });

  it('waits for a window that may grow', () => {
    expect(one({}, { depth: 0 }).fires).toBe('never');
    expect(one({}, { depth: 0, minActivations: 2 }).fires).toBe('keys');
    expect(one({ scan: { depth: 0 } }, { minActivations: 2 }).fires).toBe('never');
  });

  it('says that a chance of 0 still takes its group’s turn', () => {
    const probability = { chance: 0, used: true };
    expect(one({ probability }).blocksGroup).toBe(false);
    expect(one({ probability, group: { name: 'sky' } }).blocksGroup).toBe(true);
    expect(one({ probability, group: { name: 'sky' }, enabled: false }).blocksGroup).toBe(false);
  });
});

describe('texts of the card', () => {
  it.each<[keyof LorebookEntry['sources'], string, 'always' | 'keys']>([
    ['characterDescription', 'lighthouse', 'always'],
    ['characterDescription', 'light', 'keys'],
    ['characterDescription', 'says robin', 'always'],
    ['characterPersonality', 'stubborn', 'always'],
    ['scenario', 'regatta', 'always'],
    ['creatorNotes', 'vintage', 'always'],
    ['characterDepthPrompt', 'whisper', 'always'],
    ['personaDescription', 'lighthouse', 'keys'],
  ])('%s with the key %s: %s', (name, key, fires) => {
    const resolved = one({ keys: ['absent', key], sources: { [name]: true } });
    expect(resolved.fires).toBe(fires);
    expect(one({ keys: ['absent', key] }).fires).toBe('keys');
  });

  it('need not be searched once they are decided, unless something is open', () => {
    const sources = { characterDescription: true, personaDescription: true };
    const flags = (given: Given) =>
      Object.entries(one(given).entry.sources).flatMap(([name, on]) => (on ? [name] : []));
    expect(flags({ sources })).toEqual(['personaDescription']);
    expect(flags({ sources, keys: ['keeper'] })).toEqual([]);
    expect(flags({ sources, keys: ['/lamp[^x]*keeper/'] })).toEqual([
      'personaDescription',
      'characterDescription',
    ]);
    expect(flags({ sources, keys: ['{{random::a::b}}'] })).toHaveLength(2);
    // The scenario holds a macro that only a chat can replace.
    expect(flags({ sources: { scenario: true }, keys: ['fog'] })).toEqual(['scenario']);
    expect(flags({ sources, group: { name: 'sky', scoring: true } })).toHaveLength(2);
  });
});

describe('keys of which some are known', () => {
  const sources = { characterDescription: true };
  type Logic = LorebookEntry['logic'];
  it.each<[Logic, readonly string[], readonly string[], 'always' | 'never' | readonly (readonly string[])[]]>(
    [
      ['and_any', ['keeper'], ['oil', 'tar'], [['oil', 'tar'], []]],
      ['and_any', ['keeper'], ['oil', 'lighthouse'], 'always'],
      ['and_any', ['lamp'], ['oil', 'lighthouse'], [['lamp'], []]],
      ['and_any', ['lamp'], [''], 'never'],
      ['and_any', ['lamp'], ['', 'oil'], [['lamp'], ['oil']]],
      ['and_all', ['keeper'], ['oil', 'tar'], [['oil'], ['tar']]],
      ['and_all', ['keeper'], ['oil', 'lighthouse'], [['oil'], []]],
      ['and_all', ['lamp'], ['oil', 'lighthouse'], [['lamp'], ['oil']]],
      ['and_all', ['lamp'], ['oil', ''], 'never'],
      ['not_any', ['keeper'], ['oil'], [['/.*/'], ['oil']]],
      ['not_any', ['lamp'], ['oil', 'lighthouse'], 'never'],
      ['not_any', ['lamp'], ['oil', ' '], 'never'],
      ['not_any', ['keeper'], [''], 'always'],
      ['not_all', ['lamp'], ['oil', 'lighthouse'], [['lamp'], ['oil']]],
      ['not_all', ['lamp'], ['keeper', 'lighthouse'], 'never'],
      ['not_all', ['lamp'], ['oil', ''], [['lamp'], []]],
      ['not_all', ['keeper'], ['oil', 'tar'], [['/.*/'], ['oil', 'tar']]],
    ],
  )('%s of %j with %j', (logic, keys, secondaryKeys, expected) => {
    const resolved = one({ logic, keys, secondaryKeys, sources });
    if (typeof expected === 'string') expect(resolved.fires).toBe(expected);
    else {
      expect(resolved.fires).toBe('keys');
      expect(written(resolved)).toEqual(expected);
    }
  });

  it('leaves second keys that are switched off', () => {
    const resolved = one({ selective: false, secondaryKeys: ['', 'oil'] });
    expect(written(resolved)).toEqual([['lamp'], ['', 'oil']]);
    expect(one({ selective: false, keys: ['keeper'], secondaryKeys: ['oil'], sources }).fires).toBe('always');
  });

  it('does not rewrite keys that are counted', () => {
    const given: Given = { keys: ['keeper', ''], secondaryKeys: ['oil'], sources };
    expect(written(one({ ...given, group: { name: 'sky', scoring: true } }))).toEqual([
      ['keeper', ''],
      ['oil'],
    ]);
    expect(written(one({ ...given, group: { name: 'sky' } }))).toEqual([['oil'], []]);
  });
});

describe('macros and decorators', () => {
  it('are replaced in keys, and keys are read as SillyTavern then does', () => {
    const keys = ['{{char}} sings', ' oil ', ' /{{user}} (says|asks)/i ', 'b\\{2\\}', '/{{char}}'];
    const [primary] = written(one({ keys, secondaryKeys: ['{{user}} sings'] }));
    expect(primary).toEqual(['Nyra sings', 'oil', '/Robin (says|asks)/i', 'b{2}', '/Nyra']);
    expect(one({ keys }).entry.keys.map(({ kind }) => kind)).toEqual([
      'literal',
      'literal',
      'regex',
      'literal',
      'literal',
    ]);
  });

  it('keep names in contents', () => {
    const content = '@@depth 2\n<USER> of {{char}}: {{personality}}{{// note }}';
    expect(one({ content }).entry.content).toBe('{{user}} of {{char}}: stubborn');
  });

  it('are reported when they stay open', () => {
    const { findings } = resolve([entryOf({ keys: ['{{random::a::b}}'] })]);
    expect(findings.map(({ code, path }) => [code, path])).toEqual([['assumed', 'keys']]);
  });
});

describe('the character filter', () => {
  const filter = (exclude: boolean, names: readonly string[], tags: readonly string[]) => ({
    characterFilter: { exclude, names, tags },
  });
  it.each<[string, Given, readonly string[] | null, 'keys' | 'never', boolean]>([
    ['a file name', filter(false, ['Nyra-1'], []), null, 'keys', true],
    ['another file name', filter(false, ['Nyra'], []), null, 'never', false],
    ['a file name left out', filter(true, ['Nyra-1'], []), null, 'never', false],
    ['another one left out', filter(true, ['Nyra'], []), null, 'keys', true],
    ['a tag', filter(false, [], ['t1']), ['t1'], 'keys', true],
    ['another tag', filter(false, [], ['t2']), ['t1'], 'never', false],
    ['a tag left out', filter(true, [], ['t1']), ['t1'], 'never', false],
    ['no tags', filter(false, [], ['t1']), [], 'never', false],
    ['both, one of them wrong', filter(false, ['Nyra-1'], ['t2']), ['t1'], 'never', false],
    ['unknown tags', filter(false, [], ['t1']), null, 'keys', false],
  ])('%s', (_, given, tagIds, fires, isGone) => {
    const resolved = one(given, {}, { tagIds });
    expect(resolved.fires).toBe(fires);
    expect(resolved.entry.characterFilter === null).toBe(isGone);
  });
});

describe('the character’s note', () => {
  it('is carried as SillyTavern writes it', () => {
    expect(resolve([]).depthPrompt).toEqual({ prompt: 'Whisper, {{char}}.', depth: 3, role: 'user' });
  });
  it.each([
    [{ prompt: ' ' }, null],
    [{ prompt: 4 }, null],
    [{ prompt: 'x' }, { prompt: 'x', depth: 4, role: 'system' }],
    [
      { prompt: 'x', depth: '2', role: 'assistant' },
      { prompt: 'x', depth: 2, role: 'assistant' },
    ],
    [
      { prompt: 'x', depth: 'deep', role: 7 },
      { prompt: 'x', depth: 4, role: 'system' },
    ],
  ])('%j', (depth_prompt, expected) => {
    const pieces = readPieces(cardWith(undefined, { name: 'Odo', extensions: { depth_prompt } }));
    expect(resolve([], {}, { character: pieces.character }).depthPrompt).toEqual(expected);
  });
});

describe('findings', () => {
  it('stand for each difference, with the reason', () => {
    const { findings } = resolve([
      entryOf({ keys: ['keeper'], sources: { characterDescription: true } }),
      entryOf(
        { keys: [' oil ', ''], characterFilter: { exclude: false, names: ['Nyra-1'], tags: [] } },
        'e1',
      ),
      entryOf({ probability: { chance: 0, used: true }, group: { name: 'sky' } }, 'e2'),
      entryOf({ content: '@@depth 3\nText.', secondaryKeys: [''], logic: 'not_any' }, 'e3'),
      entryOf({ enabled: false }, 'e4'),
    ]);
    expect(
      findings.map(({ entryId, code, path, before, after }) => [entryId, code, path, before, after]),
    ).toEqual([
      ['e0', 'approximated', 'constant', false, true],
      ['e0', 'approximated', 'sources.characterDescription', true, false],
      ['e1', 'approximated', 'keys', [' oil ', ''], ['oil']],
      ['e1', 'stashed', 'characterFilter', { exclude: false, names: ['Nyra-1'], tags: [] }, null],
      ['e2', 'approximated', 'enabled', true, false],
      ['e3', 'approximated', 'secondaryKeys', [''], []],
      ['e3', 'approximated', 'content', '@@depth 3\nText.', 'Text.'],
    ]);
    expect(findings[0]?.message).toContain('stands in the character’s description');
    expect(findings[4]?.message).toContain('takes its group’s turn');
  });
});

describe('any book', () => {
  const shown = (entry: LorebookEntry) => {
    const { scan: _scan, probability: _probability, group, ...rest } = entry;
    return {
      ...rest,
      group: { ...group, scoring: null },
      keys: entry.keys.map(writeKey),
      secondaryKeys: entry.secondaryKeys.map(writeKey),
    };
  };
  it('keeps every entry with its id, and says what it changed', () => {
    fc.assert(
      fc.property(anyBook, (raw) => {
        const { lorebooks } = readPieces(cardWith(raw));
        const books = lorebooks.map((lorebook) => ({ lorebook, origin: 'primary' as const }));
        const resolved = resolve([], {}, { books });
        for (const [index, book] of resolved.books.entries()) {
          const entries = lorebooks[index]?.body.entries ?? [];
          expect(book.entries.map(({ source }) => source)).toEqual(entries);
          for (const { source, entry, fires } of book.entries) {
            expect(entry.id).toBe(source.id);
            expect(entry.enabled).toBe(fires !== 'never');
            expect([
              entry.scan.depth,
              entry.scan.caseSensitive,
              entry.scan.matchWholeWords,
              entry.group.scoring,
            ]).not.toContain(null);
            const said = resolved.findings.filter(({ entryId }) => entryId === source.id);
            const paths = new Set(
              said.filter(({ code }) => code !== 'assumed').map(({ path }) => path.split('.')[0]),
            );
            const [before, after] = [shown(source), shown(entry)];
            for (const key of Object.keys(before) as (keyof typeof before)[]) {
              const differs = JSON.stringify(before[key]) !== JSON.stringify(after[key]);
              expect([key, paths.has(key)]).toEqual([key, differs]);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is resolved again to itself', () => {
    fc.assert(
      fc.property(anyBook, (raw) => {
        const { lorebooks } = readPieces(cardWith(raw));
        const books = lorebooks.map((lorebook) => ({ lorebook, origin: 'primary' as const }));
        const first = resolve([], {}, { books, avatar: 'Odo Pell.png' });
        const again = resolve(
          [],
          {},
          {
            avatar: 'Odo Pell.png',
            books: first.books.map(({ lorebook, entries, origin }) => ({
              origin,
              lorebook: deepFreeze({
                ...lorebook,
                body: { ...lorebook.body, entries: entries.map(({ entry }) => entry) },
              }),
            })),
          },
        );
        const fires = (each: ResolvedCharacter) =>
          each.books.flatMap(({ entries }) => entries.map((e) => e.fires));
        expect(fires(again)).toEqual(fires(first));
      }),
      { numRuns: 300 },
    );
  });

  it('changes nothing that it was given, field by field', () => {
    const full = fullEntry();
    expect(() => resolve([full])).not.toThrow();
    expect(resolve([full]).books[0]?.entries[0]?.source).toBe(full);
  });

  it('of ten thousand entries takes no time worth a word', () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      entryOf(
        {
          keys: [`lamp ${index}`, `/oil${index}/i`],
          group: { name: index % 2 ? 'sky' : `g${index % 50}`, override: true },
        },
        `e${index}`,
      ),
    );
    expect(cpuTime(() => resolve(many))).toBeLessThan(3000);
  });
});
