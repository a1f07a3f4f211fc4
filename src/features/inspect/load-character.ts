// A character as the panel shows it: the books in its card, and the world files that count when it speaks.

import { ConversionError, type Pieces, readPieces } from '../../convert.ts';
import { cardSpecOf } from '../../core/character.ts';
import { readCharacter, type StoredCharacter } from '../../host/character-store.ts';
import { t } from '../../host/context.ts';
import { activeWorlds, extraBooks } from '../../host/world-links.ts';
import { listWorlds } from '../../host/world-store.ts';
import { settings } from '../settings/settings.ts';
import { cardBooks } from './card-books.ts';
import { loadWorldBooks } from './load-world.ts';
import { relinkTargets } from './relink.ts';
import type { BookKind, Subject } from './subject.ts';
import { surroundingsOf } from './surroundings.ts';

/**
 * Reads a character for the panel: the books of its card in every slot, the linked world, its additional books, and
 * the worlds of the chat, the persona and every chat. A world that is several of these is shown once. Nothing is
 * written.
 *
 * @param avatar the avatar file name
 * @throws Error with one sentence when the character or its card cannot be read
 */
export async function loadCharacterSubject(avatar: string): Promise<Subject> {
  const [stored, listed, additional, active] = await Promise.all([
    readCharacter(avatar),
    listWorlds(),
    extraBooks(avatar),
    activeWorlds(),
  ]);
  const { name, card, world: linked } = stored;
  const worldNames = listed.map((world) => world.name);
  const pieces = piecesOf(stored);
  const ownBooks = cardBooks(pieces, 'card');
  const linkExists = linked !== '' && worldNames.includes(linked);
  const wanted = (names: readonly (string | undefined)[], kind: BookKind) =>
    names.flatMap((each) => (each !== undefined && worldNames.includes(each) ? [{ name: each, kind }] : []));
  const [worlds, relink, surroundings] = await Promise.all([
    loadWorldBooks([
      ...wanted([linked], 'linked'),
      ...wanted(additional, 'additional'),
      ...wanted([active.chat, active.persona, ...active.global], 'world'),
    ]),
    linked === '' || linkExists ? [] : relinkTargets(ownBooks[0]?.lorebook, linked, listed),
    surroundingsOf({ avatar, name }),
  ]);
  return {
    fileName: null,
    character: {
      avatar,
      name,
      spec: cardSpecOf(card),
      card,
      linked,
      linkExists,
      relink,
      additional,
      isLeftAlone: settings().leaveAlone.includes(avatar),
    },
    books: [...ownBooks, ...worlds.books],
    findings: [...pieces.findings.filter(({ bookId }) => bookId === null), ...worlds.findings],
    surroundings,
    worldNames,
  };
}

function piecesOf({ name, card }: StoredCharacter): Pieces {
  try {
    return readPieces(card);
  } catch (error) {
    if (error instanceof ConversionError) throw new Error(t`The card of ${name} could not be read.`);
    throw error;
  }
}
