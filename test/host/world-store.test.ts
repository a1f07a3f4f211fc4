// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashJson } from '../../src/core/hash.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { ServerError } from '../../src/host/server.ts';
import { openInEditor, refreshWorldList } from '../../src/host/world-editor.ts';
import {
  countEntries,
  deleteWorld,
  listWorlds,
  readWorld,
  WorldChangedError,
  WorldWriteError,
  writeWorld,
} from '../../src/host/world-store.ts';
import { fakeEvents, startFakeClient } from './fake-client.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';

const module = vi.hoisted(() => ({
  worldInfoCache: new Map<string, unknown>(),
  selected_world_info: [] as string[],
}));
vi.mock('../../src/host/world-info-module.ts', () => ({ worldInfoModule: async () => module }));

const book = (...contents: string[]): JsonObject => ({
  entries: Object.fromEntries(contents.map((content, uid) => [uid, { uid, content }])),
});

let server: FakeServer;
let client: Record<string, unknown>;

beforeEach(() => {
  server = startFakeServer();
  client = startFakeClient();
  module.worldInfoCache.clear();
  document.body.innerHTML =
    '<select id="world_editor_select"><option value="">--- Pick to Edit ---</option></select>';
});
afterEach(() => vi.unstubAllGlobals());

function openEditor(name: string): void {
  const select = document.querySelector('select');
  select?.append(new Option(name, '0', true, true));
}

describe('listing', () => {
  it('lists names and extensions', async () => {
    server.worlds.set('A', { ...book('x'), name: 'shown as', extensions: { loreferry: { v: 1 } } });
    expect(await listWorlds()).toEqual([{ name: 'A', extensions: { loreferry: { v: 1 } } }]);
  });

  it('fails when the server does', async () => {
    server.instead.set('/api/worldinfo/list', () => new Response('Internal Server Error', { status: 500 }));
    await expect(listWorlds()).rejects.toMatchObject({ status: 500 });
  });
});

describe('reading', () => {
  it('reads what is there', async () => {
    server.worlds.set('A', book('x', 'y'));
    const world = await readWorld('A');
    expect(world?.data).toEqual(book('x', 'y'));
    expect(world?.hash).toBe(hashJson(book('x', 'y')));
  });

  it("tells an empty world from none, though the server's answer is the same", async () => {
    server.worlds.set('Empty', book());
    expect(await readWorld('Empty')).toMatchObject({ name: 'Empty' });
    expect(await readWorld('None')).toBeUndefined();
  });
});

describe('writing', () => {
  it('writes a new world, and brings cache and listeners up to date with copies', async () => {
    const events = fakeEvents();
    client['eventSource'] = events;
    client['eventTypes'] = { WORLDINFO_UPDATED: 'worldinfo_updated' };
    const heard = vi.fn();
    events.on('worldinfo_updated', heard);
    const data = Object.freeze(book('x', 'y'));
    const stored = await writeWorld('A', data, 'absent');
    expect(server.worlds.get('A')).toEqual(data);
    expect(stored).toEqual({ name: 'A', data, hash: hashJson(data) });
    expect(module.worldInfoCache.get('A')).toEqual(data);
    expect(module.worldInfoCache.get('A')).not.toBe(stored.data);
    expect(heard).toHaveBeenCalledWith('A', data);
  });

  it('writes nothing over a world of the same folded name', async () => {
    server.worlds.set('LÓRE', book('theirs'));
    const writing = writeWorld('lore', book('ours'), 'absent');
    await expect(writing).rejects.toMatchObject({ name: 'WorldChangedError', reason: 'exists' });
    expect([...server.worlds.keys()]).toEqual(['LÓRE']);
  });

  it('writes over the file that was planned for, and over no other', async () => {
    server.worlds.set('A', book('old'));
    const { hash } = (await readWorld('A')) ?? { hash: '' };
    await writeWorld('A', book('new'), { hash });
    expect(server.worlds.get('A')).toEqual(book('new'));
    await expect(writeWorld('A', book('newer'), { hash })).rejects.toMatchObject({ reason: 'changed' });
    expect(server.worlds.get('A')).toEqual(book('new'));
    server.worlds.delete('A');
    await expect(writeWorld('A', book('newer'), { hash })).rejects.toBeInstanceOf(WorldChangedError);
    expect(server.worlds.has('A')).toBe(false);
  });

  it('fails with one sentence when the server refuses, and leaves the cache alone', async () => {
    server.instead.set(
      '/api/worldinfo/edit',
      () => new Response('<!DOCTYPE html><pre>Error: ENOSPC at …</pre>', { status: 500 }),
    );
    const error = await writeWorld('A', book('x'), 'absent').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServerError);
    expect((error as ServerError).message).toBe('SillyTavern answered with error 500.');
    expect(module.worldInfoCache.size).toBe(0);
  });

  it('fails when fewer entries read back', async () => {
    server.instead.set('/api/worldinfo/edit', ({ name, data }) => {
      server.worlds.set(String(name), { ...(data as JsonObject), entries: { 0: { uid: 0, content: 'x' } } });
      return Response.json({ ok: true });
    });
    const error = await writeWorld('A', book('x', 'y'), 'absent').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(WorldWriteError);
    expect(error).toMatchObject({ sentEntries: 2, foundEntries: 1 });
    expect((error as Error).message).toBe('The lorebook “A” reads back with 1 of 2 entries.');
    expect(module.worldInfoCache.size).toBe(0);
  });

  it('fails when an entry reads back differently', async () => {
    server.instead.set('/api/worldinfo/get', () => Response.json(book('z')));
    await expect(writeWorld('A', book('x'), 'any')).rejects.toBeInstanceOf(WorldWriteError);
  });

  it('lets the editor read again only while it shows that world', async () => {
    const reload = vi.fn();
    client['reloadWorldInfoEditor'] = reload;
    await writeWorld('A', book('x'), 'any');
    expect(reload).not.toHaveBeenCalled();
    openEditor('B');
    await writeWorld('A', book('x'), 'any');
    expect(reload).not.toHaveBeenCalled();
    await writeWorld('B', book('x'), 'any');
    expect(reload).toHaveBeenCalledExactlyOnceWith('B');
  });

  it("waits for edits that SillyTavern's editor has not saved yet, then sees the change", async () => {
    vi.useFakeTimers();
    server.worlds.set('A', book('old'));
    openEditor('A');
    module.worldInfoCache.set('A', book('typed'));
    setTimeout(() => server.worlds.set('A', book('typed')), 1000);
    const writing = writeWorld('A', book('new'), { hash: hashJson(book('old')) });
    const outcome = expect(writing).rejects.toMatchObject({ reason: 'changed' });
    await vi.advanceTimersByTimeAsync(1300);
    await outcome;
    vi.useRealTimers();
    expect(server.worlds.get('A')).toEqual(book('typed'));
  });

  it('is done even when the client cannot be brought up to date', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    module.worldInfoCache.set = () => {
      throw new Error('theirs');
    };
    await writeWorld('A', book('x'), 'absent');
    expect(server.worlds.has('A')).toBe(true);
    expect(warned).toHaveBeenCalledTimes(1);
    Reflect.deleteProperty(module.worldInfoCache, 'set');
    warned.mockRestore();
  });
});

