// Every field of a SillyTavern entry against the value that Marinara's own importer expects (marinara.md, section 6).

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import type { MarinaraOptions } from '../../src/formats/marinara/book-writing.ts';
import { marinaraCard, marinaraLorebooks } from '../../src/formats/marinara/card.ts';
import { MARINARA_FIELDS } from '../../src/formats/marinara/fields.ts';
import { FIELD_VALUES } from '../support/entry-values.ts';
import { throughJson } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf, type PartOfEntry } from '../support/in-force.ts';

const NATURAL: MarinaraOptions = { style: 'natural', privateFields: 'keep' };
const EXACT: MarinaraOptions = { style: 'exact', privateFields: 'keep' };
const NEW: MarinaraOptions = { ...NATURAL, targetVersion: '2.4' };
const LITERAL = (...texts: string[]) => texts.map((text) => ({ kind: 'literal' as const, text }));
const REGEX = (source: string, flags = '') => ({ kind: 'regex' as const, source, flags });
const OFF: Partial<ScanSettings> = { matchWholeWords: false };

interface Written {
  readonly card: JsonObject;
  readonly native: JsonObject;
  readonly codes: (path: string) => readonly string[];
  readonly nativeCodes: (path: string) => readonly string[];
}

function written(given: PartOfEntry, options = NATURAL, settings: Partial<ScanSettings> = OFF): Written {
  const resolved = characterInForce([lorebookOf([entryOf(given)])], settings);
  const card = marinaraCard(resolved, options);
  const native = marinaraLorebooks(resolved, options);
  const entryIn = (json: Json | undefined): JsonObject =>
    (throughJson(json) as { readonly entries: readonly JsonObject[] }).entries[0] as JsonObject;
  const codesIn =
    (findings: readonly { entryId: string | null; path: string; code: string }[]) => (path: string) =>
      findings.filter((each) => each.entryId !== null && each.path === path).map(({ code }) => code);
  return {
    card: entryIn((card.card['data'] as JsonObject)['character_book']),
    native: entryIn(native.lorebooks[0]?.json['data']),
    codes: codesIn(card.findings),
    nativeCodes: codesIn(native.findings),
  };
}

