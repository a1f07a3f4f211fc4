import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { originalFetch } from '../../src/host/fetch-hook.ts';
import {
  type ImportHook,
  type ImportProblem,
  installImportHook,
  type Upload,
  type UploadWatcher,
} from '../../src/host/import-hook.ts';

const PATH = '/api/characters/import';
const ORIGIN = 'http://127.0.0.1:8000';
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let serverFetch: ReturnType<typeof vi.fn>;
let reply: Response;
let hook: ImportHook | undefined;
let problems: ImportProblem[];

function form(
  fields: Record<string, string> = {},
  file = new File(['{"spec":"x"}'], 'alice.json'),
): FormData {
  const made = new FormData();
  made.append('avatar', file);
  for (const [name, value] of Object.entries({ file_type: 'json', user_name: 'Ann', ...fields })) {
    made.append(name, value);
  }
  return made;
}

function install(watch: (upload: Upload) => UploadWatcher | undefined, more: object = {}): ImportHook {
  hook = installImportHook({
    enabled: () => true,
    onUpload: watch,
    onError: (problem) => problems.push(problem),
    quietMs: 20,
    ...more,
  });
  return hook;
}

const post = (body: FormData | string = form()) => fetch(PATH, { method: 'POST', body });

beforeEach(() => {
  problems = [];
  reply = Response.json({ file_name: 'Alice1' });
  serverFetch = vi.fn(async () => reply);
  vi.stubGlobal('location', { href: `${ORIGIN}/`, origin: ORIGIN });
  vi.stubGlobal('fetch', serverFetch);
});

afterEach(() => {
  hook?.uninstall();
  hook = undefined;
  vi.unstubAllGlobals();
});

describe('what is seen', () => {
  it('sees the file before the server, and the avatar before SillyTavern has the reply', async () => {
    const order: string[] = [];
    let upload: Upload | undefined;
    serverFetch.mockImplementation(async () => {
      order.push('server');
      return reply;
    });
    install((seen) => {
      upload = seen;
      return {
        before: async () => void order.push(`before ${await seen.file.text()}`),
        after: async ({ avatar }) => {
          await wait(5);
          order.push(`after ${avatar}`);
        },
      };
    });
    const body = form({ preserved_name: 'Alice.png' });
    const response = await post(body);
    order.push('SillyTavern');
    expect(order).toEqual(['before {"spec":"x"}', 'server', 'after Alice1.png', 'SillyTavern']);
    expect(upload).toMatchObject({ fileType: 'json', preservedName: 'Alice.png', userName: 'Ann' });
    expect(response).toBe(reply);
    expect(await response.json()).toEqual({ file_name: 'Alice1' });
    expect(serverFetch.mock.calls[0]?.[1]?.body).toBe(body);
  });

  it.each([
    ['a string', () => PATH],
    ['a full address', () => `${ORIGIN}${PATH}?x=1`],
    ['a URL', () => new URL(PATH, ORIGIN)],
  ])('takes %s', async (_name, input) => {
    const after = vi.fn(async () => {});
    install(() => ({ after }));
    await fetch(input(), { method: 'post', body: form() });
    expect(after).toHaveBeenCalledWith({ avatar: 'Alice1.png' });
  });

  it('takes a Request and leaves its body to the server', async () => {
    let sent = '';
    serverFetch.mockImplementation(async (request: Request) => {
      const file = (await request.formData()).get('avatar');
      sent = file instanceof File ? await file.text() : '';
      return reply;
    });
    let read = '';
    install(({ file }) => ({
      before: async () => {
        read = await file.text();
      },
      after: async () => {},
    }));
    await fetch(new Request(`${ORIGIN}${PATH}`, { method: 'POST', body: form() }));
    expect([read, sent]).toEqual(['{"spec":"x"}', '{"spec":"x"}']);
  });

  it('looks at nothing else', async () => {
    const watch = vi.fn();
    install(watch);
    await fetch('/api/characters/all', { method: 'POST', body: '{}' });
    await fetch(PATH);
    await fetch(`https://elsewhere.example${PATH}`, { method: 'POST', body: form() });
    await fetch('http://[broken', { method: 'POST', body: '{}' });
    await post('not a form');
    expect(watch).not.toHaveBeenCalled();
    expect(serverFetch).toHaveBeenCalledTimes(5);
  });

  it('passes through while disabled, and when asking about that fails', async () => {
    const watch = vi.fn();
    install(watch, { enabled: () => false });
    await post();
    hook?.uninstall();
    install(watch, {
      enabled: () => {
        throw new Error('settings');
      },
    });
    expect(await post()).toBe(reply);
    expect(watch).not.toHaveBeenCalled();
    expect(problems.map((problem) => problem.stage)).toEqual(['request']);
  });

  it('hands other endpoints to their own handlers', async () => {
    install(() => undefined, {
      endpoints: {
        '/api/worldinfo/delete': async (
          request: { json(): Promise<unknown> },
          send: () => Promise<Response>,
        ) => {
          const { name } = (await request.json()) as { name: string };
          await send();
          return new Response(name);
        },
      },
    });
    const response = await fetch('/api/worldinfo/delete', { method: 'POST', body: '{"name":"Lore"}' });
    expect(await response.text()).toBe('Lore');
    expect(serverFetch).toHaveBeenCalledTimes(1);
  });
});

