// Whether an entry can fire in SillyTavern's engine (1.19, public/scripts/world-info.js, checkWorldInfo), in the order in
// which the engine asks.

import type { Diagnosis, FiringKind, FiringReason, Say } from '../../core/firing.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { Agreement } from '../../core/position.ts';
import { foreignTemplate } from '../_shared/foreign-template.ts';
import { readDecorators } from './decorators.ts';
import { judgeKeys } from './firing-keys.ts';
import { filterVerdict, waitsForUnknownTrigger } from './resolve-filter.ts';

export { joinedParts } from './firing-keys.ts';

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
  let found: Diagnosis[] | null = null;
  const stopped = stopOf(entry, surroundings);
  const say = (kind: FiringKind, reason: FiringReason, detail = ''): void => {
    // What is stopped fires in no chat, whatever its keys are.
    if (kind === 'always' && stopped !== null) return;
    found ??= [];
    found.push({ kind, reason, detail });
  };
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
  const template = foreignTemplate(entry.content);
  if (template !== undefined) say('look', 'foreign-template', template);
  return found ?? NOTHING;
}

// What stops an entry whatever its keys are.
function stopOf(entry: LorebookEntry, { character }: FiringSurroundings): FiringReason | null {
  if (!entry.enabled) return 'off';
  // Rolled as `random * 100 <= probability`, so that 0 comes through once in 2^53 rolls.
  if (entry.probability.used && entry.probability.chance <= 0) return 'chance-zero';
  if (waitsForUnknownTrigger(entry)) return 'unknown-trigger';
  if (character === null || character.avatar === null || entry.characterFilter === null) return null;
  const { avatar, tags } = character;
  return filterVerdict(entry, { avatar, tagIds: tags.length === 0 ? null : tags }) === 'refused'
    ? 'filtered-out'
    : null;
}

function judgePlace(entry: LorebookEntry, { agreement, precise }: FiringPosition, say: Say): void {
  // The engine's switch compares with the numbers 0 to 7, so "4" is none of them (1.19); what is brought in from a
  // card's book has a number.
  const isUnplaced = agreement === 'assumed' || agreement === 'invalid';
  if (isUnplaced && precise.at === 'entry') say('goes-nowhere', 'placed-nowhere');
  else if (entry.position.slot === 'outlet' && entry.position.outlet === '')
    say('goes-nowhere', 'no-outlet-name');
  if (entry.content === '') say('goes-nowhere', 'no-content');
}
