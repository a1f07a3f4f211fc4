// Agnai looks for keywords in the chat alone (1.0.27, buildMemoryPrompt). SillyTavern, as it is shipped, searches the text
// of an entry that fires as well, so that one entry may bring in another.

import type { Note } from '../../core/finding.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { SHIPPED_SCAN_SETTINGS } from '../_shared/shipped-settings.ts';
import { searchedKeyword } from './keywords.ts';

type Searched = Pick<LorebookEntry, 'title' | 'content' | 'enabled' | 'constant' | 'keys'>;

/** More letters than these are not looked through: then it is said without a look. */
const MOST_LETTERS = 20_000_000;

// The longest stretch without a wildcard: a text that holds the keyword holds it.
function pieceOf({ keys }: Searched): readonly string[] {
  return keys.flatMap((key) => {
    if (key.kind === 'regex' && !key.source.startsWith('\\b')) return [];
    const written = key.kind === 'literal' ? key.text : key.source.replace(/\\b|\\w\*?/g, '*');
    const pieces = searchedKeyword(written).toLowerCase().split(/[*?]+/);
    const longest = pieces.reduce((held, piece) => (piece.length > held.length ? piece : held), '');
    // Wildcards alone are found in nearly every text.
    return key.kind === 'literal' && longest.trim() === '' ? [] : [longest.trim()];
  });
}

/** Says once of a book in which entries may start others in SillyTavern that they do not in Agnai. */
export function noteSearchedTexts(entries: readonly Searched[], note: Note): void {
  if (!SHIPPED_SCAN_SETTINGS.recursive) return;
  const live = entries.filter(({ enabled }) => enabled);
  const waiting = live
    .filter(({ constant }) => !constant)
    .map((entry) => ({ entry, pieces: pieceOf(entry) }));
  const texts = live.map((entry) => ({ entry, text: entry.content.toLowerCase() }));
  const letters = texts.reduce((sum, { text }) => sum + text.length, 0);
  const isMany = waiting.reduce((sum, { pieces }) => sum + pieces.length, 0) * letters > MOST_LETTERS;
  const started = isMany
    ? waiting
    : waiting.filter(({ entry, pieces }) =>
        texts.some((each) => each.entry !== entry && pieces.some((piece) => each.text.includes(piece))),
      );
  if (started.length === 0) return;
  const titles = started.map(({ entry }) => entry.title);
  const message = `Agnai looks for keywords in the chat alone; in SillyTavern, as it is shipped, the texts of entries that fire are searched, too, and may bring in others (${started.length} of this book’s).`;
  note('approximated', 'recursiveScanning', titles, true, message);
}
