// The case files that name a target, exported: what the app gets, and what is said.

import { describe, expect, it } from 'vitest';
import type { ContainerRead } from '../../src/containers/container.ts';
import { type Conversion, type ConvertOptions, convertFile } from '../../src/convert-file.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { EXPORTERS } from '../../src/formats/exporters.ts';
import { openJson } from '../../src/open-file.ts';
import { readCase } from '../support/fixtures.ts';

const TARGETS = EXPORTERS.map(({ id }) => id);

function exported(json: Json, target: string, options: Partial<ConvertOptions> = {}): Conversion {
  const container: ContainerRead = { kind: 'json', json, copies: [{ json }], notes: [] };
  return convertFile(openJson(container, 'case.json'), { target, ...options });
}
const jsonOf = ({ files }: Conversion, at = 0): JsonObject =>
  JSON.parse(new TextDecoder().decode(files[at]?.bytes)) as JsonObject;
const textOf = ({ files }: Conversion): string =>
  files.map(({ bytes }) => new TextDecoder().decode(bytes)).join('\n');
const bookEntries = (card: JsonObject): readonly JsonObject[] =>
  ((card['data'] as JsonObject)['character_book'] as JsonObject)['entries'] as readonly JsonObject[];
const pathsOf = ({ report }: Conversion, code: string): readonly string[] =>
  report.findings.filter((each) => each.code === code).map(({ path }) => path);

describe('Marinara', () => {
  it('has the eight positions nearest, each difference said once (18)', () => {
    const conversion = exported(readCase('18-'), 'marinara', { style: 'exact' });
    const entries = bookEntries(jsonOf(conversion));
    const byName = (name: string) => entries.find((entry) => entry['name'] === name);
    expect(byName('P0')).toMatchObject({ position: 'before_char' });
    expect(byName('P1')).toMatchObject({ position: 'after_char' });
    for (const note of ['P2', 'P3']) expect(byName(note)).toMatchObject({ position: 4, depth: 4 });
    expect(byName('P4')).toMatchObject({ position: 4, depth: 3, role: 2 });
    expect(byName('P5')).toMatchObject({ position: 'before_char' });
    expect(byName('P6')).toMatchObject({ position: 'after_char' });
    expect(byName('P7')).toMatchObject({ enabled: false, content: expect.stringContaining('P7') });
    const moved = conversion.report.findings.filter(({ path }) => path === 'position.slot');
    expect(moved).toHaveLength(5);
    expect(new Set(moved.map(({ entryId }) => entryId)).size).toBe(5);
  });

  it('keeps a depth a depth, in its card and in its own file (19)', () => {
    const conversion = exported(readCase('19-'), 'marinara', { form: 'lorebook' });
    const data = jsonOf(conversion)['data'] as JsonObject;
    const entries = data['entries'] as readonly JsonObject[];
    expect(entries.find(({ content }) => content === 'Lamp note at depth.')).toMatchObject({
      position: 2,
      depth: 2,
      role: 'user',
      excludeRecursion: true,
    });
  });

  it('has four logics (23)', () => {
    const logics = bookEntries(jsonOf(exported(readCase('23-'), 'marinara'))).map(
      (entry) => entry['selectiveLogic'],
    );
    expect(new Set(logics)).toEqual(new Set(['and', 'not_all', 'not', 'and_all']));
  });

  it('takes regexes for regexes and slashes in texts for slashes (25)', () => {
    const entries = bookEntries(jsonOf(exported(readCase('25-'), 'marinara', { style: 'natural' })));
    expect(entries[0]).toMatchObject({ useRegex: true });
    expect(entries.filter((entry) => (entry['keys'] as string[]).join().includes('AC/DC'))).not.toEqual([]);
  });
});