describe('values that Marinara has too', () => {
  it.each<[string, PartOfEntry, JsonObject, JsonObject]>([
    ['keys', {}, { keys: ['lamp'], useRegex: false }, { keys: ['lamp'], useRegex: false }],
    [
      'second keys',
      { secondaryKeys: LITERAL('oil') },
      { secondary_keys: ['oil'], selective: true },
      { secondaryKeys: ['oil'], selective: true },
    ],
    [
      'no second keys',
      { selective: true },
      { secondary_keys: [], selective: false },
      { secondaryKeys: [], selective: false },
    ],
    [
      'second keys that are off',
      { selective: false, secondaryKeys: LITERAL('oil') },
      { secondary_keys: ['oil'], selective: false },
      { selective: false },
    ],
    ['logic 0', { logic: 'and_any' }, { selectiveLogic: 'and' }, { selectiveLogic: 'and' }],
    ['logic 1', { logic: 'not_all' }, { selectiveLogic: 'not_all' }, { selectiveLogic: 'not_all' }],
    ['logic 2', { logic: 'not_any' }, { selectiveLogic: 'not' }, { selectiveLogic: 'not' }],
    ['logic 3', { logic: 'and_all' }, { selectiveLogic: 'and_all' }, { selectiveLogic: 'and_all' }],
    ['title', { title: 'A' }, { name: 'A', comment: 'A' }, { name: 'A' }],
    ['content', { content: 'x\n{{char}}' }, { content: 'x\n{{char}}' }, { content: 'x\n{{char}}' }],
    ['constant', { constant: true }, { constant: true }, { constant: true }],
    ['off', { enabled: false }, { enabled: false }, { enabled: false }],
    ['order', { order: -7 }, { insertion_order: -7 }, { order: -7 }],
    ['before', { position: { slot: 'world' } }, { position: 'before_char' }, { position: 0 }],
    ['after', { position: { slot: 'character' } }, { position: 'after_char' }, { position: 1 }],
    [
      'at a depth',
      { position: { slot: 'depth', depth: 0, role: 'system' } },
      { position: 4, depth: 0, role: 0 },
      { position: 2, depth: 0, role: 'system' },
    ],
    [
      'as the user',
      { position: { slot: 'depth', depth: 3, role: 'user' } },
      { position: 4, depth: 3, role: 1 },
      { position: 2, depth: 3, role: 'user' },
    ],
    [
      'as the character',
      { position: { slot: 'depth', depth: 9, role: 'assistant' } },
      { position: 4, depth: 9, role: 2 },
      { position: 2, depth: 9, role: 'assistant' },
    ],
    ['a chance', { probability: { chance: 40 } }, { probability: 40 }, { probability: 40 }],
    ['case', { scan: { caseSensitive: true } }, { case_sensitive: true }, { caseSensitive: true }],
    ['no case', {}, { case_sensitive: false }, { caseSensitive: false }],
    ['scan depth', { scan: { depth: 7 } }, { scanDepth: 7 }, { scanDepth: 7 }],
    [
      'recursion is always said',
      {},
      { preventRecursion: false, excludeRecursion: false, delayUntilRecursion: false },
      { preventRecursion: false },
    ],
    ['prevent', { recursion: { prevent: true } }, { preventRecursion: true }, { preventRecursion: true }],
    ['exclude', { recursion: { exclude: true } }, { excludeRecursion: true }, { excludeRecursion: true }],
    [
      'group',
      { group: { name: 'g', weight: 30 } },
      { group: 'g', groupWeight: 30 },
      { group: 'g', groupWeight: 30 },
    ],
    ['vectorized', { vectorized: true }, { vectorized: true }, { excludeFromVectorization: false }],
    ['not vectorized', {}, { vectorized: false }, { excludeFromVectorization: true }],
  ])('%s', (_, given, card, native) => {
    const out = written(given);
    expect(out.card).toMatchObject(card);
    expect(out.native).toMatchObject(native);
    expect(Object.values(out.card).filter((value) => value === null)).toEqual([]);
  });
  it('nothing is said of an ordinary entry', () => {
    const resolved = characterInForce([lorebookOf([entryOf()])], OFF);
    for (const { findings } of [
      marinaraCard(resolved, NATURAL),
      marinaraCard(resolved, EXACT),
      marinaraLorebooks(resolved, EXACT),
    ]) {
      expect(findings.filter(({ entryId }) => entryId !== null)).toEqual([]);
    }
  });
  it('a chance of 100, or one that is not used, and the settings’ own scan depth are left out', () => {
    for (const probability of [
      { chance: 100, used: true },
      { chance: 40, used: false },
    ]) {
      expect(written({ probability }).card).not.toHaveProperty('probability');
    }
    for (const depth of [null, 2]) expect(written({ scan: { depth } }).card).not.toHaveProperty('scanDepth');
  });
});

