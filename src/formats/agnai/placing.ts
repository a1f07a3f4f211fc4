// Where each entry stands in Agnai: in the one memory block, in the character's Insert, behind the example messages or
// nowhere; its weight, by which the block is sorted, and its priority, by which the budget is given out (1.0.27).

import type { Position, Slot } from '../../core/position.ts';
import { nearestPosition } from '../../core/position.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { engineOrder, type PlacedEntry, textOrder } from '../_shared/engine-order.ts';

/** Where an entry's text stands. */
export type Place = { readonly weight: number; readonly priority: number } & (
  | { readonly kind: 'block' }
  | { readonly kind: 'insert'; readonly depth: number }
  | { readonly kind: 'examples' }
  | { readonly kind: 'outlet'; readonly isShown: boolean }
);

/** The character's Insert: one text at one depth. */
export interface Insert {
  readonly prompt: string;
  readonly depth: number;
}

/** All places, and the texts that stand outside of the book. */
export interface Placing {
  readonly places: ReadonlyMap<ResolvedEntry, Place>;
  readonly insert: Insert | null;
  /** Texts behind the example messages. */
  readonly examples: readonly string[];
  /** The text of each outlet that the card shows. */
  readonly outlets: ReadonlyMap<string, string>;
}

/** What placing depends on beside the character. */
export interface PlacingOptions {
  /** Whether there is a character whose Insert and examples can take texts. */
  readonly hasCharacter: boolean;
  readonly noteDepth: number;
  /** Names of the outlets that the card shows. */
  readonly outlets: ReadonlySet<string>;
  /** The pass of SillyTavern's scan in which an entry fires, where it is known; the first for all others. */
  readonly passes: ReadonlyMap<ResolvedEntry, number>;
}

/** Places all entries of a character. */
export function placeEntries(resolved: ResolvedCharacter, options: PlacingOptions): Placing {
  const ordered = engineOrder(resolved.books, resolved.settings);
  const { hasCharacter, noteDepth, outlets } = options;
  const note = resolved.depthPrompt?.depth ?? null;
  const depth = hasCharacter
    ? insertDepth(
        note,
        ordered.map(({ resolved: each }) => standing(each)),
        noteDepth,
      )
    : null;
  const kindOf = ({ resolved: each }: PlacedEntry): PlaceKind =>
    placeKind(standing(each), { hasCharacter, noteDepth, insertDepth: depth });
  const inText = promptOrder(ordered, noteDepth, options.passes);
  const weights = new Map(inText.map(({ resolved: each }, at) => [each, at + 1]));
  const ranked = [...ordered].sort(
    (a, b) => Number(b.resolved.entry.ignoreBudget) - Number(a.resolved.entry.ignoreBudget),
  );
  const priorities = new Map(ranked.map(({ resolved: each }, at) => [each, ranked.length - at]));
  const places = new Map(
    ordered.map((placed): [ResolvedEntry, Place] => {
      const each = placed.resolved;
      const ranks = { weight: weights.get(each) ?? 0, priority: priorities.get(each) ?? 0 };
      const kind = kindOf(placed);
      if (kind === 'insert') return [each, { kind, depth: depth ?? 0, ...ranks }];
      if (kind !== 'outlet') return [each, { kind, ...ranks }];
      return [each, { kind, isShown: isAlways(each) && outlets.has(each.entry.position.outlet), ...ranks }];
    }),
  );
  const textsAt = (kind: Place['kind']): readonly ResolvedEntry[] =>
    inText.map(({ resolved: each }) => each).filter((each) => places.get(each)?.kind === kind);
  return {
    places,
    insert: insertOf(resolved, depth, textsAt('insert')),
    examples: textsAt('examples').map(({ entry }) => entry.content),
    outlets: outletTexts(outlets, textsAt('outlet'), places),
  };
}

const isAlways = ({ fires, entry }: ResolvedEntry): boolean =>
  fires === 'always' && entry.enabled && (entry.triggers.length === 0 || entry.triggers.includes('normal'));

/** Where an entry stands in SillyTavern, and whether its text is always there. */
export interface Standing {
  readonly position: Position;
  readonly isAlways: boolean;
}

const standing = (each: ResolvedEntry): Standing => ({
  position: each.entry.position,
  isAlways: isAlways(each),
});

type PlaceKind = Place['kind'];

/** Which of Agnai's places an entry gets. */
export function placeKind(
  { position, isAlways: isThere }: Standing,
  at: { readonly hasCharacter: boolean; readonly noteDepth: number; readonly insertDepth: number | null },
): PlaceKind {
  const { slot } = nearestPosition(position);
  if (slot === 'outlet') return 'outlet';
  if (!at.hasCharacter || !isThere) return 'block';
  if (slot === 'after_example') return 'examples';
  return at.insertDepth !== null && wholeDepth(position, at.noteDepth) === at.insertDepth
    ? 'insert'
    : 'block';
}

