// The twin as it stands in a world file, read: the raw books that ride along, and which entry has which uid.

import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import type { CanonicalLorebook, Escrow, LorebookBody } from '../../core/lorebook.ts';
import { entryIndexes, readingOf } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { OWN_KEY } from './world-info.ts';
import { WORLD_INFO } from './world-table.ts';

/** What a world file was made of. */
export interface WorldTwin {
  /** The raw books that ride along, by their dialects. */
  readonly original: CanonicalLorebook['original'];
  /** What the raw book says. */
  readonly body: LorebookBody;
  /** The uid that each raw entry got; null for an entry that has been purged. */
  readonly uids: readonly (number | null)[];
}

/** Reads another app's own book, as it rides along in a world file made of it; null when it is none. */
export type OwnBookReader = (dialect: string, raw: Json, id: string, name: string) => LorebookBody | null;

/** The twin in a world file; null when it has none that fits. */
export function twinOf(
  world: JsonObject,
  id: string,
  name: string,
  readOwn: OwnBookReader,
): WorldTwin | null {
  const own = world[OWN_KEY];
  const held = isObject(own) ? own['original'] : undefined;
  if (!isObject(own) || !isObject(held) || !isArray(own['uids'])) return null;
  const original = Object.fromEntries(
    Object.entries(held).flatMap(([dialect, escrow]): [string, Escrow][] => {
      const raw = isObject(escrow) ? escrow['raw'] : undefined;
      if (raw === undefined || dialect === WORLD_INFO) return [];
      return isObject(raw) || (isArray(raw) && dialect !== CHARACTER_BOOK) ? [[dialect, { raw }]] : [];
    }),
  );
  const uids = own['uids'].map((uid) => (typeof uid === 'number' ? uid : null));
  const { [CHARACTER_BOOK]: book, ...foreign } = original;
  // The app's own words come first; the card's book beside them was written from them, and is for who cannot read them.
  const read = Object.entries(foreign)
    .map(([dialect, { raw }]) => readOwn(dialect, raw, id, name))
    .find((body) => body?.entries.length === uids.length);
  if (read != null) return { original: foreign, body: read, uids };
  if (book === undefined || uids.length !== entryIndexes(book.raw as JsonObject).length) return null;
  const { body } = readingOf(book, id);
  return body.entries.length === uids.length ? { original, body, uids } : null;
}
