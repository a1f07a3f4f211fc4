// RoleCall's lorebook file: read, written, there and back, and nothing lost in silence.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { lorebookFromBook } from '../../src/formats/_shared/character-book.ts';
import { readEntry } from '../../src/formats/_shared/entry-reader.ts';
import { differencesOf } from '../../src/formats/rolecall/differences.ts';
import {
  CARRIED_PATHS,
  READ_ROLECALL,
  ROLECALL_FIELDS,
  ROLECALL_TABLE,
} from '../../src/formats/rolecall/fields.ts';
import { isRolecallLorebook, readRolecallLorebook } from '../../src/formats/rolecall/lorebook-file.ts';
import { rolecallLorebooks } from '../../src/formats/rolecall/lorebook-writing.ts';
import { flatEntry, nestedEntry } from '../../src/formats/rolecall/nesting.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { anyFilledBook } from '../support/arbitrary-books.ts';
import { anyJson } from '../support/arbitrary-values.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { FIELD_VALUES, fullEntry, withValue } from '../support/entry-values.ts';
import { throughJson, worldEntriesOf } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf } from '../support/in-force.ts';
import { entryView, entryViews, keep, resolvedOf, STYLES } from '../support/sent-books.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { seed: 20_260_703, numRuns: 150 };

const FILE: JsonObject = deepFreeze(
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../fixtures/dialects/rolecall-lorebook.json'), 'utf8'),
  ) as JsonObject,
);

const entriesIn = (json: JsonObject | undefined): readonly JsonObject[] =>
  (json?.['lorebook'] as JsonObject | undefined)?.['entries'] as readonly JsonObject[];

describe('reading', () => {
  const { lorebook, findings } = readRolecallLorebook(FILE, 'b', 'x');
  const [kiln, street, market] = lorebook.body.entries as [LorebookEntry, LorebookEntry, LorebookEntry];
  it('the book', () => {
    expect(lorebook).toMatchObject({ id: 'b', name: 'Kiln Row' });
    expect(lorebook.body).toMatchObject({
      description: "The potters' street.",
      scanDepth: 6,
      tokenBudget: 1200,
      recursiveScanning: false,
    });
  });
  it('every field of an entry', () => {
    expect(kiln).toMatchObject({
      title: 'The kiln',
      memo: 'Written by the guild.',
      content: 'The kiln is lit on the first of each month.',
      enabled: true,
      constant: false,
      logic: 'not_all',
      order: 60,
      displayIndex: 4,
      position: { slot: 'depth', depth: 2, role: 'assistant' },
      scan: { depth: 3, caseSensitive: true, matchWholeWords: true },
      timing: { sticky: 3, cooldown: null, delay: 1 },
      group: { name: 'works', weight: 40, override: true, scoring: true },
      probability: { chance: 75, used: true },
      recursion: { exclude: false, prevent: true, delayUntil: 2 },
      ignoreBudget: true,
      characterFilter: { exclude: true, names: ['Otto Brand'], tags: [] },
      sources: {
        characterDescription: true,
        characterPersonality: false,
        personaDescription: true,
        scenario: false,
        characterDepthPrompt: false,
        creatorNotes: true,
      },
      automationId: 'bell',
      vectorized: true,
      triggers: ['swipe'],
    });
    expect(kiln.keys.map(writeKey)).toEqual(['kiln', '/fire(s|d)?/i', '/glaze\\/slip/']);
    expect(kiln.secondaryKeys.map(writeKey)).toEqual(['clay']);
    expect(street).toMatchObject({
      enabled: false,
      constant: true,
      position: { slot: 'prepend_top' },
      scan: { depth: null, caseSensitive: false, matchWholeWords: false },
      recursion: { exclude: true, prevent: false },
    });
    expect(market).toMatchObject({ position: { slot: 'append_bottom', role: 'user' } });
  });
  it('what SillyTavern has no place for is kept aside and named', () => {
    expect(findings.map(({ code, path, entryId }) => [code, path, entryId])).toEqual([
      ['stashed', 'categories', null],
      ['stashed', 'keys', 'e0'],
      ['stashed', 'sideEffects', 'e0'],
      ['approximated', 'keys', 'e2'],
      ['stashed', 'scanDepth', null],
      ['stashed', 'recursiveScanning', null],
    ]);
  });
  it('a missing or foreign position is after the character, another version is read as this one', () => {
    const odd = {
      schemaVersion: '1.1.0',
      lorebook: { name: 'Odd', entries: [{ injection: { position: 'moon' } }, {}, 'x'] },
    };
    const read = readRolecallLorebook(odd, 'b', 'x');
    expect(read.lorebook.body.entries.map(({ position }) => position.slot)).toEqual([
      'character',
      'character',
      'character',
    ]);
    expect([...read.known.positions.values()].map(({ agreement }) => agreement)).toEqual([
      'invalid',
      'assumed',
      'assumed',
    ]);
    expect(read.findings.some(({ path }) => path === 'schemaVersion')).toBe(true);
  });
  it('any JSON is read without harm', () => {
    fc.assert(
      fc.property(anyJson, (json) => {
        readRolecallLorebook(
          { schemaVersion: '1.0.0', lorebook: { entries: [json, { triggers: json }] } },
          'b',
          'x',
        );
        readRolecallLorebook(json, 'b', 'x');
        isRolecallLorebook(json);
      }),
      RUNS,
    );
  });
});

