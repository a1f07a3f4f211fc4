// Every request of an import fails once, in every way that a server can fail: what was the user's stays as it was, no
// link leads nowhere, and another try succeeds.
// @vitest-environment jsdom

import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readPieces } from '../../src/convert.ts';
import { isObject, type JsonObject, jsonAt } from '../../src/core/json.ts';
import { extractCard } from '../../src/features/import/extraction.ts';
import { readCard } from '../../src/features/import/incoming.ts';
import { batchShelf } from '../../src/features/import/shelf.ts';
import { undoStep } from '../../src/features/import/undo.ts';
import { openJournal } from '../../src/host/journal.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { type FakeServer, startFakeServer } from '../host/fake-server.ts';

const AVATAR = 'Odo.png';
const MINE: JsonObject = { entries: { 0: { uid: 0, key: ['mine'], content: 'The user’s own.' } } };
const journal = openJournal();
let server: FakeServer;

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await start();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function start(): Promise<void> {
  server = startFakeServer();
  server.worlds.set('Notes', MINE);
  startFakeClient({ extensionSettings: {}, saveSettingsDebounced: () => undefined });
  await journal.clear();
}

const entryOf = (content: string, id: number): JsonObject => ({
  id,
  keys: [`k${id}`],
  content,
  enabled: true,
});
const bookOf = (name: string, ...texts: readonly string[]): JsonObject => ({
  name,
  entries: texts.map(entryOf),
});

function cardOf(books: readonly JsonObject[], world?: string): JsonObject {
  const [first, second] = books;
  const text = {
    name: 'Odo',
    description: '',
    personality: '',
    scenario: '',
    first_mes: '',
    mes_example: '',
  };
  const extensions = {
    ...(world === undefined ? {} : { world }),
    ...(second === undefined ? {} : { character_book: second }),
  };
  const data = { ...text, extensions, character_book: first ?? null };
  return { spec: 'chara_card_v2', spec_version: '2.0', ...text, data };
}

const CARDS = [
  ['a name that is free', cardOf([bookOf('Lore', 'One.', 'Two.')])],
  ['a name that is taken', cardOf([bookOf('Notes', 'One.')])],
  ['a claim to the user’s world', cardOf([bookOf('Notes', 'One.')], 'Notes')],
  ['two books', cardOf([bookOf('Lore', 'One.'), bookOf('Lore', 'Another.')])],
] as const;

/**
 * How a request fails: it never arrived, it was refused, it was done and the answer got lost, or less was written than
 * the answer says.
 */
const WAYS = ['unsent', 'refused', 'done', 'less'] as const;

function failAt(place: number, way: (typeof WAYS)[number]): () => number {
  const real = globalThis.fetch;
  let at = 0;
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    if (at++ !== place) return real(...asked);
    if (way === 'less') return real(asked[0], lessOf(asked[1]));
    if (way === 'done') await real(...asked);
    if (way === 'refused') return new Response('', { status: 500 });
    throw new TypeError('Failed to fetch');
  });
  return () => {
    vi.stubGlobal('fetch', real);
    return at;
  };
}

// Of a world that is written its first entry is left away.
function lessOf(init: RequestInit | undefined): RequestInit {
  const body = JSON.parse(String(init?.body)) as JsonObject;
  const entries = jsonAt(body, ['data', 'entries']);
  if (!isObject(entries)) return init ?? {};
  const left = Object.fromEntries(Object.entries(entries).slice(1));
  return { body: JSON.stringify({ ...body, data: { ...(body['data'] as JsonObject), entries: left } }) };
}

const linkOf = (): unknown => jsonAt(server.cards.get(AVATAR), ['data', 'extensions', 'world']) ?? '';
const importIt = (card: JsonObject, isNew: boolean) =>
  extractCard({ avatar: AVATAR, read: readCard(readPieces(card)), linked: '', journal, isNew });

function expectInOrder(): void {
  expect(server.worlds.get('Notes')).toEqual(MINE);
  const link = linkOf();
  if (link !== '') expect([...server.worlds.keys()]).toContain(link);
}

describe.each(CARDS)('%s', (_what, card) => {
  it.each([true, false])('new: %s', async (isNew) => {
    for (const way of WAYS) {
      for (let place = 0; place < 40; place++) {
        await start();
        server.cards.set(AVATAR, card);
        const count = failAt(place, way);
        const outcome = await importIt(card, isNew);
        const isOver = count() <= place;
        const told = `${way} at ${server.requests.map(({ path }) => path.split('/').pop()).join(' ')} (${place})`;
        try {
          expectInOrder();
          if (outcome.kind === 'failed') {
            expect([...server.worlds.keys()]).toEqual(['Notes']);
            expect(
              await journal.list().then((all) => all.filter(({ title }) => !/taken off/.test(title))),
            ).toEqual([]);
            expect(outcome.retry).not.toBeNull();
            expect((await outcome.retry?.())?.kind).toBe('done');
            expectInOrder();
          } else expect(outcome.kind).toBe('done');
          expect(linkOf()).not.toBe('');
          expect(linkOf()).not.toBe('Notes');
          for (const { id } of await journal.list()) {
            const step = await journal.get(id);
            if (step !== undefined) await undoStep(step, journal);
          }
          expect(Object.fromEntries(server.worlds)).toEqual({ Notes: MINE });
          expectInOrder();
        } catch (error) {
          throw new Error(told, { cause: error });
        }
        if (isOver) break;
      }
    }
  });
});

it.each([true, false])('a link that cannot be taken off leads to its world; new: %s', async (isNew) => {
  server.cards.set(AVATAR, cardOf([bookOf('Lore', 'One.')]));
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    const isMerge = String(asked[0]).includes('merge');
    if (!isMerge) return real(...asked);
    if (linkOf() === '') await real(...asked);
    throw new TypeError('Failed to fetch');
  });
  expect((await importIt(cardOf([bookOf('Lore', 'One.')]), isNew)).kind).toBe('failed');
  expect(linkOf()).toBe('Lore');
  expectInOrder();
});

it('a name that was free when the upload began and is not when it ends stays the user’s', async () => {
  server.worlds.delete('Notes');
  const shelf = batchShelf();
  await shelf.foresee('Notes', 'Lorebook');
  server.worlds.set('Notes', MINE);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 20_000);
  server.cards.set(AVATAR, cardOf([bookOf('Notes', 'One.')]));
  const read = readCard(readPieces(server.cards.get(AVATAR) as JsonObject));
  await extractCard({ avatar: AVATAR, read, linked: '', journal, isNew: true, shelf });
  expectInOrder();
});
