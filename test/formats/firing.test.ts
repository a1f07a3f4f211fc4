// Why an entry cannot fire, fires always, or reaches no prompt: each rule of SillyTavern 1.19's engine, and all of them
// against what the real engine did.

import { describe, expect, it } from 'vitest';
import type { FiringKind, FiringReason } from '../../src/core/firing.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { literalKey } from '../../src/core/key.ts';
import { newEntry } from '../../src/core/lorebook.ts';
import { diagnose, type FiringSurroundings } from '../../src/formats/sillytavern/firing.ts';
import { viewBook } from '../../src/inspection/book-view.ts';
import { booksToInspect } from '../../src/inspection/inspection.ts';
import { openJson } from '../../src/open-file.ts';
import { parityCases } from '../parity/cases.ts';
import { bookEntry, bookOf, cardWith, readCase, worldEntry, worldOf } from '../support/fixtures.ts';
import { ALONE, viewOf } from '../support/views.ts';

type Said = readonly (readonly [FiringKind, FiringReason, string?])[];

const FENN: FiringSurroundings = {
  ...ALONE,
  character: { name: 'Ottoline Fenn', avatar: 'ottoline-fenn.png', tags: ['t-sea'] },
};

function saidOf(given: JsonObject, surroundings: Partial<FiringSurroundings> = {}): Said {
  const view = viewOf(worldOf(worldEntry(0, given)), { ...FENN, ...surroundings });
  return (view.entries[0]?.diagnoses ?? []).map(({ kind, reason, detail }) =>
    detail === '' ? [kind, reason] : [kind, reason, detail],
  );
}

const saysNothing = (given: JsonObject, surroundings: Partial<FiringSurroundings> = {}): void =>
  expect(saidOf(given, surroundings)).toEqual([]);

describe('an ordinary entry', () => {
  it('has nothing to be said of it, and costs no list', () => {
    saysNothing({});
    const [a, b] = viewOf(worldOf(worldEntry(0), worldEntry(1))).entries;
    expect(a?.diagnoses).toBe(b?.diagnoses);
    expect(Object.isFrozen(a?.diagnoses)).toBe(true);
  });
});

