import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../src/containers/base64.ts';

const ascii = (text: string) => new TextEncoder().encode(text);
const decoded = (text: string) => Buffer.from(decodeBase64(ascii(text))).toString('latin1');

describe('base64', () => {
  it('writes what Node writes and reads it back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(ascii(text))).toEqual(bytes);
      }),
    );
  });

  it('reads the URL alphabet, missing padding, line breaks and blanks', () => {
    expect(decoded('_-8')).toBe('\xff\xef');
    expect(decoded('YW\r\nJj ZA')).toBe('abcd');
    expect(decoded('\n\tYWI=\n')).toBe('ab');
  });

  it('reads nonsense without throwing', () => {
    expect(decoded('')).toBe('');
    expect(decoded('=')).toBe('');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => decodeBase64(bytes).length <= bytes.length),
    );
  });
});
