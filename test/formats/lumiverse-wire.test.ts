// Every field of a SillyTavern entry against the value that Lumiverse's own importer expects (reference 1.3, 1.4 and 3).

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { withoutKey } from '../../src/core/json.ts';
import { readKey } from '../../src/core/key.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import type { LumiverseOptions } from '../../src/formats/lumiverse/book-writing.ts';
import { lumiverseCard, lumiverseLorebooks } from '../../src/formats/lumiverse/card.ts';
import { LUMIVERSE_FIELDS } from '../../src/formats/lumiverse/fields.ts';
import { isLumiverseWorldBook } from '../../src/formats/lumiverse/native-book.ts';
import { FIELD_VALUES } from '../support/entry-values.ts';
import { throughJson } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf, type PartOfEntry } from '../support/in-force.ts';

const NATURAL: LumiverseOptions = { style: 'natural', privateFields: 'keep' };
const EXACT: LumiverseOptions = { style: 'exact', privateFields: 'keep' };
const LITERAL = (...texts: string[]) => texts.map((text) => ({ kind: 'literal' as const, text }));
const REGEX = (source: string, flags = '') => ({ kind: 'regex' as const, source, flags });
const OFF: Partial<ScanSettings> = { matchWholeWords: false };

interface Written {
  readonly card: JsonObject;
  readonly native: JsonObject;
  readonly codes: (path: string) => readonly string[];
}

const entriesOf = (json: Json | undefined): readonly JsonObject[] =>
  (throughJson(json) as { readonly entries: readonly JsonObject[] }).entries;

function written(given: PartOfEntry, options = NATURAL, settings: Partial<ScanSettings> = OFF): Written {
  const resolved = characterInForce([lorebookOf([entryOf(given)])], settings);
  const { card, modules, findings } = lumiverseCard(resolved, 'charx', options);
  const inCard = entriesOf((card['data'] as JsonObject)['character_book'])[0] as JsonObject;
  const native = entriesOf((modules['world_books'] as readonly Json[])[0])[0] as JsonObject;
  return {
    card: inCard,
    native,
    codes: (path) =>
      findings.filter((each) => each.entryId !== null && each.path === path).map(({ code }) => code),
  };
}

/** What stands at an entry of a card's book, and what in its extensions. */
type InCard = readonly [entry: JsonObject, extensions?: JsonObject];

