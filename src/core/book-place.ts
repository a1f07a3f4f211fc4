// Where a lorebook stood: its slot is a path for programs, and a person is told it in words.

/** What a slot is. `number` counts the books of a list from 1; `path` is a slot that has no words. */
export type BookPlace =
  | { readonly kind: 'usual' | 'root' | 'extensions' | 'memory' | 'file' }
  | { readonly kind: 'list' | 'world-books'; readonly number: number }
  | { readonly kind: 'path'; readonly path: string };

/** Takes a slot apart (decisions 42, and the lists of RoleCall and of Lumiverse's modules). */
export function bookPlace(slot: string): BookPlace {
  const [, list, index] = /^(.+)\.(\d+)$/.exec(slot) ?? [];
  const number = Number(index) + 1;
  if (list === 'lumiverse_modules.world_books') return { kind: 'world-books', number };
  if (list?.endsWith('extensions.character_books')) return { kind: 'list', number };
  switch (slot) {
    case 'data.character_book':
      return { kind: 'usual' };
    case 'character_book':
      return { kind: 'root' };
    case 'data.extensions.character_book':
    case 'extensions.character_book':
    // An object in place of the list.
    case 'data.extensions.character_books':
    case 'extensions.character_books':
      return { kind: 'extensions' };
    case 'characterBook':
    case 'data.characterBook':
      return { kind: 'memory' };
    case 'worldinfo':
      return { kind: 'file' };
    default:
      return { kind: 'path', path: slot };
  }
}

/** A slot in English, as it stands behind "in". */
export function bookPlaceWords(slot: string): string {
  const place = bookPlace(slot);
  switch (place.kind) {
    case 'usual':
      return 'the card’s usual place';
    case 'root':
      return 'the root of the card';
    case 'extensions':
      return 'the card’s extensions';
    case 'memory':
      return 'the character’s memory book';
    case 'list':
      return `the card’s list of lorebooks, number ${place.number}`;
    case 'world-books':
      return `Lumiverse’s world books, number ${place.number}`;
    case 'file':
      return 'the file';
    case 'path':
      return place.path;
  }
}
