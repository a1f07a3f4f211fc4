import { describe, expect, it } from 'vitest';
import { ContainerError, readContainer, writeContainer } from '../../src/containers/container.ts';
import { LIMITS } from '../../src/containers/limits.ts';
import { buildPng, chunkList } from '../support/png-fixtures.ts';

const CARD = { spec: 'chara_card_v2', data: { name: 'Mara 🕯️' } };
const utf8 = (text: string) => new TextEncoder().encode(text);
const PNG = buildPng([
  { type: 'tEXt', keyword: 'Software', text: 'paint' },
  { type: 'tEXt', keyword: 'chara', base64json: CARD },
]);
const message = (bytes: Uint8Array, name: string, limits = LIMITS) => {
  try {
    readContainer(bytes, name, limits);
  } catch (error) {
    if (error instanceof ContainerError) return error.message;
    throw error;
  }
  return 'no error';
};

describe('a file is told by its content', () => {
  it('a PNG, whatever its name', () => {
    const result = readContainer(PNG, 'x.json');
    expect(result).toMatchObject({ kind: 'png', json: CARD, notes: [] });
    expect(result.picture).toBe(PNG);
    expect(result.copies).toEqual([{ keyword: 'chara', chunkType: 'tEXt', json: CARD }]);
  });

  it('JSON, whatever its name', () => {
    const result = readContainer(utf8(`\ufeff\n ${JSON.stringify(CARD)}`), 'x.png');
    expect(result).toEqual({ kind: 'json', json: CARD, copies: [{ json: CARD }], notes: [] });
    expect(readContainer(utf8('[]'), 'x').json).toEqual([]);
  });

  it('or refused with one sentence that names it', () => {
    expect(message(utf8(''), 'x.png')).toBe('x.png is empty.');
    expect(message(utf8('\n'), 'x.png')).toBe('x.png is empty.');
    expect(message(utf8('42'), 'x.json')).toBe(
      'x.json holds only a single JSON value, neither a card nor a lorebook.',
    );
    expect(message(utf8('name: Mara\n'), 'x.yaml')).toBe('x.yaml is not valid JSON (see line 1, column 1).');
    expect(message(utf8('<html>'), 'x.png')).toBe('x.png is a web page or XML, not JSON.');
    expect(message(buildPng([]), 'x.png')).toBe('x.png is a picture without a character card inside.');
    expect(message(Buffer.from('ffd8ffe0', 'hex'), 'x.jpg')).toMatch(/^x\.jpg is a JPEG picture without/);
    expect(message(Buffer.from('RIFF\x01\x02\x03\x04WEBPVP8 ', 'latin1'), 'x.png')).toMatch(
      /^x\.png is a WebP picture/,
    );
    expect(message(Buffer.from('GIF89a\x01\x02', 'latin1'), 'x.gif')).toMatch(/^x\.gif is a GIF picture/);
    expect(message(Buffer.from([1, 2, 3]), 'x.bin')).toBe('x.bin is no PNG, JSON or charx file.');
    expect(message(utf8('{}'), 'x.json', { ...LIMITS, fileBytes: 1 })).toBe(
      'x.json is 2 bytes big, more than the limit of 1 byte.',
    );
  });

  it('with a name that cannot turn the sentence around', () => {
    expect(message(utf8(''), 'a\u202eb\n\u0007.png')).toBe('ab.png is empty.');
    expect(message(utf8(''), '')).toBe('The file is empty.');
    expect(message(utf8(''), '🙂'.repeat(500))).toBe(`${'🙂'.repeat(100)}... is empty.`);
  });
});

describe('writing a file', () => {
  it('keeps its kind', () => {
    const png = writeContainer(readContainer(PNG, 'x'), { name: 'new' });
    expect(chunkList(png)).toEqual(['IHDR', 'tEXt:Software', 'IDAT', 'tEXt:chara', 'tEXt:ccv3', 'IEND']);
    expect(new TextDecoder().decode(writeContainer({ kind: 'json' }, { a: 1 }))).toBe('{\n    "a": 1\n}');
  });

  it('takes other keywords and places for other apps', () => {
    const png = writeContainer(readContainer(PNG, 'x'), CARD, {
      keywords: ['ccv3'],
      first: true,
      dropOtherText: true,
    });
    expect(chunkList(png)).toEqual(['IHDR', 'tEXt:ccv3', 'IDAT', 'IEND']);
  });

  it('makes a picture when there is none', () => {
    const png = writeContainer({ kind: 'png' }, CARD);
    expect(readContainer(png, 'x')).toMatchObject({ kind: 'png', json: CARD, notes: [] });
  });

  it('does not share memory with what it read', () => {
    const bytes = new Uint8Array(PNG);
    const written = writeContainer(readContainer(bytes, 'x'), CARD);
    const before = Buffer.from(written);
    bytes.fill(0);
    expect(before.equals(written)).toBe(true);
  });
});
