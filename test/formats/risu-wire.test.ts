// What is written for RisuAI, value by value: every field, the eight places, the four logics, and each kind of key.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Key } from '../../src/core/key.ts';
import { readKey } from '../../src/core/key.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { RISU_ROWS } from '../../src/formats/_shared/risu/table.ts';
import type { RisuOptions } from '../../src/formats/risu/book-writing.ts';
import { risuCard } from '../../src/formats/risu/card.ts';
import { RISU_EXPORTER } from '../../src/formats/risu/exporter.ts';
import { RISU_FIELDS } from '../../src/formats/risu/fields.ts';
import { risuLorebooks } from '../../src/formats/risu/lorebook-writing.ts';
import { FIELD_VALUES } from '../support/entry-values.ts';
import {
  entryOf,
  characterInForce as inForceOf,
  lorebookOf,
  MARA,
  type PartOfEntry,
} from '../support/in-force.ts';

const NATURAL: RisuOptions = { style: 'natural', privateFields: 'keep' };
const EXACT: RisuOptions = { style: 'exact', privateFields: 'keep' };
const OFF: Partial<ScanSettings> = { recursive: false };
// Her greeting speaks of lamps, which RisuAI would not search.
const SILENT = { ...MARA, body: { ...MARA.body, firstMessage: '' } };
const characterInForce: typeof inForceOf = (books, settings, character = SILENT) =>
  inForceOf(books, settings, character);
const keysOf = (...written: readonly string[]): readonly Key[] => written.map((text) => readKey(text).key);

function written(
  given: PartOfEntry | readonly PartOfEntry[],
  options = NATURAL,
  settings: Partial<ScanSettings> = {},
) {
  const list = Array.isArray(given) ? (given as readonly PartOfEntry[]) : [given as PartOfEntry];
  const resolved = characterInForce([lorebookOf(list.map((each, at) => entryOf(each, `w${at}`)))], settings);
  const { card, findings } = risuCard(resolved, options);
  const book = (card['data'] as JsonObject)['character_book'] as JsonObject;
  const rows = (book['entries'] as readonly JsonObject[]).map(({ extensions: _own, ...row }) => row);
  const [row = {}] = rows;
  const lines = String(row['content']).split('\n').slice(0, -1);
  return {
    card,
    book,
    rows,
    row,
    lines,
    findings,
    codes: (path: string) =>
      findings.filter((each) => each.entryId === 'w0' && each.path === path).map(({ code }) => code),
  };
}
const K = (pattern: string, flags = 'i'): string => `/[]|(?:${pattern})|[]//${flags}`;
const WORD = (text: string): string => `(?:^|\\W)(?:${text})(?:$|\\W)`;

describe('the card', () => {
  it('is V3 with all three settings of the book, which RisuAI takes only together', () => {
    const { card, book } = written({}, NATURAL, { depth: 3, budget: 10, recursive: true });
    expect(card).toMatchObject({ spec: 'chara_card_v3', spec_version: '3.0' });
    expect(book).toMatchObject({
      scan_depth: 3,
      token_budget: 3277,
      recursive_scanning: true,
      extensions: { risu_fullWordMatching: false },
    });
    expect(written({}, NATURAL, { budgetCap: 500 }).book['token_budget']).toBe(500);
    expect(written({}, NATURAL, { maxRecursionSteps: 1 }).book['recursive_scanning']).toBe(false);
  });
  it('holds no extension that RisuAI would migrate', () => {
    const { card } = written({
      position: { slot: 'depth', depth: 2 },
      logic: 'not_any',
      probability: { chance: 20 },
    });
    const book = (card['data'] as JsonObject)['character_book'] as JsonObject;
    for (const entry of book['entries'] as readonly JsonObject[]) {
      expect(Object.keys(entry['extensions'] as JsonObject)).toEqual(['loreferry']);
      expect(entry).not.toHaveProperty('position');
    }
  });
  it('always has what the import needs', () => {
    const { card } = risuCard(characterInForce([]), NATURAL);
    const data = card['data'] as JsonObject;
    expect(data).toMatchObject({
      extensions: {},
      character_version: '',
      alternate_greetings: [],
      group_only_greetings: [],
    });
    expect(data).not.toHaveProperty('assets');
    expect(data).not.toHaveProperty('character_book');
  });
});

