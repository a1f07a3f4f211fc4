// Every field of a SillyTavern entry against the value that Marinara's own importer expects (marinara.md, section 6).

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { MarinaraOptions } from '../../src/formats/marinara/book-writing.ts';
import { marinaraCard, marinaraLorebooks } from '../../src/formats/marinara/card.ts';
import { MARINARA_FIELDS } from '../../src/formats/marinara/fields.ts';
import { characterInForce, entryOf, lorebookOf, type PartOfEntry } from '../support/in-force.ts';
import { OFF, written } from '../support/marinara-wire.ts';
import { EXACT, NATURAL } from '../support/sent-books.ts';
import {
  approximated,
  cardPlacesOf,
  literal,
  otherwiseOf,
  stashed,
  tableOf,
  usual,
} from '../support/wire-tables.ts';

describe('values that Marinara has too', () => {
  it.each<readonly [string, PartOfEntry, JsonObject, JsonObject]>([
    ['keys', {}, { keys: ['lamp'], useRegex: false }, { keys: ['lamp'], useRegex: false }],
    [
      ...usual('second keys'),
      { secondary_keys: ['oil'], selective: true },
      { secondaryKeys: ['oil'], selective: true },
    ],
    [
      'no second keys',
      { selective: true },
      { secondary_keys: [], selective: false },
      { secondaryKeys: [], selective: false },
    ],
    [
      'second keys that are off',
      { selective: false, secondaryKeys: literal('oil') },
      { secondary_keys: ['oil'], selective: false },
      { selective: false },
    ],
    ['logic 0', { logic: 'and_any' }, { selectiveLogic: 'and' }, { selectiveLogic: 'and' }],
    ['logic 1', { logic: 'not_all' }, { selectiveLogic: 'not_all' }, { selectiveLogic: 'not_all' }],
    ['logic 2', { logic: 'not_any' }, { selectiveLogic: 'not' }, { selectiveLogic: 'not' }],
    ['logic 3', { logic: 'and_all' }, { selectiveLogic: 'and_all' }, { selectiveLogic: 'and_all' }],
    ['title', { title: 'A' }, { name: 'A', comment: 'A' }, { name: 'A' }],
    ['content', { content: 'x\n{{char}}' }, { content: 'x\n{{char}}' }, { content: 'x\n{{char}}' }],
    ['constant', { constant: true }, { constant: true }, { constant: true }],
    ['off', { enabled: false }, { enabled: false }, { enabled: false }],
    ['order', { order: -7 }, { insertion_order: -7 }, { order: -7 }],
    ['before', { position: { slot: 'world' } }, { position: 'before_char' }, { position: 0 }],
    ['after', { position: { slot: 'character' } }, { position: 'after_char' }, { position: 1 }],
    [...usual('at a depth'), { position: 4, depth: 0, role: 0 }, { position: 2, depth: 0, role: 'system' }],
    [...usual('as the user'), { position: 4, depth: 3, role: 1 }, { position: 2, depth: 3, role: 'user' }],
    [
      ...usual('as the character'),
      { position: 4, depth: 9, role: 2 },
      { position: 2, depth: 9, role: 'assistant' },
    ],
    ['a chance', { probability: { chance: 40 } }, { probability: 40 }, { probability: 40 }],
    ['case', { scan: { caseSensitive: true } }, { case_sensitive: true }, { caseSensitive: true }],
    ['no case', {}, { case_sensitive: false }, { caseSensitive: false }],
    ['scan depth', { scan: { depth: 7 } }, { scanDepth: 7 }, { scanDepth: 7 }],
    [
      'recursion is always said',
      {},
      { preventRecursion: false, excludeRecursion: false, delayUntilRecursion: false },
      { preventRecursion: false },
    ],
    ['prevent', { recursion: { prevent: true } }, { preventRecursion: true }, { preventRecursion: true }],
    ['exclude', { recursion: { exclude: true } }, { excludeRecursion: true }, { excludeRecursion: true }],
    [
      'group',
      { group: { name: 'g', weight: 30 } },
      { group: 'g', groupWeight: 30 },
      { group: 'g', groupWeight: 30 },
    ],
    ['vectorized', { vectorized: true }, { vectorized: true }, { excludeFromVectorization: false }],
    ['not vectorized', {}, { vectorized: false }, { excludeFromVectorization: true }],
  ])('%s', (_, given, card, native) => {
    const out = written(given);
    expect(out.card).toMatchObject(card);
    expect(out.native).toMatchObject(native);
    expect(Object.values(out.card).filter((value) => value === null)).toEqual([]);
  });
  it('nothing is said of an ordinary entry', () => {
    const resolved = characterInForce([lorebookOf([entryOf()])], OFF);
    for (const { findings } of [
      marinaraCard(resolved, NATURAL),
      marinaraCard(resolved, EXACT),
      marinaraLorebooks(resolved, EXACT),
    ]) {
      expect(findings.filter(({ entryId }) => entryId !== null)).toEqual([]);
    }
  });
  it('a chance of 100, or one that is not used, and the settings’ own scan depth are left out', () => {
    for (const probability of [
      { chance: 100, used: true },
      { chance: 40, used: false },
    ]) {
      expect(written({ probability }).card).not.toHaveProperty('probability');
    }
    for (const depth of [null, 2]) expect(written({ scan: { depth } }).card).not.toHaveProperty('scanDepth');
  });
});

