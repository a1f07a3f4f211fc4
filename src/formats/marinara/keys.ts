// Marinara's keys: how it takes them, and with that the writer of both styles (decisions 28; Marinara Engine 2.3.3).

import type { Style } from '../../core/exporter.ts';
import type { Key } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { KeyDialect, WrittenKeys } from '../_shared/switched-keys.ts';
import { keyDecision, switchedKeys } from '../_shared/switched-keys.ts';
import { MARINARA_PATTERNS } from './pattern-rewriting.ts';

export type { Style } from '../../core/exporter.ts';

type KeyedEntry = Pick<LorebookEntry, 'keys' | 'secondaryKeys' | 'scan'>;

/** Where a key is written: a card is read by an importer that looks for the /source/flags form. */
export type KeyForm = 'card' | 'native';

// Marinara 2.3.3 takes every key of this form for a pattern when it imports a card, and then all keys of the entry.
const hasSlashForm = (key: Key): boolean =>
  key.kind === 'literal' && /^\/.+\/[dgimsuvy]*$/u.test(key.text.trim());

// A word that begins or ends with a letter outside ASCII: for SillyTavern every such letter is the end of a word, so
// the key is found inside running Chinese or Japanese text; whole words there would never find it.
const runsOn = (key: Key): boolean => {
  if (key.kind !== 'literal') return false;
  const letters = [...key.text.trim()];
  return [letters[0], letters.at(-1)].some((letter) => (letter?.charCodeAt(0) ?? 0) > 0x7f);
};

const dialectOf = (form: KeyForm): KeyDialect => ({
  app: 'Marinara',
  engine: MARINARA_PATTERNS,
  isTakenForPattern: (key) => form === 'card' && hasSlashForm(key),
  isFoundAsWord: (key) => !runsOn(key),
  wordDoubt: () => 'letters with accents end a word here and belong to it there',
});

const CARD = dialectOf('card');
const NATIVE = dialectOf('native');

type Writer = (entry: KeyedEntry, form: KeyForm) => WrittenKeys;
const writer =
  (style: Style): Writer =>
  (entry, form) =>
    switchedKeys(entry, style, form === 'card' ? CARD : NATIVE);

/** One writer for each style. */
export const KEY_WRITERS: Readonly<Record<Style, Writer>> = {
  natural: writer('natural'),
  exact: writer('exact'),
};

/** What a list of keys decides; see `keyDecision`. */
export const decisionOf = (entry: KeyedEntry, path: 'keys' | 'secondaryKeys', ours: boolean): string =>
  keyDecision(entry, path, ours, NATIVE);
