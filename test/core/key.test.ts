import { describe, expect, it } from 'vitest';
import type { Key } from '../../src/core/key.ts';
import { literalKey, patternKey, readKey, sameKeys, writeKey } from '../../src/core/key.ts';

const regex = (source: string, flags = ''): Key => ({ kind: 'regex', source, flags });

describe('a key is a regex only in the form /pattern/flags (decisions 5, case 25)', () => {
  const REGEXES: readonly (readonly [written: string, source: string, flags: string])[] = [
    ['/lamp/', 'lamp', ''],
    ['/lamp/i', 'lamp', 'i'],
    ['/(?:^|[^а-я])маяк(?:а|ом)?/g', '(?:^|[^а-я])маяк(?:а|ом)?', 'g'],
    ['/sea\\/land/i', 'sea\\/land', 'i'],
    ['/a\nb/', 'a\nb', ''],
    ['/ /', ' ', ''],
  ];
  it.each(REGEXES)('%j', (written, source, flags) => {
    expect(readKey(written)).toEqual({ key: regex(source, flags), broken: false });
  });

  const TEXTS = [
    'AC/DC',
    '/home/user',
    '/usr/lib/x',
    'lamp',
    '',
    ' ',
    '//',
    '/',
    'C++',
    '/lamp',
    'lamp/i',
    '/a/b/',
  ];
  it.each(TEXTS)('%j is text', (written) => {
    expect(readKey(written)).toEqual({ key: literalKey(written), broken: false });
  });

  const BROKEN = ['/open(/i', '/lamp/ii', '/[/', '/(?<n/'];
  it.each(BROKEN)('%j looks like a regex but does not compile, so it is text', (written) => {
    expect(readKey(written)).toEqual({ key: literalKey(written), broken: true });
  });

  it('knows only the six flags that SillyTavern knows', () => {
    expect(readKey('/lamp/v').key.kind).toBe('literal');
    expect(readKey('/lamp/d').key.kind).toBe('literal');
    expect(readKey('/lamp/gimsuy').key).toEqual(regex('lamp', 'gimsuy'));
  });
});

describe('a bare pattern, as CCv3 use_regex has it', () => {
  it('gets its slashes escaped, so that it can stand between slashes', () => {
    expect(patternKey('sea/land', 'i')).toEqual(regex('sea\\/land', 'i'));
    expect(patternKey('sea\\/land', '')).toEqual(regex('sea\\/land'));
    expect(patternKey('a\\\\/b', '')).toEqual(regex('a\\\\\\/b'));
  });
  it('is none when it does not compile or is empty', () => {
    expect(patternKey('open(', '')).toBeNull();
    expect(patternKey('', '')).toBeNull();
  });
  it.each(['sea/land', 'l[ae]mp', 'a\\\\/b', '[/]', '\\d+/\\d+'])(
    '%j matches the same when read again',
    (pattern) => {
      const key = patternKey(pattern, '');
      expect(key).not.toBeNull();
      expect(readKey(writeKey(key as Key))).toEqual({ key, broken: false });
    },
  );
});

describe('sameKeys', () => {
  it('compares kind, text and order', () => {
    expect(sameKeys([literalKey('a'), regex('b')], [literalKey('a'), regex('b')])).toBe(true);
    expect(sameKeys([literalKey('a'), literalKey('b')], [literalKey('b'), literalKey('a')])).toBe(false);
    expect(sameKeys([literalKey('a')], [literalKey('a'), literalKey('a')])).toBe(false);
    expect(sameKeys([literalKey('/a/')], [regex('a')])).toBe(false);
    expect(sameKeys([regex('a')], [regex('a', 'i')])).toBe(false);
  });
});
