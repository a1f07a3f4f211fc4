// A card as the import sees it: from the uploaded file, or from the character that SillyTavern has stored.

import type { Pieces } from '../../convert.ts';
import { readPieces } from '../../convert.ts';
import type { Finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { readCharacter } from '../../host/character-store.ts';
import { settings } from '../settings/settings.ts';
import type { IncomingBook, IncomingCard } from './plan.ts';

/** A card with what was said while it was read. */
export interface ReadCard {
  readonly character: string;
  readonly books: readonly IncomingBook[];
  readonly claim: string;
  readonly findings: readonly Finding[];
  /** The app in whose own words the file came, where it was written in SillyTavern's before it was stored. */
  readonly app?: string;
  /** One sentence when the card brings something as a lorebook that is none. */
  readonly unreadable: string | null;
}

/** Reads a card's pieces into what the import needs. Books without entries are no books. */
export function readCard(pieces: Pieces): ReadCard {
  const books = pieces.lorebooks
    .filter((lorebook) => lorebook.body.entries.length > 0)
    .map((lorebook) => ({ lorebook, slot: pieces.slots.get(lorebook.id) ?? lorebook.id }));
  const world = pieces.character.body.extensions['world'];
  const refused = pieces.findings.find(({ code }) => code === 'refused');
  return {
    character: pieces.character.name,
    books,
    claim: typeof world === 'string' ? world : '',
    findings: pieces.findings,
    unreadable: books.length === 0 && refused !== undefined ? refused.message : null,
  };
}

/**
 * Reads the card of a stored character, e.g. when we cannot read the upload ourselves.
 * @throws ConversionError or the host's errors, one sentence each
 */
export async function readStoredCard(avatar: string): Promise<ReadCard & { readonly linked: string }> {
  const stored = await readCharacter(avatar);
  const card = readCard(readPieces(stored.card as Json));
  return { ...card, character: stored.name, linked: stored.world };
}

/** Puts a card together with what is known of the character here. */
export function incomingCard({
  avatar,
  read,
  linked,
  isNew = false,
  extras = [],
  siblings = new Set(),
}: {
  readonly avatar: string;
  readonly read: ReadCard;
  readonly linked: string;
  readonly isNew?: boolean;
  readonly extras?: readonly string[];
  readonly siblings?: ReadonlySet<string>;
}): IncomingCard {
  return {
    avatar,
    isNew,
    extras,
    siblings,
    character: read.character,
    books: read.books,
    claim: read.claim,
    linked,
    kept: settings().kept[avatar] ?? '',
  };
}
