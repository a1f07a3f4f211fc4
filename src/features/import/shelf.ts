// SillyTavern's worlds as a plan asks for them.

import { newWorldName } from '../../host/world-name.ts';
import { type Expected, isVacant, listWorlds, readWorld } from '../../host/world-store.ts';
import type { Candidate } from './candidates.ts';
import type { WorldShelf } from './plan.ts';

/** The worlds of the SillyTavern that we run in. */
export const worldShelf: WorldShelf = { list: listWorlds, read: readWorld, freshName: newWorldName };

/** The worlds during one batch of imports: listed once, for the server reads every file for that list. */
export interface BatchShelf extends WorldShelf {
  /** Asks, before they are needed, for what a new world of that name or else the other one must not meet. */
  readonly foresee: (wanted: string, fallback: string) => Promise<void>;
  /** Adds a world that was made a moment ago. */
  readonly add: (world: Candidate) => void;
  /** What a new file of the batch must not meet, see `writeWorld`. */
  readonly absent: (name: string) => Promise<Extract<Expected, { absentFrom: unknown }>>;
}

// An upload can be slow, and other pages write, too: by then the file is asked for again.
const FORESEEN_MS = 5000;

/** Opens the shelf for a batch; nothing is asked before somebody does. */
export function batchShelf(): BatchShelf {
  let listed: Promise<Candidate[]> | null = null;
  const list = (): Promise<Candidate[]> => {
    listed ??= listWorlds().then(
      (worlds) => [...worlds],
      (error) => {
        // A list that failed is asked for again.
        listed = null;
        throw error;
      },
    );
    return listed;
  };
  const names = async (): Promise<readonly string[]> => (await list()).map(({ name }) => name);
  const foreseen = new Map<string, { readonly vacancy: Promise<boolean>; readonly at: number }>();
  return {
    list,
    read: readWorld,
    freshName: newWorldName,
    foresee: async (wanted, fallback) => {
      const name = await newWorldName(wanted, fallback, await names());
      const vacancy = isVacant(name);
      vacancy.catch(() => foreseen.delete(name));
      foreseen.set(name, { vacancy, at: Date.now() });
    },
    absent: async (name) => {
      const absentFrom = await names();
      const asked = foreseen.get(name);
      // An answer is good for one file.
      foreseen.delete(name);
      const isFresh = asked !== undefined && Date.now() - asked.at < FORESEEN_MS;
      return isFresh ? { absentFrom, isVacant: asked.vacancy } : { absentFrom };
    },
    add: (world) => void listed?.then((worlds) => worlds.push(world)).catch(() => undefined),
  };
}
