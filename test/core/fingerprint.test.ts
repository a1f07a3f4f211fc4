import { describe, expect, it } from 'vitest';
import { sameFingerprint, strictFingerprint } from '../../src/core/fingerprint.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { characterBookToLorebook } from '../../src/formats/_shared/character-book.ts';
import { bookEntry, bookOf } from '../support/fixtures.ts';

const bodyOf = (entry: JsonObject, ...more: readonly JsonObject[]) =>
  characterBookToLorebook(
    bookOf(bookEntry({ ...entry, extensions: { position: 0, ...(entry['extensions'] as object) } }), ...more),
  );
const same = (entry: JsonObject): string => sameFingerprint(bodyOf(entry));
const strict = (entry: JsonObject): string => strictFingerprint(bodyOf(entry));
const SECOND = { secondary_keys: ['oil'], selective: true };

describe('`same` sees whatever decides whether and where an entry fires (decisions 13)', () => {
  const SEEN: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['keys', {}, { keys: ['wick'] }],
    ['a key that is a regex', { keys: ['lamp'] }, { keys: ['/lamp/'] }],
    ['secondary keys', {}, SECOND],
    ['logic beside secondary keys', SECOND, { ...SECOND, extensions: { selectiveLogic: 2 } }],
    ['whether secondary keys count', SECOND, { ...SECOND, selective: false }],
    ['content', {}, { content: 'Other.' }],
    ['enabled', {}, { enabled: false }],
    ['constant', {}, { constant: true }],
    ['position', {}, { extensions: { position: 1 } }],
    [
      'depth at a depth',
      { extensions: { position: 4, depth: 4 } },
      { extensions: { position: 4, depth: 2 } },
    ],
    ['role at a depth', { extensions: { position: 4, role: 0 } }, { extensions: { position: 4, role: 1 } }],
    [
      'outlet',
      { extensions: { position: 7, outlet_name: 'a' } },
      { extensions: { position: 7, outlet_name: 'b' } },
    ],
    ['order', {}, { insertion_order: 5 }],
    ['probability', {}, { extensions: { probability: 50 } }],
    ['scan depth', {}, { extensions: { scan_depth: 3 } }],
    ['case', {}, { extensions: { case_sensitive: true } }],
    ['whole words', {}, { extensions: { match_whole_words: false } }],
    ['recursion: exclude', {}, { extensions: { exclude_recursion: true } }],
    ['recursion: prevent', {}, { extensions: { prevent_recursion: true } }],
    ['recursion: delay', {}, { extensions: { delay_until_recursion: 2 } }],
    ['group', {}, { extensions: { group: 'lights' } }],
    ['weight in a group', { extensions: { group: 'l' } }, { extensions: { group: 'l', group_weight: 5 } }],
    ['sticky', {}, { extensions: { sticky: 2 } }],
    ['cooldown', {}, { extensions: { cooldown: 2 } }],
    ['delay', {}, { extensions: { delay: 2 } }],
  ];
  it.each(SEEN)('%s', (_, a, b) => {
    expect(same(a)).not.toBe(same(b));
    expect(strict(a)).not.toBe(strict(b));
  });
  it('the order of entries', () => {
    const other = bookEntry({ id: 1, content: 'Other.' });
    const turned = characterBookToLorebook(bookOf(other, bookEntry({ extensions: { position: 0 } })));
    expect(sameFingerprint(bodyOf({}, other))).not.toBe(sameFingerprint(turned));
  });
  it('the number of entries', () => {
    expect(same({})).not.toBe(sameFingerprint(bodyOf({}, bookEntry())));
  });
});

describe("`same` does not see what SillyTavern's copy cannot hold, nor names, titles, ids and bags (decisions 13)", () => {
  const UNSEEN: readonly (readonly [string, JsonObject])[] = [
    ['title', { comment: 'Other title' }],
    ['a name beside the comment', { name: 'Other title' }],
    ['unknown keys', { x_top: 'x' }],
    ['unknown extensions', { extensions: { vendor: 1 } }],
    [
      'the character filter',
      { extensions: { character_filter: { isExclude: true, names: ['Odo'], tags: [] } } },
    ],
    ['the place in the editor', { extensions: { display_index: 9 } }],
  ];
  it.each(UNSEEN)('%s, which only `strict` sees', (_, b) => {
    expect(same(b)).toBe(same({}));
    expect(strict(b)).not.toBe(strict({}));
  });

  const IDLE: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['an id', { id: 3 }, { id: 4 }],
    ['depth elsewhere than at a depth', { extensions: { depth: 4 } }, { extensions: { depth: 9 } }],
    ['an outlet name elsewhere', {}, { extensions: { outlet_name: 'x' } }],
    ['logic without secondary keys', {}, { extensions: { selectiveLogic: 2 } }],
    ['selective without secondary keys', { selective: true }, { selective: false }],
    ['weight without a group', {}, { extensions: { group_weight: 5 } }],
    [
      'a probability that is not rolled',
      { extensions: { useProbability: false } },
      { extensions: { useProbability: false, probability: 3 } },
    ],
    [
      '"inherit" for group scoring, which SillyTavern writes as false',
      { extensions: { group: 'l' } },
      { extensions: { group: 'l', use_group_scoring: false } },
    ],
  ];
  it.each(IDLE)('%s', (_, a, b) => {
    expect(same(a)).toBe(same(b));
  });

  it("RoleCall's own slots, which SillyTavern holds as the nearest (decisions 29)", () => {
    expect(same({ extensions: { position: 'append' } })).toBe(same({ extensions: { position: 1 } }));
    expect(same({ extensions: { position: 'scene' } })).toBe(same({ extensions: { position: 0 } }));
    expect(same({ extensions: { position: 'prepend_top' } })).toBe(same({ extensions: { position: 0 } }));
    expect(same({ extensions: { position: 'append_bottom' } })).toBe(
      same({ extensions: { position: 4, depth: 0, role: 0 } }),
    );
  });

  it('the name and the settings of the book', () => {
    const book = bookOf(bookEntry());
    const other = { ...book, name: 'Other', description: 'x', scan_depth: 3 };
    expect(sameFingerprint(characterBookToLorebook(other))).toBe(
      sameFingerprint(characterBookToLorebook(book)),
    );
    expect(strictFingerprint(characterBookToLorebook(other))).not.toBe(
      strictFingerprint(characterBookToLorebook(book)),
    );
  });
});

describe('unset equals default in both fingerprints (decisions 13)', () => {
  const UNSET: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['null and absent', { extensions: { sticky: null, group_weight: null, role: null } }, {}],
    ['0 messages and absent', { extensions: { sticky: 0, cooldown: 0, delay: 0 } }, {}],
    [
      'a default that is written out',
      { extensions: { depth: 4, probability: 100, useProbability: true, group: '' } },
      {},
    ],
    [
      'no recursion delay, as false or 0',
      { extensions: { delay_until_recursion: false } },
      { extensions: { delay_until_recursion: 0 } },
    ],
    ['an empty filter', { extensions: { character_filter: { isExclude: false, names: [], tags: [] } } }, {}],
  ];
  it.each(UNSET)('%s', (_, a, b) => {
    expect(same(a)).toBe(same(b));
    expect(strict(a)).toBe(strict(b));
  });
  it('the order of keys in a bag is no leaf', () => {
    expect(strict({ extensions: { v: { a: 1, b: 2 } } })).toBe(strict({ extensions: { v: { b: 2, a: 1 } } }));
  });
});
