// A lorebook in a picture: NovelAI's "lorebook embedded in an image" is base64 of its JSON under the keyword `naidata`,
// which SillyTavern 1.19 reads in its lorebook import.

import type { Json } from '../core/json.ts';
import { decodeBase64 } from './base64.ts';
import { firstSolidByte, readJsonBytes } from './card-json.ts';
import { refusal } from './container-error.ts';
import type { Limits } from './limits.ts';
import { readPngChunks } from './png-chunks.ts';
import { isTextType, textPayload } from './png-text.ts';

const KEYWORD = 'naidata';

/** What the picture holds, with remarks. */
export interface PngLorebook {
  readonly json: Json;
  readonly notes: readonly string[];
}

/**
 * Reads the lorebook of a picture that holds no card.
 * @returns undefined when there is none
 * @throws ContainerError when there is one that cannot be read
 */
export function readPngLorebook(png: Uint8Array, fileName: string, limits: Limits): PngLorebook | undefined {
  const chunk = readPngChunks(png, limits).chunks.find(({ type, data }) => {
    const word = String.fromCharCode(...data.subarray(0, KEYWORD.length + 1));
    return isTextType(type) && word.toLowerCase() === `${KEYWORD}\0`;
  });
  if (chunk === undefined) return undefined;
  const payload = textPayload(chunk, Math.min(2 * limits.cardTextBytes, limits.inflatedBytes));
  const read = 'problem' in payload ? payload : readJsonBytes(textOf(payload.bytes), limits);
  if ('problem' in read) throw refusal(fileName, `cannot be read: its ${KEYWORD} chunk ${read.problem}`);
  return { json: read.json, notes: read.notes };
}

const textOf = (bytes: Uint8Array): Uint8Array =>
  bytes[firstSolidByte(bytes)] === '{'.charCodeAt(0) ? bytes : decodeBase64(bytes);