describe('cannot fire', () => {
  const TABLE: readonly (readonly [FiringReason, string, JsonObject, string?])[] = [
    ['off', 'switched off', { disable: true }],
    ['off', 'switched off, though constant', { disable: true, constant: true }],
    ['chance-zero', 'a probability of 0', { probability: 0, useProbability: true }],
    [
      'chance-zero',
      'a probability of 0, though constant',
      { constant: true, probability: 0, useProbability: true },
    ],
    ['no-key', 'no key', { key: [] }],
    ['only-empty-keys', 'empty keys', { key: ['', ''] }],
    ['vectors-off', 'vectors that are off', { key: [], vectorized: true }],
    ['vectors-off', 'vectors that are off and an empty key', { key: [''], vectorized: true }],
    [
      'filtered-out',
      'another character',
      { characterFilter: { isExclude: false, names: ['other'], tags: [] } },
    ],
    [
      'filtered-out',
      'not this one',
      { characterFilter: { isExclude: true, names: ['ottoline-fenn'], tags: [] } },
    ],
    ['filtered-out', 'other tags', { characterFilter: { isExclude: false, names: [], tags: ['t-land'] } }],
    ['filtered-out', 'not this tag', { characterFilter: { isExclude: true, names: [], tags: ['t-sea'] } }],
    ['invalid-regex', 'a regex that does not compile', { key: ['/fog(/i'] }, '/fog(/i'],
    ['invalid-regex', 'the same with spaces around it', { key: [' /fog(/i '] }, ' /fog(/i '],
    ['dont-activate', 'a decorator', { content: '@@dont_activate\nText' }],
    ['dont-activate', 'a decorator, though constant', { constant: true, content: '@@dont_activate\nText' }],
    ['scan-depth-zero', 'a scan depth of 0', { scanDepth: 0 }],
    ['scan-depth-zero', 'a regex in no text', { scanDepth: 0, key: ['/fog/'] }],
    ['empty-second-keys', 'any of empty keys', { keysecondary: [''], selectiveLogic: 0 }],
    ['empty-second-keys', 'all, one of them empty', { keysecondary: ['sea', ''], selectiveLogic: 3 }],
    ['unknown-trigger', 'a trigger that is none', { triggers: ['dream'] }],
  ];
  for (const [reason, name, given, detail] of TABLE)
    it(`${reason}: ${name}`, () => {
      expect(saidOf(given)).toEqual([
        detail === undefined ? ['cannot-fire', reason] : ['cannot-fire', reason, detail],
      ]);
    });

  const FINE: readonly (readonly [string, JsonObject, Partial<FiringSurroundings>?])[] = [
    ['a probability of 0 that is not used', { probability: 0, useProbability: false }],
    ['constant without a key', { constant: true, key: [] }],
    ['constant with a scan depth of 0', { constant: true, scanDepth: 0 }],
    ['vectors that are on', { key: [], vectorized: true }, { vectorsActive: true }],
    ['vectors and a scan depth of 0', { scanDepth: 0, vectorized: true }, { vectorsActive: true }],
    ['vectors and empty secondary keys', { keysecondary: [''], vectorized: true }, { vectorsActive: true }],
    ['an empty key beside another', { key: ['', 'lamp'] }],
    ['this character', { characterFilter: { isExclude: false, names: ['ottoline-fenn'], tags: [] } }],
    ['this tag', { characterFilter: { isExclude: false, names: [], tags: ['t-sea'] } }],
    [
      'a filter, and no character',
      { characterFilter: { isExclude: false, names: ['x'], tags: [] } },
      { character: null },
    ],
    ['slashes that are no regex', { key: ['AC/DC', '/home/user'] }],
    ['a regex', { key: ['/fo+g/i'] }],
    ['empty secondary keys that must not be found', { keysecondary: [''], selectiveLogic: 2 }],
    ['secondary keys that do not count', { keysecondary: [''], selective: false }],
    ['one empty secondary key of two', { keysecondary: ['', 'sea'], selectiveLogic: 0 }],
    ['a trigger', { triggers: ['swipe', 'dream'] }],
    ['a decorator that is not alone on its line', { content: '@@dont_activate now\nText' }],
    ['a scan depth of its own where the user has 0', { scanDepth: 1 }, { scanDepth: 0 }],
  ];
  for (const [name, given, around] of FINE) it(`not: ${name}`, () => saysNothing(given, around));

  it('a user’s scan depth of 0 stops what has none of its own', () => {
    expect(saidOf({}, { scanDepth: 0 })).toEqual([['cannot-fire', 'scan-depth-zero']]);
  });

  it('one broken regex among several keys is worth a look', () => {
    expect(saidOf({ key: ['lamp', '/fog(/'] })).toEqual([['look', 'invalid-regex', '/fog(/']]);
  });
});

describe('fires always', () => {
  const TABLE: readonly (readonly [FiringReason, string, JsonObject, string?])[] = [
    ['blank-key', 'a key of spaces', { key: ['lamp', '  '] }, '  '],
    ['blank-key', 'a key of spaces that is found in no text, too', { key: [' '], scanDepth: 0 }, ' '],
    ['speaker-key', 'the character’s name', { key: ['ottoline fenn'] }, 'ottoline fenn'],
    ['speaker-key', 'a word of it', { key: ['lamp', 'Fenn'] }, 'Fenn'],
    ['speaker-key', 'the user’s name', { key: ['Robin'] }, 'Robin'],
    ['speaker-key', '{{char}}', { key: ['{{char}}'] }, '{{char}}'],
    ['speaker-key', '{{user}}', { key: ['{{ User }}'] }, '{{ User }}'],
    ['speaker-key', 'a regex', { key: ['/otto(line)?/i'] }, '/otto(line)?/i'],
    [
      'speaker-key',
      'a part of a word, where words need not be whole',
      { key: ['tto'], matchWholeWords: false },
      'tto',
    ],
    ['any-text-key', 'a regex that matches anything', { key: ['/.*/'] }, '/.*/'],
    ['any-text-key', 'the same with spaces around it', { key: [' /[\\s\\S]/ '] }, ' /[\\s\\S]/ '],
    ['activate-decorator', 'a decorator', { content: '@@activate\nText', key: [] }],
    [
      'speaker-key',
      'secondary keys that are never found and must not be',
      { key: ['Robin'], keysecondary: [''], selectiveLogic: 2 },
      'Robin',
    ],
  ];
  for (const [reason, name, given, detail] of TABLE)
    it(`${reason}: ${name}`, () => {
      expect(saidOf(given)).toEqual([detail === undefined ? ['always', reason] : ['always', reason, detail]]);
    });

  const FINE: readonly (readonly [string, JsonObject, Partial<FiringSurroundings>?])[] = [
    ['constant with such a key', { constant: true, key: [' '] }],
    ['constant with the decorator', { constant: true, content: '@@activate\nText' }],
    ['secondary keys that decide', { key: ['Robin'], keysecondary: ['sea'] }],
    ['a name where names are not scanned', { key: ['Robin'] }, { includeNames: false }],
    ['a part of a name', { key: ['Rob', 'tto'] }],
    ['a name in another case', { key: ['robin'], caseSensitive: true }],
    ['the character’s name where only the user’s message is scanned', { key: ['Fenn'], scanDepth: 1 }],
    ['a user without a name', { key: ['{{user}}'] }, { userName: '' }],
    ['a regex for an empty message', { key: ['/^$/'] }],
  ];
  for (const [name, given, around] of FINE) it(`not: ${name}`, () => saysNothing(given, around));

  it('{{char}} is the speaker also where no character is known', () => {
    expect(saidOf({ key: ['{{char}}'] }, { character: null })).toEqual([
      ['always', 'speaker-key', '{{char}}'],
    ]);
    saysNothing({ key: ['char'] }, { character: null });
  });

  it('is not said of what is stopped', () => {
    expect(saidOf({ key: [' '], disable: true })).toEqual([['cannot-fire', 'off']]);
    expect(saidOf({ content: '@@activate\nText', disable: true })).toEqual([['cannot-fire', 'off']]);
  });
});

