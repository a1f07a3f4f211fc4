// Where entries that fired stand in SillyTavern's prompt (1.19, the end of checkWorldInfo).

import type { ResolvedCharacter, ResolvedEntry } from '../../src/core/resolved.ts';
import type { Outcome, Placement } from './cases.ts';

const SLOTS: Readonly<Record<string, string>> = {
  world: 'before',
  character: 'after',
  note_top: 'anTop',
  note_bottom: 'anBottom',
  before_example: 'emTop',
  after_example: 'emBottom',
  depth: 'depth',
  outlet: 'outlet',
};

type Place = Omit<Placement, 'order'>;

/** The outcome of a scan, given the entries in the order in which they fired. */
export function placements(resolved: ResolvedCharacter, fired: readonly ResolvedEntry[]): Outcome {
  const byOrder = [...fired].sort((a, b) => b.entry.order - a.entry.order);
  const lists = new Map<string, { readonly place: Place; readonly marks: number[] }>();
  for (const { entry } of byOrder) {
    const mark = markOf(entry.content);
    const place = placeOf(entry.position);
    if (mark === null || place === null) continue;
    const key = JSON.stringify(place);
    const list = lists.get(key) ?? { place, marks: [] };
    lists.set(key, list);
    if (place.slot === 'outlet' || place.slot === 'emTop') list.marks.push(mark);
    else list.marks.unshift(mark);
  }
  const placed: Record<string, Placement> = {};
  for (const { place, marks } of lists.values()) {
    for (const [order, mark] of marks.entries()) placed[mark] = { ...place, order };
  }
  const active = fired.map(({ entry }) => markOf(entry.content)).filter((mark) => mark !== null);
  const note = resolved.depthPrompt;
  const noteMark = note === null ? null : markOf(note.prompt);
  if (note !== null && noteMark !== null) {
    active.push(noteMark);
    placed[noteMark] = { slot: 'depth', depth: note.depth, role: note.role, order: 999 };
  }
  return { active: active.sort((a, b) => a - b), placed };
}

function placeOf({ slot, depth, role, outlet }: ResolvedEntry['entry']['position']): Place | null {
  const word = SLOTS[slot];
  if (word === undefined) return null;
  if (slot === 'depth') return { slot: word, depth, role };
  if (slot === 'outlet') return outlet === '' ? null : { slot: word, name: outlet };
  return { slot: word };
}

function markOf(content: string): number | null {
  const found = /MARK_(\d+)/.exec(content);
  return found === null ? null : Number(found[1]);
}
