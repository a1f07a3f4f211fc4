// The directory of a zip archive, which stands at its end (APPNOTE.TXT 4.3). Read here and not by fflate: its
// reader trusts offsets, counts and sizes, and keeps members in a plain object, where `__proto__` is no name.

import type { Limits } from './limits.ts';

/** A member as the directory declares it. */
export interface ZipEntry {
  readonly path: string;
  /** 0 stored, 8 deflated; we read no other. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly size: number;
  /** The member's bytes in the file as they are stored; undefined when they are not where the directory says. */
  readonly packed: Uint8Array | undefined;
}

/** The members in directory order, and where in the file the zip part begins. */
export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  readonly start: number;
}

const END_SIZE = 22;
const END_SIGNATURE = 0x06054b50;
const END64_SIGNATURE = 0x06064b50;
const END64_SIZE = 56;
const LOCATOR64_SIGNATURE = 0x07064b50;
const LOCATOR64_SIZE = 20;
const CENTRAL_SIGNATURE = 0x02014b50;
const CENTRAL_SIZE = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_SIZE = 30;
const MAX_COMMENT = 0xffff;
const FULL16 = 0xffff;
const FULL32 = 0xffffffff;

/** Where the directory stands. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** What to add to the offsets that the zip states, so that they count from the start of the file. */
  readonly shift: number;
}

/**
 * Finds the directory of a zip that ends a file, whatever stands before it. The directory is looked for right
 * before its end record and not where the record says: RisuAI appends a zip to a JPEG without adding the length
 * of the JPEG to the offsets. The difference is then added to every member's offset.
 * @returns undefined when there is no zip; a problem (the rest of a sentence) when there is one but it is unusable
 */
export function findZipDirectory(
  bytes: Uint8Array,
  limits: Limits,
): ZipDirectory | { readonly problem: string } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const place = findPlace(view);
  if (!place) return undefined;
  if (place.count > limits.zipMembers) {
    return { problem: `holds ${place.count} files, more than the limit of ${limits.zipMembers}` };
  }
  const entries: ZipEntry[] = [];
  let start = place.start;
  let at = place.start;
  for (let i = 0; i < place.count; i++) {
    if (at + CENTRAL_SIZE > place.end || view.getUint32(at, true) !== CENTRAL_SIGNATURE) {
      return { problem: 'is a damaged zip archive: its directory is broken' };
    }
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const nameAt = at + CENTRAL_SIZE;
    const next = nameAt + nameLength + extraLength + view.getUint16(at + 32, true);
    if (next > place.end) return { problem: 'is a damaged zip archive: its directory is broken' };
    const sizes = readSizes(view, at, nameAt + nameLength, extraLength);
    const local = sizes.offset + place.shift;
    const packed = packedBytes(bytes, view, local, sizes.packed);
    if (packed && local < start) start = local;
    const flags = view.getUint16(at + 8, true);
    entries.push({
      path: memberName(bytes.subarray(nameAt, nameAt + nameLength), (flags & 0x800) !== 0),
      method: view.getUint16(at + 10, true),
      isEncrypted: (flags & 1) !== 0,
      crc: view.getUint32(at + 16, true),
      size: sizes.size,
      packed,
    });
    at = next;
  }
  return { entries, start };
}

function findPlace(view: DataView): Place | undefined {
  const lowest = Math.max(0, view.byteLength - END_SIZE - MAX_COMMENT);
  for (let at = view.byteLength - END_SIZE; at >= lowest; at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    const place = placeAt(view, at);
    if (place) return place;
  }
  return undefined;
}

/** The directory before an end record, or undefined when the four bytes that looked like one are chance. */
function placeAt(view: DataView, at: number): Place | undefined {
  if (at + END_SIZE + view.getUint16(at + 20, true) > view.byteLength) return undefined;
  let count = view.getUint16(at + 10, true);
  let size = view.getUint32(at + 12, true);
  let offset = view.getUint32(at + 16, true);
  let end = at;
  const at64 = at - LOCATOR64_SIZE - END64_SIZE;
  if (
    (count === FULL16 || size === FULL32 || offset === FULL32) &&
    at64 >= 0 &&
    view.getUint32(at - LOCATOR64_SIZE, true) === LOCATOR64_SIGNATURE &&
    view.getUint32(at64, true) === END64_SIGNATURE
  ) {
    count = uint64(view, at64 + 32);
    size = uint64(view, at64 + 40);
    offset = uint64(view, at64 + 48);
    end = at64;
  }
  const start = end - size;
  if (start < 0) return undefined;
  if (count > 0 && (size < CENTRAL_SIZE || view.getUint32(start, true) !== CENTRAL_SIGNATURE))
    return undefined;
  return { start, end, count, shift: start - offset };
}

interface Sizes {
  readonly size: number;
  readonly packed: number;
  readonly offset: number;
}

/** Sizes and offset of a member; a value of all ones stands in the zip64 extra field, in this order. */
function readSizes(view: DataView, at: number, extraAt: number, extraLength: number): Sizes {
  const stated = [
    view.getUint32(at + 24, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 42, true),
  ];
  if (stated.includes(FULL32)) {
    const extraEnd = extraAt + extraLength;
    for (let field = extraAt; field + 4 <= extraEnd; field += 4 + view.getUint16(field + 2, true)) {
      if (view.getUint16(field, true) !== 1) continue;
      const fieldEnd = Math.min(extraEnd, field + 4 + view.getUint16(field + 2, true));
      let value = field + 4;
      for (let i = 0; i < stated.length; i++) {
        if (stated[i] !== FULL32 || value + 8 > fieldEnd) continue;
        stated[i] = uint64(view, value);
        value += 8;
      }
      break;
    }
  }
  const [size = 0, packed = 0, offset = 0] = stated;
  return { size, packed, offset };
}

function packedBytes(bytes: Uint8Array, view: DataView, local: number, size: number): Uint8Array | undefined {
  if (local < 0 || local + LOCAL_SIZE > bytes.length) return undefined;
  if (view.getUint32(local, true) !== LOCAL_SIGNATURE) return undefined;
  // The local extra field often differs in length from the one in the directory.
  const from = local + LOCAL_SIZE + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  return from + size <= bytes.length ? bytes.subarray(from, from + size) : undefined;
}

/** Many writers use UTF-8 without setting its flag; what is no UTF-8 is read as Windows-1252. */
function memberName(name: Uint8Array, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isUtf8, ignoreBOM: true }).decode(name);
  } catch {
    return new TextDecoder('windows-1252').decode(name);
  }
}

function uint64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}
