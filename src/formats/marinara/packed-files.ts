// What lies in one of Marinara's zips: its bulk exports, and the `.marinara` package. Facts: Marinara Engine 2.3.3.

import { cardSpecOf } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import { isMarinaraCompatible } from './compatible-lorebook.ts';
import { isMarinaraCharacter } from './native-character.ts';
import { isMarinaraLorebook } from './native-lorebook.ts';

/** What a file in a zip, or any file of Marinara's, turned out to be. */
export type MarinaraFileKind = 'native-lorebook' | 'native-character' | 'compatible-lorebook' | 'card';

/** The kind of a parsed file, or null when it is nothing of Marinara's. Any character card counts. */
export function marinaraFileKind(json: Json): MarinaraFileKind | null {
  if (isMarinaraLorebook(json)) return 'native-lorebook';
  if (isMarinaraCharacter(json)) return 'native-character';
  if (isMarinaraCompatible(json)) return 'compatible-lorebook';
  return isObject(json) && cardSpecOf(json) !== null ? 'card' : null;
}

/** A member of a zip; `json` is undefined where it is no JSON. */
export interface PackedMember {
  readonly name: string;
  readonly json: Json | undefined;
}

/** A file of a zip that can be read by itself. */
export interface PackedFile {
  readonly name: string;
  readonly kind: MarinaraFileKind;
  readonly json: Json;
}

/** The files of a zip in the zip's order, and what is to be said of it. */
export interface PackedFiles {
  readonly files: readonly PackedFile[];
  readonly findings: readonly Finding[];
}

const PACKAGE_DATA = 'data.json';
const PICTURE = /^avatar\.(png|jpe?g|webp|gif|avif)$/i;
const NOBODY = { bookId: null, entryId: null };

/**
 * Sorts the members of a zip. A zip is never taken for complete: characters of one name replace each other when the
 * app packs them. In a package the data's file counts, its picture belongs to it.
 */
export function packedFiles(members: readonly PackedMember[]): PackedFiles {
  const isPackage = members.some(({ name }) => name === PACKAGE_DATA);
  const files: PackedFile[] = [];
  const findings: Finding[] = [];
  for (const { name, json } of members) {
    const kind = json === undefined ? null : marinaraFileKind(json);
    if (kind !== null && json !== undefined) files.push({ name, kind, json });
    else if (!name.endsWith('/') && !(isPackage && PICTURE.test(name))) {
      const message = `${name} is neither a character nor a lorebook of Marinara's and was passed over.`;
      findings.push(finding('refused', NOBODY, name, null, null, message));
    }
  }
  if (!isPackage && files.some(({ kind }) => kind === 'native-character' || kind === 'card')) {
    const message =
      'Marinara packs only one of several characters that have the same name, so this zip may not hold all that were exported.';
    findings.push(finding('assumed', NOBODY, 'zip', null, null, message));
  }
  return { files, findings };
}

/** The name of the picture in a package, or null. */
export function packagePicture(names: readonly string[]): string | null {
  return names.includes(PACKAGE_DATA) ? (names.find((name) => PICTURE.test(name)) ?? null) : null;
}
