// The rows of the report: every entry once, under the worst that happens to it, and in words.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ofAny } from '../../src/alike-findings.ts';
import type { Finding, FindingCode } from '../../src/core/finding.ts';
import { finding } from '../../src/core/finding.ts';
import { gatheredRows } from '../../src/features/export/alike-rows.ts';
import { differenceWords } from '../../src/features/export/difference-words.ts';
import type { ExportOutcome } from '../../src/features/export/export-material.ts';
import { FATES, reportRows, shownGroups } from '../../src/features/export/report-rows.ts';
import { reportText } from '../../src/features/export/report-text.ts';
import { fileNames } from '../../src/host/download.ts';
import { countEntries } from '../../src/measure.ts';

const outcomeOf = (labels: readonly string[], findings: readonly Finding[]): ExportOutcome => ({
  files: [],
  entries: labels.map((label, index) => ({ bookId: 'b', entryId: String(index), bookName: 'Quay', label })),
  counts: countEntries(
    [
      {
        id: 'b',
        body: { entries: labels.map((_, index) => ({ id: String(index) })) },
      } as unknown as Parameters<typeof countEntries>[0][number],
    ],
    findings,
  ),
  findings,
  bookNames: new Map([['b', 'Quay']]),
  steps: ['Press Import.'],
  settings: { entryLimit: 200, recursiveScanning: false, new: [1] },
});
const at = (entryId: string | null, code: FindingCode, message = '', path = 'content'): Finding =>
  finding(code, { bookId: 'b', entryId }, path, 'a', 'b', message);
const why = ({ message }: Finding): string => message;

describe('rows', () => {
  it('agree with the counts, whatever was found', () => {
    const codes = fc.constantFrom<FindingCode>(
      'stashed',
      'approximated',
      'lost',
      'repaired',
      'assumed',
      'conflict',
    );
    const found = fc.array(fc.tuple(fc.integer({ min: -1, max: 9 }), codes), { maxLength: 40 });
    fc.assert(
      fc.property(found, (list) => {
        const findings = list.map(([entry, code]) => at(entry < 0 ? null : String(entry), code));
        const outcome = outcomeOf(Array.from({ length: 10 }, String), findings);
        const { entries, others } = reportRows(outcome);
        expect(entries).toHaveLength(10);
        expect(others).toHaveLength(findings.filter(({ entryId }) => entryId === null).length);
        for (const fate of FATES)
          expect(entries.filter((row) => row.fate === fate)).toHaveLength(outcome.counts[fate]);
      }),
    );
  });
  it('say the worst first, and of an exact entry what else was found', () => {
    const { entries } = reportRows(
      outcomeOf(['x', 'y'], [at('0', 'stashed'), at('0', 'lost'), at('0', 'assumed'), at('1', 'repaired')]),
    );
    expect(entries.map(({ fate, findings }) => [fate, findings.map(({ code }) => code)])).toEqual([
      ['lost', ['lost', 'stashed']],
      ['exact', ['repaired']],
    ]);
  });
  it('are grouped lost, approximated, kept aside; exact ones only when asked for', () => {
    const { entries } = reportRows(
      outcomeOf(['s', 'a', 'l', 'e'], [at('0', 'stashed'), at('1', 'approximated'), at('2', 'lost')]),
    );
    const groups = (...args: [Parameters<typeof shownGroups>[1], string]) =>
      shownGroups(entries, ...args, why).map(({ fate, rows }) => [fate, rows.map(({ label }) => label)]);
    expect(groups('differ', '')).toEqual([
      ['lost', ['l']],
      ['approximated', ['a']],
      ['stashed', ['s']],
    ]);
    expect(groups('exact', '')).toEqual([['exact', ['e']]]);
    expect(groups('lost', 'nothing of that')).toEqual([]);
  });
  it('are searched by title, book and reason', () => {
    const { entries } = reportRows(
      outcomeOf(['Lamp', 'Bell'], [at('0', 'lost', 'No outlets.'), at('1', 'lost')]),
    );
    const labels = (search: string) =>
      shownGroups(entries, 'differ', search, why).flatMap(({ rows }) => rows.map(({ label }) => label));
    expect(labels('LAMP ')).toEqual(['Lamp']);
    expect(labels('outlet')).toEqual(['Lamp']);
    expect(labels('quay')).toEqual(['Lamp', 'Bell']);
  });
});

