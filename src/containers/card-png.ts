// Cards in PNG text chunks. Facts: SillyTavern 1.19 src/character-card-parser.js (ccv3 before chara, the first
// of a keyword, keywords folded, written before IEND), RisuAI src/ts/pngChunk.ts, Agnai port.ts (first tEXt only).

import { isObject, type Json } from '../core/json.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { firstSolidByte, type JsonRead, readJsonBytes } from './card-json.ts';
import { refusal } from './container-error.ts';
import { LIMITS, type Limits, sizeText } from './limits.ts';
import { isPng, joinPng, type PngChunk, type PngParts, pngChunk, readPngChunks } from './png-chunks.ts';
import {
  type CardKeyword,
  cardKeywordOf,
  isTextType,
  type TextChunk,
  type TextChunkType,
  textChunk,
  textPayload,
} from './png-text.ts';

export { blankPng } from './blank-png.ts';
export type { CardKeyword, TextChunk, TextChunkType } from './png-text.ts';

/** One card as it stood in a PNG. */
export interface PngCardCopy {
  readonly keyword: CardKeyword;
  readonly chunkType: TextChunkType;
  readonly json: Json;
}

/** The cards of a PNG: `json` is the one that counts, by reference one of `copies` (in file order). */
export interface PngCards {
  readonly json: Json;
  readonly copies: readonly PngCardCopy[];
  readonly notes: readonly string[];
}

interface Broken {
  readonly keyword: CardKeyword;
  readonly problem: string;
}

/**
 * Reads every card chunk of a PNG, before or after the image data. The card that counts is V3 before V2, then
 * tEXt before zTXt and iTXt (which only Lumiverse reads, so that tEXt is what people have been seeing), then the
 * first one. A chunk that cannot be read is passed over with a note.
 * @returns undefined when the picture is whole and no chunk has a card keyword
 * @throws ContainerError when no card can be read: card chunks are all broken, the file is cut off before one
 *   was found, or a limit is passed
 */
export function readPngCards(
  png: Uint8Array,
  fileName: string,
  limits: Limits = LIMITS,
): PngCards | undefined {
  if (!isPng(png)) throw refusal(fileName, 'is not a PNG picture');
  const parts = readPngChunks(png, limits);
  if (parts.fault?.kind === 'too-many') {
    throw refusal(fileName, `has more PNG chunks than the limit of ${limits.pngChunks}`);
  }
  const { copies, broken, notes } = readCopies(parts.chunks, limits);
  const chosen = chooseCopy(copies);
  if (!chosen) {
    const first = broken.find(({ keyword }) => keyword === 'ccv3') ?? broken[0];
    if (first) throw refusal(fileName, `cannot be read: its ${first.keyword} chunk ${first.problem}`);
    if (parts.fault?.kind === 'cut') {
      throw refusal(fileName, `is cut off inside its ${parts.fault.type} chunk, before any character card`);
    }
    if (parts.fault) throw refusal(fileName, 'is a damaged picture without a readable character card inside');
    return undefined;
  }
  for (const { keyword, problem } of broken) {
    notes.push(
      `A ${keyword} chunk was passed over because it ${problem}; the ${chosen.keyword} chunk was used.`,
    );
  }
  return {
    json: chosen.json,
    copies,
    notes: [...notes, ...choiceNotes(copies, chosen), ...pictureNotes(parts)],
  };
}

/** Options of `writePngText`. */
export interface PngTextOptions {
  /** Write the chunks right behind IHDR instead of before IEND: Agnai takes the first tEXt chunk, whatever it is. */
  readonly first?: boolean;
  /** Leave out all other text chunks (tEXt, zTXt, iTXt), for Agnai. */
  readonly dropOtherText?: boolean;
  /** The name for error messages. */
  readonly fileName?: string;
}

/**
 * Writes text chunks into a PNG in place of all cards in it: every `chara` and `ccv3` is removed, in any letter
 * case, tEXt, zTXt and iTXt, before or after the image data. All other chunks, and what follows IEND, are kept
 * byte for byte and in order. A picture that is cut off is closed: its last chunk gets the length that it has.
 * @throws ContainerError when the bytes are no PNG, or a text cannot stand in a tEXt chunk
 */
export function writePngText(
  png: Uint8Array,
  chunks: readonly TextChunk[],
  options: PngTextOptions = {},
): Uint8Array {
  const fileName = options.fileName ?? 'The picture';
  if (!isPng(png)) throw refusal(fileName, 'is not a PNG picture');
  const parts = readPngChunks(png, LIMITS);
  if (parts.fault?.kind === 'too-many') {
    throw refusal(fileName, `has more PNG chunks than the limit of ${LIMITS.pngChunks}`);
  }
  const kept = closedChunks(parts).filter((chunk) => {
    if (options.dropOtherText && isTextType(chunk.type)) return false;
    return cardKeywordOf(chunk) === undefined;
  });
  const written = chunks.map((text) => {
    const chunk = textChunk(text);
    if (!chunk) throw refusal(fileName, `cannot hold the text "${text.keyword}": it is no Latin-1 text`);
    return chunk;
  });
  const place = options.first ? Number(kept[0]?.type === 'IHDR') : kept.length - 1;
  return joinPng([...kept.slice(0, place), ...written, ...kept.slice(place)], parts.tail);
}

