// Entries in force, made by hand: what a writer of another app's dialect is given.

import type { CanonicalCharacter } from '../../src/core/character.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import { newEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter, ResolvedEntry, ScanSettings } from '../../src/core/resolved.ts';
import { sillytavernCard } from '../../src/formats/sillytavern/card.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import { deepFreeze } from './deep-freeze.ts';
import { cardWith } from './fixtures.ts';

/** What of an entry is given; sections only in part. */
export type PartOfEntry = {
  readonly [K in keyof LorebookEntry]?: LorebookEntry[K] extends readonly unknown[]
    ? LorebookEntry[K]
    : LorebookEntry[K] extends object
      ? Partial<LorebookEntry[K]>
      : LorebookEntry[K];
};

/** A canonical entry with SillyTavern's defaults and one key; what is given replaces. */
export function entryOf(given: PartOfEntry = {}, id = 'w0'): LorebookEntry {
  const base = newEntry(id) as LorebookEntry;
  const start: LorebookEntry = {
    ...base,
    title: 'Lamp',
    content: 'Lamp note.',
    keys: [{ kind: 'literal', text: 'lamp' }],
  };
  const merged: Record<string, unknown> = { ...start };
  for (const [name, value] of Object.entries(given)) {
    const held = merged[name];
    const isSection = typeof value === 'object' && value !== null && !Array.isArray(value);
    merged[name] = isSection && typeof held === 'object' && held !== null ? { ...held, ...value } : value;
  }
  return deepFreeze(merged as unknown as LorebookEntry);
}

/** An entry in force: what it inherits is filled in from the settings. */
export function inForce(
  source: LorebookEntry,
  settings: ScanSettings = SHIPPED_SCAN_SETTINGS,
): ResolvedEntry {
  const { scan, group, probability } = source;
  const entry: LorebookEntry = {
    ...source,
    scan: {
      depth: scan.depth ?? settings.depth,
      caseSensitive: scan.caseSensitive ?? settings.caseSensitive,
      matchWholeWords: scan.matchWholeWords ?? settings.matchWholeWords,
    },
    group: { ...group, scoring: group.scoring ?? settings.useGroupScoring },
    probability: { ...probability, used: probability.used && probability.chance < 100 },
  };
  const fires = !source.enabled ? 'never' : source.constant ? 'always' : 'keys';
  return deepFreeze({ source, entry, fires, reason: null, blocksGroup: false });
}

/** A lorebook of entries. */
export function lorebookOf(entries: readonly LorebookEntry[], name = 'Quay Notes'): CanonicalLorebook {
  const bag = { dialect: 'sillytavern', book: {} };
  const head = {
    name,
    description: '',
    scanDepth: null,
    tokenBudget: null,
    recursiveScanning: null,
    extensions: {},
  };
  return deepFreeze({ id: `worldinfo:${name}`, name, body: { ...head, entries, bag }, original: {} });
}

/** A character in force with these books; `MARA` unless another one is given. */
export function characterInForce(
  books: readonly CanonicalLorebook[],
  given: Partial<ScanSettings> = {},
  character: CanonicalCharacter = MARA,
): ResolvedCharacter {
  const settings = { ...SHIPPED_SCAN_SETTINGS, ...given };
  return deepFreeze({
    character,
    books: books.map((lorebook, index) => ({
      lorebook,
      origin: index === 0 ? ('primary' as const) : ('additional' as const),
      entries: lorebook.body.entries.map((entry) => inForce(entry, settings)),
    })),
    settings,
    delayedPasses: 'when-started',
    depthPrompt: null,
    userName: 'Robin',
    findings: [],
  });
}

/** A character without a lorebook. */
export const MARA: CanonicalCharacter = sillytavernCard.toCanonical(cardWith(undefined));
