// PNGs and zips made from descriptions, by Node's own zlib, so that our reader is not tested with our writer.

import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** A chunk as the case files describe it (`$case: "png"`), or any other chunk by its bytes. */
export interface ChunkSpec {
  readonly type: string;
  readonly keyword?: string;
  readonly text?: string;
  readonly base64json?: unknown;
  /** iTXt: compress the text. */
  readonly packed?: boolean;
  readonly bytes?: Uint8Array;
  /** A wrong checksum. */
  readonly crc?: number;
  /** A wrong length. */
  readonly length?: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A 1 x 1 picture with the given chunks; they stand before the image data unless `{type: 'IDAT'}` is among them. */
export function buildPng(
  specs: readonly ChunkSpec[],
  options: { end?: boolean; header?: boolean; tail?: Uint8Array } = {},
): Uint8Array {
  const hasImage = specs.some(({ type }) => type === 'IDAT');
  const all: ChunkSpec[] = [
    ...(options.header === false
      ? []
      : [{ type: 'IHDR', bytes: Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]) }]),
    ...specs,
    ...(hasImage ? [] : [{ type: 'IDAT' }]),
    ...(options.end === false ? [] : [{ type: 'IEND', bytes: Buffer.alloc(0) }]),
  ];
  return plain(Buffer.concat([SIGNATURE, ...all.map(chunkBytes), options.tail ?? Buffer.alloc(0)]));
}

/** One chunk with its length and CRC. */
export function chunkBytes(spec: ChunkSpec): Uint8Array {
  const data = chunkData(spec);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(spec.length ?? data.length);
  head.write(spec.type, 4, 'latin1');
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(spec.crc ?? crc32(Buffer.concat([head.subarray(4), data])));
  return plain(Buffer.concat([head, data, tail]));
}

function chunkData({ type, keyword = '', text, base64json, packed, bytes }: ChunkSpec): Uint8Array {
  if (bytes) return bytes;
  if (type === 'IDAT') return deflateSync(Buffer.from([0, 90, 120, 90]));
  const letters = base64json === undefined ? (text ?? '') : base64Json(base64json);
  if (type === 'tEXt')
    return Buffer.concat([Buffer.from(`${keyword}\0`, 'latin1'), Buffer.from(letters, 'latin1')]);
  if (type === 'zTXt') return Buffer.concat([Buffer.from(`${keyword}\0\0`, 'latin1'), deflateSync(letters)]);
  const head = Buffer.from(`${keyword}\0${packed ? '\x01' : '\0'}\0en\0${keyword}\0`, 'latin1');
  return Buffer.concat([head, packed ? deflateSync(letters) : Buffer.from(letters, 'utf8')]);
}

/** What stands in a card chunk: base64 of the UTF-8 of the JSON. */
export function base64Json(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64');
}

/** The types of a PNG's chunks, text chunks with their keyword (`tEXt:chara`); checks every length and CRC. */
export function chunkList(png: Uint8Array): string[] {
  return rawChunks(png).map((raw) => {
    const type = Buffer.from(raw.subarray(4, 8)).toString('latin1');
    const isText = type === 'tEXt' || type === 'zTXt' || type === 'iTXt';
    return isText ? `${type}:${Buffer.from(raw.subarray(8, raw.indexOf(0, 8))).toString('latin1')}` : type;
  });
}

/** The chunks of a PNG as they stand, up to IEND; throws on a wrong length or CRC. */
export function rawChunks(png: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(png);
  const chunks: Uint8Array[] = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const raw = bytes.subarray(at, end);
    if (raw.readUInt32BE(raw.length - 4) !== crc32(raw.subarray(4, -4)))
      throw new Error(`wrong CRC at ${at}`);
    chunks.push(plain(raw));
    if (raw.subarray(4, 8).toString('latin1') === 'IEND') break;
    at = end;
  }
  return chunks;
}

