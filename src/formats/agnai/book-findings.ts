// What is to be said of whole books: settings that Agnai has in another way, or not at all (1.0.27).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { AGNAI } from './fields.ts';
import type { MemoryPreset } from './preset.ts';

/**
 * Findings about the books themselves, in their order; `head` is what was written of the first one. `isRanked`: weights
 * and priorities are not those that the book came with.
 */
export function bookFindings(
  resolved: ResolvedCharacter,
  preset: MemoryPreset,
  head: JsonObject,
  isRanked: boolean,
): readonly Finding[] {
  return resolved.books.flatMap((book, at) => [
    ...headFindings(book, at === 0 ? head : null, isRanked),
    ...(at === 0 ? settingFindings(resolved, preset, book) : []),
  ]);
}

function headFindings(
  { lorebook, entries }: ResolvedBook,
  head: JsonObject | null,
  isRanked: boolean,
): readonly Finding[] {
  const { body, name } = lorebook;
  const place = { bookId: lorebook.id, entryId: null };
  const found: Finding[] = [];
  const kept = (path: string, before: Json, after: Json, message: string): void => {
    found.push(finding('stashed', place, path, before, after, message));
  };
  for (const path of ['name', 'description', 'scanDepth', 'tokenBudget', 'recursiveScanning'] as const) {
    const before = path === 'name' ? name : body[path];
    const after = head?.[path] ?? null;
    if (before === null || before === '' || before === after) continue;
    const message =
      path === 'name' || path === 'description'
        ? 'A character has one lorebook there, under the name of the first; the others are joined to it, and their names kept aside.'
        : 'Neither app reads this of a book; it is kept aside.';
    kept(path, before, after, message);
  }
  if (body.bag.dialect !== AGNAI) {
    for (const [key, value] of Object.entries(body.bag.book)) {
      found.push(
        finding('lost', place, key, value ?? null, null, 'Nobody there knows this field of the lorebook.'),
      );
    }
  }
  const orders = entries.map(({ source }) => source.order);
  if (isRanked && orders.length > 0) {
    kept(
      'order',
      [...new Set(orders)].slice(0, 20),
      'ranks',
      'Weights and priorities are ranks, so that entries follow each other as in SillyTavern; the orders are kept aside.',
    );
  }
  if (entries.some(({ source }) => source.displayIndex !== null)) {
    kept('displayIndex', 'places in the list', null, "The places in SillyTavern's list are kept aside.");
  }
  return found;
}

function settingFindings(
  { settings, books }: ResolvedCharacter,
  { memoryDepth, memoryContextLimit, needed }: MemoryPreset,
  book: ResolvedBook,
): readonly Finding[] {
  const place = { bookId: book.lorebook.id, entryId: null };
  const found: Finding[] = [];
  const near = (path: string, before: Json, after: Json, message: string): void => {
    found.push(finding('approximated', place, path, before, after, message));
  };
  if (needed > memoryContextLimit) {
    near(
      'settings.budget',
      settings.budgetCap > 0 ? `${settings.budgetCap} tokens` : `${settings.budget} % of the context`,
      `${memoryContextLimit} tokens`,
      'All entries together can take more than the memory block may hold; those of the highest order stay.',
    );
  }
  if (!settings.includeNames) {
    near('settings.includeNames', false, true, 'Agnai always searches the names of those who speak, too.');
  }
  if (settings.minActivations > 0) {
    near(
      'settings.minActivations',
      settings.minActivations,
      0,
      'Agnai does not search further back until enough entries fire.',
    );
  }
  const isSearched = books.some(({ entries }) => entries.some(({ fires }) => fires === 'keys'));
  if (isSearched && settings.depth > 0 && settings.depth !== memoryDepth) {
    near(
      'settings.depth',
      settings.depth,
      memoryDepth,
      'The depth in the preset is that of most entries, at most 100.',
    );
  }
  return found;
}
