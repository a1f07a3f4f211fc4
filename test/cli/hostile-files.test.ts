// Files that nobody means well with, through the command line: a result or one clear sentence, in bounded time and
// memory, and nothing written but what was asked for.

import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { indentedJson, readJsonBytes } from '../../src/containers/card-json.ts';
import { readContainer, writeContainer } from '../../src/containers/container.ts';
import { countKeys, jsonShape } from '../../src/containers/json-shape.ts';
import { LIMITS } from '../../src/containers/limits.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { bookEntry, bookOf, cardWith, worldEntry, worldOf } from '../support/fixtures.ts';
import { buildPng, buildZip, type ChunkSpec, rawChunks } from '../support/png-fixtures.ts';
import { cliPath, done, here, inspected, jsonOf, listed, put, refused, runNode } from './run-cli.ts';

const MIB = 1024 * 1024;
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Runs one command within 1 GB of heap and 20 seconds, and says what it took. */
function bounded(...args: readonly string[]): {
  status: number | null;
  lines: number;
  error: string;
  seconds: number;
} {
  const start = performance.now();
  const run = runNode(['--max-old-space-size=1500', cliPath, ...args], 30_000);
  return {
    status: run.status,
    lines: run.stderr === '' ? 0 : run.stderr.trimEnd().split('\n').length,
    error: run.stderr,
    seconds: (performance.now() - start) / 1000,
  };
}

/** All three commands on one file: each ends with a result or one sentence, soon, and leaves nothing when it fails. */
function expectBounded(name: string, status: 0 | 2): void {
  for (const old of ['x', 'o', 'r.json']) rmSync(join(here(), old), { recursive: true, force: true });
  for (const args of [
    ['inspect', name, '--json'],
    ['extract', name, '-o', 'x'],
    ['convert', name, '--to', 'sillytavern', '-o', 'o/', '--report', 'r.json'],
  ]) {
    const run = bounded(...args);
    expect({ args, status: run.status, error: run.error.slice(0, 300) }).toMatchObject({ status });
    expect(run.lines).toBe(status === 0 ? 0 : 1);
    expect(run.seconds).toBeLessThan(20);
    if (status === 2) expect(listed()).toEqual([name]);
  }
}

