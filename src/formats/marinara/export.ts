// Everything that is handed to a person who carries a character to Marinara: the files, what is to be said of them, and
// what to do with them there.

import type { Finding } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import type { OwnPart } from '../../core/own-part.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import { ownersNote } from '../_shared/owners-note.ts';
import type { WrittenLorebook } from '../_shared/written-lorebooks.ts';
import type { MarinaraOptions } from './book-writing.ts';
import { marinaraCard, marinaraCardWithoutBook, marinaraLorebooks, needsLorebookFile } from './card.ts';
import { marinaraCharacter, onOwnCharacter } from './native-character.ts';
import { MARINARA } from './native-lorebook.ts';
import type { Carrier } from './steps.ts';
import { marinaraGuidance } from './steps.ts';

/** How the lore travels; `auto`: in the card, unless an entry needs what only Marinara's own lorebook file can say. */
export interface MarinaraExportOptions extends MarinaraOptions {
  readonly carrier: Carrier | 'auto';
  /** The picture as a data URL, for Marinara's own character file. */
  readonly avatar?: string;
}

/** What was written. Only one of card and lorebook files ever holds the lore. */
export interface MarinaraExport {
  readonly carrier: Carrier;
  /** A V2 card, or Marinara's own character file. */
  readonly character: JsonObject;
  readonly lorebooks: readonly WrittenLorebook[];
  readonly findings: readonly Finding[];
  readonly steps: readonly string[];
  readonly settings: JsonObject;
  readonly own: readonly OwnPart[];
}

/** Writes a character in force for Marinara. */
export function exportMarinara(resolved: ResolvedCharacter, options: MarinaraExportOptions): MarinaraExport {
  const { carrier: asked } = options;
  const carrier = asked !== 'auto' ? asked : needsLorebookFile(resolved).length > 0 ? 'native' : 'card';
  const guidance = marinaraGuidance(resolved, carrier);
  if (carrier === 'native') {
    const { card, findings } = marinaraCardWithoutBook(resolved);
    const books = marinaraLorebooks(resolved, options);
    const all = [...findings, ...books.findings];
    return {
      carrier,
      character: card,
      lorebooks: books.lorebooks,
      findings: all,
      own: books.own,
      ...guidance,
    };
  }
  // Its strict check knows no outlets in a book inside a character file (2.4): they would stand before the character.
  const { targetVersion: _version, ...without } = options;
  const { card, findings, own } = marinaraCard(resolved, carrier === 'card' ? options : without);
  const character =
    carrier === 'card'
      ? card
      : (onOwnCharacter(card, resolved.character.original[MARINARA]?.raw) ??
        marinaraCharacter(
          card,
          options.exportedAt ?? '',
          options.avatar ?? null,
          ownersNote(resolved.character),
        ));
  return { carrier, character, lorebooks: [], findings, own, ...guidance };
}
