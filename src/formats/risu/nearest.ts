// What is written into RisuAI when it cannot say a value: the nearest thing that it can, with a finding each (decisions
// 9, 10 and 29; RisuAI 460ecae2).

import type { Style } from '../../core/exporter.ts';
import { type Key, writeKey } from '../../core/key.ts';
import { nearestPosition } from '../../core/position.ts';
import type { DelayedPasses } from '../../core/resolved.ts';
import { type NearestIn, switchOff } from '../_shared/draft-steps.ts';
import { groupNames } from '../_shared/group-names.ts';
import { noteSecondTitle, oneTitle } from '../_shared/one-title.ts';
import { WHERE } from '../_shared/position-row.ts';
import type { CaseSensitiveKeys } from './keys.ts';
import { risuPlace } from './placing.ts';

/** Keys of preferred entries of a group, and how deep they are searched. */
export interface Winners {
  readonly keys: readonly Key[];
  readonly depth: number;
}

/** What writing an entry depends on beside the entry. */
export interface WriteContext {
  readonly style: Style;
  readonly caseSensitiveKeys: CaseSensitiveKeys;
  /** The depth of the author's note. */
  readonly noteDepth: number;
  /** What the book searches; null where the file holds no settings. */
  readonly bookDepth: number | null;
  readonly isRecursive: boolean;
  /** Whether SillyTavern searches the names of speakers. */
  readonly includeNames: boolean;
  /** Whether it stands in a file of its own, which holds no settings. */
  readonly isAlone: boolean;
  readonly delayedPasses: DelayedPasses;
  /** The order that keeps the entry's place in the text. */
  readonly order: number;
  /** Keys of preferred entries of its group, which keep it out. */
  readonly winners: Winners | null;
  /** Whether other entries' texts are kept from its keys, since they would decide what SillyTavern decides before. */
  readonly shield: 'none' | 'exact' | 'near';
}

/** A step of writing an entry for RisuAI. */
export type Nearest = NearestIn<WriteContext>;

/** One title. */
export const title: Nearest = (entry, draft, _context, note) => {
  draft.title = oneTitle(entry);
  draft.memo = '';
  noteSecondTitle(entry, 'RisuAI', note);
};

/**
 * RisuAI trims every text, and when it first opens the character it writes old macros and an old decorator anew, the
 * latter in the middle of a text, too (updateLorebooks). It leaves those of its own lorebook files alone.
 */
export const content: Nearest = (entry, draft, { isAlone }, note) => {
  const own = entry.content;
  const named = own.replace(/<(?:char|bot)>/g, '{{char}}').replace(/<user>/g, '{{user}}');
  const written = (isAlone ? named : named.replace(/@@@?end/g, '@@depth 0')).trim();
  draft.content = written;
  if (written === own) return;
  if (written !== named.trim()) {
    note('approximated', 'content', own, written, 'RisuAI writes “@@end” in a text as “@@depth 0”.');
    return;
  }
  const message =
    own.trim() === own ? 'RisuAI writes this macro so.' : 'RisuAI drops blanks at both ends of a text.';
  note('repaired', 'content', own, written, message);
};

/** Selective without secondary keys means nothing. */
export const selective: Nearest = (entry, draft) => {
  draft.selective = entry.selective && entry.secondaryKeys.some((key) => writeKey(key) !== '');
};

/** Orders of which some are told apart, or turned round, so that the text keeps its order. */
export const order: Nearest = (entry, draft, { order: written }, note) => {
  draft.order = written;
  if (written === entry.order) return;
  const message =
    'Entries follow each other in another way there; the order was changed so that they stand as they do here.';
  note('repaired', 'order', entry.order, written, message);
};

/** The nearest slot: at the note's depth, or after the character, which is right before the examples there. */
export const position: Nearest = (entry, draft, { noteDepth }, note) => {
  const own = nearestPosition(entry.position);
  const { slot } = own;
  const place = risuPlace(own, { noteDepth });
  const { slot: nearest, depth } = place;
  const isNote = slot === 'note_top' || slot === 'note_bottom';
  draft.position = { ...place };
  if (slot === 'outlet') {
    const outlet = own.outlet.replaceAll(',', ' ').replace(/\s+/g, ' ').trim();
    draft.position.outlet = outlet;
    if (outlet !== own.outlet) {
      const message = 'The name of a marker holds no comma there, and no blanks at its ends.';
      note('approximated', 'position.outlet', own.outlet, outlet, message);
    }
    return;
  }
  if (nearest !== slot) {
    const where = isNote ? `at depth ${noteDepth}` : WHERE[nearest];
    const message = `RisuAI has no place ${WHERE[slot]}; the entry stands ${where}.`;
    note('approximated', 'position.slot', slot, nearest, message);
  } else if (slot === 'depth' && depth !== own.depth) {
    note('approximated', 'position.depth', own.depth, depth, 'The depth is a whole number from 0 there.');
  } else if (slot === 'depth' && depth > SURE_DEPTH && entry.enabled) {
    const message = `In a chat of fewer than ${depth - 1} messages it stands further down there, at the top here.`;
    note('approximated', 'position.depth', depth, `${depth}, less in a short chat`, message);
  }
};

// Its list has a mark of the chat's beginning, the greeting and the user's message at least; counted past its beginning,
// a place wraps round to the end.
const SURE_DEPTH = 3;

