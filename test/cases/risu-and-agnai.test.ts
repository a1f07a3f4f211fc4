// The case files as RisuAI and Agnai get them: places, logics, regexes, scripts, and that they come home.

import { describe, expect, it } from 'vitest';
import type { ContainerRead } from '../../src/containers/container.ts';
import { type Conversion, type ConvertOptions, convertFile } from '../../src/convert-file.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { type OpenedFile, openJson } from '../../src/open-file.ts';
import { savedCharacter } from '../support/agnai-app.ts';
import { readCase } from '../support/fixtures.ts';
import { rewrittenCard } from '../support/risu-app.ts';

const open = (json: Json): OpenedFile => {
  const container: ContainerRead = { kind: 'json', json, copies: [{ json }], notes: [] };
  return openJson(container, 'case.json');
};
const exported = (json: Json, target: string, options: Partial<ConvertOptions> = {}): Conversion =>
  convertFile(open(json), { target, style: 'exact', privateFields: 'keep', ...options });
const jsonOf = ({ files }: Conversion): JsonObject =>
  JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as JsonObject;
const rowsOf = (card: JsonObject): readonly JsonObject[] =>
  ((card['data'] as JsonObject)['character_book'] as JsonObject)['entries'] as readonly JsonObject[];
const memoryOf = (native: JsonObject): readonly JsonObject[] =>
  (native['characterBook'] as JsonObject)['entries'] as readonly JsonObject[];
const linesOf = (row: JsonObject | undefined): readonly string[] =>
  String(row?.['content'])
    .split('\n')
    .filter((line) => line.startsWith('@@'));

describe('RisuAI', () => {
  it('has the eight positions, each difference said once (18)', () => {
    const conversion = exported(readCase('18-'), 'risu');
    const row = (name: string) => rowsOf(jsonOf(conversion)).find((each) => each['name'] === name);
    expect(linesOf(row('P0'))[0]).toBe('@@position before_desc');
    for (const name of ['P1', 'P5', 'P6']) expect(linesOf(row(name))[0]).toBe('@@position after_desc');
    for (const name of ['P2', 'P3'])
      expect(linesOf(row(name)).slice(0, 2)).toEqual(['@@depth 4', '@@reverse_depth 4']);
    expect(linesOf(row('P4')).slice(0, 3)).toEqual(['@@depth 3', '@@reverse_depth 3', '@@role assistant']);
    expect(linesOf(row('P7'))[0]).toBe('@@position pt_shelf');
    const moved = conversion.report.findings.filter(({ path }) => path === 'position.slot');
    expect(moved.map(({ entryId }) => entryId)).toHaveLength(4);
    expect(conversion.report.steps.join(' ')).toContain('{{position::shelf}}');
  });
  it('keeps a depth a depth, in its card and in its own file (19)', () => {
    const json = jsonOf(exported(readCase('19-'), 'risu', { form: 'lorebook' }));
    const rows = json['data'] as readonly JsonObject[];
    const lamp = rows.find(({ content }) => String(content).endsWith('Lamp note at depth.'));
    expect(linesOf(lamp)).toEqual(
      expect.arrayContaining(['@@depth 2', '@@reverse_depth 2', '@@role user', '@@no_recursive_search']),
    );
  });
  it('has four logics: three in its words, NOT ALL as entries of which at most one fires (23)', () => {
    const conversion = exported(readCase('23-'), 'risu');
    const rows = rowsOf(jsonOf(conversion));
    expect(rows.filter(({ selective }) => selective === true)).toHaveLength(1);
    const words = rows.map((row) =>
      linesOf(row)
        .filter((line) => /_keys /.test(line))
        .map((line) => line.split(' ')[0]),
    );
    expect(words.flat()).toEqual(expect.arrayContaining(['@@exclude_keys', '@@additional_keys']));
    expect(
      conversion.report.findings.filter(({ path, code }) => path === 'logic' && code === 'lost'),
    ).toEqual([]);
  });
  it('takes regexes for regexes and slashes in texts for slashes (25)', () => {
    const rows = rowsOf(jsonOf(exported(readCase('25-'), 'risu')));
    const keys = rows.flatMap((row) => (row['use_regex'] === true ? (row['keys'] as string[]) : []));
    const inner = keys.map((key) => /^\/\[\]\|([\s\S]*)\|\[\]\/\/[a-z]+$/.exec(key)?.[1]);
    for (const source of inner) expect(source).toMatch(/^[^/,]+$/);
    expect(inner.join(' ')).toContain('AC\\x2fDC');
  });
});

