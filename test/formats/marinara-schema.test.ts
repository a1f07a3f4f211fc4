// Marinara's newer versions check a whole character file strictly and refuse it for one wrong type. The rules, told from
// marinara.md 1.3, against whatever a card may hold.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readPieces } from '../../src/convert.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import { marinaraCard, marinaraCardWithoutBook, marinaraLorebooks } from '../../src/formats/marinara/card.ts';
import {
  isMarinaraCharacter,
  marinaraCharacter,
  readMarinaraCharacter,
} from '../../src/formats/marinara/native-character.ts';
import { isMarinaraLorebook } from '../../src/formats/marinara/native-lorebook.ts';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import { anyCard } from '../support/arbitrary-books.ts';
import { anyJson } from '../support/arbitrary-values.ts';
import { fullEntry } from '../support/entry-values.ts';
import { cardWith, throughJson } from '../support/fixtures.ts';
import { characterInForce, lorebookOf } from '../support/in-force.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { seed: 20_260_702, numRuns: 200 };

const role = z.union([z.enum(['system', 'user', 'assistant']), z.literal([0, 1, 2])]);
const bookEntry = z.looseObject({
  keys: z.array(z.string()),
  content: z.string(),
  extensions: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
  insertion_order: z.number(),
  case_sensitive: z.boolean(),
  name: z.string().trim().min(1).max(200),
  id: z.number(),
  comment: z.string(),
  selective: z.boolean(),
  secondary_keys: z.array(z.string()),
  constant: z.boolean(),
  position: z.union([z.enum(['before_char', 'after_char']), z.literal(4)]),
  depth: z.number().optional(),
  role: role.optional(),
});
const book = z.object({
  name: z.string(),
  description: z.string(),
  scan_depth: z.number().int().min(1),
  token_budget: z.number().int().min(0),
  recursive_scanning: z.boolean(),
  max_recursion_depth: z.number().int().min(1).max(10),
  extensions: z.record(z.string(), z.unknown()),
  entries: z.array(bookEntry),
});
const data = z.looseObject({
  name: z.string().trim().min(1),
  description: z.string(),
  personality: z.string(),
  scenario: z.string(),
  first_mes: z.string(),
  mes_example: z.string(),
  creator_notes: z.string(),
  system_prompt: z.string(),
  post_history_instructions: z.string(),
  creator: z.string(),
  character_version: z.string(),
  tags: z.array(z.string()),
  alternate_greetings: z.array(z.string()),
  summary: z.string().max(500).optional(),
  extensions: z.looseObject({
    talkativeness: z.number().min(0).max(1),
    fav: z.literal(false),
    world: z.string(),
    depth_prompt: z.strictObject({
      prompt: z.string(),
      depth: z.number().int().min(0),
      role: z.enum(['system', 'user', 'assistant']),
    }),
    backstory: z.string().optional(),
    appearance: z.string().optional(),
  }),
  character_book: book.nullable(),
});
const card = z.strictObject({ spec: z.literal('chara_card_v2'), spec_version: z.literal('2.0'), data });

const flag = z.boolean();
const count = z.number().optional();
const nativeEntry = z.looseObject({
  name: z.string().trim().min(1).max(200),
  content: z.string(),
  keys: z.array(z.string()),
  secondaryKeys: z.array(z.string()),
  enabled: flag,
  constant: flag,
  selective: flag,
  selectiveLogic: z.enum(['and', 'and_all', 'not', 'not_all']),
  probability: z.number().min(0).max(100).optional(),
  scanDepth: z.number().positive().optional(),
  matchWholeWords: flag,
  caseSensitive: flag,
  useRegex: flag,
  generationTriggerFilterMode: z.enum(['any', 'include', 'exclude']),
  generationTriggerFilters: z.array(z.string()),
  additionalMatchingSources: z.array(z.string()),
  position: z.literal([0, 1, 2]),
  depth: z.number().int().min(0),
  order: z.number().int(),
  role: z.enum(['system', 'user', 'assistant']),
  sticky: count,
  cooldown: count,
  delay: count,
  group: z.string(),
  groupWeight: z.number(),
  preventRecursion: flag,
  excludeRecursion: flag,
  delayUntilRecursion: flag,
  excludeFromVectorization: flag,
});
const lorebookFile = z.strictObject({
  type: z.literal('marinara_lorebook'),
  version: z.literal(1),
  exportedAt: z.string(),
  data: z.looseObject({
    lorebook: z.strictObject({
      name: z.string().min(1).max(200),
      description: z.string(),
      category: z.enum(['world', 'character', 'npc', 'spellbook', 'uncategorized']),
      scanDepth: z.number().int().min(1),
      tokenBudget: z.number().int().min(0),
      entryLimit: z.number().int().min(1).max(1000),
      recursiveScanning: flag,
      maxRecursionDepth: z.number().int().min(1).max(10),
      excludeFromVectorization: flag,
      vectorQueryDepth: z.number().int().min(0).max(100),
      vectorScoreThreshold: z.number().min(0).max(1),
      vectorMaxResults: z.number().int().min(1).max(100),
      characterIds: z.array(z.string()).length(0),
      personaIds: z.array(z.string()).length(0),
      isGlobal: z.literal(false),
      enabled: z.literal(true),
      scope: z.strictObject({ mode: z.literal('all'), chatIds: z.array(z.string()) }),
      tags: z.array(z.string()),
    }),
    folders: z.array(z.unknown()),
    entries: z.array(nativeEntry),
  }),
});

