// One entry in force, written for Marinara: the nearest that it can say, with a finding for every difference.

import type { Finding } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import { emptyBag } from '../../core/lorebook.ts';
import type { ResolvedEntry } from '../../core/resolved.ts';
import { keepAside, noteUnknown } from '../_shared/draft-steps.ts';
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
    const { path, absent } = field;
    if (field.rows[form] !== undefined || absent === undefined) continue;
    keepAside(path, { absent, isPrivate }, entry, draft, note);
  }
  noteUnknown(resolved.source.bag.entry, resolved.source.bag.extensions, note);
  const identity = form === 'card' ? { id } : {};
  const written = writeEntry(MARINARA_TABLES[form], draft, identity, undefined, READ_MARINARA);
  const { extensions: _none, ...raw } = Object.fromEntries(
    Object.entries(written).filter(([, value]) => value !== undefined && value !== null),
  ) as Record<string, Json>;
  return { raw, nearest: draft, findings };
}
