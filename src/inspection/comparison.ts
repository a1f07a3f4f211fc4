// The card's copy of a lorebook against the world file: over the fields that SillyTavern's editor shows, and apart from
// them what SillyTavern's own copy cannot carry, which is never called a difference (decisions 13).

import {
  type ChangedEntry,
  type ComparedField,
  compareEntries,
  type LorebookDifference,
} from '../core/compare.ts';
import { sameJson } from '../core/json.ts';
import type { LorebookBody, LorebookEntry } from '../core/lorebook.ts';
import { nearestPosition } from '../core/position.ts';
import { VISIBLE_FIELDS } from '../formats/sillytavern/visible-fields.ts';

/** An entry of both, with what only one of them carries: canonical paths and keys that we do not model. */
export interface NotCarried {
  readonly entry: LorebookEntry;
  readonly paths: readonly string[];
}

/** The two copies side by side; in the difference `before` is the card's entry and `after` the world file's. */
export interface CopyComparison {
  readonly difference: LorebookDifference;
  /** The card's entries that the world file has just so. */
  readonly same: readonly LorebookEntry[];
  readonly notCarried: readonly NotCarried[];
  /** Fields of the book itself that only one of the two carries, or that differ. */
  readonly notCarriedOfBook: readonly string[];
}

const effectiveChance = ({ probability }: LorebookEntry): number =>
  probability.used ? probability.chance : 100;
const isRolledAlike = (card: LorebookEntry, world: LorebookEntry): boolean =>
  effectiveChance(card) === effectiveChance(world);

// What SillyTavern's embedding cannot hold, or writes in another way (1.19, convertWorldInfoToCharacterBook): it knows
// no character filter and no slots of RoleCall, and an unset use of the chance becomes "not used", which is a chance of
// 100 as well.
const LOOSER: Readonly<Record<string, ComparedField['same']>> = {
  characterFilter: (card) => card.characterFilter === null,
  'position.slot': (card, world) =>
    nearestPosition(card.position).slot === nearestPosition(world.position).slot,
  'probability.used': isRolledAlike,
  'probability.chance': isRolledAlike,
};

/** The fields in which a card's copy can differ from the world file; the card's entry is the first. */
export const COPY_FIELDS: readonly ComparedField[] = VISIBLE_FIELDS.map((field) => {
  const looser = LOOSER[field.path];
  return looser === undefined
    ? field
    : { path: field.path, same: (card, world) => looser(card, world) || field.same(card, world) };
});

/** Compares the card's copy with the world file. */
export function compareCopies(card: LorebookBody, world: LorebookBody): CopyComparison {
  const pairs: ChangedEntry[] = [];
  // Every pair passes through the first field; which fields differ is asked only once.
  const noted: readonly ComparedField[] = COPY_FIELDS.map((field, index) =>
    index > 0
      ? field
      : {
          path: field.path,
          same: (before, after) => {
            pairs.push({ before, after, paths: [] });
            return field.same(before, after);
          },
        },
  );
  const difference = compareEntries(card.entries, world.entries, noted);
  const apart = new Set([...difference.removed, ...difference.changed.map(({ before }) => before)]);
  return {
    difference,
    same: card.entries.filter((entry) => !apart.has(entry)),
    notCarried: pairs
      .map(({ before, after }) => ({ entry: before, paths: hiddenPaths(before, after) }))
      .filter(({ paths }) => paths.length > 0),
    notCarriedOfBook: hiddenOfBook(card, world),
  };
}

function hiddenPaths(card: LorebookEntry, world: LorebookEntry): readonly string[] {
  const paths: string[] = [];
  const isTitleHidden = (card.memo || card.title) === (world.memo || world.title);
  if (isTitleHidden && (card.title !== world.title || card.memo !== world.memo)) paths.push('title');
  if (card.characterFilter === null && world.characterFilter !== null) paths.push('characterFilter');
  const [ours, theirs] = [card.position.slot, world.position.slot];
  if (ours !== theirs && LOOSER['position.slot']?.(card, world)) paths.push('position.slot');
  // "As the reader is set" is written as false.
  const hasGroup = card.group.name !== '' && world.group.name !== '';
  if (hasGroup && card.group.scoring !== true && world.group.scoring !== true)
    if (card.group.scoring !== world.group.scoring) paths.push('group.scoring');
  if (card.bag === world.bag) return paths;
  // Keys of the entry itself mean something only in the dialect they were read from.
  if (card.bag.dialect === world.bag.dialect) paths.push(...differingKeys(card.bag.entry, world.bag.entry));
  return [
    ...paths,
    ...differingKeys(card.bag.extensions, world.bag.extensions).map((key) => `extensions.${key}`),
  ];
}

function hiddenOfBook(card: LorebookBody, world: LorebookBody): readonly string[] {
  const fields = (['description', 'scanDepth', 'tokenBudget', 'recursiveScanning'] as const).filter(
    (field) => card[field] !== world[field],
  );
  const own = card.bag.dialect === world.bag.dialect ? differingKeys(card.bag.book, world.bag.book) : [];
  return [
    ...fields,
    ...own,
    ...differingKeys(card.extensions, world.extensions).map((key) => `extensions.${key}`),
  ];
}

function differingKeys(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (a === b) return [];
  const heldAt = (object: Readonly<Record<string, unknown>>, key: string): unknown =>
    Object.hasOwn(object, key) ? object[key] : undefined;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].filter((key) => !sameJson(heldAt(a, key), heldAt(b, key)));
}
