// Keys as they are written for Marinara, in both styles, and what is said where they are found otherwise there.

import { describe, expect, it } from 'vitest';
import type { ScanSettings } from '../../src/core/resolved.ts';
import type { MarinaraOptions } from '../../src/formats/marinara/book-writing.ts';
import type { PartOfEntry } from '../support/in-force.ts';
import { OFF, written } from '../support/marinara-wire.ts';
import { EXACT, NATURAL } from '../support/sent-books.ts';
import { literal, regex } from '../support/wire-tables.ts';

describe('keys', () => {
  const keysOf = (given: PartOfEntry, options: MarinaraOptions, settings: Partial<ScanSettings> = {}) => {
    const { card, codes } = written(given, options, settings);
    const { keys, secondary_keys, useRegex, case_sensitive, matchWholeWords } = card;
    return {
      keys,
      secondary_keys,
      useRegex,
      case_sensitive,
      matchWholeWords,
      said: [...codes('keys'), ...codes('secondaryKeys')],
    };
  };
  it('whole words: natural sets the switch and says where it differs, exact spells them out', () => {
    const one = { keys: literal('lamp') };
    expect(keysOf(one, NATURAL)).toMatchObject({
      keys: ['lamp'],
      useRegex: false,
      matchWholeWords: true,
      said: ['approximated'],
    });
    expect(keysOf(one, EXACT)).toMatchObject({
      keys: ['(?:^|\\W)(?:lamp)(?:$|\\W)'],
      useRegex: true,
      matchWholeWords: false,
      case_sensitive: false,
      said: [],
    });
  });
  it('keys of several words are found anywhere, so nothing needs to be spelled out', () => {
    const several = { keys: literal('oil lamp') };
    for (const options of [NATURAL, EXACT]) {
      expect(keysOf(several, options)).toMatchObject({
        keys: ['oil lamp'],
        useRegex: false,
        matchWholeWords: false,
        said: [],
      });
    }
    const mixed = { keys: literal('oil lamp', 'wick (old)', 'c++') };
    expect(keysOf(mixed, EXACT)).toMatchObject({
      keys: ['oil lamp', 'wick \\(old\\)', '(?:^|\\W)(?:c\\+\\+)(?:$|\\W)'],
      useRegex: true,
      said: [],
    });
  });
  it('a Chinese key is found inside running text, which whole words there never would', () => {
    expect(keysOf({ keys: literal('灯台') }, NATURAL)).toMatchObject({
      keys: ['灯台'],
      matchWholeWords: false,
      said: ['approximated'],
    });
    expect(keysOf({ keys: literal('灯台') }, EXACT)).toMatchObject({
      keys: ['(?:^|\\W)(?:灯台)(?:$|\\W)'],
      said: [],
    });
  });
  it('patterns lose their slashes and flags, never their meaning', () => {
    expect(keysOf({ keys: [regex('l[ae]mp', 'i')] }, NATURAL)).toMatchObject({
      keys: ['l[ae]mp'],
      useRegex: true,
      case_sensitive: false,
      said: [],
    });
    expect(keysOf({ keys: [regex('Lamp')] }, NATURAL)).toMatchObject({
      keys: ['Lamp'],
      case_sensitive: true,
      said: [],
    });
    expect(keysOf({ keys: [regex('a.b', 's')] }, EXACT)).toMatchObject({ keys: ['a[\\s\\S]b'], said: [] });
    expect(keysOf({ keys: [regex('Ab'), regex('x[c-e]\\/1', 'i')] }, EXACT)).toMatchObject({
      keys: ['Ab', '[xX][c-eC-E]\\/1'],
      case_sensitive: true,
      said: [],
    });
    expect(
      keysOf({ keys: [regex('Ab')], secondaryKeys: literal('oil') }, EXACT, { matchWholeWords: false }),
    ).toMatchObject({ keys: ['Ab'], secondary_keys: ['[oO][iI][lL]'], case_sensitive: true, said: [] });
  });
  it('a plain key beside a pattern is its own text in natural', () => {
    expect(keysOf({ keys: [...literal('St. Ann'), regex('x+', 'i')] }, NATURAL)).toMatchObject({
      keys: ['St\\. Ann', 'x+'],
      useRegex: true,
      said: [],
    });
  });
  it('what Marinara would refuse to run gets an end, or is named', () => {
    expect(keysOf({ keys: [regex('colou?r\\s+\\w+', 'i')] }, EXACT)).toMatchObject({
      keys: ['colou?r\\s{1,999}\\w{1,999}'],
      said: [],
    });
    expect(keysOf({ keys: [regex('(\\w+)+x', 'i')] }, EXACT)).toMatchObject({
      keys: ['(\\w+)+x'],
      said: ['approximated'],
    });
    expect(keysOf({ keys: [regex('\\p{Nd}', 'u')] }, EXACT)).toMatchObject({ said: ['approximated'] });
    expect(keysOf({ keys: [regex('^lamp')] }, EXACT)).toMatchObject({ said: ['approximated'] });
  });
  it('a plain key between slashes, which the importer would take for a pattern, is the pattern of its text', () => {
    for (const options of [NATURAL, EXACT]) {
      const found = keysOf({ keys: literal('/open(/') }, options, OFF);
      expect(found).toMatchObject({ keys: ['\\/open\\(\\/'], useRegex: true, said: [] });
    }
  });
  it('empty keys are dropped, edges are trimmed', () => {
    expect(keysOf({ keys: literal('', ' lamp ') }, EXACT, OFF)).toMatchObject({
      keys: ['lamp'],
      useRegex: false,
      said: [],
    });
  });
  it('keys of a constant entry stay as they read', () => {
    expect(keysOf({ keys: literal('lamp'), constant: true }, EXACT)).toMatchObject({
      keys: ['lamp'],
      useRegex: false,
      said: [],
    });
  });
});
