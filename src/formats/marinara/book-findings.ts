// What is to be said of whole books: settings that Marinara has in another way, or not at all (2.3.3).

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import type { ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { frozenSettings, type WrittenBook } from './book-writing.ts';

/** Marinara's own limit of entries at a time, which a card cannot raise. */
export const ENTRY_LIMIT = 100;

/** Findings about the books themselves, in their order; of one that Marinara itself wrote there is nothing to say. */
export function bookFindings(
  resolved: ResolvedCharacter,
  form: 'card' | 'native',
  written: readonly Pick<WrittenBook, 'book' | 'twin'>[],
): readonly Finding[] {
  const anew = written.filter(({ twin }) => twin === null).map(({ book }) => book);
  const [first] = written;
  if (form === 'card' && first !== undefined && first.twin !== null)
    return anew.flatMap((book) => underOwnHead(resolved, book, first.book));
  return anew.flatMap((book) => [
    ...headFindings(resolved, book, form),
    ...(book === anew[0] ? settingFindings(resolved, book) : []),
  ]);
}

// One book holds all in a card: that of Marinara's keeps its settings, and they count for the others, too.
function underOwnHead(
  { settings }: ResolvedCharacter,
  { lorebook }: ResolvedBook,
  { lorebook: first }: ResolvedBook,
): readonly Finding[] {
  const { name, body } = first;
  const before = frozenSettings(settings).scanDepth;
  if (body.scanDepth === null || body.scanDepth === before) return [];
  const message = `In Marinara it is part of “${name}” and is searched with the settings of that lorebook.`;
  const place = { bookId: lorebook.id, entryId: null };
  return [finding('approximated', place, 'scanDepth', before, body.scanDepth, message)];
}

function headFindings(
  resolved: ResolvedCharacter,
  { lorebook, entries }: ResolvedBook,
  form: 'card' | 'native',
): readonly Finding[] {
  const { body, name } = lorebook;
  const place = { bookId: lorebook.id, entryId: null };
  const frozen = frozenSettings(resolved.settings);
  const found: Finding[] = [];
  const kept = (path: string, before: Json, after: Json, message: string): void => {
    found.push(finding('stashed', place, path, before, after, message));
  };
  for (const [path, after] of [
    ['scanDepth', frozen.scanDepth],
    ['tokenBudget', frozen.tokenBudget],
    ['recursiveScanning', frozen.recursiveScanning],
  ] as const) {
    const before = body[path];
    if (before === null || before === after) continue;
    kept(
      path,
      before,
      after,
      "SillyTavern uses its own settings, not the book's; theirs were written, the book's are kept aside.",
    );
  }
  if (form === 'card') {
    const character = resolved.character.name;
    const given = `${character} — ${character}'s Lorebook`;
    if (name !== given)
      kept('name', name, given, 'Marinara names a lorebook that it takes out of a card after the character.');
    if (entries.length > ENTRY_LIMIT) {
      const message = `Marinara puts at most ${ENTRY_LIMIT} entries of a lorebook into a prompt unless its Entry Limit is raised.`;
      found.push(finding('approximated', place, 'entryLimit', 'none', ENTRY_LIMIT, message));
    }
  } else if (name.length > 200) {
    found.push(
      finding(
        'approximated',
        place,
        'name',
        name,
        name.slice(0, 200),
        'A name has at most 200 characters there.',
      ),
    );
  }
  for (const [key, value] of Object.entries(body.bag.book)) {
    found.push(
      finding('lost', place, key, value ?? null, null, 'Nobody there knows this field of the lorebook.'),
    );
  }
  if (entries.some(({ source }) => source.displayIndex !== null)) {
    kept(
      'displayIndex',
      'places in the list',
      null,
      "The places in SillyTavern's list are kept aside; Marinara sorts by order.",
    );
  }
  return found;
}

function settingFindings({ settings, books }: ResolvedCharacter, book: ResolvedBook): readonly Finding[] {
  const place = { bookId: book.lorebook.id, entryId: null };
  const frozen = frozenSettings(settings);
  const found: Finding[] = [];
  const near = (path: string, before: Json, after: Json, message: string): void => {
    found.push(finding('approximated', place, path, before, after, message));
  };
  if (settings.budgetCap > 0) {
    near(
      'settings.budget',
      `${settings.budgetCap} tokens, high order first`,
      `${frozen.tokenBudget} tokens, low order first`,
      'When the budget is short, Marinara keeps entries of low order and SillyTavern those of high order.',
    );
  } else {
    near(
      'settings.budget',
      `${settings.budget} % of the context`,
      'none',
      "Marinara cannot count a budget in percent: the book has none, and the chat's own (8192 tokens) limits all lorebooks.",
    );
  }
  if (settings.minActivations > 0) {
    near(
      'settings.minActivations',
      settings.minActivations,
      0,
      'Marinara does not search further back until enough entries fire.',
    );
  }
  const steps = settings.maxRecursionSteps;
  if (frozen.recursiveScanning && steps - 1 > frozen.maxRecursionDepth) {
    near(
      'settings.maxRecursionSteps',
      steps,
      frozen.maxRecursionDepth + 1,
      'Marinara makes at most 10 further passes.',
    );
  }
  if (books.length > 1 && settings.characterStrategy !== 0) {
    near('settings.characterStrategy', settings.characterStrategy, 0, 'Marinara sorts all books together.');
  }
  return found;
}
