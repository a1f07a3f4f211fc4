// Writing the lorebook of a card through SillyTavern's merging, so that it is exactly the new one.
// @vitest-environment jsdom

import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type JsonObject, jsonAt } from '../../src/core/json.ts';
import { CardBookError, cardBookHash, readCardBook, writeCardBook } from '../../src/host/card-book.ts';
import { bookAt, isCardSlot, withBook } from '../../src/host/card-slot.ts';
import { ServerError } from '../../src/host/server.ts';
import { characterPanel, startFakeClient, value } from './fake-client.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';

const SLOT = 'data.character_book';
const OLD: JsonObject = {
  name: 'Quay',
  extensions: { mine: 1, gone: { a: 1 } },
  scan_depth: 4,
  entries: [{ id: 0, keys: ['lamp'], content: 'x', extensions: { position: 4, depth: 2 } }],
};
const NEW: JsonObject = {
  name: 'Quay',
  extensions: { mine: 2 },
  entries: [{ id: 0, keys: ['lamp'], content: 'x', position: 'after_char', extensions: { position: 4 } }],
};
const root = { name: 'A', description: 'd', personality: '', scenario: '', first_mes: '', mes_example: '' };
const cardWith = (book: unknown): JsonObject =>
  ({
    ...root,
    spec: 'chara_card_v2',
    data: { name: 'A', extensions: { world: '', x: null }, character_book: book },
  }) as JsonObject;

let server: FakeServer;
let client: Record<string, unknown>;
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server = startFakeServer();
  client = startFakeClient();
  document.body.innerHTML = '';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const cardNow = (): JsonObject => server.cards.get('A.png') ?? {};
const hashNow = (slot = SLOT): string => cardBookHash(bookAt(cardNow(), slot));
const write = (book: JsonObject | null, slot = SLOT) => writeCardBook('A.png', slot, book, hashNow(slot));

describe('slots', () => {
  it.each([
    ['data.character_book', true],
    ['character_book', true],
    ['data.characterBook', true],
    ['data.extensions.character_books.2', true],
    ['data.description', false],
    ['data.__proto__', false],
    ['data.character_book.entries', false],
    ['worldinfo', false],
  ])('%s', (slot, is) => expect(isCardSlot(slot)).toBe(is));

  it('in a list keep the places of the others', () => {
    const card = { data: { extensions: { character_books: [OLD, NEW] } } };
    const after = withBook(card, 'data.extensions.character_books.0', null);
    expect(jsonAt(after, ['data', 'extensions', 'character_books'])).toEqual([null, NEW]);
    expect(bookAt(after, 'data.extensions.character_books.1')).toBe(NEW);
  });
});

