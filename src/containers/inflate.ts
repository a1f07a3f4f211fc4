// Inflating with a cap: neither a declared size nor a compressed one says how much really comes out.

import { Inflate } from 'fflate';

/** What inflating came to: the bytes, or why there are none. */
export type Inflated =
  | { readonly bytes: Uint8Array }
  | { readonly problem: 'damaged' }
  | { readonly problem: 'too-big' };

/**
 * Deflate cannot do better than about 1032 : 1, so one piece of this size yields at most some 33 MiB before
 * the cap is looked at again.
 */
const PIECE = 32 * 1024;

/** More than this does not come out of one byte of deflate data. */
export const BEST_RATIO = 1032;

/**
 * Inflates raw deflate data, at most `cap` bytes of it. `too-big` when more would come out, `damaged` when the
 * data is not deflate or ends too early. Never throws.
 * @param isExact `cap` is what should come out: room for it is made once, so that nothing is held twice
 */
export function inflateRaw(data: Uint8Array, cap: number, isExact = false): Inflated {
  const room = isExact ? new Uint8Array(Math.min(cap, (data.length + 1) * BEST_RATIO)) : undefined;
  const parts: Uint8Array[] = [];
  let total = 0;
  let ended = false;
  const stream = new Inflate((part, final) => {
    if (room !== undefined && total + part.length <= room.length) room.set(part, total);
    else if (room === undefined && part.length > 0) parts.push(part);
    total += part.length;
    ended = final;
  });
  try {
    for (let at = 0; at < data.length || at === 0; at += PIECE) {
      stream.push(data.subarray(at, at + PIECE), at + PIECE >= data.length);
      if (total > cap || (room !== undefined && total > room.length)) return { problem: 'too-big' };
    }
  } catch {
    // fflate throws its own errors for bad data, and typed arrays may throw a RangeError for absurd lengths.
    return { problem: 'damaged' };
  }
  if (!ended || data.length === 0) return { problem: 'damaged' };
  if (room === undefined) return { bytes: joined(parts, total) };
  return { bytes: total === room.length ? room : room.slice(0, total) };
}

/** Inflates zlib data (zTXt, iTXt), at most `cap` bytes. Its trailing checksum is not looked at: JSON tells. */
export function inflateZlib(data: Uint8Array, cap: number): Inflated {
  const [method, flags] = data;
  if (method === undefined || flags === undefined) return { problem: 'damaged' };
  const isZlib = (method & 15) === 8 && ((method << 8) | flags) % 31 === 0;
  const needsDictionary = (flags & 32) !== 0;
  return isZlib && !needsDictionary ? inflateRaw(data.subarray(2), cap) : { problem: 'damaged' };
}

/** Parts one after the other in one array of the given total length. */
export function joined(parts: readonly Uint8Array[], total: number): Uint8Array {
  const only = parts[0];
  if (parts.length === 1 && only && only.length === total) return only;
  const out = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
