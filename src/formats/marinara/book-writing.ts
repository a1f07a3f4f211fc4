// One or several lorebooks in force, written for Marinara: their entries, their settings frozen from SillyTavern's, and
// what is kept aside of each.

import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { OwnPart } from '../../core/own-part.ts';
import type { ResolvedBook, ResolvedCharacter, ResolvedEntry, ScanSettings } from '../../core/resolved.ts';
import { blockingGroups, named, unblocked } from '../_shared/among-entries.ts';
import { BOOK_FAMILIES } from '../_shared/book-family.ts';
import { CHARACTER_BOOK_TABLE } from '../_shared/character-book.ts';
import { PRIVATE_FIELDS } from '../_shared/draft-steps.ts';
import type { ReadOptions } from '../_shared/entry-field.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { writeEntry } from '../_shared/entry-writer.ts';
import { groupNames } from '../_shared/group-names.ts';
import { unsaidLosses } from '../_shared/in-force.ts';
import { originalIds } from '../_shared/kept-book.ts';
import {
  asOwnStash,
  asTheyWere,
  type OverlaidEntry,
  type OwnTwin,
  onTwin,
  ownParts,
  saidOf,
} from '../_shared/own-twin.ts';
import { keyInName } from '../_shared/speaker-names.ts';
import type { EntryStash } from '../_shared/stash.ts';
import { stashEntry } from '../_shared/stash.ts';
import { textPlaces } from '../_shared/text-order.ts';
import { combined, winnerWeights } from './among-entries.ts';
import { combiningEntries } from './combined-keys.ts';
import { differencesOf } from './differences.ts';
import { type WrittenEntry, writeMarinaraEntry } from './entry-writing.ts';
import { type Form, MARINARA_TABLES } from './fields.ts';
import type { Style } from './keys.ts';
import type { WriteContext } from './nearest.ts';
import { idsBeside, marinaraTwin, OWN_MARINARA } from './own-books.ts';
import { marinaraRegion, marinaraSlotRank } from './placing.ts';
import { READ_MARINARA } from './reading.ts';

/** How a character is written for Marinara. */
export interface MarinaraOptions {
  readonly style: Style;
  /** Outlets exist from 2.4 on; absent is 2.3. */
  readonly targetVersion?: string;
  /** Whether fields that name other things of the user's travel in the stash; they do not by themselves. */
  readonly privateFields?: 'keep' | 'drop';
  /** The depth of SillyTavern's author's note; 4 is its default. */
  readonly noteDepth?: number;
  /** When it was exported, for Marinara's own files, which never read it. */
  readonly exportedAt?: string;
}

/** Whether a version of Marinara has outlets (2.4 and later). */
export function hasOutlets(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? '').replace(/^v/i, '').split('.').map(Number);
  return major > 2 || (major === 2 && minor >= 4);
}

/** Settings of a book that stand for SillyTavern's, within what Marinara's editor allows. */
export interface FrozenSettings {
  readonly scanDepth: number;
  readonly tokenBudget: number;
  readonly recursiveScanning: boolean;
  readonly maxRecursionDepth: number;
}

/** SillyTavern's settings as those of a book (1.19 counts the first scan among the steps, 0 is no limit). */
export function frozenSettings(settings: ScanSettings): FrozenSettings {
  const { depth, budgetCap, recursive, maxRecursionSteps: steps } = settings;
  return {
    scanDepth: Math.max(1, Math.round(depth)),
    tokenBudget: Math.max(0, Math.round(budgetCap)),
    recursiveScanning: recursive && steps !== 1,
    maxRecursionDepth: steps <= 0 ? MOST_PASSES : Math.max(1, Math.min(MOST_PASSES, steps - 1)),
  };
}

const MOST_PASSES = 10;

/** An entry as written, with its stash; null where there is nothing to keep. */
export interface WrittenBookEntry {
  readonly id: string;
  readonly raw: JsonObject;
  readonly stash: EntryStash | null;
}

/** A written book. */
export interface WrittenBook {
  readonly book: ResolvedBook;
  readonly entries: readonly WrittenBookEntry[];
  readonly findings: readonly Finding[];
  /** What Marinara itself wrote, and what of it is as it was. */
  readonly twin: OwnTwin | null;
  readonly own: readonly OwnPart[];
}

/** How an entry in a card is read back: by the shared table, as one of Marinara's. */
export const READ_CARD: ReadOptions =
  BOOK_FAMILIES.find(({ family }) => family === 'marinara') ?? READ_MARINARA;

/**
 * Writes the entries of all books in one form, numbered through, and measures each: it is read back and compared. Those
 * that Marinara itself wrote are its own again, but for what was edited. `as`: the table, where it is not the form's.
 */
