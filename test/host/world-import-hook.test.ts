// The import of SillyTavern's World Info panel, as its page does it: a deletion that nobody waits for, and the file behind
// it in the same moment.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { type FetchHook, installFetchHook } from '../../src/host/fetch-hook.ts';
import { WORLD_DELETE, WORLD_IMPORT } from '../../src/host/import-hook.ts';
import {
  type WorldUpload,
  type WorldUploadWatcher,
  worldImportHandlers,
} from '../../src/host/world-import-hook.ts';
import { startFakeClient } from './fake-client.ts';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let worlds: Map<string, JsonObject>;
let order: string[];
let hook: FetchHook | undefined;
let problems: unknown[];
let slow: { delete: number };
let answer: ((form: FormData) => Response | Promise<Response>) | undefined;

async function server(path: string, init: RequestInit): Promise<Response> {
  if (path === '/api/worldinfo/list')
    return Response.json([...worlds.keys()].map((file_id) => ({ file_id, extensions: {} })));
  if (path === WORLD_IMPORT) {
    const form = init.body as FormData;
    if (answer) return answer(form);
    const file = form.get('avatar') as File;
    const name = file.name.replace(/\.[^.]*$/, '');
    const text = (form.get('convertedData') as string | null) ?? (await file.text());
    worlds.set(name, JSON.parse(text) as JsonObject);
    order.push(`stored ${name}`);
    return Response.json({ name });
  }
  const { name } = JSON.parse(String(init.body)) as { name: string };
  if (path === '/api/worldinfo/get') return Response.json(worlds.get(name) ?? { entries: {} });
  await wait(slow.delete);
  worlds.delete(name);
  order.push(`deleted ${name}`);
  return new Response('OK');
}

beforeEach(() => {
  worlds = new Map();
  order = [];
  problems = [];
  slow = { delete: 0 };
  answer = undefined;
  startFakeClient({});
  vi.stubGlobal('location', { href: 'http://127.0.0.1:8000/', origin: 'http://127.0.0.1:8000' });
  vi.stubGlobal(
    'fetch',
    vi.fn((path: unknown, init: RequestInit) => server(String(path), init)),
  );
});
afterEach(() => {
  hook?.uninstall();
  vi.unstubAllGlobals();
});

function install(watcher: Partial<WorldUploadWatcher>, more: object = {}): WorldUpload[] {
  const seen: WorldUpload[] = [];
  const { onDelete, onImport } = worldImportHandlers({
    onUpload: (upload) => {
      seen.push(upload);
      return {
        before: async () => {},
        replacement: () => undefined,
        after: async (name) => void order.push(`after ${name}`),
        failed: async () => void order.push('failed'),
        ...watcher,
      };
    },
    onError: (error) => problems.push(error),
    ...more,
  });
  hook = installFetchHook({
    enabled: () => true,
    endpoints: { [WORLD_DELETE]: onDelete, [WORLD_IMPORT]: onImport },
    onError: (error) => problems.push(error),
  });
  return seen;
}

const post = (name: string, text = '{"entries":{"1":{}}}', converted?: string): Promise<Response> => {
  const form = new FormData();
  form.append('avatar', new File([text], name));
  if (converted !== undefined) form.append('convertedData', converted);
  return fetch(WORLD_IMPORT, { method: 'POST', body: form });
};
const remove = (name: string): Promise<Response> =>
  fetch(WORLD_DELETE, { method: 'POST', body: JSON.stringify({ name }) });

describe('importing', () => {
  const boom = () => {
    throw new Error('ours');
  };

  it('stores the file itself when there is nothing to replace it', async () => {
    const seen = install({});
    const response = await post('Lore.json');
    expect(await response.json()).toEqual({ name: 'Lore' });
    expect(worlds.get('Lore')).toEqual({ entries: { 1: {} } });
    expect(order).toEqual(['stored Lore', 'after Lore']);
    expect(seen).toHaveLength(1);
    expect(seen[0]).not.toHaveProperty('deleted');
  });

  it('stores what replaces it, not what the page made of it', async () => {
    install({ replacement: () => new File(['{"entries":{"7":{}}}'], 'Lore.json') });
    await post('Lore.json', '{"lorebookVersion":4}', '{"entries":{"0":{}}}');
    expect(worlds.get('Lore')).toEqual({ entries: { 7: {} } });
  });

  it.each([
    ['before', { before: () => Promise.reject(new Error('ours')) }],
    ['replacement', { replacement: boom }],
    ['after', { after: () => Promise.reject(new Error('ours')) }],
  ])('goes on when %s fails', async (_stage, watcher) => {
    install(watcher as Partial<WorldUploadWatcher>);
    expect((await post('Lore.json')).ok).toBe(true);
    expect(worlds.has('Lore')).toBe(true);
  });

  it('waits for nobody for ever', async () => {
    const never = () => new Promise<void>(() => {});
    install({ before: never, after: never }, { beforeMs: 10, holdMs: 40 });
    const began = performance.now();
    expect((await post('Lore.json')).ok).toBe(true);
    expect(performance.now() - began).toBeLessThan(400);
    expect(problems).toHaveLength(2);
  });
});

describe('a world that makes room', () => {
  it('is read before it is deleted, and deleted before the file is stored', async () => {
    worlds.set('Lore', { entries: { 3: { content: 'old' } } });
    slow.delete = 30;
    const seen = install({});
    void remove('Lore');
    await post('Lore.json');
    expect(order).toEqual(['deleted Lore', 'stored Lore', 'after Lore']);
    expect(seen[0]?.deleted).toMatchObject({ name: 'Lore', data: { entries: { 3: { content: 'old' } } } });
    expect(worlds.get('Lore')).toEqual({ entries: { 1: {} } });
  });

  it('may be called so but for case and accents', async () => {
    worlds.set('Café', { entries: { 3: {} } });
    const seen = install({});
    void remove('Café');
    await post('cafe.json');
    expect(seen[0]?.deleted?.name).toBe('Café');
  });

  it('is none when another one was deleted, or long ago', async () => {
    worlds.set('Other', { entries: { 3: {} } });
    const seen = install({});
    void remove('Other');
    await post('Lore.json');
    expect(seen[0]).not.toHaveProperty('deleted');
    worlds.set('Lore', { entries: { 3: {} } });
    await remove('Lore');
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    await post('Lore.json');
    expect(seen[1]).not.toHaveProperty('deleted');
    vi.restoreAllMocks();
  });

  it.each([
    ['a refusal', () => new Response('Is not a valid world info file', { status: 400 })],
    ['an answer without a name', () => Response.json({})],
  ])('is told of %s', async (_name, reply) => {
    worlds.set('Lore', { entries: { 3: {} } });
    answer = reply;
    install({});
    void remove('Lore');
    await post('Lore.json');
    expect(order).toEqual(['deleted Lore', 'failed']);
  });

  it('is told of a network that breaks, which SillyTavern hears of, too', async () => {
    const failure = new TypeError('Failed to fetch');
    answer = () => Promise.reject(failure);
    install({});
    await expect(post('Lore.json')).rejects.toBe(failure);
    expect(order).toEqual(['failed']);
  });

  it('is deleted all the same when it cannot be read', async () => {
    worlds.set('Lore', { entries: { 3: {} } });
    const below = fetch;
    vi.stubGlobal('fetch', (path: unknown, init: RequestInit) =>
      String(path) === '/api/worldinfo/get' ? new Promise(() => {}) : below(path as string, init),
    );
    install({}, { beforeMs: 10, holdMs: 50 });
    await remove('Lore');
    expect(order).toEqual(['deleted Lore']);
  });
});