describe('values that Lumiverse has too', () => {
  it.each<[string, PartOfEntry, InCard, JsonObject]>([
    ['keys', {}, [{ keys: ['lamp'] }, { use_regex: false }], { key: ['lamp'], use_regex: false }],
    [
      'second keys',
      { secondaryKeys: LITERAL('oil') },
      [{ secondary_keys: ['oil'], selective: true }],
      { keysecondary: ['oil'], selective: true },
    ],
    ['no second keys', { selective: true }, [{ secondary_keys: [], selective: false }], { selective: false }],
    ['logic 0', { logic: 'and_any' }, [{}, { selective_logic: 2 }], { selective_logic: 2 }],
    ['logic 1', { logic: 'not_all' }, [{}, { selective_logic: 3 }], { selective_logic: 3 }],
    ['logic 2', { logic: 'not_any' }, [{}, { selective_logic: 1 }], { selective_logic: 1 }],
    ['logic 3', { logic: 'and_all' }, [{}, { selective_logic: 0 }], { selective_logic: 0 }],
    ['title', { title: 'A' }, [{ comment: 'A' }], { comment: 'A' }],
    ['no title', { title: '' }, [{ comment: '' }], { comment: '' }],
    ['content', { content: 'x\n{{char}}' }, [{ content: 'x\n{{char}}' }], { content: 'x\n{{char}}' }],
    ['constant', { constant: true }, [{ constant: true }], { constant: true }],
    ['off', { enabled: false }, [{ enabled: false }], { disabled: true }],
    ['on', {}, [{ enabled: true }], { disabled: false }],
    ['order', { order: -7 }, [{ insertion_order: -7 }], { order_value: -7 }],
    ['before', { position: { slot: 'world' } }, [{ position: 0 }], { position: 0, role: null }],
    ['after', { position: { slot: 'character' } }, [{ position: 1 }], { position: 1, role: null }],
    [
      'at a depth',
      { position: { slot: 'depth', depth: 0, role: 'system' } },
      [{ position: 4, depth: 0, role: 'system' }],
      { position: 4, depth: 0, role: 'system' },
    ],
    [
      'as the user',
      { position: { slot: 'depth', depth: 3, role: 'user' } },
      [{ position: 4, depth: 3, role: 'user' }],
      { position: 4, depth: 3, role: 'user' },
    ],
    [
      'as the character',
      { position: { slot: 'depth', depth: 9, role: 'assistant' } },
      [{ position: 4, depth: 9, role: 'assistant' }],
      { position: 4, depth: 9, role: 'assistant' },
    ],
    [
      'a role elsewhere counts for nothing, and would there',
      { position: { slot: 'world', role: 'user' } },
      [{ position: 0, role: null }],
      { position: 0, role: null },
    ],
    [
      'before the examples',
      { position: { slot: 'before_example' } },
      [{ position: 7 }, { wi_marker: 'dialogue_examples', wi_marker_side: 'before' }],
      { position: 7, wi_marker: 'dialogue_examples', wi_marker_side: 'before' },
    ],
    [
      'after the examples',
      { position: { slot: 'after_example' } },
      [{ position: 7 }, { wi_marker: 'dialogue_examples', wi_marker_side: 'after' }],
      { position: 7, wi_marker: 'dialogue_examples', wi_marker_side: 'after' },
    ],
    [
      'an outlet',
      { position: { slot: 'outlet', outlet: 'shelf' } },
      [{ position: 8 }, { outlet_name: 'shelf' }],
      { position: 8, outlet_name: 'shelf' },
    ],
    [
      'the place of {{wi_marker}}',
      { position: { slot: 'outlet', outlet: 'wi_marker' } },
      [{ position: 7 }],
      { position: 7 },
    ],
    [
      'a name of an outlet elsewhere counts for nothing, and would there',
      { position: { slot: 'character', outlet: 'shelf' } },
      [{ position: 1 }, { outlet_name: null }],
      { outlet_name: null },
    ],
    ['case', { scan: { caseSensitive: true } }, [{ case_sensitive: true }], { case_sensitive: true }],
    ['no case', {}, [{ case_sensitive: false }], { case_sensitive: false }],
    ['the scan depth is always said', {}, [{}, { scan_depth: 2 }], { scan_depth: 2 }],
    ['scan depth', { scan: { depth: 7 } }, [{}, { scan_depth: 7 }], { scan_depth: 7 }],
    [
      'prevent',
      { recursion: { prevent: true } },
      [{}, { prevent_recursion: true }],
      { prevent_recursion: true },
    ],
    [
      'exclude',
      { recursion: { exclude: true } },
      [{}, { exclude_recursion: true }],
      { exclude_recursion: true },
    ],
    [
      'a delay of one level',
      { recursion: { delayUntil: 1 } },
      [{}, { delay_until_recursion: true }],
      { delay_until_recursion: true },
    ],
    [
      'group',
      { group: { name: 'g', weight: 30, override: true } },
      [{ group: 'g' }, { group_weight: 30, group_override: true }],
      { group_name: 'g', group_weight: 30, group_override: true },
    ],
    ['an automation', { automationId: 'x' }, [{}, { automation_id: 'x' }], { automation_id: 'x' }],
    ['not vectorized', {}, [{}, { vectorized: false }], { vectorized: false }],
    ['the usual priority', {}, [{}, { priority: 10 }], { priority: 10 }],
    [
      'a chance that is not used',
      { probability: { chance: 40, used: false } },
      [{}, { probability: 40, use_probability: false }],
      { probability: 40, use_probability: false },
    ],
  ])('%s', (_, given, [entry, extensions = {}], native) => {
    const out = written(given);
    expect(out.card).toMatchObject(entry);
    expect(out.card['extensions']).toMatchObject(extensions);
    expect(out.native).toMatchObject(native);
    for (const { path } of FIELD_VALUES) expect([path, out.codes(path)]).toEqual([path, []]);
  });
  it('nothing is said of an ordinary entry, and no name stands there that would count before the right one', () => {
    const resolved = characterInForce([lorebookOf([entryOf()])]);
    for (const options of [NATURAL, EXACT]) {
      const { card, modules, findings } = lumiverseCard(resolved, 'charx', options);
      expect(findings.filter(({ entryId }) => entryId !== null)).toEqual([]);
      // `selectiveLogic` comes before `selective_logic` there, `displayIndex` before any order.
      expect(JSON.stringify([card, modules], (key, value) => (key === 'loreferry' ? 0 : value))).not.toMatch(
        /selectiveLogic|displayIndex|useProbability|"position":"/,
      );
    }
  });
  it('its own file is one that its importer takes', () => {
    const { lorebooks } = lumiverseLorebooks(characterInForce([lorebookOf([entryOf()])]), EXACT);
    expect(lorebooks.map(({ json }) => isLumiverseWorldBook(json))).toEqual([true]);
    expect(lorebooks[0]?.json).toMatchObject({
      version: 1,
      type: 'lumiverse_world_book',
      name: 'Quay Notes',
      description: '',
    });
  });
});