describe('JSON in an unusual shape', () => {
  const deep = (levels: number, inner: string): string =>
    `{"data":{"name":"x","character_book":{"entries":[{"keys":["a"],"content":"c","x":${'['.repeat(levels)}${inner}${']'.repeat(levels)}}]}}}`;
  it('nested a million times', () => {
    put('f.json', deep(1_000_000, ''));
    expectBounded('f.json', 2);
  });
  it('nested as deep as is allowed', () => {
    put('f.json', deep(500, ''));
    expectBounded('f.json', 0);
  });
  it('nested deep and wide, so that its indentation would be gigabytes', () => {
    put('f.json', deep(500, `1${',1'.repeat(2_000_000)}`));
    expectBounded('f.json', 0);
    expect(inspected('f.json').entries).toHaveLength(1);
  });
  it('the same where a finding shows the value', () => {
    const wide = `${'['.repeat(500)}1${',1'.repeat(1_000_000)}${']'.repeat(500)}`;
    put('f.json', `{"data":{"name":"x","character_book":{"entries":[{"content":"c","position":${wide}}]}}}`);
    expectBounded('f.json', 0);
  });
  it.each([
    ['empty objects', '{}'],
    ['zeros', '0'],
    ['empty lists', '[]'],
  ])('20 million %s as entries', (_, item) => {
    put(
      'f.json',
      `{"data":{"name":"x","character_book":{"entries":[${`${item},`.repeat(20_000_000)}${item}]}}}`,
    );
    expectBounded('f.json', 2);
  });
  it('60,000 keys in each place', () => {
    const keys = range(60_000)
      .map((index) => `"k${index}":${index}`)
      .join(',');
    put(
      'f.json',
      `{"data":{"name":"x",${keys},"extensions":{${keys}},"character_book":{"entries":[{"content":"c",${keys}}]}}}`,
    );
    expectBounded('f.json', 0);
  });
  it('60 million spaces', () => {
    put('f.json', ' '.repeat(60_000_000));
    expectBounded('f.json', 2);
  });
  it('nothing but NULs, a lone quote, numbers without end', () => {
    put('f.json', new Uint8Array(100_000));
    expectBounded('f.json', 2);
    put('f.json', `{"a":"${'x'.repeat(5_000_000)}`);
    expectBounded('f.json', 2);
    put('f.json', `[${'9'.repeat(20_000_000)}]`);
    expectBounded('f.json', 2);
  });
  it('has its keys and numbers counted before it is parsed', () => {
    const shape = (text: string) => jsonShape(text, LIMITS);
    expect(shape('{"a":{"b":[1,{"c":":"}]},"d":"\\":"}')).toEqual({ keys: 4, inexact: undefined });
    expect(shape('[1e9,0.30000000000000004,9007199254740991,123456789.25,1e308,-5]')).toMatchObject({
      inexact: undefined,
    });
    expect(shape('[12345678901234567890]')).toMatchObject({ inexact: '12345678901234567890' });
    expect(shape('[1e999]')).toMatchObject({ inexact: '1e999' });
    expect(shape('[-9007199254740993]')).toMatchObject({ inexact: '9007199254740993' });
    expect(shape(`[${'9'.repeat(500)}]`)).toMatchObject({ inexact: '99999999999999999999...' });
    expect(jsonShape('[1,2,3]', { jsonDepth: 9, jsonValues: 3 })).toEqual({ over: 'jsonValues' });
    expect(countKeys([{ a: 1, b: [{ c: null }] }, 'x', null])).toBe(3);
  });
  it('which loses something when it is read, says so', () => {
    const notes = (text: string) => {
      const read = readJsonBytes(bytes(text), LIMITS);
      return 'notes' in read ? read.notes : read;
    };
    expect(notes('{"a":1,"b":{"a":1}}')).toEqual([]);
    expect(notes('{"__proto__":1,"constructor":2}')).toEqual([]);
    expect(notes('{"a":1,"a":2}')).toEqual([expect.stringMatching(/key twice/)]);
    expect(notes('{"id":12345678901234567890}')).toEqual([
      expect.stringMatching(/12345678901234567890.*not kept exactly/),
    ]);
  });
  it('is written without spaces when there would be too many', () => {
    let value: Json = range(100_000);
    for (const _ of range(400)) value = [value];
    expect(indentedJson(value, 4)).toBe(JSON.stringify(value));
    expect(indentedJson([{ a: 1 }], 2)).toBe(JSON.stringify([{ a: 1 }], null, 2));
  });
});

describe('big books', () => {
  const plain = (count: number, given: JsonObject = {}): JsonObject =>
    cardWith({
      entries: range(count).map((id) => ({ id, keys: [`k${id}`], content: `Text ${id}.`, ...given })),
    });
  it('200,000 entries, each with findings', () => {
    put('f.json', plain(200_000));
    const run = runNode(['--max-old-space-size=1500', cliPath, 'inspect', 'f.json'], 30_000);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout.match(/^ {2}\d+ /gm)).toHaveLength(200_000);
    expect(bounded('convert', 'f.json', '--to', 'sillytavern', '--as', 'book', '-o', 'b.json')).toMatchObject(
      {
        status: 0,
        error: '',
      },
    );
    expect(jsonOf('b.json')['entries']).toHaveLength(200_000);
  });
  it('50,000 entries with one id', () => {
    put('f.json', plain(50_000, { id: 1, position: 'before_char', enabled: true, insertion_order: 1 }));
    expectBounded('f.json', 0);
  });
  it('a world file of 100,000 entries', () => {
    put('w.json', {
      entries: Object.fromEntries(range(100_000).map((uid) => [uid, { uid, key: ['k'], content: 'c' }])),
    });
    const run = bounded('convert', 'w.json', '--to', 'sillytavern', '--as', 'book', '-o', 'b.json');
    expect(run).toMatchObject({ status: 0, error: '' });
    expect(jsonOf('b.json')['entries']).toHaveLength(100_000);
  });
  it('300,000 entries are refused by their number', () => {
    put('f.json', cardWith({ entries: range(300_000).map(() => 0) }));
    expect(refused('inspect', 'f.json')).toBe(
      'f.json holds 300000 lorebook entries, more than the limit of 250000.',
    );
    put('f.json', {
      name: 'x',
      extensions: { character_books: range(300_000).map(() => ({ entries: [0] })) },
    });
    expect(refused('inspect', 'f.json')).toMatch(/300000 lorebook entries/);
  });
  it('20,000 books are refused by their number, also those that a merged book says it holds', () => {
    put('f.json', {
      name: 'x',
      extensions: { character_books: range(20_000).map(() => ({ entries: [0] })) },
    });
    expect(refused('inspect', 'f.json')).toBe('f.json holds 20000 lorebooks, more than the limit of 10000.');
    const sources = range(20_000).map((index) => ({ entryCount: index === 0 ? 1 : 0 }));
    put('f.json', cardWith({ ...bookOf(bookEntry()), extensions: { vaud_source_books: sources } }));
    expect(refused('inspect', 'f.json')).toBe('f.json holds 20000 lorebooks, more than the limit of 10000.');
  });
  it('thousands of books with one name: each is a file of its own', () => {
    const books = range(3000).map((index) => bookOf(bookEntry({ content: `Text ${index}.` })));
    put('f.json', cardWith(undefined, { extensions: { character_books: books } }));
    const run = bounded('extract', 'f.json', '-o', 'x');
    expect(run).toMatchObject({ status: 0, error: '' });
    expect(listed('x')).toHaveLength(3001);
  });
});