/** A file of a `$case: "png"` in test/fixtures/cases, or of any other case as plain JSON. */
export function caseFile(name: string): { json: unknown; png: Uint8Array } {
  const json: unknown = JSON.parse(
    readFileSync(new URL(`../fixtures/cases/${name}`, import.meta.url), 'utf8'),
  );
  const { chunks = [] } = json as { chunks?: ChunkSpec[] };
  return { json, png: buildPng(chunks) };
}

/** A member of a zip; what is not given is as it should be. */
export interface MemberSpec {
  readonly path: string;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly stored?: boolean;
  /** Lies and special forms. */
  readonly method?: number;
  readonly flags?: number;
  readonly size?: number;
  readonly crc?: number;
  readonly zip64?: boolean;
}

/** A zip; with a prefix its offsets count from the start of the zip (as RisuAI's) or of the whole file. */
export function buildZip(
  specs: readonly MemberSpec[],
  options: { prefix?: Uint8Array; offsets?: 'zip' | 'file'; comment?: string; zip64?: boolean } = {},
): Uint8Array {
  const { prefix = Buffer.alloc(0), offsets = 'zip', comment = '' } = options;
  const base = offsets === 'file' ? prefix.length : 0;
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  for (const spec of specs) {
    const bytes = Buffer.from(spec.bytes ?? Buffer.from(spec.text ?? '', 'utf8'));
    const packed = spec.stored ? bytes : deflateRawSync(bytes);
    const name = Buffer.from(spec.path, 'utf8');
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(spec.flags ?? 0x800, 2);
    shared.writeUInt16LE(spec.method ?? (spec.stored ? 0 : 8), 4);
    shared.writeUInt32LE(spec.crc ?? crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(spec.size ?? bytes.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const head = Buffer.concat([u32(0x04034b50), shared, name]);
    local.push(head, packed);
    central.push(centralRecord(shared, name, base + at, spec.zip64 === true));
    at += head.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.concat([u32(0x06054b50), Buffer.alloc(18)]);
  end.writeUInt16LE(options.zip64 ? 0xffff : specs.length, 8);
  end.writeUInt16LE(options.zip64 ? 0xffff : specs.length, 10);
  end.writeUInt32LE(options.zip64 ? 0xffffffff : directory.length, 12);
  end.writeUInt32LE(options.zip64 ? 0xffffffff : base + at, 16);
  end.writeUInt16LE(comment.length, 20);
  const end64 = options.zip64 ? zip64Records(specs.length, directory.length, base + at) : Buffer.alloc(0);
  return plain(Buffer.concat([prefix, ...local, directory, end64, end, Buffer.from(comment, 'latin1')]));
}

function centralRecord(shared: Buffer, name: Buffer, offset: number, zip64: boolean): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  shared.copy(head, 6);
  head.writeUInt32LE(zip64 ? 0xffffffff : offset, 42);
  if (!zip64) return Buffer.concat([head, name]);
  const extra = Buffer.concat([
    Buffer.from([1, 0, 24, 0]),
    u64(shared.readUInt32LE(18)),
    u64(shared.readUInt32LE(14)),
  ]);
  head.writeUInt32LE(0xffffffff, 20);
  head.writeUInt32LE(0xffffffff, 24);
  head.writeUInt16LE(extra.length + 8, 30);
  return Buffer.concat([head, name, extra, u64(offset)]);
}

function zip64Records(count: number, size: number, offset: number): Buffer {
  const fixed = Buffer.from([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const record = [u32(0x06064b50), u64(44), fixed, u64(count), u64(count), u64(size), u64(offset)];
  const locator = [u32(0x07064b50), u32(0), u64(offset + size), u32(1)];
  return Buffer.concat([...record, ...locator]);
}

function u32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}

function u64(value: number): Buffer {
  return Buffer.concat([u32(value), u32(0)]);
}

/** A Uint8Array and not a Buffer, as a browser hands it over. */
function plain(buffer: Uint8Array): Uint8Array {
  return new Uint8Array(buffer);
}