describe('values that Lumiverse has in another way, or not at all', () => {
  it.each<[string, PartOfEntry, LumiverseOptions, JsonObject, Readonly<Record<string, string>>]>([
    [
      'top of the note',
      { position: { slot: 'note_top', depth: 9, role: 'user' } },
      NATURAL,
      { position: 4, depth: 4, role: 'system' },
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
      'an outlet with blanks',
      { position: { slot: 'outlet', outlet: ' shelf ' } },
      NATURAL,
      { position: 8, outlet_name: 'shelf' },
      { 'position.outlet': 'approximated' },
    ],
    [
      'scan depth 0',
      { scan: { depth: 0 } },
      NATURAL,
      { disabled: true, scan_depth: null },
      { 'scan.depth': 'approximated', enabled: 'approximated' },
    ],
    ['scan depth 0, constant', { scan: { depth: 0 }, constant: true }, NATURAL, { disabled: false }, {}],
    [
      'a chance',
      { probability: { chance: 40 } },
      NATURAL,
      { probability: 40, use_probability: true },
      { 'probability.chance': 'approximated' },
    ],
    [
      'a chance that no further pass takes',
      { probability: { chance: 40 }, recursion: { exclude: true } },
      NATURAL,
      { probability: 40 },
      {},
    ],
    [
      'a constant entry with a chance',
      { probability: { chance: 40 }, constant: true },
      NATURAL,
      {
        constant: false,
        key: ['[^]'],
        use_regex: true,
        scan_depth: 1,
        exclude_recursion: true,
        probability: 40,
      },
      { constant: 'repaired', keys: 'repaired', 'recursion.exclude': 'repaired' },
    ],
    [
      'a level of delay',
      { recursion: { delayUntil: 3 } },
      NATURAL,
      { delay_until_recursion: true },
      { 'recursion.delayUntil': 'approximated' },
    ],
    [
      'timing',
      { timing: { sticky: 4, cooldown: 2, delay: 1 } },
      NATURAL,
      { sticky: 4, cooldown: 2, delay: null },
      { 'timing.sticky': 'approximated', 'timing.cooldown': 'approximated', 'timing.delay': 'approximated' },
    ],
    [
      'several groups',
      { group: { name: 'a, b' } },
      NATURAL,
      { group_name: 'a' },
      { 'group.name': 'approximated' },
    ],
    [
      'a counted group',
      { group: { name: 'a', scoring: true } },
      NATURAL,
      { group_name: 'a' },
      { 'group.scoring': 'approximated' },
    ],
    [
      'triggers',
      { triggers: ['normal', 'swipe'] },
      NATURAL,
      { disabled: false },
      { triggers: 'approximated' },
    ],
    [
      'triggers without replies',
      { triggers: ['swipe'] },
      NATURAL,
      { disabled: true },
      { triggers: 'approximated', enabled: 'approximated' },
    ],
    ['vectorized', { vectorized: true }, NATURAL, { vectorized: true }, { vectorized: 'approximated' }],
    [
      'other texts are searched',
      { sources: { creatorNotes: true, personaDescription: true } },
      NATURAL,
      {},
      { 'sources.creatorNotes': 'stashed', 'sources.personaDescription': 'stashed' },
    ],
    ['no budget', { ignoreBudget: true }, NATURAL, {}, { ignoreBudget: 'stashed' }],
    [
      'an automation, dropped',
      { automationId: 'x' },
      { style: 'natural' },
      { automation_id: null },
      { automationId: 'lost' },
    ],
    [
      'a character filter',
      { characterFilter: { exclude: true, names: ['Odo'], tags: [] } },
      NATURAL,
      {},
      { characterFilter: 'stashed' },
    ],
  ])('%s', (_, given, options, native, said) => {
    const out = written(given, options);
    expect(out.native).toMatchObject(native);
    for (const [path, code] of Object.entries(said)) expect([path, out.codes(path)]).toEqual([path, [code]]);
    for (const { path } of FIELD_VALUES.filter((each) => said[each.path] === undefined)) {
      expect([path, out.codes(path)]).toEqual([path, []]);
    }
  });
  it('a dropped private field stands nowhere', () => {
    const filter = { exclude: true, names: ['Odo Pell'], tags: ['t77'] };
    const entry = entryOf({ automationId: 'au9', characterFilter: filter });
    const resolved = characterInForce([lorebookOf([entry])]);
    const { card, modules } = lumiverseCard(resolved, 'charx', { style: 'exact' });
    const { lorebooks } = lumiverseLorebooks(resolved, { style: 'exact' });
    for (const json of [card, modules, lorebooks])
      expect(JSON.stringify(json)).not.toMatch(/au9|Odo Pell|t77/);
  });
  it('where recursion is off here, each entry says so', () => {
    for (const settings of [{ recursive: false }, { maxRecursionSteps: 1 }]) {
      const out = written({}, NATURAL, settings);
      expect(out.native).toMatchObject({ exclude_recursion: true });
      expect(out.codes('recursion.exclude')).toEqual(['repaired']);
    }
  });
  it('extensions of others travel, stale copies of SillyTavern’s fields do not', () => {
    const bag = {
      dialect: 'world-info',
      entry: { x_own: 1 },
      extensions: { vendor: 'v', selectiveLogic: 3, role: 1 },
    };
    const out = written({ bag });
    const { loreferry: _stash, ...rest } = out.native['extensions'] as JsonObject;
    expect(rest).toEqual({ vendor: 'v' });
    expect(out.card['extensions']).toMatchObject({ vendor: 'v' });
    expect(out.card['extensions']).not.toHaveProperty('selectiveLogic');
    expect(out.codes('x_own')).toEqual(['stashed']);
  });
});

