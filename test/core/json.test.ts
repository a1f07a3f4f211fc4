import { describe, expect, it } from 'vitest';
import { isObject, jsonAt, sameJson, withoutKey } from '../../src/core/json.ts';
import { throughJson } from '../support/fixtures.ts';

const hostile = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as Record<string, never>;

describe('sameJson', () => {
  it.each([
    [
      { a: 1, b: [2, { c: null }] },
      { b: [2, { c: null }], a: 1 },
    ],
    [{ a: undefined }, {}],
    [[], []],
    ['x', 'x'],
    [hostile, throughJson(hostile)],
  ])('%j equals %j', (a, b) => {
    expect(sameJson(a, b)).toBe(true);
    expect(sameJson(b, a)).toBe(true);
  });
  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: null }, {}],
    [{ a: null }, { a: 0 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [{}, []],
    [null, {}],
    [hostile, { constructor: 2 }],
    [{}, { toString: 'x' }],
    [{ a: {} }, { a: [] }],
  ])('%j differs from %j', (a, b) => {
    expect(sameJson(a, b)).toBe(false);
    expect(sameJson(b, a)).toBe(false);
  });
});

describe('other questions', () => {
  it('an array and null are no objects', () => {
    expect([[], null, undefined, 'x', 1].some(isObject)).toBe(false);
    expect(isObject({})).toBe(true);
  });
  it('a path follows own keys only', () => {
    expect(jsonAt({ a: { b: 1 } }, ['a', 'b'])).toBe(1);
    expect(jsonAt({ a: 1 }, ['a', 'b'])).toBeUndefined();
    expect(jsonAt({}, ['constructor', 'name'])).toBeUndefined();
    expect(jsonAt(null, ['a'])).toBeUndefined();
  });
  it('a key is taken away without touching the object', () => {
    const object = Object.freeze({ a: 1, b: 2 });
    expect(withoutKey(object, 'a')).toEqual({ b: 2 });
    expect(withoutKey(object, 'c')).toBe(object);
  });
});
