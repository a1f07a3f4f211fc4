// The marks of an entry: its state, how far its two positions agree, and what a raw position means. Always an icon and
// a word; only what needs a look has an accent.

import type { PositionReading, Slot } from '../../core/position.ts';
import { t } from '../../host/context.ts';
import type { EntryState, EntryView } from '../../inspection/book-view.ts';

/** A mark: a Font Awesome icon, a word, and how loud it is. */
export interface Mark {
  readonly icon: string;
  readonly word: string;
  readonly weight: 'quiet' | 'note' | 'look';
}

/** The mark of an entry's state. */
export function stateMark(state: EntryState): Mark {
  switch (state) {
    case 'on':
      return { icon: 'toggle-on', word: t`On`, weight: 'quiet' };
    case 'off':
      return { icon: 'toggle-off', word: t`Off`, weight: 'quiet' };
    case 'constant':
      return { icon: 'thumbtack', word: t`Constant`, weight: 'quiet' };
    case 'vectorized':
      return { icon: 'layer-group', word: t`Vectorized`, weight: 'quiet' };
  }
}

/**
 * The mark of an agreement; `floor` is an agreement of its own to a reader. That a world file has the precise value alone
 * is nothing to note: there is no other in it.
 */
export function agreementMark({
  agreement,
  floor,
  precise,
}: Pick<PositionReading, 'agreement' | 'floor'> & { readonly precise?: PositionReading['precise'] }): Mark {
  switch (agreement) {
    case 'agree':
      return floor
        ? { icon: 'angles-down', word: t`Floor`, weight: 'quiet' }
        : { icon: 'equals', word: t`Agree`, weight: 'quiet' };
    case 'coarse-only':
      return { icon: 'circle-half-stroke', word: t`Coarse only`, weight: 'note' };
    case 'precise-only':
      return {
        icon: 'crosshairs',
        word: t`Precise only`,
        weight: precise?.at === 'entry' ? 'quiet' : 'note',
      };
    case 'conflict':
      return { icon: 'not-equal', word: t`Conflict`, weight: 'look' };
    case 'invalid':
      return { icon: 'circle-xmark', word: t`Invalid`, weight: 'look' };
    case 'assumed':
      return { icon: 'circle-question', word: t`Assumed`, weight: 'look' };
  }
}

/** What a slot is called beside its raw number, in as few letters as a column has. */
export function shortSlot(slot: Slot): string {
  switch (slot) {
    case 'world':
      return t`before char`;
    case 'character':
      return t`after char`;
    case 'note_top':
      return t`note top`;
    case 'note_bottom':
      return t`note bottom`;
    case 'depth':
      return t`at depth`;
    case 'before_example':
      return t`examples top`;
    case 'after_example':
      return t`examples bottom`;
    case 'outlet':
      return t`outlet`;
    default:
      return slot;
  }
}

/** A sentence on how an entry's place came to be known. `place`: the place in words. */
export function agreementSentence(view: EntryView, place: string): string {
  const { agreement, floor, precise, coarse } = view;
  if (agreement === 'agree' && !floor) return t`Both values say the same: ${place}.`;
  if (agreement === 'agree')
    return t`The coarse value is the nearest that the standard can say to “${place}”. A reader that skips extensions follows it. Nothing to mend.`;
  if (agreement === 'coarse-only') return t`Only the coarse value is there, so it decides: ${place}.`;
  if (agreement === 'precise-only')
    return precise.at === 'entry'
      ? t`A world file holds one value, and it decides: ${place}.`
      : t`Only the precise value is there, so it decides: ${place}. A reader that skips extensions finds nothing.`;
  if (agreement === 'conflict')
    return t`The two values disagree. SillyTavern puts this entry here: ${place}.`;
  if (agreement === 'assumed')
    return precise.at === 'entry'
      ? t`No position at all: SillyTavern places this entry nowhere until its editor has opened it.`
      : t`No position at all. It is read as SillyTavern would: ${place}.`;
  return coarse.present && !precise.present
    ? t`The coarse value is none that the standard knows. It is read as: ${place}.`
    : t`A value stands there that cannot be used as written. It is read as: ${place}.`;
}
