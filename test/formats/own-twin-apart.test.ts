// What is edited of an app's own entry is all that changes there, where no value of the app's says more.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { literalKey, patternKey } from '../../src/core/key.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { exportLorebooks } from '../../src/export-character.ts';
import { exporterFor } from '../../src/formats/exporters.ts';
import { openFile } from '../../src/open-file.ts';
import { lorebooksIn } from '../../src/packed-file.ts';

const MARINARA: JsonObject = {
  ...{
    name: 'Pier',
    content: 'A pier.',
    keys: ['Ölberg'],
    secondaryKeys: [],
    enabled: true,
    constant: false,
  },
  ...{ selective: false, selectiveLogic: 'and', probability: null, scanDepth: null, matchWholeWords: true },
  ...{ caseSensitive: false, useRegex: false, position: 0, depth: 4, order: 100, role: 'system', group: '' },
  ...{ groupWeight: null, preventRecursion: true, generationTriggerFilterMode: 'exclude' },
  ...{ generationTriggerFilters: ['swipe', 'game'] },
};
const LUMIVERSE: JsonObject = {
  ...{
    uid: 'u',
    key: ['Ölberg'],
    keysecondary: [],
    content: 'A pier.',
    comment: 'Pier',
    position: 0,
    depth: 4,
  },
  ...{ role: null, order_value: 100, selective: false, constant: false, disabled: false, group_name: '' },
  ...{ group_override: false, group_weight: 100, probability: 100, scan_depth: null, case_sensitive: false },
  ...{
    match_whole_words: true,
    automation_id: null,
    use_regex: false,
    prevent_recursion: false,
    priority: 10,
  },
  ...{ exclude_recursion: false, delay_until_recursion: false, sticky: 0, cooldown: 0, delay: 0 },
  ...{ selective_logic: 0, use_probability: true, vectorized: false, outlet_name: null, extensions: {} },
};
const LOREBOOK = { name: 'Pier', description: '', scanDepth: 2, tokenBudget: 0, recursiveScanning: false };
const FILES: Readonly<Record<string, (entry: JsonObject) => JsonObject>> = {
  marinara: (entry) => ({
    type: 'marinara_lorebook',
    version: 1,
    exportedAt: '',
    data: { lorebook: LOREBOOK, entries: [{ ...MARINARA, ...entry }], folders: [] },
  }),
  lumiverse: (entry) => ({
    type: 'lumiverse_world_book',
    version: 1,
    name: 'Pier',
    description: '',
    metadata: {},
    entries: [{ ...LUMIVERSE, ...entry }],
  }),
};

/** The app's entry before and after an edit, and what is said of that. */
function edited(app: string, given: JsonObject, edit: (entry: LorebookEntry) => LorebookEntry) {
  const file = FILES[app]?.(given) as JsonObject;
  const opened = openFile(new TextEncoder().encode(JSON.stringify(file)), 'x.json');
  const [own] = lorebooksIn(opened);
  const exporter = exporterFor(app);
  if (own === undefined || exporter === null) throw new Error('no lorebook');
  const entries = own.body.entries.map(edit);
  const asked = {
    style: 'natural',
    privateFields: 'keep',
    lorebooks: [{ ...own, body: { ...own.body, entries } }],
  };
  const { files, findings } = exportLorebooks(
    exporter,
    opened.container,
    asked as Parameters<typeof exportLorebooks>[2],
  );
  const entryOf = (json: JsonObject): JsonObject => {
    const held = (json['entries'] ?? (json['data'] as JsonObject)['entries']) as readonly Json[];
    return held[0] as JsonObject;
  };
  const before = entryOf(file);
  const after = entryOf(JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as JsonObject);
  return { before, after, findings };
}

/** The fields of the app's entry that an edit changes. */
function changed(app: string, given: JsonObject, edit: (entry: LorebookEntry) => LorebookEntry) {
  const { before, after } = edited(app, given, edit);
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return names.filter((name) => name !== 'loreferry' && name !== 'extensions');
}

