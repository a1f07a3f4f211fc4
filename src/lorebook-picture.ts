// A picture in which NovelAI has put a lorebook: the text chunk `naidata`, which SillyTavern 1.19 reads, too
// (public/scripts/utils.js, extractDataFromPng).

import { decodeBase64 } from './containers/base64.ts';
import { readJsonBytes } from './containers/card-json.ts';
import { refusal } from './containers/container-error.ts';
import { LIMITS } from './containers/limits.ts';
import { isPng, readPngChunks } from './containers/png-chunks.ts';
import { isTextType, textPayload } from './containers/png-text.ts';
import { type OpenedFile, openJson } from './open-file.ts';

const KEYWORD = 'naidata';

/**
 * Opens the lorebook in a picture.
 * @returns null when the file is no picture, or holds none
 * @throws ContainerError, one sentence with the file's name, when what it holds cannot be read
 */
export function openLorebookPicture(bytes: Uint8Array, fileName: string): OpenedFile | null {
  if (!isPng(bytes)) return null;
  for (const chunk of readPngChunks(bytes, LIMITS).chunks) {
    const end = isTextType(chunk.type) ? chunk.data.indexOf(0) : -1;
    if (end < 0 || String.fromCharCode(...chunk.data.subarray(0, end)) !== KEYWORD) continue;
    const text = textPayload(chunk, LIMITS.cardTextBytes);
    if ('problem' in text) throw refusal(fileName, `cannot be read: its ${KEYWORD} chunk ${text.problem}`);
    const read = readJsonBytes(decodeBase64(text.bytes), LIMITS);
    if ('problem' in read) throw refusal(fileName, read.problem);
    const { json, notes } = read;
    return openJson({ kind: 'json', json, copies: [{ json }], notes }, fileName);
  }
  return null;
}