describe('what cannot break SillyTavern', () => {
  const boom = () => {
    throw new Error('ours');
  };

  it.each<[string, () => UploadWatcher, string]>([
    ['onUpload throws', boom, 'watch'],
    ['before throws', () => ({ before: boom, after: async () => {} }), 'before'],
    [
      'before rejects',
      () => ({ before: () => Promise.reject(new Error()), after: async () => {} }),
      'before',
    ],
    ['answer throws', () => ({ answer: boom, after: async () => {} }), 'answer'],
    ['after throws', () => ({ after: boom }), 'after'],
    ['after rejects', () => ({ after: () => Promise.reject(new Error()) }), 'after'],
  ])('goes on when %s', async (_name, watch, stage) => {
    install(watch);
    expect(await post()).toBe(reply);
    expect(serverFetch).toHaveBeenCalledTimes(1);
    expect(problems.map((problem) => problem.stage)).toEqual([stage]);
  });

  it('goes on when even telling of it fails', async () => {
    install(boom, { onError: boom });
    expect(await post()).toBe(reply);
  });

  it('does not hold the reply for ever, nor hear of a failure afterwards', async () => {
    let fail: (error: Error) => void = () => {};
    install(() => ({ after: () => new Promise((_resolve, reject) => (fail = reject)) }), { holdMs: 10 });
    expect(await post()).toBe(reply);
    fail(new Error('much later'));
    await wait(0);
    expect(problems.map((problem) => problem.stage)).toEqual(['late', 'after']);
  });

  it('does not wait for ever before the upload', async () => {
    install(() => ({ before: () => new Promise(() => {}), after: async () => {} }), { beforeMs: 10 });
    expect(await post()).toBe(reply);
    expect(problems.map((problem) => problem.stage)).toEqual(['before']);
  });

  it('passes a network failure on as it is, once', async () => {
    const failure = new TypeError('Failed to fetch');
    serverFetch.mockRejectedValue(failure);
    const after = vi.fn();
    install(() => ({ after }));
    await expect(post()).rejects.toBe(failure);
    expect(serverFetch).toHaveBeenCalledTimes(1);
    expect(after).not.toHaveBeenCalled();
    expect(problems).toEqual([]);
  });

  it.each([
    ['an error', () => Response.json({ error: true })],
    ['a refusal', () => new Response('Bad Request', { status: 400 })],
    ['something else', () => Response.json(null)],
  ])('calls no after for %s', async (_name, answer) => {
    reply = answer();
    const after = vi.fn();
    install(() => ({ after }));
    expect(await post()).toBe(reply);
    expect(after).not.toHaveBeenCalled();
  });

  it('survives a reply that is no JSON', async () => {
    reply = new Response('<html>');
    install(() => ({ after: async () => {} }));
    expect(await (await post()).text()).toBe('<html>');
  });
});

describe('answering ourselves', () => {
  it('keeps the file from the server', async () => {
    let isWorld = false;
    install(() => ({
      before: async () => {
        isWorld = true;
      },
      answer: () => (isWorld ? Response.json({ error: true }) : undefined),
      after: async () => {},
    }));
    expect(await (await post()).json()).toEqual({ error: true });
    expect(serverFetch).not.toHaveBeenCalled();
  });
});

