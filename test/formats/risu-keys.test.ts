// Keys as they are written for RisuAI, in both styles; what entries decide among themselves by their keys; and the golden
// file of places, logics and keys of every kind.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import type { RisuOptions } from '../../src/formats/risu/book-writing.ts';
import { goldenOf, inStyles, keyKinds, LOGICS, ORDERS, PLACES } from '../support/golden-files.ts';
import type { PartOfEntry } from '../support/in-force.ts';
import { asPattern, OFF, wholeWord, written } from '../support/risu-wire.ts';
import { EXACT, NATURAL } from '../support/sent-books.ts';
import { keysOf } from '../support/wire-tables.ts';

describe('keys', () => {
  const shown = (given: PartOfEntry, options: RisuOptions, settings: Partial<ScanSettings> = {}) => {
    const { row, codes } = written(given, options, settings);
    return {
      keys: row['keys'],
      use_regex: row['use_regex'],
      said: [...codes('keys'), ...codes('secondaryKeys')],
    };
  };
  const twice = (...keys: readonly string[]): readonly string[] => [keys[0] ?? '', ...keys];
  it.each<[string, readonly string[], readonly string[]]>([
    ['a word', ['lamp'], [asPattern(wholeWord('lamp'))]],
    ['several words are found anywhere', ['oil lamp'], [asPattern('(?:oil lamp)')]],
    ['signs', ['c++'], [asPattern(wholeWord('c\\+\\+'))]],
    ['a comma', ['Paris, France'], [asPattern('(?:Paris\\x2c France)')]],
    ['a slash', ['AC/DC'], [asPattern(wholeWord('AC\\\\x2fDC'.replace('\\\\', '\\')))]],
    ['a regex', ['/l[ae]mp/i'], [asPattern('l[ae]mp')]],
    ['a regex without flags', ['/Lamp/'], [asPattern('Lamp', 'g')]],
    ['a slash in a regex', ['/a\\/b/i'], [asPattern('a\\x2fb')]],
    ['a range', ['/ab{2,3}c/i'], [asPattern('a(?:b{2}(?:b|))c')]],
    ['an open range', ['/ab{2,}c/i'], [asPattern('a(?:b{2}b*)c')]],
    ['a comma in a class', ['/[x,z]/i'], [asPattern('[x\\x2cz]')]],
    ['several keys', ['/x+/i', 'lamp'], [asPattern('x+'), asPattern(wholeWord('lamp'))]],
  ])('exact: %s', (_, keys, patterns) => {
    expect(shown({ keys: keysOf(...keys) }, EXACT)).toEqual({
      keys: twice(...patterns),
      use_regex: true,
      said: [],
    });
  });
  it('natural: plain keys stay plain, and it is said what they do', () => {
    expect(shown({ keys: keysOf('lamp', 'oil lamp') }, NATURAL)).toEqual({
      keys: ['lamp', 'oil lamp'],
      use_regex: false,
      said: ['approximated'],
    });
    const off = { caseSensitive: false, matchWholeWords: false };
    expect(shown({ keys: keysOf('lamp'), scan: off }, NATURAL).said).toEqual(['approximated']);
  });
  it.each<[string, PartOfEntry]>([
    ['beside a regex', { keys: keysOf('lamp', '/x/') }],
    ['where case counts', { keys: keysOf('lamp'), scan: { caseSensitive: true } }],
    ['with a comma', { keys: keysOf('lamp', 'a, b') }],
  ])('natural: patterns %s', (_, given) => {
    expect(shown(given, NATURAL)).toMatchObject({ use_regex: true, said: [] });
  });
  it('what works otherwise on a single message is named', () => {
    for (const key of ['/^lamp/', '/lamp$/', '/\\x01lamp/', '/[^x]+lamp/', '/lamp/y']) {
      expect([key, shown({ keys: keysOf(key) }, EXACT).said]).toEqual([key, ['approximated']]);
    }
    expect(shown({ keys: keysOf('/\\blamp\\b/i', '/^lamp/m') }, EXACT).said).toEqual([]);
  });
  it('empty keys are dropped, constant ones stay as they read', () => {
    expect(shown({ keys: keysOf('', 'lamp') }, EXACT).keys).toEqual(twice(asPattern(wholeWord('lamp'))));
    expect(shown({ keys: keysOf('lamp'), constant: true }, EXACT)).toEqual({
      keys: ['lamp'],
      use_regex: false,
      said: [],
    });
  });
});

describe('what entries decide among themselves', () => {
  it('NOT is kept from other entries’ texts only where one of them holds the key', () => {
    const not = { logic: 'not_any' as const, secondaryKeys: keysOf('oil') };
    expect(written([not, { content: 'Oil here.' }]).lines).toContain('@@no_recursive_search');
    expect(written([not, { content: 'Tar here.' }]).lines).not.toContain('@@no_recursive_search');
    expect(written([not, { content: 'Oil here.' }], NATURAL, OFF).lines).not.toContain(
      '@@no_recursive_search',
    );
    expect(written([not, { content: 'Oil here.' }]).codes('recursion.exclude')).toEqual(['repaired']);
    expect(written([not, { content: 'Oil and lamp.' }]).codes('recursion.exclude')).toEqual(['approximated']);
  });
  it('the keys of a preferred entry of its group keep an entry out', () => {
    const winner = { keys: keysOf('sun'), group: { name: 'g', override: true }, order: 200 };
    const { rows, codes } = written([{ group: { name: 'g' } }, winner], EXACT);
    expect(rows[0]?.['content']).toContain(
      `@@exclude_keys ${asPattern(wholeWord('sun'))},${asPattern(wholeWord('sun'))}`,
    );
    expect(codes('group.name')).toEqual(['stashed']);
    const constant = written([{ group: { name: 'g' }, constant: true }, winner], NATURAL).row;
    expect(constant).toMatchObject({ constant: false, use_regex: true, keys: twiceAny });
  });
  const twiceAny = [asPattern('', 'g'), asPattern('', 'g')];
});

const rowsOf = (entries: readonly PartOfEntry[], options: RisuOptions): readonly JsonObject[] =>
  written(entries, options).rows;

goldenOf('risu', 'golden: places, logics and keys', {
  places: rowsOf(PLACES, NATURAL),
  logics: inStyles((style) =>
    LOGICS.map((logic) =>
      rowsOf([{ title: logic, logic, secondaryKeys: keysOf('oil', 'tar') }], { ...EXACT, style }),
    ),
  ),
  keys: keyKinds(
    {
      words: { keys: keysOf('lamp', 'oil lamp') },
      'alternatives and groups': { keys: keysOf('/(wyrm|drake)s?/i', '/(?:a|b)(?=c)(?<!d)/', '/(\\w)\\1/') },
      ranges: { keys: keysOf('/ab{2,3}c/i', '/(?:ab){1,}/i', '/a{0,2}?/i', '/a{3}/i') },
    },
    (given, style) =>
      rowsOf([given], { ...EXACT, style }).map(({ keys, secondary_keys, use_regex }) => ({
        keys,
        secondary_keys,
        use_regex,
      })),
  ),
  order: rowsOf(ORDERS, EXACT),
});
