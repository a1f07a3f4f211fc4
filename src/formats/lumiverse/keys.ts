// How Lumiverse takes keys (1.1.0): plain ones anywhere or as whole words, or all as patterns that run as they are.

import type { Key } from '../../core/key.ts';
import { PLAIN_ENGINE } from '../_shared/flagless-patterns.ts';
import type { KeyDialect } from '../_shared/switched-keys.ts';

// Its whole words end where an ASCII letter, digit or underscore meets another character, at both ends of the key: a
// word of SillyTavern's that begins and ends with such a character is found alike, any other one hardly ever.
const hasWordEdges = (key: Key): boolean =>
  key.kind === 'literal' && /^\w(?:[\s\S]*\w)?$/.test(key.text.trim());

/** Lumiverse's keys for the writer of both styles. */
export const LUMIVERSE_KEYS: KeyDialect = {
  app: 'Lumiverse',
  engine: PLAIN_ENGINE,
  isTakenForPattern: () => false,
  isFoundAsWord: hasWordEdges,
  wordDoubt: (key) =>
    hasWordEdges(key) ? null : 'a key that ends in another character is found there hardly ever',
};
