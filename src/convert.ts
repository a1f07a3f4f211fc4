// From a card to its pieces and back: reading and writing meet here, and nothing here knows a dialect (spec 000).

import type { EmitContext, EmittedCard, ExtractedBooks } from './core/adapter.ts';
import type { CanonicalCharacter } from './core/character.ts';
import type { Finding } from './core/finding.ts';
import type { Json, JsonObject } from './core/json.ts';
import { isObject } from './core/json.ts';
import type { CanonicalLorebook } from './core/lorebook.ts';
import { characterName, defaultBookName, extractCharacterBooks } from './formats/_shared/extract-books.ts';
import { memoryBooksOf } from './formats/agnai/memory-book.ts';
import { tavernBooksOf } from './formats/agnai/tavern-book.ts';
import { lumiverseModuleBooks } from './formats/lumiverse/modules.ts';
import { adapterFor, adapterOf } from './formats/registry.ts';

/** A character and its lorebooks, in nobody's dialect. */
export interface Pieces {
  readonly format: string;
  readonly character: CanonicalCharacter;
  /** The primary lorebook first. */
  readonly lorebooks: readonly CanonicalLorebook[];
  /** The slot in which each lorebook stood, by its id. */
  readonly slots: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
}

/** A file that is no card, or a target that cannot be written; the message is one sentence for a person. */
export class ConversionError extends Error {}

/**
 * Reads a parsed card into its pieces: the character, linked to its lorebooks by id, and each lorebook with its raw
 * book in escrow. The card is not changed.
 *
 * @param modules what lies beside the card in a charx of Lumiverse's: its lorebooks take the place of the card's own,
 * which are the same ones merged
 * @throws ConversionError when the JSON is no card of any format that we know
 */
export function readPieces(card: Json, modules?: Json): Pieces {
  const adapter = adapterOf(card);
  if (adapter === null || !isObject(card)) throw new ConversionError('This is not a character card.');
  const { books, findings } =
    lumiverseModuleBooks(card, modules, defaultBookName(characterName(card))) ??
    adapter.extractLorebook?.(card) ??
    extractBooks(card);
  const character = adapter.toCanonical(card);
  const knowledgeRefs = books.map(({ lorebook }) => lorebook.id);
  return {
    format: adapter.id,
    character: { ...character, body: { ...character.body, knowledgeRefs } },
    lorebooks: books.map(({ lorebook }) => lorebook),
    slots: new Map(books.map(({ lorebook, slot }) => [lorebook.id, slot])),
    findings,
  };
}

function extractBooks(card: JsonObject): ExtractedBooks {
  const tavern = tavernBooksOf(card, defaultBookName(characterName(card)));
  if (tavern !== null) return tavern;
  const found = extractCharacterBooks(card);
  const findings = [...found.findings];
  const memory = memoryBooksOf(card, defaultBookName(characterName(card)), findings);
  return { books: [...found.books, ...memory], findings };
}

/**
 * Writes a character for a target with the lorebooks given: a list is embedded, an empty list clears the slots,
 * absent leaves the raw card alone (spec 000).
 * @throws ConversionError when the target has no writer
 */
export function emitBundle(
  character: CanonicalCharacter,
  lorebooks: readonly CanonicalLorebook[] | undefined,
  target: string,
): EmittedCard {
  const adapter = adapterFor(target);
  if (adapter === null) throw new ConversionError(`Loreferry cannot write cards for ${target} yet.`);
  const context: EmitContext = lorebooks === undefined ? {} : { lorebooks };
  return adapter.fromCanonical(character, context);
}

/**
 * Writes pieces for a target: the lorebooks that the character refers to are looked up among the pieces and
 * embedded. Without a lorebook of its own a card is left as it is.
 */
export function emitPieces(pieces: Pieces, target: string): EmittedCard {
  const byId = new Map(pieces.lorebooks.map((book) => [book.id, book]));
  const refs = pieces.character.body.knowledgeRefs;
  const resolved = refs.flatMap((id) => byId.get(id) ?? []);
  return emitBundle(pieces.character, refs.length === 0 ? undefined : resolved, target);
}
