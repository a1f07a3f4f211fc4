// An entry of two names in an app that shows one. Both stand only where a file names an entry and comments on it (CCv3's
// and RoleCall's `name` or `title` beside `comment`); SillyTavern has one field, so what was born there has one name,
// which is the title here whatever it is called. So the title is always the title, and the memo is kept aside.

import type { Note } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';

type Names = Pick<LorebookEntry, 'title' | 'memo'>;

/** The one name that an app shows: the title, or the memo where there is none. */
export const oneTitle = ({ title, memo }: Names): string => title || memo;

const hasTwo = ({ title, memo }: Names): boolean => title !== '' && memo !== '' && title !== memo;

/** What of an entry's names counts: a second one that is another says something of its own. */
export const titlesInForce = (entry: Names): Json =>
  hasTwo(entry) ? [entry.title, entry.memo] : oneTitle(entry);

/** Says that the second name is only in our stash. `app` shows one name. */
export function noteSecondTitle(entry: Names, app: string, note: Note): void {
  if (!hasTwo(entry)) return;
  const message = `${app} shows one name of an entry; the comment beside it is kept aside.`;
  note('stashed', 'title', [entry.title, entry.memo], entry.title, message);
}