describe('a difference in words', () => {
  const words = (
    path: string,
    before: Finding['before'],
    after: Finding['after'],
    code: FindingCode = 'lost',
  ) => {
    const { from, to } = differenceWords(
      finding(code, { bookId: 'b', entryId: '0' }, path, before, after, 'why'),
    );
    return from === null ? null : `${from} → ${to}`;
  };
  it.each([
    ['position.slot', 'note_top', 'depth', 'Position: Author’s note, top → At a depth'],
    ['position.role', 'user', 'system', 'Role: user → system'],
    ['enabled', true, false, 'On or off: on → off'],
    ['probability.chance', 40, 100, 'Probability: 40 → 100'],
    ['keys', ['a', 'b'], [], 'Keys: a, b → none'],
    ['group.name', 'x', null, 'Group: x → none'],
    ['characterFilter', { names: ['A'], tags: [] }, null, 'Character filter: A → none'],
    [
      'characterFilter',
      { isExclude: true, names: ['A'], tags: ['t'] },
      null,
      'Character filter: all but A, 1 tag → none',
    ],
    ['settings.characterStrategy', 1, 0, 'Insertion Strategy: character lore first → sorted evenly'],
    ['settings.minActivations', 2, 0, 'Min Activations: 2 → 0'],
    ['data.extensions.depth_prompt', 'a', null, 'Character’s note: a → none'],
    ['kind', 'memory', null, 'Field “kind”: memory → none'],
    ['extensions.cardwright', 'a', null, 'Field “cardwright”: a → none'],
  ] as const)('%s', (path, before, after, said) => {
    expect(words(path, before as Finding['before'], after as Finding['after'])).toBe(said);
  });
  it('is not said where nothing changes, or the sentence says all', () => {
    expect(words('automationId', 'x', 'x', 'stashed')).toBeNull();
    expect(words('keys', 'lamp as SillyTavern finds it', 'lamp as there', 'approximated')).toBeNull();
    expect(words('id', 'a', 'b', 'repaired')).toBeNull();
  });
  it('tells secondary keys from keys, also where many say the same', () => {
    const said = (path: string) =>
      differenceWords(
        finding(
          'approximated',
          { bookId: 'b', entryId: '0' },
          path,
          'a as here',
          'a as there',
          'The key “a” differs.',
        ),
      ).why;
    expect(said('keys')).toBe('The key “a” differs.');
    expect(said('secondaryKeys')).toBe('Secondary keys: The key “a” differs.');
    expect(ofAny(said('secondaryKeys'))).toBe('Secondary keys: A key differs.');
  });
  it('is cut where a card holds a book in a value', () => {
    expect(words('content', 'x'.repeat(5000), null)?.length).toBeLessThan(200);
  });
});

it('the report is text to be copied', () => {
  const outcome = outcomeOf(
    ['Lamp', ''],
    [
      at('0', 'lost', 'No outlets.', 'position.outlet'),
      at(null, 'approximated', 'No budget.', 'settings.budget'),
    ],
  );
  expect(
    reportText('What will happen in Marinara', 'marinara', outcome, reportRows(outcome)).split('\n'),
  ).toEqual([
    'What will happen in Marinara',
    'Exact: 1, Kept aside: 0, Approximated: 0, Lost: 1',
    '',
    'Lost',
    '- Lamp · Quay',
    '  Outlet: a → b. No outlets.',
    '',
    'Lorebooks and card',
    '- Quay',
    '  Lorebook budget: a → b. No budget.',
    '',
    'Steps',
    '1. Press Import.',
    '',
    'Settings there',
    'Entry Limit: 200',
    'Recursive: off',
    'new: [1]',
  ]);
});

