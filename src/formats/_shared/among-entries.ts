// What other entries, and the names of speakers, do to an entry in SillyTavern (1.19) and not in apps that decide each
// entry of a group by itself and search only what was said.

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { ResolvedCharacter, ResolvedEntry } from '../../core/resolved.ts';
import { groupNames } from './group-names.ts';

/** The entries of each group that never reach the prompt but can win in SillyTavern. */
export function blockingGroups({ books }: ResolvedCharacter): ReadonlyMap<string, readonly ResolvedEntry[]> {
  const groups = new Map<string, ResolvedEntry[]>();
  for (const each of books.flatMap(({ entries }) => entries)) {
    if (!each.blocksGroup) continue;
    for (const name of groupNames(each.entry)) {
      const held = groups.get(name);
      if (held) held.push(each);
      else groups.set(name, [each]);
    }
  }
  return groups;
}

/** An entry of chance 0 that takes the turn of its group in SillyTavern only. */
export const unblocked = ({ source }: ResolvedEntry, bookId: string, name: string): Finding =>
  finding(
    'approximated',
    { bookId, entryId: source.id },
    'group.name',
    `${name}, with an entry of chance 0`,
    `${name}, without it`,
    'An entry with a chance of 0 takes the turn of its group here; there it is off and takes none.',
  );

/** A key that is found in a speaker's name in SillyTavern only. `app`: its name. */
export const named = ({ source }: ResolvedEntry, bookId: string, key: string, app: string): Finding =>
  finding(
    'approximated',
    { bookId, entryId: source.id },
    'keys',
    `${key}, names of speakers searched`,
    `${key}, names of speakers not searched`,
    `The key “${key}” can be found in a speaker's name here; ${app} searches only what was said.`,
  );