const nullPaths = (value: Json | undefined, path = ''): string[] => {
  if (value === null) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, held]) => nullPaths(held as Json, `${path}.${key}`));
};

function resolvedOf(json: JsonObject) {
  const { character, lorebooks } = readPieces(json);
  return resolveCharacter({
    character,
    books: lorebooks.map((lorebook) => ({ lorebook, origin: 'primary' as const })),
    settings: SHIPPED_SCAN_SETTINGS,
    userName: 'Robin',
    avatar: 'x.png',
  });
}

describe("Marinara's strict check passes", () => {
  it.each(['natural', 'exact'] as const)('any card, %s', (style) => {
    fc.assert(
      fc.property(anyCard, (json) => {
        if (!isObject(json) || !isObject(json['data'])) return;
        const resolved = resolvedOf(json);
        const written = throughJson(marinaraCard(resolved, { style, privateFields: 'keep' }).card);
        card.parse(written);
        card.parse(throughJson(marinaraCardWithoutBook(resolved).card));
        for (const file of marinaraLorebooks(resolved, { style }).lorebooks)
          lorebookFile.parse(throughJson(file.json));
      }),
      RUNS,
    );
  });
  it('any value in any of the card’s fields', () => {
    const names = [
      'name',
      'description',
      'tags',
      'alternate_greetings',
      'creator',
      'summary',
      'mes_example',
      'extensions',
      'assets',
    ];
    const inside = [
      'talkativeness',
      'fav',
      'world',
      'depth_prompt',
      'backstory',
      'appearance',
      'convoBehavior',
      'x',
    ];
    const fields = fc.dictionary(fc.constantFrom(...names), anyJson, { maxKeys: 5 });
    const bag = fc.dictionary(fc.constantFrom(...inside), anyJson, { maxKeys: 4 });
    fc.assert(
      fc.property(fields, bag, fc.boolean(), (given, extensions, isBag) => {
        const json = cardWith(
          undefined,
          throughJson({ ...given, ...(isBag ? { extensions } : {}) }) as JsonObject,
        );
        card.parse(throughJson(marinaraCard(resolvedOf(json), { style: 'natural' }).card));
      }),
      { ...RUNS, numRuns: 500 },
    );
  });
  it('null stands nowhere but for the book', () => {
    const resolved = characterInForce([lorebookOf([fullEntry('w0')])]);
    const written = throughJson(marinaraCard(resolved, { style: 'exact' }).card);
    const { data: held } = written as { readonly data: JsonObject };
    const { character_book: own, extensions: _stash, ...rest } = held;
    const entries = ((own as JsonObject)['entries'] as readonly JsonObject[]).map(
      ({ extensions: _own, ...entry }) => entry,
    );
    expect([...nullPaths(rest), ...nullPaths(entries)]).toEqual([]);
    expect(marinaraCardWithoutBook(resolved).card['data']).toMatchObject({ character_book: null });
  });
  it("the user's own fields stay behind", () => {
    const json = {
      ...cardWith(undefined, { chat: 'Chat 3', fav: true, extensions: { fav: true, world: 'Quay' } }),
      fav: true,
      chat: 'Mara - 2026',
      avatar: 'C:\\me\\mara.png',
      create_date: '2026',
    };
    const text = JSON.stringify(marinaraCard(resolvedOf(json as JsonObject), { style: 'natural' }).card);
    expect(text).not.toMatch(/Chat 3|2026|mara\.png/);
    expect(JSON.parse(text)).toMatchObject({ data: { extensions: { fav: false, world: 'Quay' } } });
  });
});

describe("Marinara's own character file", () => {
  it('holds the card one level deeper, and reads back', () => {
    const { card: written } = marinaraCard(characterInForce([lorebookOf([fullEntry('w0')])]), {
      style: 'natural',
    });
    const file = throughJson(
      marinaraCharacter(written, '2026-01-01T00:00:00.000Z', 'data:image/png;base64,AA=='),
    );
    expect(file).toMatchObject({
      type: 'marinara_character',
      version: 1,
      data: { spec: 'chara_card_v2', spec_version: '2.0' },
    });
    expect([isMarinaraCharacter(file), isMarinaraLorebook(file)]).toEqual([true, false]);
    expect(readMarinaraCharacter(file)).toEqual({
      card: throughJson(written),
      avatar: 'data:image/png;base64,AA==',
    });
  });
  it.each<[string, Json]>([
    ['a card', cardWith(undefined)],
    ['another kind', { type: 'marinara_preset', version: 1, data: { data: {} } }],
    ['another version', { type: 'marinara_character', version: 2, data: { data: {} } }],
    ['nothing inside', { type: 'marinara_character', version: 1, data: {} }],
    ['no object', null],
  ])('%s is none', (_, json) => {
    expect([isMarinaraCharacter(json), readMarinaraCharacter(json)]).toEqual([false, null]);
  });
});
