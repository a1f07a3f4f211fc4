import { describe, expect, it } from 'vitest';
import { cardSpecOf } from '../../src/core/character.ts';
import type { JsonObject } from '../../src/core/json.ts';

describe('what a card says it is', () => {
  const TABLE: readonly (readonly [string, JsonObject, string | null])[] = [
    ['a V3 card', { spec: 'chara_card_v3', data: {} }, 'chara_card_v3'],
    ['a V2 card', { spec: 'chara_card_v2', data: {} }, 'chara_card_v2'],
    [
      'a foreign spec beside data is read as V2 (wild file: muah_x_card)',
      { spec: 'muah_x_card', data: {} },
      'chara_card_v2',
    ],
    ['data without a spec', { data: { name: 'x' } }, 'chara_card_v2'],
    ['a flat card', { name: 'x', first_mes: 'hi' }, 'v1'],
    ['a flat card with its old name field', { char_name: 'x' }, 'v1'],
    ['a flat card that happens to have entries', { name: 'x', first_mes: 'hi', entries: [] }, 'v1'],
    ['a world file with a name (case 47)', { name: 'x', entries: { 0: {} } }, null],
    ['a bare book with a name (case 53)', { name: 'x', entries: [] }, null],
    ['a CCv3 lorebook file', { spec: 'lorebook_v3', data: { entries: [] } }, null],
    ['nothing that names anybody', { description: 'x' }, null],
    ['data that is no object', { spec: 'chara_card_v2', data: 'x' }, null],
  ];
  it.each(TABLE)('%s', (_, json, spec) => {
    expect(cardSpecOf(json)).toBe(spec);
  });
});
