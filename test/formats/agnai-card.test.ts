// A SillyTavern card as Agnai's own character: what stands where there, what is said of it, and how it comes back, also
// after Agnai saved it, edited it or exported it.

import { describe, expect, it, vi } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { jsonAt } from '../../src/core/json.ts';
import { agnaiNativeCharacter } from '../../src/formats/agnai/adapter.ts';
import { agnaiCharacter } from '../../src/formats/agnai/character.ts';
import { agnaiBooksOf, cardOfAgnai, characterOfAgnai } from '../../src/formats/agnai/native-character.ts';
import { sillytavernCard } from '../../src/formats/sillytavern/card.ts';
import { refusedField, savedCharacter, tavernExport } from '../support/agnai-app.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { cardWith, throughJson, worldEntry, worldOf } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf } from '../support/in-force.ts';
import { keep, lorebookOfWorld, resolvedOf } from '../support/sent-books.ts';

vi.setConfig({ testTimeout: 60_000 });

describe('the card', () => {
  const data: JsonObject = {
    name: 'Mara Lint',
    description: 'Keeps a light.\nTwice.',
    personality: 'stubborn',
    scenario: 'A quay.',
    first_mes: 'You: wait\nYou: go\\n<USER> {{char}}',
    mes_example: '<START>\n{{user}}: a',
    creator_notes: 'Notes.',
    system_prompt: '{{original}} Be brief. {{outlet::shelf}}',
    post_history_instructions: 'Stay.',
    alternate_greetings: ['You: hi\\n', 'b'],
    tags: ['t'],
    creator: 'c',
    character_version: '1',
    nickname: 'M',
    group_only_greetings: ['g'],
    extensions: {
      talkativeness: 0.7,
      fav: true,
      world: 'Quay Notes',
      depth_prompt: { prompt: 'Whisper.', depth: 2, role: 'user' },
      vendor: { a: [1] },
    },
  };
  const character = sillytavernCard.toCanonical(cardWith(undefined, data));
  const book = lorebookOfWorld(
    worldOf(
      worldEntry(0, { constant: true, key: [], position: 4, depth: 2, content: 'Deep.' }),
      worldEntry(1, { constant: true, key: [], position: 7, outletName: 'shelf', content: 'On the shelf.' }),
      worldEntry(2, { constant: true, key: [], position: 6, content: 'After examples.' }),
    ),
    'Quay Notes',
  );
  const { card, findings } = agnaiCharacter(resolvedOf([book], character), keep('exact'));
  const native = throughJson(card);
  it('has every field that Agnai asks for, as its import leaves it', () => {
    expect(refusedField(native)).toBeNull();
    expect(native).toMatchObject({
      kind: 'character',
      name: 'Mara Lint',
      greeting: '{{user}}: wait\n{{user}}: go\n{{user}} {{char}}',
      scenario: 'A quay.',
      sampleChat: '<START>\n{{user}}: a\n<START>\nAfter examples.',
      persona: { kind: 'text', attributes: { text: ['Keeps a light.\nTwice.\nstubborn'] } },
      description: 'Notes.',
      systemPrompt: '{{original}} Be brief. On the shelf.',
      insert: { prompt: 'Whisper.\nDeep.', depth: 2 },
      alternateGreetings: ['You: hi\\n', 'b'],
      creator: 'c',
      characterVersion: '1',
      tags: ['t'],
    });
    expect((native['characterBook'] as JsonObject)['entries']).toMatchObject([
      { enabled: false },
      { enabled: false },
      { enabled: false },
    ]);
  });
  it('names what Agnai cannot say of it', () => {
    const paths = findings.filter(({ bookId }) => bookId === null).map(({ code, path }) => `${code} ${path}`);
    expect(paths).toEqual(
      expect.arrayContaining([
        'approximated data.first_mes',
        'approximated data.system_prompt',
        'approximated data.personality',
        'approximated data.extensions.depth_prompt.role',
        'stashed data.nickname',
        'stashed data.group_only_greetings',
        'stashed data.extensions.talkativeness',
        'stashed data.extensions.world',
        'stashed data.extensions.vendor',
      ]),
    );
  });
  it('says nothing of what both apps put in, and names what only one does', () => {
    const said = (given: JsonObject): readonly string[] => {
      const own = sillytavernCard.toCanonical(cardWith(undefined, given));
      const written = agnaiCharacter(resolvedOf([], own), keep('exact')).findings;
      return written
        .filter(({ path }) => path.startsWith('data.'))
        .map(({ code, path }) => `${code} ${path}`);
    };
    const original = '{{original}} Be brief, {{char}}.';
    expect(said({ system_prompt: original, post_history_instructions: original })).toEqual([]);
    expect(said({ scenario: original, system_prompt: '{{time}}' })).toEqual([
      'approximated data.scenario',
      'approximated data.system_prompt',
    ]);
  });
  it('comes back whole from a signed-in user, but for what is the user’s own', () => {
    const back = cardOfAgnai(savedCharacter(native))['data'] as JsonObject;
    const { fav: _fav, ...extensions } = data['extensions'] as JsonObject;
    const { agnai: _own, ...theirs } = back['extensions'] as JsonObject;
    expect({ ...back, extensions: theirs }).toEqual({ ...data, extensions });
  });
  it('comes back whole from a Tavern export, without the texts of entries that were put into it', () => {
    const tavern = tavernExport(savedCharacter(native));
    const { character: back, lorebooks, format, slots } = readPieces(tavern);
    const { fav: _fav, ...extensions } = data['extensions'] as JsonObject;
    const raw = jsonAt(back.original['sillytavern']?.raw, ['data']) as JsonObject;
    const { agnai: _own, ...theirs } = raw['extensions'] as JsonObject;
    expect({ ...raw, extensions: theirs }).toEqual({ ...data, extensions });
    expect(lorebooks.map(({ body }) => body.entries.map(({ content }) => content))).toEqual([
      ['Deep.', 'On the shelf.', 'After examples.'],
    ]);
    expect(lorebooks[0]?.body.entries.every(({ enabled, constant }) => enabled && constant)).toBe(true);
    expect([format, [...slots.values()]]).toEqual(['agnai', ['data.character_book']]);
  });
  it('a Tavern export that was edited keeps the edit, and its texts do not come twice', () => {
    const tavern = tavernExport(savedCharacter(native));
    const held = tavern['data'] as JsonObject;
    const edited = { ...tavern, data: { ...held, mes_example: 'New.', scenario: 'A pier.' } };
    const { character: back, lorebooks } = readPieces(edited);
    expect(back.body).toMatchObject({
      exampleMessages: 'New.',
      scenario: 'A pier.',
      personality: 'stubborn',
    });
    const states = lorebooks[0]?.body.entries.map(({ content, enabled }) => [content, enabled]);
    expect(states).toEqual([
      ['Deep.', true],
      ['On the shelf.', true],
      ['After examples.', false],
    ]);
  });
  it('an edit there stays, the rest comes back', () => {
    const there = {
      ...savedCharacter(native),
      scenario: 'A pier.',
      persona: { kind: 'text', attributes: { text: ['New.'] } },
    };
    const back = cardOfAgnai(there)['data'] as JsonObject;
    expect(back).toMatchObject({
      scenario: 'A pier.',
      description: 'New.',
      personality: '',
      first_mes: data['first_mes'],
    });
  });
  it.each<[string, JsonObject]>([
    ['nothing but a name', { name: 'x' }],
    [
      'wrong kinds',
      {
        name: 5,
        description: null,
        first_mes: ['a'],
        tags: 'a',
        alternate_greetings: [1, null],
        extensions: [],
      },
    ],
    ['no name', { name: ' ' }],
  ])('%s: every field is still there', (_, held) => {
    const raw = deepFreeze({ spec: 'chara_card_v2', spec_version: '2.0', data: held });
    const written = agnaiCharacter(
      resolvedOf([book], sillytavernCard.toCanonical(raw as JsonObject)),
      keep('exact'),
    );
    expect(refusedField(throughJson(written.card))).toBeNull();
    // It is read again, with what we kept of the wrong kinds.
    expect(characterOfAgnai(throughJson(written.card)).body.tags).toEqual(held['tags'] === 'a' ? ['a'] : []);
  });
  it('a field over 10 MB is named; what is kept aside goes first', () => {
    const long = 'x'.repeat(6 * 1024 * 1024);
    const big = agnaiCharacter(
      characterInForce([lorebookOf([entryOf({ content: long, title: long.slice(0, 5_000_000) })])]),
      keep('exact'),
    );
    expect(big.findings.map(({ code, path }) => `${code} ${path}`)).toContain('refused characterBook');
    const aside = agnaiCharacter(
      characterInForce([lorebookOf([entryOf({ memo: long, title: long }), entryOf({}, 'w1')])]),
      keep('exact'),
    );
    expect(aside.findings.map(({ code, path }) => `${code} ${path}`)).toContain(
      'lost characterBook.extensions',
    );
    expect(JSON.stringify(aside.card['characterBook'])).not.toContain('loreferry');
  });
});

