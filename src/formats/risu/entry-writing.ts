// One entry in force, written for RisuAI: the nearest that it can say, with a finding for every difference.

import type { Finding, Note } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import { emptyBag } from '../../core/lorebook.ts';
import type { ResolvedEntry } from '../../core/resolved.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { keepAside, noteKeyDoubts, noteUnknown } from '../_shared/draft-steps.ts';
import { withFields } from '../_shared/entry-table.ts';
import { writeDecoratorLines } from '../_shared/risu/decorator-lines.ts';
import { doubledFirst, workingForm } from '../_shared/risu/key-form.ts';
import { decoratorsOf } from '../_shared/risu/table.ts';
import type { WriteFacts } from '../_shared/risu/written-lines.ts';
import { RISU_FIELDS } from './fields.ts';
import { KEY_WRITERS, patternOf, type WrittenKeys } from './keys.ts';
import type { WriteContext } from './nearest.ts';
import { priorityOf } from './placing.ts';

/** An entry of RisuAI's, before it is put into a card or a file of its own. */
export interface RisuLore {
  readonly title: string;
  /** What stands in a card beside its title; RisuAI shows the title. */
  readonly comment: string;
  /** The text below its decorators. */
  readonly content: string;
  readonly enabled: boolean;
  readonly constant: boolean;
  readonly selective: boolean;
  readonly order: number;
  readonly isPattern: boolean;
  readonly keys: readonly string[];
  readonly secondary: readonly string[];
  /** RisuAI's own row with the entry's edits in it, where it is written so. */
  readonly own?: JsonObject;
}

/** A written entry and what is to be said of it. */
export interface WrittenEntry {
  /** One, or several of which at most one fires. */
  readonly rows: readonly RisuLore[];
  readonly findings: readonly Finding[];
}

/** Writes an entry. Values that no place holds are kept aside in the stash, which the caller makes. */
export function writeRisuEntry(
  resolved: ResolvedEntry,
  bookId: string,
  context: WriteContext,
  isPrivate: boolean,
): WrittenEntry {
  const { entry, source } = resolved;
  const findings: Finding[] = [];
  const note = noteInto(findings, { bookId, entryId: source.id });
  const draft: EntryDraft = withFields(entry, entry, []);
  draft.bag = emptyBag(CHARACTER_BOOK);
  for (const { path, nearest, absent } of RISU_FIELDS) {
    nearest?.(entry, draft, context, note);
    if (absent === undefined) continue;
    keepAside(path, { absent, isPrivate }, entry, draft, note);
  }
  noteUnknown(source.bag.entry, source.bag.extensions, note, (key) => key.startsWith('risu_'));
  const written = KEY_WRITERS[context.style](entry, context);
  noteKeyDoubts(entry, written.doubts, note);
  return { rows: rowsOf(entry, draft, written, context, note), findings };
}

function rowsOf(
  entry: LorebookEntry,
  draft: LorebookEntry,
  written: WrittenKeys,
  context: WriteContext,
  note: Note,
): readonly RisuLore[] {
  const { winners: over } = context;
  // A constant entry asks for no keys at all there, so one that can be kept out gets a key that is always found.
  const isKeptOut = draft.constant && over !== null;
  const isPattern = isKeptOut || written.isPattern;
  const { secondary } = written;
  const winners = (over?.keys ?? []).map((key) =>
    isPattern ? patternOf(key, entry.scan, context.includeNames).text : keyText(key),
  );
  if (over !== null) noteWinners(entry, winners, over.depth, note);
  const facts: WriteFacts = {
    bookDepth: context.bookDepth,
    secondary,
    isPattern,
    needed: [],
    excluded: winners,
    priority: priorityOf(entry, draft.order),
  };
  const row = (each: LorebookEntry, its: WriteFacts): RisuLore => {
    const isAny = each.selective && each.logic === 'and_any';
    const list = (keys: readonly string[]): readonly string[] => (isPattern ? doubledFirst(keys) : keys);
    return {
      title: draft.title,
      comment: entry.memo || draft.title,
      content: writeDecoratorLines(decoratorsOf(each, its), draft.content),
      enabled: draft.enabled,
      constant: each.constant,
      selective: isAny,
      order: draft.order,
      isPattern,
      keys: list(isKeptOut ? [ANY_TEXT] : written.keys),
      secondary: isAny ? list(secondary) : [],
    };
  };
  if (isKeptOut) {
    const scan = { ...draft.scan, depth: over.depth };
    return [row({ ...draft, constant: false, selective: false, scan }, facts)];
  }
  if (draft.constant) return [row({ ...draft, selective: false }, { ...facts, excluded: [] })];
  const isNotAll = draft.selective && draft.logic === 'not_all' && secondary.length > 1;
  if (!isNotAll) {
    const logic = draft.logic === 'not_all' ? 'not_any' : draft.logic;
    return [row({ ...draft, logic }, facts)];
  }
  // RisuAI has no "not all of them". The first missing key tells the copies apart, so at most one fires.
  const message = `Written as ${secondary.length} entries of which at most one fires: RisuAI has no “not all of them”.`;
  note('repaired', 'logic', 'not_all', 'not_any', message);
  note('repaired', 'secondaryKeys', secondary, [secondary[0] ?? ''], message);
  return secondary.map((key, at) =>
    row(
      { ...draft, selective: false },
      { ...facts, needed: secondary.slice(0, at), excluded: [key, ...winners] },
    ),
  );
}

const ANY_TEXT = workingForm({ source: '', flags: '' }).text;
const keyText = (key: LorebookEntry['keys'][number]): string =>
  key.kind === 'literal' ? key.text.trim() : '';

function noteWinners(entry: LorebookEntry, winners: readonly string[], depth: number, note: Note): void {
  const message = 'The keys of the preferred entries of its group were added as keys that must be missing.';
  note('repaired', 'secondaryKeys', entry.secondaryKeys.length, winners, message);
  note('repaired', 'logic', entry.logic, 'not_any', message);
  note('repaired', 'selective', entry.selective, true, message);
  if (!entry.constant) return;
  note('repaired', 'constant', true, false, message);
  note('repaired', 'keys', entry.keys.length, [ANY_TEXT], message);
  note('repaired', 'scan.depth', null, depth, message);
}
