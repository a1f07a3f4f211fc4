// What is written for RisuAI, value by value: every field of an entry, the lorebook file and the exporter's own words.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { RISU_ROWS } from '../../src/formats/_shared/risu/table.ts';
import { risuCard } from '../../src/formats/risu/card.ts';
import { RISU_EXPORTER } from '../../src/formats/risu/exporter.ts';
import { RISU_FIELDS } from '../../src/formats/risu/fields.ts';
import { risuLorebooks } from '../../src/formats/risu/lorebook-writing.ts';
import { entryOf, lorebookOf, type PartOfEntry } from '../support/in-force.ts';
import { characterInForce, OFF, written } from '../support/risu-wire.ts';
import { EXACT, NATURAL } from '../support/sent-books.ts';
import { approximated, keysOf, otherwiseOf, stashed, tableOf, usual } from '../support/wire-tables.ts';

describe('values that RisuAI has', () => {
  it.each<readonly [string, PartOfEntry, JsonObject, readonly string[]]>([
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
    [...usual('an outlet'), {}, ['@@position pt_shelf']],
    ['scan depth', { scan: { depth: 7 } }, {}, ['@@position before_desc', '@@scan_depth 7']],
    ['delay', { timing: { delay: 4 } }, {}, ['@@position before_desc', '@@activate_only_after 4']],
    ['prevent', { recursion: { prevent: true } }, {}, ['@@position before_desc', '@@unrecursive']],
    ['exclude', { recursion: { exclude: true } }, {}, ['@@position before_desc', '@@no_recursive_search']],
    [...usual('no budget'), {}, ['@@position before_desc', '@@priority 1000000']],
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

otherwiseOf({
  app: 'RisuAI',
  write: (given) => {
    const { lines, codes } = written(given, EXACT);
    return { held: lines, codes };
  },
  rows: [
    [...usual('top of the note'), ['@@depth 4', '@@reverse_depth 4'], approximated('position.slot')],
    [
      'deeper than a chat can be short',
      { position: { slot: 'depth', depth: 4 } },
      ['@@depth 4', '@@reverse_depth 4'],
      approximated('position.depth'),
    ],
    [
      'as deep as every chat is',
      { position: { slot: 'depth', depth: 3 } },
      ['@@depth 3', '@@reverse_depth 3'],
      {},
    ],
    [...usual('before the examples'), ['@@position after_desc'], approximated('position.slot')],
    [...usual('after the examples'), ['@@position after_desc'], approximated('position.slot')],
    [
      'a comma in an outlet',
      { position: { slot: 'outlet', outlet: 'a, b' } },
      ['@@position pt_a b'],
      approximated('position.outlet'),
    ],
    [
      'nothing searched',
      { scan: { depth: 0 } },
      ['@@dont_activate', '@@position before_desc'],
      approximated('scan.depth', 'enabled'),
    ],
    [
      'delayed',
      { recursion: { delayUntil: 2 } },
      ['@@position before_desc', '@@scan_depth 0'],
      approximated('recursion.delayUntil'),
    ],
    [
      'sticky',
      { timing: { sticky: 3, cooldown: 2 } },
      ['@@position before_desc'],
      stashed('timing.sticky', 'timing.cooldown'),
    ],
    [
      'a group',
      { group: { name: 'g', weight: 30 } },
      ['@@position before_desc'],
      { 'group.name': 'approximated', 'group.weight': 'stashed' },
    ],
    [...usual('triggers'), ['@@position before_desc'], approximated('triggers')],
    [
      ...usual('triggers without replies'),
      ['@@dont_activate', '@@position before_desc'],
      approximated('triggers', 'enabled'),
    ],
    ['vectors', { vectorized: true }, ['@@position before_desc'], stashed('vectorized')],
    [
      'a further text',
      { sources: { personaDescription: true } },
      ['@@position before_desc'],
      stashed('sources.personaDescription'),
    ],
    [...usual('an automation'), ['@@position before_desc'], stashed('automationId')],
    ['blanks around a text', { content: ' Text. ' }, ['@@position before_desc'], { content: 'repaired' }],
    ['an old macro', { content: 'For <user>.' }, ['@@position before_desc'], { content: 'repaired' }],
    [
      'an old decorator in the text, which RisuAI writes anew',
      { content: 'The line @@end is text.' },
      ['@@position before_desc'],
      approximated('content'),
    ],
  ],
  withoutPrivate: (resolved) => [
    risuCard(resolved, { style: 'exact' }).card,
    risuLorebooks(resolved, { style: 'exact' }).lorebooks,
  ],
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

tableOf(RISU_FIELDS, ['probability.used']);

describe('the table', () => {
  it('names each decorator once', () => {
    const names = RISU_ROWS.flatMap((row) => row.names);
    expect(new Set(names).size).toBe(names.length);
  });
});
