import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { readTagIds } from '../../src/formats/sillytavern/resolve-filter.ts';
import { readScanSettings, SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import { throughJson } from '../support/fixtures.ts';

// As SillyTavern 1.19 writes it.
const OWN = throughJson({
  world_info: { globalSelect: ['Town'] },
  world_info_depth: 5,
  world_info_min_activations: 3,
  world_info_min_activations_depth_max: 40,
  world_info_budget: 10,
  world_info_include_names: false,
  world_info_recursive: false,
  world_info_overflow_alert: true,
  world_info_case_sensitive: true,
  world_info_match_whole_words: false,
  world_info_character_strategy: 2,
  world_info_budget_cap: 500,
  world_info_use_group_scoring: true,
  world_info_max_recursion_steps: 4,
});
const READ = {
  depth: 5,
  minActivations: 3,
  minActivationsDepthMax: 40,
  budget: 10,
  budgetCap: 500,
  includeNames: false,
  recursive: false,
  maxRecursionSteps: 4,
  caseSensitive: true,
  matchWholeWords: false,
  useGroupScoring: true,
  overflowAlert: true,
  characterStrategy: 2,
};
const bare = Object.fromEntries(
  Object.entries(OWN).map(([key, value]) => [key.replace('world_info_', ''), value]),
);

describe('readScanSettings', () => {
  it.each<[string, Json]>([
    ['a settings.json', throughJson({ username: 'Robin', world_info_settings: OWN })],
    ['its world_info_settings', OWN],
    ['names without the prefix', throughJson(bare)],
  ])('reads %s', (_, json) => {
    expect(readScanSettings(json)).toEqual({ settings: READ, findings: [] });
  });

  it.each([undefined, null, {}])('takes the shipped settings for %s, and says so once', (json) => {
    const { settings, findings } = readScanSettings(json);
    expect(settings).toEqual(SHIPPED_SCAN_SETTINGS);
    expect(settings).toMatchObject({
      depth: 2,
      recursive: true,
      matchWholeWords: true,
      includeNames: true,
      budget: 25,
    });
    expect(findings.map(({ code, path }) => [code, path])).toEqual([['assumed', 'settings']]);
  });

  it('names what was assumed, unless it cannot matter', () => {
    const { findings } = readScanSettings(
      throughJson({ ...bare, depth: undefined, overflow_alert: undefined }),
    );
    expect(findings.map(({ after }) => after)).toEqual([{ depth: 2 }]);
    const few = readScanSettings(
      throughJson({ ...bare, min_activations: 0, min_activations_depth_max: undefined }),
    );
    expect(few.findings).toEqual([]);
  });

  it.each<[string, Json, string, number | boolean]>([
    ['a number written as text', '7', 'depth', 7],
    ['no number', 'deep', 'depth', 2],
    ['nothing as text', ' ', 'depth', 2],
    ['a list', [1, 2], 'depth', 2],
    ['a budget of an old version', 400, 'budget', 25],
  ])('mends %s', (_, raw, name, value) => {
    const { settings, findings } = readScanSettings(throughJson({ ...bare, [name]: raw }));
    expect(settings[name as 'depth']).toBe(value);
    expect(findings.map(({ code, path }) => [code, path])).toEqual([['repaired', `settings.${name}`]]);
  });

  it('takes any truth as on, as SillyTavern does', () => {
    expect(readScanSettings({ recursive: 1, case_sensitive: 0 }).settings).toMatchObject({
      recursive: true,
      caseSensitive: false,
    });
  });

  it.each<Json>([[], 'x', 3])('refuses %j and goes on with the shipped ones', (json) => {
    const { settings, findings } = readScanSettings(json);
    expect(settings).toEqual(SHIPPED_SCAN_SETTINGS);
    expect(findings.map(({ code }) => code)).toEqual(['refused', 'assumed']);
  });

  it('reads no inherited name', () => {
    const hostile = JSON.parse('{"__proto__": {"world_info_depth": 9}}') as Json;
    expect(readScanSettings(hostile).settings.depth).toBe(2);
  });
});

describe('readTagIds', () => {
  it('reads the tags that a settings.json gives a character', () => {
    const settings = throughJson({ tag_map: { 'Nyra.png': ['t1', 't2', 7] } });
    expect(readTagIds(settings, 'Nyra.png')).toEqual(['t1', 't2']);
    expect(readTagIds(settings, 'Odo.png')).toEqual([]);
    expect(readTagIds(settings, 'toString')).toEqual([]);
    expect(readTagIds({}, 'Nyra.png')).toBeNull();
  });
});
