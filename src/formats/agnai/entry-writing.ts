// One entry in force, written into a memory book: the nearest that Agnai can say, with a finding for every difference.

import type { Finding } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { NO_FIELDS } from '../../core/json.ts';
import type { EntryDraft } from '../../core/lorebook.ts';
import { emptyBag } from '../../core/lorebook.ts';
import type { ResolvedEntry } from '../../core/resolved.ts';
import { keepAside, noteUnknown } from '../_shared/draft-steps.ts';
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
    const { path, absent } = field;
    if (absent !== undefined) keepAside(path, { absent, isPrivate }, entry, draft, note);
  }
  // What a memory book had beside its six fields did nothing there before either.
  const { bag } = source;
  noteUnknown(bag.dialect === AGNAI_TABLE.dialect ? NO_FIELDS : bag.entry, bag.extensions, note);
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
