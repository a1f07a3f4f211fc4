// What an app's book says for all its entries, which SillyTavern does not ask a book for (1.19): its own settings count
// for every book, so an entry that says nothing itself is searched as those say.

import type { Note } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { LorebookBody } from '../../core/lorebook.ts';
import { SHIPPED_SCAN_SETTINGS } from './shipped-settings.ts';
import { STASH_KEY } from './stash.ts';

type Settings = Pick<LorebookBody, 'scanDepth' | 'recursiveScanning'>;

/** Whether a raw entry was written by us for an app: it says SillyTavern's own settings again. */
export const isOurs = (item: Json): boolean =>
  isObject(item) &&
  [item, item['extensions'], item['extentions']].some(
    (bag) => isObject(bag) && Object.hasOwn(bag, STASH_KEY),
  );

/**
 * Says once of an app's book that its scan depth or its recursion is only kept, where SillyTavern is shipped with
 * another. `items` are its raw entries.
 */
export function noteUnheededSettings(
  { scanDepth, recursiveScanning }: Settings,
  items: readonly Json[],
  note: Note,
): void {
  if (items.length === 0 || items.some(isOurs)) return;
  const { depth, recursive } = SHIPPED_SCAN_SETTINGS;
  if (scanDepth !== null && scanDepth !== depth) {
    const message = `The book is searched ${scanDepth} messages deep in its app; SillyTavern has one scan depth for all books (${depth} as it is shipped), so this one is kept aside.`;
    note('stashed', 'scanDepth', scanDepth, null, message);
  }
  if (recursiveScanning !== null && recursiveScanning !== recursive) {
    const message = `Whether the book’s entries are searched for keys is set for all books in SillyTavern (${recursive ? 'on' : 'off'} as it is shipped); what this one says is kept aside.`;
    note('stashed', 'recursiveScanning', recursiveScanning, null, message);
  }
}
