// A character and its lorebooks as SillyTavern's engine would have them in force (1.19). What SillyTavern does is the
// reference; every difference from what was read is a finding, apart from settings that were folded in.

import type { CanonicalCharacter } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import { jsonAt } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../core/lorebook.ts';
import type {
  BookOrigin,
  DepthPrompt,
  ResolvedBook,
  ResolvedCharacter,
  ResolvedEntry,
  ScanSettings,
} from '../../core/resolved.ts';
import { resolvedFindings } from './resolve-differences.ts';
import type { EntryContext, OpenMatters, ResolvedOne } from './resolve-entry.ts';
import { resolveEntry } from './resolve-entry.ts';
import { alwaysLosing, scoredGroups } from './resolve-groups.ts';
import type { StaticSource } from './resolve-keys.ts';
import { contentValues, expandMacros, type MacroValues, macroValues } from './resolve-macros.ts';
import { engineOrder } from './resolve-order.ts';
import { judgeDelayed } from './resolve-recursion.ts';

/** A lorebook in force, and whose it is. */
export interface BookInForce {
  readonly lorebook: CanonicalLorebook;
  readonly origin: BookOrigin;
}

/** What is to be resolved. */
export interface ResolveInput {
  readonly character: CanonicalCharacter;
  readonly books: readonly BookInForce[];
  readonly settings: ScanSettings;
  /** The persona's name. */
  readonly userName: string;
  /** The character's file name, with its ending. */
  readonly avatar: string;
  /** Ids of the tags that the user gave the character; absent or null when they are not known. */
  readonly tagIds?: readonly string[] | null;
}

/** Resolves a character with its books. Nothing is changed, no entry is left out, and ids stay. */
export function resolveCharacter(input: ResolveInput): ResolvedCharacter {
  const { character, settings, userName } = input;
  const books = countedOnce(input.books);
  const values = macroValues(character, userName);
  const context: EntryContext = {
    settings,
    values,
    contentValues: contentValues(character),
    sources: staticSources(character, values),
    character: { avatar: input.avatar, tagIds: input.tagIds ?? null },
    scored: scoredGroups(
      books.flatMap(({ lorebook }) => lorebook.body.entries),
      settings,
    ),
  };
  const open = new Map<LorebookEntry, OpenMatters>();
  const first = books.map(({ lorebook, origin }): ResolvedBook => {
    const entries = lorebook.body.entries.map((entry): ResolvedEntry => {
      const one: ResolvedOne = resolveEntry(entry, context);
      open.set(entry, one.open);
      return one.resolved;
    });
    return { lorebook, origin, entries };
  });
  const { books: judged, delayedPasses } = judgeTogether(first, settings, context.scored);
  return {
    character,
    books: judged,
    settings,
    delayedPasses,
    depthPrompt: depthPromptOf(character, context.contentValues),
    userName,
    findings: judged.flatMap(({ lorebook, entries }): readonly Finding[] =>
      entries.flatMap((resolved) => resolvedFindings(resolved, lorebook.id, open.get(resolved.source))),
    ),
  };
}

// SillyTavern asks in this order whether another place holds the book already (getGlobalLore, getChatLore,
// getPersonaLore, getCharacterLore).
const PRECEDENCE: readonly BookOrigin[] = ['global', 'chat', 'persona', 'primary', 'additional'];

function countedOnce(books: readonly BookInForce[]): readonly BookInForce[] {
  const rank = ({ origin }: BookInForce): number => PRECEDENCE.indexOf(origin);
  const first = new Map<string, BookInForce>();
  for (const book of books) {
    const held = first.get(book.lorebook.id);
    if (held === undefined || rank(book) < rank(held)) first.set(book.lorebook.id, book);
  }
  return books.filter((book) => first.get(book.lorebook.id) === book);
}

// What an entry does may hang on the others: who can start a recursion, and who always wins a group.
function judgeTogether(
  first: readonly ResolvedBook[],
  settings: ScanSettings,
  scored: ReadonlySet<string>,
): { readonly books: readonly ResolvedBook[]; readonly delayedPasses: ResolvedCharacter['delayedPasses'] } {
  let books = first;
  for (;;) {
    const { passes, never } = judgeDelayed(
      books.flatMap(({ entries }) => entries),
      settings,
    );
    const reasons = new Map(never);
    // With "min activations" depths grow while others stay.
    const losing =
      settings.minActivations > 0
        ? new Set<ResolvedEntry>()
        : alwaysLosing(engineOrder(books, settings), scored);
    for (const entry of losing) {
      if (!reasons.has(entry)) reasons.set(entry, 'Another entry of its group always wins.');
    }
    if (reasons.size === 0) return { books, delayedPasses: passes };
    books = books.map((book) => ({ ...book, entries: book.entries.map((each) => turnedOff(each, reasons)) }));
  }
}

function turnedOff(resolved: ResolvedEntry, reasons: ReadonlyMap<ResolvedEntry, string>): ResolvedEntry {
  const reason = reasons.get(resolved);
  if (reason === undefined) return resolved;
  return { ...resolved, entry: { ...resolved.entry, enabled: false }, fires: 'never', reason };
}

function staticSources(character: CanonicalCharacter, values: MacroValues): readonly StaticSource[] {
  const { body } = character;
  const note = jsonAt(body.extensions, ['depth_prompt', 'prompt']);
  const texts: readonly (readonly [StaticSource['name'], string, string])[] = [
    ['characterDescription', body.description, 'the character’s description'],
    ['characterPersonality', body.personality, 'the character’s personality'],
    ['characterDepthPrompt', typeof note === 'string' ? note : '', 'the character’s note'],
    ['scenario', body.scenario, 'the scenario'],
    ['creatorNotes', body.creatorNotes, 'the creator’s notes'],
  ];
  // Texts of the card are empty inside each other; a letter in place of what stays open joins no word and ends none.
  const names: MacroValues = { ...values, card: new Map([...values.card.keys()].map((name) => [name, ''])) };
  return texts.flatMap(([name, text, place]): StaticSource[] => {
    const { text: expanded, open } = expandMacros(text.trim(), names, () => '_');
    const searched = expanded.replace(/\r/g, '');
    return searched === '' ? [] : [{ name, text: searched, place, open }];
  });
}

function depthPromptOf(character: CanonicalCharacter, values: MacroValues): DepthPrompt | null {
  const at = (key: string) => jsonAt(character.body.extensions, ['depth_prompt', key]);
  const written = at('prompt');
  const prompt = typeof written === 'string' ? expandMacros(written.trim(), values).text : '';
  if (prompt.trim() === '') return null;
  const depth = Number(at('depth') ?? 4);
  const role = at('role');
  return {
    prompt,
    depth: Number.isFinite(depth) && depth >= 0 ? depth : 4,
    role: role === 'user' || role === 'assistant' ? role : 'system',
  };
}