describe('sending another file', () => {
  const converted = { file: new File(['png'], 'alice.png'), fileType: 'png' };
  const sentForm = async (index = 0): Promise<Record<string, string>> => {
    const [input, init] = serverFetch.mock.calls[index] as [unknown, RequestInit];
    const sent = init.body as FormData;
    const file = sent.get('avatar') as File;
    const rest = Object.fromEntries([...sent].filter(([name]) => name !== 'avatar')) as Record<
      string,
      string
    >;
    return { ...rest, to: String(input), file: `${file.name}: ${await file.text()}` };
  };

  it('replaces the file and its type, and keeps all else of the form and the request', async () => {
    const before = vi.fn(async () => {});
    const after = vi.fn(async () => {});
    install(() => ({ before, replacement: () => converted, after }));
    const body = form({ preserved_name: 'Alice.png', of_another_extension: '1' });
    await fetch(PATH, {
      method: 'POST',
      body,
      headers: { 'X-CSRF-Token': 'abc', 'Content-Type': 'multipart/form-data; boundary=old' },
      cache: 'no-cache',
    });
    expect(await sentForm()).toEqual({
      to: PATH,
      file: 'alice.png: png',
      file_type: 'png',
      user_name: 'Ann',
      preserved_name: 'Alice.png',
      of_another_extension: '1',
    });
    const init = serverFetch.mock.calls[0]?.[1] as RequestInit;
    expect([...new Headers(init.headers)]).toEqual([['x-csrf-token', 'abc']]);
    expect(init).toMatchObject({ method: 'POST', cache: 'no-cache' });
    expect([...body].length).toBe(5);
    expect((body.get('avatar') as File).name).toBe('alice.json');
    expect(after).toHaveBeenCalledWith({ avatar: 'Alice1.png' });
  });

  it('does so for a Request, too', async () => {
    install(() => ({ replacement: () => converted, after: async () => {} }));
    await fetch(
      new Request(`${ORIGIN}${PATH}`, { method: 'POST', body: form(), headers: { 'X-CSRF-Token': 'abc' } }),
    );
    expect(await sentForm()).toMatchObject({
      to: `${ORIGIN}${PATH}`,
      file: 'alice.png: png',
      file_type: 'png',
    });
    const init = serverFetch.mock.calls[0]?.[1] as RequestInit;
    expect(init.method).toBe('POST');
    expect([...new Headers(init.headers)]).toEqual([['x-csrf-token', 'abc']]);
  });

  it('sends the file itself when there is no other, and when asking fails', async () => {
    const body = form();
    install(() => ({ replacement: () => undefined, after: async () => {} }));
    await post(body);
    hook?.uninstall();
    install(() => ({
      replacement: () => {
        throw new Error('ours');
      },
      after: async () => {},
    }));
    await post(body);
    expect(serverFetch.mock.calls.map(([, init]) => init.body)).toEqual([body, body]);
    expect(problems.map((problem) => problem.stage)).toEqual(['replacement']);
  });

  it('counts the time before the upload among that for which the reply may be held', async () => {
    install(() => ({ before: () => wait(300), after: () => new Promise(() => {}) }), {
      beforeMs: 1000,
      holdMs: 400,
    });
    const began = performance.now();
    await post();
    expect(performance.now() - began).toBeLessThan(650);
    expect(problems.map((problem) => problem.stage)).toEqual(['late']);
  });
});

describe('installing', () => {
  it('is done once', async () => {
    const first = vi.fn(() => undefined);
    const second = vi.fn(() => undefined);
    const mine = install(first);
    const wrapped = fetch;
    const other = installImportHook({ enabled: () => true, onUpload: second });
    expect([mine.installed, other.installed]).toEqual([true, false]);
    expect(fetch).toBe(wrapped);
    other.uninstall();
    await post();
    expect(first).toHaveBeenCalledTimes(1);
    expect(second).not.toHaveBeenCalled();
  });

  it('puts the original back', () => {
    install(() => undefined);
    expect(fetch).not.toBe(serverFetch);
    hook?.uninstall();
    expect(fetch).toBe(serverFetch);
  });

  it('leaves a wrapper that came later in place, sleeps below it, and wakes again', async () => {
    const watch = vi.fn(() => undefined);
    install(watch);
    const ours = fetch;
    const theirs: typeof fetch = (input, init) => ours(input, init);
    vi.stubGlobal('fetch', theirs);
    hook?.uninstall();
    expect(fetch).toBe(theirs);
    await post();
    expect(watch).not.toHaveBeenCalled();
    install(watch);
    expect(fetch).toBe(theirs);
    await post();
    expect(watch).toHaveBeenCalledTimes(1);
    vi.stubGlobal('fetch', ours);
  });

  it('wraps again when someone has put the original back over it', async () => {
    const watch = vi.fn(() => undefined);
    install(vi.fn(() => undefined));
    vi.stubGlobal('fetch', serverFetch);
    install(watch);
    await post();
    expect(watch).toHaveBeenCalledTimes(1);
  });

  it('sends our own requests below the wrapper', async () => {
    const watch = vi.fn();
    install(watch);
    await originalFetch()(PATH, { method: 'POST', body: form() });
    expect(watch).not.toHaveBeenCalled();
    expect(serverFetch).toHaveBeenCalledTimes(1);
  });
});

describe('the end of a batch', () => {
  it('comes once, after the last import and a silence', async () => {
    install(() => ({ after: () => wait(5) }));
    const ended = vi.fn();
    hook?.onBatchEnd(ended);
    await post();
    await wait(10);
    const second = post();
    await wait(2);
    expect(hook?.inFlight()).toBe(1);
    await second;
    expect(ended).not.toHaveBeenCalled();
    await wait(50);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('waits for an after that outlived its reply', async () => {
    let finish = () => {};
    install(() => ({ after: () => new Promise<void>((resolve) => (finish = resolve)) }), { holdMs: 5 });
    const ended = vi.fn();
    const stop = hook?.onBatchEnd(ended);
    await post();
    await wait(50);
    expect(ended).not.toHaveBeenCalled();
    finish();
    await wait(50);
    expect(ended).toHaveBeenCalledTimes(1);
    stop?.();
    await post();
    finish();
    await wait(50);
    expect(ended).toHaveBeenCalledTimes(1);
  });
});
