// What RisuAI's lore engine keeps of an entry while it reads its decorators (commit 460ecae2).

import type { Role } from '../../../core/position.ts';
import type { DecoratorLine } from './decorator-lines.ts';

/** The state of one entry; the last decorator of a kind counts. */
export interface Held {
  /** "" is the place that the prompt template gives to lore. */
  place: string;
  depth: number;
  role: Role;
  forced: 'on' | 'off' | null;
  /** Of each list one key is needed. */
  readonly needed: (readonly string[])[];
  /** Lists of which none may be found. */
  readonly excluded: (readonly string[])[];
  /** Lists of which not every key may be found. */
  readonly notAll: (readonly string[])[];
  wholeWord: boolean | null;
  /** Null is the book's. */
  scanDepth: number | null;
  chance: number | null;
  delay: number | null;
  /** Whether its text is searched for others' keys; null is the book's. */
  recursive: boolean | null;
  searchesEntries: boolean;
  priority: number | null;
  /** What SillyTavern cannot say. */
  readonly aside: DecoratorLine[];
}

/** An entry without decorators. */
export const newHeld = (): Held => ({
  place: '',
  depth: 0,
  role: 'system',
  forced: null,
  needed: [],
  excluded: [],
  notAll: [],
  wholeWord: null,
  scanDepth: null,
  chance: null,
  delay: null,
  recursive: null,
  searchesEntries: true,
  priority: null,
  aside: [],
});