describe('goes nowhere', () => {
  const POSITIONS: readonly Json[] = [null, '4', 'before_char', 8, -1, 1.5];
  it.each(POSITIONS)('at position %j of a world file', (position) => {
    expect(saidOf({ position })).toEqual([['goes-nowhere', 'placed-nowhere']]);
  });

  it('not at the eight that there are', () => {
    for (let position = 0; position < 8; position++) saysNothing({ position, outletName: 'shelf' });
  });

  it('in an outlet without a name, or without a text', () => {
    expect(saidOf({ position: 7, outletName: '' })).toEqual([['goes-nowhere', 'no-outlet-name']]);
    expect(saidOf({ content: '' })).toEqual([['goes-nowhere', 'no-content']]);
  });

  it('not out of a card: what brings it in gives it a number', () => {
    for (const position of [null, 'middle', 42]) {
      const card = cardWith(bookOf(bookEntry({ position })));
      expect(viewOf(card).entries[0]?.diagnoses).toEqual([]);
    }
  });

  it('not out of an Agnai memory book, which has no positions', () => {
    const view = viewOf({
      kind: 'character',
      name: 'Fenn',
      persona: { kind: 'text', attributes: { text: ['A pilot.'] } },
      greeting: 'Hi',
      scenario: '',
      sampleChat: '',
      characterBook: {
        kind: 'memory',
        name: 'Tides',
        entries: [
          { name: 'Tide', entry: 'High at six.', keywords: ['tide'], priority: 1, weight: 1, enabled: true },
        ],
      },
    });
    expect(view.entries).toHaveLength(1);
    expect(view.entries[0]?.diagnoses).toEqual([]);
  });
});

describe('worth a look', () => {
  const JOINED: readonly (readonly [boolean, string, readonly string[]])[] = [
    [true, 'several keys in one', ['chandler, ropewalk, pitch']],
    [true, 'two keys in one', ['fog,mist']],
    [true, 'with another kind of comma', ['雾，海']],
    [true, 'three in one beside another key', ['fog, mist, haze', 'sea']],
    [false, 'a place beside another key', ['Paris, France', 'sea']],
    [false, 'a number', ['1,000']],
    [false, 'a number of something', ['10,000 lamps']],
    [false, 'a regex', ['/fo{1,2}g/']],
    [false, 'a comma at the end', ['fog,']],
    [false, 'a sentence', ['He said that he would never again leave the harbour, whatever came']],
  ];
  it.each(JOINED)('joined keys %s: %s', (isJoined, _, key) => {
    expect(saidOf({ key: [...key] })).toEqual(isJoined ? [['look', 'joined-keys', key[0]]] : []);
  });

  const TEMPLATES: readonly (readonly [string, string | null])[] = [
    ["<% if (getvar('mood') > 2) { %>", '<%'],
    ["<%= getvar('stat.mood') %>", '<%='],
    ['{{#if_pure {{getvar::a}}}}x{{/if_pure}}', '{{#if_pure'],
    ['{{#each list}}', '{{#each'],
    ['{{get_message_variable::mood}}', '{{get_message_variable::'],
    ['{{equal::1::1}}', '{{equal::'],
    ['{{getvar::mood}} and {{setvar::mood::1}}', null],
    ['{{#if mood}}x{{/if}} {{if mood}}y{{/if}}', null],
    ['{{char}}, {{random::a::b}}, {{outlet::x}}', null],
    ['1 < 2 % of { { them', null],
  ];
  it.each(TEMPLATES)('code in %s', (content, code) => {
    expect(saidOf({ content })).toEqual(code === null ? [] : [['look', 'foreign-template', code]]);
  });
});

