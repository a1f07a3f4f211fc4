// Patterns as Marinara can run them: what it refuses, and that a rewritten key finds what SillyTavern's key finds.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Key } from '../../src/core/key.ts';
import { readKey } from '../../src/core/key.ts';
import {
  withBothCases as bothCases,
  type KeyOptions,
  patternOfKey as ofKey,
} from '../../src/formats/_shared/flagless-patterns.ts';
import { isRunByMarinara } from '../../src/formats/_shared/marinara/pattern-safety.ts';
import { partsOf } from '../../src/formats/_shared/pattern-parts.ts';
import { KEY_WRITERS } from '../../src/formats/marinara/keys.ts';
import { MARINARA_PATTERNS } from '../../src/formats/marinara/pattern-rewriting.ts';
import { entryOf } from '../support/in-force.ts';

const patternOfKey = (key: Key, options: KeyOptions) => ofKey(key, options, MARINARA_PATTERNS);
const withBothCases = (source: string) => bothCases(source, MARINARA_PATTERNS);

const RUNS = { seed: 20_260_703, numRuns: 4000 };

describe('what Marinara refuses to run', () => {
  it.each([
    'colou?r\\s+\\w+',
    '(a+)+',
    '(\\w+\\s*)+',
    '(\\d{2}){3}',
    '(a|ab)*',
    '(a|)*',
    '((b)|c)+',
    'a.*b.*c.*d',
    'x++',
    'a{2}+',
    '(?i:x)',
    '(unclosed',
    'closed)',
    '[a-z',
    'x\\',
    `${'a'.repeat(1001)}`,
  ])('%s', (source) => {
    expect(isRunByMarinara(source)).toBe(false);
  });
  it.each([
    '',
    'gr[ea]y stones?',
    'blue (door|gate)',
    '(?:^|\\W)(?:lamp)(?:$|\\W)',
    '\\w+ \\w+',
    '[^,]+,[^,]+,[^,]+,x',
    '(ab|cd)+',
    '(?<name>x)\\d+',
    '(?<=a)b',
    'a{,3}',
    '\\p{L}+',
    `${'a'.repeat(1000)}`,
  ])('but not %s', (source) => {
    expect(isRunByMarinara(source)).toBe(true);
  });
});

// What SillyTavern 1.19 does with a key (world-info.js, matchKeys), told anew.
function sillyTavernFinds(key: Key, text: string, caseSensitive: boolean, matchWholeWords: boolean): boolean {
  if (key.kind === 'regex') return new RegExp(key.source.replaceAll('\\/', '/'), key.flags).test(text);
  const fold = (each: string): string => (caseSensitive ? each : each.toLowerCase());
  const [hay, needle] = [fold(text), fold(key.text.trim())];
  if (key.text === '') return false;
  if (!matchWholeWords || needle.split(/\s+/).length > 1) return hay.includes(needle);
  const escaped = needle.replace(/[/\-\\^$*+?.()|[\]{}]/g, '\\$&');
  return new RegExp(`(?:^|\\W)(${escaped})(?:$|\\W)`).test(hay);
}

// What Marinara 2.3.3 does with an entry that has its regex switch on or off, told anew.
function marinaraFinds(key: Key, text: string, caseSensitive: boolean, matchWholeWords: boolean): boolean {
  if (key.kind === 'regex') {
    if (!isRunByMarinara(key.source)) return text.toLowerCase().includes(key.source.toLowerCase());
    return new RegExp(key.source, caseSensitive ? 'g' : 'gi').test(text);
  }
  expect(matchWholeWords).toBe(false);
  const fold = (each: string): string => (caseSensitive ? each : each.toLowerCase());
  return fold(text).includes(fold(key.text.trim()));
}