/** The places that Agnai has, as SillyTavern's: the block stands behind the character. */
export const AGNAI_SLOTS: readonly Slot[] = ['character', 'depth', 'after_example', 'outlet'];

const isNote = (slot: Slot): boolean => slot === 'note_top' || slot === 'note_bottom';

/** The depth in the chat at which an entry stands, null when it stands elsewhere. */
function depthOf(position: Position, noteDepth: number): number | null {
  const { slot, depth } = nearestPosition(position);
  return isNote(slot) ? noteDepth : slot === 'depth' ? depth : null;
}

// Agnai puts an Insert between messages, so a part of one is no depth.
function wholeDepth(position: Position, noteDepth: number): number | null {
  const depth = depthOf(position, noteDepth);
  return depth !== null && Number.isInteger(depth) && depth >= 0 ? depth : null;
}

/**
 * The depth of the one Insert: that of the character's own note; without one, the depth at which most texts stand.
 *
 * @param note the depth of the character's own note, null for none
 */
export function insertDepth(
  note: number | null,
  entries: readonly Standing[],
  noteDepth: number,
): number | null {
  if (note !== null) return Math.max(0, Math.round(note));
  const counts = new Map<number, number>();
  for (const each of entries) {
    const depth = each.isAlways ? wholeDepth(each.position, noteDepth) : null;
    if (depth !== null) counts.set(depth, (counts.get(depth) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, many], [b, few]) => few - many || a - b);
  return most?.[0] ?? null;
}

const BANDS: readonly Slot[] = ['world', 'character', 'before_example', 'after_example'];

const IN_CHAT: readonly Slot[] = ['note_top', 'note_bottom', 'depth'];
const DEEP = 1e6;

/** Of two entries of the block, the one with the lower rank stands higher. */
export function blockRank(position: Position, noteDepth: number): number {
  const { slot } = nearestPosition(position);
  const depth = depthOf(position, noteDepth);
  if (depth === null) return slot === 'outlet' ? Number.POSITIVE_INFINITY : BANDS.indexOf(slot);
  return BANDS.length + (DEEP - Math.min(DEEP, depth)) * IN_CHAT.length + IN_CHAT.indexOf(slot);
}

/** All entries as their texts follow each other in the prompt, from the top. */
function promptOrder(
  ordered: readonly PlacedEntry[],
  noteDepth: number,
  passes: PlacingOptions['passes'],
): readonly PlacedEntry[] {
  const pass = ({ resolved: each }: PlacedEntry): number => passes.get(each) ?? 1;
  // Of equal orders, what fired in a later pass stands higher (SillyTavern 1.19).
  const sorted = [...textOrder(ordered)].sort(
    (a, b) => a.resolved.entry.order - b.resolved.entry.order || pass(b) - pass(a),
  );
  const of = (test: (slot: Slot) => boolean): readonly PlacedEntry[] =>
    sorted.filter(({ resolved: each }) => test(nearestPosition(each.entry.position).slot));
  const inChat = of((slot) => IN_CHAT.includes(slot));
  const rank = ({ resolved: each }: PlacedEntry): number => blockRank(each.entry.position, noteDepth);
  return [
    ...BANDS.flatMap((band) => {
      const own = of((slot) => slot === band);
      // Each is put on top of the one before (SillyTavern 1.19).
      return band === 'before_example' ? [...own].reverse() : own;
    }),
    ...[...inChat].sort((a, b) => rank(a) - rank(b)),
    ...[...of((slot) => slot === 'outlet')].reverse(),
  ];
}

function insertOf(
  { depthPrompt }: ResolvedCharacter,
  depth: number | null,
  entries: readonly ResolvedEntry[],
): Insert | null {
  const at = (test: (slot: Slot) => boolean): readonly string[] =>
    entries
      .filter(({ entry }) => test(nearestPosition(entry.position).slot))
      .map(({ entry }) => entry.content);
  // At one depth the author's note comes first, then the character's, then the entries (SillyTavern 1.19).
  const texts = [
    ...at(isNote),
    ...(depthPrompt === null ? [] : [depthPrompt.prompt]),
    ...at((slot) => !isNote(slot)),
  ];
  return depth === null || texts.length === 0 ? null : { prompt: texts.join('\n'), depth };
}

function outletTexts(
  names: ReadonlySet<string>,
  entries: readonly ResolvedEntry[],
  places: Placing['places'],
): ReadonlyMap<string, string> {
  return new Map(
    [...names].map((name) => {
      const shown = entries.filter((each) => {
        const place = places.get(each);
        return place?.kind === 'outlet' && place.isShown && each.entry.position.outlet === name;
      });
      return [name, shown.map(({ entry }) => entry.content).join('\n')];
    }),
  );
}