export function writeBooks(
  resolved: ResolvedCharacter,
  form: 'card' | 'native',
  options: MarinaraOptions,
  as: Form = form,
): readonly WrittenBook[] {
  const isPrivate = options.privateFields !== 'keep';
  const depth = frozenSettings(resolved.settings).scanDepth;
  const weights = winnerWeights(resolved);
  const recursive = frozenSettings(resolved.settings).recursiveScanning;
  const all = resolved.books.flatMap(({ entries }) => entries.map(({ entry }) => entry));
  const combining = recursive ? combiningEntries(all) : new Set<LorebookEntry>();
  const places = textPlaces(resolved, { recursive, regionOf: marinaraRegion, slotRank: marinaraSlotRank });
  const blockers = blockingGroups(resolved);
  const twins = resolved.books.map(({ lorebook }) => marinaraTwin(lorebook, as));
  const nextId = idsBeside(twins);
  // Each entry of a merged book says of which one it is.
  const areMerged = form === 'card' && twins.length > 1;
  return resolved.books.map((book, number): WrittenBook => {
    const twin = twins[number] ?? null;
    const findings: Finding[] = [];
    const idOf = originalIds(book);
    const { id: bookId } = book.lorebook;
    const overlaid: [string, OverlaidEntry | null][] = [];
    const entries = book.entries.map((each, at): WrittenBookEntry => {
      const context: WriteContext = {
        form,
        style: options.style,
        outlets: hasOutlets(options.targetVersion),
        noteDepth: options.noteDepth ?? 4,
        bookDepth: depth,
        number: at + 1,
        delayedPasses: resolved.delayedPasses,
        // Among orders of Marinara's own a number means what it means there.
        order: twin === null ? (places.get(each)?.order ?? each.entry.order) : each.entry.order,
        winnerWeight: weights.get(each) ?? null,
      };
      let made: WrittenEntry | null = null;
      const write = (): WrittenEntry => {
        made ??= writeMarinaraEntry(each, bookId, nextId(), context, isPrivate, as);
        return made;
      };
      const own = onTwin(each.source, twin, OWN_MARINARA(as), () => write().nearest);
      overlaid.push([each.source.id, own]);
      const place = { book: number, at, id: idOf(each.source.id) ?? at };
      const keep = (raw: JsonObject): EntryStash => {
        const shown = shownEntry(raw, as, each.source.id);
        const without = [...(isPrivate ? PRIVATE_FIELDS : []), ...(own === null ? [] : asTheyWere(own))];
        const stash = stashEntry(each.source, shown, place, without);
        return twin === null ? stash : asOwnStash(stash);
      };
      const { id } = each.source;
      if (own !== null && own.edited.length === 0)
        return { id, raw: own.raw, stash: areMerged ? keep(own.raw) : null };
      const written = write();
      const raw = own?.raw ?? written.raw;
      const shown = shownEntry(raw, as, each.source.id);
      const said = [...written.findings];
      if (combining.has(each.entry)) said.push(combined(each, bookId));
      const blocked = groupNames(each.entry).find((name) =>
        blockers.get(name)?.some((other) => other !== each),
      );
      if (blocked !== undefined && each.fires !== 'never') said.push(unblocked(each, bookId, blocked));
      const inName = keyInName(each, resolved);
      if (inName !== null) said.push(named(each, bookId, writeKey(inName), 'Marinara'));
      const differences = differencesOf(each.entry, shown, { meant: resolved.settings.depth, read: depth });
      for (const one of unsaidLosses(differences, written.findings, { bookId, entryId: each.source.id }))
        said.push(one);
      for (const one of own === null ? said : saidOf(own, said)) findings.push(one);
      const stash = keep(raw);
      if (own !== null) {
        const isNeeded = areMerged || Object.keys(stash.shown).length > 0;
        return { id, raw, stash: isNeeded ? stash : null };
      }
      const extensions = as === 'card' ? { extensions: ownExtensions(each, isPrivate) } : {};
      return { id, raw: { ...raw, ...extensions }, stash };
    });
    const own = ownParts(book.lorebook, twin, overlaid);
    if (twin !== null) return { book, entries, findings, twin, own };
    // Of two entries with the same order Marinara puts the one first that the file has first.
    const ranks = entries.map((written, at) => ({
      written,
      rank: places.get(book.entries[at] as ResolvedEntry)?.rank ?? 0,
    }));
    const inFile = ranks.sort((a, b) => a.rank - b.rank).map(({ written }) => written);
    return { book, entries: inFile, findings, twin, own };
  });
}

/** A written entry as Marinara shows it. */
export function shownEntry(raw: Json, form: Form, id: string): LorebookEntry {
  const quiet = (): void => undefined;
  return form === 'card'
    ? readEntry(CHARACTER_BOOK_TABLE, raw, id, READ_CARD, quiet)
    : readEntry(MARINARA_TABLES[form], raw, id, READ_MARINARA, quiet);
}

// SillyTavern's own values, for readers of its family; Marinara looks at none of them.
function ownExtensions({ source }: ResolvedEntry, isPrivate: boolean): JsonObject {
  const entry = isPrivate ? { ...source, characterFilter: null, automationId: '' } : source;
  return writeEntry(CHARACTER_BOOK_TABLE, entry, {})['extensions'] as JsonObject;
}
