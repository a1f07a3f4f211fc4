// Where exports are made: in a worker, so that the page stays awake; where the browser gives none, in the page itself.

import type {
  ExportAround,
  ExportChoices,
  ExportFile,
  ExportOffer,
  ExportOutcome,
  OpenedForExport,
  WorldInForce,
} from './export-material.ts';

/** An export, step by step; see `ExportWork`. Rejects with an Error of one sentence. */
export interface ExportDesk {
  readonly open: (file: ExportFile) => Promise<OpenedForExport>;
  readonly offer: (worlds: readonly WorldInForce[], around: ExportAround) => Promise<ExportOffer>;
  readonly convert: (choices: ExportChoices) => Promise<ExportOutcome>;
  /** Lets go of everything. */
  readonly close: () => void;
}

type Question =
  | { readonly ask: 'open'; readonly file: ExportFile }
  | { readonly ask: 'offer'; readonly worlds: readonly WorldInForce[]; readonly around: ExportAround }
  | { readonly ask: 'convert'; readonly choices: ExportChoices };

/** What the worker is asked. */
export type DeskQuestion = Question & { readonly id: number };

/** What the worker answers. */
export type DeskAnswer =
  | { readonly id: number; readonly value: OpenedForExport | ExportOffer | ExportOutcome }
  | { readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Opens a desk. */
export function exportDesk(): ExportDesk {
  return workerDesk() ?? pageDesk();
}

function workerDesk(): ExportDesk | undefined {
  const worker = startWorker();
  if (worker === undefined) return undefined;
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  let hasAnswered = false;
  // A browser may take a worker and then not load it; what was asked is done in the page then.
  let instead: ExportDesk | undefined;
  worker.onmessage = ({ data }: MessageEvent<DeskAnswer>) => {
    hasAnswered = true;
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) one?.reject(new Error(data.error));
    else one?.resolve(data.value as never);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    const left = [...waiting.values()];
    waiting.clear();
    for (const one of left) one.reject(hasAnswered ? new Error(event.message) : new NoWorker());
  };
  const ask = <Value>(question: Question): Promise<Value> =>
    new Promise<Value>((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, { resolve: resolve as (value: never) => void, reject });
      worker.postMessage({ ...question, id } satisfies DeskQuestion);
    });
  return {
    open: async (file) => {
      if (instead !== undefined) return instead.open(file);
      try {
        return await ask<OpenedForExport>({ ask: 'open', file });
      } catch (error) {
        if (!(error instanceof NoWorker)) throw error;
        instead = pageDesk();
        return instead.open(file);
      }
    },
    offer: (worlds, around) => instead?.offer(worlds, around) ?? ask({ ask: 'offer', worlds, around }),
    convert: (choices) => instead?.convert(choices) ?? ask({ ask: 'convert', choices }),
    close: () => worker.terminate(),
  };
}

class NoWorker extends Error {}

function startWorker(): Worker | undefined {
  if (typeof Worker !== 'function') return undefined;
  try {
    return new Worker(new URL('./export-worker.js', import.meta.url), { type: 'module' });
  } catch {
    return undefined;
  }
}

/** Does the work in the page, each step behind a paint. */
export function pageDesk(): ExportDesk {
  const work = import('./export-work.ts').then(({ exportWork }) => exportWork());
  const afterPaint = async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return work;
  };
  return {
    open: async (file) => (await afterPaint()).open(file),
    offer: async (worlds, around) => (await afterPaint()).offer(worlds, around),
    convert: async (choices) => (await afterPaint()).convert(choices),
    close: () => {},
  };
}