/** A card as text chunks with the given keywords, each the base64 of the UTF-8 of its JSON, as all apps write it. */
export function cardTextChunks(card: Json, keywords: readonly CardKeyword[]): TextChunk[] {
  // A lone surrogate is written by JSON.stringify as an escape, so UTF-8 loses nothing.
  const text = encodeBase64(new TextEncoder().encode(JSON.stringify(card)));
  return keywords.map((keyword) => ({ keyword, text }));
}

function readCopies(
  chunks: readonly PngChunk[],
  limits: Limits,
): { copies: PngCardCopy[]; broken: Broken[]; notes: string[] } {
  const copies: PngCardCopy[] = [];
  const broken: Broken[] = [];
  const notes = new Set<string>();
  let room = limits.cardTextBytes;
  let inflateRoom = limits.inflatedBytes;
  for (const chunk of chunks) {
    const keyword = cardKeywordOf(chunk);
    if (!keyword) continue;
    if (copies.length + broken.length >= limits.cardCopies) {
      notes.add(`Only the first ${limits.cardCopies} card chunks were read.`);
      break;
    }
    // Base64 is a third longer than what it holds.
    const payload = textPayload(chunk, Math.max(0, Math.min(2 * room, inflateRoom)));
    if ('problem' in payload) inflateRoom -= payload.inflated ?? 0;
    else if (payload.wasPacked) inflateRoom -= payload.bytes.length;
    const read =
      'bytes' in payload
        ? payloadJson(payload.bytes, chunk.type, { ...limits, cardTextBytes: room })
        : payload;
    if ('problem' in read) {
      broken.push({ keyword, problem: read.problem });
      continue;
    }
    room -= read.textBytes;
    copies.push({ keyword, chunkType: chunk.type as TextChunkType, json: read.json });
    for (const note of read.notes) notes.add(note);
  }
  return { copies, broken, notes: [...notes] };
}

// With a password or without one (RisuAI 460ecae2).
const LOCKED = 'rcc||';
const startsWith = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((letter, at) => bytes[at] === letter.charCodeAt(0));

/** The card in a chunk's text: base64 of JSON, or, from tools that skip base64, the JSON itself. */
function payloadJson(
  payload: Uint8Array,
  type: string,
  limits: Limits,
): { json: Json; notes: readonly string[]; textBytes: number } | { problem: string } {
  if (startsWith(payload, LOCKED)) return { problem: 'is encrypted by RisuAI, which alone can open it' };
  const isPlain = payload[firstSolidByte(payload)] === '{'.charCodeAt(0);
  if (!isPlain && payload.length > 2 * limits.cardTextBytes) {
    return { problem: `holds more card text than the limit of ${sizeText(limits.cardTextBytes)}` };
  }
  const bytes = isPlain ? payload : decodeBase64(payload);
  const read: JsonRead = readJsonBytes(
    bytes,
    limits,
    isPlain && type !== 'iTXt' ? 'windows-1252' : 'replace',
  );
  if ('problem' in read) return read;
  if (!isObject(read.json)) return { problem: 'holds a list, not a card' };
  return { ...read, textBytes: bytes.length };
}

function chooseCopy(copies: readonly PngCardCopy[]): PngCardCopy | undefined {
  const ofKeyword = (keyword: CardKeyword) => copies.filter((copy) => copy.keyword === keyword);
  const best = ofKeyword('ccv3').length > 0 ? ofKeyword('ccv3') : ofKeyword('chara');
  return best.find(({ chunkType }) => chunkType === 'tEXt') ?? best[0];
}

function choiceNotes(copies: readonly PngCardCopy[], chosen: PngCardCopy): string[] {
  const notes: string[] = [];
  const same = copies.filter(({ keyword }) => keyword === chosen.keyword).length;
  if (same > 1) {
    const which = `the first ${chosen.chunkType} one was used`;
    const why = chosen.chunkType === 'tEXt' ? ', as in SillyTavern' : '';
    notes.push(`${same} ${chosen.keyword} chunks stand in this picture; ${which}${why}.`);
  }
  if (copies.every(({ chunkType }) => chunkType !== 'tEXt')) {
    notes.push(`The card stands in a ${chosen.chunkType} chunk, which SillyTavern itself does not read.`);
  }
  return notes;
}

function pictureNotes({ chunks, fault }: PngParts): string[] {
  const notes: string[] = [];
  const wrong = chunks.filter(({ crcIsRight }) => !crcIsRight);
  if (wrong.length > 0) {
    const types = [...new Set(wrong.map(({ type }) => type))].slice(0, 8).join(', ');
    notes.push(`The checksum of a chunk is wrong (${types}); SillyTavern itself refuses such a picture.`);
  }
  if (chunks[0]?.type !== 'IHDR') notes.push('The picture lacks its header; SillyTavern itself refuses it.');
  if (fault?.kind === 'cut') notes.push(`The picture is cut off inside its ${fault.type} chunk.`);
  else if (fault) notes.push('The picture has no end mark; it may be cut off.');
  return notes;
}

/** All chunks with an IEND as the last; the part of a chunk that is cut off becomes a whole one. */
function closedChunks({ chunks, fault }: PngParts): readonly PngChunk[] {
  if (!fault) return chunks;
  const end = pngChunk('IEND', new Uint8Array(0));
  return fault.kind === 'cut' ? [...chunks, pngChunk(fault.type, fault.data), end] : [...chunks, end];
}
