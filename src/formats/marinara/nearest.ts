// What is written into Marinara when it cannot say a value: the nearest thing that it can, with a finding each
// (decisions 9, 10 and 29; Marinara Engine 2.3.3).

import type { Note } from '../../core/finding.ts';
import { shown } from '../../core/finding.ts';
import { writeKey } from '../../core/key.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import type { Slot } from '../../core/position.ts';
import { nearestPosition } from '../../core/position.ts';
import type { DelayedPasses } from '../../core/resolved.ts';
import { WHERE } from '../_shared/position-row.ts';
import { TRIGGER_NAMES } from './codecs.ts';
import type { Style } from './keys.ts';
import { KEY_WRITERS } from './keys.ts';

/** What writing an entry depends on beside the entry. */
export interface WriteContext {
  readonly form: 'card' | 'native';
  readonly style: Style;
  /** Whether the target's version has outlets. */
  readonly outlets: boolean;
  /** The depth of the author's note. */
  readonly noteDepth: number;
  /** The scan depth of the book. */
  readonly bookDepth: number;
  /** The entry's place in its book, from 1. */
  readonly number: number;
  readonly delayedPasses: DelayedPasses;
  /** The order that keeps the entry's place in the text. */
  readonly order: number;
  /** The weight that makes a preferred entry of a group win; null for any other entry. */
  readonly winnerWeight: number | null;
}

// The entry is there, but switched off; a person can switch it on.
function switchOff(entry: LorebookEntry, draft: EntryDraft, note: Note, message: string): void {
  draft.enabled = false;
  if (entry.enabled) note('approximated', 'enabled', true, false, message);
}

/** Changes the draft where a value cannot be said, and says so. */
export type Nearest = (entry: LorebookEntry, draft: EntryDraft, context: WriteContext, note: Note) => void;

/** Keys, in the style that was chosen. Those of a constant entry start nothing and are written as they read. */
export const keys: Nearest = (entry, draft, { style, form }, note) => {
  const written = KEY_WRITERS[entry.constant ? 'natural' : style](entry, form);
  draft.keys = written.keys;
  draft.secondaryKeys = written.secondaryKeys;
  draft.scan = {
    ...draft.scan,
    caseSensitive: written.caseSensitive,
    matchWholeWords: written.matchWholeWords,
  };
  if (entry.constant) return;
  for (const path of ['keys', 'secondaryKeys'] as const) {
    const counts = path === 'keys' || entry.selective;
    const [first, ...others] = counts ? written.doubts.filter((each) => each.path === path) : [];
    if (first === undefined) continue;
    const more = others.length === 0 ? '' : ` So can ${others.length} more of its keys.`;
    note('approximated', path, first.before, first.after, first.message + more);
  }
};

const LONGEST_NAME = 200;

/** One name, never empty and at most 200 characters, as Marinara's editor wants it. */
export const title: Nearest = (entry, draft, { number }, note) => {
  const own = entry.memo || entry.title;
  const [key] = entry.keys;
  const spare = key === undefined ? '' : writeKey(key).trim();
  const name = (own.trim() === '' ? spare || `Entry ${number}` : own).slice(0, LONGEST_NAME);
  draft.title = name;
  draft.memo = '';
  if (own.trim() === '') {
    note('assumed', 'title', own, name, `Every entry needs a name there; this one got ${shown(name)}.`);
  } else if (own.length > LONGEST_NAME) {
    note('approximated', 'title', own, name, 'A name has at most 200 characters there; it was cut.');
  }
};

/** Selective without secondary keys means nothing. */
export const selective: Nearest = (entry, draft, _context, note) => {
  const isMeant = entry.selective && entry.secondaryKeys.length > 0;
  draft.selective = isMeant && draft.secondaryKeys.length > 0;
  if (isMeant && !draft.selective && !entry.constant) {
    note('approximated', 'selective', true, false, 'None of its secondary keys can be written there.');
  }
};

/** Orders of which equal ones are told apart where they must be; whole numbers in a native lorebook. */
export const order: Nearest = (entry, draft, { form, order: written }, note) => {
  draft.order = written;
  if (written !== entry.order) {
    const message =
      'Entries of equal order follow each other in another way there; the order was raised so that they stand as they do here.';
    note('repaired', 'order', entry.order, written, message);
  }
  if (form !== 'native' || Number.isSafeInteger(written)) return;
  const most = Number.MAX_SAFE_INTEGER;
  draft.order = Math.min(most, Math.max(-most, Math.round(written)));
  note('approximated', 'order', entry.order, draft.order, 'The order is a whole number there.');
};

const NEAREST_SLOT: Partial<Readonly<Record<Slot, Slot>>> = {
  note_top: 'depth',
  note_bottom: 'depth',
  before_example: 'world',
  after_example: 'character',
};

/** The nearest slot: at the note's depth, before or after the character; outlets are hidden where there are none. */
export const position: Nearest = (entry, draft, { outlets, noteDepth }, note) => {
  const own = nearestPosition(entry.position);
  const { slot } = own;
  const nearest = NEAREST_SLOT[slot] ?? slot;
  const isNote = slot === 'note_top' || slot === 'note_bottom';
  const depth = isNote ? noteDepth : Math.max(0, Math.round(own.depth));
  draft.position = { slot: nearest, depth, role: isNote ? 'system' : own.role, outlet: own.outlet };
  if (slot === 'outlet') {
    if (outlets) {
      draft.position.outlet = own.outlet.slice(0, LONGEST_NAME);
      if (own.outlet.length > LONGEST_NAME) {
        note(
          'approximated',
          'position.outlet',
          own.outlet,
          draft.position.outlet,
          'The name of an outlet has at most 200 characters there.',
        );
      }
      return;
    }
    draft.position.slot = 'world';
    draft.position.outlet = '';
    const message =
      'This version of Marinara has no outlets; the entry is there, switched off, so that its text is not put elsewhere.';
    note('approximated', 'position.slot', slot, 'world', message);
    switchOff(entry, draft, note, message);
    return;
  }
  draft.position.outlet = '';
  if (nearest !== slot) {
    const where = isNote ? `at depth ${noteDepth}` : WHERE[nearest];
    note(
      'approximated',
      'position.slot',
      slot,
      nearest,
      `Marinara has no place ${WHERE[slot]}; the entry stands ${where}.`,
    );
  } else if (slot === 'depth' && depth !== own.depth) {
    note('approximated', 'position.depth', own.depth, depth, 'The depth is a whole number from 0 there.');
  }
};

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
  (entry, _draft, _context, note) => {
    const value = entry.timing[name];
    if (value === null) return;
    const message = `${name} counts replies in Marinara and messages in SillyTavern, about two to one; the number was kept.`;
    note('approximated', `timing.${name}`, `${value} messages`, `${value} replies`, message);
  };

/** The names of an entry's groups (SillyTavern 1.19 parts them at commas). */
export const groupNames = ({ group }: Pick<LorebookEntry, 'group'>): readonly string[] =>
  group.name.split(/,\s*/).filter((name) => name !== '');

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
