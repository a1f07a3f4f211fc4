// What `/lore-inspect` means by a name.
// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sourceNamed } from '../../src/features/inspect/slash-command.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { type FakeServer, startFakeServer } from '../host/fake-server.ts';

let server: FakeServer;
let client: Record<string, unknown>;
beforeEach(() => {
  server = startFakeServer();
  document.body.innerHTML = '';
  client = startFakeClient({
    characters: [
      { avatar: 'Mara.png', name: 'Mara' },
      { avatar: 'Mara1.png', name: 'Mara' },
      { avatar: 'Zoë.png', name: 'Zoë' },
    ],
  });
  server.worlds.set('Quay', { entries: {} });
  server.worlds.set('Zoë', { entries: {} });
});
afterEach(() => vi.unstubAllGlobals());

it.each([
  ['Zoë', { kind: 'character', avatar: 'Zoë.png' }],
  ['zoe', { kind: 'character', avatar: 'Zoë.png' }],
  ['Mara1.png', { kind: 'character', avatar: 'Mara1.png' }],
  // Two of one name: a person chooses.
  ['Mara', { kind: 'choose' }],
  ['quay', { kind: 'world', name: 'Quay' }],
  ['Nobody', null],
  ['', { kind: 'choose' }],
])('%s', async (name, source) => expect(await sourceNamed(name)).toEqual(source));

it('without a name: the character of the chat, else the world of the editor', async () => {
  document.body.innerHTML =
    '<select id="world_editor_select"><option value="0" selected>Quay</option></select>';
  expect(await sourceNamed('')).toEqual({ kind: 'world', name: 'Quay' });
  client['characterId'] = 1;
  expect(await sourceNamed('')).toEqual({ kind: 'character', avatar: 'Mara1.png' });
  expect(await sourceNamed('mara')).toEqual({ kind: 'character', avatar: 'Mara1.png' });
});