describe('keys', () => {
  const CATASTROPHIC = [
    '/(a+)+$/',
    '/(a|a)*b/i',
    '/^(([a-z])+.)+[A-Z]([a-z])+$/',
    '/(.*.*.*.*.*)*x/s',
    '(a+)+$',
  ];
  it('that are patterns are never run, whatever text they meet', () => {
    const text = `${'a'.repeat(200_000)}!`;
    const entry = { keys: CATASTROPHIC, secondary_keys: CATASTROPHIC, use_regex: true };
    put(
      'f.json',
      cardWith(
        bookOf(
          bookEntry({ ...entry, comment: text, content: text }),
          bookEntry({ ...entry, id: 1, keys: [text] }),
        ),
      ),
    );
    expectBounded('f.json', 0);
  });
  it('nor when it is asked which entries start which, or what the card itself holds', () => {
    const text = `${'a'.repeat(60)}!`;
    const asked = {
      keys: [
        ...CATASTROPHIC,
        'a'.repeat(100_000),
        `/${'a'.repeat(100_000)}/`,
        `/${'('.repeat(30_000)}a${')'.repeat(30_000)}/`,
      ],
      extensions: { position: 0, match_character_description: true, match_whole_words: true },
    };
    const entries = [bookEntry(asked), bookEntry({ id: 1, keys: ['b'], content: text })];
    put('f.json', cardWith(bookOf(...entries), { name: text, description: text, first_mes: text }));
    for (const target of ['risu', 'agnai', 'marinara', 'lumiverse', 'rolecall']) {
      for (const style of ['natural', 'exact']) {
        const run = bounded(
          'convert',
          'f.json',
          '--to',
          target,
          '--style',
          style,
          '-o',
          `${target}-${style}/`,
        );
        expect({ target, style, status: run.status, error: run.error }).toMatchObject({
          status: 0,
          error: '',
        });
        expect(run.seconds).toBeLessThan(20);
      }
    }
  });
  it('10,000 of them in an entry', () => {
    const keys = range(10_000).map((index) => `/(k${index}+)+$/i`);
    put('f.json', cardWith(bookOf(...range(20).map((id) => bookEntry({ id, keys })))));
    expectBounded('f.json', 0);
  });
  it('10,000 that do not compile, each with its finding', () => {
    const keys = range(10_000).map((index) => `(k${index}+`);
    put('f.json', cardWith(bookOf(...range(15).map((id) => ({ id, use_regex: true, keys, content: 'x' })))));
    expectBounded('f.json', 0);
  });
  it('that are long and made to be parsed slowly', () => {
    const keys = [
      `/${'a/'.repeat(1_000_000)}`,
      `/${'g'.repeat(3_000_000)}!`,
      `/${'('.repeat(3_000_000)}/`,
      `/${'(?:'.repeat(50_000)}${')'.repeat(50_000)}/`,
      `/${'\\/'.repeat(1_000_000)}/gimsuy`,
      `/${'/'.repeat(1_000_000)}`,
    ];
    put('f.json', cardWith(bookOf(bookEntry({ keys }), bookEntry({ id: 1, use_regex: true, keys }))));
    expectBounded('f.json', 0);
  });
  it('with odd flags and slashes are text, or what SillyTavern takes them for', () => {
    const keys = [
      '/a/gg',
      '/a/x',
      '/a/gimsuyd',
      '/a/v',
      '//',
      '///',
      '/a',
      '/[/',
      '/(?<=a)b/',
      '/a\\/b/i',
      '/a/b/i',
      '',
    ];
    put('f.json', cardWith(bookOf(bookEntry({ keys, extensions: { position: 0 } }))));
    expect(inspected('f.json').entries[0]?.keys).toEqual(keys);
    done('convert', 'f.json', '--to', 'sillytavern', '-o', 'o.json');
    expect(jsonOf('o.json')).toEqual(jsonOf('f.json'));
  });
});

