// What is written into Marinara when it cannot say a value: the nearest thing that it can, with a finding each
// (decisions 9, 10 and 29; Marinara Engine 2.3.3).

import { shown } from '../../core/finding.ts';
import { writeKey } from '../../core/key.ts';
import { nearestPosition } from '../../core/position.ts';
import type { DelayedPasses } from '../../core/resolved.ts';
import { type NearestIn, noteKeyDoubts, switchOff } from '../_shared/draft-steps.ts';
import { noteSecondTitle, oneTitle } from '../_shared/one-title.ts';
import { WHERE } from '../_shared/position-row.ts';
import type { Style } from './keys.ts';
import { KEY_WRITERS } from './keys.ts';
import { marinaraPlace } from './placing.ts';

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

/** A step of writing an entry for Marinara. */
export type Nearest = NearestIn<WriteContext>;

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
  noteKeyDoubts(entry, written.doubts, note);
};

const LONGEST_NAME = 200;

/** One name, never empty and at most 200 characters, as Marinara's editor wants it. */
export const title: Nearest = (entry, draft, { number }, note) => {
  const own = oneTitle(entry);
  const [key] = entry.keys;
  const spare = key === undefined ? '' : writeKey(key).trim();
  const name = (own.trim() === '' ? spare || `Entry ${number}` : own).slice(0, LONGEST_NAME);
  draft.title = name;
  draft.memo = '';
  noteSecondTitle(entry, 'Marinara', note);
  if (own.trim() === '') {
    note('assumed', 'title', own, name, `Every entry needs a name there; this one got ${shown(name)}.`);
  } else if (own.length > LONGEST_NAME) {
    note('approximated', 'title', own, name, 'A name has at most 200 characters there; it was cut.');
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

/** The nearest slot: at the note's depth, before or after the character; outlets are hidden where there are none. */
export const position: Nearest = (entry, draft, { outlets, noteDepth }, note) => {
  const own = nearestPosition(entry.position);
  const { slot } = own;
  const place = marinaraPlace(own, { noteDepth });
  const { slot: nearest, depth } = place;
  const isNote = slot === 'note_top' || slot === 'note_bottom';
  draft.position = { ...place };
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