describe('rows that say the same', () => {
  const key = (word: string, more = ''): string =>
    `The key “${word}” may match differently in Marinara: it is found inside longer words there.${more}`;
  const rowsOf = (...lists: readonly (readonly Finding[])[]) => {
    const findings = lists.flatMap((list, index) =>
      list.map((each) => ({ ...each, entryId: String(index) })),
    );
    return reportRows(
      outcomeOf(
        lists.map((_, index) => `e${index}`),
        findings,
      ),
    ).entries;
  };
  const of = (message: string, path = 'keys') => at(null, 'approximated', message, path);
  const shape = (rows: ReturnType<typeof rowsOf>) =>
    gatheredRows(rows).map((item) =>
      item.kind === 'one' ? item.row.label : item.rows.map(({ label }) => label),
    );

  it('are one line each, the most frequent first; then who has more to say', () => {
    const rows = rowsOf(
      [of('No outlets.', 'position.outlet'), of('Shared.', 'x')],
      [of(key('cat')), of('Shared.', 'x')],
      [of(key('dog', ' So may 2 more of its keys.')), of('Shared.', 'x')],
      [of(key('owl')), of('No such depth.', 'scan.depth')],
      [of(key('a”b')), of('Shared.', 'x')],
      [of(key('ox'))],
      [of(key('ape')), of(key('cow'))],
    );
    expect(shape(rows)).toEqual([['e1', 'e2', 'e3', 'e5', 'e6'], ['e0', 'e1', 'e2', 'e4'], 'e0', 'e3', 'e4']);
    const single = gatheredRows(rows).find((item) => item.kind === 'one' && item.row.label === 'e3');
    expect(single).toMatchObject({ elsewhere: 1, row: { findings: [{ path: 'scan.depth' }] } });
    const [first] = gatheredRows(rows);
    expect(first).toMatchObject({ kind: 'many', rows: [{ findings: [{ path: 'keys' }] }, {}, {}, {}, {}] });
  });
  it('are left as they are where they are few, or where nothing was found', () => {
    expect(shape(rowsOf([of(key('a'))], [of(key('b'))], [of(key('c'))]))).toEqual(['e0', 'e1', 'e2']);
    expect(shape(rowsOf([], [], [], [], []))).toEqual(['e0', 'e1', 'e2', 'e3', 'e4']);
  });
  it('lose no row, and say everything once', () => {
    const messages = fc.constantFrom('a', 'b', key('x'), key('y'));
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(messages, { maxLength: 2 }), { maxLength: 40 }), (lists) => {
        const rows = rowsOf(...lists.map((list) => list.map((message) => of(message))));
        const said = gatheredRows(rows).flatMap((item) => (item.kind === 'one' ? [item.row] : item.rows));
        expect(new Set(said.map((row) => row.key))).toEqual(new Set(rows.map((row) => row.key)));
        const unlike = (row: (typeof rows)[number]) =>
          new Set(row.findings.map(({ message }) => ofAny(message)));
        const sum = (of: readonly (typeof rows)[number][]) =>
          of.reduce((all, row) => all + unlike(row).size, 0);
        expect(sum(said)).toBe(sum(rows));
      }),
    );
  });
  it('are said of any key', () => {
    expect(ofAny(key('cat', ' So may 12 more of its keys.'))).toBe(
      'A key may match differently in Marinara: it is found inside longer words there.',
    );
    expect(ofAny('It stands at depth 4, as “x” does.')).toBe('It stands at depth …, as “…” does.');
  });
});

it('files get names that every system takes, no two alike', () => {
  expect(
    fileNames([
      'Mara.png',
      'A/B: "C".marinara.json',
      'a b c.marinara.json',
      '...png',
      'CON.json',
      '\u202emara.png',
    ]),
  ).toEqual([
    'Mara.png',
    'AB C.marinara.json',
    'a b c.marinara.json',
    'character.png',
    'character (2).json',
    'mara (2).png',
  ]);
  expect(fileNames(['Mr. Smith.png', `${'x'.repeat(500)}.png`]).map((name) => name.slice(-5))).toEqual([
    'h.png',
    'x.png',
  ]);
});
