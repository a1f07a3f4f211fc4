// The undo journal: what we changed, so that it can be taken back. Kept by the browser, in IndexedDB.

import { isObject, type JsonObject } from '../core/json.ts';
import { warn } from './context.ts';
import { type JournalShelf, memoryShelf, openShelf, type ShelvedStep } from './journal-shelf.ts';

/** One change, as the feature that made it describes it to its own undo. `kind` says whose it is. */
export interface JournalAction extends JsonObject {
  readonly kind: string;
}

/** A step as it is listed. */
export interface JournalEntry {
  readonly id: string;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly title: string;
  /** Length of the actions as JSON. */
  readonly size: number;
}

/** A step with what it did, in the order in which it was done. */
export interface JournalStep extends JournalEntry {
  readonly actions: readonly JournalAction[];
}

/** The journal. Newest first wherever steps are listed. */
export interface Journal {
  /** Whether steps survive a reload. */
  persistent(): Promise<boolean>;
  /**
   * Keeps a step, and lets the oldest go where there are too many.
   *
   * @returns the step, or undefined when it is too large to be kept: then it cannot be undone
   */
  add(title: string, actions: readonly JournalAction[]): Promise<JournalEntry | undefined>;
  list(): Promise<readonly JournalEntry[]>;
  get(id: string): Promise<JournalStep | undefined>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
  /**
   * Hears that steps came or went.
   *
   * @returns a function that stops listening
   */
  onChange(listener: () => void): () => void;
}

/** How much is kept (decisions.md 22): 50 steps, 50 MB. */
export const JOURNAL_LIMITS = { steps: 50, size: 50 * 1024 * 1024 } as const;

/**
 * Opens the journal. Where IndexedDB is missing or fails (private windows, full disks) it lives in memory.
 *
 * @param limits how many steps, and how many characters of JSON in all
 */
export function openJournal(
  limits: { readonly steps: number; readonly size: number } = JOURNAL_LIMITS,
): Journal {
  let shelf: Promise<JournalShelf> = openShelf().catch(() => memoryShelf());
  // One after the other, so that two steps added at once do not both count the same ones as old.
  let last: Promise<unknown> = Promise.resolve();

  const withShelf = <T>(work: (shelf: JournalShelf) => Promise<T>): Promise<T> => {
    const done = last.then(async () => {
      const current = await shelf;
      try {
        return await work(current);
      } catch (error) {
        if (!current.persistent) throw error;
        warn('The undo journal cannot be stored; it lasts until the page is reloaded.', error);
        shelf = Promise.resolve(memoryShelf());
        return work(await shelf);
      }
    });
    last = done.catch(() => {});
    return done;
  };

  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };

  return {
    persistent: async () => (await shelf).persistent,
    add: async (title, actions) => {
      const json = JSON.stringify(actions);
      if (json.length > limits.size) return undefined;
      const entry: JournalEntry = { id: newId(), at: Date.now(), title, size: json.length };
      await withShelf(async (current) => {
        const older = await newestFirst(current);
        for (const old of surplus(older, entry, limits)) await current.remove(old.id);
        try {
          await current.put({ ...entry, json });
        } catch {
          // The browser's own limit, perhaps: the older half makes room.
          for (const old of older.slice(Math.floor(older.length / 2))) await current.remove(old.id);
          await current.put({ ...entry, json });
        }
      });
      changed();
      return entry;
    },
    list: () => withShelf(newestFirst),
    get: (id) => withShelf(async (current) => stepOf(await current.get(id))),
    remove: (id) => withShelf((current) => current.remove(id)).then(changed),
    clear: () => withShelf((current) => current.clear()).then(changed),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function newestFirst(shelf: JournalShelf): Promise<readonly JournalEntry[]> {
  const entries = await shelf.list();
  // Ids ascend, so they decide between steps of the same millisecond.
  return [...entries].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

// The old steps that must go when one more comes.
function surplus(
  newest: readonly JournalEntry[],
  added: JournalEntry,
  limits: { readonly steps: number; readonly size: number },
): readonly JournalEntry[] {
  let size = added.size;
  const kept = newest.findIndex((entry, index) => {
    size += entry.size;
    return index + 1 >= limits.steps || size > limits.size;
  });
  return kept < 0 ? [] : newest.slice(kept);
}

function stepOf(shelved: ShelvedStep | undefined): JournalStep | undefined {
  if (!shelved) return undefined;
  const { json, ...entry } = shelved;
  const actions: unknown = JSON.parse(json);
  return { ...entry, actions: Array.isArray(actions) ? actions.filter(isAction) : [] };
}

function isAction(value: unknown): value is JournalAction {
  return isObject(value) && typeof value['kind'] === 'string';
}

let counter = 0;

// `crypto.randomUUID` needs a secure context. Ascending within a page; the random end keeps two tabs apart.
function newId(): string {
  counter++;
  const parts = [Date.now().toString(36), counter.toString(36).padStart(4, '0')];
  return [...parts, Math.floor(Math.random() * 36 ** 6).toString(36)].join('-');
}
