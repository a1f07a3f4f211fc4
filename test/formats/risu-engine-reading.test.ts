// What RisuAI's engine makes of its lines, keys and left-over fields (460ecae2): an entry fires here when it fires there,
// or what differs is said.

import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { readCharacterBook } from '../../src/formats/_shared/character-book.ts';

const row = (more: JsonObject): JsonObject => ({
  keys: ['lamp'],
  content: 'x',
  extensions: {},
  enabled: true,
  insertion_order: 100,
  constant: false,
  selective: false,
  name: 'A',
  comment: 'A',
  case_sensitive: false,
  use_regex: false,
  mode: 'normal',
  ...more,
});

interface Read {
  readonly entry: LorebookEntry;
  readonly said: readonly Finding[];
  readonly whole: readonly Finding[];
}

function read(entries: readonly Json[], book: JsonObject = {}): Read {
  const raw = { extensions: { risu_fullWordMatching: true }, recursive_scanning: false, ...book, entries };
  const { body, findings } = readCharacterBook(raw, 'b');
  const [entry] = body.entries;
  if (entry === undefined) throw new Error('no entry');
  return {
    entry,
    said: findings.filter(({ entryId }) => entryId === entry.id),
    whole: findings.filter(({ entryId }) => entryId === null),
  };
}

const ofLines = (content: string, more: JsonObject = {}): Read => read([row({ content, ...more })]);
const codes = (said: readonly Finding[], path: string): readonly string[] =>
  said.filter((each) => each.path === path).map(({ code }) => code);

describe('lines', () => {
  it('what is forced on has no chance and waits for nothing', () => {
    const { entry } = ofLines('@@activate\n@@probability 20\n@@activate_only_after 9\nx');
    expect(entry).toMatchObject({ constant: true, probability: { chance: 100 }, timing: { delay: null } });
  });
  it('an entry without keys is passed over, whatever its lines say', () => {
    const { entry, said } = ofLines('@@activate\nx', { keys: [''] });
    expect(entry).toMatchObject({ constant: false, keys: [] });
    expect(codes(said, 'constant')).toEqual(['assumed']);
  });
  it.each([
    ['@@probability 50\n@@probability 50', 25],
    ['@@probability x', 100],
    ['@@probability 150', 100],
    ['@@probability -1', 0],
    ['@@probability 40\n@@probability 30', 12],
  ])('%j is a chance of %d', (lines, chance) => {
    expect(ofLines(`${lines}\nx`).entry.probability.chance).toBe(chance);
  });
  it('a chance without a number needs no fallback', () => {
    expect(ofLines('@@probability x\n@@@depth 3\nx').entry.position.slot).toBe('character');
  });
  it('a chance in percent and one in a line are both thrown, until the app has written the line itself', () => {
    const old = { content: '@@probability 50\nx', extensions: { risu_activationPercent: 50 } };
    expect(read([row(old)]).entry.probability.chance).toBe(25);
    expect(read([row({ ...old, bookVersion: 2 })]).entry.probability.chance).toBe(50);
  });
  it('of several delays the longest counts', () => {
    expect(ofLines('@@activate_only_after 6\n@@activate_only_after 2\nx').entry.timing.delay).toBe(6);
  });
  it('a switch of the prompt that it does not know lets its fallback speak', () => {
    expect(ofLines('@@disable_ui_prompt chat\n@@@depth 0\nx').entry.position.slot).toBe('depth');
    expect(ofLines('@@disable_ui_prompt system_prompt\n@@@depth 0\nx').entry.position.slot).toBe('character');
  });
  it.each(['@@scan_depth 0', '@@scan_depth -3'])('%s does not hold a constant entry back', (line) => {
    expect(ofLines(`${line}\nx`, { constant: true }).entry.recursion.delayUntil).toBe(0);
    expect(ofLines(`${line}\nx`).entry).toMatchObject({
      recursion: { delayUntil: 1 },
      scan: { depth: null },
    });
  });
  it('a speaker elsewhere than at a depth is kept and named', () => {
    const { entry, said } = ofLines('@@role user\nx');
    expect(entry.position.role).toBe('user');
    expect(codes(said, 'position.role')).toEqual(['approximated']);
    expect(codes(ofLines('@@role user\n@@depth 0\nx').said, 'position.role')).toEqual([]);
    expect(codes(ofLines('@@role user\n@@position pt_a\nx').said, 'position.role')).toEqual([]);
  });
  it('a text that begins as lines do is left out by SillyTavern', () => {
    const { entry, said } = ofLines('@@depth 0\n\n@@ a text\nmore');
    expect(entry.content).toBe('@@ a text\nmore');
    expect(codes(said, 'content')).toEqual(['approximated']);
  });
  it.each([
    ['{{#if_pure {{equal::1::1}}}}A{{/if}}', 1],
    ['Of {{char}} and {{user}}, {{random::a::b}}.', 0],
  ])('code that SillyTavern does not run is named: %s', (text, count) => {
    expect(codes(ofLines(text).said, 'content')).toHaveLength(count);
  });
  it('a copy of another entry in one chat is no entry of its own', () => {
    const { entry, said } = ofLines('', { mode: 'child', constant: true, keys: [''] });
    expect(entry.enabled).toBe(false);
    expect(codes(said, 'mode')).toEqual(['stashed']);
  });
});

