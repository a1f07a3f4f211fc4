// The prompt from top to bottom as SillyTavern 1.19 builds it, with every entry in its slot and in its real order; and
// the same prompt as another reader would build it.

import type { Role, Slot } from '../core/position.ts';
import type { EntryView } from './book-view.ts';
import {
  NOTHING_AROUND,
  type PromptPlace,
  type PromptReader,
  type PromptSurroundings,
  placeHere,
} from './prompt-readers.ts';

/** An entry in the map. `movedFrom`: where SillyTavern has it, when this reader has it elsewhere. */
export interface MapEntry {
  readonly view: EntryView;
  readonly movedFrom: MapOrigin | null;
}

/** Where an entry stands in SillyTavern. */
export type MapOrigin = { readonly slot: Slot; readonly depth: number; readonly outlet: string } | 'nowhere';

/** Entries at one depth of the chat, spoken by one role. */
export interface DepthRow {
  readonly depth: number;
  readonly role: Role;
  readonly entries: readonly MapEntry[];
}

/** Entries of one outlet. */
export interface OutletRow {
  readonly outlet: string;
  readonly entries: readonly MapEntry[];
}

/** The whole map. A slot that the reader does not have is null. */
export interface PromptMap {
  readonly before: readonly MapEntry[] | null;
  readonly after: readonly MapEntry[] | null;
  readonly examplesTop: readonly MapEntry[] | null;
  readonly examplesBottom: readonly MapEntry[] | null;
  readonly noteTop: readonly MapEntry[] | null;
  readonly noteBottom: readonly MapEntry[] | null;
  /** From the top of the chat down: the deepest first. */
  readonly depths: readonly DepthRow[] | null;
  readonly outlets: readonly OutletRow[] | null;
  readonly nowhere: readonly MapEntry[];
  /** How many entries stand elsewhere than in SillyTavern, by what they were moved from. */
  readonly moved: ReadonlyMap<MovedGroup, number>;
}

/** What moved entries are counted by. */
export type MovedGroup = 'outlets' | 'depths' | 'note' | 'examples' | 'character' | 'nowhere';

/**
 * Draws up the map.
 *
 * @param entries in the order of the engine
 * @param reader who builds the prompt
 */
export function promptMap(
  entries: readonly EntryView[],
  reader: PromptReader,
  around: PromptSurroundings = NOTHING_AROUND,
): PromptMap {
  const placeThere = reader.placer(entries, around);
  const bySlot = new Map<Slot, Placed[]>();
  const nowhere: MapEntry[] = [];
  const moved = new Map<MovedGroup, number>();
  for (const view of entries) {
    const here = placeHere(view);
    const place = placeThere === placeHere ? here : placeThere(view);
    const movedFrom = place === here || isSamePlace(place, here) ? null : originOf(here);
    if (movedFrom !== null) {
      const group = groupOf(movedFrom);
      moved.set(group, (moved.get(group) ?? 0) + 1);
    }
    const entry: MapEntry = { view, movedFrom };
    if (place === 'nowhere') nowhere.push(entry);
    else {
      const slot = bySlot.get(place.slot);
      if (slot) slot.push({ entry, place });
      else bySlot.set(place.slot, [{ entry, place }]);
    }
  }
  const inSlot = (slot: Slot, order = ascending): readonly MapEntry[] | null =>
    reader.slots.has(slot) ? sorted(bySlot.get(slot) ?? [], order) : null;
  return {
    before: inSlot('world'),
    after: inSlot('character'),
    // Each is put on top of the examples, one after the other.
    examplesTop: inSlot('before_example', descending),
    examplesBottom: inSlot('after_example'),
    noteTop: inSlot('note_top'),
    noteBottom: inSlot('note_bottom'),
    depths: reader.slots.has('depth') ? depthRows(bySlot.get('depth') ?? []) : null,
    outlets: reader.slots.has('outlet') ? outletRows(bySlot.get('outlet') ?? []) : null,
    nowhere,
    moved,
  };
}

type Place = Exclude<PromptPlace, 'nowhere'>;

interface Placed {
  readonly entry: MapEntry;
  readonly place: Place;
}

function isSamePlace(a: PromptPlace, b: PromptPlace): boolean {
  if (a === 'nowhere' || b === 'nowhere') return a === b;
  if (a.slot !== b.slot) return false;
  if (a.slot === 'depth') return a.depth === b.depth && a.role === b.role;
  return a.slot !== 'outlet' || a.outlet === b.outlet;
}

const originOf = (place: PromptPlace): MapOrigin =>
  place === 'nowhere' ? place : { slot: place.slot, depth: place.depth, outlet: place.outlet };

function groupOf(origin: MapOrigin): MovedGroup {
  if (origin === 'nowhere') return 'nowhere';
  switch (origin.slot) {
    case 'outlet':
      return 'outlets';
    case 'depth':
    case 'append_bottom':
      return 'depths';
    case 'note_top':
    case 'note_bottom':
      return 'note';
    case 'before_example':
    case 'after_example':
      return 'examples';
    default:
      return 'character';
  }
}

// Entries are sorted with the highest order first and put before those that are there already, so that of two that are
// equal the later one comes first (checkWorldInfo, "unshift"). Outlets are appended to instead.
const descending = (a: MapEntry, b: MapEntry): number =>
  b.view.order - a.view.order || a.view.index - b.view.index;
const ascending = (a: MapEntry, b: MapEntry): number => descending(b, a);

// The chat is turned round while prompts are put into it in the order system, user, assistant (doChatInject): from the
// top down they stand the other way.
const ROLES_DOWN: readonly Role[] = ['assistant', 'user', 'system'];

// Where a reader joins slots, each part of one keeps the order that it has here.
function sorted(placed: readonly Placed[], order: typeof ascending): readonly MapEntry[] {
  const parts = new Map<number | undefined, MapEntry[]>();
  for (const { entry, place } of placed) {
    const part = parts.get(place.rank);
    if (part) part.push(entry);
    else parts.set(place.rank, [entry]);
  }
  const ranked = [...parts].sort(([a = 0], [b = 0]) => a - b);
  return ranked.flatMap(([rank, part]) => part.sort(rank === undefined ? order : orderOf(part)));
}

// The entries of one rank stand in one slot here.
function orderOf([first]: readonly MapEntry[]): typeof ascending {
  const slot = first?.view.entry.position.slot;
  return slot === 'before_example' || slot === 'outlet' ? descending : ascending;
}

function depthRows(placed: readonly Placed[]): readonly DepthRow[] {
  const rows = new Map<string, { depth: number; role: Role; placed: Placed[] }>();
  for (const each of placed) {
    const { depth, role } = each.place;
    const key = `${depth} ${role}`;
    const row = rows.get(key);
    if (row) row.placed.push(each);
    else rows.set(key, { depth, role, placed: [each] });
  }
  return [...rows.values()]
    .map(({ depth, role, placed: held }) => ({ depth, role, entries: sorted(held, ascending) }))
    .sort((a, b) => b.depth - a.depth || ROLES_DOWN.indexOf(a.role) - ROLES_DOWN.indexOf(b.role));
}

function outletRows(placed: readonly Placed[]): readonly OutletRow[] {
  const rows = new Map<string, MapEntry[]>();
  for (const { entry, place } of placed) {
    const row = rows.get(place.outlet);
    if (row) row.push(entry);
    else rows.set(place.outlet, [entry]);
  }
  return [...rows].map(([outlet, entries]) => ({ outlet, entries: entries.sort(descending) }));
}
