// A card as a SillyTavern PNG: both text chunks from the same data, the picture kept.

import type { Json, JsonObject } from '../core/json.ts';
import { isObject } from '../core/json.ts';
import { blankPng } from './blank-png.ts';
import { cardTextChunks, writePngText } from './card-png.ts';
import type { ContainerRead } from './container.ts';

/**
 * Writes a card into its picture, or into a blank one: `chara` as the card is, `ccv3` the same data under the V3
 * envelope, as SillyTavern 1.19 writes both.
 * @throws ContainerError when the picture is no PNG
 */
export function asPng(container: Pick<ContainerRead, 'picture'>, card: JsonObject): Uint8Array {
  const chunks = [...cardTextChunks(card, ['chara']), ...cardTextChunks(asV3(card), ['ccv3'])];
  return writePngText(container.picture ?? blankPng(), chunks);
}

function asV3(card: JsonObject): Json {
  if (!isObject(card['data']) || card['spec'] === 'chara_card_v3') return card;
  return { ...card, spec: 'chara_card_v3', spec_version: '3.0' };
}