describe('the dialect as an adapter (spec 000)', () => {
  const native = throughJson(agnaiCharacter(characterInForce([lorebookOf([entryOf()])]), keep('exact')).card);
  const character = agnaiNativeCharacter.toCanonical(native);
  const lorebooks = agnaiBooksOf(native).books.map(({ lorebook }) => lorebook);
  it('absent lorebooks, or the same ones, leave it as it was; an empty list clears the book', () => {
    expect(agnaiNativeCharacter.fromCanonical(character, {}).card).toBe(native);
    expect(agnaiNativeCharacter.fromCanonical(character, { lorebooks }).card).toBe(native);
    const cleared = agnaiNativeCharacter.fromCanonical(character, { lorebooks: [] }).card;
    expect(cleared).toEqual({ ...native, characterBook: undefined });
  });
  it('other lorebooks are written', () => {
    const book = lorebookOf([entryOf({ content: 'Other.' })]);
    const { card } = agnaiNativeCharacter.fromCanonical(character, { lorebooks: [book] });
    expect(agnaiBooksOf(card).books[0]?.lorebook.body.entries[0]?.content).toBe('Other.');
  });
  it('the character is a card for SillyTavern', () => {
    const { card } = sillytavernCard.fromCanonical(character, { lorebooks });
    expect(card).toMatchObject({
      spec: 'chara_card_v2',
      data: { name: 'Mara Lint', character_book: { name: 'Quay Notes' } },
    });
  });
});