describe('the table', () => {
  it('flat and grouped are the same entry', () => {
    const [entry] = (FILE['lorebook'] as JsonObject)['entries'] as readonly JsonObject[];
    expect(nestedEntry(flatEntry(entry as JsonObject))).toEqual(entry);
  });
  it.each(FIELD_VALUES.filter(({ path }) => path !== 'probability.used' && path !== 'selective'))(
    'writes and reads $path',
    ({ path, set, other }) => {
      expect(ROLECALL_FIELDS.some((row) => row.path === path)).toBe(true);
      for (const value of [set, other]) {
        const entry = withValue(
          entryOf({ scan: { caseSensitive: false, matchWholeWords: true } }),
          path,
          value,
        );
        const { lorebooks } = rolecallLorebooks(characterInForce([lorebookOf([entry])]), keep('natural'));
        const [raw] = entriesIn(lorebooks[0]?.json).map(flatEntry);
        const read = readEntry(ROLECALL_TABLE, raw, 'w0', READ_ROLECALL, () => undefined);
        const row = ROLECALL_FIELDS.find((each) => each.path === path);
        expect(row?.show(read)).toEqual(row?.show(entry));
      }
    },
  );
  it('what RoleCall does not use is told apart', () => {
    expect([...CARRIED_PATHS].sort()).toEqual([
      'automationId',
      'group.override',
      'group.scoring',
      'position.outlet',
      'sources.characterDepthPrompt',
      'sources.creatorNotes',
      'triggers',
      'vectorized',
    ]);
  });
});

