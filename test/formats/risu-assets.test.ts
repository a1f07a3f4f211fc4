// Pictures of a card on the way to RisuAI, which ends an import at the first one that it cannot find (460ecae2).

import { describe, expect, it } from 'vitest';
import { blankPng } from '../../src/containers/blank-png.ts';
import { cardTextChunks, writePngText } from '../../src/containers/card-png.ts';
import { readContainer } from '../../src/containers/container.ts';
import { readPieces } from '../../src/convert.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isArray } from '../../src/core/json.ts';
import { exportCharacter } from '../../src/export-character.ts';
import { RISU_EXPORTER } from '../../src/formats/risu/exporter.ts';
import { cardWith } from '../support/fixtures.ts';
import { entryOf, lorebookOf } from '../support/in-force.ts';

const EMOTION = { type: 'emotion', uri: '__asset:1', name: 'happy', ext: 'png' };
const LINK = { type: 'emotion', uri: 'https://example.org/a.png', name: 'sad', ext: 'png' };
const DATA = { type: 'x-risu-asset', uri: 'data:image/png;base64,AAAA', name: 'map', ext: 'png' };
const card = {
  ...cardWith(undefined, { assets: [EMOTION, LINK, DATA] }),
  spec: 'chara_card_v3',
  spec_version: '3.0',
};
const PNG = writePngText(blankPng(), [
  { keyword: 'chara-ext-asset_:1', text: 'AAAA' },
  ...cardTextChunks(card, ['ccv3']),
]);
const JSON_FILE = new TextEncoder().encode(JSON.stringify(card));

function exported(bytes: Uint8Array, form: 'png' | 'json' | 'charx') {
  const container = readContainer(bytes, 'card');
  const { character } = readPieces(container.json);
  const { files, findings } = exportCharacter(RISU_EXPORTER, container, {
    character,
    lorebooks: [lorebookOf([entryOf()])],
    form,
    style: 'exact',
    privateFields: 'drop',
  });
  const read = readContainer(files[0]?.bytes as Uint8Array, 'written');
  const data = (read.json as JsonObject)['data'] as JsonObject;
  const held = data['assets'];
  const assets: readonly Json[] = isArray(held) ? held : [];
  return { assets, read, lost: findings.filter(({ path }) => path === 'data.assets') };
}

describe('pictures', () => {
  it('that stand in text chunks of a PNG stay there while it is that PNG', () => {
    const { assets, lost } = exported(PNG, 'png');
    expect(assets).toEqual([EMOTION, LINK, DATA]);
    expect(lost).toEqual([]);
  });
  it.each([
    ['json', PNG],
    ['charx', PNG],
    ['json', JSON_FILE],
    ['png', JSON_FILE],
  ] as const)('as %s: what cannot be found any more is not named, which is said', (form, bytes) => {
    const { assets, lost } = exported(bytes, form);
    expect(assets.filter((each) => (each as JsonObject)['type'] !== 'icon')).toEqual([LINK, DATA]);
    expect(lost.map(({ code, before }) => [code, before])).toEqual([['lost', [EMOTION]]]);
  });
  it('the picture itself is still named in a picture, and in no other file', () => {
    const own = { type: 'icon', uri: 'ccdefault:', name: 'main', ext: 'png' };
    const named = { ...cardWith(undefined, { assets: [own] }), spec: 'chara_card_v3' };
    const png = writePngText(blankPng(), cardTextChunks(named, ['ccv3']));
    expect(exported(png, 'png')).toMatchObject({ assets: [own], lost: [] });
    expect(exported(png, 'json')).toMatchObject({ assets: [], lost: [] });
  });
  it('a charx has its main picture among others', () => {
    const { assets, read } = exported(PNG, 'charx');
    const icon = assets.find((each) => (each as JsonObject)['type'] === 'icon') as JsonObject;
    expect(icon).toMatchObject({ name: 'main' });
    const path = String(icon['uri']).replace('embeded://', '');
    expect(read.zip?.get(path)?.length).toBeGreaterThan(0);
  });
});