describe('keys', () => {
  const keysOf = (given: PartOfEntry, options: LumiverseOptions, settings: Partial<ScanSettings> = {}) => {
    const { native, codes } = written(given, options, settings);
    const { key, keysecondary, use_regex, case_sensitive, match_whole_words } = native;
    const said = [...codes('keys'), ...codes('secondaryKeys')];
    return { key, keysecondary, use_regex, case_sensitive, match_whole_words, said };
  };
  it('a word between word characters is found alike, so the switch is enough in both styles', () => {
    for (const options of [NATURAL, EXACT]) {
      expect(keysOf({ keys: LITERAL('lamp', 'wick_2') }, options)).toMatchObject({
        key: ['lamp', 'wick_2'],
        use_regex: false,
        match_whole_words: true,
        said: [],
      });
    }
  });
  it('beside a key of several words, which is found anywhere here, natural says where it differs', () => {
    const mixed = { keys: LITERAL('oil lamp', 'wick') };
    expect(keysOf(mixed, NATURAL)).toMatchObject({
      key: ['oil lamp', 'wick'],
      use_regex: false,
      match_whole_words: true,
      said: ['approximated'],
    });
    expect(keysOf(mixed, EXACT)).toMatchObject({
      key: ['oil lamp', '(?:^|\\W)(?:wick)(?:$|\\W)'],
      use_regex: true,
      match_whole_words: false,
      said: [],
    });
  });
  it.each(['C++', '灯台', 'Łódź'])('%s is hardly ever found as a whole word there', (text) => {
    const found = keysOf({ keys: LITERAL(text) }, NATURAL);
    expect(found).toMatchObject({ key: [text], match_whole_words: false, said: ['approximated'] });
    expect(keysOf({ keys: LITERAL(text) }, EXACT)).toMatchObject({ use_regex: true, said: [] });
  });
  it('patterns are bare, and their case is the entry’s', () => {
    expect(keysOf({ keys: [REGEX('l[ae]mp', 'i'), REGEX('a\\/b', 'i')] }, NATURAL)).toMatchObject({
      key: ['l[ae]mp', 'a\\/b'],
      use_regex: true,
      case_sensitive: false,
      said: [],
    });
    expect(keysOf({ keys: [REGEX('Lamp')] }, EXACT)).toMatchObject({ use_regex: true, case_sensitive: true });
    expect(keysOf({ keys: [REGEX('Lamp'), REGEX('wick', 'i')] }, EXACT)).toMatchObject({
      key: ['Lamp', '[wW][iI][cC][kK]'],
      case_sensitive: true,
      said: [],
    });
    expect(keysOf({ keys: [REGEX('a.b', 'is')] }, EXACT)).toMatchObject({ key: ['a[\\s\\S]b'], said: [] });
    expect(keysOf({ keys: [REGEX('\\p{Lu}x', 'u')] }, EXACT)).toMatchObject({ said: ['approximated'] });
  });
  it('a plain key beside a pattern is the pattern of its text', () => {
    const mixed = { keys: [...LITERAL('c++'), REGEX('lamp', 'i')] };
    expect(keysOf(mixed, EXACT, OFF)).toMatchObject({ key: ['c\\+\\+', 'lamp'], use_regex: true, said: [] });
    expect(keysOf(mixed, NATURAL)).toMatchObject({ key: ['c\\+\\+', 'lamp'], said: ['approximated'] });
  });
  it('a plain key between slashes stays plain', () => {
    expect(keysOf({ keys: LITERAL('/home/user') }, EXACT, OFF)).toMatchObject({
      key: ['/home/user'],
      use_regex: false,
    });
  });
});