describe('names of JavaScript as keys', () => {
  const at = (inner: string): string =>
    `"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"valueOf":2,"hasOwnProperty":3,"prototype":{"polluted":1},"length":-1,"then":5${inner === '' ? '' : `,${inner}`}`;
  const extensions = `"extensions":{${at('"position":4,"depth":1,"character_filter":{"names":["a"],"__proto__":{"polluted":1}}')}}`;
  const entry = `{${at(`"keys":["__proto__","constructor"],"content":"c","comment":"constructor",${extensions}`)}}`;
  const book = `{${at(`"name":"__proto__",${extensions},"entries":[${entry}]`)}}`;
  const CARD = `{${at(`"spec":"chara_card_v2","data":{${at(`"name":"constructor","extensions":{${at('"world":"x"')}},"character_book":${book}`)}}`)}}`;
  it('at every level come back as they stand, and nothing is polluted', () => {
    put('f.json', CARD);
    const [found] = inspected('f.json').entries;
    expect(found).toMatchObject({ keys: ['__proto__', 'constructor'], slot: 'depth', depth: 1 });
    done('convert', 'f.json', '--to', 'sillytavern', '-o', 'o.json');
    expect(JSON.stringify(jsonOf('o.json'))).toBe(JSON.stringify(JSON.parse(CARD)));
    done('extract', 'f.json', '-o', 'x');
    expect(listed('x')).toEqual(['__proto__.json', 'f.json']);
    done('convert', 'x/f.json', '--to', 'sillytavern', '--book', 'x/__proto__.json', '-o', 'b.json');
    const bookIn = (name: string): string =>
      JSON.stringify((jsonOf(name)['data'] as JsonObject)['character_book']);
    expect(bookIn('b.json')).toBe(JSON.stringify(JSON.parse(book)));
  });
  it('in the containers of entries', () => {
    const entries = `{"__proto__":{"keys":["a"],"content":"one"},"constructor":{"keys":["b"],"content":"two"},"5":{"content":"three"}}`;
    put('f.json', `{"data":{"name":"x","character_book":{"entries":${entries}}}}`);
    expect(inspected('f.json').entries).toHaveLength(3);
    done('convert', 'f.json', '--to', 'sillytavern', '-o', 'o.json');
    expect(JSON.stringify(jsonOf('o.json'))).toBe(JSON.stringify(jsonOf('f.json')));
    put(
      'w.json',
      `{"entries":${entries.replaceAll('"keys"', '"key"')},"loreferry":{"__proto__":{"original":{}}},"extensions":{"__proto__":{"loreferry":{}}}}`,
    );
    expect(inspected('w.json').entries).toHaveLength(3);
    done('convert', 'w.json', '--to', 'sillytavern', '-o', 'v.json');
    expect(JSON.stringify(jsonOf('v.json'))).toBe(JSON.stringify(jsonOf('w.json')));
  });
});

