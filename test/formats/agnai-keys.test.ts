// Keys as keywords: where they say a key exactly, both apps decide alike over random texts; where they say more, nothing
// that SillyTavern finds is missed. Agnai's own answers are in the fixture.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type Key, literalKey, readKey, writeKey } from '../../src/core/key.ts';
import { type Style, writtenKeywords } from '../../src/formats/agnai/keys.ts';
import { isAlwaysFound, keyOfKeyword, keywordDoubt, keywordOfKey } from '../../src/formats/agnai/keywords.ts';
import { holdsKey } from '../../src/formats/sillytavern/resolve-matching.ts';
import { findsKeyword } from '../support/agnai-app.ts';
import { exactPairs } from '../support/agnai-pairs.ts';
import { cpuTime } from '../support/cpu-time.ts';

vi.setConfig({ testTimeout: 120_000 });

const scanOf = (matchWholeWords: boolean, caseSensitive = false) => ({
  depth: 2,
  caseSensitive,
  matchWholeWords,
});
const write = (keys: readonly Key[], wholeWords = true, style: Style = 'exact') =>
  writtenKeywords({ keys, scan: scanOf(wholeWords) }, style);
const finds = (keywords: readonly string[], text: string): boolean =>
  keywords.some((keyword) => findsKeyword(keyword, text));

const FIXTURE = JSON.parse(
  readFileSync(new URL('../fixtures/agnai-answers.json', import.meta.url), 'utf8'),
) as { readonly seed: number; readonly answers: string };

describe('keys that Agnai can say', () => {
  it('are found where SillyTavern finds them, in 100,000 random texts', () => {
    let found = 0;
    for (const { key, wholeWords, text } of exactPairs(FIXTURE.seed, 100_000)) {
      const written = write([literalKey(key)], wholeWords);
      const ours = holdsKey(text, literalKey(key), scanOf(wholeWords));
      if (written.doubts.length + written.lost.length > 0 || finds(written.keywords, text) !== ours) {
        expect({ key, wholeWords, text, keywords: written.keywords, ours }).toBeNull();
      }
      if (ours) found++;
    }
    expect(found).toBeGreaterThan(20_000);
    expect(found).toBeLessThan(80_000);
  });
  it("Agnai's own matcher decides so too", () => {
    const { answers, seed } = FIXTURE;
    expect(answers).toMatch(/^[01]{2000}$/);
    exactPairs(seed, answers.length).forEach(({ key, wholeWords, text }, at) => {
      const answer = answers[at] === '1';
      const { keywords } = write([literalKey(key)], wholeWords);
      expect({ at, key, text, found: finds(keywords, text) }).toEqual({ at, key, text, found: answer });
      expect(holdsKey(text, literalKey(key), scanOf(wholeWords))).toBe(answer);
    });
  });
});

