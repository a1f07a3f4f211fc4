// What is to be said of whole books: settings that Lumiverse has in another way, or not at all (1.1.0).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import type { ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { groupNames } from '../_shared/group-names.ts';
import { isRecursive, type WrittenBook } from './book-writing.ts';
import { MOST_PASSES } from './steps.ts';

/** Which files hold the books. */
export type BookCarrier = 'card' | 'charx' | 'lorebook';

/** Findings about the books themselves, in their order; nothing of those that Lumiverse itself wrote. */
export function bookFindings(
  resolved: ResolvedCharacter,
  carrier: BookCarrier,
  written: readonly WrittenBook[],
): readonly Finding[] {
  const { books } = resolved;
  const anew = written.filter(({ ownBook }) => ownBook === null).map(({ book }) => book);
  return books.flatMap((book) => [
    ...(anew.includes(book) ? headFindings(book) : []),
    ...(book === anew[0] ? settingFindings(resolved, book) : []),
    ...(carrier === 'card' && books.length > 1 ? [merged(book)] : []),
  ]);
}

const merged = ({ lorebook }: ResolvedBook): Finding =>
  finding(
    'approximated',
    { bookId: lorebook.id, entryId: null },
    'book',
    'a lorebook of its own',
    'part of one lorebook',
    'A card holds one lorebook; in a CharX each stays one of its own.',
  );

function headFindings({ lorebook, entries }: ResolvedBook): readonly Finding[] {
  const { body } = lorebook;
  const place = { bookId: lorebook.id, entryId: null };
  const found: Finding[] = [];
  const kept = (path: string, before: Json, message: string): void => {
    found.push(finding('stashed', place, path, before, null, message));
  };
  for (const path of ['scanDepth', 'tokenBudget', 'recursiveScanning'] as const) {
    const before = body[path];
    if (before !== null)
      kept(path, before, 'A lorebook has no such setting there, nor does SillyTavern use it.');
  }
  for (const [key, value] of Object.entries(body.bag.book)) {
    if (value !== undefined) kept(key, value, 'Nobody there knows this field of the lorebook.');
  }
  if (Object.keys(body.extensions).length > 0)
    kept('extensions', body.extensions, 'A lorebook has no extensions there.');
  if (entries.some(({ source }) => source.displayIndex !== null)) {
    const message = "The places in SillyTavern's list are kept aside; Lumiverse sorts by order.";
    kept('displayIndex', 'places in the list', message);
  }
  return found;
}

function settingFindings(resolved: ResolvedCharacter, { lorebook }: ResolvedBook): readonly Finding[] {
  const { settings, books } = resolved;
  const place = { bookId: lorebook.id, entryId: null };
  const found: Finding[] = [];
  const near = (path: string, before: Json, after: Json, message: string): void => {
    found.push(finding('approximated', place, path, before, after, message));
  };
  const budget =
    settings.budgetCap > 0 ? `${settings.budgetCap} tokens` : `${settings.budget} % of the context`;
  near(
    'settings.budget',
    budget,
    'none',
    'Lumiverse has no budget unless one is set for all world books; it keeps entries of low order, SillyTavern those of high order.',
  );
  if (settings.minActivations > 0) {
    const message = 'Lumiverse does not search further back until enough entries fire.';
    near('settings.minActivations', settings.minActivations, 0, message);
  }
  const further = settings.maxRecursionSteps - 1;
  if (isRecursive(resolved) && further > MOST_PASSES) {
    const message = `Lumiverse makes at most ${MOST_PASSES} further passes.`;
    near('settings.maxRecursionSteps', settings.maxRecursionSteps, MOST_PASSES + 1, message);
  }
  const isGrouped = books.some(({ entries }) => entries.some(({ entry }) => groupNames(entry).length > 0));
  if (isGrouped && isRecursive(resolved)) {
    const message =
      'The winner of a group is found last there, so the text of an entry that loses is searched for keys as well.';
    near('settings.groups', 'in each pass', 'after all passes', message);
  }
  if (books.length > 1 && settings.characterStrategy !== 0) {
    const message = 'Lumiverse sorts all books together.';
    near('settings.characterStrategy', settings.characterStrategy, 0, message);
  }
  return found;
}
