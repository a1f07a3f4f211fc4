import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonBytes, writeCardJson } from '../../src/containers/card-json.ts';
import { jsonFault } from '../../src/containers/json-fault.ts';
import { LIMITS } from '../../src/containers/limits.ts';
import type { Json } from '../../src/core/json.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (bytes: Uint8Array, limits = LIMITS) => readJsonBytes(bytes, limits);
const json = (bytes: Uint8Array) => {
  const result = read(bytes);
  return 'json' in result ? result.json : result.problem;
};
const problem = (text: string, limits = LIMITS) => {
  const result = read(utf8(text), limits);
  return 'problem' in result ? result.problem : undefined;
};

describe('JSON bytes', () => {
  it('reads UTF-8 with and without a mark, UTF-16 of both orders, and blanks around', () => {
    const text = '{"a":"Ōdo 🕯️ 𠮷"}';
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [utf8(text), utf8(`\ufeff${text}`), little, big, utf8(`\n \u00a0\t${text}\0\n`)]) {
      expect(json(new Uint8Array(bytes))).toEqual({ a: 'Ōdo 🕯️ 𠮷' });
    }
  });

  it('keeps __proto__ as a plain key', () => {
    const value = json(utf8('{"__proto__":{"x":1}}')) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect((value as { x?: number }).x).toBeUndefined();
  });

  it('says that broken bytes were replaced', () => {
    const result = read(new Uint8Array([...utf8('{"a":"'), 0xe9, ...utf8('"}')]));
    expect(result).toEqual({ json: { a: '\ufffd' }, notes: [expect.stringContaining('replaced')] });
  });

  it('says what is wrong, and where', () => {
    expect(problem('')).toBe('is empty');
    expect(problem(' \n ')).toBe('is empty');
    expect(problem('{"a":1,}')).toBe('is not valid JSON (see line 1, column 8)');
    expect(problem('\n{\n  "a": tru\n}')).toBe('is not valid JSON (see line 3, column 8)');
    expect(problem('{"a": [1, 2')).toBe('is not complete: its JSON ends too early');
    expect(problem('{"a": "b')).toBe('is not complete: its JSON ends too early');
    expect(problem('<!doctype html>')).toBe('is a web page or XML, not JSON');
    for (const scalar of ['1', '"text"', 'true', 'null']) {
      expect(problem(scalar)).toBe('holds only a single JSON value, neither a card nor a lorebook');
    }
  });

  it('keeps to its limits', () => {
    expect(problem('[1, 2, 3]', { ...LIMITS, cardTextBytes: 8 })).toMatch(
      /9 bytes of JSON.*limit of 8 bytes/,
    );
    expect(problem('['.repeat(600) + ']'.repeat(600))).toMatch(/deeper than the limit of 512/);
    expect(problem('['.repeat(512) + ']'.repeat(512))).toBeUndefined();
    expect(problem(`["${'['.repeat(600)}\\"{{"]`)).toBeUndefined();
    expect(problem('['.repeat(1_000_000))).toMatch(/deeper/);
  });

  it('writes JSON as SillyTavern exports it', () => {
    expect(Buffer.from(writeCardJson({ a: [1], b: '—🙂' })).toString('utf8')).toBe(
      '{\n    "a": [\n        1\n    ],\n    "b": "—🙂"\n}',
    );
  });

  it('keeps a lone surrogate, which JSON can only say as an escape', () => {
    expect(json(writeCardJson({ a: '\ud83d' }))).toEqual({ a: '\ud83d' });
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const card = [JSON.parse(JSON.stringify(value))] as Json;
        expect(json(writeCardJson(card))).toEqual(card);
      }),
    );
  });
});

describe('the place of a fault in JSON', () => {
  const isValid = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('finds one exactly when JSON.parse does', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'{}[]",:\\u01a -+.eEtrufalsn\n\x01'),
      maxLength: 24,
    });
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[]",:\\x0 '))
      .map(
        ([text, at, letter]) =>
          text.slice(0, at % (text.length + 1)) + letter + text.slice((at % (text.length + 1)) + 1),
      );
    fc.assert(
      fc.property(fc.oneof(letters, mutated, fc.json()), (text) => {
        expect(jsonFault(text) === undefined).toBe(isValid(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('gives the first wrong character', () => {
    expect(jsonFault('{"a" 1}')).toBe(5);
    expect(jsonFault('[1 2]')).toBe(3);
    expect(jsonFault('{} x')).toBe(3);
    expect(jsonFault('["\\x"]')).toBe(2);
    expect(jsonFault('{"a":1')).toBe(6);
    expect(jsonFault('[01]')).toBe(1);
  });
});