describe('values that Marinara has in another way, or not at all', () => {
  it.each<[string, PartOfEntry, MarinaraOptions, JsonObject, Readonly<Record<string, string>>]>([
    ['no title', { title: '' }, NATURAL, { name: 'lamp', comment: 'lamp' }, { title: 'assumed' }],
    [
      'neither title nor key',
      { title: ' ', keys: [], constant: true },
      NATURAL,
      { name: 'Entry 1' },
      { title: 'assumed' },
    ],
    [
      'a long title',
      { title: 'x'.repeat(201) },
      NATURAL,
      { name: 'x'.repeat(200) },
      { title: 'approximated' },
    ],
    [
      'top of the note',
      { position: { slot: 'note_top', depth: 9, role: 'user' } },
      NATURAL,
      { position: 4, depth: 4, role: 0 },
      { 'position.slot': 'approximated' },
    ],
    [
      'bottom of the note',
      { position: { slot: 'note_bottom' } },
      { ...NATURAL, noteDepth: 2 },
      { position: 4, depth: 2 },
      { 'position.slot': 'approximated' },
    ],
    [
      'before the examples',
      { position: { slot: 'before_example' } },
      NATURAL,
      { position: 'before_char' },
      { 'position.slot': 'approximated' },
    ],
    [
      'after the examples',
      { position: { slot: 'after_example' } },
      NATURAL,
      { position: 'after_char' },
      { 'position.slot': 'approximated' },
    ],
    [
      'an outlet, 2.3',
      { position: { slot: 'outlet', outlet: 'o' } },
      NATURAL,
      { position: 'before_char', enabled: false, content: 'Lamp note.' },
      { 'position.slot': 'approximated', enabled: 'approximated' },
    ],
    [
      'an outlet, 2.4',
      { position: { slot: 'outlet', outlet: 'o' } },
      NEW,
      { position: 7, outletName: 'o', enabled: true },
      {},
    ],
    [
      'scan depth 0',
      { scan: { depth: 0 } },
      NATURAL,
      { enabled: false },
      { 'scan.depth': 'approximated', enabled: 'approximated' },
    ],
    ['scan depth 0, constant', { scan: { depth: 0 }, constant: true }, NATURAL, { enabled: true }, {}],
    [
      'a delay',
      { recursion: { delayUntil: 1 } },
      NATURAL,
      { delayUntilRecursion: true },
      { 'recursion.delayUntil': 'approximated' },
    ],
    [
      'a level of delay',
      { recursion: { delayUntil: 3 } },
      NATURAL,
      { delayUntilRecursion: true },
      { 'recursion.delayUntil': 'approximated' },
    ],
    [
      'timing',
      { timing: { sticky: 4, cooldown: 2, delay: 1 } },
      NATURAL,
      { sticky: 4, cooldown: 2, delay: 1 },
      { 'timing.sticky': 'approximated', 'timing.cooldown': 'approximated', 'timing.delay': 'approximated' },
    ],
    [
      'several groups',
      { group: { name: 'a, b' } },
      NATURAL,
      { group: 'a', groupWeight: 100 },
      { 'group.name': 'approximated' },
    ],
    [
      'a preferred entry',
      { group: { name: 'a', override: true, weight: 3 } },
      NATURAL,
      { group: 'a', groupWeight: 1_000_000 },
      { 'group.override': 'approximated', 'group.weight': 'approximated' },
    ],
    [
      'a counted group',
      { group: { name: 'a', scoring: true } },
      NATURAL,
      { group: 'a' },
      { 'group.scoring': 'approximated' },
    ],
    ['triggers', { triggers: ['normal', 'swipe'] }, NATURAL, { enabled: true }, { triggers: 'approximated' }],
    [
      'triggers without replies',
      { triggers: ['swipe'] },
      NATURAL,
      { enabled: false },
      { triggers: 'approximated', enabled: 'approximated' },
    ],
    [
      'only quiet',
      { triggers: ['quiet'] },
      NATURAL,
      { enabled: false },
      { triggers: 'approximated', enabled: 'approximated' },
    ],
    [
      'the persona is searched',
      { sources: { personaDescription: true } },
      NATURAL,
      {},
      { 'sources.personaDescription': 'stashed' },
    ],
    [
      'the notes are searched',
      { sources: { creatorNotes: true, characterDepthPrompt: true } },
      NATURAL,
      {},
      { 'sources.creatorNotes': 'stashed', 'sources.characterDepthPrompt': 'stashed' },
    ],
    ['no budget', { ignoreBudget: true }, NATURAL, {}, { ignoreBudget: 'stashed' }],
    ['an automation', { automationId: 'x' }, NATURAL, {}, { automationId: 'stashed' }],
    ['an automation, dropped', { automationId: 'x' }, { style: 'natural' }, {}, { automationId: 'lost' }],
    [
      'a character filter',
      { characterFilter: { exclude: true, names: ['Odo'], tags: [] } },
      NATURAL,
      {},
      { characterFilter: 'stashed' },
    ],
  ])('%s', (_, given, options, card, said) => {
    const out = written(given, options);
    expect(out.card).toMatchObject(card);
    for (const [path, code] of Object.entries(said)) expect([path, out.codes(path)]).toEqual([path, [code]]);
    for (const { path } of FIELD_VALUES.filter((each) => said[each.path] === undefined)) {
      expect([path, out.codes(path)]).toEqual([path, []]);
    }
  });
  it('a dropped private field stands nowhere', () => {
    const filter = { exclude: true, names: ['Odo Pell'], tags: ['t77'] };
    const entry = entryOf({ automationId: 'au9', characterFilter: filter });
    const resolved = characterInForce([lorebookOf([entry])]);
    for (const json of [
      marinaraCard(resolved, { style: 'exact' }).card,
      marinaraLorebooks(resolved, { style: 'exact' }).lorebooks,
    ]) {
      expect(JSON.stringify(json)).not.toMatch(/au9|Odo Pell|t77/);
    }
  });
  it('what a lorebook file of its own can hold', () => {
    const { native, nativeCodes } = written({
      triggers: ['normal', 'swipe', 'regenerate'],
      sources: { personaDescription: true, scenario: true },
    });
    expect(native).toMatchObject({
      generationTriggerFilterMode: 'include',
      generationTriggerFilters: ['chat', 'swipe', 'regenerate'],
      additionalMatchingSources: ['persona_description', 'character_scenario'],
    });
    expect([...nativeCodes('triggers'), ...nativeCodes('sources.scenario')]).toEqual([]);
    expect(written({ triggers: ['quiet'] }).native).toMatchObject({
      enabled: false,
      generationTriggerFilterMode: 'any',
    });
    expect(written({ triggers: ['normal', 'quiet'] }).nativeCodes('triggers')).toEqual(['approximated']);
    expect(written({ triggers: ['normal', 'swipe'] }).nativeCodes('triggers')).toEqual(['approximated']);
    expect(written({ order: 1.5 }).native).toMatchObject({ order: 2 });
  });
});

