// Leaving for good: what is ours goes out of world files and cards, and nothing else of them changes.
// @vitest-environment jsdom

import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { removeOwnTraces } from '../../src/features/library/clean.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { type FakeServer, startFakeServer } from '../host/fake-server.ts';
import { bookEntry } from '../support/fixtures.ts';

const OURS = { v: 1, original: { risu: { raw: { entries: [] } } } };
const card = (book: JsonObject | null): JsonObject => ({
  spec: 'chara_card_v2',
  name: 'Mara',
  description: 'd',
  personality: '',
  scenario: '',
  first_mes: '',
  mes_example: '',
  data: { name: 'Mara', extensions: { world: 'Quay' }, character_book: book },
});
const book = (own: JsonObject): JsonObject => ({
  name: 'Quay',
  extensions: { theirs: 1, ...own },
  entries: [bookEntry({ extensions: { position: 4, ...own } }), bookEntry()],
});

let server: FakeServer;
let client: Record<string, unknown>;
beforeEach(() => {
  server = startFakeServer();
  client = startFakeClient({ characters: [{ avatar: 'Mara.png', name: 'Mara' }] } as never);
  document.body.innerHTML = '';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the clean action', () => {
  it('takes our keys out of a world file, a card and the settings', async () => {
    client['extensionSettings'] = { loreferry: { whenBook: 'ask' }, theirs: { a: 1 } };
    server.worlds.set('Quay', {
      entries: {},
      extensions: { theirs: 1, loreferry: { v: 1 } },
      loreferry: OURS,
    });
    server.cards.set('Mara.png', card(book({ loreferry: OURS })));
    await removeOwnTraces();
    expect(server.worlds.get('Quay')).toEqual({ entries: {}, extensions: { theirs: 1 } });
    expect(server.cards.get('Mara.png')).toEqual(card(book({})));
    expect(client['extensionSettings']).toEqual({ theirs: { a: 1 } });
  });

  it('writes nothing where there is nothing of ours, and goes on when one file fails', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    client['characters'] = [
      { avatar: 'gone.png', name: 'Gone' },
      { avatar: 'Mara.png', name: 'Mara' },
    ];
    server.worlds.set('Quay', { entries: {} });
    server.cards.set('Mara.png', card(book({})));
    await removeOwnTraces();
    expect(server.requests.filter(({ path }) => /edit|merge/.test(path))).toEqual([]);
    server.cards.set('Mara.png', card(book({ loreferry: OURS })));
    await removeOwnTraces();
    expect(server.cards.get('Mara.png')).toEqual(card(book({})));
  });
});
