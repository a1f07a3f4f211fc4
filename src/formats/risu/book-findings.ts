// What is to be said of whole books and of the card: settings that RisuAI has in another way, or not at all (460ecae2).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import type { DepthPrompt, ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { frozenSettings, type RisuOptions } from './book-writing.ts';

/** Findings about the books themselves, in their order. */
export function bookFindings(
  resolved: ResolvedCharacter,
  form: 'card' | 'lorebook',
  options: RisuOptions,
): readonly Finding[] {
  return resolved.books.flatMap((book) => [
    ...headFindings(resolved, book, form, options),
    ...(book === resolved.books[0] ? settingFindings(resolved, book, form, options) : []),
  ]);
}

function headFindings(
  resolved: ResolvedCharacter,
  { lorebook }: ResolvedBook,
  form: 'card' | 'lorebook',
  { contextSize }: RisuOptions,
): readonly Finding[] {
  const { body, name } = lorebook;
  const place = { bookId: lorebook.id, entryId: null };
  const frozen = frozenSettings(resolved.settings, contextSize);
  const found: Finding[] = [];
  const kept = (path: string, before: Json, after: Json, message: string): void => {
    found.push(finding('stashed', place, path, before, after, message));
  };
  for (const path of ['scanDepth', 'tokenBudget', 'recursiveScanning'] as const) {
    const before = body[path];
    if (before === null || before === frozen[path]) continue;
    const message =
      "SillyTavern uses its own settings, not the book's; theirs were written, the book's are kept aside.";
    kept(path, before, form === 'card' ? frozen[path] : null, message);
  }
  if (name !== '') kept('name', name, null, 'A lorebook of RisuAI’s has no name; it is kept aside.');
  if (body.description !== '') {
    kept(
      'description',
      body.description,
      null,
      'A lorebook of RisuAI’s has no description; it is kept aside.',
    );
  }
  for (const [key, value] of Object.entries(body.bag.book)) {
    found.push(
      finding('lost', place, key, value ?? null, null, 'Nobody there knows this field of the lorebook.'),
    );
  }
  return found;
}

function settingFindings(
  { settings, books }: ResolvedCharacter,
  book: ResolvedBook,
  form: 'card' | 'lorebook',
  { contextSize }: RisuOptions,
): readonly Finding[] {
  const place = { bookId: book.lorebook.id, entryId: null };
  const frozen = frozenSettings(settings, contextSize);
  const found: Finding[] = [];
  const near = (path: string, before: Json, after: Json, message: string): void => {
    found.push(finding('approximated', place, path, before, after, message));
  };
  if (form === 'card' && settings.budgetCap <= 0) {
    const message =
      'RisuAI counts its budget in tokens, not in percent of the context; change it there when the context is another.';
    near('settings.budget', `${settings.budget} % of the context`, frozen.tokenBudget, message);
  }
  if (settings.minActivations > 0) {
    const message = 'RisuAI does not search further back until enough entries fire.';
    near('settings.minActivations', settings.minActivations, 0, message);
  }
  if (frozen.recursiveScanning && settings.maxRecursionSteps > 0) {
    near(
      'settings.maxRecursionSteps',
      settings.maxRecursionSteps,
      'no limit',
      'RisuAI makes as many passes as it takes.',
    );
  }
  if (books.length > 1 && settings.characterStrategy !== 0) {
    near('settings.characterStrategy', settings.characterStrategy, 0, 'RisuAI sorts all books together.');
  }
  return found;
}

/** What becomes of the character's note. */
export function depthPromptFinding({ prompt, depth, role }: DepthPrompt): Finding {
  const message = "RisuAI drops a card's note; it is an entry that always fires, at the same depth.";
  const place = { bookId: null, entryId: null };
  return finding(
    'approximated',
    place,
    'data.extensions.depth_prompt',
    { prompt, depth, role },
    'an entry',
    message,
  );
}
