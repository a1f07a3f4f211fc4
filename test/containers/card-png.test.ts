import { describe, expect, it } from 'vitest';
import { readPngCards } from '../../src/containers/card-png.ts';
import { LIMITS } from '../../src/containers/limits.ts';
import { base64Json, buildPng, type ChunkSpec, caseFile } from '../support/png-fixtures.ts';

const V2 = { spec: 'chara_card_v2', data: { name: 'Mara — “Lint” 🕯️ 𠮷' } };
const V3 = { spec: 'chara_card_v3', data: { name: 'Mara three' } };
const OTHER = { spec: 'chara_card_v2', data: { name: 'Other' } };

const chara = (card: unknown, type = 'tEXt'): ChunkSpec => ({ type, keyword: 'chara', base64json: card });
const ccv3 = (card: unknown, type = 'tEXt'): ChunkSpec => ({ type, keyword: 'ccv3', base64json: card });
const read = (chunks: readonly ChunkSpec[], limits = LIMITS) =>
  readPngCards(buildPng(chunks), 'x.png', limits);
const entriesOf = (json: unknown) =>
  (json as { data: { character_book: { entries: unknown[] } } }).data.character_book.entries.length;

describe('cards in a PNG', () => {
  it('finds a card behind a foreign chunk, whatever the case of its keyword (case 39)', () => {
    const cards = readPngCards(caseFile('39-foreign-text-chunk-first.json').png, '39.png');
    expect(cards?.copies.map(({ keyword, chunkType }) => [keyword, chunkType])).toEqual([['chara', 'tEXt']]);
    expect(entriesOf(cards?.json)).toBe(1);
    expect(cards?.notes).toEqual([]);
  });

  it('takes ccv3 before chara and keeps both (case 41)', () => {
    const cards = readPngCards(caseFile('41-ccv3-differs-from-chara.json').png, '41.png');
    expect(cards?.copies.map(({ keyword }) => keyword)).toEqual(['chara', 'ccv3']);
    expect(cards?.json).toBe(cards?.copies[1]?.json);
    expect(cards?.copies.map(({ json }) => entriesOf(json))).toEqual([1, 2]);
  });

  it('finds a chunk behind the image data (case 42)', () => {
    expect(entriesOf(readPngCards(caseFile('42-chunk-after-idat.json').png, '42.png')?.json)).toBe(1);
  });

  it('reads UTF-8 in base64 exactly (case 43)', () => {
    const { json } = caseFile('43-utf8-in-base64.json');
    const read43 = read([chara(json)])?.json;
    expect(read43).toEqual(json);
    expect(JSON.stringify(read43)).toContain('Candle — “still” lit… 🙂 𠮷');
    // A lone surrogate would be the only thing of this category.
    expect(JSON.stringify(read43)).not.toMatch(/\p{Cs}/u);
  });

  it('reads zTXt, and iTXt plain and compressed', () => {
    for (const chunk of [chara(V2, 'zTXt'), chara(V2, 'iTXt'), { ...chara(V2, 'iTXt'), packed: true }]) {
      const cards = read([chunk]);
      expect(cards?.json).toEqual(V2);
      expect(cards?.copies[0]?.chunkType).toBe(chunk.type);
      expect(cards?.notes).toEqual([
        `The card stands in a ${chunk.type} chunk, which SillyTavern itself does not read.`,
      ]);
    }
  });

  it('reads a payload that is plain JSON, URL-safe, broken into lines, or marked', () => {
    const base64 = base64Json(V2);
    const lines = `\n${base64.replace(/.{20}/g, '$&\r\n')}\n`;
    const urlSafe = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    const marked = Buffer.from(`\ufeff${JSON.stringify(V2)}`, 'utf8').toString('base64');
    const utf8AsLatin1 = Buffer.from(JSON.stringify(V2), 'utf8').toString('latin1');
    for (const text of [lines, urlSafe, marked, utf8AsLatin1, `\xef\xbb\xbf ${utf8AsLatin1}`]) {
      expect(read([{ type: 'tEXt', keyword: 'chara', text }])?.json).toEqual(V2);
    }
    expect(read([{ type: 'tEXt', keyword: 'chara', text: '{"name":"Zo\xe9"}' }])?.json).toEqual({
      name: 'Zoé',
    });
    expect(read([{ type: 'iTXt', keyword: 'chara', text: JSON.stringify(V2), packed: true }])?.json).toEqual(
      V2,
    );
  });

  it('takes the first of repeated chunks and says so', () => {
    const cards = read([chara(V2), chara(OTHER)]);
    expect(cards?.json).toEqual(V2);
    expect(cards?.copies).toHaveLength(2);
    expect(cards?.notes).toEqual([
      '2 chara chunks stand in this picture; the first tEXt one was used, as in SillyTavern.',
    ]);
  });

  it('takes the tEXt one of repeated chunks, the only one that SillyTavern sees', () => {
    const cards = read([chara(OTHER, 'iTXt'), chara(V2)]);
    expect(cards?.json).toEqual(V2);
    expect(cards?.notes).toEqual([
      '2 chara chunks stand in this picture; the first tEXt one was used, as in SillyTavern.',
    ]);
  });

  it('falls back to what can be read, with a note', () => {
    for (const text of ['!!!', base64Json([1]), base64Json(3), base64Json(V3).slice(0, 30)]) {
      const cards = read([chara(V2), { type: 'tEXt', keyword: 'ccv3', text }]);
      expect(cards?.json).toEqual(V2);
      expect(cards?.notes).toEqual([
        expect.stringMatching(/^A ccv3 chunk was passed over because it .*; the chara/),
      ]);
    }
    const second = read([{ type: 'zTXt', keyword: 'chara', bytes: Buffer.from('chara\0\0xyz') }, chara(V2)]);
    expect(second?.json).toEqual(V2);
    expect(second?.notes).toEqual([expect.stringContaining('damaged compressed data')]);
  });

  it('refuses when all card chunks are broken', () => {
    const broken = [{ type: 'tEXt', keyword: 'chara', text: '' }];
    expect(() => read(broken)).toThrow('x.png cannot be read: its chara chunk is empty.');
    expect(() => read([{ type: 'iTXt', keyword: 'ccv3', bytes: Buffer.from('ccv3\0\0\0') }])).toThrow(
      /ccv3 chunk has no text\.$/,
    );
    expect(() => read([{ type: 'zTXt', keyword: 'chara', bytes: Buffer.from('chara\0\x01abc') }])).toThrow(
      /unknown way/,
    );
  });

  it('finds no card in a picture without one', () => {
    expect(read([])).toBeUndefined();
    expect(read([{ type: 'tEXt', keyword: 'Comment', base64json: V2 }])).toBeUndefined();
    expect(read([{ type: 'tEXt', keyword: 'chara-ext-asset_:0', text: 'AAAA' }])).toBeUndefined();
    expect(read([{ type: 'tEXt', bytes: Buffer.from('chara') }])).toBeUndefined();
  });

  it('does not look behind IEND, where no reader looks', () => {
    const tail = buildPng([chara(V2)]).subarray(8);
    expect(readPngCards(buildPng([], { tail }), 'x.png')).toBeUndefined();
  });

  it('tolerates a wrong checksum, with a note', () => {
    const cards = read([{ ...chara(V2), crc: 1 }]);
    expect(cards?.json).toEqual(V2);
    expect(cards?.notes).toEqual([expect.stringMatching(/checksum of a chunk is wrong \(tEXt\)/)]);
  });

  it('takes a card from a cut file only when it stood before the cut', () => {
    const after = buildPng([{ type: 'IDAT' }, chara(V2)]);
    expect(() => readPngCards(after.subarray(0, after.length - 40), 'x.png')).toThrow(
      'x.png is cut off inside its tEXt chunk, before any character card.',
    );
    const before = buildPng([chara(V2)]);
    const cards = readPngCards(before.subarray(0, before.length - 20), 'x.png');
    expect(cards?.json).toEqual(V2);
    expect(cards?.notes).toEqual(['The picture is cut off inside its IDAT chunk.']);
    const noEnd = readPngCards(buildPng([chara(V2)], { end: false }), 'x.png');
    expect(noEnd?.notes).toEqual(['The picture has no end mark; it may be cut off.']);
    expect(readPngCards(before.subarray(0, before.length - 3), 'x.png')?.notes).toEqual([]);
    expect(() => readPngCards(buildPng([], { end: false }), 'x.png')).toThrow('x.png is a damaged picture');
    const headless = readPngCards(buildPng([chara(V2)], { header: false }), 'x.png');
    expect(headless?.notes).toEqual([expect.stringContaining('lacks its header')]);
  });

  it('refuses what is no PNG', () => {
    expect(() => readPngCards(Buffer.from('GIF89a'), 'x.png')).toThrow('x.png is not a PNG picture.');
  });
});

