// Who speaks and how the user's SillyTavern is set, as a diagnosis of an entry needs to know it.

import type { FiringSurroundings } from '../../formats/sillytavern/firing.ts';
import { context } from '../../host/context.ts';
import { vectorsStartEntries } from '../../host/vector-storage.ts';
import { scanSettings } from '../../host/world-links.ts';

/** What stands around a lorebook where nobody tells: SillyTavern's shipped settings (1.19). */
export const SHIPPED_SURROUNDINGS: FiringSurroundings = {
  character: null,
  userName: '',
  includeNames: true,
  vectorsActive: false,
  scanDepth: 2,
};

/**
 * The surroundings of now.
 *
 * @param character the character that the lorebooks are looked at with; null for a lorebook alone
 */
export async function surroundingsOf(
  character: { readonly avatar: string | null; readonly name: string } | null,
): Promise<FiringSurroundings> {
  const { name1, tagMap } = context();
  const settings = (await scanSettings()) ?? {};
  const depth = settings['world_info_depth'];
  const names = settings['world_info_include_names'];
  return {
    // A character filter names tags by their ids, found under the avatar (world-info.js, checkWorldInfo).
    character: character && { ...character, tags: tagsOf(tagMap, character.avatar) },
    userName: name1 ?? SHIPPED_SURROUNDINGS.userName,
    includeNames: typeof names === 'boolean' ? names : SHIPPED_SURROUNDINGS.includeNames,
    vectorsActive: vectorsStartEntries(),
    scanDepth: typeof depth === 'number' ? depth : SHIPPED_SURROUNDINGS.scanDepth,
  };
}

function tagsOf(
  tagMap: Readonly<Record<string, readonly string[]>> | undefined,
  avatar: string | null,
): readonly string[] {
  if (avatar === null || tagMap === undefined || !Object.hasOwn(tagMap, avatar)) return [];
  const tags = tagMap[avatar];
  return Array.isArray(tags) ? [...tags] : [];
}