describe('values of any kind in any place', () => {
  const ODD: readonly Json[] = [
    null,
    true,
    0,
    -1,
    1e308,
    5e-324,
    -0.5,
    '',
    ' ',
    'NaN',
    'Infinity',
    '0x10',
    '1e999',
    '__proto__',
    '\ud800',
    '\u0000',
    [],
    {},
    [[[]]],
    [null],
    ['x', 5],
    { x: 1 },
    { names: 5 },
    { toString: 1, valueOf: 1 },
  ];
  const FIELDS = [
    ...[
      'id',
      'uid',
      'keys',
      'key',
      'secondary_keys',
      'keysecondary',
      'name',
      'comment',
      'content',
      'constant',
      'selective',
    ],
    ...[
      'insertion_order',
      'order',
      'enabled',
      'disable',
      'position',
      'use_regex',
      'case_sensitive',
      'extensions',
      'entry',
    ],
    ...[
      'depth',
      'role',
      'probability',
      'useProbability',
      'selectiveLogic',
      'group',
      'group_weight',
      'sticky',
      'triggers',
    ],
    ...[
      'character_filter',
      'characterFilter',
      'delay_until_recursion',
      'scan_depth',
      'outlet_name',
      'display_index',
    ],
    ...['preventRecursion', 'groupWeight', 'selective_logic', 'vectorized', 'automation_id', 'displayIndex'],
  ];
  const entries = FIELDS.flatMap((field) =>
    ODD.flatMap((value, index) => [
      bookEntry({ id: index, [field]: value }),
      bookEntry({ id: index, extensions: { [field]: value } }),
    ]),
  );
  it('of an entry: unedited it comes back as it stands', () => {
    put('f.json', cardWith(bookOf(...entries, ...(ODD as readonly JsonObject[]))));
    expect(inspected('f.json').entries).toHaveLength(entries.length + ODD.length);
    done('convert', 'f.json', '--to', 'sillytavern', '-o', 'o.json');
    expect(jsonOf('o.json')).toEqual(jsonOf('f.json'));
    done('extract', 'f.json', '-o', 'x');
    done('convert', 'x/f.json', '--to', 'sillytavern', '--book', 'x/Quay Notes.json', '-o', 'b.json');
    const bookIn = (name: string): Json | undefined => (jsonOf(name)['data'] as JsonObject)['character_book'];
    expect(bookIn('b.json')).toEqual(bookIn('f.json'));
  });
  it("of a world file's entry", () => {
    const worldEntries = FIELDS.flatMap((field) =>
      ODD.map((value) => ({ ...worldEntry(0), [field]: value })),
    );
    put('w.json', { entries: Object.fromEntries(worldEntries.map((entry, index) => [index, entry])) });
    expect(inspected('w.json').entries).toHaveLength(worldEntries.length);
    done('convert', 'w.json', '--to', 'sillytavern', '-o', 'v.json');
    expect(jsonOf('v.json')).toEqual(jsonOf('w.json'));
    done('convert', 'w.json', '--to', 'sillytavern', '--as', 'book', '-o', 'b.json');
    expect(jsonOf('b.json')['entries']).toHaveLength(worldEntries.length);
  });
  it('of a book, its slots, and the card around it', () => {
    const cards = ODD.flatMap((value): JsonObject[] => [
      ...['name', 'description', 'scan_depth', 'token_budget', 'recursive_scanning', 'extensions', 'x'].map(
        (field) => cardWith({ ...bookOf(bookEntry()), [field]: value }),
      ),
      ...[{ entries: value }, value].map((book) => cardWith(book)),
      cardWith(undefined, { extensions: value }),
      cardWith(bookOf(bookEntry()), { extensions: value }),
      cardWith(undefined, { extensions: { character_book: value, character_books: value, world: value } }),
      cardWith({ ...bookOf(bookEntry()), extensions: { vaud_source_books: value, loreferry: value } }),
      { spec: value, data: { name: value, character_book: bookOf(bookEntry()) } },
      { name: 'x', data: value, first_mes: value, character_book: value },
      { entries: value },
      { name: 'x', characterBook: value },
      { name: 'x', characterBook: { kind: 'memory', entries: [value] } },
    ]);
    // In one process each, they would take minutes; the doors behind the command line are the same.
    for (const [index, card] of cards.entries()) put(`c/${index}.json`, card);
    const script = `
      import { readdirSync } from 'node:fs';
      process.argv = [process.argv[0], ${JSON.stringify(cliPath)}, '--version'];
      const { run } = await import(${JSON.stringify(cliPath)});
      const failed = [];
      for (const name of readdirSync('c')) {
        for (const args of [['inspect', 'c/' + name], ['extract', 'c/' + name, '-o', 'x/' + name], ['convert', 'c/' + name, '--to', 'sillytavern', '-o', 'o/' + name]]) {
          const status = run(args);
          if (status === 1) failed.push(args.join(' '));
        }
      }
      if (failed.length > 0 || ({}).polluted !== undefined) process.stderr.write('FAILED ' + failed.join(', '));
    `;
    const run = runNode(['--input-type=module', '-e', script]);
    expect(run.stderr).not.toMatch(/FAILED|Loreferry itself failed/);
    expect(run.status).toBe(0);
    expect(listed('o').length).toBeGreaterThan(cards.length / 2);
  });
});

