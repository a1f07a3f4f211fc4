// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { context, t } from '../../src/host/context.ts';
import { post, postJson } from '../../src/host/server.ts';
import { worldInfoModule } from '../../src/host/world-info-module.ts';
import { startFakeClient } from './fake-client.ts';
import { startFakeServer } from './fake-server.ts';

afterEach(() => vi.unstubAllGlobals());

it('is empty where no SillyTavern runs, or a broken one', () => {
  expect(context()).toEqual({});
  vi.stubGlobal('SillyTavern', {
    getContext: () => {
      throw new Error('theirs');
    },
  });
  expect(context()).toEqual({});
});

it('translates with whole words where it can, else leaves the text', () => {
  expect(t`${2} of ${undefined} in “${'A'}”`).toBe('2 of  in “A”');
  const theirs = vi.fn((_strings: TemplateStringsArray, ...values: string[]) => values.join('|'));
  startFakeClient({ t: theirs });
  expect(t`${2} of ${undefined} in “${'A'}”`).toBe('2||A');
  startFakeClient({
    t: () => {
      throw new Error('locale');
    },
  });
  expect(t`Undo`).toBe('Undo');
});

it("warns once where SillyTavern's module cannot be reached", async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(await worldInfoModule()).toBeUndefined();
  expect(await worldInfoModule()).toBeUndefined();
  expect(warned).toHaveBeenCalledTimes(1);
  warned.mockRestore();
});

it("sends SillyTavern's headers", async () => {
  startFakeClient();
  const fetched = vi.fn(async () => Response.json({}));
  vi.stubGlobal('fetch', fetched);
  await post('/api/x', { a: 1 });
  expect(fetched).toHaveBeenCalledWith(
    '/api/x',
    expect.objectContaining({
      method: 'POST',
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': 'token' },
    }),
  );
});

it.each<[string, () => Response, string]>([
  ['JSON', () => Response.json({ message: 'No', error: 'x.' }, { status: 400 }), 'error 400 (No: x).'],
  [
    'a sentence',
    () => new Response('Is not a valid file.', { status: 400 }),
    'error 400 (Is not a valid file).',
  ],
  ['a page', () => new Response('<html><pre>stack</pre></html>', { status: 500 }), 'error 500.'],
  ['nothing', () => new Response('', { status: 403 }), 'error 403.'],
])('makes one sentence of %s', async (_name, response, end) => {
  startFakeServer().instead.set('/api/x', response);
  await expect(post('/api/x', {})).rejects.toMatchObject({
    name: 'ServerError',
    message: `SillyTavern answered with ${end}`,
  });
});

it('says so when no answer comes, or none that can be read', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(post('/api/x', {})).rejects.toMatchObject({ status: 0, path: '/api/x' });
  startFakeServer().instead.set('/api/x', () => new Response('OK'));
  await expect(postJson('/api/x', {})).rejects.toMatchObject({ name: 'ServerError', status: 200 });
});
