// A world file in the words of TavernHelper: nothing that stands in its groups vanishes.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { readWorldInfo } from '../../src/formats/sillytavern/world-info.ts';
import { shapedWorld } from '../../src/formats/sillytavern/world-shapes.ts';

const HELPER: JsonObject = {
  name: 'Lamp',
  content: 'x',
  strategy: { type: 'selective', keys: ['lamp'], keys_secondary: { logic: 'and_any', keys: [] } },
  position: { type: 'at_depth', role: 'user', depth: 2, order: 7 },
};

function read(more: JsonObject) {
  const shaped = shapedWorld({ entries: [{ ...HELPER, ...more }] });
  const { body, findings } = readWorldInfo(shaped?.world as JsonObject, 'b');
  return { entry: body.entries[0], findings };
}

describe('TavernHelper’s words', () => {
  it('keeps what it does not know inside the groups, under its path', () => {
    const { entry } = read({
      strategy: { type: 'constant', keys_secondary: { mood: 'x' }, own: [1] },
      position: { type: 'at_depth', tilt: true },
      recursion: { twist: 1 },
      effect: { glow: null, sticky: 2 },
    });
    expect(entry?.bag.entry).toEqual({
      'strategy.own': [1],
      'strategy.keys_secondary.mood': 'x',
      'position.tilt': true,
      'recursion.twist': 1,
      'effect.glow': null,
    });
    expect(entry).toMatchObject({ constant: true, timing: { sticky: 2 } });
  });
  it.each<[Json | undefined, boolean, readonly string[]]>([
    [undefined, true, []],
    [true, true, []],
    [false, false, []],
    [0, false, ['repaired']],
    ['false', false, ['repaired']],
    [1, true, ['repaired']],
    ['perhaps', true, ['repaired']],
  ])('enabled %j', (enabled, isOn, codes) => {
    const { entry, findings } = read(enabled === undefined ? {} : { enabled });
    expect(entry?.enabled).toBe(isOn);
    expect(findings.filter(({ path }) => path === 'enabled').map(({ code }) => code)).toEqual(codes);
  });
});
