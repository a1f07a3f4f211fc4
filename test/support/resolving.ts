// Entries to resolve, and a character to resolve them for.

import { readPieces } from '../../src/convert.ts';
import { readKey } from '../../src/core/key.ts';
import type { CanonicalLorebook, EntryDraft, LorebookEntry } from '../../src/core/lorebook.ts';
import { newEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter, ResolvedEntry, ScanSettings } from '../../src/core/resolved.ts';
import { type ResolveInput, resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import { deepFreeze } from './deep-freeze.ts';
import { cardWith } from './fixtures.ts';

const { character } = readPieces(
  cardWith(undefined, {
    name: 'Nyra',
    description: 'Keeper of the lighthouse, says {{user}}.',
    personality: 'stubborn',
    scenario: 'A regatta. {{random::Fog::Rain}}',
    creator_notes: 'A vintage card.',
    extensions: { depth_prompt: { prompt: ' Whisper, {{char}}. ', depth: 3, role: 'user' } },
  }),
);

/** An entry's fields, keys as they are written. */
export interface Given
  extends Omit<Partial<EntryDraft>, 'keys' | 'secondaryKeys' | 'scan' | 'sources' | 'recursion' | 'group'> {
  readonly keys?: readonly string[];
  readonly secondaryKeys?: readonly string[];
  readonly scan?: Partial<LorebookEntry['scan']>;
  readonly sources?: Partial<LorebookEntry['sources']>;
  readonly recursion?: Partial<LorebookEntry['recursion']>;
  readonly group?: Partial<LorebookEntry['group']>;
}

/** An entry with one key, unless other fields are given; frozen. */
export function entryOf(given: Given, id = 'e0'): LorebookEntry {
  const base = newEntry(id);
  const keys = (list: readonly string[]) => list.map((written) => readKey(written).key);
  return deepFreeze({
    ...base,
    content: 'Text.',
    ...given,
    keys: keys(given.keys ?? ['lamp']),
    secondaryKeys: keys(given.secondaryKeys ?? []),
    scan: { ...base.scan, ...given.scan },
    sources: { ...base.sources, ...given.sources },
    recursion: { ...base.recursion, ...given.recursion },
    group: { ...base.group, ...given.group },
  });
}

/** A lorebook of entries. */
export function bookOf(entries: readonly LorebookEntry[], id = 'b0'): CanonicalLorebook {
  return deepFreeze({
    id,
    name: id,
    original: {},
    body: {
      name: id,
      description: '',
      scanDepth: null,
      tokenBudget: null,
      recursiveScanning: null,
      extensions: {},
      entries,
      bag: { dialect: '', book: {} },
    },
  });
}

/** Resolves entries of one book for Nyra, with SillyTavern's shipped settings unless others are given. */
export function resolve(
  entries: readonly LorebookEntry[],
  settings: Partial<ScanSettings> = {},
  rest: Partial<ResolveInput> = {},
): ResolvedCharacter {
  return resolveCharacter(
    deepFreeze({
      character,
      books: [{ lorebook: bookOf(entries), origin: 'primary' as const }],
      settings: { ...SHIPPED_SCAN_SETTINGS, ...settings },
      userName: 'Robin',
      avatar: 'Nyra-1.png',
      ...rest,
    }),
  );
}

/** Resolves a single entry. */
export function one(
  given: Given,
  settings: Partial<ScanSettings> = {},
  rest: Partial<ResolveInput> = {},
): ResolvedEntry {
  const [first] = resolve([entryOf(given)], settings, rest).books[0]?.entries ?? [];
  if (first === undefined) throw new Error('the entry is gone');
  return first;
}