describe('keys', () => {
  it.each([
    ['@@additional_keys\nx', {}],
    ['@@exclude_keys_all\nx', {}],
    ['x', { selective: true, secondary_keys: ['', ''] }],
  ])('%j with %j never fires', (content, more) => {
    const { entry, said } = ofLines(content, more);
    expect(entry.enabled).toBe(false);
    expect(codes(said, 'enabled')).toEqual(['approximated']);
  });
  it.each([
    ['@@exclude_keys\nx', {}],
    ['@@exclude_keys_all\nx', { use_regex: true, keys: ['/a/i'] }],
    ['x', { selective: true, secondary_keys: [''] }],
    ['@@additional_keys\nx', { constant: true }],
  ])('%j with %j fires', (content, more) => {
    expect(ofLines(content, more).entry).toMatchObject({ enabled: true, secondaryKeys: [] });
  });
  const WORKING = '/[]|(?:gate)|[]//i';
  it.each([
    [['/gate/i'], 1],
    [['gate'], 1],
    [[WORKING], 1],
    [[WORKING, WORKING], 0],
  ])('patterns %j: RisuAI itself hardly finds them', (keys, count) => {
    expect(codes(ofLines('x', { use_regex: true, keys }).said, 'keys')).toHaveLength(count);
  });
  it('further patterns, too', () => {
    const more = { use_regex: true, keys: [WORKING, WORKING] };
    expect(codes(ofLines('@@exclude_keys door\nx', more).said, 'secondaryKeys')).toEqual(['approximated']);
    const lines = `@@exclude_keys ${WORKING},${WORKING}\nx`;
    const { entry, said } = ofLines(lines, more);
    expect(codes(said, 'secondaryKeys')).toEqual([]);
    expect(entry.secondaryKeys.map(writeKey)).toEqual(['/gate/i']);
  });
  it('what looks like a pattern is text there', () => {
    expect(codes(ofLines('x', { keys: ['/gate/i'] }).said, 'keys')).toEqual(['approximated']);
    const { use_regex: _v2, ...v2 } = row({ keys: ['/gate/i'] });
    expect(codes(read([v2]).said, 'keys')).toEqual(['approximated']);
  });
  it('whole words stand between spaces there', () => {
    expect(codes(ofLines('@@match_full_word\nx').said, 'scan.matchWholeWords')).toEqual(['approximated']);
    expect(codes(ofLines('@@match_full_word\nx', { constant: true }).said, 'scan.matchWholeWords')).toEqual(
      [],
    );
  });
  it('of a constant entry nothing is asked, and nothing is said', () => {
    const content = '@@additional_keys a\n@@exclude_keys b\nx';
    expect(codes(ofLines(content).said, 'logic')).toEqual(['approximated']);
    expect(codes(ofLines(content, { constant: true }).said, 'logic')).toEqual([]);
  });
});

describe("what SillyTavern's own fields said", () => {
  it('counts no more where RisuAI has words of its own', () => {
    const extensions = {
      prevent_recursion: true,
      exclude_recursion: true,
      delay_until_recursion: 2,
      scan_depth: 7,
      ignore_budget: true,
      case_sensitive: true,
      probability: 30,
      useProbability: true,
      delay: 3,
    };
    const { entry, said } = read([row({ extensions })]);
    expect(entry).toMatchObject({
      recursion: { prevent: false, exclude: false, delayUntil: 0 },
      scan: { depth: null, caseSensitive: false },
      probability: { chance: 100, used: true },
      timing: { delay: null },
      ignoreBudget: false,
    });
    const stashed = said.filter(({ code }) => code === 'stashed').map(({ path }) => path);
    expect(stashed).toEqual([
      'recursion.prevent',
      'recursion.exclude',
      'recursion.delayUntil',
      'scan.depth',
      'scan.caseSensitive',
      'ignoreBudget',
    ]);
  });
  it('counts again where it has none, and that is said', () => {
    const extensions = { sticky: 3, group: 'g', vectorized: false, triggers: [], match_scenario: true };
    const { entry, said } = read([row({ extensions })]);
    expect(entry).toMatchObject({ timing: { sticky: 3 }, group: { name: 'g' }, sources: { scenario: true } });
    const assumed = said.filter(({ code, path }) => code === 'assumed' && path !== 'position.slot');
    expect(assumed.map(({ path }) => path)).toEqual(['timing.sticky', 'group.name', 'sources.scenario']);
  });
});

describe('a book', () => {
  const first = row({ content: '@@position before_desc\nx' });
  it('of which several stand before the description turns their order round', () => {
    expect(codes(read([first, first]).whole, 'order')).toEqual(['approximated']);
    expect(codes(read([first, row({})]).whole, 'order')).toEqual([]);
  });
  it('throws the dice in every round, where it has more than one', () => {
    const thrown = [row({ content: '@@probability 50\nx' })];
    expect(codes(read(thrown).whole, 'probability')).toEqual([]);
    expect(codes(read(thrown, { recursive_scanning: true }).whole, 'probability')).toEqual(['approximated']);
  });
  it('says how words are found, where any entry asks', () => {
    const path = 'scan.matchWholeWords';
    const partly = { extensions: { risu_fullWordMatching: false } };
    expect(codes(read([row({})]).whole, path)).toEqual(['approximated']);
    expect(codes(read([row({})], partly).whole, path)).toEqual(['stashed']);
    expect(codes(read([row({ constant: true })], partly).whole, path)).toEqual([]);
  });
  it('that SillyTavern first wrote says its own depth, once RisuAI has written it', () => {
    const entries = [row({ extensions: { useProbability: true, probability: 100 } })];
    expect(codes(read(entries, { scan_depth: 9 }).whole, 'scanDepth')).toEqual(['stashed']);
  });
});