describe('each key', () => {
  it.each<[string, boolean, readonly string[], string | null]>([
    ['dragon', true, ['dragon'], null],
    ['dragon', false, ['*dragon*'], null],
    ['red dragon', true, ['*red dragon*'], null],
    ['red dragon', false, ['*red dragon*'], null],
    ['semi-auto', true, ['semi-auto'], null],
    ["d'Artagnan", true, ["d'Artagnan"], null],
    ['a,b', true, ['a,b'], null],
    ['naïve', true, ['naïve'], null],
    ['dark_elf', true, ['dark?elf'], 'underscore'],
    ['C++', true, ['C'], 'part'],
    ['C++', false, ['*C'], 'part'],
    ['Mr. Smith', true, ['Smith*'], 'part'],
    ['hello!', true, ['hello'], 'part'],
    ['#quest', true, ['quest'], 'part'],
    ['50%', true, ['50'], 'part'],
    ['really?', true, ['really'], 'part'],
    ['élan', true, ['lan'], 'part'],
    ['café', false, ['*caf'], 'part'],
    ['/foo|bar/i', true, ['*foo*', '*bar*'], null],
    ['/\\bfoo\\b/i', true, ['foo'], null],
    ['/\\b(wyrm|drake)s?\\b/i', true, ['wyrm', 'wyrms', 'drake', 'drakes'], null],
    ['/(wyrm|drake)s?/i', true, ['*wyrm*', '*drake*'], null],
    ['/gr[ae]y/i', true, ['*gray*', '*grey*'], null],
    ['/colou?r/i', true, ['*color*', '*colour*'], null],
    ['/foo\\w*bar/i', true, ['*foo*bar*'], null],
    ['/foo.*bar/i', true, ['*foo*'], 'wider'],
    ['/foo/', true, ['*foo*'], 'case'],
    ['/42/', true, ['*42*'], null],
    ['/room \\d/i', true, ['*room ?*'], 'wider'],
    ['/red\\s+dragon/i', true, ['*red dragon*'], 'white space'],
    ['/.*/', true, ['*'], null],
  ])('%s (whole words %s)', (text, wholeWords, keywords, doubt) => {
    const written = write([readKey(text).key], wholeWords);
    expect(written.keywords).toEqual(keywords);
    const [first] = written.doubts;
    if (doubt === null) expect(first).toBeUndefined();
    else expect(first?.reason).toContain(doubt);
  });
  it.each(['龍', 'дракон', '🙂', '...', '/\\p{L}/u', '/[^a]/'])('%s: nothing can be looked for', (text) => {
    const written = write([readKey(text).key]);
    expect(written).toMatchObject({ keywords: [], lost: [readKey(text).key] });
  });
  it('no pattern takes long, however it is made', () => {
    const hostile = [
      `${'('.repeat(3000)}a${')'.repeat(3000)}`,
      '(a|b)'.repeat(40),
      'a{1,9}'.repeat(30),
      `[${'a-z'.repeat(2000)}]`,
    ];
    for (const source of hostile) {
      const keys = [readKey(`/${source}/i`).key, literalKey('x.'.repeat(50_000))];
      expect(cpuTime(() => write(keys))).toBeLessThan(1500);
    }
  });
  it('natural keeps a plain key as its text; stars are the switch for whole words', () => {
    expect(write([literalKey('red dragon')], true, 'natural').keywords).toEqual(['red dragon']);
    expect(write([literalKey('red dragon')], true, 'natural').doubts).toHaveLength(1);
    expect(write([literalKey('dragon')], true, 'natural')).toMatchObject({
      keywords: ['dragon'],
      doubts: [],
    });
    expect(write([literalKey('dragon')], false, 'natural')).toMatchObject({
      keywords: ['*dragon*'],
      doubts: [],
    });
  });
  it('a keyword that others hold is not said twice', () => {
    expect(write([literalKey('lamp'), literalKey('oil lamp'), literalKey('Lamp')], false).keywords).toEqual([
      '*lamp*',
      '*Lamp*',
    ]);
  });
});