describe('limits of a PNG', () => {
  it('holds back compressed bombs', () => {
    const bomb = Buffer.alloc(4_000_000, ' ').toString('latin1');
    const limits = { ...LIMITS, cardTextBytes: 1_000_000 };
    for (const type of ['zTXt', 'iTXt']) {
      const chunk = { type, keyword: 'chara', text: bomb, packed: true };
      expect(() => read([chunk], limits)).toThrow(/^x\.png cannot be read: .*more than the limit of .*\.$/);
      expect(read([chunk, ccv3(V3)], limits)?.json).toEqual(V3);
    }
  });

  it('counts the text of all copies together, and all inflated text', () => {
    const big = { text: 'x'.repeat(600) };
    const cards = read([ccv3(big), chara(big)], { ...LIMITS, cardTextBytes: 1000 });
    expect(cards?.copies).toHaveLength(1);
    expect(cards?.notes).toEqual([expect.stringContaining('limit')]);
    const packed = read([ccv3(big, 'zTXt'), chara(big, 'zTXt')], { ...LIMITS, inflatedBytes: 1000 });
    expect(packed?.copies).toHaveLength(1);
  });

  it('stops at a number of chunks and of copies', () => {
    expect(() => read([chara(V2)], { ...LIMITS, pngChunks: 3 })).toThrow(
      'x.png has more PNG chunks than the limit of 3.',
    );
    expect(read([chara(V2)], { ...LIMITS, pngChunks: 4 })?.json).toEqual(V2);
    const cards = read([chara(V2), chara(V2), chara(V2)], { ...LIMITS, cardCopies: 2 });
    expect(cards?.copies).toHaveLength(2);
    expect(cards?.notes).toContain('Only the first 2 card chunks were read.');
  });
});
