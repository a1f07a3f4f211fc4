// Folders of RisuAI's editor: rows among the entries of a book that are no lore, kept where they stand.

import type { Finding } from '../../../core/finding.ts';
import { finding } from '../../../core/finding.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isArray, isObject } from '../../../core/json.ts';
import { type PlacedEntry, rawEntries } from '../raw-entries.ts';

/** Whether a raw entry is a folder: a row in the list, never lore. */
export function isRisuFolder(raw: Json): boolean {
  if (!isObject(raw)) return false;
  if (raw['mode'] !== undefined) return raw['mode'] === 'folder';
  // Exports of before 88336756 (August 2025) do not say what a row is; the key of a folder is no key that anybody writes.
  const { keys } = raw;
  return isArray(keys) && keys.length === 1 && String(keys[0]).startsWith('\uf000folder:');
}

/**
 * Whether a raw entry of a RisuAI book is in its own words. It gives every entry a `mode`, which SillyTavern, embedding its
 * own copy of the book, and an edit of ours leave out. Exports of before 88336756 (August 2025) have no `mode`: there an
 * entry is told by what RisuAI always writes, and by the id and the place that only others write.
 */
export function isRisuEntry(raw: Json): raw is JsonObject {
  if (!isObject(raw)) return false;
  if (raw['mode'] !== undefined && raw['mode'] !== null) return typeof raw['mode'] === 'string';
  return (
    raw['enabled'] === true &&
    typeof raw['case_sensitive'] === 'boolean' &&
    typeof raw['name'] === 'string' &&
    raw['name'] === raw['comment'] &&
    !Object.hasOwn(raw, 'id') &&
    !Object.hasOwn(raw, 'position')
  );
}

/** Whether a book of RisuAI's holds entries in its own words. */
export function speaksRisu(book: JsonObject): boolean {
  return rawEntries(book).items.some(isRisuEntry);
}

/** The items of a list that are lore; the folders among them are named in a finding. */
export function withoutFolders(items: readonly Json[], bookId: string, findings: Finding[]): readonly Json[] {
  const folders = items.filter(isRisuFolder);
  if (folders.length === 0) return items;
  const names = folders.map((raw) => (isObject(raw) ? (raw['name'] ?? raw['comment'] ?? null) : null));
  const message = `SillyTavern has no folders in a lorebook; ${names.length} are kept aside.`;
  findings.push(finding('stashed', { bookId, entryId: null }, 'folders', names, null, message));
  return items.filter((raw) => !isRisuFolder(raw));
}

/** Where each item that is lore stands in the list. */
export function indexesOfLore(items: readonly Json[]): readonly number[] {
  return items.flatMap((raw, index) => (isRisuFolder(raw) ? [] : [index]));
}

/** Puts the folders of a list back in front of the entries that they stood before. */
export function withFolders(items: readonly Json[], placed: readonly PlacedEntry[]): readonly PlacedEntry[] {
  const waiting = items.flatMap((raw, index) => (isRisuFolder(raw) ? [{ raw, twinIndex: index }] : []));
  if (waiting.length === 0) return placed;
  const all: PlacedEntry[] = [];
  for (const each of placed) {
    const { twinIndex } = each;
    while (twinIndex !== null && waiting[0] !== undefined && waiting[0].twinIndex < twinIndex) {
      all.push(waiting.shift() as PlacedEntry);
    }
    all.push(each);
  }
  return [...all, ...waiting];
}