describe.each(STYLES)('%s', (style) => {
  it('any book comes back from the file as it was', () => {
    fc.assert(
      fc.property(anyFilledBook, (raw) => {
        const book = lorebookFromBook(raw, 'data.character_book', 'x');
        const { lorebooks } = rolecallLorebooks(resolvedOf([book]), keep(style));
        const back = readRolecallLorebook(throughJson(lorebooks[0]?.json as Json), 'b', 'x');
        expect(entryViews(back.lorebook)).toEqual(
          book.body.entries.map((entry) => entryView(deepFreeze(throughJson(entry)))),
        );
        expect(back.lorebook.name).toBe(book.name);
        expect(back.lorebook.body).toMatchObject({
          scanDepth: book.body.scanDepth,
          tokenBudget: book.body.tokenBudget,
          recursiveScanning: book.body.recursiveScanning,
        });
      }),
      RUNS,
    );
  });
  it('nothing is lost in silence, and nothing is said that is not so', () => {
    fc.assert(
      fc.property(anyFilledBook, (raw) => {
        const book = lorebookFromBook(raw, 'data.character_book', 'x');
        const resolved = resolvedOf([book]);
        const { lorebooks, findings } = rolecallLorebooks(resolved, keep(style));
        const entries = entriesIn(lorebooks[0]?.json);
        resolved.books[0]?.entries.forEach(({ entry, source }, at) => {
          const { unsupportedFields: _carried, ...used } = entries[at] as JsonObject;
          const there = readEntry(ROLECALL_TABLE, flatEntry(used), source.id, READ_ROLECALL, () => undefined);
          const said = findings.filter(({ entryId }) => entryId === source.id).map(({ path }) => path);
          const silent = differencesOf(entry, there, SHIPPED_SCAN_SETTINGS).filter(
            ({ path }) => !said.includes(path),
          );
          expect(silent).toEqual([]);
        });
        for (const { before, after, code } of findings)
          if (code !== 'assumed') expect(JSON.stringify(before)).not.toBe(JSON.stringify(after));
      }),
      RUNS,
    );
  });
  it('from RoleCall over a world file back to RoleCall, unedited, it is the same file', () => {
    const { lorebook } = readRolecallLorebook(FILE, 'b', 'x');
    const world = throughJson(worldFromLorebook(lorebook, { character: '', slot: 'worldinfo' }));
    const back = lorebookFromWorld(world, 'worldinfo', 'Kiln Row').lorebook;
    const { lorebooks, findings } = rolecallLorebooks(resolvedOf([back]), keep(style));
    expect(lorebooks[0]?.json).toEqual(FILE);
    expect(findings).toEqual([]);
  });
  it('what was edited in SillyTavern is all that differs', () => {
    const { lorebook } = readRolecallLorebook(FILE, 'b', 'x');
    const world = throughJson(worldFromLorebook(lorebook, { character: '', slot: 'worldinfo' }));
    const entries = worldEntriesOf(world);
    const edited = {
      ...world,
      entries: { ...entries, 0: { ...entries['0'], content: 'Edited.', key: ['kiln', 'ash'] } },
    };
    const back = lorebookFromWorld(edited, 'worldinfo', 'Kiln Row').lorebook;
    const json = rolecallLorebooks(resolvedOf([back]), keep(style)).lorebooks[0]?.json;
    const [first, ...rest] = (FILE['lorebook'] as JsonObject)['entries'] as readonly JsonObject[];
    const triggers = first?.['triggers'] as JsonObject;
    expect(json).toEqual({
      ...FILE,
      lorebook: {
        ...(FILE['lorebook'] as JsonObject),
        entries: [
          {
            ...first,
            content: 'Edited.',
            triggers: {
              ...triggers,
              primary: [(triggers['primary'] as readonly Json[])[0], { keyword: 'ash', isRegex: false }],
            },
          },
          ...rest,
        ],
      },
    });
  });
});

describe('an entry of RoleCall’s own, moved in SillyTavern', () => {
  it.each([
    [
      { position: 2 },
      { enabled: true, injection: { position: 'depth', depth: 4, role: 'system' } },
      'position.slot',
    ],
    [
      { position: 7, outletName: 'shelf' },
      { enabled: false, injection: { position: 'character' } },
      'enabled',
    ],
    [{ position: 5 }, { enabled: true, injection: { position: 'before_example' } }, null],
  ])('%j', (edit, expected, path) => {
    const { lorebook } = readRolecallLorebook(FILE, 'b', 'x');
    const world = throughJson(worldFromLorebook(lorebook, { character: '', slot: 'worldinfo' }));
    const entries = worldEntriesOf(world);
    const edited = { ...world, entries: { ...entries, 0: { ...entries['0'], ...edit } } };
    const back = lorebookFromWorld(edited, 'worldinfo', 'Kiln Row').lorebook;
    const { lorebooks, findings } = rolecallLorebooks(resolvedOf([back]), keep('natural'));
    expect(entriesIn(lorebooks[0]?.json)[0]).toMatchObject(expected);
    const said = findings.filter(({ code }) => code === 'approximated').map((each) => each.path);
    if (path === null) expect(said).toEqual([]);
    else expect(said).toContain(path);
  });
});