describe('keys of which only a part can be said', () => {
  const word = fc.constantFrom(
    'Mr.',
    'Vale',
    'C++',
    'élan',
    'дом',
    '#tag',
    'dark_elf',
    'a*b',
    'what?',
    '龍',
    'x',
    '50%',
    "d'Or",
  );
  const glue = fc.constantFrom('', ' ', '-', '.', ' ', '_');
  const text = fc
    .array(fc.oneof(word, glue, fc.constantFrom('s', 'S', ',', '!')), { maxLength: 8 })
    .map((parts) => parts.join(''));
  const pieces = fc.tuple(word, glue, fc.option(word, { nil: '' })).map((parts) => parts.join('').trim());
  it('are never missed', () => {
    fc.assert(
      fc.property(pieces, text, text, fc.boolean(), (key, before, after, wholeWords) => {
        const { keywords, lost } = write([literalKey(key)], wholeWords);
        fc.pre(lost.length === 0);
        for (const line of [`${before}${key}${after}`, `${before} ${key.toUpperCase()} ${after}`]) {
          if (holdsKey(line, literalKey(key), scanOf(wholeWords)))
            expect([key, line, keywords, finds(keywords, line)]).toEqual([key, line, keywords, true]);
        }
      }),
      { seed: 7, numRuns: 4000 },
    );
  });
  const atom = fc.constantFrom(
    'wyrm',
    'a',
    'b',
    '[ab]',
    '[0-9]',
    '\\d',
    '\\w',
    '\\w*',
    '.',
    '.*',
    '\\b',
    ' ',
    '-',
    '(foo|bar)',
    'é',
    '\\.',
    '[^a]',
    '(?:x|yz)?',
    '_',
    '\\W',
  );
  const quantifier = fc.constantFrom('', '', '', '', '?', '+', '*', '{2}', '{1,2}');
  const pattern = fc
    .array(
      fc
        .tuple(atom, quantifier)
        .map(([a, q]) => (a === '\\b' || (a.length > 1 && /[*?]$/.test(a)) ? a : a + q)),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => parts.join(''));
  const line = fc
    .array(
      fc.constantFrom('wyrm', 'a', 'b', '7', 'foo', 'bar', 'x', 'yz', ' ', '-', '.', 'é', '_', 'q', '龍'),
      { maxLength: 9 },
    )
    .map((parts) => parts.join(''));
  it('patterns are never missed, and those without a doubt are found nowhere else', () => {
    let exact = 0;
    fc.assert(
      fc.property(pattern, fc.array(line, { minLength: 8, maxLength: 8 }), (source, lines) => {
        const { key } = readKey(`/${source}/i`);
        fc.pre(key.kind === 'regex');
        const { keywords, doubts, lost } = write([key]);
        fc.pre(lost.length === 0 && !doubts.some(({ reason }) => /forms|white space/.test(reason)));
        for (const text of lines) {
          const ours = holdsKey(text, key, scanOf(true));
          const theirs = finds(keywords, text);
          if (ours || doubts.length === 0) {
            // The one keyword for everything needs a letter or a digit in the line.
            if (keywords.includes('*') && !/\w/.test(text)) continue;
            expect([source, text, keywords, theirs]).toEqual([source, text, keywords, ours]);
            if (doubts.length === 0) exact++;
          }
        }
      }),
      { seed: 11, numRuns: 6000 },
    );
    expect(exact).toBeGreaterThan(1000);
  });
});

describe('keywords read', () => {
  it.each<[string, string, string | null]>([
    ['dragon', 'dragon', null],
    ['*ferry*', '/\\b\\w*ferry\\w*\\b/i', null],
    ['gr?y stone', '/\\bgr\\wy stone\\b/i', null],
    ['a/b*', '/\\ba\\/b\\w*\\b/i', null],
    ['red dragon', 'red dragon', 'several words'],
    ['Mr. Finch', 'Mr. Finch', 'searches'],
    ['hello!', 'hello!', 'hardly'],
    ['élan', 'élan', 'hardly'],
    ['/blue|green/i', '/blue|green/i', 'pattern'],
  ])('%s', (keyword, key, doubt) => {
    expect(writeKey(keyOfKeyword(keyword))).toBe(key);
    if (doubt === null) expect(keywordDoubt(keyword)).toBeNull();
    else expect(keywordDoubt(keyword)).toContain(doubt);
    expect(keywordOfKey(keyOfKeyword(keyword))).toBe(keyword);
  });
  it.each(['*', '', '   ', '$$', '...', '**'])('“%s” is found in every line', (keyword) => {
    expect(isAlwaysFound(keyword)).toBe(true);
    expect(findsKeyword(keyword, 'Ann: 龍')).toBe(true);
  });
  it('find what Agnai finds, where there is no doubt', () => {
    const keyword = fc
      .array(fc.constantFrom('a', 'B', '7', '*', '?', '-', ' ', 'é'), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join('').trim());
    const line = fc
      .array(fc.constantFrom('a', 'b', '7', ' ', '-', '_', 'é', 'q'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(keyword, line, (written, text) => {
        fc.pre(written !== '' && !isAlwaysFound(written) && keywordDoubt(written) === null);
        const key = keyOfKeyword(written);
        expect([written, text, holdsKey(text, key, scanOf(true))]).toEqual([
          written,
          text,
          findsKeyword(written, text),
        ]);
      }),
      { seed: 5, numRuns: 5000 },
    );
  });
});
