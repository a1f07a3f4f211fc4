// Where in a file a lorebook stood, in words: a slot is a path for programs.

import { bookPlace } from '../../core/book-place.ts';
import { t } from '../../host/context.ts';

/** One sentence; "" for the usual place, of which nothing is to be said. */
export function foundSentence(slot: string): string {
  const place = bookPlace(slot);
  switch (place.kind) {
    case 'usual':
    case 'file':
      return '';
    case 'root':
      return t`Found at the root of the card, where old cards have it.`;
    case 'extensions':
      return t`Found in the extensions of the card.`;
    case 'memory':
      return t`Found as the memory book of the character.`;
    case 'list':
      return t`Found as number ${place.number} in the card’s list of lorebooks.`;
    case 'world-books':
      return t`Found as number ${place.number} of the world books that Lumiverse packs beside the card.`;
    case 'path':
      return t`Found in ${place.path}.`;
  }
}