describe('SillyTavern’s settings', () => {
  const said = (given: object, entries: readonly LorebookEntry[] = [entryOf()]) => {
    const resolved = characterInForce([lorebookOf(entries)]);
    const settings = { ...resolved.settings, ...given };
    const { lorebooks, findings } = rolecallLorebooks({ ...resolved, settings }, keep('natural'));
    const tokenBudget = jsonAt(lorebooks[0]?.json, ['lorebook', 'settings', 'tokenBudget']);
    const ofBook = findings.filter(({ path, entryId }) => entryId === null && path.startsWith('settings.'));
    return [tokenBudget, ...ofBook.map(({ code, path, before, after }) => [code, path, before, after])];
  };
  it('that the file cannot say are named', () => {
    expect(said({ budget: 25, budgetCap: 0, minActivations: 0, maxRecursionSteps: 0 })).toEqual([
      0,
      ['approximated', 'settings.budget', '25 % of the context', 'none'],
    ]);
    expect(
      said({ budget: 40, budgetCap: 900, minActivations: 2, recursive: true, maxRecursionSteps: 3 }),
    ).toEqual([
      900,
      ['approximated', 'settings.budget', '40 % of the context, at most 900 tokens', '900 tokens'],
      ['approximated', 'settings.minActivations', 2, 0],
      ['approximated', 'settings.maxRecursionSteps', 3, 0],
    ]);
  });
  it('that change nothing are not', () => {
    expect(said({ budgetCap: 900, recursive: false, maxRecursionSteps: 3 }).slice(1)).toHaveLength(1);
    expect(said({ recursive: true, maxRecursionSteps: 1 }).slice(1)).toHaveLength(1);
    expect(said({ minActivations: 2 }, []).slice(1)).toEqual([]);
  });
});

describe('places and keys', () => {
  const written = (entry: LorebookEntry, style: 'natural' | 'exact' = 'natural', noteDepth?: number) => {
    const { lorebooks, findings } = rolecallLorebooks(characterInForce([lorebookOf([entry])]), {
      ...keep(style),
      ...(noteDepth === undefined ? {} : { noteDepth }),
    });
    const [raw] = entriesIn(lorebooks[0]?.json);
    const ofEntry = findings.filter(({ entryId }) => entryId !== null);
    return { raw: raw as JsonObject, said: ofEntry.map(({ code, path }: Finding) => [code, path]) };
  };
  it('the author’s note is a depth, an outlet is hidden', () => {
    const note = written(entryOf({ position: { slot: 'note_top' } }), 'natural', 3);
    expect(note.raw['injection']).toEqual({ position: 'depth', depth: 3, role: 'system' });
    expect(note.said).toContainEqual(['approximated', 'position.slot']);
    const outlet = written(entryOf({ position: { slot: 'outlet', outlet: 'shelf' } }));
    expect(outlet.raw).toMatchObject({ enabled: false, content: 'Lamp note.' });
    expect(outlet.raw['unsupportedFields']).toMatchObject({ outletName: 'shelf' });
    expect(outlet.said).toContainEqual(['approximated', 'enabled']);
  });
  it('RoleCall’s own slots stay', () => {
    for (const slot of ['append', 'append_bottom', 'prepend_top', 'scene'] as const) {
      const { raw, said } = written(entryOf({ position: { slot } }));
      expect(raw['injection']).toMatchObject({ position: slot });
      expect(said).toEqual([]);
    }
  });
  it('several words are a pattern only in the exact style', () => {
    const entry = entryOf({
      keys: [
        { kind: 'literal', text: 'oil lamp' },
        { kind: 'literal', text: 'wick' },
      ],
    });
    const primary = (raw: JsonObject): unknown => (raw['triggers'] as JsonObject)['primary'];
    const natural = written(entry);
    expect(primary(natural.raw)).toEqual([
      { keyword: 'oil lamp', isRegex: false },
      { keyword: 'wick', isRegex: false },
    ]);
    expect(natural.said).toEqual([['approximated', 'keys']]);
    const exact = written(entry, 'exact');
    expect(primary(exact.raw)).toEqual([
      { keyword: 'oil lamp', isRegex: true, flags: 'i' },
      { keyword: 'wick', isRegex: false },
    ]);
    expect(exact.said).toEqual([]);
  });
  it('every field at once has its findings', () => {
    const { lorebooks, findings } = rolecallLorebooks(
      characterInForce([lorebookOf([{ ...fullEntry('w0'), enabled: true, constant: false }])]),
      { style: 'natural', privateFields: 'drop' },
    );
    const text = JSON.stringify(lorebooks[0]?.json);
    expect(text).not.toContain('Odo Pell');
    expect(text).not.toContain('au1');
    expect(
      findings
        .filter(({ code }) => code === 'lost')
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['automationId', 'characterFilter']);
  });
});