describe('values that RisuAI has', () => {
  it.each<[string, PartOfEntry, JsonObject, readonly string[]]>([
    [
      'an ordinary entry',
      {},
      {
        keys: ['lamp'],
        enabled: true,
        constant: false,
        use_regex: false,
        mode: 'normal',
        insertion_order: 100,
      },
      ['@@position before_desc'],
    ],
    ['title and memo', { title: 'A', memo: 'B' }, { name: 'A', comment: 'B' }, ['@@position before_desc']],
    ['off', { enabled: false }, { enabled: false }, ['@@dont_activate', '@@position before_desc']],
    ['constant', { constant: true }, { constant: true }, ['@@position before_desc']],
    ['after the character', { position: { slot: 'character' } }, {}, ['@@position after_desc']],
    [
      'at the end',
      { position: { slot: 'depth', depth: 0, role: 'assistant' } },
      {},
      ['@@depth 0', '@@role assistant'],
    ],
    [
      'at a depth',
      { position: { slot: 'depth', depth: 3, role: 'user' } },
      {},
      ['@@depth 3', '@@reverse_depth 3', '@@role user'],
    ],
    ['an outlet', { position: { slot: 'outlet', outlet: 'shelf' } }, {}, ['@@position pt_shelf']],
    ['scan depth', { scan: { depth: 7 } }, {}, ['@@position before_desc', '@@scan_depth 7']],
    ['delay', { timing: { delay: 4 } }, {}, ['@@position before_desc', '@@activate_only_after 4']],
    ['prevent', { recursion: { prevent: true } }, {}, ['@@position before_desc', '@@unrecursive']],
    ['exclude', { recursion: { exclude: true } }, {}, ['@@position before_desc', '@@no_recursive_search']],
    ['no budget', { ignoreBudget: true }, {}, ['@@position before_desc', '@@priority 1000000']],
  ])('%s', (_, given, row, lines) => {
    const out = written(given);
    expect(out.row).toMatchObject(row);
    expect(out.lines).toEqual(lines);
  });
  it('a chance is exact where entries are not searched for keys', () => {
    const given = { probability: { chance: 40, used: true } };
    expect(written(given, NATURAL, OFF).lines).toContain('@@probability 40');
    expect(written(given, NATURAL, OFF).codes('probability.chance')).toEqual([]);
    expect(written(given).codes('probability.chance')).toEqual(['approximated']);
  });
  it('nothing is said of an ordinary entry in style exact', () => {
    expect(written({}, EXACT).findings.filter(({ entryId }) => entryId !== null)).toEqual([]);
  });
  it('a text that begins with @@ is kept from the decorators', () => {
    expect(written({ content: '@@ not a line' }).row['content']).toBe(
      '@@position before_desc\n\n@@ not a line',
    );
  });
});