describe('pictures', () => {
  const CARD = cardWith(bookOf(bookEntry()));
  const text = (count: number, keyword: string): ChunkSpec[] =>
    range(count).map(() => ({ type: 'tEXt', keyword, text: 'b' }));
  it('of 30,000 chunks', () => {
    put('f.png', buildPng([...text(30_000, 'a'), { type: 'tEXt', keyword: 'chara', base64json: CARD }]));
    expectBounded('f.png', 2);
    put('f.png', buildPng([...text(15_000, 'a'), { type: 'tEXt', keyword: 'chara', base64json: CARD }]));
    expectBounded('f.png', 0);
  });
  it('of thousands of cards', () => {
    put(
      'f.png',
      buildPng(
        range(5000).map((index) => ({
          type: 'tEXt',
          keyword: index % 2 ? 'chara' : 'ccv3',
          base64json: CARD,
        })),
      ),
    );
    expectBounded('f.png', 0);
  });
  it('whose compressed cards are bombs', () => {
    const bomb = Buffer.concat([Buffer.from('chara\0\0'), deflateSync(Buffer.alloc(200 * MIB, 32))]);
    put('f.png', buildPng(range(20).map(() => ({ type: 'zTXt', bytes: bomb }))));
    const run = bounded('inspect', 'f.png');
    expect(run).toMatchObject({
      status: 2,
      lines: 1,
      error: expect.stringMatching(/inflates to more than the limit/),
    });
    expect(run.seconds).toBeLessThan(15);
  });
});

describe('archives', () => {
  const CARD = cardWith(bookOf(bookEntry()));
  const card = { path: 'card.json', text: JSON.stringify(CARD) };
  const zeros = Buffer.alloc(60 * MIB);
  it('with a bomb that says what it is, or lies', () => {
    put('f.charx', buildZip([card, { path: 'a.bin', bytes: zeros }]));
    expectBounded('f.charx', 0);
    put('f.charx', buildZip([card, { path: 'a.bin', bytes: zeros, size: 100 }]));
    expectBounded('f.charx', 0);
    put('f.charx', buildZip([card, ...['a', 'b'].map((path) => ({ path, text: 'x', size: 200 * MIB }))]));
    expectBounded('f.charx', 2);
    put('f.charx', buildZip([{ path: 'card.json', bytes: Buffer.alloc(70 * MIB, 32) }]));
    expectBounded('f.charx', 2);
  });
  it('with names that lead out: nothing is written there', () => {
    const evil = ['../../evil', '/tmp/loreferry-evil', 'C:\\evil', '..\\evil', '\u001b[31m'];
    put('f.charx', buildZip([card, ...evil.map((path) => ({ path, text: 'x' }))]));
    done('extract', 'f.charx', '-o', 'in/x');
    done('convert', 'f.charx', '--to', 'sillytavern', '-o', 'in/o.charx');
    expect(listed()).toEqual([
      'f.charx',
      'in/',
      'in/o.charx',
      'in/x/',
      'in/x/Quay Notes.json',
      'in/x/f.charx',
    ]);
  });
  it('are written back with their members packed as they came', () => {
    const picture = Buffer.from(range(50_000).map((index) => (index * 7919) % 251));
    const members = [
      card,
      { path: 'assets/a.bin', bytes: Buffer.alloc(100_000, 'abc') },
      { path: 'assets/b.png', bytes: picture, stored: true },
      { path: 'assets/c.png', bytes: picture },
      { path: 'assets/wrong', bytes: picture, crc: 5 },
    ];
    const read = readContainer(buildZip(members), 'x.charx');
    const written = writeContainer(read, { ...CARD, new: 1 });
    const again = readContainer(written, 'x.charx');
    expect(again.json).toEqual({ ...CARD, new: 1 });
    expect([...(again.zip ?? [])].slice(1)).toEqual([...(read.zip ?? [])].slice(1));
    // Node packs a little better than we do: our own packing would show in the bytes.
    expect(Buffer.from(written).includes(deflateRawSync(Buffer.alloc(100_000, 'abc')))).toBe(true);
    const check = Buffer.alloc(4);
    check.writeUInt32LE(crc32(picture));
    expect(Buffer.from(written).includes(check)).toBe(true);
  });
});

