// The prompt from top to bottom as SillyTavern 1.19 builds it, with every entry in its slot and in its real order; and
// the same prompt as another reader would build it.

import type { Role, Slot } from '../core/position.ts';
import type { EntryView } from './book-view.ts';
import { type PromptReader, SILLYTAVERN_READER } from './prompt-readers.ts';

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
export function promptMap(entries: readonly EntryView[], reader: PromptReader): PromptMap {
  const placed = entries.map((view) => placedBy(view, reader));
  const moved = new Map<MovedGroup, number>();
  for (const { movedFrom } of placed.map(({ entry }) => entry)) {
    if (movedFrom === null) continue;
    const group = groupOf(movedFrom);
    moved.set(group, (moved.get(group) ?? 0) + 1);
  }
  const inSlot = (slot: Slot, order = ascending): readonly MapEntry[] | null =>
    reader.slots.has(slot)
      ? placed
          .filter(({ place }) => place !== 'nowhere' && place.slot === slot)
          .map(({ entry }) => entry)
          .sort(order)
      : null;
  return {
    before: inSlot('world'),
    after: inSlot('character'),
    // Each is put on top of the examples, one after the other.
    examplesTop: inSlot('before_example', descending),
    examplesBottom: inSlot('after_example'),
    noteTop: inSlot('note_top'),
    noteBottom: inSlot('note_bottom'),
    depths: reader.slots.has('depth') ? depthRows(placed) : null,
    outlets: reader.slots.has('outlet') ? outletRows(placed) : null,
    nowhere: placed.filter(({ place }) => place === 'nowhere').map(({ entry }) => entry),
    moved,
  };
}

interface Placed {
  readonly entry: MapEntry;
  readonly place: ReturnType<PromptReader['place']>;
}

function placedBy(view: EntryView, reader: PromptReader): Placed {
  const place = reader.place(view);
  const here = SILLYTAVERN_READER.place(view);
  return { place, entry: { view, movedFrom: isSamePlace(place, here) ? null : originOf(here) } };
}

function isSamePlace(a: Placed['place'], b: Placed['place']): boolean {
  if (a === 'nowhere' || b === 'nowhere') return a === b;
  if (a.slot !== b.slot) return false;
  if (a.slot === 'depth') return a.depth === b.depth && a.role === b.role;
  return a.slot !== 'outlet' || a.outlet === b.outlet;
}

const originOf = (place: Placed['place']): MapOrigin =>
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

function depthRows(placed: readonly Placed[]): readonly DepthRow[] {
  const rows = new Map<string, { depth: number; role: Role; entries: MapEntry[] }>();
  for (const { entry, place } of placed) {
    if (place === 'nowhere' || place.slot !== 'depth') continue;
    const { depth, role } = place;
    const key = `${depth} ${role}`;
    const row = rows.get(key);
    if (row) row.entries.push(entry);
    else rows.set(key, { depth, role, entries: [entry] });
  }
  return [...rows.values()]
    .map((row) => ({ ...row, entries: row.entries.sort(ascending) }))
    .sort((a, b) => b.depth - a.depth || ROLES_DOWN.indexOf(a.role) - ROLES_DOWN.indexOf(b.role));
}

function outletRows(placed: readonly Placed[]): readonly OutletRow[] {
  const rows = new Map<string, MapEntry[]>();
  for (const { entry, place } of placed) {
    if (place === 'nowhere' || place.slot !== 'outlet') continue;
    const row = rows.get(place.outlet);
    if (row) row.push(entry);
    else rows.set(place.outlet, [entry]);
  }
  return [...rows].map(([outlet, entries]) => ({ outlet, entries: entries.sort(descending) }));
}
