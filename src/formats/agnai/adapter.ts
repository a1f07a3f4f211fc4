// Agnai's native character as one of the house's dialects: its book is no character_book, so it has an extractor of its
// own (spec 000).

import type { CharacterAdapter, EmitContext, EmittedCard } from '../../core/adapter.ts';
import type { CanonicalCharacter } from '../../core/character.ts';
import { isObject, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../core/lorebook.ts';
import type { ResolvedBook, ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { SHIPPED_SCAN_SETTINGS } from '../_shared/shipped-settings.ts';
import { agnaiCharacter } from './character.ts';
import { AGNAI } from './fields.ts';
import { agnaiBooksOf, characterOfAgnai, hasBooks, isAgnaiCharacter } from './native-character.ts';

/** Native characters as Agnai 1.0.27 reads and writes them. */
export const agnaiNativeCharacter: CharacterAdapter = {
  id: AGNAI,
  isCard: isAgnaiCharacter,
  toCanonical: characterOfAgnai,
  fromCanonical,
  extractLorebook: agnaiBooksOf,
};

/**
 * Writes a character whose books nobody has resolved: as they stand, with SillyTavern's shipped settings. The rule of
 * three holds (spec 000): absent lorebooks leave a native character as it was read, an empty list clears its book.
 */
function fromCanonical(character: CanonicalCharacter, { lorebooks }: EmitContext): EmittedCard {
  const raw = character.original[AGNAI]?.raw;
  if (isObject(raw) && (lorebooks === undefined || hasBooks(raw, lorebooks)))
    return { card: raw, findings: [] };
  if (isObject(raw) && lorebooks?.length === 0)
    return { card: withoutKey(raw, 'characterBook'), findings: [] };
  const { card, findings } = agnaiCharacter(unresolved(character, lorebooks ?? []), { style: 'exact' });
  return { card, findings };
}

function unresolved(
  character: CanonicalCharacter,
  lorebooks: readonly CanonicalLorebook[],
): ResolvedCharacter {
  const books = lorebooks.map((lorebook, at): ResolvedBook => {
    const entries = lorebook.body.entries.map(asItStands);
    return { lorebook, origin: at === 0 ? 'primary' : 'additional', entries };
  });
  const note = character.body.extensions['depth_prompt'];
  const prompt = isObject(note) && typeof note['prompt'] === 'string' ? note['prompt'] : '';
  const depth = isObject(note) && typeof note['depth'] === 'number' ? note['depth'] : 4;
  return {
    character,
    books,
    settings: SHIPPED_SCAN_SETTINGS,
    delayedPasses: 'none',
    depthPrompt: prompt.trim() === '' ? null : { prompt, depth, role: 'system' },
    userName: '',
    findings: [],
  };
}

function asItStands(source: LorebookEntry): ResolvedEntry {
  const { scan } = source;
  const entry: LorebookEntry = {
    ...source,
    scan: {
      depth: scan.depth ?? SHIPPED_SCAN_SETTINGS.depth,
      caseSensitive: scan.caseSensitive ?? SHIPPED_SCAN_SETTINGS.caseSensitive,
      matchWholeWords: scan.matchWholeWords ?? SHIPPED_SCAN_SETTINGS.matchWholeWords,
    },
  };
  const fires = !entry.enabled ? 'never' : entry.constant ? 'always' : 'keys';
  return { source, entry, fires, reason: null, blocksGroup: false };
}