describe.each([
  ['marinara', 'secondaryKeys', 'useRegex'],
  ['lumiverse', 'keysecondary', 'use_regex'],
])('%s', (app, list, patterns) => {
  it('a second key leaves the switch for whole words alone', () => {
    const secondaryKeys = [literalKey('salt')];
    expect(changed(app, {}, (entry) => ({ ...entry, secondaryKeys }))).toEqual([list]);
  });
  it('a pattern does not', () => {
    const secondaryKeys = [patternKey('sa?lt', 'i') ?? literalKey('')];
    expect(changed(app, {}, (entry) => ({ ...entry, secondaryKeys }))).toEqual(
      expect.arrayContaining([list, patterns]),
    );
  });
  it('another place leaves an entry on that has no keys', () => {
    const none = app === 'marinara' ? { keys: [] } : { key: [] };
    const moved = changed(app, none, (entry) => ({
      ...entry,
      position: { ...entry.position, slot: 'character' },
    }));
    expect(moved).toEqual(['position']);
  });
});

it('another place leaves what starts an entry alone', () => {
  const moved = changed('marinara', {}, (entry) => ({
    ...entry,
    position: { ...entry.position, slot: 'character' },
  }));
  expect(moved).toEqual(['position']);
});

it.each([
  ['depth', 2],
  ['role', 'user'],
  ['enabled', false],
] as const)(
  'Lumiverse: another %s of an entry at a place that SillyTavern names otherwise leaves the place alone',
  (name, value) => {
    const edit = (entry: LorebookEntry): LorebookEntry =>
      name === 'enabled'
        ? { ...entry, enabled: false }
        : { ...entry, position: { ...entry.position, [name]: value } };
    const fields = changed('lumiverse', { position: 2 }, edit);
    expect(fields).not.toContain('position');
    expect(fields.includes('disabled')).toBe(name === 'enabled');
  },
);

it('Lumiverse: an entry that is made constant and rolls is found in every text', () => {
  const rolling = { probability: 50, use_probability: true };
  const fields = changed('lumiverse', rolling, (entry) => ({ ...entry, constant: true }));
  expect(fields).toEqual(expect.arrayContaining(['key', 'use_regex', 'exclude_recursion', 'scan_depth']));
  expect(fields).not.toContain('constant');
});

it('Lumiverse: an entry that leaves an outlet is not in it any more', () => {
  const outlet = { position: 8, outlet_name: 'shop' };
  const moved = changed('lumiverse', outlet, (entry) => ({
    ...entry,
    position: { ...entry.position, slot: 'world' },
  }));
  expect(moved.sort()).toEqual(['outlet_name', 'position']);
});

describe.each([
  ['marinara', 'keys', 'matchWholeWords'],
  ['lumiverse', 'key', 'match_whole_words'],
])('%s: a key that cannot be found as a whole word', (app, list, words) => {
  const asked = (matchWholeWords: boolean) => ({ [list]: ['kiln', '灯台'], [words]: matchWholeWords });
  it('says so when whole words are asked for', () => {
    const { findings, after } = edited(app, asked(false), (entry) => ({
      ...entry,
      scan: { ...entry.scan, matchWholeWords: true },
    }));
    expect(after[words]).toBe(false);
    expect(findings.filter(({ path }) => path === 'keys').map(({ code }) => code)).toContain('approximated');
  });
  it('takes the switch away when it is new, and says so', () => {
    const { findings, after } = edited(app, { [list]: ['kiln'], [words]: true }, (entry) => ({
      ...entry,
      keys: [...entry.keys, literalKey('灯台')],
    }));
    expect(after).toMatchObject({ [list]: ['kiln', '灯台'], [words]: false });
    expect(findings.filter(({ path }) => path === 'keys').map(({ code }) => code)).toContain('approximated');
  });
  it('leaves the switch alone when it was there', () => {
    const fields = changed(app, asked(true), (entry) => ({
      ...entry,
      keys: [...entry.keys, literalKey('harbor')],
    }));
    expect(fields).toEqual([list]);
  });
});
