// How much of a file we are willing to read. Every file is untrusted: a few hundred bytes can claim, or
// inflate to, gigabytes, and a browser tab on a phone dies from that without a word.

/** Upper bounds for one file; see `LIMITS` for the reason of each. */
export interface Limits {
  readonly fileBytes: number;
  readonly cardTextBytes: number;
  readonly inflatedBytes: number;
  readonly pngChunks: number;
  readonly cardCopies: number;
  readonly zipMembers: number;
  readonly jsonDepth: number;
  readonly jsonValues: number;
}

const MIB = 1024 * 1024;

/** The limits in force unless a caller passes smaller ones. */
export const LIMITS: Limits = {
  /** Marinara's own upload limit; a card picture is rarely above 10 MiB, a charx with many assets rarely above 200. */
  fileBytes: 256 * MIB,
  /** The JSON of a card, all copies in one PNG together. The largest real ones are a few MiB. */
  cardTextBytes: 64 * MIB,
  /** What a charx, or all compressed text chunks of a PNG, may inflate to in total: it is all held in memory. */
  inflatedBytes: 384 * MIB,
  /** A picture written in pieces of 8 KiB reaches 20,000 chunks at 160 MiB. */
  pngChunks: 20_000,
  /** Real PNGs hold two; the rest of such a pile is only parsed to be thrown away. */
  cardCopies: 32,
  /** Assets and folders of a charx; Marinara stops at 512, real RisuAI cards hold a few hundred. */
  zipMembers: 5_000,
  /** Deeper JSON parses, but overflows the stack of everything that walks it. Real cards stay below 20. */
  jsonDepth: 512,
  /** Of the smallest values, 64 MiB of JSON hold 30 million, which fill gigabytes. A book of 5,000 entries has 250,000. */
  jsonValues: 4_000_000,
};

/** A number of bytes as people read it: `12 bytes`, `3.4 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < MIB) return `${rounded(bytes / 1024)} KiB`;
  return `${rounded(bytes / MIB)} MiB`;
}

function rounded(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Math.round(value * 10) / 10);
}
