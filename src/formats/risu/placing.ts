// Orders that keep the text as SillyTavern has it. RisuAI puts lore in ascending order, of equal orders the later entry
// first, as SillyTavern does; but entries before the description come out the other way round, and at depths each entry
// counts those that were put in before it, so deeper ones must go first (460ecae2).

import type { LorebookEntry } from '../../core/lorebook.ts';
import type { Position, Slot } from '../../core/position.ts';
import { nearestPosition } from '../../core/position.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { engineOrder, textOrder } from '../_shared/engine-order.ts';
import { latePassesFirst } from '../_shared/text-order.ts';

const NEAREST_SLOT: Partial<Readonly<Record<Slot, Slot>>> = {
  note_top: 'depth',
  note_bottom: 'depth',
  before_example: 'character',
  after_example: 'character',
};

/** The places that RisuAI has; what after the character is, is right before the examples there. */
export const RISU_SLOTS: readonly Slot[] = ['world', 'character', 'depth', 'outlet'];

/** The nearest place. `noteDepth`: that of the author's note. */
export function risuPlace(position: Position, { noteDepth }: { readonly noteDepth: number }): Position {
  const own = nearestPosition(position);
  const { slot } = own;
  const isNote = slot === 'note_top' || slot === 'note_bottom';
  return {
    slot: NEAREST_SLOT[slot] ?? slot,
    depth: isNote ? noteDepth : Math.max(0, Math.round(own.depth)),
    role: isNote ? 'system' : own.role,
    outlet: own.outlet,
  };
}

/** What stands in a prompt of RisuAI's where an outlet's entries belong. */
export const outletMarker = (outlet: string): string =>
  `{{position::${outlet.replaceAll(',', ' ').replace(/\s+/g, ' ').trim()}}}`;

/** The places of all entries, and the order of the character's note among them. */
export interface Placings {
  readonly of: ReadonlyMap<ResolvedEntry, number>;
  readonly depthPrompt: number;
}

interface Item {
  readonly resolved: ResolvedEntry | null;
  readonly order: number;
  readonly at: number;
  readonly ignoreBudget: boolean;
  /** The part of its place in which it stands. */
  readonly rank: number;
}

/** Of two entries in one of RisuAI's places, the one with the lower rank stands higher. */
export function risuRank(position: Position): number {
  switch (nearestPosition(position).slot) {
    case 'before_example':
    case 'note_bottom':
      return 1;
    case 'after_example':
      return 2;
    case 'depth':
      return 3;
    default:
      return 0;
  }
}

type Part = readonly [place: string, rank: number, isReversed: boolean];

// The place in RisuAI, which part of it comes first, and whether a part runs against the text's order.
function partOf(entry: LorebookEntry, noteDepth: number): Part {
  const { slot, depth, outlet } = nearestPosition(entry.position);
  const rank = risuRank(entry.position);
  if (slot === 'world') return ['before', rank, true];
  if (slot === 'note_top' || slot === 'note_bottom') return chatPart(noteDepth, rank);
  if (slot === 'depth') return chatPart(Math.max(0, Math.round(depth)), rank);
  // SillyTavern joins an outlet from the highest order down, and puts each entry on top of the examples.
  if (slot === 'outlet') return [`outlet ${outlet}`, rank, true];
  return ['after', rank, slot === 'before_example'];
}

const DEEP = 1e6;
const chatPart = (depth: number, rank: number): Part =>
  depth === 0 ? ['end', rank, false] : ['chat', (DEEP - depth) * 4 + rank, false];

