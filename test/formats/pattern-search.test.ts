import { describe, expect, it } from 'vitest';
import { patternSearch } from '../../src/formats/_shared/pattern-search.ts';

const search = (source: string, text: string, flags = ''): boolean | null | undefined =>
  patternSearch(source, flags)?.(text);
const same = `${'a'.repeat(60)}b`;

describe('a pattern of a card', () => {
  it('is looked for as ever when it cannot take long', () => {
    const long = `${'The old dragon sleeps. '.repeat(40)}The wyrms wake.`;
    for (const [source, flags, found] of [
      ['drag(on|oon)s?', 'i', true],
      ['WYRMS?', 'i', true],
      ['WYRMS?', '', false],
      ['\\b(?:wyrms?|drakes?)\\s+\\w+\\.', '', true],
      ['dragon.*wake', '', true],
      ['wake.*dragon', '', false],
      ['wyrm\\w*|drake\\w*|dragon\\w+|worm\\w*', '', true],
      ['(\\d{3})+', '', false],
      ['^The', 'y', true],
      ['old', 'y', false],
      ['(?:)', '', true],
    ] as const) {
      expect([source, search(source, long, flags)]).toEqual([source, found]);
    }
  });
  it('begins at the start of every text', () => {
    const each = patternSearch('a', 'gy');
    expect(['ab', 'ab', 'ba'].map((text) => each?.(text))).toEqual([true, true, false]);
  });
  it('cannot be told of when it may take for ever, however short the text', () => {
    const slow = [
      '(a+)+$',
      '(a|a)*$',
      '(?:a?a?)*$',
      '^(\\w+\\s?)*$',
      '((a*)b?)*c',
      `${'a?'.repeat(60)}${'a'.repeat(62)}`,
    ];
    for (const source of [
      ...slow,
      '(a|a){40}c',
      `${'(a|a)'.repeat(40)}c`,
      '(|){60}x',
      '.*.*.*.*.*.*.*c',
      `(?!x)${'a*'.repeat(9)}c`,
      `\ud83d${'.*'.repeat(9)}c`,
    ])
      expect([source, search(source, same)]).toEqual([source, null]);
    expect(search('(|)*x', '')).toBeNull();
  });
  it('nor when it is too big for the engine, which compiles it and does not run it', () => {
    for (const source of ['x'.repeat(100_000), `${'('.repeat(30_000)}a${')'.repeat(30_000)}`])
      expect(search(source, same)).toBeNull();
  });
  it('in a long text only the simple ones can', () => {
    const text = 'ab '.repeat(10_000);
    expect(search('b a', text)).toBe(true);
    expect(search('a.*b.*c', text)).toBeNull();
  });
  it('that does not compile is none', () => {
    expect(patternSearch('(', '')).toBeNull();
  });
});