describe('Lumiverse', () => {
  const extensionsOf = (entry: JsonObject | undefined): JsonObject => entry?.['extensions'] as JsonObject;
  it('has the eight positions, the author’s note’s at its depth, each difference said once (18)', () => {
    const conversion = exported(readCase('18-'), 'lumiverse', { style: 'exact' });
    const entries = bookEntries(jsonOf(conversion));
    const byName = (name: string) => entries.find((entry) => entry['comment'] === name);
    const places = ['P0', 'P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7'].map((name) => byName(name)?.['position']);
    expect(places).toEqual([0, 1, 4, 4, 4, 7, 7, 8]);
    expect(byName('P4')).toMatchObject({ depth: 3, role: 'assistant' });
    expect(extensionsOf(byName('P5'))).toMatchObject({
      wi_marker: 'dialogue_examples',
      wi_marker_side: 'before',
    });
    expect(extensionsOf(byName('P6'))).toMatchObject({
      wi_marker: 'dialogue_examples',
      wi_marker_side: 'after',
    });
    const moved = conversion.report.findings.filter(({ path }) => path === 'position.slot');
    expect(moved).toHaveLength(2);
    expect(new Set(moved.map(({ entryId }) => entryId)).size).toBe(2);
  });

  it('keeps a depth a depth, in its card and in its own file (19)', () => {
    const conversion = exported(readCase('19-'), 'lumiverse', { form: 'lorebook' });
    const entries = jsonOf(conversion)['entries'] as readonly JsonObject[];
    expect(entries.find(({ content }) => content === 'Lamp note at depth.')).toMatchObject({
      position: 4,
      depth: 2,
      role: 'user',
      exclude_recursion: true,
    });
  });

  it('has four logics, in its own numbers (23)', () => {
    const logics = bookEntries(jsonOf(exported(readCase('23-'), 'lumiverse'))).map(
      (entry) => extensionsOf(entry)['selective_logic'],
    );
    expect(new Set(logics)).toEqual(new Set([0, 1, 2, 3]));
  });

  it('takes regexes for regexes and slashes in texts for slashes (25)', () => {
    const entries = bookEntries(jsonOf(exported(readCase('25-'), 'lumiverse', { style: 'natural' })));
    const isPattern = entries.filter((entry) => extensionsOf(entry)['use_regex'] === true);
    expect(isPattern.length).toBeGreaterThan(0);
    expect(entries.filter((entry) => (entry['keys'] as string[]).join().includes('AC/DC'))).not.toEqual([]);
    for (const entry of isPattern)
      for (const key of entry['keys'] as string[]) expect(() => new RegExp(key)).not.toThrow();
  });
});

describe.each(TARGETS)('%s', (target) => {
  it('fires always where a key of spaces does, and says so (56)', () => {
    const conversion = exported(readCase('56-'), target);
    const said = conversion.report.findings.filter(
      ({ path, code }) => path === 'constant' && code === 'approximated',
    );
    expect(said.length).toBeGreaterThan(0);
    expect(JSON.stringify(said)).toMatch(/blank|spaces/i);
  });

  it('holds no entry live that is off (87)', () => {
    const card = readCase('87-');
    const meant = bookEntries(card).filter(({ enabled }) => enabled === undefined || enabled === true);
    const json = jsonOf(exported(card, target));
    const again = openJson({ kind: 'json', json, copies: [{ json }], notes: [] }, 'back.json');
    if (again.kind !== 'card') throw new Error('no card');
    const live = again.pieces.lorebooks.flatMap(({ body }) => body.entries).filter(({ enabled }) => enabled);
    expect(live.map(({ content }) => content).sort()).toEqual(meant.map(({ content }) => content).sort());
    expect(meant.length).toBeLessThan(bookEntries(card).length);
  });

  it('takes the world file that the card only names (61)', () => {
    const scenario = readCase('61-');
    const worlds = Object.entries(scenario['worlds'] as JsonObject).map(([name, world]) => ({
      name,
      world: world as JsonObject,
    }));
    const [card] = Object.values((scenario['characters'] ?? scenario['cards']) as JsonObject);
    const conversion = exported(card as Json, target, { worlds });
    expect(textOf(conversion)).toContain('Lamp note.');
    expect(conversion.report.findings.map(({ message }) => message).join()).toContain('Quay Notes');
  });

  it('gets no names of other characters unless they are to be kept (S3)', () => {
    const world = readCase('S3-');
    const names = JSON.stringify(world).match(/"names":\s*\[([^\]]+)\]/)?.[1] ?? '';
    const [name = ''] = JSON.parse(`[${names}]`) as string[];
    expect(name).not.toBe('');
    const conversion = exported(world, target);
    expect(textOf(conversion)).not.toContain(name);
    expect(JSON.stringify(conversion.report.findings)).toContain(name);
  });

  it('loses nothing silently: every entry is in the report’s counts', () => {
    for (const prefix of ['18-', '20-', '21-', '23-', '25-', '35-', '38-']) {
      const { report } = exported(readCase(prefix), target);
      const { total, exact, stashed, approximated, lost } = report.entries;
      expect([prefix, exact + stashed + approximated + lost]).toEqual([prefix, total]);
    }
    expect(pathsOf(exported(readCase('38-'), target), 'lost')).toEqual([]);
  });
});
