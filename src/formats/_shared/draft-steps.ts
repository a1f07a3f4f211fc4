// Steps that every writer takes on an entry's draft: what the app cannot say leaves it, and each change is said.

import type { Note } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import type { EntryDraft, LorebookEntry } from '../../core/lorebook.ts';
import { newEntry } from '../../core/lorebook.ts';
import { CHARACTER_BOOK_FIELDS } from './character-book-table.ts';
import type { KeyDoubt } from './switched-keys.ts';

/** Changes the draft where an app cannot say a value, and says so. */
export type NearestIn<Context> = (
  entry: LorebookEntry,
  draft: EntryDraft,
  context: Context,
  note: Note,
) => void;

/** Fields that name other things of the user's (decisions 26). */
export const PRIVATE_FIELDS: readonly string[] = ['characterFilter', 'automationId'];

const BLANK: LorebookEntry = newEntry('');
const SOURCE_ROWS = new Map(CHARACTER_BOOK_FIELDS.map((row) => [row.path, row]));

/** Why a field's value does not stand where the app looks. */
export interface Unplaced {
  /** Why no place of the app holds it, without a full stop. */
  readonly absent: string;
  /** Whether private fields stay behind altogether. */
  readonly isPrivate: boolean;
}

/**
 * Takes a value that no place of the app holds out of the draft: the stash keeps it, which the caller makes, or it is
 * dropped where it is private. A value that an entry has by default is none.
 */
export function keepAside(
  path: string,
  { absent, isPrivate }: Unplaced,
  entry: LorebookEntry,
  draft: EntryDraft,
  note: Note,
): void {
  const row = SOURCE_ROWS.get(path);
  if (row === undefined || row.same(entry, BLANK)) return;
  row.take(BLANK, draft);
  const isDropped = isPrivate && PRIVATE_FIELDS.includes(path);
  const said = isDropped ? 'It was dropped because it is private.' : `Kept aside: ${absent}.`;
  note(isDropped ? 'lost' : 'stashed', path, row.show(entry), row.show(BLANK), said);
}

/** Switches an entry off, with its text kept for a person to switch it on, and says so where that changes something. */
export function switchOff(entry: LorebookEntry, draft: EntryDraft, note: Note, message: string): void {
  draft.enabled = false;
  if (entry.enabled) note('approximated', 'enabled', true, false, message);
}

/** Selective without secondary keys means nothing; with some of which none could be written it is said. */
export const keepSelective: NearestIn<unknown> = (entry, draft, _context, note) => {
  const isMeant = entry.selective && entry.secondaryKeys.length > 0;
  draft.selective = isMeant && draft.secondaryKeys.length > 0;
  if (isMeant && !draft.selective && !entry.constant) {
    note('approximated', 'selective', true, false, 'None of its secondary keys can be written there.');
  }
};

/** Says once for each list of keys that counts what its keys will do otherwise. */
export function noteKeyDoubts(entry: LorebookEntry, doubts: readonly KeyDoubt[], note: Note): void {
  if (entry.constant) return;
  for (const path of ['keys', 'secondaryKeys'] as const) {
    const counts = path === 'keys' || entry.selective;
    const [first, ...others] = counts ? doubts.filter((each) => each.path === path) : [];
    if (first === undefined) continue;
    const more = others.length === 0 ? '' : ` So may ${others.length} more of its keys.`;
    note('approximated', path, first.before, first.after, first.message + more);
  }
}

// SillyTavern's editor has a tick for showing the title.
const NOTHING: ReadonlySet<string> = new Set(['addMemo']);

// A world file's entry carries along the extensions that it had in a card; under the names of live fields they are stale
// copies that SillyTavern does not read (1.19).
const STALE: ReadonlySet<string> = new Set(
  CHARACTER_BOOK_FIELDS.flatMap(({ wires }) =>
    wires.flatMap(({ at, key }) => (at === 'extensions' ? [key] : [])),
  ),
);

/** Says of each unknown field of an entry that only the stash has it. `isKnown`: the app's own names in extensions. */
export function noteUnknown(
  entry: JsonObject,
  extensions: JsonObject,
  note: Note,
  isKnown: (key: string) => boolean = () => false,
): void {
  const say = (path: string, value: JsonObject[string] | undefined): void => {
    if (value === undefined || value === null) return;
    note('stashed', path, value, null, 'Kept aside: nobody there knows this field.');
  };
  for (const [key, value] of Object.entries(entry)) if (!NOTHING.has(key)) say(key, value);
  for (const [key, value] of Object.entries(extensions)) {
    if (!STALE.has(key) && !isKnown(key)) say(`extensions.${key}`, value);
  }
}
