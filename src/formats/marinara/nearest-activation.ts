// What is written when Marinara cannot say what starts an entry, how often, or in which company (Marinara Engine 2.3.3).

import type { LorebookEntry } from '../../core/lorebook.ts';
import { switchOff } from '../_shared/draft-steps.ts';
import { groupNames } from '../_shared/group-names.ts';
import { leaveNegative } from '../_shared/negative-counts.ts';
import { TRIGGER_NAMES } from './codecs.ts';
import type { Nearest } from './nearest.ts';

/** 0 means nothing here and the whole chat there, so it is never written. */
export const scanDepth: Nearest = (entry, draft, { bookDepth }, note) => {
  const { depth } = entry.scan;
  if (depth === null || depth === bookDepth) draft.scan = { ...draft.scan, depth: null };
  else if (depth <= 0) {
    draft.scan = { ...draft.scan, depth: null };
    if (entry.constant || !entry.enabled) return;
    const message =
      'Nothing is searched for its keys, which cannot be said there; the entry is switched off.';
    note('approximated', 'scan.depth', depth, null, message);
    switchOff(entry, draft, note, message);
  }
};

/** The same number, which counts other things. */
export const timing =
  (name: keyof LorebookEntry['timing']): Nearest =>
  (entry, draft, _context, note) => {
    const value = entry.timing[name];
    if (value === null || leaveNegative(name, entry, draft, note)) return;
    const message = `It counts replies in Marinara and messages in SillyTavern, about two to one; the number was kept.`;
    note('approximated', `timing.${name}`, `${value} messages`, `${value} replies`, message);
  };

/** One name and a weight; a preferred entry gets a weight that practically always wins. */
export const group: Nearest = (entry, draft, { winnerWeight }, note) => {
  const { name, override, scoring, weight } = entry.group;
  draft.group = { ...draft.group, override: false, scoring: null };
  const [first] = groupNames(entry);
  if (first === undefined) {
    draft.group = { ...draft.group, name: '', weight: 100 };
    return;
  }
  draft.group = { ...draft.group, name: first };
  if (first !== name) {
    note(
      'approximated',
      'group.name',
      name,
      first,
      'An entry is in one group there; it is in the first of its groups.',
    );
  }
  if (override && winnerWeight !== null) {
    draft.group = { ...draft.group, weight: winnerWeight };
    const message = `A group has no preferred entry there; a weight of ${winnerWeight} makes it win practically always.`;
    note('approximated', 'group.override', true, false, message);
    if (winnerWeight !== weight) note('approximated', 'group.weight', weight, winnerWeight, message);
  }
  if (scoring === true) {
    const message = 'Marinara does not count keys to find the winner of a group; the weights decide.';
    note('approximated', 'group.scoring', true, null, message);
  }
};

/** A delay without levels; where the passes that it waits for always run, no delay is nearer. */
export const delayUntil: Nearest = (entry, draft, { delayedPasses }, note) => {
  const level = entry.recursion.delayUntil;
  if (level === 0) return;
  const runsAlways = delayedPasses === 'always';
  draft.recursion = { ...draft.recursion, delayUntil: runsAlways ? 0 : 1 };
  const message = runsAlways
    ? 'The pass that it waits for always runs here and searches the chat too; there it would search only other entries, so it does not wait.'
    : 'A pass searches only the text of other entries there, the chat too here; levels do not exist.';
  note('approximated', 'recursion.delayUntil', `level ${level}`, runsAlways ? 'off' : 'on', message);
};

/** What may start it: a list in a native lorebook; in a card always or, when ordinary replies may not, never. */
export const triggers: Nearest = (entry, draft, { form }, note) => {
  if (entry.triggers.length === 0) return;
  const known = TRIGGER_NAMES.map(([name]) => name).filter((name) => entry.triggers.includes(name));
  const isOff = known.length === 0 || (form === 'card' && !known.includes('normal'));
  if (isOff || form === 'card') draft.triggers = [];
  else draft.triggers = known;
  if (isOff) {
    const message =
      form === 'card' && known.length > 0
        ? 'A lorebook inside a card cannot say when it may fire; the entry is switched off, since ordinary replies never start it.'
        : 'Nothing in Marinara starts it; the entry is switched off.';
    note('approximated', 'triggers', entry.triggers, [], message);
    switchOff(entry, draft, note, message);
  } else if (form === 'card') {
    note(
      'approximated',
      'triggers',
      entry.triggers,
      [],
      'A lorebook inside a card cannot say when it may fire; the entry may always fire.',
    );
  } else if (known.length < entry.triggers.length) {
    note('approximated', 'triggers', entry.triggers, known, 'Marinara knows some of its triggers only.');
  } else if (known.includes('swipe') !== known.includes('regenerate')) {
    note(
      'approximated',
      'triggers',
      `${known.join(', ')}`,
      `${known.join(', ')}; swipe and regenerate are one there`,
      'Marinara cannot tell a swipe from a new try.',
    );
  }
};
