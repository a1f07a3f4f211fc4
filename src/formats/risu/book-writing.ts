// Lorebooks in force, written for RisuAI: their entries in one list, each measured and with its original kept aside.

import type { Style } from '../../core/exporter.ts';
import type { Finding } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { ResolvedBook, ResolvedCharacter, ResolvedEntry, ScanSettings } from '../../core/resolved.ts';
import { BOOK_FAMILIES } from '../_shared/book-family.ts';
import { CHARACTER_BOOK_TABLE } from '../_shared/character-book.ts';
import { CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { PRIVATE_FIELDS } from '../_shared/draft-steps.ts';
import type { ReadOptions } from '../_shared/entry-field.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { unsaidLosses } from '../_shared/in-force.ts';
import { originalIds } from '../_shared/kept-book.ts';
import { asOwnStash, isEdited } from '../_shared/own-twin.ts';
import { rowMark } from '../_shared/risu/written-rows.ts';
import { stashEntry } from '../_shared/stash.ts';
import type { RisuTwin } from './book-twin.ts';
import { shieldsOf, winnersOf } from './decided-ahead.ts';
import { differencesOf } from './differences.ts';
import { type RisuLore, type WrittenEntry, writeRisuEntry } from './entry-writing.ts';
import type { CaseSensitiveKeys } from './keys.ts';
import { placingsOf } from './placing.ts';
import { unsearchedFindings, unsearchedOf } from './unsearched.ts';

/** How a character is written for RisuAI. */
export interface RisuOptions {
  readonly style: Style;
  /** Nothing changed between versions so far. */
  readonly targetVersion?: string;
  /** Whether fields that name other things of the user's travel in the stash; they do not by themselves. */
  readonly privateFields?: 'keep' | 'drop';
  /** Whether text chunks of the picture stay, in which RisuAI holds assets. */
  readonly keepsChunks?: boolean;
  /** The depth of SillyTavern's author's note; 4 is its default. */
  readonly noteDepth?: number;
  /** The context size of SillyTavern in tokens, of which its budget is a part. */
  readonly contextSize?: number;
  /** How the style `natural` writes plain keys that mind case; `exact` always writes patterns. */
  readonly caseSensitiveKeys?: CaseSensitiveKeys;
}

/** Settings of a book that stand for SillyTavern's. */
export interface FrozenSettings {
  readonly scanDepth: number;
  readonly tokenBudget: number;
  readonly recursiveScanning: boolean;
}

/** Assumed where nobody tells: RisuAI's own default budget (8000) is about SillyTavern's 25 % of it. */
const USUAL_CONTEXT = 32_768;

/** SillyTavern's settings as those of a RisuAI book (1.19 counts the first scan among the steps, 0 is no limit). */
export function frozenSettings(settings: ScanSettings, contextSize = USUAL_CONTEXT): FrozenSettings {
  const { depth, budget, budgetCap, recursive, maxRecursionSteps } = settings;
  const part = Math.max(1, Math.round((budget * contextSize) / 100));
  return {
    scanDepth: Math.max(0, Math.round(depth)),
    tokenBudget: budgetCap > 0 ? Math.min(budgetCap, part) : part,
    recursiveScanning: recursive && maxRecursionSteps !== 1,
  };
}

/** A written row with what is kept aside of its entry. */
export interface WrittenRow {
  readonly entryId: string;
  readonly lore: RisuLore;
  readonly stash: JsonObject;
}

/** A written book. */
export interface WrittenBook {
  readonly book: ResolvedBook;
  readonly rows: readonly WrittenRow[];
  readonly findings: readonly Finding[];
}

/** Written books, and where the character's note goes among their entries. */
export interface WrittenBooks {
  readonly books: readonly WrittenBook[];
  readonly depthPromptOrder: number;
}

/** How a written entry is read back: as one of RisuAI's. */
export const READ_RISU: ReadOptions = BOOK_FAMILIES.find(({ family }) => family === 'risu') ?? {
  precedence: 'extensions-first',
  patternKeys: false,
};

/** A row as it stands in a card, without anything kept aside. */
export function cardRow(lore: RisuLore, extensions: JsonObject = {}, folder?: string): JsonObject {
  if (lore.own !== undefined) return withExtensions(lore.own, extensions);
  return {
    keys: lore.keys,
    ...(lore.selective ? { secondary_keys: lore.secondary } : {}),
    content: lore.content,
    extensions,
    enabled: lore.enabled,
    insertion_order: lore.order,
    case_sensitive: false,
    constant: lore.constant,
    selective: lore.selective,
    use_regex: lore.isPattern,
    name: lore.title,
    comment: lore.comment,
    mode: 'normal',
    ...(folder === undefined ? {} : { folder }),
  };
}

// Where nothing is to be kept aside, nothing is added.
function withExtensions(own: JsonObject, extensions: JsonObject): JsonObject {
  const held = isObject(own['extensions']) ? own['extensions'] : {};
  const added = Object.entries(extensions).filter(([, value]) => isObject(value) && 'shown' in value);
  const isNeeded = added.some(([, stash]) => Object.keys((stash as JsonObject)['shown'] ?? {}).length > 0);
  return isNeeded ? { ...own, extensions: { ...held, ...Object.fromEntries(added) } } : own;
}

const readRow = (row: JsonObject, id: string): LorebookEntry =>
  readEntry(CHARACTER_BOOK_TABLE, row, id, READ_RISU, () => undefined);

/** A written row as RisuAI shows it. */
export const shownRow = (lore: RisuLore, id: string): LorebookEntry => readRow(cardRow(lore), id);

/**
 * Writes the entries of all books and measures each: it is read back and compared. Of a book with a twin only what was
 * edited is written, under the twin's own settings.
 */
export function writeBooks(
  resolved: ResolvedCharacter,
  form: 'card' | 'lorebook',
  options: RisuOptions,
  twin: RisuTwin | null = null,
): WrittenBooks {
  const isPrivate = options.privateFields !== 'keep';
  const noteDepth = options.noteDepth ?? 4;
  const frozen = frozenSettings(resolved.settings, options.contextSize);
  const [scanDepth, isRecursive] =
    twin === null ? [frozen.scanDepth, frozen.recursiveScanning] : [twin.scanDepth, twin.isRecursive];
  const placings = placingsOf(resolved, noteDepth);
  const shields = shieldsOf(resolved, isRecursive);
  const winners = winnersOf(resolved);
  const unsearched = unsearchedOf(resolved);
  const books = resolved.books.map((book, number): WrittenBook => {
    const findings: Finding[] = [];
    const idOf = originalIds(book);
    const { id: bookId } = book.lorebook;
    const rows = book.entries.flatMap((each, at): readonly WrittenRow[] => {
      if (twin !== null && twin.untouched(each.source) !== null) return [];
      const written = writeRisuEntry(
        each,
        bookId,
        {
          // Plain keys would be whole words in such a book.
          style: twin?.isFullWord === true ? 'exact' : options.style,
          caseSensitiveKeys: options.caseSensitiveKeys ?? 'pattern',
          noteDepth,
          bookDepth: form === 'card' ? scanDepth : null,
          isRecursive,
          includeNames: resolved.settings.includeNames,
          isAlone: form === 'lorebook',
          delayedPasses: resolved.delayedPasses,
          order: (twin === null ? placings.of.get(each) : undefined) ?? each.entry.order,
          winners: winners.get(each) ?? null,
          shield: shields.get(each) ?? 'none',
        },
        isPrivate,
      );
      const { id } = each.source;
      const [only, ...copies] = written.rows;
      const own =
        twin === null || only === undefined || copies.length > 0
          ? null
          : twin.edited(each.source, cardRow(only), (row) => readRow(row, id));
      const rows = own === null || only === undefined ? written.rows : [{ ...only, own: own.row }];
      const shown = rows.map((lore) => shownRow(lore, id));
      const bookDepth = scanDepth ?? resolved.settings.depth;
      const said = [
        ...written.findings,
        ...unsearchedFindings(each, bookId, unsearched),
        ...unsaid(each, shown[0] ?? each.entry, written, bookId, resolved.settings, bookDepth),
      ];
      for (const one of said) if (own === null || isEdited(one.path, own.edited)) findings.push(one);
      const place = { book: number, at, id: idOf(id) ?? at };
      const kept = own === null ? [] : CHARACTER_BOOK_FIELDS.map(({ path }) => path);
      const without = [
        ...(isPrivate ? PRIVATE_FIELDS : []),
        ...kept.filter((path) => own?.edited.includes(path) !== true),
      ];
      return rows.map((lore, copy): WrittenRow => {
        const stash = stashEntry(each.source, shown[copy] ?? each.entry, place, without);
        const many = rows.length > 1 ? { copies: rows.length, row: rowMark(cardRow(lore)) } : {};
        const mark = twin === null ? stash : asOwnStash(stash);
        return { entryId: id, lore, stash: { ...mark, in: 'risu', ...many } };
      });
    });
    return { book, rows, findings };
  });
  return { books, depthPromptOrder: placings.depthPrompt };
}

function unsaid(
  { entry, source }: ResolvedEntry,
  shown: LorebookEntry,
  written: WrittenEntry,
  bookId: string,
  settings: ScanSettings,
  bookDepth: number,
): readonly Finding[] {
  const { recursiveScanning: isRecursive } = frozenSettings(settings);
  const { depth, includeNames } = settings;
  const differences = differencesOf(entry, shown, {
    meant: { ours: true, bookDepth: depth, isRecursive, includeNames },
    read: { ours: false, bookDepth, isRecursive, includeNames },
  });
  return unsaidLosses(differences, written.findings, { bookId, entryId: source.id });
}
