// A PNG as its chunks: 4 bytes length, 4 letters type, data, 4 bytes CRC (PNG specification, 5.3).

import { crc32 } from './crc32.ts';
import type { Limits } from './limits.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;
/** What a chunk needs besides its data. */
const FRAME = 12;

/** One chunk; `data` and `raw` (with length and CRC) are views into the file. */
export interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array;
  readonly raw: Uint8Array;
  readonly crcIsRight: boolean;
}

/** Why the list of chunks ends before an IEND. */
export type PngFault =
  /** The file ends inside this chunk; `data` is what there is of it. */
  | { readonly kind: 'cut'; readonly type: string; readonly data: Uint8Array }
  /** What follows is no chunk, or nothing follows. */
  | { readonly kind: 'no-end' }
  | { readonly kind: 'too-many' };

/** A PNG in parts. `tail` is what stands behind IEND, where no reader looks. */
export interface PngParts {
  readonly chunks: readonly PngChunk[];
  readonly tail: Uint8Array;
  readonly fault?: PngFault;
}

/** Whether bytes begin with the signature of a PNG. */
export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}

/**
 * The chunks of a PNG up to and with IEND, which ends a picture for every reader. Bytes that break the format
 * end the list with a `fault`; a wrong CRC does not. Never throws, whatever the bytes are.
 */
export function readPngChunks(png: Uint8Array, limits: Limits): PngParts {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: PngChunk[] = [];
  const tail = png.subarray(png.length);
  let at: number = SIGNATURE.length;
  while (at + 8 <= png.length) {
    if (chunks.length >= limits.pngChunks) return { chunks, tail, fault: { kind: 'too-many' } };
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (!/^[A-Za-z]{4}$/.test(type)) break;
    const end = at + FRAME + length;
    if (end > png.length) {
      // An IEND without its last bytes still ends the picture; it holds nothing that could be missing.
      if (type === 'IEND') return { chunks: [...chunks, pngChunk(type, new Uint8Array(0))], tail };
      const data = png.subarray(at + 8, Math.min(at + 8 + length, png.length));
      return { chunks, tail, fault: { kind: 'cut', type, data } };
    }
    const raw = png.subarray(at, end);
    const crcIsRight = crc32(raw.subarray(4, 8 + length)) === view.getUint32(end - 4);
    chunks.push({ type, data: raw.subarray(8, 8 + length), raw, crcIsRight });
    at = end;
    if (type === 'IEND') return { chunks, tail: png.subarray(at) };
  }
  return { chunks, tail, fault: { kind: 'no-end' } };
}

/** A chunk of the given type (4 letters) around data, with its CRC. */
export function pngChunk(type: string, data: Uint8Array): PngChunk {
  const raw = new Uint8Array(FRAME + data.length);
  const view = new DataView(raw.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) raw[4 + i] = type.charCodeAt(i);
  raw.set(data, 8);
  view.setUint32(8 + data.length, crc32(raw.subarray(4, 8 + data.length)));
  return { type, data: raw.subarray(8, 8 + data.length), raw, crcIsRight: true };
}

/** The bytes of a PNG from its chunks, each as it stands in `raw`, and what follows IEND. */
export function joinPng(chunks: readonly PngChunk[], tail: Uint8Array = new Uint8Array(0)): Uint8Array {
  const size = chunks.reduce((sum, chunk) => sum + chunk.raw.length, SIGNATURE.length + tail.length);
  const out = new Uint8Array(size);
  out.set(SIGNATURE);
  let at: number = SIGNATURE.length;
  for (const chunk of chunks) {
    out.set(chunk.raw, at);
    at += chunk.raw.length;
  }
  out.set(tail, at);
  return out;
}
