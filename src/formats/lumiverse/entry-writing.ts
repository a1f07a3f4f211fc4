// One entry in force, written for Lumiverse: the nearest that it can say, with a finding for every difference.

import type { Finding } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { NO_FIELDS } from '../../core/json.ts';
import type { Bag, EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import type { ResolvedEntry } from '../../core/resolved.ts';
import { CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { keepAside, noteUnknown, PRIVATE_FIELDS } from '../_shared/draft-steps.ts';
import { withFields } from '../_shared/entry-table.ts';
import { writeEntry } from '../_shared/entry-writer.ts';
import { STASH_KEY } from '../_shared/stash.ts';
import { LUMIVERSE_FIELDS, LUMIVERSE_TABLES } from './fields.ts';
import type { WriteContext } from './nearest.ts';
import { READ_LUMIVERSE } from './reading.ts';

/** The forms that are written. */
export type WrittenForm = 'native' | 'card';

/** A written entry and what is to be said of it. */
export interface WrittenEntry {
  readonly raw: JsonObject;
  /** What it was meant to say there. */
  readonly nearest: LorebookEntry;
  readonly findings: readonly Finding[];
}

/** What is decided for an entry among all others. */
export interface EntryContext extends WriteContext {
  readonly form: WrittenForm;
  /** What Lumiverse compares before the order. */
  readonly priority: number;
  /** The number that an entry of a card's book gets. */
  readonly number: number;
  /** Whether private fields stay behind. */
  readonly isPrivate: boolean;
}

/** Writes an entry. Values that no place holds are kept aside in the stash, which the caller makes. */
export function writeLumiverseEntry(
  { entry, source }: ResolvedEntry,
  bookId: string,
  context: EntryContext,
): WrittenEntry {
  const { form, priority, number, isPrivate } = context;
  const findings: Finding[] = [];
  const note = noteInto(findings, { bookId, entryId: source.id });
  const draft: EntryDraft = withFields(entry, entry, []);
  for (const field of LUMIVERSE_FIELDS) {
    field.nearest?.(entry, draft, context, note);
    const { path, absent = '' } = field;
    const isHeld = field.rows[form] !== undefined || field.absent === undefined;
    const isDropped = isPrivate && PRIVATE_FIELDS.includes(path);
    if (isDropped || !isHeld) keepAside(path, { absent, isPrivate }, entry, draft, note);
  }
  noteUnknown(source.bag.entry, NO_FIELDS, note);
  draft.bag = carriedBag(source.bag, LUMIVERSE_TABLES[form].dialect);
  const table = LUMIVERSE_TABLES[form];
  const identity: JsonObject = form === 'card' ? { id: number } : {};
  const written = writeWhole(table, draft, identity);
  const { extensions } = written;
  const bag = (extensions ?? {}) as JsonObject;
  const raw: JsonObject =
    form === 'card'
      ? { ...written, extensions: { priority, ...bag } }
      : { ...written, priority, extensions: bag };
  return { raw, nearest: draft, findings };
}

// Every field stands in the file, as the app writes it; an id it makes anew.
function writeWhole(
  table: (typeof LUMIVERSE_TABLES)[WrittenForm],
  draft: LorebookEntry,
  identity: JsonObject,
): Record<string, Json | undefined> {
  const written: Record<string, Json | undefined> = {
    ...writeEntry(table, draft, identity, undefined, READ_LUMIVERSE),
  };
  // In another place a role would change who speaks the entry.
  if (draft.position.slot !== 'depth') written['role'] = null;
  const { uid: _uid, ...rest } = written;
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
}

// A world file's entry carries along the extensions that it had in a card; under the names of live fields they are stale
// copies that SillyTavern does not read (1.19), and Lumiverse would.
const isStale = (key: string): boolean => STALE.has(key) || key === STASH_KEY;
const STALE: ReadonlySet<string> = new Set([
  ...CHARACTER_BOOK_FIELDS.flatMap(({ wires }) => wires.map(({ key }) => key)),
  ...Object.values(LUMIVERSE_TABLES).flatMap(({ known }) => [...known.entry, ...known.extensions]),
  'priority',
]);

function carriedBag({ extensions }: Bag, dialect: string): Bag {
  const kept = Object.entries(extensions).filter(([key]) => !isStale(key));
  return { dialect, entry: {}, extensions: Object.fromEntries(kept) };
}