describe('values that RisuAI has in another way, or not at all', () => {
  it.each<[string, PartOfEntry, readonly string[], Readonly<Record<string, string>>]>([
    [
      'top of the note',
      { position: { slot: 'note_top', depth: 9, role: 'user' } },
      ['@@depth 4', '@@reverse_depth 4'],
      { 'position.slot': 'approximated' },
    ],
    [
      'deeper than a chat can be short',
      { position: { slot: 'depth', depth: 4 } },
      ['@@depth 4', '@@reverse_depth 4'],
      { 'position.depth': 'approximated' },
    ],
    [
      'as deep as every chat is',
      { position: { slot: 'depth', depth: 3 } },
      ['@@depth 3', '@@reverse_depth 3'],
      {},
    ],
    [
      'before the examples',
      { position: { slot: 'before_example' } },
      ['@@position after_desc'],
      { 'position.slot': 'approximated' },
    ],
    [
      'after the examples',
      { position: { slot: 'after_example' } },
      ['@@position after_desc'],
      { 'position.slot': 'approximated' },
    ],
    [
      'a comma in an outlet',
      { position: { slot: 'outlet', outlet: 'a, b' } },
      ['@@position pt_a b'],
      { 'position.outlet': 'approximated' },
    ],
    [
      'nothing searched',
      { scan: { depth: 0 } },
      ['@@dont_activate', '@@position before_desc'],
      { 'scan.depth': 'approximated', enabled: 'approximated' },
    ],
    [
      'delayed',
      { recursion: { delayUntil: 2 } },
      ['@@position before_desc', '@@scan_depth 0'],
      { 'recursion.delayUntil': 'approximated' },
    ],
    [
      'sticky',
      { timing: { sticky: 3, cooldown: 2 } },
      ['@@position before_desc'],
      { 'timing.sticky': 'stashed', 'timing.cooldown': 'stashed' },
    ],
    [
      'a group',
      { group: { name: 'g', weight: 30 } },
      ['@@position before_desc'],
      { 'group.name': 'approximated', 'group.weight': 'stashed' },
    ],
    ['triggers', { triggers: ['normal', 'swipe'] }, ['@@position before_desc'], { triggers: 'approximated' }],
    [
      'triggers without replies',
      { triggers: ['swipe'] },
      ['@@dont_activate', '@@position before_desc'],
      { triggers: 'approximated', enabled: 'approximated' },
    ],
    ['vectors', { vectorized: true }, ['@@position before_desc'], { vectorized: 'stashed' }],
    [
      'a further text',
      { sources: { personaDescription: true } },
      ['@@position before_desc'],
      { 'sources.personaDescription': 'stashed' },
    ],
    ['an automation', { automationId: 'x' }, ['@@position before_desc'], { automationId: 'stashed' }],
    ['blanks around a text', { content: ' Text. ' }, ['@@position before_desc'], { content: 'repaired' }],
    ['an old macro', { content: 'For <user>.' }, ['@@position before_desc'], { content: 'repaired' }],
    [
      'an old decorator in the text, which RisuAI writes anew',
      { content: 'The line @@end is text.' },
      ['@@position before_desc'],
      { content: 'approximated' },
    ],
  ])('%s', (_, given, lines, said) => {
    const out = written(given, EXACT);
    expect(out.lines).toEqual(lines);
    for (const [path, code] of Object.entries(said)) expect([path, out.codes(path)]).toEqual([path, [code]]);
    for (const { path } of FIELD_VALUES.filter((each) => said[each.path] === undefined)) {
      expect([path, out.codes(path)]).toEqual([path, []]);
    }
  });
  it('a dropped private field stands nowhere', () => {
    const filter = { exclude: true, names: ['Odo Pell'], tags: ['t77'] };
    const resolved = characterInForce([
      lorebookOf([entryOf({ automationId: 'au9', characterFilter: filter })]),
    ]);
    const options: RisuOptions = { style: 'exact' };
    for (const json of [risuCard(resolved, options).card, risuLorebooks(resolved, options).lorebooks]) {
      expect(JSON.stringify(json)).not.toMatch(/au9|Odo Pell|t77/);
    }
  });
});

describe('keys', () => {
  const shown = (given: PartOfEntry, options: RisuOptions, settings: Partial<ScanSettings> = {}) => {
    const { row, codes } = written(given, options, settings);
    return {
      keys: row['keys'],
      use_regex: row['use_regex'],
      said: [...codes('keys'), ...codes('secondaryKeys')],
    };
  };
  const twice = (...keys: readonly string[]): readonly string[] => [keys[0] ?? '', ...keys];
  it.each<[string, readonly string[], readonly string[]]>([
    ['a word', ['lamp'], [K(WORD('lamp'))]],
    ['several words are found anywhere', ['oil lamp'], [K('(?:oil lamp)')]],
    ['signs', ['c++'], [K(WORD('c\\+\\+'))]],
    ['a comma', ['Paris, France'], [K('(?:Paris\\x2c France)')]],
    ['a slash', ['AC/DC'], [K(WORD('AC\\\\x2fDC'.replace('\\\\', '\\')))]],
    ['a regex', ['/l[ae]mp/i'], [K('l[ae]mp')]],
    ['a regex without flags', ['/Lamp/'], [K('Lamp', 'g')]],
    ['a slash in a regex', ['/a\\/b/i'], [K('a\\x2fb')]],
    ['a range', ['/ab{2,3}c/i'], [K('a(?:b{2}(?:b|))c')]],
    ['an open range', ['/ab{2,}c/i'], [K('a(?:b{2}b*)c')]],
    ['a comma in a class', ['/[x,z]/i'], [K('[x\\x2cz]')]],
    ['several keys', ['/x+/i', 'lamp'], [K('x+'), K(WORD('lamp'))]],
  ])('exact: %s', (_, keys, patterns) => {
    expect(shown({ keys: keysOf(...keys) }, EXACT)).toEqual({
      keys: twice(...patterns),
      use_regex: true,
      said: [],
    });
  });
  it('natural: plain keys stay plain, and it is said what they do', () => {
    expect(shown({ keys: keysOf('lamp', 'oil lamp') }, NATURAL)).toEqual({
      keys: ['lamp', 'oil lamp'],
      use_regex: false,
      said: ['approximated'],
    });
    const off = { caseSensitive: false, matchWholeWords: false };
    expect(shown({ keys: keysOf('lamp'), scan: off }, NATURAL).said).toEqual(['approximated']);
  });
  it.each<[string, PartOfEntry]>([
    ['beside a regex', { keys: keysOf('lamp', '/x/') }],
    ['where case counts', { keys: keysOf('lamp'), scan: { caseSensitive: true } }],
    ['with a comma', { keys: keysOf('lamp', 'a, b') }],
  ])('natural: patterns %s', (_, given) => {
    expect(shown(given, NATURAL)).toMatchObject({ use_regex: true, said: [] });
  });
  it('what works otherwise on a single message is named', () => {
    for (const key of ['/^lamp/', '/lamp$/', '/\\x01lamp/', '/[^x]+lamp/', '/lamp/y']) {
      expect([key, shown({ keys: keysOf(key) }, EXACT).said]).toEqual([key, ['approximated']]);
    }
    expect(shown({ keys: keysOf('/\\blamp\\b/i', '/^lamp/m') }, EXACT).said).toEqual([]);
  });
  it('empty keys are dropped, constant ones stay as they read', () => {
    expect(shown({ keys: keysOf('', 'lamp') }, EXACT).keys).toEqual(twice(K(WORD('lamp'))));
    expect(shown({ keys: keysOf('lamp'), constant: true }, EXACT)).toEqual({
      keys: ['lamp'],
      use_regex: false,
      said: [],
    });
  });
});

