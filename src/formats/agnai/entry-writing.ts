// One entry in force, written into a memory book: the nearest that Agnai can say, with a finding for every difference.

import type { Finding, Note } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import { emptyBag, newEntry } from '../../core/lorebook.ts';
import type { ResolvedEntry } from '../../core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { withFields } from '../_shared/entry-table.ts';
import { writeEntry } from '../_shared/entry-writer.ts';
import { AGNAI_FIELDS, AGNAI_TABLE } from './fields.ts';
import { READ_AGNAI } from './memory-book.ts';
import type { WriteContext } from './write-context.ts';

/** A written entry and what is to be said of it. */
export interface WrittenEntry {
  readonly raw: JsonObject;
  readonly findings: readonly Finding[];
}

/** Fields that name other things of the user's (decisions 26). */
export const PRIVATE_FIELDS: readonly string[] = ['characterFilter', 'automationId'];

const BLANK: LorebookEntry = newEntry('');
const SOURCE_ROWS = new Map(CHARACTER_BOOK_FIELDS.map((row) => [row.path, row]));

/** Writes an entry with the six fields that Agnai keeps; the stash holds the rest, which the caller makes. */
export function writeAgnaiEntry(
  resolved: ResolvedEntry,
  bookId: string,
  context: WriteContext,
  isPrivate: boolean,
): WrittenEntry {
  const { entry, source } = resolved;
  const findings: Finding[] = [];
  const note = noteInto(findings, { bookId, entryId: source.id });
  const draft: EntryDraft = withFields(entry, entry, []);
  draft.bag = emptyBag(AGNAI_TABLE.dialect);
  for (const field of AGNAI_FIELDS) {
    field.nearest?.(entry, draft, context, note);
    if (field.absent === undefined) continue;
    const row = SOURCE_ROWS.get(field.path);
    if (row === undefined || row.same(entry, BLANK)) continue;
    row.take(BLANK, draft);
    const isDropped = isPrivate && PRIVATE_FIELDS.includes(field.path);
    if (isDropped)
      note('lost', field.path, row.show(entry), row.show(BLANK), 'It was dropped because it is private.');
    else note('stashed', field.path, row.show(entry), row.show(BLANK), `Kept aside: ${field.absent}.`);
  }
  noteBag(source, note);
  const { weight, priority } = context.place;
  const written = writeEntry(AGNAI_TABLE, draft, {}, undefined, READ_AGNAI);
  const raw = {
    name: draft.title,
    entry: written['entry'] as Json,
    keywords: written['keywords'] as Json,
    priority,
    weight,
    enabled: written['enabled'] as Json,
  };
  return { raw, findings };
}

// SillyTavern's editor has a tick for showing the title.
const NOTHING = new Set(['addMemo']);

function noteBag({ bag }: LorebookEntry, note: Note): void {
  // What a memory book had beside its six fields did nothing there before either.
  const ofEntry = bag.dialect === AGNAI_TABLE.dialect ? {} : bag.entry;
  for (const [prefix, fields] of [
    ['', ofEntry],
    ['extensions.', bag.extensions],
  ] as const) {
    for (const [key, value] of Object.entries(fields)) {
      if (value === null || value === undefined || (NOTHING.has(key) && prefix === '')) continue;
      note('stashed', prefix + key, value, null, 'Kept aside: nobody there knows this field.');
    }
  }
}