describe('deleting', () => {
  it('deletes our own file, from the memory of the client too', async () => {
    const save = vi.fn();
    client['saveSettingsDebounced'] = save;
    const { hash } = await writeWorld('A', book('x'), 'absent');
    module.selected_world_info.push('B', 'A');
    await deleteWorld('A', { hash });
    expect([...server.worlds.keys(), ...module.worldInfoCache.keys()]).toEqual([]);
    expect(module.selected_world_info).toEqual(['B']);
    expect(save).toHaveBeenCalledTimes(1);
    module.selected_world_info.length = 0;
  });

  it('keeps a file that was edited since', async () => {
    const { hash } = await writeWorld('A', book('x'), 'absent');
    server.worlds.set('A', book('edited'));
    await expect(deleteWorld('A', { hash })).rejects.toMatchObject({ reason: 'changed' });
    expect(server.worlds.has('A')).toBe(true);
  });

  it('fails when the server does', async () => {
    await expect(deleteWorld('None', 'any')).rejects.toMatchObject({ status: 500 });
  });
});

describe('the list of the client', () => {
  it('is refreshed, and the editor leaves a world that is gone', async () => {
    openEditor('Gone');
    const changed = vi.fn();
    document.querySelector('select')?.addEventListener('change', changed);
    client['updateWorldInfoList'] = async () => document.querySelector('option[value="0"]')?.remove();
    expect(openInEditor()).toBe('Gone');
    expect(await refreshWorldList()).toBe(true);
    expect(openInEditor()).toBeUndefined();
    expect(changed).toHaveBeenCalledTimes(1);
    expect(await refreshWorldList()).toBe(true);
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('cannot be refreshed everywhere', async () => {
    expect(await refreshWorldList()).toBe(false);
  });
});

it('counts entries of any shape', () => {
  expect(countEntries(book('x', 'y'))).toBe(2);
  expect(countEntries({ entries: [{}, {}, {}] })).toBe(3);
  expect(countEntries({ entries: null })).toBe(0);
  expect(countEntries({})).toBe(0);
});

it('asks the settings on clients without a list, and then no more for the list', async () => {
  vi.resetModules();
  const fresh = await import('../../src/host/world-store.ts');
  server.worlds.set('A', book());
  server.instead.set('/api/worldinfo/list', () => new Response('', { status: 404 }));
  expect(await fresh.listWorlds()).toEqual([{ name: 'A', extensions: {} }]);
  expect(await fresh.listWorlds()).toEqual([{ name: 'A', extensions: {} }]);
  expect(server.requests.map((request) => request.path)).toEqual([
    '/api/worldinfo/list',
    '/api/settings/get',
    '/api/settings/get',
  ]);
});
