// Writing a zip archive. Not with fflate's writers: the streaming one leaves sizes out of the local headers,
// which RisuAI's streaming reader needs, and the other keeps members in an object, where `__proto__` is no name.

import { deflateSync } from 'fflate';
import { crc32 } from './crc32.ts';
import { joined } from './inflate.ts';
import { type PackedMember, packedMember } from './packed-members.ts';

const VERSION = 20;
const UTF8_NAME = 0x800;
/** 1 January 1980, the first date that a zip can say: the same members always make the same bytes. */
const DOS_DATE = 0x21;
const MAX_MEMBERS = 0xfffe;
const MAX_NAME = 0xffff;
const MAX_BYTES = 0xfffffffe;

/**
 * Assets are mostly pictures and sound, which deflate cannot shrink, only chew on for seconds. The beginning of a
 * member tells: when it does not shrink by a twentieth, the member is stored.
 */
const SAMPLE = 64 * 1024;
const WORTH_IT = 0.95;

/**
 * A zip archive with the given members in their order, paths in UTF-8. Stored when that is not bigger. Offsets
 * count from the start of the zip part even when a prefix stands before it, as RisuAI does and as SillyTavern
 * needs, which cuts the prefix off before it reads.
 * @returns undefined when a plain zip cannot hold them (65,534 members, 4 GiB, 65,535 bytes of a path)
 */
export function writeZip(
  members: ReadonlyMap<string, Uint8Array>,
  prefix?: Uint8Array,
): Uint8Array | undefined {
  if (members.size > MAX_MEMBERS) return undefined;
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const [path, bytes] of members) {
    const name = new TextEncoder().encode(path);
    const packed = packedMember(bytes) ?? pack(bytes);
    if (name.length > MAX_NAME || offset + name.length + packed.bytes.length + 30 > MAX_BYTES)
      return undefined;
    const shared = sharedHeader(path, name, bytes, packed);
    const head = localHeader(shared, name);
    local.push(head, packed.bytes);
    central.push(centralHeader(shared, name, offset));
    offset += head.length + packed.bytes.length;
  }
  const centralSize = central.reduce((sum, part) => sum + part.length, 0);
  if (offset + centralSize > MAX_BYTES) return undefined;
  const parts = [
    ...(prefix ? [prefix] : []),
    ...local,
    ...central,
    endRecord(members.size, centralSize, offset),
  ];
  return joined(
    parts,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
}

function pack(bytes: Uint8Array): PackedMember {
  const stored = { bytes, isStored: true, crc: crc32(bytes) };
  if (bytes.length > SAMPLE && deflateSync(bytes.subarray(0, SAMPLE)).length > SAMPLE * WORTH_IT)
    return stored;
  const deflated = deflateSync(bytes);
  return deflated.length < bytes.length ? { ...stored, bytes: deflated, isStored: false } : stored;
}

/** The 26 bytes that local and central header have in common: version needed to length of the extra field. */
function sharedHeader(path: string, name: Uint8Array, bytes: Uint8Array, packed: PackedMember): Uint8Array {
  const out = new Uint8Array(26);
  const view = new DataView(out.buffer);
  view.setUint16(0, VERSION, true);
  view.setUint16(2, name.length === path.length ? 0 : UTF8_NAME, true);
  view.setUint16(4, packed.isStored ? 0 : 8, true);
  view.setUint16(8, DOS_DATE, true);
  view.setUint32(10, packed.crc, true);
  view.setUint32(14, packed.bytes.length, true);
  view.setUint32(18, bytes.length, true);
  view.setUint16(22, name.length, true);
  return out;
}

function localHeader(shared: Uint8Array, name: Uint8Array): Uint8Array {
  const out = new Uint8Array(30 + name.length);
  new DataView(out.buffer).setUint32(0, 0x04034b50, true);
  out.set(shared, 4);
  out.set(name, 30);
  return out;
}

function centralHeader(shared: Uint8Array, name: Uint8Array, offset: number): Uint8Array {
  const out = new Uint8Array(46 + name.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, 0x02014b50, true);
  view.setUint16(4, VERSION, true);
  out.set(shared, 6);
  view.setUint32(42, offset, true);
  out.set(name, 46);
  return out;
}

function endRecord(count: number, size: number, offset: number): Uint8Array {
  const out = new Uint8Array(22);
  const view = new DataView(out.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, size, true);
  view.setUint32(16, offset, true);
  return out;
}
