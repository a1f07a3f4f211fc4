// Lorebooks on their way to another app and back: from SillyTavern's world files, in force with its shipped settings, and
// what of their entries is looked at when they come back.

import type { CanonicalCharacter } from '../../src/core/character.ts';
import type { Style } from '../../src/core/exporter.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import type { ResolvedCharacter } from '../../src/core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import {
  lorebookFromWorld,
  withoutTwin,
  worldFromLorebook,
} from '../../src/formats/sillytavern/world-twin.ts';
import { throughJson, worldEntry, worldOf } from './fixtures.ts';
import { MARA } from './in-force.ts';

/** Both ways of writing keys. */
export const STYLES = ['natural', 'exact'] as const;

/** What every app's writer is asked. */
export interface SendOptions {
  readonly style: Style;
  readonly privateFields?: 'keep' | 'drop';
}

/** A style, with the private fields in the file. */
export const keep = (style: Style) => ({ style, privateFields: 'keep' as const });

/** Keys as a person can read them. */
export const NATURAL = keep('natural');

/** Keys that decide as SillyTavern's. */
export const EXACT = keep('exact');

/** A character with these books in force, with the settings that SillyTavern ships; `MARA` unless another is given. */
export const resolvedOf = (
  lorebooks: readonly CanonicalLorebook[],
  character: CanonicalCharacter = MARA,
): ResolvedCharacter =>
  resolveCharacter({
    character,
    books: lorebooks.map((lorebook) => ({ lorebook, origin: 'primary' as const })),
    settings: SHIPPED_SCAN_SETTINGS,
    userName: 'Robin',
    avatar: 'Mara Lint.png',
  });

/** The lorebook of a world file of that name. */
export const lorebookOfWorld = (world: JsonObject, name: string): CanonicalLorebook =>
  lorebookFromWorld(world, `worldinfo:${name}`, name).lorebook;

/** The world file that a lorebook is imported as, without what is kept beside it. */
export const worldOfLorebook = (lorebook: CanonicalLorebook): JsonObject =>
  throughJson(withoutTwin(worldFromLorebook(lorebook, { character: 'Mara Lint', slot: 'x' })));

/** All of an entry that its user can tell apart: every field of the table, and what no table knows. */
export const entryView = (entry: LorebookEntry): unknown => [
  Object.fromEntries(CHARACTER_BOOK_FIELDS.map((row) => [row.path, row.show(entry)])),
  entry.bag.entry,
  entry.bag.extensions,
];

/** The views of a lorebook's entries; none of no lorebook. */
export const entryViews = (lorebook: CanonicalLorebook | undefined): readonly unknown[] =>
  lorebook?.body.entries.map(entryView) ?? [];

/** The paths of the fields in which two entries differ, sorted. */
export const changedFields = (before: LorebookEntry, after: LorebookEntry): readonly string[] =>
  CHARACTER_BOOK_FIELDS.filter((row) => !row.same(before, after))
    .map(({ path }) => path)
    .sort();

const QUAY: readonly (readonly [number, JsonObject])[] = [
  [3, { key: ['lamp', 'oil lamp', '/l[ae]mp/i'], addMemo: true, displayIndex: 2, x_own: { a: 1 } }],
  [
    5,
    {
      key: ['wick'],
      keysecondary: ['oil', 'tar'],
      selectiveLogic: 3,
      comment: '',
      position: 2,
      depth: 3,
      role: 1,
      order: 10,
      caseSensitive: null,
      matchWholeWords: null,
      scanDepth: 0,
      useProbability: true,
      probability: 30,
      content: 'Wick note.',
      extensions: { vendor: 'kept' },
    },
  ],
  [
    9,
    {
      key: ['pier'],
      position: 7,
      outletName: 'shelf',
      triggers: ['swipe', 'quiet'],
      group: 'a,b',
      groupOverride: true,
      groupWeight: 30,
      useGroupScoring: true,
      sticky: 4,
      delayUntilRecursion: 2,
      matchPersonaDescription: true,
      automationId: 'au1',
      characterFilter: { isExclude: false, names: ['Mara Lint'], tags: ['t1'] },
      ignoreBudget: true,
      content: '@@activate\nPier note.',
    },
  ],
  [12, { key: [' '], position: 5, content: 'Blank.', vectorized: true }],
];

/**
 * A world file with an entry of every kind, and all that a world file can hold.
 *
 * @param own fields by uid: of one of its entries (3, 5, 9 and 12) in place of the usual ones, of a further entry added
 */
export function quayWorld(own: Readonly<Record<number, JsonObject>> = {}): JsonObject {
  const fields = new Map<number, JsonObject>(QUAY);
  for (const [uid, given] of Object.entries(own))
    fields.set(Number(uid), { ...fields.get(Number(uid)), ...given });
  return worldOf(...[...fields].map(([uid, given]) => worldEntry(uid, given)));
}