describe('keys', () => {
  const keysOf = (given: PartOfEntry, options: MarinaraOptions, settings: Partial<ScanSettings> = {}) => {
    const { card, codes } = written(given, options, settings);
    const { keys, secondary_keys, useRegex, case_sensitive, matchWholeWords } = card;
    return {
      keys,
      secondary_keys,
      useRegex,
      case_sensitive,
      matchWholeWords,
      said: [...codes('keys'), ...codes('secondaryKeys')],
    };
  };
  it('whole words: natural sets the switch and says where it differs, exact spells them out', () => {
    const one = { keys: LITERAL('lamp') };
    expect(keysOf(one, NATURAL)).toMatchObject({
      keys: ['lamp'],
      useRegex: false,
      matchWholeWords: true,
      said: ['approximated'],
    });
    expect(keysOf(one, EXACT)).toMatchObject({
      keys: ['(?:^|\\W)(?:lamp)(?:$|\\W)'],
      useRegex: true,
      matchWholeWords: false,
      case_sensitive: false,
      said: [],
    });
  });
  it('keys of several words are found anywhere, so nothing needs to be spelled out', () => {
    const several = { keys: LITERAL('oil lamp') };
    for (const options of [NATURAL, EXACT]) {
      expect(keysOf(several, options)).toMatchObject({
        keys: ['oil lamp'],
        useRegex: false,
        matchWholeWords: false,
        said: [],
      });
    }
    const mixed = { keys: LITERAL('oil lamp', 'wick (old)', 'c++') };
    expect(keysOf(mixed, EXACT)).toMatchObject({
      keys: ['oil lamp', 'wick \\(old\\)', '(?:^|\\W)(?:c\\+\\+)(?:$|\\W)'],
      useRegex: true,
      said: [],
    });
  });
  it('a Chinese key is found inside running text, which whole words there never would', () => {
    expect(keysOf({ keys: LITERAL('灯台') }, NATURAL)).toMatchObject({
      keys: ['灯台'],
      matchWholeWords: false,
      said: ['approximated'],
    });
    expect(keysOf({ keys: LITERAL('灯台') }, EXACT)).toMatchObject({
      keys: ['(?:^|\\W)(?:灯台)(?:$|\\W)'],
      said: [],
    });
  });
  it('patterns lose their slashes and flags, never their meaning', () => {
    expect(keysOf({ keys: [REGEX('l[ae]mp', 'i')] }, NATURAL)).toMatchObject({
      keys: ['l[ae]mp'],
      useRegex: true,
      case_sensitive: false,
      said: [],
    });
    expect(keysOf({ keys: [REGEX('Lamp')] }, NATURAL)).toMatchObject({
      keys: ['Lamp'],
      case_sensitive: true,
      said: [],
    });
    expect(keysOf({ keys: [REGEX('a.b', 's')] }, EXACT)).toMatchObject({ keys: ['a[\\s\\S]b'], said: [] });
    expect(keysOf({ keys: [REGEX('Ab'), REGEX('x[c-e]\\/1', 'i')] }, EXACT)).toMatchObject({
      keys: ['Ab', '[xX][c-eC-E]\\/1'],
      case_sensitive: true,
      said: [],
    });
    expect(
      keysOf({ keys: [REGEX('Ab')], secondaryKeys: LITERAL('oil') }, EXACT, { matchWholeWords: false }),
    ).toMatchObject({ keys: ['Ab'], secondary_keys: ['[oO][iI][lL]'], case_sensitive: true, said: [] });
  });
  it('a plain key beside a pattern is its own text in natural', () => {
    expect(keysOf({ keys: [...LITERAL('St. Ann'), REGEX('x+', 'i')] }, NATURAL)).toMatchObject({
      keys: ['St\\. Ann', 'x+'],
      useRegex: true,
      said: [],
    });
  });
  it('what Marinara would refuse to run gets an end, or is named', () => {
    expect(keysOf({ keys: [REGEX('colou?r\\s+\\w+', 'i')] }, EXACT)).toMatchObject({
      keys: ['colou?r\\s{1,999}\\w{1,999}'],
      said: [],
    });
    expect(keysOf({ keys: [REGEX('(\\w+)+x', 'i')] }, EXACT)).toMatchObject({
      keys: ['(\\w+)+x'],
      said: ['approximated'],
    });
    expect(keysOf({ keys: [REGEX('\\p{Nd}', 'u')] }, EXACT)).toMatchObject({ said: ['approximated'] });
    expect(keysOf({ keys: [REGEX('^lamp')] }, EXACT)).toMatchObject({ said: ['approximated'] });
  });
  it('a plain key between slashes, which the importer would take for a pattern, is the pattern of its text', () => {
    for (const options of [NATURAL, EXACT]) {
      const found = keysOf({ keys: LITERAL('/open(/') }, options, OFF);
      expect(found).toMatchObject({ keys: ['\\/open\\(\\/'], useRegex: true, said: [] });
    }
  });
  it('empty keys are dropped, edges are trimmed', () => {
    expect(keysOf({ keys: LITERAL('', ' lamp ') }, EXACT, OFF)).toMatchObject({
      keys: ['lamp'],
      useRegex: false,
      said: [],
    });
  });
  it('keys of a constant entry stay as they read', () => {
    expect(keysOf({ keys: LITERAL('lamp'), constant: true }, EXACT)).toMatchObject({
      keys: ['lamp'],
      useRegex: false,
      said: [],
    });
  });
});

describe('the table', () => {
  it('has every field that we know, once', () => {
    const paths = MARINARA_FIELDS.map(({ path }) => path);
    const known = CHARACTER_BOOK_FIELDS.map(({ path }) => path).filter((path) => path !== 'probability.used');
    expect([...paths].sort()).toEqual([...known].sort());
  });
  it('writes a card where the shared reader looks', () => {
    for (const { path, rows } of MARINARA_FIELDS) {
      const wires = CHARACTER_BOOK_FIELDS.find((row) => row.path === path)?.wires ?? [];
      const [first] = rows.card?.wires ?? [];
      if (first === undefined) continue;
      expect([path, wires.filter(({ at }) => at === 'entry').map(({ key }) => key)]).toEqual([
        path,
        expect.arrayContaining([first.key]),
      ]);
    }
  });
});
