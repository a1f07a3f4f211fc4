// Reads a list of entries in one of Marinara's forms, as the house knows a lorebook that was read.

import type { Finding, Note } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import type { ReadOptions } from '../_shared/entry-field.ts';
import { entryIdAt } from '../_shared/entry-ids.ts';
import { entryReader } from '../_shared/entry-reader.ts';
import { type EntryRecord, type EntryRecords, entryRecords } from '../_shared/entry-records.ts';
import { completeMarinara, isIdleInMarinara } from '../_shared/marinara/complete.ts';
import { type Form, MARINARA_TABLES } from './fields.ts';

/** How entries of Marinara's own forms are read: every field stands at the entry's own level. */
export const READ_MARINARA: ReadOptions = {
  precedence: 'entry-first',
  patternKeys: false,
  ownWords: true,
  complete: completeMarinara,
  isIdle: isIdleInMarinara,
};

/** Entries and what stood in the file for each. */
export interface ReadEntries {
  readonly entries: readonly LorebookEntry[];
  readonly known: EntryRecords;
  readonly findings: readonly Finding[];
}

/** Something of an entry that its row does not say; may change what was read. */
export type AlsoRead = (raw: Json, entry: LorebookEntry, note: Note) => LorebookEntry;

/** Reads raw entries in order; never throws. */
export function readEntries(
  form: Form,
  items: readonly Json[],
  bookId: string,
  also: AlsoRead = (_, entry) => entry,
): ReadEntries {
  const table = MARINARA_TABLES[form];
  const reader = entryReader(table, READ_MARINARA);
  const findings: Finding[] = [];
  const records: EntryRecord[] = [];
  const entries = items.map((raw, index): LorebookEntry => {
    const id = entryIdAt(index);
    const note: Note = (code, path, before, after, message) => {
      findings.push(finding(code, { bookId, entryId: id }, path, before, after, message));
    };
    const entry = reader.read(raw, id, note);
    const originalId = isObject(raw) ? raw[table.identity] : undefined;
    records.push({ id, raw, originalId, position: reader.position });
    return also(raw, entry, note);
  });
  return { entries, known: entryRecords(records), findings };
}
