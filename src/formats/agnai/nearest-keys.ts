// An entry's keys as keywords, and what becomes of those that Agnai has no way to look for (1.0.27).

import type { Note } from '../../core/finding.ts';
import { writeKey } from '../../core/key.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import { switchOff } from '../_shared/draft-steps.ts';
import { writtenKeywords } from './keys.ts';
import { keyOfKeyword } from './keywords.ts';
import type { Nearest, WriteContext } from './write-context.ts';

/** Keywords, in the style that was chosen; `*` for an entry that is always there. */
export const keys: Nearest = (entry, draft, context, note) => {
  if (entry.constant) {
    draft.keys = [];
    if (context.isNamelessThere && entry.enabled) {
      const message =
        'Agnai only sees lines with a Latin letter or a digit: the entry is missing where none of the lines has one.';
      note('approximated', 'constant', true, 'in every line with a Latin letter or digit', message);
    }
    return;
  }
  const { keywords, doubts, lost } = writtenKeywords(entry, context.style);
  const all = [...new Set([...keywords, ...context.alsoStartedBy])];
  draft.constant = all.includes('*');
  draft.keys = draft.constant ? [] : all.map(keyOfKeyword);
  if (!entry.enabled) return;
  if (all.length === 0) {
    nothingToLookFor(entry, draft, context, note);
    return;
  }
  if (draft.constant) {
    const message = keywords.includes('*')
      ? 'Its keys are found in every text, so it is always there.'
      : 'The text of an entry that is always there names it, so it is always there too.';
    note('approximated', 'constant', false, true, message);
    return;
  }
  if (all.length > keywords.length) {
    const message =
      'Agnai does not search the text of entries, so the keywords of those that name it were added.';
    note('approximated', 'keys', entry.keys.map(writeKey), all, message);
    return;
  }
  const [first] = doubts;
  const [dropped] = lost;
  const shown = keywords.map((keyword) => (hasWildcard(keyword) ? keyword : `${keyword} (whole words)`));
  if (first === undefined && dropped === undefined) {
    if (context.keyInName === null) return;
    const key = writeKey(context.keyInName);
    const message = `The key “${key}” can be found in a speaker's name in Agnai; here names are not searched.`;
    note('approximated', 'keys', `${key}, names not searched`, shown, message);
    return;
  }
  const count = doubts.length + lost.length - 1;
  const [key, reason] =
    first === undefined
      ? [dropped, 'Agnai has no way to look for it, so it was left out']
      : [first.key, first.reason];
  const more = count === 0 ? '' : ` So may ${count} more of its keys.`;
  note(
    'approximated',
    'keys',
    entry.keys.map(writeKey),
    shown,
    `The key “${key === undefined ? '' : writeKey(key)}” may match differently in Agnai: ${reason}.${more}`,
  );
};

const hasWildcard = (keyword: string): boolean => /[*?]/.test(keyword);

function nothingToLookFor(
  entry: LorebookEntry,
  draft: EntryDraft,
  { withoutKeywords }: WriteContext,
  note: Note,
): void {
  const why =
    entry.keys.length === 0
      ? 'It has no keys'
      : 'Agnai cannot look for its keys: it only sees Latin letters and digits';
  if (withoutKeywords === 'always') {
    draft.constant = true;
    note('approximated', 'constant', false, true, `${why}; it is always there instead.`);
  } else {
    switchOff(entry, draft, note, `${why}; it is switched off, its text is kept.`);
  }
  if (entry.keys.length > 0) note('approximated', 'keys', entry.keys.map(writeKey), [], `${why}.`);
}
