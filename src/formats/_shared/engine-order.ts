// The order in which SillyTavern goes through all entries in force (1.19, getSortedEntries), and in which they stand
// in the prompt. Every target's budget and ties are judged by it.

import type { BookOrigin, ResolvedBook, ResolvedEntry, ScanSettings } from '../../core/resolved.ts';

/** An entry with the book that it stands in. */
export interface PlacedEntry {
  readonly book: ResolvedBook;
  readonly resolved: ResolvedEntry;
}

const byOrder = (a: PlacedEntry, b: PlacedEntry): number => b.resolved.entry.order - a.resolved.entry.order;

/**
 * All entries in the order of the engine, which gives out the budget and breaks ties: the chat's book, the persona's,
 * then the character's and the global ones as the user's strategy says; inside each, higher `order` first.
 */
export function engineOrder(
  books: readonly ResolvedBook[],
  settings: Pick<ScanSettings, 'characterStrategy'>,
): readonly PlacedEntry[] {
  const of = (...origins: readonly BookOrigin[]): readonly PlacedEntry[] =>
    origins.flatMap((origin) =>
      books
        .filter((book) => book.origin === origin)
        .flatMap((book) => book.entries.map((resolved) => ({ book, resolved }))),
    );
  const sorted = (list: readonly PlacedEntry[]): readonly PlacedEntry[] => [...list].sort(byOrder);
  const character = of('primary', 'additional');
  const global = of('global');
  const last =
    settings.characterStrategy === 1
      ? [...sorted(character), ...sorted(global)]
      : settings.characterStrategy === 2
        ? [...sorted(global), ...sorted(character)]
        : sorted([...global, ...character]);
  return [...sorted(of('chat')), ...sorted(of('persona')), ...last];
}

/**
 * Entries that fired in one pass, given in the order of the engine, as they follow each other in the text of a slot:
 * lower `order` first, and of two that are equal the one that comes later in the engine. Outlets are the other way
 * round, and so are the entries before the example messages, which are put on top one by one.
 */
export function textOrder<T extends PlacedEntry>(fired: readonly T[]): readonly T[] {
  return [...fired].sort(byOrder).reverse();
}
