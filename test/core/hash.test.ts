import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashJson } from '../../src/core/hash.ts';

it('is 16 digits, the same for the same value in any order of keys', () => {
  expect(hashJson({ a: 1, b: [true, null, 'x'] })).toMatch(/^[0-9a-f]{16}$/);
  expect(hashJson({ a: 1, b: { c: 2, d: 3 } })).toBe(hashJson({ b: { d: 3, c: 2 }, a: 1 }));
});

it('counts values as JSON writes them', () => {
  expect(hashJson({ a: undefined, b: -0 })).toBe(hashJson({ b: 0 }));
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(hashJson(JSON.parse(JSON.stringify(value)))).toBe(hashJson(value));
    }),
  );
});

it('tells different values apart', () => {
  const values = [
    null,
    0,
    '',
    '0',
    false,
    [],
    {},
    [[]],
    [{}],
    [null],
    ['a', 'b'],
    ['ab'],
    ['a,b'],
    { a: 'b' },
    { ab: '' },
    { a: { b: 1 } },
    { a: {}, b: 1 },
    ['a'],
    'é',
    'e\u0301',
    '\u0100',
    '\u0001',
  ];
  expect(new Set(values.map(hashJson)).size).toBe(values.length);
  const many = Array.from({ length: 20_000 }, (_unused, n) => hashJson({ uid: n }));
  expect(new Set(many).size).toBe(many.length);
});