const WHOLE = 'It is a whole number there.';

/** Messages that an entry waits for: a whole number, from 1. */
export const delay: Nearest = (entry, draft, _context, note) => {
  const own = entry.timing.delay;
  if (own === null) return;
  const whole = Math.min(1e6, Math.ceil(own));
  draft.timing = { ...draft.timing, delay: whole > 0 ? whole : null };
  if (draft.timing.delay !== own) note('repaired', 'timing.delay', own, draft.timing.delay, WHOLE);
};

/** Nothing is searched: RisuAI would still search other entries. */
export const scanDepth: Nearest = (entry, draft, _context, note) => {
  const { depth } = entry.scan;
  if (depth === null) return;
  if (depth > 0) {
    const whole = Math.max(1, Math.trunc(depth));
    draft.scan = { ...draft.scan, depth: whole };
    if (whole !== depth) note('repaired', 'scan.depth', depth, whole, WHOLE);
    return;
  }
  draft.scan = { ...draft.scan, depth: null };
  if (entry.constant || !entry.enabled) return;
  const message = 'Nothing is searched for its keys, which cannot be said there; the entry is switched off.';
  note('approximated', 'scan.depth', depth, null, message);
  switchOff(entry, draft, note, message);
};

/** A delay without levels: only other entries' text is searched; where the passes always run, no delay is nearer. */
export const delayUntil: Nearest = (entry, draft, { delayedPasses }, note) => {
  const level = entry.recursion.delayUntil;
  if (level === 0) return;
  const runsAlways = delayedPasses === 'always';
  draft.recursion = { ...draft.recursion, delayUntil: runsAlways || entry.constant ? 0 : 1 };
  if (!runsAlways && !entry.constant) draft.scan = { ...draft.scan, depth: null };
  const message = runsAlways
    ? 'The pass that it waits for always runs here; it does not wait there.'
    : 'RisuAI has no such wait: only the text of other entries is searched for its keys there, the chat too here.';
  note('approximated', 'recursion.delayUntil', `level ${level}`, draft.recursion.delayUntil, message);
};

/** A chance is a whole number, and is taken anew in each pass of a book that searches its own entries. */
export const chance: Nearest = (entry, draft, { isRecursive }, note) => {
  const { used, chance: own } = entry.probability;
  if (!used || own >= 100) return;
  const written = Math.round(own);
  draft.probability = { chance: written, used };
  if (isRecursive) {
    const message =
      'RisuAI takes the chance anew in every pass, so the more entries bring each other in, the likelier it becomes.';
    note('approximated', 'probability.chance', `${own} % once`, `${written} % in every pass`, message);
  } else if (written !== own) {
    note('approximated', 'probability.chance', own, written, 'A chance is a whole number there.');
  }
};

const NO_GROUP = { name: '', override: false, weight: 100, scoring: null };

/** No groups: all members fire; the keys of a preferred entry can keep the others out. */
export const group: Nearest = (entry, draft, { winners }, note) => {
  draft.group = NO_GROUP;
  if (groupNames(entry).length === 0) return;
  const { name, override, weight, scoring } = entry.group;
  const message =
    winners !== null
      ? 'RisuAI has no groups; the keys of the preferred entries of its group keep this one out.'
      : 'RisuAI has no groups: every entry of this one fires whose keys are found.';
  note(winners !== null ? 'stashed' : 'approximated', 'group.name', name, '', message);
  const kept = (path: string, before: boolean | number): void =>
    note('stashed', path, before, null, 'Kept aside: RisuAI has no groups.');
  if (override) kept('group.override', override);
  if (weight !== 100) kept('group.weight', weight);
  if (scoring === true) kept('group.scoring', scoring);
};

/** A file of its own cannot say that entries are not searched for each other's keys, so each says it. */
export const prevent: Nearest = (entry, draft, { isAlone, isRecursive }, note) => {
  if (!isAlone || isRecursive || entry.recursion.prevent) return;
  draft.recursion = { ...draft.recursion, prevent: true };
  const message = 'Entries are not searched for keys, which this file can only say of each of them.';
  note('repaired', 'recursion.prevent', false, true, message);
};

/** NOT is decided here before other entries' texts are searched. */
export const exclude: Nearest = (entry, draft, { shield }, note) => {
  if (shield === 'none' || entry.recursion.exclude) return;
  draft.recursion = { ...draft.recursion, exclude: true };
  const message =
    shield === 'exact'
      ? 'What must be missing is asked before other entries are searched, as it is here.'
      : 'What must be missing is asked of the chat alone, as it is here; so its keys are not found in other entries either.';
  note(shield === 'exact' ? 'repaired' : 'approximated', 'recursion.exclude', false, true, message);
};

/** What may start it cannot be said: it may always fire or, when ordinary replies may not start it, never. */
export const triggers: Nearest = (entry, draft, _context, note) => {
  if (entry.triggers.length === 0) return;
  draft.triggers = [];
  const isOff = !entry.triggers.includes('normal');
  const message = isOff
    ? 'RisuAI cannot say at which kind of generation an entry fires; it is switched off, since ordinary replies never start it.'
    : 'RisuAI cannot say at which kind of generation an entry fires; it may always fire.';
  note('approximated', 'triggers', entry.triggers, [], message);
  if (isOff) switchOff(entry, draft, note, message);
};
