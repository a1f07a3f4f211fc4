// A card for RoleCall: the standard's, with every lorebook in it, and back again as it was.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readContainer } from '../../src/containers/container.ts';
import { readPieces } from '../../src/convert.ts';
import { convertFile } from '../../src/convert-file.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { rolecallCard } from '../../src/formats/rolecall/card.ts';
import { formatOf, openFile, openJson } from '../../src/open-file.ts';
import { anyCard } from '../support/arbitrary-books.ts';
import { bookEntry, bookOf, cardWith, throughJson } from '../support/fixtures.ts';
import { characterInForce, entryOf, lorebookOf } from '../support/in-force.ts';
import { entryView } from '../support/sent-books.ts';
import { extractAsSillyTavern } from '../support/sillytavern.ts';
import { WORDED_CARDS, type WordedCard } from '../support/worded-cards.ts';

vi.setConfig({ testTimeout: 60_000 });
const opened = (json: JsonObject) => {
  const file = openJson({ kind: 'json', json, copies: [{ json }], notes: [] }, 'card.json');
  if (file.kind !== 'card') throw new Error('no card');
  return file;
};
const dataOf = (card: JsonObject): JsonObject => card['data'] as JsonObject;

describe('what is written', () => {
  it('is a V3 card, in both chunks of a PNG', () => {
    const file = opened(cardWith(bookOf(bookEntry())));
    const { files } = convertFile(file, { target: 'rolecall', form: 'png' });
    const { copies } = readContainer(files[0]?.bytes as Uint8Array, 'x.png');
    expect(copies.map(({ keyword }) => keyword)).toEqual(['chara', 'ccv3']);
    for (const { json } of copies) expect(json).toMatchObject({ spec: 'chara_card_v3', spec_version: '3.0' });
  });
  it('has everything that the standard asks for', () => {
    const { card } = rolecallCard(characterInForce([]), 'drop');
    expect(dataOf(card)).toMatchObject({
      name: 'Mara Lint',
      creator_notes: '',
      system_prompt: '',
      alternate_greetings: [],
      group_only_greetings: [],
      tags: [],
      extensions: {},
    });
    expect(dataOf(card)['character_book']).toBeUndefined();
  });
  it('names the places that RoleCall may take for others, and says that nobody has seen it', () => {
    const slots = ['world', 'character', 'note_top', 'depth', 'before_example', 'outlet', 'append'] as const;
    const book = lorebookOf(slots.map((slot, at) => entryOf({ position: { slot } }, `w${at}`)));
    const { findings } = rolecallCard(characterInForce([book]), 'keep');
    expect(findings.map(({ code, path, before, after }) => [code, path, before, after])).toEqual([
      ['assumed', 'target', null, null],
      ['approximated', 'position.slot', 'note_top', 'before_example'],
      ['approximated', 'position.slot', 'before_example', 'character'],
      ['approximated', 'position.slot', 'outlet', 'character'],
      ['approximated', 'position.slot', 'append', 'character'],
      ['approximated', 'scan.depth', 2, 100],
    ]);
  });
  it('private fields stay behind unless they are kept', () => {
    const filter = { exclude: false, names: ['Odo Pell'], tags: [] };
    const book = lorebookOf([entryOf({ automationId: 'au1', characterFilter: filter })]);
    const dropped = rolecallCard(characterInForce([book]), 'drop');
    expect(JSON.stringify(dropped.card)).not.toMatch(/Odo Pell|au1/);
    expect(dropped.findings.filter(({ code }) => code === 'lost').map(({ path }) => path)).toEqual([
      'characterFilter',
      'automationId',
    ]);
    expect(JSON.stringify(rolecallCard(characterInForce([book]), 'keep').card)).toMatch(/au1.*Odo Pell/);
  });
});

