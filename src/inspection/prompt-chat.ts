// The chat's part of the prompt map from top to bottom: messages, the author's note, and entries at their depths.

import type { DepthRow } from './prompt-map.ts';

/**
 * A part of the chat. `earlier`: all messages above; `messages`: so many below each other, `newest` when the last of
 * the chat is among them.
 */
export type ChatPart =
  | { readonly kind: 'earlier' }
  | { readonly kind: 'messages'; readonly count: number; readonly newest: boolean }
  | { readonly kind: 'note' }
  | { readonly kind: 'entries'; readonly row: DepthRow };

/**
 * The parts of the chat.
 *
 * @param rows entries at depths, the deepest first
 * @param noteDepth where the author's note stands
 */
export function chatParts(rows: readonly DepthRow[], noteDepth: number): readonly ChatPart[] {
  const first = rows.findIndex((row) => !standsAboveNote(row, noteDepth));
  const noteAt = first === -1 ? rows.length : first;
  const parts: ChatPart[] = [{ kind: 'earlier' }];
  let depth = Number.POSITIVE_INFINITY;
  const goDown = (to: number): void => {
    if (Number.isFinite(depth) && depth > to) {
      parts.push({ kind: 'messages', count: depth - to, newest: to === 0 });
    }
    depth = Math.min(depth, to);
  };
  rows.forEach((row, index) => {
    if (index === noteAt) {
      goDown(noteDepth);
      parts.push({ kind: 'note' });
    }
    goDown(row.depth);
    parts.push({ kind: 'entries', row });
  });
  if (noteAt === rows.length) {
    goDown(noteDepth);
    parts.push({ kind: 'note' });
  }
  goDown(0);
  return parts;
}

// At one depth the system's prompts are the lowest, and among them the note is the first: prompts of one role are joined
// by the order of their names, and the note's begins with a digit (getExtensionPrompt).
function standsAboveNote({ depth, role }: DepthRow, noteDepth: number): boolean {
  return depth > noteDepth || (depth === noteDepth && role !== 'system');
}
