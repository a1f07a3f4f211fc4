// A picture for cards that have none: RisuAI, Marinara and SillyTavern keep a card in its picture.

import { zlibSync } from 'fflate';
import { joinPng, pngChunk } from './png-chunks.ts';

/** SillyTavern's own avatar size. */
const WIDTH = 400;
const HEIGHT = 600;
/** A quiet grey that shows on light and dark themes. */
const GREY = 0x80;

/** A small valid PNG, 400 x 600 in one grey (8-bit RGB, the kind that every decoder reads); about 1 KB. */
export function blankPng(): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, WIDTH);
  view.setUint32(4, HEIGHT);
  header.set([8, 2, 0, 0, 0], 8);
  const row = 1 + WIDTH * 3;
  const pixels = new Uint8Array(row * HEIGHT).fill(GREY);
  // Each row begins with its filter; 0 is none.
  for (let y = 0; y < HEIGHT; y++) pixels[y * row] = 0;
  const data = zlibSync(pixels, { level: 9 });
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', new Uint8Array(0))];
  return joinPng(chunks);
}
