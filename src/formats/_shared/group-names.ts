// The inclusion groups of an entry.

import type { LorebookEntry } from '../../core/lorebook.ts';

/** The names of an entry's groups (SillyTavern 1.19 parts them at commas). */
export const groupNames = ({ group }: Pick<LorebookEntry, 'group'>): readonly string[] =>
  group.name.split(/,\s*/).filter((name) => name !== '');
