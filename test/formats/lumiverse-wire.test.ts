// Every field of a SillyTavern entry against the value that Lumiverse's own importer expects (reference 1.3, 1.4 and 3).

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { LumiverseOptions } from '../../src/formats/lumiverse/book-writing.ts';
import { lumiverseCard, lumiverseLorebooks } from '../../src/formats/lumiverse/card.ts';
import { LUMIVERSE_FIELDS } from '../../src/formats/lumiverse/fields.ts';
import { isLumiverseWorldBook } from '../../src/formats/lumiverse/native-book.ts';
import { FIELD_VALUES } from '../support/entry-values.ts';
import { characterInForce, entryOf, lorebookOf, type PartOfEntry } from '../support/in-force.ts';
import { written } from '../support/lumiverse-wire.ts';
import { EXACT, NATURAL } from '../support/sent-books.ts';
import { approximated, cardPlacesOf, otherwiseOf, stashed, tableOf, usual } from '../support/wire-tables.ts';

/** What stands at an entry of a card's book, and what in its extensions. */
type InCard = readonly [entry: JsonObject, extensions?: JsonObject];

/** The same in the extensions of a card's entry and at the app's own. */
const inBag = (fields: JsonObject) => [[{}, fields], fields] as const;

describe('values that Lumiverse has too', () => {
  it.each<readonly [string, PartOfEntry, InCard, JsonObject]>([
    ['keys', {}, [{ keys: ['lamp'] }, { use_regex: false }], { key: ['lamp'], use_regex: false }],
    [
      ...usual('second keys'),
      [{ secondary_keys: ['oil'], selective: true }],
      { keysecondary: ['oil'], selective: true },
    ],
    ['no second keys', { selective: true }, [{ secondary_keys: [], selective: false }], { selective: false }],
    ['logic 0', { logic: 'and_any' }, ...inBag({ selective_logic: 2 })],
    ['logic 1', { logic: 'not_all' }, ...inBag({ selective_logic: 3 })],
    ['logic 2', { logic: 'not_any' }, ...inBag({ selective_logic: 1 })],
    ['logic 3', { logic: 'and_all' }, ...inBag({ selective_logic: 0 })],
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
      ...usual('at a depth'),
      [{ position: 4, depth: 0, role: 'system' }],
      { position: 4, depth: 0, role: 'system' },
    ],
    [
      ...usual('as the user'),
      [{ position: 4, depth: 3, role: 'user' }],
      { position: 4, depth: 3, role: 'user' },
    ],
    [
      ...usual('as the character'),
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
      ...usual('before the examples'),
      [{ position: 7 }, { wi_marker: 'dialogue_examples', wi_marker_side: 'before' }],
      { position: 7, wi_marker: 'dialogue_examples', wi_marker_side: 'before' },
    ],
    [
      ...usual('after the examples'),
      [{ position: 7 }, { wi_marker: 'dialogue_examples', wi_marker_side: 'after' }],
      { position: 7, wi_marker: 'dialogue_examples', wi_marker_side: 'after' },
    ],
    [
      ...usual('an outlet'),
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
    ['the scan depth is always said', {}, ...inBag({ scan_depth: 2 })],
    ['scan depth', { scan: { depth: 7 } }, ...inBag({ scan_depth: 7 })],
    ['prevent', { recursion: { prevent: true } }, ...inBag({ prevent_recursion: true })],
    ['exclude', { recursion: { exclude: true } }, ...inBag({ exclude_recursion: true })],
    ['a delay of one level', { recursion: { delayUntil: 1 } }, ...inBag({ delay_until_recursion: true })],
    [
      'group',
      { group: { name: 'g', weight: 30, override: true } },
      [{ group: 'g' }, { group_weight: 30, group_override: true }],
      { group_name: 'g', group_weight: 30, group_override: true },
    ],
    [...usual('an automation'), ...inBag({ automation_id: 'x' })],
    ['not vectorized', {}, ...inBag({ vectorized: false })],
    ['the usual priority', {}, ...inBag({ priority: 10 })],
    [
      'a chance that is not used',
      { probability: { chance: 40, used: false } },
      ...inBag({ probability: 40, use_probability: false }),
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

otherwiseOf<LumiverseOptions>({
  app: 'Lumiverse',
  write: (given, options = NATURAL) => {
    const { native, codes } = written(given, options);
    return { held: native, codes };
  },
  rows: [
    [...usual('top of the note'), { position: 4, depth: 4, role: 'system' }, approximated('position.slot')],
    [
      ...usual('bottom of the note'),
      { position: 4, depth: 2 },
      approximated('position.slot'),
      { ...NATURAL, noteDepth: 2 },
    ],
    [
      'an outlet with blanks',
      { position: { slot: 'outlet', outlet: ' shelf ' } },
      { position: 8, outlet_name: 'shelf' },
      approximated('position.outlet'),
    ],
    [...usual('scan depth 0'), { disabled: true, scan_depth: null }, approximated('scan.depth', 'enabled')],
    [...usual('scan depth 0, constant'), { disabled: false }, {}],
    [
      'a chance',
      { probability: { chance: 40 } },
      { probability: 40, use_probability: true },
      approximated('probability.chance'),
    ],
    [
      'a chance that no further pass takes',
      { probability: { chance: 40 }, recursion: { exclude: true } },
      { probability: 40 },
      {},
    ],
    [
      'a constant entry with a chance',
      { probability: { chance: 40 }, constant: true },
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
    [...usual('a level of delay'), { delay_until_recursion: true }, approximated('recursion.delayUntil')],
    [
      ...usual('timing'),
      { sticky: 4, cooldown: 2, delay: null },
      approximated('timing.sticky', 'timing.cooldown', 'timing.delay'),
    ],
    [...usual('several groups'), { group_name: 'a' }, approximated('group.name')],
    [...usual('a counted group'), { group_name: 'a' }, approximated('group.scoring')],
    [...usual('triggers'), { disabled: false }, approximated('triggers')],
    [...usual('triggers without replies'), { disabled: true }, approximated('triggers', 'enabled')],
    ['vectorized', { vectorized: true }, { vectorized: true }, approximated('vectorized')],
    [
      'other texts are searched',
      { sources: { creatorNotes: true, personaDescription: true } },
      {},
      stashed('sources.creatorNotes', 'sources.personaDescription'),
    ],
    [...usual('no budget'), {}, stashed('ignoreBudget')],
    [
      ...usual('an automation, dropped'),
      { automation_id: null },
      { automationId: 'lost' },
      { style: 'natural' },
    ],
    [...usual('a character filter'), {}, stashed('characterFilter')],
  ],
  withoutPrivate: (resolved) => {
    const { card, modules } = lumiverseCard(resolved, 'charx', { style: 'exact' });
    return [card, modules, lumiverseLorebooks(resolved, { style: 'exact' }).lorebooks];
  },
});

describe('values that Lumiverse has in another way, or not at all', () => {
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

tableOf(LUMIVERSE_FIELDS);
cardPlacesOf(LUMIVERSE_FIELDS);
