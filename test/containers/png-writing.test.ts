import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankPng, cardTextChunks, readPngCards, writePngText } from '../../src/containers/card-png.ts';
import { ContainerError } from '../../src/containers/container-error.ts';
import type { Json } from '../../src/core/json.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { buildPng, type ChunkSpec, chunkBytes, chunkList, rawChunks } from '../support/png-fixtures.ts';

const OLD = { name: 'old' };
const NEW = { name: 'new — 🙂 𠮷', data: { lone: '\udc00' } };
const OLD_CHUNKS: readonly ChunkSpec[] = [
  { type: 'tEXt', keyword: 'CHARA', base64json: OLD },
  { type: 'zTXt', keyword: 'ccv3', base64json: OLD },
  { type: 'IDAT' },
  { type: 'iTXt', keyword: 'Chara', base64json: OLD, packed: true },
  { type: 'tEXt', keyword: 'chara', base64json: OLD },
  { type: 'iTXt', keyword: 'cCv3', base64json: OLD },
];
const FOREIGN: readonly ChunkSpec[] = [
  { type: 'tEXt', keyword: 'Software', text: 'paint' },
  { type: 'zTXt', keyword: 'Title', text: 'a title' },
  { type: 'iTXt', keyword: 'Author', text: 'Ōdo' },
  { type: 'tEXt', keyword: 'chara-ext-asset_:0', text: 'AAAA' },
  { type: 'vpAg', bytes: Buffer.from([1, 2, 3]) },
];

describe('writing cards into a PNG', () => {
  it('puts the new chunks before IEND and removes every old one', () => {
    const png = writePngText(buildPng([...FOREIGN, ...OLD_CHUNKS]), cardTextChunks(NEW, ['chara', 'ccv3']));
    expect(chunkList(png)).toEqual([
      'IHDR',
      'tEXt:Software',
      'zTXt:Title',
      'iTXt:Author',
      'tEXt:chara-ext-asset_:0',
      'vpAg',
      'IDAT',
      'tEXt:chara',
      'tEXt:ccv3',
      'IEND',
    ]);
    const cards = readPngCards(png, 'x.png');
    expect(cards?.copies.map(({ json }) => json)).toEqual([NEW, NEW]);
    expect(cards?.notes).toEqual([]);
  });

  it('keeps foreign chunks byte for byte, also with a wrong checksum, and what follows IEND', () => {
    const tail = Buffer.from('behind the end');
    const wrong = { type: 'tEXt', keyword: 'Comment', text: 'x', crc: 5 };
    const before = buildPng([...FOREIGN, wrong, ...OLD_CHUNKS], { tail });
    const after = Buffer.from(writePngText(before, []));
    const expected = buildPng([...FOREIGN, wrong, { type: 'IDAT' }], { tail });
    expect(after.equals(expected)).toBe(true);
  });

  it('puts chara first and drops other text, for Agnai', () => {
    const chunks = [...cardTextChunks(NEW, ['chara']), ...cardTextChunks(OLD, ['ccv3'])];
    const png = writePngText(buildPng([...FOREIGN, ...OLD_CHUNKS]), chunks, {
      first: true,
      dropOtherText: true,
    });
    expect(chunkList(png)).toEqual(['IHDR', 'tEXt:chara', 'tEXt:ccv3', 'vpAg', 'IDAT', 'IEND']);
    expect(readPngCards(png, 'x.png')?.copies.map(({ json }) => json)).toEqual([NEW, OLD]);
  });

  it('closes a picture that is cut off', () => {
    const whole = buildPng([...FOREIGN]);
    const cut = writePngText(whole.subarray(0, whole.length - 20), cardTextChunks(NEW, ['chara']));
    expect(chunkList(cut).slice(-3)).toEqual(['IDAT', 'tEXt:chara', 'IEND']);
    const cutInEnd = writePngText(whole.subarray(0, whole.length - 2), []);
    expect(Buffer.from(cutInEnd).equals(whole)).toBe(true);
    const cutInCard = buildPng([{ type: 'IDAT' }, ...OLD_CHUNKS.slice(0, 1)], { end: false });
    expect(chunkList(writePngText(cutInCard.subarray(0, cutInCard.length - 9), []))).toEqual([
      'IHDR',
      'IDAT',
      'IEND',
    ]);
  });

  it('refuses what cannot be written', () => {
    const png = buildPng([]);
    expect(() => writePngText(Buffer.from('no'), [], { fileName: 'a.webp' })).toThrow(
      'a.webp is not a PNG picture.',
    );
    for (const chunk of [
      { keyword: '', text: '' },
      { keyword: 'x'.repeat(80), text: '' },
      { keyword: 'chara', text: '—' },
      { keyword: 'chara', text: 'a\0b' },
    ]) {
      expect(() => writePngText(png, [chunk])).toThrow(ContainerError);
    }
  });

  it('keeps any JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), (value) => {
        const card = JSON.parse(JSON.stringify(value)) as Json;
        const png = writePngText(buildPng([]), cardTextChunks(card, ['ccv3']));
        expect(readPngCards(png, 'x.png')?.json).toEqual(card);
      }),
    );
  });

  it('is quick with a card of several MiB', () => {
    const card = { text: 'Ōdo “Pell” 🕯️ '.repeat(300_000) };
    // About 0.3 s here; a machine ten times slower still passes.
    expect(
      cpuTime(() => {
        const png = writePngText(buildPng([]), cardTextChunks(card, ['chara', 'ccv3']));
        expect(readPngCards(png, 'x.png')?.json).toEqual(card);
      }),
    ).toBeLessThan(3000);
  });
});

describe('the blank picture', () => {
  it('is a valid PNG of 400 x 600', () => {
    const png = blankPng();
    expect(chunkList(png)).toEqual(['IHDR', 'IDAT', 'IEND']);
    const [header, image] = rawChunks(png) as [Uint8Array, Uint8Array];
    expect(Buffer.from(header.subarray(8, 16)).toString('hex')).toBe('0000019000000258');
    expect(inflateSync(image.subarray(8, -4))).toHaveLength(600 * (1 + 400 * 3));
    expect(png.length).toBeLessThan(4000);
  });
});

it('the fixtures make the chunks that they describe', () => {
  expect(Buffer.from(chunkBytes({ type: 'IEND', bytes: Buffer.alloc(0) })).toString('hex')).toBe(
    '0000000049454e44ae426082',
  );
});
