// What is written into Agnai when it cannot say a value: the nearest thing that it can, with a finding each (decisions
// 9, 10 and 29; Agnaistic 1.0.27).

import { shown } from '../../core/finding.ts';
import { writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { nearestPosition } from '../../core/position.ts';
import { switchOff } from '../_shared/draft-steps.ts';
import { noteSecondTitle, oneTitle } from '../_shared/one-title.ts';
import { WHERE } from '../_shared/position-row.ts';
import { usesCase } from './keys.ts';
import { unknownMacros } from './macros.ts';
import type { Nearest } from './write-context.ts';

/** Whether keys decide: a constant entry needs none, one that is off is never asked. */
const isSearched = (entry: LorebookEntry): boolean => entry.enabled && !entry.constant;

/** One name, never empty. */
export const title: Nearest = (entry, draft, { number }, note) => {
  const own = oneTitle(entry);
  const [key] = entry.keys;
  const spare = key === undefined ? '' : writeKey(key).trim();
  draft.title = own.trim() === '' ? spare || `Entry ${number}` : own;
  draft.memo = '';
  noteSecondTitle(entry, 'Agnai', note);
  if (own.trim() !== '') return;
  note(
    'assumed',
    'title',
    own,
    draft.title,
    `An entry without a name cannot be found in Agnai's list; this one got ${shown(draft.title)}.`,
  );
};

/** The text as it is; macros that Agnai does not know stay in it as they are. */
export const content: Nearest = (entry, _draft, _context, note) => {
  const unknown = unknownMacros(entry.content);
  if (unknown.length === 0) return;
  const message = `Agnai does not replace ${unknown.join(', ')} as SillyTavern does.`;
  note('approximated', 'content', entry.content, `${unknown.join(', ')} as Agnai takes it`, message);
};

/** The rank among all entries: the same order, in other numbers. */
export const order: Nearest = (_entry, draft, { place }) => {
  draft.order = place.weight;
};

/** One block behind the character; some constant texts stand elsewhere, and are off in the book. */
export const position: Nearest = (entry, draft, { place }, note) => {
  const own = nearestPosition(entry.position);
  draft.position = { slot: 'character', depth: 4, role: 'system', outlet: '' };
  if (place.kind === 'insert') {
    draft.enabled = false;
    if (own.slot !== 'depth') {
      note(
        'approximated',
        'position.slot',
        own.slot,
        'depth',
        `Agnai has no place ${WHERE[own.slot]}; the text stands in the character's Insert at depth ${place.depth}.`,
      );
    } else if (own.role !== 'system') {
      note(
        'approximated',
        'position.role',
        own.role,
        'system',
        'The Insert of a character is spoken by the system.',
      );
    }
    return;
  }
  if (place.kind === 'examples') {
    draft.enabled = false;
    return;
  }
  if (place.kind === 'outlet') {
    if (place.isShown) {
      draft.enabled = false;
      return;
    }
    const message =
      'Agnai has no outlets; the entry is there, switched off, so that its text is not put elsewhere.';
    note('approximated', 'position.slot', own.slot, 'character', message);
    switchOff(entry, draft, note, message);
    return;
  }
  if (own.slot === 'character' || own.slot === 'before_example') return;
  note(
    'approximated',
    'position.slot',
    own.slot,
    'character',
    `Agnai has no place ${WHERE[own.slot]}; the entry stands in the memory block behind the character.`,
  );
};

/** Primary keys only. */
export const secondaryKeys: Nearest = (entry, draft, _context, note) => {
  draft.secondaryKeys = [];
  if (!isSearched(entry) || !entry.selective || entry.secondaryKeys.length === 0) return;
  const before = [entry.logic, ...entry.secondaryKeys.map(writeKey)];
  note(
    'approximated',
    'secondaryKeys',
    before,
    [],
    'Agnai has no secondary keys; the primary ones alone decide.',
  );
};

/** Case never counts. */
export const caseSensitive: Nearest = (entry, _draft, _context, note) => {
  if (!isSearched(entry) || !usesCase(entry)) return;
  note('approximated', 'scan.caseSensitive', true, false, 'Case does not count in Agnai.');
};

/** One depth for all entries, in the user's preset. */
export const scanDepth: Nearest = (entry, _draft, { memoryDepth }, note) => {
  if (!isSearched(entry) || entry.scan.depth === null || entry.scan.depth === memoryDepth) return;
  note(
    'approximated',
    'scan.depth',
    entry.scan.depth,
    memoryDepth,
    'Agnai has one depth for all entries, in the preset.',
  );
};

/** Always, where a chance is rolled. */
export const probability: Nearest = (entry, draft, _context, note) => {
  const { chance, used } = entry.probability;
  draft.probability = { chance: 100, used: false };
  if (!used || chance >= 100 || !entry.enabled) return;
  note('approximated', 'probability.chance', chance, 100, 'Agnai rolls no dice; the entry fires every time.');
};

/** All members of a group fire. */
export const group: Nearest = (entry, draft, _context, note) => {
  const { name } = entry.group;
  draft.group = { name: '', override: false, weight: 100, scoring: null };
  if (name === '' || !entry.enabled) return;
  note('approximated', 'group.name', name, '', 'Agnai has no groups; every entry that is found is taken.');
};

/** Only the chat is searched. */
export const recursion: Nearest = (_entry, _draft, { isReached, alsoStartedBy }, note) => {
  if (!isReached) return;
  const isWrittenOut = alsoStartedBy.length > 0;
  note(
    'approximated',
    'recursion',
    'found in the text of other entries too',
    isWrittenOut ? 'the keywords of those entries start it as well' : 'found in the chat only',
    isWrittenOut
      ? 'Agnai does not search the text of entries; the keywords of those that name it were added to its own.'
      : 'Agnai does not search the text of entries.',
  );
};

/** No passes: an entry that waits for one is found at once. */
export const delayUntil: Nearest = (entry, draft, { delayedPasses }, note) => {
  const { delayUntil: level } = entry.recursion;
  draft.recursion = { exclude: false, prevent: false, delayUntil: 0 };
  if (level === 0 || delayedPasses === 'always' || !entry.enabled) return;
  note(
    'approximated',
    'recursion.delayUntil',
    level,
    0,
    'Agnai searches once, so the entry waits for nothing.',
  );
};

/** Any kind of reply; an entry that ordinary replies never start is off. */
export const triggers: Nearest = (entry, draft, _context, note) => {
  draft.triggers = [];
  if (entry.triggers.length === 0 || !entry.enabled) return;
  const isOff = !entry.triggers.includes('normal');
  const message = isOff
    ? 'Agnai cannot say which kind of reply it is for; it is switched off, since ordinary replies never start it.'
    : 'Agnai cannot say which kind of reply it is for; the entry may always fire.';
  note('approximated', 'triggers', entry.triggers, [], message);
  if (isOff) switchOff(entry, draft, note, message);
};

/** A priority above all others. */
export const ignoreBudget: Nearest = (entry, draft, _context, note) => {
  draft.ignoreBudget = false;
  if (!entry.ignoreBudget || !entry.enabled) return;
  note(
    'approximated',
    'ignoreBudget',
    true,
    false,
    'No entry is free of the budget in Agnai; this one has the highest priority.',
  );
};
