// Whether an entry can fire in SillyTavern's engine (1.19, public/scripts/world-info.js, checkWorldInfo), in the order in
// which the engine asks.

import type { Diagnosis, FiringKind, FiringReason } from '../../core/firing.ts';
import type { Key } from '../../core/key.ts';
import { readKey, writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { Agreement } from '../../core/position.ts';
import { readDecorators } from './decorators.ts';
import { filterVerdict } from './resolve-filter.ts';
import { expandNames } from './resolve-macros.ts';

/** Who speaks, and how the user's SillyTavern is set. */
export interface FiringSurroundings {
  /** The character the book is looked at with; null for a book alone. */
  readonly character: {
    readonly name: string;
    readonly avatar: string | null;
    /** Tag ids, as a character filter names them. */
    readonly tags: readonly string[];
  } | null;
  readonly userName: string;
  /** Whether speaker names stand in the text that is scanned (SillyTavern's default). */
  readonly includeNames: boolean;
  /** Whether Vector Storage activates world info entries. */
  readonly vectorsActive: boolean;
  /** The user's scan depth. */
  readonly scanDepth: number;
}

/** What the file said of the entry's position. */
export interface FiringPosition {
  readonly agreement: Agreement;
  /** `entry`: the file is a world file, or writes its positions as one does. */
  readonly precise: { readonly at: 'extensions' | 'entry' };
}

const NOTHING: readonly Diagnosis[] = Object.freeze([]);

/** What is to be said of an entry, the gravest first; nothing when it works as it looks. */
export function diagnose(
  entry: LorebookEntry,
  position: FiringPosition,
  surroundings: FiringSurroundings,
): readonly Diagnosis[] {
  const found: Diagnosis[] = [];
  const say = (kind: FiringKind, reason: FiringReason, detail = ''): void => {
    found.push({ kind, reason, detail });
  };
  const stopped = stopOf(entry, surroundings);
  if (stopped !== null) say('cannot-fire', stopped);
  const { activate, dontActivate } = readDecorators(entry.content);
  // The engine asks for these before it looks at `constant` or at keys.
  if (activate) {
    if (!entry.constant) say('always', 'activate-decorator');
  } else if (dontActivate) {
    say('cannot-fire', 'dont-activate');
  } else if (!entry.constant) {
    judgeKeys(entry, surroundings, say);
  }
  judgePlace(entry, position, say);
  const template = FOREIGN_TEMPLATE.exec(entry.content)?.[0];
  if (template !== undefined) say('look', 'foreign-template', template);
  return found.length === 0 ? NOTHING : found;
}

type Say = (kind: FiringKind, reason: FiringReason, detail?: string) => void;

// What stops an entry whatever its keys are.
function stopOf(entry: LorebookEntry, { character }: FiringSurroundings): FiringReason | null {
  if (!entry.enabled) return 'off';
  // Rolled as `random * 100 <= probability`, so that 0 comes through once in 2^53 rolls.
  if (entry.probability.used && entry.probability.chance <= 0) return 'chance-zero';
  if (character === null || character.avatar === null || entry.characterFilter === null) return null;
  const { avatar, tags } = character;
  return filterVerdict(entry, { avatar, tagIds: tags.length === 0 ? null : tags }) === 'refused'
    ? 'filtered-out'
    : null;
}

function judgeKeys(entry: LorebookEntry, surroundings: FiringSurroundings, say: Say): void {
  const { keys, vectorized } = entry;
  const byVectors = vectorized && surroundings.vectorsActive;
  // `substituted && matchKeys(...)`: an empty key is passed over.
  const live = keys.filter((key) => key.kind === 'regex' || key.text !== '');
  if (live.length === 0) {
    if (byVectors) return;
    if (vectorized) say('cannot-fire', 'vectors-off');
    else say('cannot-fire', keys.length === 0 ? 'no-key' : 'only-empty-keys');
    return;
  }
  const depth = entry.scan.depth ?? surroundings.scanDepth;
  // A scan depth of 0 gives no text at all (WorldInfoBuffer.get): what recursion brings is not looked at either. A
  // blank key is found in no text, too.
  if (depth <= 0 && !byVectors && !live.some(isBlank)) {
    say('cannot-fire', 'scan-depth-zero');
    return;
  }
  const broken = live.filter((key) => key.kind === 'literal' && readKey(key.text).broken);
  if (broken.length > 0) {
    // Such a key is looked for letter by letter, slashes included, which no chat holds.
    const isAll = broken.length === live.length && !byVectors;
    say(isAll ? 'cannot-fire' : 'look', 'invalid-regex', writeKey(broken[0] as Key));
  }
  judgeAlways(entry, live, surroundings, say);
  const joined = joinedKey(live);
  if (joined !== null) say('look', 'joined-keys', joined);
}

const isBlank = (key: Key): boolean => key.kind === 'literal' && key.text !== '' && key.text.trim() === '';

// Without secondary keys one such key is enough; with them the others decide.
function judgeAlways(
  entry: LorebookEntry,
  live: readonly Key[],
  surroundings: FiringSurroundings,
  say: Say,
): void {
  if (entry.selective && entry.secondaryKeys.length > 0) return;
  for (const key of live) {
    if (key.kind === 'regex') continue;
    // Trimmed to nothing after the test for emptiness, and nothing is found in every text.
    if (isBlank(key)) {
      say('always', 'blank-key', key.text);
      return;
    }
    if (surroundings.includeNames && isSpeaker(key.text, surroundings)) {
      say('always', 'speaker-key', key.text);
      return;
    }
  }
}

// "Name: text" is what is scanned, so a speaker's name stands in it as long as that one speaks.
function isSpeaker(text: string, { character, userName }: FiringSurroundings): boolean {
  const key = expandNames(text, character?.name ?? '{{char}}', userName)
    .trim()
    .toLowerCase();
  const names = [character?.name ?? '{{char}}', userName].map((name) => name.trim().toLowerCase());
  return names.some((name) => name !== '' && name === key);
}

const COMMA = /\s*[,，、،;；]\s*/;

function joinedKey(keys: readonly Key[]): string | null {
  const joined = keys.find((key) => joinedParts(key, keys.length) !== null);
  return joined === undefined ? null : writeKey(joined);
}

/**
 * The parts of a key that looks like several keys joined by commas, or null. A number such as 1,000 and a place such as
 * "Paris, France" beside other keys are keys of their own.
 *
 * @param count how many keys that are not empty the entry has
 */
export function joinedParts(key: Key, count: number): readonly string[] | null {
  if (key.kind === 'regex' || !COMMA.test(key.text)) return null;
  const parts = key.text.split(COMMA).filter((part) => part.trim() !== '');
  if (parts.length < (count === 1 ? 2 : 3)) return null;
  return parts.every((part) => part.length <= 40 && !/^\d+$/.test(part)) ? parts : null;
}

function judgePlace(entry: LorebookEntry, { agreement, precise }: FiringPosition, say: Say): void {
  // The engine's switch knows the numbers 0 to 7 only (1.19); an import of a card always gives a number.
  const isUnplaced = agreement === 'assumed' || agreement === 'invalid';
  if (isUnplaced && precise.at === 'entry') say('goes-nowhere', 'placed-nowhere');
  else if (entry.position.slot === 'outlet' && entry.position.outlet === '')
    say('goes-nowhere', 'no-outlet-name');
  if (entry.content === '') say('goes-nowhere', 'no-content');
}

// EJS of the prompt template extension, and RisuAI's blocks and functions. SillyTavern itself runs {{if}}, {{#if}} and
// its variable macros (1.19, public/scripts/macros).
const FOREIGN_TEMPLATE =
  /<%[=\-_#]?|\{\{#(?!if[\s:}]|(?:set|add)(?:global)?var)[a-z_]+|\{\{(?:equal|not_equal|greater|less|calc|tempvar|settempvar|contains)::|\{\{\? /i;
