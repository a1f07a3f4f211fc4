// What is to be said of a lorebook as a whole that is written as RoleCall's file: its own fields, and the settings of
// SillyTavern's that the file cannot say (1.19).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { namedHead } from './lorebook-file.ts';

/** Findings about a book. `head`: its fields as they were written. */
export function bookFindings(
  book: ResolvedBook,
  resolved: ResolvedCharacter,
  head: JsonObject,
): readonly Finding[] {
  return [...headFindings(book, head), ...settingFindings(book, resolved)];
}

function settingFindings(
  { lorebook, entries }: ResolvedBook,
  { settings }: ResolvedCharacter,
): readonly Finding[] {
  if (!entries.some(({ entry }) => entry.enabled)) return [];
  const found: Finding[] = [];
  const near = (path: string, before: Json, after: Json, message: string): void => {
    found.push(finding('approximated', { bookId: lorebook.id, entryId: null }, path, before, after, message));
  };
  const { budget, budgetCap, minActivations, maxRecursionSteps } = settings;
  const part = `${budget} % of the context`;
  near(
    'settings.budget',
    budgetCap > 0 ? `${part}, at most ${budgetCap} tokens` : part,
    budgetCap > 0 ? `${budgetCap} tokens` : 'none',
    'The file has room for a number of tokens and not for a part of the context.',
  );
  if (minActivations > 0)
    near(
      'settings.minActivations',
      minActivations,
      0,
      'The file cannot say that more messages are searched until enough entries fire.',
    );
  // The first scan is one of the steps, 0 is no limit; 1 is no recursion, which the file says.
  if (settings.recursive && maxRecursionSteps > 1)
    near(
      'settings.maxRecursionSteps',
      maxRecursionSteps,
      0,
      'The file says that entries start others, and not for how many steps.',
    );
  return found;
}

const HEAD: readonly (readonly ['scanDepth' | 'tokenBudget' | 'recursiveScanning', string])[] = [
  ['scanDepth', 'scan_depth'],
  ['tokenBudget', 'token_budget'],
  ['recursiveScanning', 'recursive_scanning'],
];

function headFindings({ lorebook, entries }: ResolvedBook, head: JsonObject): readonly Finding[] {
  const place = { bookId: lorebook.id, entryId: null };
  const now = namedHead(head);
  const found = HEAD.flatMap(([path, name]): readonly Finding[] => {
    const before = lorebook.body[path];
    const after = now[name] ?? null;
    if (before === null || before === after) return [];
    const message =
      "SillyTavern uses its own settings, not the book's; theirs were written, the book's are kept aside.";
    return [finding('stashed', place, path, before, after, message)];
  });
  const kept = lorebook.body.bag.dialect === CHARACTER_BOOK;
  const unknown = Object.entries(lorebook.body.bag.book).filter(([, value]) => (value ?? null) !== null);
  const rest = unknown.map(([key, value]) =>
    finding(
      kept ? 'stashed' : 'lost',
      place,
      key,
      value,
      null,
      'Nobody there knows this field of the lorebook.',
    ),
  );
  const orders = new Set(entries.filter(({ entry }) => entry.enabled).map(({ entry }) => entry.order));
  if (orders.size < 2) return [...found, ...rest];
  const message =
    'RoleCall is said to put entries of a higher order first, where SillyTavern puts them last; the numbers were kept.';
  return [...found, ...rest, finding('approximated', place, 'order', 'lower first', 'higher first', message)];
}