describe('there and back', () => {
  it('several books keep their boundaries', () => {
    const books = ['Quay Notes', 'Tar Notes'].map((name) => lorebookOf([entryOf({ title: name })], name));
    const { card } = rolecallCard(characterInForce(books), 'keep');
    const { lorebooks } = readPieces(throughJson(card));
    expect(lorebooks.map(({ name, body }) => [name, body.entries.map(({ title }) => title)])).toEqual([
      ['Quay Notes', ['Quay Notes']],
      ['Tar Notes', ['Tar Notes']],
    ]);
  });
  it('any card’s entries come back as they were', () => {
    fc.assert(
      fc.property(anyCard, (raw) => {
        const file = opened(raw);
        const { files } = convertFile(file, { target: 'rolecall', form: 'json', privateFields: 'keep' });
        const card = JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as JsonObject;
        const back = readPieces(card).lorebooks.flatMap(({ body }) => body.entries);
        const sent = file.pieces.lorebooks.flatMap(({ body }) => body.entries);
        expect(throughJson(back.map(entryView))).toEqual(throughJson(sent.map(entryView)));
      }),
      { seed: 20_260_704, numRuns: 200 },
    );
  });
  it('a card of RoleCall’s own goes through SillyTavern unchanged', () => {
    const card: JsonObject = {
      spec: 'chara_card_v3',
      spec_version: '3.0',
      data: {
        ...dataOf(cardWith(bookOf(bookEntry()))),
        creator_notes: '',
        system_prompt: '',
        post_history_instructions: '',
        alternate_greetings: [],
        group_only_greetings: [],
        tags: [],
        creator: '',
        character_version: '',
        extensions: {
          rolecall: { tagline: 'Keeps a light.', content_rating: 'all_hours', details: { age: '40' } },
        },
      },
    };
    const there = convertFile(opened(card), { target: 'sillytavern', form: 'json' });
    const inSillyTavern = openFile(there.files[0]?.bytes as Uint8Array, 'x.json');
    const back = convertFile(inSillyTavern, { target: 'rolecall', form: 'json' });
    expect(JSON.parse(new TextDecoder().decode(back.files[0]?.bytes))).toEqual(card);
    expect(formatOf(opened(card))).toBe('rolecall');
  });
});

describe('books in another app’s words', () => {
  const bookFor = (card: JsonObject): JsonObject => {
    const { files } = convertFile(opened(card), { target: 'rolecall', form: 'json' });
    const written = JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as JsonObject;
    return dataOf(written)['character_book'] as JsonObject;
  };
  it.each(WORDED_CARDS.filter(({ app }) => app !== 'rolecall'))(
    '$app: the standard’s take their place',
    (each) => {
      const world = extractAsSillyTavern(bookFor(each.card));
      expect(Object.values(world['entries'] as JsonObject)).toMatchObject(each.entries);
    },
  );
  it('its own stay as they are', () => {
    const { card } = WORDED_CARDS.find(({ app }) => app === 'rolecall') as WordedCard;
    const extensions = dataOf(card)['extensions'] as JsonObject;
    expect(bookFor(card)).toEqual(extensions['character_book']);
  });
});

describe('RoleCall’s cards are read', () => {
  const other = { ...bookOf(bookEntry({ keys: ['tar'], content: 'Tar.' })), name: 'Tar Notes' };
  it('with every book of the list', () => {
    const card = cardWith(bookOf(bookEntry()), {
      extensions: { character_books: [bookOf(bookEntry()), other] },
    });
    expect(readPieces(card).lorebooks.map(({ name }) => name)).toEqual(['Quay Notes', 'Tar Notes']);
  });
  it('without the envelope, as its own pictures hold it', () => {
    const bare = dataOf(cardWith(undefined, { extensions: { rolecall: {}, character_book: other } }));
    const file = opened(bare);
    expect(file.pieces.lorebooks.map(({ name }) => name)).toEqual(['Tar Notes']);
    expect(formatOf(file)).toBe('rolecall');
  });
});
