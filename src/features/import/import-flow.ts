// Watches imports from the start; what is done with them is loaded once the page has settled, or at the first one.

import { warn } from '../../host/context.ts';
import type { EndpointHandler } from '../../host/fetch-hook.ts';
import {
  type ImportHook,
  installImportHook,
  type UploadWatcher,
  WORLD_DELETE,
  WORLD_IMPORT,
} from '../../host/import-hook.ts';
import { inTime } from '../../host/in-time.ts';
import type { Journal } from '../../host/journal.ts';
import { whenIdle } from '../../host/when-idle.ts';

/** Whether imports are watched at all, and how to stop. */
export interface ImportFlow {
  readonly hook: ImportHook;
  stop(): void;
}

/**
 * Milliseconds that the hook waits before it lets the upload go on: of the 5 s in all (decisions 15), what a large card
 * of another app takes to be converted. The rest is left for the time after the answer.
 */
export const BEFORE_MS = 3000;

// What does not load in time leaves the endpoint to SillyTavern alone; what does not load at all is the fetch hook's to tell.
const soon =
  <T>(load: () => Promise<T>, pick: (loaded: T) => EndpointHandler): EndpointHandler =>
  async (request, send) => {
    const loading = load();
    const settled = loading.catch(() => undefined);
    return (await inTime(settled, BEFORE_MS)) ? pick(await loading)(request, send) : send();
  };

// What could not be loaded is tried again at the next import.
function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Starts watching imports. */
export function startImportFlow(journal: Journal, enabled: () => boolean): ImportFlow {
  const work = loadedOnce(() => import('./import-work.ts').then(({ importWork }) => importWork(journal)));
  // Before the first import, which would wait for it.
  whenIdle(() => void (enabled() && work().catch(() => undefined)));
  const worlds = loadedOnce(() =>
    import('./world-upload.ts').then(({ worldUploads }) => worldUploads(journal)),
  );
  const hook = installImportHook({
    enabled,
    beforeMs: BEFORE_MS,
    endpoints: {
      [WORLD_DELETE]: soon(worlds, ({ onDelete }) => onDelete),
      [WORLD_IMPORT]: soon(worlds, ({ onImport }) => onImport),
    },
    onUpload: (upload): UploadWatcher => {
      const watching = work().then(({ watch }) => watch(upload));
      let watcher: UploadWatcher | undefined;
      return {
        before: async () => {
          watcher = await watching;
          await watcher.before?.();
        },
        answer: () => watcher?.answer?.(),
        replacement: () => watcher?.replacement?.(),
        after: async (reply) => (await watching).after(reply),
      };
    },
    onError: ({ stage, error }) => warn(`An import went on without us (${stage}).`, error),
  });
  const stopListening = hook.onBatchEnd(() => {
    work()
      .then(({ endBatch }) => endBatch())
      .catch((error) => warn('The result of an import could not be shown.', error));
  });
  return {
    hook,
    stop: () => {
      stopListening();
      hook.uninstall();
    },
  };
}
