// One entry in force, written for Marinara: the nearest that it can say, with a finding for every difference.

import type { Finding } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import { emptyBag, newEntry } from '../../core/lorebook.ts';
import type { ResolvedEntry } from '../../core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { withFields } from '../_shared/entry-table.ts';
import { writeEntry } from '../_shared/entry-writer.ts';
import { type Form, MARINARA_FIELDS, MARINARA_TABLES } from './fields.ts';
import type { WriteContext } from './nearest.ts';
import { READ_MARINARA } from './reading.ts';

/** A written entry and what is to be said of it. */
export interface WrittenEntry {
  readonly raw: JsonObject;
  /** What it was meant to say there. */
  readonly nearest: LorebookEntry;
  readonly findings: readonly Finding[];
}

/** Fields that name other things of the user's (decisions 26). */
export const PRIVATE_FIELDS: readonly string[] = ['characterFilter', 'automationId'];

const BLANK: LorebookEntry = newEntry('');
const SOURCE_ROWS = new Map(CHARACTER_BOOK_FIELDS.map((row) => [row.path, row]));

/**
 * Writes an entry; `id` is the number that the written entry gets, `isPrivate` whether private fields stay behind.
 * Values that no place holds are kept aside in the stash, which the caller makes. `form`: the table, where it is not that
 * of the context.
 */
export function writeMarinaraEntry(
  resolved: ResolvedEntry,
  bookId: string,
  id: number,
  context: WriteContext,
  isPrivate: boolean,
  form: Form = context.form,
): WrittenEntry {
  const { entry } = resolved;
  const findings: Finding[] = [];
  const note = noteInto(findings, { bookId, entryId: resolved.source.id });
  const draft: EntryDraft = withFields(entry, entry, []);
  draft.bag = emptyBag(MARINARA_TABLES[form].dialect);
  for (const field of MARINARA_FIELDS) {
    field.nearest?.(entry, draft, context, note);
    if (field.rows[form] !== undefined || field.absent === undefined) continue;
    const row = SOURCE_ROWS.get(field.path);
    if (row === undefined || row.same(entry, BLANK)) continue;
    row.take(BLANK, draft);
    const isDropped = isPrivate && PRIVATE_FIELDS.includes(field.path);
    if (isDropped)
      note('lost', field.path, row.show(entry), row.show(BLANK), 'It was dropped because it is private.');
    else note('stashed', field.path, row.show(entry), row.show(BLANK), asSentence(field.absent));
  }
  noteBag(resolved.source, note);
  const identity = form === 'card' ? { id } : {};
  const written = writeEntry(MARINARA_TABLES[form], draft, identity, undefined, READ_MARINARA);
  const { extensions: _none, ...raw } = Object.fromEntries(
    Object.entries(written).filter(([, value]) => value !== undefined && value !== null),
  ) as Record<string, Json>;
  return { raw, nearest: draft, findings };
}

const asSentence = (reason: string): string => `Kept aside: ${reason}.`;

// A world file's entry carries along the extensions that it had in a card; under the names of live fields they are stale
// copies that SillyTavern does not read (1.19).
const STALE: ReadonlySet<string> = new Set(
  CHARACTER_BOOK_FIELDS.flatMap(({ wires }) =>
    wires.flatMap(({ at, key }) => (at === 'extensions' ? [key] : [])),
  ),
);

// SillyTavern's editor has a tick for showing the title.
const NOTHING = new Set(['addMemo']);

function noteBag({ bag }: LorebookEntry, note: ReturnType<typeof noteInto>): void {
  const held: readonly (readonly [string, JsonObject])[] = [
    ['', bag.entry],
    ['extensions.', bag.extensions],
  ];
  for (const [prefix, fields] of held) {
    for (const [key, value] of Object.entries(fields)) {
      if (value === undefined || value === null || (NOTHING.has(key) && prefix === '')) continue;
      if (prefix !== '' && STALE.has(key)) continue;
      note('stashed', prefix + key, value, null, 'Kept aside: nobody there knows this field.');
    }
  }
}
