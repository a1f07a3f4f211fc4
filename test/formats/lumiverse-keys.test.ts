// Keys as they are written for Lumiverse, in both styles, and what is said where they are found otherwise there.

import { describe, expect, it } from 'vitest';
import type { ScanSettings } from '../../src/core/resolved.ts';
import type { LumiverseOptions } from '../../src/formats/lumiverse/book-writing.ts';
import type { PartOfEntry } from '../support/in-force.ts';
import { OFF, written } from '../support/lumiverse-wire.ts';
import { EXACT, NATURAL } from '../support/sent-books.ts';
import { literal, regex } from '../support/wire-tables.ts';

describe('keys', () => {
  const keysOf = (given: PartOfEntry, options: LumiverseOptions, settings: Partial<ScanSettings> = {}) => {
    const { native, codes } = written(given, options, settings);
    const { key, keysecondary, use_regex, case_sensitive, match_whole_words } = native;
    const said = [...codes('keys'), ...codes('secondaryKeys')];
    return { key, keysecondary, use_regex, case_sensitive, match_whole_words, said };
  };
  it('a word between word characters is found alike, so the switch is enough in both styles', () => {
    for (const options of [NATURAL, EXACT]) {
      expect(keysOf({ keys: literal('lamp', 'wick_2') }, options)).toMatchObject({
        key: ['lamp', 'wick_2'],
        use_regex: false,
        match_whole_words: true,
        said: [],
      });
    }
  });
  it('beside a key of several words, which is found anywhere here, natural says where it differs', () => {
    const mixed = { keys: literal('oil lamp', 'wick') };
    expect(keysOf(mixed, NATURAL)).toMatchObject({
      key: ['oil lamp', 'wick'],
      use_regex: false,
      match_whole_words: true,
      said: ['approximated'],
    });
    expect(keysOf(mixed, EXACT)).toMatchObject({
      key: ['oil lamp', '(?:^|\\W)(?:wick)(?:$|\\W)'],
      use_regex: true,
      match_whole_words: false,
      said: [],
    });
  });
  it.each(['C++', '灯台', 'Łódź'])('%s is hardly ever found as a whole word there', (text) => {
    const found = keysOf({ keys: literal(text) }, NATURAL);
    expect(found).toMatchObject({ key: [text], match_whole_words: false, said: ['approximated'] });
    expect(keysOf({ keys: literal(text) }, EXACT)).toMatchObject({ use_regex: true, said: [] });
  });
  it('patterns are bare, and their case is the entry’s', () => {
    expect(keysOf({ keys: [regex('l[ae]mp', 'i'), regex('a\\/b', 'i')] }, NATURAL)).toMatchObject({
      key: ['l[ae]mp', 'a\\/b'],
      use_regex: true,
      case_sensitive: false,
      said: [],
    });
    expect(keysOf({ keys: [regex('Lamp')] }, EXACT)).toMatchObject({ use_regex: true, case_sensitive: true });
    expect(keysOf({ keys: [regex('Lamp'), regex('wick', 'i')] }, EXACT)).toMatchObject({
      key: ['Lamp', '[wW][iI][cC][kK]'],
      case_sensitive: true,
      said: [],
    });
    expect(keysOf({ keys: [regex('a.b', 'is')] }, EXACT)).toMatchObject({ key: ['a[\\s\\S]b'], said: [] });
    expect(keysOf({ keys: [regex('\\p{Lu}x', 'u')] }, EXACT)).toMatchObject({ said: ['approximated'] });
  });
  it('a plain key beside a pattern is the pattern of its text', () => {
    const mixed = { keys: [...literal('c++'), regex('lamp', 'i')] };
    expect(keysOf(mixed, EXACT, OFF)).toMatchObject({ key: ['c\\+\\+', 'lamp'], use_regex: true, said: [] });
    expect(keysOf(mixed, NATURAL)).toMatchObject({ key: ['c\\+\\+', 'lamp'], said: ['approximated'] });
  });
  it('a plain key between slashes stays plain', () => {
    expect(keysOf({ keys: literal('/home/user') }, EXACT, OFF)).toMatchObject({
      key: ['/home/user'],
      use_regex: false,
    });
  });
});
