// What an entry's keys say before there is a chat: that none can be found, that one always is, or that one is hardly
// meant as it is written (SillyTavern 1.19, checkWorldInfo and WorldInfoBuffer).

import type { Say } from '../../core/firing.ts';
import type { Key } from '../../core/key.ts';
import { readKey, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { FiringSurroundings } from './firing.ts';
import { expandNames } from './resolve-macros.ts';
import { foundInside, holdsKey, type Matching, regexTraits, TEXT_MARK } from './resolve-matching.ts';

/** Judges the keys of an entry that is neither constant nor decided by a decorator. */
export function judgeKeys(entry: LorebookEntry, surroundings: FiringSurroundings, say: Say): void {
  const { keys, vectorized } = entry;
  // Vector Storage starts an entry whatever its keys are (getExternallyActivated).
  const byVectors = vectorized && surroundings.vectorsActive;
  // `substituted && matchKeys(...)`: an empty key is passed over.
  const live = keys.some(isEmpty) ? keys.filter((key) => !isEmpty(key)) : keys;
  if (live.length === 0) {
    if (byVectors) return;
    if (vectorized) say('cannot-fire', 'vectors-off');
    else say('cannot-fire', keys.length === 0 ? 'no-key' : 'only-empty-keys');
    return;
  }
  const second = judgeSecondKeys(entry);
  if (second === 'never-met' && !byVectors) {
    say('cannot-fire', 'empty-second-keys');
    return;
  }
  const depth = entry.scan.depth ?? surroundings.scanDepth;
  if (depth <= 0 && !byVectors && !live.some(isFoundInNoText)) {
    say('cannot-fire', 'scan-depth-zero');
    return;
  }
  const broken = live.filter(isBroken);
  if (broken.length > 0) {
    // Such a key is looked for letter by letter, slashes included, which no chat holds.
    const isAll = broken.length === live.length && !byVectors;
    say(isAll ? 'cannot-fire' : 'look', 'invalid-regex', writeKey(broken[0] as Key));
  }
  // Keys that are found still leave it to the secondary ones.
  if (second === 'none') judgeAlways(entry, live, depth, surroundings, say);
  const joined = live.find((key) => joinedParts(key, live.length) !== null);
  if (joined !== undefined) say('look', 'joined-keys', writeKey(joined));
}

const isEmpty = (key: Key): boolean => key.kind === 'literal' && key.text === '';
const isBlank = (key: Key): boolean => key.kind === 'literal' && key.text !== '' && key.text.trim() === '';

// With a scan depth of 0 the text is empty, also of what recursion brings (WorldInfoBuffer.get); some keys are found
// even there.
const isFoundInNoText = (key: Key): boolean =>
  isBlank(key) || (key.kind === 'regex' && holdsKey('', key, LOOSE));

const LOOSE: Matching = { caseSensitive: true, matchWholeWords: false };

// The engine trims a key before it looks for the slashes.
const asSearched = (key: Key): { readonly key: Key; readonly broken: boolean } | null =>
  key.kind === 'literal' && key.text.includes('/') ? readKey(key.text.trim()) : null;

const isBroken = (key: Key): boolean => asSearched(key)?.broken === true;

// `none`: they do not count, or are always met.
function judgeSecondKeys(entry: LorebookEntry): 'none' | 'never-met' | 'open' {
  const { secondaryKeys, logic } = entry;
  if (!entry.selective || secondaryKeys.length === 0) return 'none';
  if (!secondaryKeys.some(isEmpty)) return 'open';
  const areAllEmpty = secondaryKeys.every(isEmpty);
  switch (logic) {
    case 'and_any':
      return areAllEmpty ? 'never-met' : 'open';
    case 'and_all':
      return 'never-met';
    case 'not_any':
      return areAllEmpty ? 'none' : 'open';
    case 'not_all':
      return 'none';
  }
}

function judgeAlways(
  entry: LorebookEntry,
  live: readonly Key[],
  depth: number,
  surroundings: FiringSurroundings,
  say: Say,
): void {
  for (const written of live) {
    // Trimmed to nothing after the test for emptiness, and nothing is found in every text.
    if (isBlank(written)) {
      say('always', 'blank-key', writeKey(written));
      return;
    }
    const key = asSearched(written)?.key ?? written;
    if (isInEveryText(key)) {
      say('always', 'any-text-key', writeKey(written));
      return;
    }
    if (surroundings.includeNames && isInSpeaker(key, entry, depth, surroundings)) {
      say('always', 'speaker-key', writeKey(written));
      return;
    }
  }
}

function isInEveryText(key: Key): boolean {
  if (key.kind === 'literal') return false;
  const { looksAround, isSlow } = regexTraits(key.source, key.flags);
  return !looksAround && !isSlow && holdsKey(TEXT_MARK, key, LOOSE);
}

// Without a character its name is not known, and {{char}} stands for it: a letter that no key has.
const UNKNOWN_NAME = '\uE000';

// "Name: text" is what is scanned: the user's last message first, before it the character's. Options that the entry
// inherits are taken as SillyTavern ships them.
function isInSpeaker(
  written: Key,
  entry: LorebookEntry,
  depth: number,
  { character, userName }: FiringSurroundings,
): boolean {
  const charName = character?.name ?? UNKNOWN_NAME;
  const key = withNames(written, charName, userName);
  return (depth >= 1 && isInName(key, userName, entry)) || (depth >= 2 && isInName(key, charName, entry));
}

function withNames(key: Key, charName: string, userName: string): Key {
  if (key.kind === 'regex' || !key.text.includes('{{')) return key;
  return { kind: 'literal', text: expandNames(key.text, charName, userName) };
}

function isInName(key: Key, name: string, { scan }: LorebookEntry): boolean {
  if (name.trim() === '') return false;
  const matching = {
    caseSensitive: scan.caseSensitive ?? false,
    matchWholeWords: scan.matchWholeWords ?? true,
  };
  const text = `${name}: `;
  if (key.kind === 'regex') return foundInside(text, key, matching) === 'yes';
  const needle = key.text.trim();
  // Hardly any key is in a name, and thousands are asked about.
  if (needle === '' || needle.length > text.length) return false;
  if (!name.toLowerCase().includes(needle.toLowerCase())) return false;
  return foundInside(text, { kind: 'literal', text: needle }, matching) === 'yes';
}

const ANY_COMMA = /[,，、،;；]/;

/**
 * The parts of a key that looks like several keys joined by commas, or null. A number such as 1,000 and a place such as
 * "Paris, France" beside other keys are keys of their own.
 *
 * @param count how many keys that are not empty the entry has
 */
export function joinedParts(key: Key, count: number): readonly string[] | null {
  if (key.kind === 'regex' || !ANY_COMMA.test(key.text)) return null;
  // A pattern, though one that does not compile.
  const searched = asSearched(key);
  if (searched !== null && (searched.broken || searched.key.kind === 'regex')) return null;
  // Spaces are cut off afterwards: looked for beside the comma, thousands of them would take seconds.
  const parts = key.text
    .split(ANY_COMMA)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length < (count === 1 ? 2 : 3)) return null;
  return parts.every((part) => part.length <= 40 && !/^\d+$/.test(part)) ? parts : null;
}