describe('golden: places, logics and keys', () => {
  const golden = JSON.parse(
    readFileSync(new URL('../fixtures/risu/golden.json', import.meta.url), 'utf8'),
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
  const logics = ['and_any', 'and_all', 'not_any', 'not_all'] as const;
  const rowsOf = (entries: readonly PartOfEntry[], options: RisuOptions): readonly unknown[] =>
    written(entries, options).rows;
  const on = { caseSensitive: true };
  const KEY_KINDS: readonly (readonly [string, PartOfEntry])[] = [
    ['words', { keys: keysOf('lamp', 'oil lamp') }],
    ['inside words', { keys: keysOf('lamp'), scan: { matchWholeWords: false } }],
    ['case counts', { keys: keysOf('Lamp', 'oil lamp'), scan: on }],
    ['comma and signs', { keys: keysOf('Paris, France', 'C++', 'AC/DC') }],
    ['other scripts', { keys: keysOf('東京', 'дом', 'élan') }],
    ['regex with flags', { keys: keysOf('/l[ae]mp/i', '/^lamp/m', '/l.mp/s', '/\\p{L}amp/u') }],
    ['regex without flags', { keys: keysOf('/Lamp/') }],
    ['alternatives and groups', { keys: keysOf('/(wyrm|drake)s?/i', '/(?:a|b)(?=c)(?<!d)/', '/(\\w)\\1/') }],
    ['slash and comma', { keys: keysOf('/a\\/b,c/i', '/[x,/]/i') }],
    ['ranges', { keys: keysOf('/ab{2,3}c/i', '/(?:ab){1,}/i', '/a{0,2}?/i', '/a{3}/i') }],
    ['beside plain keys', { keys: keysOf('lamp', '/x+/i') }],
    ['with second keys', { keys: keysOf('/x+/i'), secondaryKeys: keysOf('oil', '/tar/') }],
    ['always there', { keys: keysOf('lamp', '/x/'), constant: true }],
    ['blank', { keys: keysOf('', 'lamp') }],
  ];
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
    logics: Object.fromEntries(
      (['natural', 'exact'] as const).map((style) => [
        style,
        logics.map((logic) =>
          rowsOf([{ title: logic, logic, secondaryKeys: keysOf('oil', 'tar') }], { ...EXACT, style }),
        ),
      ]),
    ),
    keys: Object.fromEntries(
      (['natural', 'exact'] as const).map((style) => [
        style,
        Object.fromEntries(
          KEY_KINDS.map(([kind, given]) => [
            kind,
            rowsOf([given], { ...EXACT, style }).map((row) => {
              const { keys, secondary_keys, use_regex } = row as JsonObject;
              return { keys, secondary_keys, use_regex };
            }),
          ]),
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
    ),
  };
  it.each(['places', 'logics', 'keys', 'order'] as const)('%s', (name) => {
    expect(current[name]).toEqual(golden[name]);
  });
});

describe('what entries decide among themselves', () => {
  it('NOT is kept from other entries’ texts only where one of them holds the key', () => {
    const not = { logic: 'not_any' as const, secondaryKeys: keysOf('oil') };
    expect(written([not, { content: 'Oil here.' }]).lines).toContain('@@no_recursive_search');
    expect(written([not, { content: 'Tar here.' }]).lines).not.toContain('@@no_recursive_search');
    expect(written([not, { content: 'Oil here.' }], NATURAL, OFF).lines).not.toContain(
      '@@no_recursive_search',
    );
    expect(written([not, { content: 'Oil here.' }]).codes('recursion.exclude')).toEqual(['repaired']);
    expect(written([not, { content: 'Oil and lamp.' }]).codes('recursion.exclude')).toEqual(['approximated']);
  });
  it('the keys of a preferred entry of its group keep an entry out', () => {
    const winner = { keys: keysOf('sun'), group: { name: 'g', override: true }, order: 200 };
    const { rows, codes } = written([{ group: { name: 'g' } }, winner], EXACT);
    expect(rows[0]?.['content']).toContain(`@@exclude_keys ${K(WORD('sun'))},${K(WORD('sun'))}`);
    expect(codes('group.name')).toEqual(['stashed']);
    const constant = written([{ group: { name: 'g' }, constant: true }, winner], NATURAL).row;
    expect(constant).toMatchObject({ constant: false, use_regex: true, keys: twiceAny });
  });
  const twiceAny = [K('', 'g'), K('', 'g')];
});

describe('the lorebook file', () => {
  it('holds ready entries, which say what the file cannot', () => {
    const resolved = characterInForce(
      [lorebookOf([entryOf({ logic: 'and_any', secondaryKeys: keysOf('oil') })])],
      OFF,
    );
    const { json } = risuLorebooks(resolved, NATURAL).lorebooks[0] ?? {};
    expect(json).toMatchObject({
      type: 'risu',
      ver: 1,
      data: [
        {
          key: 'lamp',
          secondkey: 'oil',
          selective: true,
          insertorder: 100,
          alwaysActive: false,
          mode: 'normal',
          useRegex: false,
          bookVersion: 2,
          content: '@@position before_desc\n@@scan_depth 2\n@@unrecursive\nLamp note.',
        },
      ],
    });
  });
});

describe('the exporter', () => {
  const resolved = characterInForce([
    lorebookOf([
      entryOf({ position: { slot: 'outlet', outlet: 'shelf' } }),
      entryOf({ position: { slot: 'depth' } }, 'w1'),
    ]),
  ]);
  it('writes a card with one chunk, and names the marker and the template', () => {
    const exported = RISU_EXPORTER.write(resolved, { style: 'natural', privateFields: 'drop' });
    expect(RISU_EXPORTER.png.keywords).toEqual(['ccv3']);
    expect(exported.files.map(({ kind }) => kind)).toEqual(['card']);
    expect(exported.steps.join(' ')).toContain('{{position::shelf}}');
    expect(exported.steps.join(' ')).toContain('prompt template');
    expect(exported.settings).toEqual({});
  });
  it('a lorebook file comes with settings within what the app lets a person type', () => {
    const { files, settings } = RISU_EXPORTER.write(resolved, {
      form: 'lorebook',
      style: 'exact',
      privateFields: 'drop',
    });
    expect(files).toMatchObject([{ kind: 'file', name: 'Quay Notes.json' }]);
    expect(settings).toEqual({
      scanDepth: 2,
      tokenBudget: 4096,
      recursiveScanning: true,
      fullWordMatching: false,
    });
  });
});

describe('the table', () => {
  it('has every field that we know, once', () => {
    const known = CHARACTER_BOOK_FIELDS.map(({ path }) => path).filter((path) => path !== 'probability.used');
    expect(RISU_FIELDS.map(({ path }) => path).sort()).toEqual([...known].sort());
  });
  it('names each decorator once', () => {
    const names = RISU_ROWS.flatMap((row) => row.names);
    expect(new Set(names).size).toBe(names.length);
  });
});