otherwiseOf<MarinaraOptions>({
  app: 'Marinara',
  write: (given, options) => {
    const { card, codes } = written(given, options);
    return { held: card, codes };
  },
  rows: [
    ['no title', { title: '' }, { name: 'lamp', comment: 'lamp' }, { title: 'assumed' }],
    [
      'neither title nor key',
      { title: ' ', keys: [], constant: true },
      { name: 'Entry 1' },
      { title: 'assumed' },
    ],
    ['a long title', { title: 'x'.repeat(201) }, { name: 'x'.repeat(200) }, approximated('title')],
    [...usual('top of the note'), { position: 4, depth: 4, role: 0 }, approximated('position.slot')],
    [
      ...usual('bottom of the note'),
      { position: 4, depth: 2 },
      approximated('position.slot'),
      { ...NATURAL, noteDepth: 2 },
    ],
    [...usual('before the examples'), { position: 'before_char' }, approximated('position.slot')],
    [...usual('after the examples'), { position: 'after_char' }, approximated('position.slot')],
    [
      'an outlet, 2.3',
      { position: { slot: 'outlet', outlet: 'o' } },
      { position: 'before_char', enabled: false, content: 'Lamp note.' },
      approximated('position.slot', 'enabled'),
    ],
    [
      'an outlet, 2.4',
      { position: { slot: 'outlet', outlet: 'o' } },
      { position: 7, outletName: 'o', enabled: true },
      {},
      { ...NATURAL, targetVersion: '2.4' },
    ],
    [...usual('scan depth 0'), { enabled: false }, approximated('scan.depth', 'enabled')],
    [...usual('scan depth 0, constant'), { enabled: true }, {}],
    [
      'a delay',
      { recursion: { delayUntil: 1 } },
      { delayUntilRecursion: true },
      approximated('recursion.delayUntil'),
    ],
    [...usual('a level of delay'), { delayUntilRecursion: true }, approximated('recursion.delayUntil')],
    [
      ...usual('timing'),
      { sticky: 4, cooldown: 2, delay: 1 },
      approximated('timing.sticky', 'timing.cooldown', 'timing.delay'),
    ],
    [...usual('several groups'), { group: 'a', groupWeight: 100 }, approximated('group.name')],
    [
      'a preferred entry',
      { group: { name: 'a', override: true, weight: 3 } },
      { group: 'a', groupWeight: 1_000_000 },
      approximated('group.override', 'group.weight'),
    ],
    [...usual('a counted group'), { group: 'a' }, approximated('group.scoring')],
    [...usual('triggers'), { enabled: true }, approximated('triggers')],
    [...usual('triggers without replies'), { enabled: false }, approximated('triggers', 'enabled')],
    ['only quiet', { triggers: ['quiet'] }, { enabled: false }, approximated('triggers', 'enabled')],
    [
      'the persona is searched',
      { sources: { personaDescription: true } },
      {},
      stashed('sources.personaDescription'),
    ],
    [
      'the notes are searched',
      { sources: { creatorNotes: true, characterDepthPrompt: true } },
      {},
      stashed('sources.creatorNotes', 'sources.characterDepthPrompt'),
    ],
    [...usual('no budget'), {}, stashed('ignoreBudget')],
    [...usual('an automation'), {}, stashed('automationId')],
    [...usual('an automation, dropped'), {}, { automationId: 'lost' }, { style: 'natural' }],
    [...usual('a character filter'), {}, stashed('characterFilter')],
  ],
  withoutPrivate: (resolved) => [
    marinaraCard(resolved, { style: 'exact' }).card,
    marinaraLorebooks(resolved, { style: 'exact' }).lorebooks,
  ],
});

describe('values that Marinara has in another way, or not at all', () => {
  it('what a lorebook file of its own can hold', () => {
    const { native, nativeCodes } = written({
      triggers: ['normal', 'swipe', 'regenerate'],
      sources: { personaDescription: true, scenario: true },
    });
    expect(native).toMatchObject({
      generationTriggerFilterMode: 'include',
      generationTriggerFilters: ['chat', 'swipe', 'regenerate'],
      additionalMatchingSources: ['persona_description', 'character_scenario'],
    });
    expect([...nativeCodes('triggers'), ...nativeCodes('sources.scenario')]).toEqual([]);
    expect(written({ triggers: ['quiet'] }).native).toMatchObject({
      enabled: false,
      generationTriggerFilterMode: 'any',
    });
    expect(written({ triggers: ['normal', 'quiet'] }).nativeCodes('triggers')).toEqual(['approximated']);
    expect(written({ triggers: ['normal', 'swipe'] }).nativeCodes('triggers')).toEqual(['approximated']);
    expect(written({ order: 1.5 }).native).toMatchObject({ order: 2 });
  });
});

tableOf(MARINARA_FIELDS, ['probability.used']);
cardPlacesOf(MARINARA_FIELDS, 'entry');
