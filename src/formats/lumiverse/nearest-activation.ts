// What is written when Lumiverse cannot say what starts an entry, how often, or in which company (1.1.0).

import { switchOff } from '../_shared/draft-steps.ts';
import { groupNames } from '../_shared/group-names.ts';
import { leaveNegative } from '../_shared/negative-counts.ts';
import type { Nearest } from './nearest.ts';

// Found in every text that is not empty, and the chat never is.
const ANY_TEXT = { kind: 'regex', source: '[^]', flags: 'i' } as const;

/** A constant entry always fires there, whatever its chance; one that rolls is found in every text instead. */
export const constant: Nearest = (entry, draft, _context, note) => {
  const { probability } = entry;
  if (!entry.constant || !probability.used || !entry.enabled) return;
  draft.constant = false;
  draft.keys = [ANY_TEXT];
  draft.secondaryKeys = [];
  draft.selective = false;
  draft.scan = { ...draft.scan, depth: 1, caseSensitive: false, matchWholeWords: false };
  draft.recursion = { ...draft.recursion, exclude: true };
  const message =
    'A constant entry fires there whatever its chance; it has a pattern that is found in every text instead.';
  note('repaired', 'constant', true, false, message);
  note('repaired', 'keys', 'none needed', '[^]', message);
  if (!entry.recursion.exclude) note('repaired', 'recursion.exclude', false, true, 'So it rolls only once.');
  if (entry.secondaryKeys.length > 0 && entry.selective)
    note('repaired', 'secondaryKeys', 'not needed', 'none', message);
};

/** A chance is rolled once here and in every pass there. */
export const chance: Nearest = (entry, draft, { recursive }, note) => {
  const { probability, recursion } = entry;
  if (probability.chance >= 100) draft.probability = { chance: 100, used: true };
  if (!probability.used || entry.constant || !entry.enabled) return;
  if (!recursive || recursion.exclude || draft.recursion.exclude) return;
  const { chance: percent } = probability;
  const message = 'The chance is taken anew in every pass there, so it fires more often.';
  note('approximated', 'probability.chance', `${percent} %, once`, `${percent} %, in each pass`, message);
};

/** The depth itself, since the app's own is the whole chat; 0 means nothing here and the whole chat there. */
export const scanDepth: Nearest = (entry, draft, _context, note) => {
  const { depth } = entry.scan;
  if (entry.constant) {
    if (draft.constant) draft.scan = { ...draft.scan, depth: null };
    return;
  }
  if (depth === null || depth > 0 || !entry.enabled) return;
  draft.scan = { ...draft.scan, depth: null };
  const message = 'Nothing is searched for its keys, which cannot be said there; the entry is switched off.';
  note('approximated', 'scan.depth', depth, null, message);
  switchOff(entry, draft, note, message);
};

/** The same number, which counts turns. */
export const sticky: Nearest = (entry, draft, _context, note) => {
  const { sticky: value } = entry.timing;
  if (value === null || leaveNegative('sticky', entry, draft, note)) return;
  const message =
    'It counts turns in Lumiverse and messages in SillyTavern, about two to one; the number was kept.';
  note('approximated', 'timing.sticky', `${value} messages`, `${value} turns`, message);
};

/** A cooldown starts there only when a sticky time has ended. */
export const cooldown: Nearest = (entry, draft, _context, note) => {
  const { cooldown: value, sticky: stays } = entry.timing;
  if (value === null || leaveNegative('cooldown', entry, draft, note)) return;
  const after = stays === null || stays <= 0 || entry.constant ? 'never starts' : `${value} turns`;
  const message =
    after === 'never starts'
      ? 'A cooldown starts in Lumiverse only when a sticky time has ended; this one never does.'
      : 'It counts turns in Lumiverse and messages in SillyTavern, about two to one; the number was kept.';
  note('approximated', 'timing.cooldown', `${value} messages`, after, message);
};

/** A delay is another thing there: turns in a row in which the keys were found. */
export const delay: Nearest = (entry, draft, _context, note) => {
  const { delay: value } = entry.timing;
  if (value === null || leaveNegative('delay', entry, draft, note)) return;
  draft.timing = { ...draft.timing, delay: null };
  const message =
    'A delay counts turns in which its keys were found there, the messages of the chat here; it was left out.';
  note('approximated', 'timing.delay', value, null, message);
};

/** One name. */
export const group: Nearest = (entry, draft, _context, note) => {
  const { name, scoring } = entry.group;
  draft.group = { ...draft.group, scoring: null };
  const [first] = groupNames(entry);
  if (first === undefined) {
    draft.group = { ...draft.group, name: '', weight: 100, override: false };
    return;
  }
  draft.group = { ...draft.group, name: first };
  if (first !== name) {
    const message = 'An entry is in one group there; it is in the first of its groups.';
    note('approximated', 'group.name', name, first, message);
  }
  if (scoring === true) {
    const message = 'Lumiverse does not count keys to find the winner of a group; the weights decide.';
    note('approximated', 'group.scoring', true, null, message);
  }
};

/** Where SillyTavern searches no text of entries, none may be searched there, whose own setting is another one. */
export const exclude: Nearest = (entry, draft, { recursive }, note) => {
  if (recursive || entry.recursion.exclude || entry.constant || !entry.enabled) return;
  draft.recursion = { ...draft.recursion, exclude: true };
  const message = "Recursion is off in SillyTavern's settings; there each entry says so.";
  note('repaired', 'recursion.exclude', false, true, message);
};

/** A delay without levels; where the passes that it waits for always run, no delay is nearer. */
export const delayUntil: Nearest = (entry, draft, { delayedPasses }, note) => {
  const level = entry.recursion.delayUntil;
  if (level === 0) return;
  if (draft.constant && entry.enabled) {
    draft.recursion = { ...draft.recursion, delayUntil: 0 };
    const message = 'A constant entry always fires there, so it does not wait for another one.';
    note('approximated', 'recursion.delayUntil', `level ${level}`, 'off', message);
    return;
  }
  const runsAlways = delayedPasses === 'always';
  draft.recursion = { ...draft.recursion, delayUntil: runsAlways ? 0 : 1 };
  if (!runsAlways && level === 1) return;
  const message = runsAlways
    ? 'The pass that it waits for always runs here, and there only when another entry fired; so it does not wait.'
    : 'Levels of a delayed recursion do not exist there.';
  note('approximated', 'recursion.delayUntil', `level ${level}`, runsAlways ? 'off' : 'on', message);
};

/** A vectorized entry takes no part in recursion there. */
export const vectorized: Nearest = (entry, _draft, { recursive }, note) => {
  if (!entry.vectorized || !recursive || !entry.enabled) return;
  const message =
    'The text of other entries is not searched for the keys of a vectorized entry there, nor its own text for theirs.';
  note('approximated', 'vectorized', 'with recursion', 'without recursion', message);
};

/** Kinds of generation do not exist: always or, when ordinary replies never start it, never. */
export const triggers: Nearest = (entry, draft, _context, note) => {
  if (entry.triggers.length === 0) return;
  draft.triggers = [];
  const isOff = !entry.triggers.includes('normal');
  const message = isOff
    ? 'Lumiverse cannot say when an entry may fire; it is switched off, since ordinary replies never start it.'
    : 'Lumiverse cannot say when an entry may fire; it may always fire.';
  note('approximated', 'triggers', entry.triggers, [], message);
  if (isOff) switchOff(entry, draft, note, message);
};
