// Where an entry stands in Lumiverse's prompt (1.1.0; decisions 29).

import type { Position, Slot } from '../../core/position.ts';
import { nearestPosition } from '../../core/position.ts';
import type { ResolvedEntry } from '../../core/resolved.ts';
import { groupNames } from '../_shared/group-names.ts';
import { MARKER_OUTLET } from '../_shared/lumiverse/slots.ts';

/** The places that Lumiverse has. Its own slots of the author's note stand round the first message of the chat. */
export const LUMIVERSE_SLOTS: readonly Slot[] = [
  'world',
  'character',
  'before_example',
  'after_example',
  'depth',
  'outlet',
];

const isNote = (slot: Slot): boolean => slot === 'note_top' || slot === 'note_bottom';

/** The nearest place. `noteDepth`: that of the author's note. */
export function lumiversePosition(
  position: Position,
  { noteDepth }: { readonly noteDepth: number },
): Position {
  const { slot, depth, role, outlet } = nearestPosition(position);
  if (isNote(slot)) return { slot: 'depth', depth: noteDepth, role: 'system', outlet: '' };
  return {
    slot,
    depth: Math.max(0, Math.round(depth)),
    // Elsewhere a role would change who speaks the entry.
    role: slot === 'depth' ? role : 'system',
    // An entry feeds the outlet that it names wherever it stands.
    outlet: slot === 'outlet' ? outlet : '',
  };
}

/** What stands in the prompt where an outlet belongs. */
export const lumiverseOutletMarker = (outlet: string): string =>
  outlet === MARKER_OUTLET ? '{{wi_marker}}' : `{{outlet::${outlet.trim()}}}`;

/** The depth at which an entry stands in the chat, or null. */
export function depthInChat({ entry }: ResolvedEntry, noteDepth: number): number | null {
  const { slot, depth } = lumiversePosition(entry.position, { noteDepth });
  return slot === 'depth' ? depth : null;
}

/** The piece of text that an entry goes into: entries of groups stand behind all others of their place. */
export function lumiverseRegion(each: ResolvedEntry, noteDepth: number): string {
  const { slot, depth, role, outlet } = lumiversePosition(each.entry.position, { noteDepth });
  const place = slot === 'depth' ? `depth ${depth} ${role}` : slot === 'outlet' ? `outlet ${outlet}` : slot;
  return groupNames(each.entry).length > 0 ? `${place}, grouped` : place;
}

/** The note's bottom stands behind its top. */
export const noteRank = ({ entry }: Pick<ResolvedEntry, 'entry'>): number =>
  entry.position.slot === 'note_bottom' ? 1 : 0;

/**
 * Whether SillyTavern puts the high order first: outlets, and entries before the examples, which it puts on top one by
 * one (1.19).
 */
export const isTopDown = ({ entry }: ResolvedEntry): boolean =>
  entry.position.slot === 'outlet' || entry.position.slot === 'before_example';
