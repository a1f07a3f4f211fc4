// Whatever the bytes are: a card comes out, or a ContainerError. Nothing else, and soon.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writePngText } from '../../src/containers/card-png.ts';
import { ContainerError, readContainer, writeContainer } from '../../src/containers/container.ts';
import { LIMITS } from '../../src/containers/limits.ts';
import { buildPng, buildZip } from '../support/png-fixtures.ts';

const CARD = {
  spec: 'chara_card_v3',
  data: { name: 'Mara 🕯️', assets: [{ type: 'icon', uri: 'embeded://i.png' }] },
};
const PNG = buildPng([
  { type: 'tEXt', keyword: 'Software', text: 'paint' },
  { type: 'zTXt', keyword: 'chara', base64json: CARD },
  { type: 'IDAT' },
  { type: 'iTXt', keyword: 'ccv3', base64json: CARD, packed: true },
  { type: 'tEXt', keyword: 'chara', base64json: CARD },
]);
const MEMBERS = [
  { path: 'card.json', text: JSON.stringify(CARD) },
  { path: 'i.png', bytes: PNG, stored: true },
  { path: 'folder/', text: '' },
  { path: 'module.risum', text: 'x'.repeat(300), zip64: true },
];
const ZIP = buildZip(MEMBERS);
const JPEG_ZIP = buildZip(MEMBERS, {
  prefix: Buffer.from('ffd8ffe00010ffd9', 'hex'),
  comment: 'c',
  zip64: true,
});
const JSON_FILE = new TextEncoder().encode(JSON.stringify(CARD, null, 4));
/** Small limits, so that mutations reach them. */
const SMALL = {
  ...LIMITS,
  cardTextBytes: 4000,
  inflatedBytes: 8000,
  pngChunks: 9,
  zipMembers: 4,
  cardCopies: 2,
  jsonDepth: 3,
};

/** Overwrites, cuts, doubles and removes parts of a file; sizes and offsets get extreme values on purpose. */
const mutation = fc.oneof(
  fc.record({
    op: fc.constant('set' as const),
    at: fc.nat(),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    op: fc.constant('set' as const),
    at: fc.nat(),
    bytes: fc.constantFrom(
      Uint8Array.of(255, 255, 255, 255),
      Uint8Array.of(0, 0, 0, 0),
      Uint8Array.of(127, 255, 255, 255),
      Uint8Array.of(255, 255, 255, 127),
      Uint8Array.of(1, 0, 0, 0),
    ),
  }),
  fc.record({
    op: fc.constantFrom('cut' as const, 'drop' as const, 'twice' as const),
    at: fc.nat(),
    length: fc.nat(200),
  }),
);
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(bytes: Uint8Array, change: Mutation): Uint8Array {
  const at = change.at % (bytes.length + 1);
  const buffer = Buffer.from(bytes);
  if (change.op === 'set') {
    buffer.set(change.bytes.subarray(0, buffer.length - at), at);
    return new Uint8Array(buffer);
  }
  if (change.op === 'cut') return new Uint8Array(buffer.subarray(0, at));
  const end = Math.min(buffer.length, at + change.length);
  const parts = change.op === 'drop' ? [] : [buffer.subarray(at, end), buffer.subarray(at, end)];
  return new Uint8Array(Buffer.concat([buffer.subarray(0, at), ...parts, buffer.subarray(end)]));
}

/** Reads, and writes what was read; the card must then come back. Anything but a ContainerError fails the test. */
function readAndWrite(bytes: Uint8Array, limits = LIMITS): void {
  try {
    const result = readContainer(bytes, 'x', limits);
    const again = readContainer(writeContainer(result, result.json), 'x', LIMITS);
    expect(again.json).toEqual(result.json);
    expect(again.kind).toBe(result.kind);
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error;
    expect(error.message).toMatch(/^x .+\.$/);
  }
}

describe('hostile bytes', () => {
  it('the files that are mutated below are good ones', () => {
    for (const file of [PNG, ZIP, JPEG_ZIP, JSON_FILE]) expect(readContainer(file, 'x').json).toEqual(CARD);
  });

  it('random', () => {
    const magic = fc.constantFrom(
      PNG.subarray(0, 8),
      PNG.subarray(0, 40),
      ZIP.subarray(0, 30),
      Uint8Array.of(0xff, 0xd8),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => readAndWrite(bytes)),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(magic, fc.uint8Array({ maxLength: 500 }), (head, rest) => {
        readAndWrite(new Uint8Array(Buffer.concat([head, rest])));
      }),
      { numRuns: 1000 },
    );
  });

  for (const [name, file] of Object.entries({ PNG, ZIP, JPEG_ZIP, JSON_FILE })) {
    it(`mutations of a good file: ${name}`, () => {
      fc.assert(
        fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), fc.boolean(), (changes, small) => {
          readAndWrite(changes.reduce(mutate, file), small ? SMALL : LIMITS);
        }),
        { numRuns: 1500 },
      );
    });
  }

  it('a picture for writing', () => {
    fc.assert(
      fc.property(fc.array(mutation, { maxLength: 4 }), fc.boolean(), (changes, first) => {
        const picture = changes.reduce(mutate, PNG);
        try {
          const written = writePngText(picture, [{ keyword: 'chara', text: 'e30=' }], { first });
          expect(readContainer(written, 'x').copies).toEqual([
            { keyword: 'chara', chunkType: 'tEXt', json: {} },
          ]);
        } catch (error) {
          if (!(error instanceof ContainerError)) throw error;
        }
      }),
      { numRuns: 1500 },
    );
  });
});
