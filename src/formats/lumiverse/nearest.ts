// What is written into Lumiverse when it cannot say a value: the nearest thing that it can, with a finding each
// (decisions 9, 10 and 29; Lumiverse 1.1.0).

import type { Style } from '../../core/exporter.ts';
import { nearestPosition } from '../../core/position.ts';
import type { DelayedPasses } from '../../core/resolved.ts';
import { type NearestIn, noteKeyDoubts } from '../_shared/draft-steps.ts';
import { noteSecondTitle, oneTitle } from '../_shared/one-title.ts';
import { WHERE } from '../_shared/position-row.ts';
import { switchedKeys } from '../_shared/switched-keys.ts';
import { LUMIVERSE_KEYS } from './keys.ts';
import { lumiversePosition } from './placing.ts';

/** What writing an entry depends on beside the entry. */
export interface WriteContext {
  readonly style: Style;
  /** The depth of the author's note. */
  readonly noteDepth: number;
  readonly delayedPasses: DelayedPasses;
  /** Whether SillyTavern searches the text of entries for keys. */
  readonly recursive: boolean;
  /** The order that keeps the entry's place in the text. */
  readonly order: number;
  /** Why it is another one than its own; null when it is its own. */
  readonly orderReason: string | null;
}

/** A step of writing an entry for Lumiverse. */
export type Nearest = NearestIn<WriteContext>;

/** Keys, in the style that was chosen. Those of a constant entry start nothing and are written as they read. */
export const keys: Nearest = (entry, draft, { style }, note) => {
  const written = switchedKeys(entry, entry.constant ? 'natural' : style, LUMIVERSE_KEYS);
  draft.keys = written.keys;
  draft.secondaryKeys = written.secondaryKeys;
  draft.scan = {
    ...draft.scan,
    caseSensitive: written.caseSensitive,
    matchWholeWords: written.matchWholeWords,
  };
  noteKeyDoubts(entry, written.doubts, note);
};

/** One title. */
export const title: Nearest = (entry, draft, _context, note) => {
  draft.title = oneTitle(entry);
  draft.memo = '';
  noteSecondTitle(entry, 'Lumiverse', note);
};

/** Orders that keep the text in the order that it has here. */
export const order: Nearest = (entry, draft, { order: written, orderReason }, note) => {
  draft.order = written;
  if (orderReason !== null) note('repaired', 'order', entry.order, written, orderReason);
};

/** The nearest slot: the author's note's at its depth; an outlet stays one, which needs a name. */
export const position: Nearest = (entry, draft, { noteDepth }, note) => {
  const own = nearestPosition(entry.position);
  const place = lumiversePosition(own, { noteDepth });
  draft.position = { ...place };
  const { slot } = own;
  if (slot !== place.slot) {
    const message = `Lumiverse has no place ${WHERE[slot]}; the entry stands at depth ${noteDepth}.`;
    note('approximated', 'position.slot', slot, place.slot, message);
  } else if (slot === 'depth' && place.depth !== own.depth) {
    const message = 'The depth is a whole number from 0 there.';
    note('approximated', 'position.depth', own.depth, place.depth, message);
  } else if (slot === 'outlet' && place.outlet !== place.outlet.trim()) {
    draft.position.outlet = place.outlet.trim();
    const message = 'Blanks at the ends of an outlet’s name do not count there.';
    note('approximated', 'position.outlet', place.outlet, draft.position.outlet, message);
  }
};
