// Where an entry lands, as SillyTavern signs it and in words.

import type { Role, Slot } from '../../core/position.ts';
import { t } from '../../host/context.ts';

/** SillyTavern's sign for a slot, and the slot in words. */
export interface SlotWords {
  readonly glyph: string;
  readonly words: string;
}

/**
 * Names a place.
 *
 * @param depth messages from the end of the chat, in the slot `depth`
 * @param role who speaks there
 * @param outlet the outlet's name, in the slot `outlet`
 */
export function slotWords(
  slot: Slot,
  depth: number | null,
  role: Role | null,
  outlet: string | null,
): SlotWords {
  switch (slot) {
    case 'world':
    case 'prepend_top':
    case 'scene':
      return { glyph: '↑Char', words: t`Before character` };
    case 'character':
    case 'append':
      return { glyph: '↓Char', words: t`After character` };
    case 'before_example':
      return { glyph: '↑EM', words: t`Examples, top` };
    case 'after_example':
      return { glyph: '↓EM', words: t`Examples, bottom` };
    case 'note_top':
      return { glyph: '↑AN', words: t`Author’s note, top` };
    case 'note_bottom':
      return { glyph: '↓AN', words: t`Author’s note, bottom` };
    case 'depth':
    case 'append_bottom':
      return { glyph: '@D', words: t`Depth ${depth ?? 0}, ${roleWord(role ?? 'system')}` };
    case 'outlet':
      return { glyph: 'Outlet', words: outlet ? t`“${outlet}”` : t`no name` };
  }
}

/** Who speaks, in a word. */
export function roleWord(role: Role): string {
  switch (role) {
    case 'system':
      return t`system`;
    case 'user':
      return t`user`;
    case 'assistant':
      return t`assistant`;
  }
}
