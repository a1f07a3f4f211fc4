// The ways that a card goes through Lumiverse, as the model of the app has them: as it is, or imported as a charx or a PNG
// and exported again as one or the other.

import { readPieces } from '../../src/convert.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { lumiverseCard } from '../../src/formats/lumiverse/card.ts';
import { throughJson } from './fixtures.ts';
import { type AppBook, exportedCard, exportedModules, importedBooks } from './lumiverse-app.ts';
import type { HandOver } from './round-trips.ts';

/** What is handed over: the card, and what lies beside it in a charx. */
export interface Parts {
  readonly card: JsonObject;
  readonly modules?: JsonObject;
}

/** A change of the world books that the app holds. */
export type BooksEdit = (books: readonly AppBook[]) => readonly AppBook[];

/** A card's way there and back; the edit is made in the app, if it comes that far. */
export type PartsWay = readonly [name: string, back: (there: Required<Parts>, edit?: BooksEdit) => Parts];

/** Writes a card and its modules. */
export const handOver: HandOver<Required<Parts>> = (resolved, options) => {
  const { card, modules, findings } = lumiverseCard(resolved, 'charx', options);
  return { there: { card: throughJson(card), modules: throughJson(modules) }, findings };
};

/** What is read of what came back. */
export const piecesOf = ({ card, modules }: Parts) => readPieces(card, modules);

/** The ways on which the app writes the card anew. */
export const THROUGH_THE_APP: readonly PartsWay[] = (['charx', 'PNG'] as const).flatMap((from) =>
  (['charx', 'PNG'] as const).map(
    (to): PartsWay => [
      `${from} to ${to}`,
      ({ card, modules }, edit = (books) => books) => {
        const books = edit(importedBooks(card, from === 'charx' ? modules : undefined));
        const back = { card: exportedCard(card, books) };
        return to === 'charx' ? { ...back, modules: exportedModules(books) } : back;
      },
    ],
  ),
);

/** All ways. */
export const WAYS: readonly PartsWay[] = [
  ['as it is, as a PNG', ({ card }) => ({ card })],
  ['as it is, as a charx', (there) => there],
  ...THROUGH_THE_APP,
];
