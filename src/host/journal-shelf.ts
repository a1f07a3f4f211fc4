// Where the journal keeps its steps: IndexedDB, or memory. What is listed and what was done are kept apart, so
// that listing fifty steps does not read fifty megabytes.

/** A step as it is kept: the list's part, and the actions as JSON text. */
export interface ShelvedStep {
  readonly id: string;
  readonly at: number;
  readonly title: string;
  readonly size: number;
  readonly json: string;
}

/** A place for steps. Everything rejects when the place fails. */
export interface JournalShelf {
  readonly persistent: boolean;
  put(step: ShelvedStep): Promise<void>;
  /** All steps without their actions, in no order. */
  list(): Promise<readonly Omit<ShelvedStep, 'json'>[]>;
  get(id: string): Promise<ShelvedStep | undefined>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

const DATABASE = 'loreferry';
const STEPS = 'steps';
const ACTIONS = 'actions';
// Some private windows never answer.
const OPEN_MS = 3000;

/**
 * The shelf in the browser's IndexedDB.
 *
 * @throws when there is no IndexedDB, or it does not open within 3 s
 */
export async function openShelf(): Promise<JournalShelf> {
  if (typeof indexedDB === 'undefined') throw new Error('no IndexedDB');
  const database = await openDatabase();
  // Another tab with a newer version of ours may upgrade; we then fail over to memory.
  database.onversionchange = () => database.close();

  const change = async (work: (steps: IDBObjectStore, actions: IDBObjectStore) => void): Promise<void> => {
    const transaction = database.transaction([STEPS, ACTIONS], 'readwrite');
    const done = finished(transaction);
    work(transaction.objectStore(STEPS), transaction.objectStore(ACTIONS));
    await done;
  };
  return {
    persistent: true,
    put: ({ json, ...entry }) =>
      change((steps, actions) => {
        steps.put(entry);
        actions.put({ id: entry.id, json });
      }),
    list: () => answer(database.transaction(STEPS).objectStore(STEPS).getAll()),
    get: async (id) => {
      const transaction = database.transaction([STEPS, ACTIONS]);
      const [entry, actions] = await Promise.all([
        answer<Omit<ShelvedStep, 'json'> | undefined>(transaction.objectStore(STEPS).get(id)),
        answer<{ json: string } | undefined>(transaction.objectStore(ACTIONS).get(id)),
      ]);
      return entry && actions ? { ...entry, json: actions.json } : undefined;
    },
    remove: (id) =>
      change((steps, actions) => {
        steps.delete(id);
        actions.delete(id);
      }),
    clear: () =>
      change((steps, actions) => {
        steps.clear();
        actions.clear();
      }),
  };
}

/** The shelf in memory: gone with the page. */
export function memoryShelf(): JournalShelf {
  const kept = new Map<string, ShelvedStep>();
  return {
    persistent: false,
    put: async (step) => void kept.set(step.id, step),
    list: async () => [...kept.values()].map(({ json: _json, ...entry }) => entry),
    get: async (id) => kept.get(id),
    remove: async (id) => void kept.delete(id),
    clear: async () => kept.clear(),
  };
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('IndexedDB does not answer')), OPEN_MS);
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STEPS, { keyPath: 'id' });
      request.result.createObjectStore(ACTIONS, { keyPath: 'id' });
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error ?? new Error('IndexedDB does not open'));
    };
  });
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });
}

// A full disk shows only when the transaction is committed.
function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB gave up'));
    transaction.onerror = () => reject(transaction.error ?? new Error('IndexedDB failed'));
  });
}
