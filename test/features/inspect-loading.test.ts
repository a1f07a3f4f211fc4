// What the panel is opened on: a character, a world file or a file, read and never written.
// @vitest-environment jsdom

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ContainerError } from '../../src/containers/container-error.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { loadCharacterSubject } from '../../src/features/inspect/load-character.ts';
import { fileSubject } from '../../src/features/inspect/load-file.ts';
import { loadWorldSubject } from '../../src/features/inspect/load-world.ts';
import { worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { type FakeServer, startFakeServer } from '../host/fake-server.ts';

let server: FakeServer;
let client: Record<string, unknown>;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server = startFakeServer();
  client = startFakeClient({ extensionSettings: {}, saveSettingsDebounced: () => undefined });
});
afterEach(() => {
  // Opening reads, never writes.
  expect(server.requests.filter(({ path }) => /edit|delete|merge|import/.test(path))).toEqual([]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const readCase = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/cases', `${name}.json`), 'utf8'));

/** Puts a scenario of the cases on the server. */
function scenario(name: string): void {
  const { worlds, cards } = readCase(name) as { worlds?: Record<string, JsonObject>; cards: JsonObject[] };
  for (const [world, data] of Object.entries(worlds ?? {})) server.worlds.set(world, data);
  cards.forEach((card, index) => {
    server.cards.set(`${index}.png`, card);
  });
}

const bytesOf = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json));

const world = (...contents: readonly string[]): JsonObject => ({
  entries: Object.fromEntries(
    contents.map((content, uid) => [
      uid,
      { uid, key: ['k'], content, position: 0, order: 100, disable: false },
    ]),
  ),
});
const book = (name: string, ...contents: readonly string[]): JsonObject => ({
  name,
  extensions: {},
  entries: contents.map((content, id) => ({
    id,
    keys: ['k'],
    content,
    enabled: true,
    insertion_order: 100,
    extensions: { position: 0 },
  })),
});
const card = (data: JsonObject): JsonObject => ({
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: { name: 'Mara', extensions: {}, ...data },
});

describe('a zip of several files', () => {
  const zip = (members: Readonly<Record<string, unknown>>): Uint8Array =>
    zipSync(Object.fromEntries(Object.entries(members).map(([name, json]) => [name, bytesOf(json)])));
  it('shows all their books, each with a key of its own, and what was passed over', () => {
    const { books, character, findings } = fileSubject(
      zip({
        'a.json': card({ character_book: book('A', 'one') }),
        'b.json': card({ character_book: book('A', 'two') }),
        'w.json': world('three'),
        'x.json': { some: 'thing' },
      }),
      'x.zip',
    );
    expect(books.map(({ name, lorebook }) => [name, lorebook.body.entries[0]?.content])).toEqual([
      ['A', 'one'],
      ['A', 'two'],
      ['w', 'three'],
    ]);
    expect(new Set(books.map(({ key }) => key)).size).toBe(3);
    expect(character).toBeNull();
    expect(findings.map(({ code, path }) => [code, path])).toEqual([['refused', 'x.json']]);
  });
  it('of one character is that character', () => {
    const file = zip({ 'a.json': card({ character_book: book('A', 'one') }), 'w.json': world('two') });
    expect(fileSubject(file, 'x.zip').character?.name).toBe('Mara');
  });
});

describe('a character', () => {
  it('holds its copy first, then the linked world, and says where each stands', async () => {
    scenario('62-stale-embedded-copy');
    const subject = await loadCharacterSubject('0.png');
    expect(subject.books.map(({ key, kind, name, slot }) => [key, kind, name, slot])).toEqual([
      ['card:data.character_book', 'card', 'Quay Notes', 'data.character_book'],
      ['world:Quay Notes', 'linked', 'Quay Notes', 'worldinfo'],
    ]);
    expect(subject.character).toMatchObject({ linked: 'Quay Notes', linkExists: true, relink: [] });
    expect(subject.books[1]?.lorebook.body.entries).toHaveLength(2);
    expect(subject.books[1]?.stored?.data).toEqual(server.worlds.get('Quay Notes'));
  });

  it('whose card brings nothing shows the linked world (case 61)', async () => {
    scenario('61-linked-but-not-embedded');
    const { books, character } = await loadCharacterSubject('0.png');
    expect(books.map(({ kind }) => kind)).toEqual(['linked']);
    expect(character?.linkExists).toBe(true);
  });

  it('offers the world of the same content behind a dead link (case 11)', async () => {
    scenario('11-link-points-to-renamed-world');
    const { character, books } = await loadCharacterSubject('0.png');
    expect(character).toMatchObject({ linkExists: false, relink: ['Quay Notes revised'] });
    expect(books.map(({ kind }) => kind)).toEqual(['card']);
  });

  it('offers only worlds that hold the same, however they are called', async () => {
    server.cards.set('a.png', card({ extensions: { world: 'Gone' }, character_book: book('Gone', 'one') }));
    server.worlds.set('Gone 2', world('other'));
    server.worlds.set('Elsewhere', world('one'));
    expect((await loadCharacterSubject('a.png')).character?.relink).toEqual(['Elsewhere']);
    server.worlds.set('Gone 3', world('one'));
    expect((await loadCharacterSubject('a.png')).character?.relink).toEqual(['Gone 3']);
  });

  it('offers nothing behind a dead link when the card holds no copy', async () => {
    server.cards.set('a.png', card({ extensions: { world: 'Gone' } }));
    server.worlds.set('Other', { entries: {} });
    const { character, books } = await loadCharacterSubject('a.png');
    expect(character).toMatchObject({ linked: 'Gone', linkExists: false, relink: [] });
    expect(books).toEqual([]);
  });

  it.each(['46-character-book-null', '50-v1-card-no-book'])('without a book has none (%s)', async (name) => {
    server.cards.set('a.png', readCase(name) as JsonObject);
    const subject = await loadCharacterSubject('a.png');
    expect(subject.books).toEqual([]);
    expect(subject.character?.spec).toBe(name.startsWith('50') ? 'v1' : 'chara_card_v2');
  });

  it('names the slot in which a book was found (case 45)', async () => {
    const cards = readCase('45-book-in-wrong-place') as JsonObject[];
    cards.forEach((each, index) => {
      server.cards.set(`${index}.png`, each);
    });
    const slots = await Promise.all(
      cards.map(async (_, index) => (await loadCharacterSubject(`${index}.png`)).books[0]?.slot),
    );
    expect(slots).toEqual(['character_book', 'data.extensions.character_book', 'data.characterBook']);
  });

  it('shows the worlds of the chat, the persona and its own once each', async () => {
    server.cards.set('a.png', card({ extensions: { world: 'Mine' } }));
    for (const name of ['Mine', 'Chat', 'Persona']) server.worlds.set(name, world('x'));
    client['chatMetadata'] = { world_info: 'Chat' };
    client['powerUserSettings'] = { persona_description_lorebook: 'Persona' };
    const { books, worldNames } = await loadCharacterSubject('a.png');
    expect(books.map(({ key, kind }) => [key, kind])).toEqual([
      ['world:Mine', 'linked'],
      ['world:Chat', 'world'],
      ['world:Persona', 'world'],
    ]);
    expect(worldNames).toEqual(['Mine', 'Chat', 'Persona']);
    client['chatMetadata'] = { world_info: 'Mine' };
    expect((await loadCharacterSubject('a.png')).books.map(({ kind }) => kind)).toEqual(['linked', 'world']);
  });

  it('is read with the user, its tags and Vector Storage around it', async () => {
    server.cards.set('a.png', card({}));
    client['name1'] = 'Ada';
    client['tagMap'] = { 'a.png': ['t1', 't2'] };
    client['extensionSettings'] = { vectors: { enabled_world_info: true } };
    expect((await loadCharacterSubject('a.png')).surroundings).toEqual({
      character: { avatar: 'a.png', name: 'a', tags: ['t1', 't2'] },
      userName: 'Ada',
      includeNames: true,
      vectorsActive: true,
      scanDepth: 2,
    });
    client['extensionSettings'] = {
      vectors: { enabled_world_info: true },
      disabledExtensions: ['vectors'],
      loreferry: { leaveAlone: ['a.png'] },
    };
    const subject = await loadCharacterSubject('a.png');
    expect(subject.surroundings.vectorsActive).toBe(false);
    expect(subject.character?.isLeftAlone).toBe(true);
  });

  it('whose linked world cannot be read is shown without it, and that is said', async () => {
    scenario('62-stale-embedded-copy');
    server.instead.set('/api/worldinfo/get', () => new Response('no', { status: 500 }));
    const { books, findings } = await loadCharacterSubject('0.png');
    expect(books.map(({ kind }) => kind)).toEqual(['card']);
    expect(findings.at(-1)).toMatchObject({ code: 'refused', bookId: null });
    expect(findings.at(-1)?.message).toContain('Quay Notes');
  });

  it('whose card cannot be read is one sentence', async () => {
    server.instead.set('/api/characters/get', () => Response.json({ name: 0 }));
    await expect(loadCharacterSubject('a.png')).rejects.toThrow('The card of a.png could not be read.');
    server.instead.set('/api/characters/get', () => Response.json({ name: 'A', json_data: '{"x":1}' }));
    await expect(loadCharacterSubject('a.png')).rejects.toThrow('The card of A could not be read.');
  });
});

describe('a world file', () => {
  it('is a book alone', async () => {
    server.worlds.set('Quay', world('one', 'two'));
    const { books, character, surroundings } = await loadWorldSubject('Quay');
    expect(books.map(({ key, kind, slot }) => [key, kind, slot])).toEqual([
      ['world:Quay', 'world', 'worldinfo'],
    ]);
    expect(books[0]?.reading?.body.entries).toHaveLength(2);
    expect(character).toBeNull();
    expect(surroundings.character).toBeNull();
  });

  it('that does not exist is one sentence', async () => {
    await expect(loadWorldSubject('Nope')).rejects.toThrow('The lorebook “Nope” does not exist.');
  });

  it('that was extracted reads as its file, with the twin beside it', async () => {
    const subject = fileSubject(bytesOf(card({ character_book: book('B', 'one') })), 'b.json');
    const lorebook = subject.books[0]?.lorebook;
    if (lorebook === undefined) throw new Error('no book');
    server.worlds.set('B', worldFromLorebook(lorebook, { character: 'Mara', slot: 'data.character_book' }));
    const [read] = (await loadWorldSubject('B')).books;
    expect(read?.lorebook.body.entries).toEqual(lorebook.body.entries);
    expect(read?.reading?.known.rawById.size).toBe(1);
  });
});

describe('a file', () => {
  it('with a card shows its books and the card', () => {
    const json = card({ extensions: { world: 'Claim' }, character_book: book('B', 'one') });
    const subject = fileSubject(bytesOf(json), 'mara.json');
    expect(subject.fileName).toBe('mara.json');
    expect(subject.character).toMatchObject({ avatar: null, linked: 'Claim', linkExists: false, card: json });
    expect(subject.books.map(({ key, kind, slot }) => [key, kind, slot])).toEqual([
      ['file:data.character_book', 'file', 'data.character_book'],
    ]);
    expect(subject.books[0]?.reading?.body.entries).toHaveLength(1);
  });

  it('with a lorebook shows that', () => {
    const [fromWorld] = fileSubject(bytesOf(world('one')), 'Quay.json').books;
    expect(fromWorld).toMatchObject({ key: 'file:worldinfo', kind: 'file', name: 'Quay', stored: null });
    const [bare] = fileSubject(bytesOf(readCase('53-world-file-with-array')), 'x.json').books;
    expect(bare?.reading?.body.entries.map(({ order, enabled }) => [order, enabled])).toEqual([
      [10, true],
      [20, false],
    ]);
  });

  it('that is neither is refused in one sentence', () => {
    expect(() => fileSubject(bytesOf({ a: 1 }), 'a.json')).toThrow(ContainerError);
    expect(() => fileSubject(new Uint8Array([1, 2, 3]), 'a.bin')).toThrow(/a\.bin/);
  });
});