describe('what is no file', () => {
  it('a folder, a pipe, a device, a link into nothing', () => {
    put('w.json', worldOf(worldEntry(0)));
    put('c.json', cardWith(bookOf(bookEntry())));
    spawnSync('mkfifo', [join(here(), 'pipe')]);
    symlinkSync('none', join(here(), 'link'));
    for (const [name, words] of [
      ['.', /is a folder, not a file/],
      ['pipe', /is a pipe or a device, not a file/],
      ['/dev/zero', /is a pipe or a device, not a file/],
      ['link', /does not exist/],
      ['w.json/x', /does not exist/],
    ] as const) {
      expect(refused('inspect', name)).toMatch(words);
      expect(refused('extract', name, '-o', 'x')).toMatch(words);
      expect(refused('convert', 'c.json', '--to', 'sillytavern', '--book', name, '-o', 'o.json')).toMatch(
        words,
      );
    }
    expect(refused('convert', 'c.json', '--to', 'sillytavern', '-o', '/dev/null', '--force')).toMatch(
      /is a pipe or a device/,
    );
    expect(refused('convert', 'c.json', '--to', 'sillytavern', '-o', 'pipe', '--force')).toMatch(
      /is a pipe or a device/,
    );
    expect(listed()).toEqual(['c.json', 'link', 'pipe', 'w.json']);
  });
  it('a file that is too big is not read into memory', () => {
    put('f.json', '');
    spawnSync('truncate', ['-s', '3G', join(here(), 'f.json')]);
    const run = bounded('inspect', 'f.json');
    expect(run).toMatchObject({
      status: 2,
      lines: 1,
      error: expect.stringMatching(/3072 MiB big, more than the limit/),
    });
    expect(run.seconds).toBeLessThan(3);
  });
  it('a file without a size of its own', () => {
    expect(refused('inspect', '/proc/self/status')).toMatch(/not valid JSON/);
  });
});

describe('a file that changes while it is read', () => {
  it('is read as one or the other, or refused', () => {
    const long = JSON.stringify(cardWith(bookOf(...range(20_000).map((id) => bookEntry({ id })))));
    const small = JSON.stringify(cardWith(bookOf(bookEntry())));
    put('f.json', long);
    const path = join(here(), 'f.json');
    const writer = `
      const { writeFileSync } = require('node:fs');
      const texts = ${JSON.stringify(['LONG', 'SMALL'])};
      const long = require('node:fs').readFileSync(${JSON.stringify(path)}, 'utf8');
      const end = Date.now() + 4000;
      for (let i = 0; Date.now() < end; i++) writeFileSync(${JSON.stringify(path)}, i % 2 ? long : ${JSON.stringify(small)});
    `;
    const script = `
      const { spawn, spawnSync } = require('node:child_process');
      const writer = spawn(process.execPath, ['-e', ${JSON.stringify(writer)}]);
      const seen = [];
      for (let i = 0; i < 12; i++) {
        const run = spawnSync(process.execPath, [${JSON.stringify(cliPath)}, 'inspect', 'f.json', '--json'], { encoding: 'utf8', maxBuffer: 1e9 });
        seen.push([run.status, run.stderr.split('\\n').length - 1, run.status === 0 ? JSON.parse(run.stdout).entries.length : 0]);
      }
      writer.kill();
      process.stdout.write(JSON.stringify(seen));
    `;
    const seen = JSON.parse(runNode(['-e', script]).stdout) as readonly (readonly [number, number, number])[];
    for (const [status, lines, count] of seen) {
      expect([0, 2]).toContain(status);
      expect(lines).toBe(status === 0 ? 0 : 1);
      if (status === 0) expect([1, 20_000]).toContain(count);
    }
    writeFileSync(path, '');
  });
});

it('who reads only the beginning is shown no error', () => {
  put('f.json', cardWith(bookOf(...range(20_000).map((id) => bookEntry({ id })))));
  const run = spawnSync(
    'sh',
    ['-c', `"${process.execPath}" "${cliPath}" inspect f.json --json | head -c 10; echo " $?"`],
    { cwd: here(), encoding: 'utf8' },
  );
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/^\{/);
});

it('the chunks of a built picture are right', () => {
  expect(rawChunks(buildPng([{ type: 'IDAT' }]))).toHaveLength(3);
});
