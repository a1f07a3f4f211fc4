// Files of other apps that are no card of SillyTavern's family: their own lorebook files, and characters in an envelope
// of their own. Told apart by content, in the order of this list.

import type { Finding } from './core/finding.ts';
import type { Json, JsonObject } from './core/json.ts';
import type { CanonicalLorebook } from './core/lorebook.ts';
import type { ReadLorebook } from './formats/_shared/character-book.ts';
import { isMemoryBook, readMemoryBook } from './formats/agnai/memory-book.ts';
import { isLumiverseWorldBook, readLumiverseWorldBook } from './formats/lumiverse/native-book.ts';
import { isLumiverseSillyTavern, readLumiverseSillyTavern } from './formats/lumiverse/sillytavern-book.ts';
import { isMarinaraCompatible, readMarinaraCompatible } from './formats/marinara/compatible-lorebook.ts';
import { isMarinaraCharacter, readMarinaraCharacter } from './formats/marinara/native-character.ts';
import { isMarinaraLorebook, readMarinaraLorebook } from './formats/marinara/native-lorebook.ts';
import { isNovelLorebook, readNovelLorebook } from './formats/novelai/lorebook.ts';
import { isRisuLorebook, readRisuLorebook } from './formats/risu/lorebook-file.ts';
import { isRolecallLorebook, readRolecallLorebook } from './formats/rolecall/lorebook-file.ts';

/** A lorebook file of another app. `reading` is what its reader knew beside it, where it tells. */
export interface ForeignLorebook {
  readonly lorebook: CanonicalLorebook;
  readonly reading?: ReadLorebook;
  readonly findings: readonly Finding[];
}

/**
 * Reads a lorebook file of another app.
 *
 * @param id the lorebook's id
 * @param fallbackName its name where the file has none
 * @returns null when it is none that we know
 */
export function readForeignLorebook(json: Json, id: string, fallbackName: string): ForeignLorebook | null {
  if (isMarinaraLorebook(json)) return withReading(readMarinaraLorebook(json, id, fallbackName));
  if (isMarinaraCompatible(json)) return withReading(readMarinaraCompatible(json, id, fallbackName));
  if (isLumiverseWorldBook(json)) return withReading(readLumiverseWorldBook(json, id, fallbackName));
  if (isLumiverseSillyTavern(json)) return withReading(readLumiverseSillyTavern(json, id, fallbackName));
  if (isRolecallLorebook(json)) return withReading(readRolecallLorebook(json, id, fallbackName));
  if (isRisuLorebook(json)) return withReading(readRisuLorebook(json, id, fallbackName));
  if (isNovelLorebook(json)) {
    const findings: Finding[] = [];
    return { lorebook: readNovelLorebook(json, id, fallbackName, findings), findings };
  }
  if (isMemoryBook(json)) {
    const findings: Finding[] = [];
    return { lorebook: readMemoryBook(json, id, fallbackName, findings), findings };
  }
  return null;
}

function withReading(read: ReadLorebook & { readonly lorebook: CanonicalLorebook }): ForeignLorebook {
  return { lorebook: read.lorebook, reading: read, findings: read.findings };
}

/** A card out of another app's own character file. */
export interface ForeignCard {
  /** Whose file it is, by its envelope. */
  readonly app: string;
  readonly card: JsonObject;
  /** Its picture as a data URL, null when it has none. */
  readonly avatar: string | null;
}

/** The card inside another app's own character file, or null when it is none that we know. */
export function cardInForeignFile(json: Json): ForeignCard | null {
  const marinara = isMarinaraCharacter(json) ? readMarinaraCharacter(json) : null;
  return marinara === null ? null : { app: 'marinara', ...marinara };
}
