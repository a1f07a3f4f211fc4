// The three kinds of text chunk in a PNG, and the keywords under which cards stand (PNG specification, 11.3.4).

import { BEST_RATIO, inflateZlib } from './inflate.ts';
import { sizeText } from './limits.ts';
import { type PngChunk, pngChunk } from './png-chunks.ts';

/** Where a card stands: `chara` (V1, V2) or `ccv3` (V3). Written in any letter case; SillyTavern folds it too. */
export type CardKeyword = 'chara' | 'ccv3';
/** Plain, compressed, or international text. Every app writes tEXt; only Lumiverse reads all three. */
export type TextChunkType = 'tEXt' | 'zTXt' | 'iTXt';

/** Text to be written as a tEXt chunk; both must be Latin-1. */
export interface TextChunk {
  readonly keyword: string;
  readonly text: string;
}

/** The text of a chunk as bytes (Latin-1 in tEXt and zTXt, UTF-8 in iTXt), or why there is none. */
export type TextPayload =
  | { readonly bytes: Uint8Array; readonly wasPacked: boolean }
  /** `inflated`: how many bytes may have come out before the problem was met. */
  | { readonly problem: string; readonly inflated?: number };

/** The longest keyword that the specification allows. */
const KEYWORD_LENGTH = 79;

/** Whether a chunk type is one of the three for text. */
export function isTextType(type: string): type is TextChunkType {
  return type === 'tEXt' || type === 'zTXt' || type === 'iTXt';
}

/** The card keyword of a chunk, or undefined for any other chunk. */
export function cardKeywordOf(chunk: Pick<PngChunk, 'type' | 'data'>): CardKeyword | undefined {
  if (!isTextType(chunk.type)) return undefined;
  const end = chunk.data.indexOf(0);
  if (end !== 4 && end !== 5) return undefined;
  const keyword = String.fromCharCode(...chunk.data.subarray(0, end)).toLowerCase();
  return keyword === 'chara' || keyword === 'ccv3' ? keyword : undefined;
}

/**
 * The text of a text chunk, inflated when it is compressed. Never throws.
 * @param cap how many bytes it may inflate to
 */
export function textPayload(chunk: Pick<PngChunk, 'type' | 'data'>, cap: number): TextPayload {
  const { data } = chunk;
  const keywordEnd = data.indexOf(0);
  if (keywordEnd < 0) return { problem: 'has no text' };
  const rest = data.subarray(keywordEnd + 1);
  if (chunk.type === 'tEXt') return { bytes: rest, wasPacked: false };
  if (chunk.type === 'zTXt') return inflatedPayload(rest[0], rest.subarray(1), cap);
  // iTXt: compression flag, compression method, language, NUL, translated keyword, NUL, text.
  const languageEnd = rest.indexOf(0, 2);
  const translatedEnd = languageEnd < 0 ? -1 : rest.indexOf(0, languageEnd + 1);
  if (translatedEnd < 0) return { problem: 'has no text' };
  const text = rest.subarray(translatedEnd + 1);
  return rest[0] === 0 ? { bytes: text, wasPacked: false } : inflatedPayload(rest[1], text, cap);
}

/**
 * A tEXt chunk. Undefined when the keyword or the text cannot stand in one: a keyword of 1 to 79 characters, all
 * characters Latin-1, no NUL (SillyTavern's reader throws on one).
 */
export function textChunk({ keyword, text }: TextChunk): PngChunk | undefined {
  if (keyword.length < 1 || keyword.length > KEYWORD_LENGTH) return undefined;
  const data = new Uint8Array(keyword.length + 1 + text.length);
  const writable = writeLatin1(keyword, data, 0) && writeLatin1(text, data, keyword.length + 1);
  return writable ? pngChunk('tEXt', data) : undefined;
}

function inflatedPayload(method: number | undefined, packed: Uint8Array, cap: number): TextPayload {
  if (method !== 0) return { problem: 'is compressed in an unknown way' };
  const inflated = inflateZlib(packed, cap);
  if ('bytes' in inflated) return { bytes: inflated.bytes, wasPacked: true };
  return inflated.problem === 'too-big'
    ? { problem: `inflates to more than the limit of ${sizeText(cap)}`, inflated: cap }
    : { problem: 'holds damaged compressed data', inflated: Math.min(cap, packed.length * BEST_RATIO) };
}

function writeLatin1(text: string, into: Uint8Array, at: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0 || code > 255) return false;
    into[at + i] = code;
  }
  return true;
}
