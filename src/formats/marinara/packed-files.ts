// What is special about Marinara's zips: its bulk exports, and the `.marinara` package. Facts: Marinara Engine 2.3.3.

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

const PACKAGE_DATA = 'data.json';
const PICTURE = /^avatar\.(png|jpe?g|webp|gif|avif)$/i;

/** A `.marinara` package: the file that counts, and the character's picture beside it. */
export interface MarinaraPackage {
  readonly data: string;
  readonly picture: string | null;
}

/** The package that a zip's files make, by their names; null when it is none. */
export function marinaraPackage(names: readonly string[]): MarinaraPackage | null {
  if (!names.includes(PACKAGE_DATA)) return null;
  return { data: PACKAGE_DATA, picture: names.find((name) => PICTURE.test(name)) ?? null };
}

/** A bulk export is never taken for complete: characters of one name replace each other when the app packs them. */
export const SAME_NAMES: Finding = finding(
  'assumed',
  { bookId: null, entryId: null },
  'zip',
  null,
  null,
  'Marinara packs only one of several characters that have the same name, so this zip may not hold all that were exported.',
);
