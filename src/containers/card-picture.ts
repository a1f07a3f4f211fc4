// A card as a SillyTavern PNG: both text chunks from the same data, the picture kept.

import type { Json, JsonObject } from '../core/json.ts';
import { isArray, isObject } from '../core/json.ts';
import { blankPng } from './blank-png.ts';
import { writeCardJson } from './card-json.ts';
import { cardTextChunks, writePngText } from './card-png.ts';
import { type ContainerRead, writeContainer } from './container.ts';

/**
 * Writes a card into its picture, or into a blank one: `chara` as the card is, `ccv3` the same data under the V3
 * envelope, as SillyTavern 1.19 writes both.
 * @throws ContainerError when the picture is no PNG
 */
export function asPng(container: Pick<ContainerRead, 'picture'>, card: JsonObject): Uint8Array {
  const chunks = [...cardTextChunks(card, ['chara']), ...cardTextChunks(asV3(card), ['ccv3'])];
  return writePngText(container.picture ?? blankPng(), chunks);
}

const ICON_PATH = 'assets/icon/image/main.png';

/**
 * Writes a card into a new charx. Its picture goes in as the main icon, which the card then lists as CCv3 asks; a card
 * that lists an icon already keeps its list. `beside`: further members by their path, as JSON.
 * @throws ContainerError when the zip cannot hold it
 */
export function asCharx(
  container: Pick<ContainerRead, 'picture'>,
  card: JsonObject,
  beside: Readonly<Record<string, JsonObject>> = {},
): Uint8Array {
  const { picture } = container;
  const v3 = asV3(card);
  const zip = new Map<string, Uint8Array>();
  // The picture of a PNG still holds the card as it was.
  if (picture !== undefined) zip.set(ICON_PATH, writePngText(picture, []));
  for (const [path, json] of Object.entries(beside)) zip.set(path, writeCardJson(json));
  return writeContainer({ kind: 'charx', zip }, picture === undefined ? v3 : withIcon(v3));
}

/**
 * A card that lists its picture as CCv3 asks; the same card when it lists one. SillyTavern 1.19 finds no other in a charx.
 *
 * @param path where the picture lies in the zip
 */
export function withIcon(card: JsonObject, path = ICON_PATH): JsonObject {
  const data = card['data'];
  if (!isObject(data)) return card;
  const held = data['assets'];
  const assets = isArray(held) ? held : [];
  if ((held !== undefined && !isArray(held)) || assets.some(isIcon)) return card;
  const ext = path.slice(path.lastIndexOf('.') + 1);
  const icon = { type: 'icon', uri: `embeded://${path}`, name: 'main', ext };
  return { ...card, data: { ...data, assets: [icon, ...assets] } };
}

const isIcon = (asset: Json): boolean => isObject(asset) && asset['type'] === 'icon';

function asV3(card: JsonObject): JsonObject {
  if (!isObject(card['data']) || card['spec'] === 'chara_card_v3') return card;
  return { ...card, spec: 'chara_card_v3', spec_version: '3.0' };
}
