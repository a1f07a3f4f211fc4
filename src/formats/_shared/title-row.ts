// The row of an entry's title and memo. SillyTavern has one field for both, `comment`; CCv3 has `name` too.

import type { Json } from '../../core/json.ts';
import type { EntryField, EntrySource } from './entry-field.ts';
import { inEntry } from './entry-field.ts';

const textOf = (source: EntrySource, key: string): string => {
  const raw: Json | undefined = source.entry[key];
  if (typeof raw === 'string') return raw;
  if (raw === undefined || raw === null) return '';
  const after = typeof raw === 'number' ? String(raw) : '';
  source.note(
    'repaired',
    'title',
    raw,
    after,
    `${key} is not a text and was read as ${JSON.stringify(after)}.`,
  );
  return after;
};

/**
 * `name` is the title and `comment` the memo when both stand there; else whichever stands there is the title.
 * Written without a twin, a title alone goes to `comment`, which is the one that SillyTavern shows.
 */
export const titleRow: EntryField = {
  path: 'title',
  wires: [inEntry('comment'), inEntry('name')],
  isPlain: false,
  read: (source, draft) => {
    const name = textOf(source, 'name');
    const comment = textOf(source, 'comment');
    draft.title = name === '' ? comment : name;
    // Marinara writes its one title under both names.
    const isOne = source.options.ownNumbers === 'marinara' && name === comment;
    draft.memo = name === '' || isOne ? '' : comment;
  },
  same: (a, b) => a.title === b.title && a.memo === b.memo,
  take: (from, into) => {
    into.title = from.title;
    into.memo = from.memo;
  },
  write: (entry, target) => {
    const held = target.twin?.entry;
    const named = held !== undefined && typeof held['name'] === 'string' && held['name'] !== '';
    if (target.options.ownNumbers === 'marinara' && held !== undefined && entry.memo === '') {
      target.entry['name'] = entry.title;
      target.entry['comment'] = entry.title;
      return;
    }
    if (entry.memo !== '' || (named && entry.title !== '')) {
      target.entry['name'] = entry.title;
      if (entry.memo !== '' || (held !== undefined && Object.hasOwn(held, 'comment'))) {
        target.entry['comment'] = entry.memo;
      }
      return;
    }
    if (held !== undefined && Object.hasOwn(held, 'name')) target.entry['name'] = '';
    target.entry['comment'] = entry.title;
  },
  show: (entry) => (entry.memo === '' ? entry.title : [entry.title, entry.memo]),
};