describe('the order of what is said', () => {
  it('begins with what stops the entry', () => {
    expect(saidOf({ disable: true, key: ['a, b'], position: '4', content: '<% x %>' })).toEqual([
      ['cannot-fire', 'off'],
      ['look', 'joined-keys', 'a, b'],
      ['goes-nowhere', 'placed-nowhere'],
      ['look', 'foreign-template', '<%'],
    ]);
  });
});

describe('in the cases', () => {
  it('26: no position of a card’s book goes nowhere', () => {
    const said = viewOf(readCase('26-')).entries.flatMap(({ diagnoses }) => diagnoses);
    expect(said.filter(({ reason }) => reason === 'placed-nowhere')).toEqual([]);
  });

  it('56: blank keys', () => {
    const said = viewOf(readCase('56-')).entries.map(({ diagnoses }) =>
      diagnoses.map(({ reason }) => reason),
    );
    expect(said.flat()).toContain('blank-key');
    expect(said.flat()).toContain('only-empty-keys');
  });

  it('87: what is off', () => {
    const said = viewOf(readCase('87-')).entries.map(({ diagnoses }) =>
      diagnoses.some(({ reason }) => reason === 'off'),
    );
    expect(said).toEqual([false, true, false, true]);
  });
});

describe('what the real engine did', () => {
  const MARK = /MARK_(\d+)/;
  it.each(parityCases().map((each) => [each.id, each] as const))('%s', (_, given) => {
    for (const { name, world } of given.worlds) {
      const container = { kind: 'json' as const, json: world, copies: [{ json: world }], notes: [] };
      const opened = openJson(container, `${name}.json`);
      for (const { lorebook, reading } of booksToInspect(opened)) {
        const data = given.card['data'] as JsonObject;
        const view = viewBook(lorebook, reading, opened.findings, {
          character: { name: String(data['name']), avatar: given.avatar, tags: [] },
          userName: given.userName,
          includeNames: given.settings['include_names'] === true,
          vectorsActive: false,
          scanDepth: Number(given.settings['depth']),
        });
        for (const { entry, diagnoses } of view.entries) {
          const mark = Number(MARK.exec(entry.content)?.[1]);
          for (const { kind, reason } of diagnoses) {
            for (const { id, truth, messages } of given.chats) {
              const where = `${id} ${mark} ${reason}`;
              if (kind === 'cannot-fire')
                expect([where, truth.active.includes(mark)]).toEqual([where, false]);
              if (kind === 'goes-nowhere') expect([where, truth.placed[mark]]).toEqual([where, undefined]);
              // A speaker speaks in most chats, not in all; groups and recursion take their turn.
              const isFree = entry.group.name === '' && entry.recursion.delayUntil === 0;
              const isSpoken = reason !== 'speaker-key' || messages.length > 1;
              if (kind === 'always' && isFree && isSpoken)
                expect([where, truth.active.includes(mark)]).toEqual([where, true]);
            }
          }
        }
      }
    }
  });
});

describe('five thousand entries', () => {
  it('are judged in a blink', () => {
    const entries = Array.from({ length: 5000 }, (_, index) => ({
      ...newEntry(String(index)),
      keys: [`harbour ${index}`, 'lamp', 'the old light'].map(literalKey),
      content: 'The lamp on the north quay burns from dusk to dawn. '.repeat(8),
    }));
    const position = { agreement: 'agree' as const, precise: { at: 'extensions' as const } };
    // This process's own time: other tests run beside it.
    const times = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage();
      for (const entry of entries) diagnose(entry, position, FENN);
      return process.cpuUsage(start).user / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(50);
  });
});
