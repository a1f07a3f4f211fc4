// `loreferry convert --option`: what only one app's files leave to the user; and settings beside world info's own.

import { describe, expect, it } from 'vitest';
import { FORMS } from '../../src/convert-file.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { EXPORTERS } from '../../src/formats/exporters.ts';
import { bookEntry, bookOf, cardWith } from '../support/fixtures.ts';
import { done, jsonOf, put, type Report, refused } from './run-cli.ts';

const CARD = cardWith(
  bookOf(
    bookEntry({ id: 0, keys: ['лампа'], content: 'The lamp.' }),
    bookEntry({ id: 1, keys: ['Quay'], content: 'Of stone.', extensions: { case_sensitive: true } }),
    bookEntry({ id: 2, keys: ['boat'], content: 'It lies at the Quay.' }),
    bookEntry({ id: 3, keys: ['note'], content: 'A note.', extensions: { position: 2 } }),
  ),
);

function converted(to: string, ...options: readonly string[]): { report: Report; card: JsonObject } {
  put('card.json', CARD);
  done('convert', 'card.json', '--to', to, ...options, '-o', 'out.json', '--report', 'r.json', '--force');
  return { report: jsonOf('r.json') as unknown as Report, card: jsonOf('out.json') };
}

const memory = (card: JsonObject) =>
  (card['characterBook'] as { entries: { keywords: string[]; enabled: boolean }[] }).entries;
const lore = (card: JsonObject) =>
  (card['data'] as { character_book: { entries: { keys: string[]; content: string }[] } }).character_book
    .entries;

describe('Agnai', () => {
  it('switches off what nothing there can find, or has it always', () => {
    expect(memory(converted('agnai').card)[0]).toMatchObject({ enabled: false });
    expect(memory(converted('agnai', '--option', 'non-latin-keys=always').card)[0]).toMatchObject({
      enabled: true,
      keywords: ['*'],
    });
  });

  it('adds the keywords of entries that name another: in exact, or where that is asked for', () => {
    const ofQuay = (...options: string[]) => memory(converted('agnai', ...options).card)[1]?.keywords;
    const flattened = ofQuay('--option', 'flatten-recursion=on');
    expect(ofQuay()).toHaveLength(1);
    expect(flattened).toHaveLength(2);
    expect(ofQuay('--style', 'exact')).toHaveLength(2);
    expect(ofQuay('--style', 'exact', '--option', 'flatten-recursion=off')).toHaveLength(1);
  });
});

describe('RisuAI', () => {
  it('writes keys that mind case as patterns, or plain where that is asked for, and says so', () => {
    const keysOf = (card: JsonObject) => lore(card)[1]?.keys[0] as string;
    expect(keysOf(converted('risu').card)).toMatch(/^\/.*Quay/);
    const { card, report } = converted('risu', '--option', 'case-sensitive-keys=plain');
    expect(keysOf(card)).toBe('Quay');
    const about = report.findings.filter(({ entryId, path }) => path === 'keys' && entryId !== null);
    expect(about.some(({ message }) => /“Quay”.*small and capital letters/.test(message))).toBe(true);
  });
});

describe('what cannot be', () => {
  it.each([
    [
      ['risu', 'flatten-recursion=on'],
      'risu has no option flatten-recursion; there are case-sensitive-keys.',
    ],
    [['marinara', 'x=y'], 'marinara has no option x; there are none.'],
    [['agnai', 'non-latin-keys=maybe'], 'The option non-latin-keys of agnai is one of off, always.'],
    [
      ['agnai', 'constructor=on'],
      'agnai has no option constructor; there are non-latin-keys, flatten-recursion.',
    ],
    [['agnai', 'on'], '--option needs a name and a value, as in --option name=value.'],
  ] as const)('%j', ([to, option], said) => {
    put('card.json', CARD);
    expect(refused('convert', 'card.json', '--to', to, '--option', option, '-o', 'o.json')).toBe(said);
  });

  it('an option of the other style', () => {
    put('card.json', CARD);
    const option = ['--option', 'case-sensitive-keys=plain', '--style', 'exact'];
    expect(refused('convert', 'card.json', '--to', 'risu', ...option, '-o', 'o.json')).toBe(
      'The option case-sensitive-keys of risu is for the style natural alone.',
    );
  });

  it('is without effect for SillyTavern, and said so', () => {
    put('card.json', CARD);
    const said = done('convert', 'card.json', '--to', 'sillytavern', '--option', 'a=b', '-o', 'o.json');
    expect(said).toContain('--option: no effect for sillytavern.');
  });
});

describe('a file of settings', () => {
  it('that holds none of them is said; an empty one means the shipped ones', () => {
    put('card.json', CARD);
    const convert = (settings: string, out: string): string =>
      done('convert', 'card.json', '--to', 'risu', '--settings', settings, '-o', out);
    put('other.json', { name: 'a package', scripts: {} });
    expect(convert('other.json', 'a.json')).toContain(
      'other.json holds no world info settings of SillyTavern’s; the shipped ones were used.',
    );
    put('empty.json', {});
    put('some.json', { world_info_settings: { world_info_depth: 3 } });
    for (const name of ['empty', 'some'])
      expect(convert(`${name}.json`, `${name}-out.json`)).not.toContain('holds no world info settings');
  });
});

describe('settings beside those of world info', () => {
  const assumed = ({ findings }: Report) =>
    findings.filter(({ code, path }) => code === 'assumed' && path === 'settings').map(({ after }) => after);

  it('the author’s note stands at its own depth; where nobody tells, at 4, and that is said', () => {
    const before = converted('risu');
    expect(lore(before.card)[3]?.content).toContain('@@depth 4\n');
    expect(assumed(before.report)).toEqual([expect.objectContaining({ noteDepth: 4, depth: 2 })]);
    put('settings.json', { extension_settings: { note: { defaultDepth: 7 } } });
    const after = converted('risu', '--settings', 'settings.json');
    expect(lore(after.card)[3]?.content).toContain('@@depth 7\n');
    expect(assumed(after.report)).toEqual([expect.not.objectContaining({ noteDepth: 4 })]);
  });

  it('a budget in percent is one of the prompt’s size', () => {
    put('settings.json', {
      main_api: 'openai',
      max_context: 4000,
      amount_gen: 1000,
      oai_settings: { openai_max_context: 40_300, openai_max_tokens: 300 },
      world_info_settings: { world_info_budget: 50 },
    });
    const { card } = converted('risu', '--settings', 'settings.json');
    expect(card).toHaveProperty('data.character_book.token_budget', 20_000);
  });
});

it('--help names every option', () => {
  const help = done('--help');
  for (const name of [
    'non-latin-keys=off|always',
    'flatten-recursion=off|on',
    'case-sensitive-keys=pattern|plain',
  ])
    expect(help).toContain(name);
});

it('--help says which forms and versions each app has, and what is private', () => {
  const help = done('--help');
  for (const { id, forms, versions } of EXPORTERS) {
    const line = help.split('\n').find((each) => each.trim().startsWith(`${id} `));
    for (const word of [...forms, ...versions]) expect(line).toContain(word);
  }
  for (const form of FORMS) expect(help).toMatch(new RegExp(`^ {4}.*\\b${form}\\b`, 'm'));
  expect(help).toMatch(/--private keep\|drop +character filters and automation ids/);
  expect(help.split('\n').filter((line) => line.length > 100)).toEqual([]);
});
