import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type JournalAction, openJournal } from '../../src/host/journal.ts';

const act = (text = ''): JournalAction[] => [{ kind: 'world-created', world: 'A', text }];
const overhead = JSON.stringify(act()).length;

describe.each(['IndexedDB', 'memory'])('in %s', (where) => {
  beforeEach(() => {
    vi.stubGlobal('indexedDB', where === 'memory' ? undefined : new IDBFactory());
  });
  afterEach(() => vi.unstubAllGlobals());

  it('keeps steps, newest first, and lists them without what they did', async () => {
    const journal = openJournal();
    const one = await journal.add('one', act('x'));
    await journal.add('two', act());
    expect((await journal.list()).map((step) => step.title)).toEqual(['two', 'one']);
    expect((await journal.list())[1]).toEqual(one);
    expect(await journal.get(one?.id ?? '')).toEqual({ ...one, actions: act('x') });
    expect(await journal.get('none')).toBeUndefined();
    expect(await journal.persistent()).toBe(where === 'IndexedDB');
  });

  it('removes one, and all', async () => {
    const journal = openJournal();
    const one = await journal.add('one', act());
    await journal.add('two', act());
    await journal.remove(one?.id ?? '');
    expect((await journal.list()).map((step) => step.title)).toEqual(['two']);
    await journal.clear();
    expect(await journal.list()).toEqual([]);
  });

  it('keeps the last 50, also when they come at once', async () => {
    const journal = openJournal();
    await Promise.all(Array.from({ length: 60 }, (_unused, n) => journal.add(String(n), act())));
    const titles = (await journal.list()).map((step) => step.title);
    expect(titles).toEqual(Array.from({ length: 50 }, (_unused, n) => String(59 - n)));
  });

  it('keeps no more than its size, and nothing that is larger alone', async () => {
    const size = 3 * overhead + 30;
    const journal = openJournal({ steps: 50, size });
    for (const title of ['a', 'b', 'c', 'd']) await journal.add(title, act('0123456789'));
    expect((await journal.list()).map((step) => step.title)).toEqual(['d', 'c', 'b']);
    await journal.add('large', act('x'.repeat(size - overhead)));
    expect((await journal.list()).map((step) => step.title)).toEqual(['large']);
    expect(await journal.add('too large', act('x'.repeat(size)))).toBeUndefined();
    expect((await journal.list()).map((step) => step.title)).toEqual(['large']);
  });
});

describe('where IndexedDB fails', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('lives in memory when it does not open', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('private window', 'SecurityError');
      },
    });
    const journal = openJournal();
    await journal.add('one', act());
    expect(await journal.persistent()).toBe(false);
    expect(await journal.list()).toHaveLength(1);
  });

  it('lives on in memory when it stops', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.stubGlobal('indexedDB', new IDBFactory());
    const journal = openJournal();
    await journal.add('one', act());
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await journal.add('two', act());
    put.mockRestore();
    expect(await journal.persistent()).toBe(false);
    expect((await journal.list()).map((step) => step.title)).toEqual(['two']);
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });

  it('outlives the page otherwise', async () => {
    vi.stubGlobal('indexedDB', new IDBFactory());
    await openJournal().add('one', act());
    expect((await openJournal().list()).map((step) => step.title)).toEqual(['one']);
  });
});
