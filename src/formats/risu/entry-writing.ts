// One entry in force, written for RisuAI: the nearest that it can say, with a finding for every difference.

import type { Finding, Note } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import { emptyBag, newEntry } from '../../core/lorebook.ts';
import type { ResolvedEntry } from '../../core/resolved.ts';
import { CHARACTER_BOOK, CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { withFields } from '../_shared/entry-table.ts';
import { writeDecoratorLines } from '../_shared/risu/decorator-lines.ts';
import { doubledFirst, workingForm } from '../_shared/risu/key-form.ts';
import { decoratorsOf } from '../_shared/risu/table.ts';
import type { WriteFacts } from '../_shared/risu/written-lines.ts';
import { RISU_FIELDS } from './fields.ts';
import { KEY_LISTS, KEY_WRITERS, patternOf, type WrittenKeys } from './keys.ts';
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

/** Fields that name other things of the user's (decisions 26). */
export const PRIVATE_FIELDS: readonly string[] = ['characterFilter', 'automationId'];

const BLANK: LorebookEntry = newEntry('');
const SOURCE_ROWS = new Map(CHARACTER_BOOK_FIELDS.map((row) => [row.path, row]));

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
    const row = SOURCE_ROWS.get(path);
    if (row === undefined || row.same(entry, BLANK)) continue;
    row.take(BLANK, draft);
    const isDropped = isPrivate && PRIVATE_FIELDS.includes(path);
    const said = isDropped ? 'It was dropped because it is private.' : `Kept aside: ${absent}.`;
    note(isDropped ? 'lost' : 'stashed', path, row.show(entry), row.show(BLANK), said);
  }
  noteBag(source, note);
  const written = KEY_WRITERS[context.style](entry, context);
  noteKeys(entry, written, note);
  return { rows: rowsOf(entry, draft, written, context, note), findings };
}

function noteKeys(entry: LorebookEntry, { doubts }: WrittenKeys, note: Note): void {
  if (entry.constant) return;
  for (const path of KEY_LISTS) {
    const counts = path === 'keys' || entry.selective;
    const [first, ...others] = counts ? doubts.filter((each) => each.path === path) : [];
    if (first === undefined) continue;
    const more = others.length === 0 ? '' : ` So may ${others.length} more of its keys.`;
    note('approximated', path, first.before, first.after, first.message + more);
  }
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

// A world file's entry carries along the extensions that it had in a card; under the names of live fields they are stale
// copies that SillyTavern does not read (1.19).
const STALE: ReadonlySet<string> = new Set(
  CHARACTER_BOOK_FIELDS.flatMap(({ wires }) =>
    wires.flatMap(({ at, key }) => (at === 'extensions' ? [key] : [])),
  ),
);

// SillyTavern's editor has a tick for showing the title.
const NOTHING = new Set(['addMemo']);

function noteBag({ bag }: LorebookEntry, note: Note): void {
  const held: readonly (readonly [string, JsonObject])[] = [
    ['', bag.entry],
    ['extensions.', bag.extensions],
  ];
  for (const [prefix, fields] of held) {
    for (const [key, value] of Object.entries(fields)) {
      if (value === undefined || value === null || (NOTHING.has(key) && prefix === '')) continue;
      if (prefix !== '' && (STALE.has(key) || key.startsWith('risu_'))) continue;
      note('stashed', prefix + key, value, null, 'Kept aside: nobody there knows this field.');
    }
  }
}