describe('the table', () => {
  it('has every field that we know, once', () => {
    const paths = LUMIVERSE_FIELDS.map(({ path }) => path);
    expect([...paths].sort()).toEqual(CHARACTER_BOOK_FIELDS.map(({ path }) => path).sort());
  });
  it('writes a card where the shared reader looks', () => {
    for (const { path, rows } of LUMIVERSE_FIELDS) {
      const wires = CHARACTER_BOOK_FIELDS.find((row) => row.path === path)?.wires ?? [];
      const [first] = rows.card?.wires ?? [];
      if (first === undefined) continue;
      const level = wires.filter(({ at }) => at === first.at).map(({ key }) => key);
      // The shared reader also knows its own spellings of these two.
      const name = first.key === 'use_probability' ? 'use_probability' : first.key;
      expect([path, level]).toEqual([path, expect.arrayContaining([name])]);
    }
  });
});

describe('among other entries', () => {
  const order = (given: readonly PartOfEntry[], settings: Partial<ScanSettings> = {}) => {
    const entries = given.map((each, at) =>
      entryOf({ title: `E${at}`, content: `Text ${at}.`, ...each }, `w${at}`),
    );
    const { modules } = lumiverseCard(characterInForce([lorebookOf(entries)], settings), 'charx', NATURAL);
    return entriesOf((modules['world_books'] as readonly Json[])[0]).map(
      ({ comment, order_value, priority }) => [comment, order_value, priority],
    );
  };
  it('of equal orders the later one stands first, as in SillyTavern, and no order changes', () => {
    expect(order([{}, {}, {}])).toEqual([
      ['E2', 100, 10],
      ['E1', 100, 10],
      ['E0', 100, 10],
    ]);
  });
  it('a constant entry comes first there among its equals, so where it must not, its order is raised', () => {
    expect(order([{ constant: true }, {}])).toEqual([
      ['E1', 100, 10],
      ['E0', 101, 10],
    ]);
    expect(order([{}, { constant: true }])).toEqual([
      ['E1', 100, 10],
      ['E0', 100, 10],
    ]);
  });
  it('outlets and entries before the examples have their orders turned round', () => {
    for (const position of [{ slot: 'outlet', outlet: 'o' }, { slot: 'before_example' }] as const) {
      const found = order([
        { order: 40, position },
        { order: 100, position },
        { order: 50, position },
      ]);
      expect(found).toEqual(
        expect.arrayContaining([
          ['E0', 100, 10],
          ['E1', 40, 10],
          ['E2', 90, 10],
        ]),
      );
    }
  });
  it('the deeper an entry stands in the chat, the higher its priority: each is put where it should be', () => {
    const at = (depth: number) => ({ position: { slot: 'depth', depth } as const });
    expect(order([at(0), at(4), at(1), {}])).toEqual(
      expect.arrayContaining([
        ['E0', 100, 10],
        ['E1', 100, 12],
        ['E2', 100, 11],
        ['E3', 100, 10],
      ]),
    );
    expect(order([at(4), at(4)]).map(([, , priority]) => priority)).toEqual([10, 10]);
  });
  it('of preferred entries of a group the one that wins here has the highest priority', () => {
    const group = { name: 'sky', override: true };
    const found = order([
      { order: 100, group },
      { order: 200, group },
      { order: 50, group: { ...group, override: false } },
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['E0', 100, 11],
        ['E1', 200, 12],
        ['E2', 50, 10],
      ]),
    );
  });
  it('says of entries that are nearly the same, stand behind others, or carry a speaker’s name', () => {
    const long = 'A long text about the lamp, the quay, the tar and the rope of the old pier, once more';
    const entries = [
      entryOf({ content: `${long}.` }, 'w0'),
      entryOf({ content: `${long}!` }, 'w1'),
      entryOf({ content: 'Of a group.', order: 5, group: { name: 'g' } }, 'w2'),
      entryOf({ content: 'Named.', keys: LITERAL('Mara') }, 'w3'),
    ];
    const { findings } = lumiverseCard(characterInForce([lorebookOf(entries)]), 'charx', EXACT);
    const said = findings.filter(({ code, entryId }) => code === 'approximated' && entryId !== null);
    expect(said.map(({ entryId, path }) => `${entryId} ${path}`).sort()).toEqual([
      'w0 content',
      'w1 content',
      'w2 order',
      'w3 keys',
    ]);
  });
});