describe('Agnai', () => {
  it('has one block for the positions, and what cannot be said is said (18)', () => {
    const conversion = exported(readCase('18-'), 'agnai');
    const entries = memoryOf(jsonOf(conversion));
    const weight = (name: string): number =>
      Number(entries.find((each) => each['name'] === name)?.['weight']);
    const order = ['P0', 'P1', 'P5', 'P6', 'P2', 'P3', 'P4', 'P7'].map(weight);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    const moved = conversion.report.findings.filter(({ path }) => path === 'position.slot');
    expect(new Set(moved.map(({ entryId }) => entryId)).size).toBe(moved.length);
  });
  it('warns that keys without ASCII word characters cannot match there; text and keys survive (35)', () => {
    const card = readCase('35-');
    const conversion = exported(card, 'agnai');
    const said = conversion.report.findings.filter(({ path }) => path === 'keys' || path === 'constant');
    expect(new Set(said.map(({ entryId }) => entryId))).toEqual(new Set(['e0', 'e1', 'e2', 'e3']));
    expect(said.map(({ message }) => message).join(' ')).toContain('only sees Latin letters and digits');
    const home = jsonOf(exported(savedCharacter(jsonOf(conversion)), 'sillytavern'));
    const keys = (rows: readonly JsonObject[]) => rows.map((row) => [row['keys'], row['content']]);
    expect(keys(rowsOf(home))).toEqual(keys(rowsOf(card)));
  });
});

describe.each(['18-', '20-', '21-', '23-', '25-', '26-', '35-', '43-', '51-', '56-', '87-', 'S1-'])(
  '%s',
  (id) => {
    const card = readCase(id);
    // What every home-coming entry says, whatever its ids.
    const view = (home: JsonObject): unknown => {
      const { pieces } = open(home) as Extract<OpenedFile, { kind: 'card' }>;
      return pieces.lorebooks.map(({ body }) =>
        body.entries.map(({ id: _id, bag: _bag, ...entry }) => entry),
      );
    };
    it('comes home from RisuAI, which wrote it anew', () => {
      const there = rewrittenCard(jsonOf(exported(card, 'risu')));
      expect(view(jsonOf(exported(there, 'sillytavern', { form: 'json' })))).toEqual(view(card));
    });
    it('comes home from Agnai, which saved it', () => {
      const there = savedCharacter(jsonOf(exported(card, 'agnai', { form: 'json' })));
      expect(view(jsonOf(exported(there, 'sillytavern', { form: 'json' })))).toEqual(view(card));
    });
  },
);

describe('S3', () => {
  // A world file goes there as the app's own lorebook.
  it.each(['risu', 'agnai'])('comes home from %s', (target) => {
    const world = readCase('S3-');
    const read = (json: Json): unknown => {
      const opened = open(json);
      const lorebook =
        opened.kind === 'worldinfo'
          ? opened.world.lorebook
          : opened.kind === 'lorebook'
            ? opened.lorebook
            : null;
      return lorebook?.body.entries.map(({ id: _id, bag: _bag, ...entry }) => entry);
    };
    expect(read(jsonOf(exported(world, target)))).toEqual(read(world));
    const said = exported(world, target, { privateFields: 'drop' }).report.findings;
    expect(said.filter(({ path, code }) => path === 'characterFilter' && code === 'lost')).not.toEqual([]);
  });
});