describe('writing', () => {
  it('leaves exactly the new book, and nothing else of the card changed', async () => {
    server.cards.set('A.png', cardWith(OLD));
    await write(NEW);
    expect(cardNow()).toEqual(cardWith(NEW));
    expect(await readCardBook('A.png', SLOT)).toEqual(NEW);
  });

  it.each([
    ['null', null],
    ['a text', 'none'],
    ['a list', [OLD]],
  ])('puts a book where %s stood', async (_, held) => {
    server.cards.set('A.png', cardWith(held));
    await write(NEW);
    expect(cardNow()).toEqual(cardWith(NEW));
  });

  it('takes the book out', async () => {
    server.cards.set('A.png', cardWith(OLD));
    await write(null);
    expect(jsonAt(cardNow(), ['data'])).toEqual({ name: 'A', extensions: { world: '', x: null } });
  });

  it('turns entries that were an object into a list, and back', async () => {
    const keyed = { name: 'Q', extensions: null, entries: { 0: { content: 'x', extensions: null } } };
    server.cards.set('A.png', cardWith(keyed));
    await write(NEW);
    expect(cardNow()).toEqual(cardWith(NEW));
    await write(keyed);
    expect(cardNow()).toEqual(cardWith(keyed));
  });

  it.each(['data.extensions.character_book', 'character_book', 'data.extensions.character_books.0'])(
    'writes %s',
    async (slot) => {
      const card = withBook(cardWith(OLD), slot, OLD);
      server.cards.set('A.png', card);
      await write(NEW, slot);
      expect(cardNow()).toEqual(withBook(card, slot, NEW));
    },
  );

  it('of a sparse card sends the fields along without which it is refused', async () => {
    server.cards.set('A.png', { spec: 'chara_card_v2', data: { name: 'A', character_book: OLD } });
    await write(NEW);
    expect(cardNow()).toMatchObject({ name: 'A', first_mes: '', data: { character_book: NEW } });
  });

  it('from any book to any other', async () => {
    // A negative zero is none on its way through JSON.
    const json = fc
      .jsonValue({ maxDepth: 3 })
      .map((each) => JSON.parse(JSON.stringify(each)) as unknown)
      .filter((each) => !JSON.stringify(each).includes('__proto__'));
    const anyBook = fc.dictionary(fc.constantFrom('name', 'entries', 'extensions', 'x'), json, {
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(anyBook, anyBook, async (from, to) => {
        server.cards.set('A.png', cardWith(from));
        await write(to as JsonObject);
        expect(cardNow()).toEqual(cardWith(to));
      }),
      { numRuns: 200 },
    );
  });
});

describe('on a server that takes no keys out', () => {
  beforeEach(() => {
    server.mergesInBulk = false;
    server.cards.set('A.png', cardWith(OLD));
  });

  it('a book that only gains is written', async () => {
    const more = { ...OLD, description: 'new', entries: [] };
    await write(more);
    expect(cardNow()).toEqual({ ...cardWith(more), avatar: 'A.png' });
  });

  it('a book that loses a field is refused, and nothing is changed', async () => {
    await expect(write(NEW)).rejects.toBeInstanceOf(CardBookError);
    expect(cardNow()).toEqual(cardWith(OLD));
  });

  it('a whole book is taken out by a null', async () => {
    await write(null);
    expect(jsonAt(cardNow(), ['data', 'character_book'])).toBeNull();
  });
});

describe('what goes wrong', () => {
  it('another book by now is not written over', async () => {
    server.cards.set('A.png', cardWith(OLD));
    await expect(writeCardBook('A.png', SLOT, NEW, cardBookHash(NEW))).rejects.toThrow(/meantime/);
    expect(cardNow()).toEqual(cardWith(OLD));
  });

  it('a place that holds no lorebooks is never written', async () => {
    server.cards.set('A.png', cardWith(OLD));
    await expect(writeCardBook('A.png', 'data.extensions', NEW, cardBookHash(null))).rejects.toThrow(
      CardBookError,
    );
    expect(server.requests.some(({ path }) => path.includes('merge'))).toBe(false);
  });

  it('a book that does not stay is put back, also in the open form', async () => {
    server.cards.set('A.png', cardWith(OLD));
    const json = JSON.stringify(cardWith(OLD));
    characterPanel({ avatar: 'A.png', world: '', json });
    client['characters'] = [{ avatar: 'A.png', name: 'A', json_data: json, ...cardWith(OLD) }];
    let shown = '';
    server.instead.set('/api/characters/merge-attributes', () => {
      shown = value('#character_json_data');
      return Response.json({ updated: ['A.png'], skipped: [], failed: [] });
    });
    await expect(write(NEW)).rejects.toThrow(/did not stay/);
    expect(JSON.parse(shown)).toEqual(cardWith(NEW));
    expect(value('#character_json_data')).toBe(json);
    expect(client['characters']).toEqual([{ avatar: 'A.png', name: 'A', json_data: json, ...cardWith(OLD) }]);
    expect(cardNow()).toEqual(cardWith(OLD));
  });

  it('a server that does not answer is said', async () => {
    server.cards.set('A.png', cardWith(OLD));
    server.instead.set('/api/characters/merge-attributes', () => new Response('no', { status: 403 }));
    await expect(write(NEW)).rejects.toBeInstanceOf(ServerError);
  });
});

it('the open form and the list follow a book that is written', async () => {
  server.cards.set('A.png', cardWith(OLD));
  const json = JSON.stringify(cardWith(OLD));
  characterPanel({ avatar: 'A.png', world: '', json });
  client['characters'] = [{ avatar: 'A.png', name: 'A', json_data: json, ...cardWith(OLD) }];
  await write(NEW);
  expect(JSON.parse(value('#character_json_data'))).toEqual(cardWith(NEW));
  const [listed] = client['characters'] as JsonObject[];
  expect(listed?.['data']).toEqual(cardWith(NEW)['data']);
  expect(JSON.parse(String(listed?.['json_data']))).toEqual(cardWith(NEW));
});