describe('golden: places, logics, keys and order', () => {
  const golden = JSON.parse(
    readFileSync(new URL('../fixtures/lumiverse/golden.json', import.meta.url), 'utf8'),
  ) as JsonObject;
  const slots = [
    'world',
    'character',
    'note_top',
    'note_bottom',
    'depth',
    'before_example',
    'after_example',
    'outlet',
  ] as const;
  const keysOf = (...texts: string[]) => texts.map((text) => readKey(text).key);
  const rowsOf = (given: readonly PartOfEntry[], options: LumiverseOptions) => {
    const entries = given.map((each, at) => entryOf(each, `w${at}`));
    const { card, modules } = lumiverseCard(characterInForce([lorebookOf(entries)]), 'charx', options);
    const bare = (entry: JsonObject): JsonObject => ({
      ...entry,
      extensions: withoutKey(entry['extensions'] as JsonObject, 'loreferry'),
    });
    return {
      card: entriesOf((card['data'] as JsonObject)['character_book']).map(bare),
      native: entriesOf((modules['world_books'] as readonly Json[])[0]).map(bare),
    };
  };
  const KEY_KINDS: readonly (readonly [string, PartOfEntry])[] = [
    ['words', { keys: keysOf('lamp', 'wick') }],
    ['several words', { keys: keysOf('lamp', 'oil lamp') }],
    ['inside words', { keys: keysOf('lamp'), scan: { matchWholeWords: false } }],
    ['case counts', { keys: keysOf('Lamp', 'oil lamp'), scan: { caseSensitive: true } }],
    ['comma and signs', { keys: keysOf('Paris, France', 'C++', 'AC/DC') }],
    ['other scripts', { keys: keysOf('東京', 'дом', 'élan') }],
    ['regex with flags', { keys: keysOf('/l[ae]mp/i', '/^lamp/m', '/l.mp/s', '/\\p{L}amp/u') }],
    ['regex without flags', { keys: keysOf('/Lamp/') }],
    ['slash and comma', { keys: keysOf('/a\\/b,c/i', '/[x,/]/i') }],
    ['beside plain keys', { keys: keysOf('lamp', '/x+/i') }],
    ['with second keys', { keys: keysOf('/x+/i'), secondaryKeys: keysOf('oil', '/tar/') }],
    ['always there', { keys: keysOf('lamp', '/x/'), constant: true }],
    ['blank', { keys: keysOf('', 'lamp') }],
  ];
  const STYLES = ['natural', 'exact'] as const;
  const current = {
    places: rowsOf(
      slots.map((slot, at) => ({
        title: slot,
        content: `${slot}.`,
        order: 10 * at,
        position: { slot, depth: 2, role: 'user', outlet: 'shelf' },
      })),
      NATURAL,
    ),
    logics: rowsOf(
      (['and_any', 'and_all', 'not_any', 'not_all'] as const).map((logic) => ({
        title: logic,
        logic,
        content: `${logic}.`,
        secondaryKeys: keysOf('oil', 'tar'),
      })),
      EXACT,
    ),
    keys: Object.fromEntries(
      STYLES.map((style) => [
        style,
        Object.fromEntries(
          KEY_KINDS.map(([kind, given]) => {
            const [row] = rowsOf([given], { ...EXACT, style }).native;
            const { key, keysecondary, use_regex, case_sensitive, match_whole_words } = row as JsonObject;
            return [kind, { key, keysecondary, use_regex, case_sensitive, match_whole_words }];
          }),
        ),
      ]),
    ),
    order: rowsOf(
      [
        ...[30, 10, 20, 20].map((order, at) => ({ content: `Before ${at}.`, order })),
        ...[4, 1, 2].map((depth) => ({
          content: `Depth ${depth}.`,
          position: { slot: 'depth' as const, depth },
        })),
      ],
      EXACT,
    ).native.map(({ content, order_value, priority }) => [content, order_value, priority]),
  };
  it.each(['places', 'logics', 'keys', 'order'] as const)('%s', (name) => {
    expect(current[name]).toEqual(golden[name]);
  });
});
