// What the import flow loads at the first import may never come: SillyTavern's own requests do not wait for it.
// @vitest-environment jsdom

import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BEFORE_MS, type ImportFlow, startImportFlow } from '../../src/features/import/import-flow.ts';
import { openJournal } from '../../src/host/journal.ts';
import { startFakeClient } from '../host/fake-client.ts';

const loading = vi.hoisted(() => ({ module: undefined as Promise<object> | undefined }));
vi.mock('../../src/features/import/world-upload.ts', async () => ({ ...(await loading.module) }));

const DELETE = '/api/worldinfo/delete';
const deleted = vi.fn(async () => new Response('OK'));
let flow: ImportFlow;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.useFakeTimers();
  startFakeClient({});
  deleted.mockClear();
  vi.stubGlobal('fetch', deleted);
  vi.resetModules();
  flow = startImportFlow(openJournal(), () => true);
});
afterEach(() => {
  flow.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const send = (): Promise<Response> =>
  fetch(DELETE, { method: 'POST', body: JSON.stringify({ name: 'Own' }) });

describe('a deletion of a world', () => {
  it('goes on when our part does not load in time', async () => {
    loading.module = new Promise(() => undefined);
    const response = send();
    await vi.advanceTimersByTimeAsync(BEFORE_MS - 1);
    expect(deleted).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await (await response).text()).toBe('OK');
  });
});