const word = fc.constantFrom(
  'lamp',
  'Lamp',
  'oil lamp',
  'c++',
  'x.y',
  'é',
  'Éa',
  '灯台',
  'a/b',
  ' wick ',
  '(old)',
  'K9',
  '#1',
  '',
);
const pattern = fc.constantFrom(
  ...[
    '/l[ae]mp/',
    '/L[A-F]mp/i',
    '/lamp|WICK/i',
    '/colou?r\\s+\\w+/i',
    '/o.l/s',
    '/[^a-k]amp/i',
    '/é[à-ü]?/i',
  ],
  ...[
    '/\\u{1f525}+x/u',
    '/(oil|tar) lamp/',
    '/w\\x49ck/i',
    '/a\\/B/i',
    '/k\\d/i',
    '/\\bLAMP\\b/i',
    '/[\\]x]y/i',
  ],
);
const keys = fc
  .array(fc.oneof(word, pattern), { minLength: 1, maxLength: 3 })
  .map((list) => list.map((text) => readKey(text).key));
const text = fc
  .array(
    fc.constantFrom(
      'lamp',
      'LAMP',
      'oil lamp',
      'wick',
      'WIck',
      'é',
      'É',
      'Éa',
      'àé',
      '灯台は',
      'c++',
      'xay',
      'x.y',
      'k9',
      'K9',
      'colour red',
      'a/b',
      'A/B',
      'o\nl',
      '🔥🔥x',
      '(old)',
      '#1',
      'fox',
      'Tar lamp',
      'ßx',
    ),
    { maxLength: 4 },
  )
  .chain((words) => fc.constantFrom(' ', '', '\n', ', ', 'é').map((joiner) => words.join(joiner)));

describe('exact keys find what SillyTavern’s find', () => {
  it('key by key, however an entry mixes them', () => {
    fc.assert(
      fc.property(
        keys,
        keys,
        text,
        fc.boolean(),
        fc.boolean(),
        (primary, secondary, said, caseSensitive, matchWholeWords) => {
          const entry = entryOf({
            keys: primary,
            secondaryKeys: secondary,
            scan: { caseSensitive, matchWholeWords },
          });
          const written = KEY_WRITERS.exact(entry, 'card');
          expect(written.doubts).toEqual([]);
          const meant = [...primary.filter((key) => key.kind === 'regex' || key.text !== ''), ...secondary];
          const there = [...written.keys, ...written.secondaryKeys];
          expect(there).toHaveLength(meant.length);
          expect(
            there.map((key) => marinaraFinds(key, said, written.caseSensitive, written.matchWholeWords)),
          ).toEqual(meant.map((key) => sillyTavernFinds(key, said, caseSensitive, matchWholeWords)));
        },
      ),
      RUNS,
    );
  });
  it('a pattern that spells out both cases finds what one that ignores case finds', () => {
    const piece = fc.constantFrom(
      'a',
      'Z',
      'é',
      '[a-f]',
      '[^x-z]',
      '[^A-Ck]',
      '\\w',
      '(?:b|C)',
      'k?',
      '.',
      '\\x41',
      'ß',
      '[\\]x]',
      '[_-b]',
    );
    const letters = fc.array(fc.constantFrom(...'aAzZéÉfFxXyYbBcCkK1ßS_]'), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), letters, (pieces, chars) => {
        const source = pieces.join('');
        const both = withBothCases(source);
        if (both === null) return;
        expect(new RegExp(both).test(chars.join(''))).toBe(new RegExp(source, 'i').test(chars.join('')));
      }),
      RUNS,
    );
  });
  it('the parts of a pattern are the pattern', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab\\[](){}?*+|^$.-:<=!,0123pu') }), (source) => {
        expect(
          partsOf(source)
            .map((part) => part.text)
            .join(''),
        ).toBe(source);
      }),
      RUNS,
    );
  });
  it.each(['/(a)\\1x/i', '/\\p{Nd}/u', '/^x/', '/x$/m', '/x/y', '/(\\w+)+x/'])('%s is doubted', (written) => {
    const both = [readKey(written).key, readKey('/Q/').key];
    const { doubts } = KEY_WRITERS.exact(entryOf({ keys: both }), 'card');
    expect(doubts).toHaveLength(1);
    expect(patternOfKey(readKey('/Q/').key, { caseSensitive: false, matchWholeWords: true }).doubt).toBe(
      null,
    );
  });
});