/** Gives every entry the order with which it stands where SillyTavern has it; most keep their own. */
export function placingsOf(resolved: ResolvedCharacter, noteDepth: number): Placings {
  const all = resolved.books.flatMap(({ entries }) => entries);
  const index = new Map(all.map((each, at) => [each, at]));
  const fired = engineOrder(resolved.books, resolved.settings).filter(
    ({ resolved: each }) => each.entry.enabled,
  );
  const places = new Map<string, Map<number, { isReversed: boolean; items: Item[] }>>();
  const put = ([place, rank, isReversed]: Part, item: Omit<Item, 'rank'>): void => {
    const parts = places.get(place) ?? new Map();
    places.set(place, parts);
    const part = parts.get(rank) ?? { isReversed, items: [] };
    parts.set(rank, part);
    part.items.push({ ...item, rank });
  };
  const { depthPrompt } = resolved;
  const note = { resolved: null, order: NOTE_ORDER, at: all.length, ignoreBudget: false };
  if (depthPrompt !== null) put(chatPart(Math.round(depthPrompt.depth), 2), note);
  const inText = textOrder(fired).map(({ resolved: each }) => each);
  // Of equal orders RisuAI puts what fires last first, as SillyTavern does; but not where a part is turned round.
  const firing = latePassesFirst(
    [...fired].map(({ resolved: each }) => each).reverse(),
    resolved.settings.recursive,
  );
  const turned = [...firing].sort((a, b) => a.entry.order - b.entry.order);
  const isTurned = (each: ResolvedEntry): boolean => partOf(each.entry, noteDepth)[2];
  for (const each of [...inText.filter((one) => !isTurned(one)), ...turned.filter(isTurned)]) {
    const { order, ignoreBudget } = each.entry;
    put(partOf(each.entry, noteDepth), { resolved: each, order, ignoreBudget, at: index.get(each) ?? 0 });
  }
  const of = new Map<ResolvedEntry, number>();
  let noteOrder = NOTE_ORDER;
  for (const parts of places.values()) {
    const ranked = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
    const items = ranked.flatMap((part) => (part.isReversed ? [...part.items].reverse() : part.items));
    const orders = ascending(
      items,
      ranked.some(({ isReversed }) => isReversed) ? mirrored(ranked) : (item) => item.order,
    );
    items.forEach((item, at) => {
      const order = orders[at] ?? item.order;
      if (item.resolved === null) noteOrder = order;
      else of.set(item.resolved, order);
    });
  }
  return { of, depthPrompt: noteOrder };
}

/** The order of a note that stands alone; low, so that it goes in before the entries of its depth. */
const NOTE_ORDER = 0;

// In a part that runs the other way the highest order becomes the lowest.
function mirrored(
  parts: readonly { readonly isReversed: boolean; readonly items: readonly Item[] }[],
): (item: Item) => number {
  const turned = parts.filter(({ isReversed }) => isReversed).flatMap(({ items }) => items);
  const orders = turned.map(({ order }) => order);
  // Not `Math.min(...orders)`: a book may have more entries than a call can take arguments.
  const sum = orders.reduce((a, b) => Math.min(a, b)) + orders.reduce((a, b) => Math.max(a, b));
  const isTurned = new Set(turned);
  return (item) => (isTurned.has(item) && Number.isFinite(sum) ? sum - item.order : item.order);
}

function ascending(items: readonly Item[], wish: (item: Item) => number): readonly number[] {
  const orders: number[] = [];
  for (const [at, item] of items.entries()) {
    const before = items[at - 1];
    const last = orders[at - 1];
    if (before === undefined || last === undefined) {
      orders.push(wish(item));
      continue;
    }
    // Of equal orders the later entry comes first there, too.
    const mayBeEqual =
      before.rank === item.rank &&
      before.order === item.order &&
      before.at > item.at &&
      before.ignoreBudget === item.ignoreBudget;
    const next = Math.max(wish(item), mayBeEqual ? last : last + 1);
    // Numbers too big to count on.
    if (!mayBeEqual && next <= last) return items.map((_, place) => place + 1);
    orders.push(next);
  }
  return orders;
}

/** The budget's rank of an entry whose order is not its own any more; null for any other. */
export function priorityOf(entry: LorebookEntry, order: number): number | null {
  if (order === entry.order) return null;
  const most = 1e9;
  return Math.round(Math.min(most, Math.max(-most, entry.order)));
}
