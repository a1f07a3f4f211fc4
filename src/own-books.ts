// Books that ride along in another app's own words, read by that app's reader.

import type { JsonObject } from './core/json.ts';
import { readForeignLorebook } from './foreign-file.ts';
import type { OwnBookReader, WorldLorebook } from './formats/sillytavern/world-twin.ts';
import { lorebookFromWorld } from './formats/sillytavern/world-twin.ts';

/** Reads a raw book of any app whose lorebook files we know. */
export const readOwnBook: OwnBookReader = (dialect, raw, id, name) => {
  const lorebook = readForeignLorebook(raw, id, name)?.lorebook;
  return lorebook !== undefined && Object.hasOwn(lorebook.original, dialect) ? lorebook.body : null;
};

/** Reads a world file as a lorebook, also where its twin is in another app's words; see `lorebookFromWorld`. */
export const readWorldFile = (world: JsonObject, id: string, name: string): WorldLorebook =>
  lorebookFromWorld(world, id, name, readOwnBook);
