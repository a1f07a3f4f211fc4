// NovelAI's lorebook, alone, in a scenario, in a story, and in a picture.

import { describe, expect, it } from 'vitest';
import { encodeBase64 } from '../../src/containers/base64.ts';
import { blankPng, writePngText } from '../../src/containers/card-png.ts';
import { ContainerError } from '../../src/containers/container.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import { worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { openFile } from '../../src/open-file.ts';
import { deepFreeze } from '../support/deep-freeze.ts';

const config = (given: JsonObject = {}): JsonObject => ({
  prefix: '',
  suffix: '\n',
  tokenBudget: 2048,
  reservedTokens: 0,
  budgetPriority: 400,
  trimDirection: 'trimBottom',
  insertionType: 'newline',
  maximumTrimType: 'sentence',
  insertionPosition: -1,
  ...given,
});
const entry = (given: JsonObject = {}): JsonObject => ({
  text: 'The lamp is lit at dusk.',
  contextConfig: config(),
  displayName: 'Lamp',
  id: 'a1',
  keys: ['lamp', '/Wick(s)?/'],
  searchRange: 1000,
  enabled: true,
  forceActivation: false,
  keyRelative: false,
  nonStoryActivatable: false,
  category: '',
  ...given,
});
const BOOK: JsonObject = deepFreeze({
  lorebookVersion: 5,
  entries: [
    entry(),
    entry({
      text: 'A quiet quay.',
      displayName: 'Quay',
      keys: [],
      forceActivation: true,
      nonStoryActivatable: true,
      contextConfig: config({ prefix: '[ ', suffix: ' ]\n', budgetPriority: -400, insertionPosition: 0 }),
    }),
    entry({ displayName: 'Off', enabled: false, searchRange: 8000, keyRelative: true }),
    entry({ displayName: 'In a category', category: 'c1' }),
  ],
  settings: { orderByKeyLocations: false },
  categories: [{ id: 'c1', name: 'Ships', enabled: false }],
});

function opened(json: Json) {
  const file = openFile(new TextEncoder().encode(JSON.stringify(json)), 'Harbour.lorebook');
  if (file.kind !== 'lorebook') throw new Error(file.kind);
  return file;
}

describe("NovelAI's lorebook", () => {
  it.each<[string, Json]>([
    ['alone', BOOK],
    ['in a scenario', { scenarioVersion: 2, title: 'x', lorebook: BOOK }],
    ['in a story', { storyContainerVersion: 1, metadata: {}, content: { lorebook: BOOK } }],
  ])('%s is read as what it does there', (_where, json) => {
    const { lorebook } = opened(json);
    expect(lorebook.name).toBe('Harbour');
    expect(lorebook.original).toEqual({ novelai: { raw: BOOK } });
    expect(
      lorebook.body.entries.map(
        ({ title, content, keys, enabled, constant, order, position, scan, recursion }) => ({
          title,
          content,
          keys: keys.map(writeKey),
          enabled,
          constant,
          order,
          slot: position.slot,
          whole: [scan.caseSensitive, scan.matchWholeWords],
          exclude: recursion.exclude,
        }),
      ),
    ).toEqual([
      {
        title: 'Lamp',
        content: 'The lamp is lit at dusk.',
        keys: ['lamp', '/Wick(s)?/'],
        enabled: true,
        constant: false,
        order: 400,
        slot: 'world',
        whole: [false, true],
        exclude: true,
      },
      expect.objectContaining({
        title: 'Quay',
        content: '[ A quiet quay. ]',
        keys: [],
        constant: true,
        order: -400,
        exclude: false,
      }),
      expect.objectContaining({ title: 'Off', enabled: false }),
      expect.objectContaining({ title: 'In a category', enabled: false }),
    ]);
  });

  it('says what is assumed, approximated and kept aside', () => {
    const { findings } = opened(BOOK);
    expect(findings.map(({ code, entryId, path }) => `${code} ${entryId} ${path}`).sort()).toEqual([
      'approximated e3 enabled',
      'assumed e0 position.slot',
      'assumed e1 position.slot',
      'assumed e2 position.slot',
      'assumed e3 position.slot',
      'stashed e2 keyRelative',
      'stashed e2 searchRange',
    ]);
  });

  it('rides along in the world file', () => {
    const { lorebook } = opened(BOOK);
    const world = worldFromLorebook(lorebook, { character: '', slot: 'worldinfo' });
    expect(world['loreferry']).toMatchObject({ original: { novelai: { raw: BOOK } } });
  });

  it.each<[string, Json]>([
    ['old fields', { lorebookVersion: 1, entries: [{ text: 'T.', keys: ['k'], displayName: 'D' }] }],
    ['nonsense', { lorebookVersion: 1, entries: [null, 5, { text: 7, keys: 'k', contextConfig: [] }] }],
  ])('%s do no harm', (_what, json) => {
    const { lorebook } = opened(json);
    expect(lorebook.body.entries).toHaveLength((json as { entries: unknown[] }).entries.length);
  });
});

describe('a picture of NovelAI’s', () => {
  const picture = (text: string): Uint8Array => writePngText(blankPng(), [{ keyword: 'naidata', text }]);
  it('gives its lorebook', () => {
    const bytes = picture(encodeBase64(new TextEncoder().encode(JSON.stringify(BOOK))));
    expect(openFile(bytes, 'harbour.png')).toMatchObject({
      kind: 'lorebook',
      lorebook: { name: 'harbour', original: { novelai: { raw: BOOK } } },
    });
  });
  it('is refused in one sentence when the lorebook is broken', () => {
    expect(() => openFile(picture('e30x{'), 'harbour.png')).toThrow(ContainerError);
  });
});
