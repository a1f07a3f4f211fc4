// Below an entry whose two positions disagree: what each says, who follows which, and the mend.

import { t } from '../../host/context.ts';
import type { EntryView } from '../../inspection/book-view.ts';
import { mendsFor } from '../../inspection/mends.ts';
import { cut } from './entry-row.tsx';
import { mendPlan, mendWord } from './mend-plans.ts';
import { slotWords } from './prompt-words.ts';
import type { TabProps } from './tab.ts';
import { writableBook } from './writable-book.ts';

interface Props extends Pick<TabProps, 'subject' | 'book' | 'propose'> {
  readonly entry: EntryView;
}

/** Draws the strip; its button is there only where the book can be written. */
export function ConflictStrip({ entry: view, subject, book, propose }: Props) {
  const source = writableBook(book, subject);
  const isMendable = source !== null && (mendsFor(source).byEntry.get(view.id) ?? []).includes('write-both');
  const place = slotWords(view.slot, view.depth, view.role, view.outlet).words;
  const coarse = cut(JSON.stringify(view.coarse.value), 40);
  const mend = (): void => {
    const mends = [{ kind: 'write-both' as const, entryIds: [view.id] }];
    const plan = source === null ? null : mendPlan(book, subject, source, mends);
    if (plan !== null) void propose(plan);
  };
  return (
    <div class="lf-strip">
      <p>
        {t`Coarse says ${coarse}, precise says ${cut(JSON.stringify(view.precise.value), 40)}. SillyTavern puts the entry here: ${place}. A spec-only reader follows the coarse value.`}
        {isMendable ? ` ${t`Mending keeps the place and writes the matching coarse value.`}` : null}
      </p>
      {isMendable ? (
        <button type="button" class="menu_button lf-primary" onClick={mend}>
          <i class="fa-solid fa-wrench" aria-hidden="true" />
          <span>{mendWord('write-both', source.form)}</span>
        </button>
      ) : null}
    </div>
  );
}
