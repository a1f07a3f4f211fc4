// A lorebook that another app wrote itself, on its way back to that app: entries that nobody edited are the app's own
// objects again, an edited one gets only what changed, and nothing is said of what is as it was (design, rule 2).

import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookBody, LorebookEntry } from '../../core/lorebook.ts';
import type { OwnPart } from '../../core/own-part.ts';
import { sameBookHead } from './book-fields.ts';
import type { ReadLorebook } from './character-book.ts';
import { CHARACTER_BOOK_FIELDS } from './character-book-table.ts';
import type { ReadOptions } from './entry-field.ts';
import { type EntryTable, sameBags, withFields } from './entry-table.ts';
import { overlayEntry } from './entry-writer.ts';
import { placeEntries, rawEntries } from './raw-entries.ts';
import { STASH_KEY } from './stash.ts';
import type { Together } from './told-together.ts';

/** An entry as the app wrote it, and what it says. */
export interface OwnEntry {
  readonly raw: JsonObject;
  readonly read: LorebookEntry;
  /** Its place in the list. */
  readonly index: number;
}

/** A book as the app wrote it: everything of it but its entries, what that says, and each entry by its id. */
export interface OwnTwin {
  readonly raw: JsonObject;
  readonly body: LorebookBody;
  readonly byId: ReadonlyMap<string, OwnEntry>;
}

/** How an app's entries are written over. */
export interface OwnDialect {
  readonly table: EntryTable;
  readonly options: ReadOptions;
  /** Fields that are written together, since one value there says several of them. */
  readonly together: readonly Together[];
  /** Whether the app carries along what stands in an entry's extensions. */
  readonly carriesBag?: boolean;
}

/** What is to be known of an app's raw entries. */
export interface OwnReading {
  /** Whether the app takes the entry as it stands. */
  readonly isWhole: (raw: JsonObject) => boolean;
  /** Reads an entry without a mark of ours, as the app shows it. */
  readonly readAlone: (raw: JsonObject, id: string) => LorebookEntry;
}

/** An entry written onto its twin. */
export interface OverlaidEntry {
  readonly raw: JsonObject;
  /** The fields that are not as they were; empty: the entry is the app's own. */
  readonly edited: readonly string[];
}

/** Marks of ours on what we wrote for an app; what was written onto its own says so by `own`. */
const isForeignMark = (mark: Json | undefined): boolean => isObject(mark) && mark['own'] !== true;

/** Whether we wrote a raw book, so that what it was made of comes back out of its stash. */
export function isOfOurs(raw: Json): boolean {
  if (isArray(raw)) return raw.some(isOfOurs);
  if (!isObject(raw)) return false;
  if (Object.hasOwn(raw, STASH_KEY) && isForeignMark(raw[STASH_KEY])) return true;
  return Object.values(raw).some((value) => value !== undefined && isOfOurs(value));
}

const marksOf = (item: Json): readonly (Json | undefined)[] => {
  if (!isObject(item)) return [];
  const { extensions, metadata } = item;
  const inside = [extensions, metadata].filter(isObject).map((each) => each[STASH_KEY]);
  return [item[STASH_KEY], ...inside].filter((mark) => mark !== undefined);
};

/**
 * The twin of a lorebook, by the reading of its raw book; null when we wrote that book ourselves.
 *
 * @param raw where the book's own fields stand
 */
export function ownTwinOf(
  raw: JsonObject,
  { body, known }: Pick<ReadLorebook, 'body' | 'known'>,
  { isWhole, readAlone }: OwnReading,
): OwnTwin | null {
  const marks = [...marksOf(raw), ...known.records.flatMap((record) => marksOf(record.raw))];
  if (marks.some(isForeignMark)) return null;
  const byId = new Map<string, OwnEntry>();
  for (const [index, read] of body.entries.entries()) {
    const item = known.rawById.get(read.id);
    if (!isObject(item)) continue;
    const bare = withoutMarks(item);
    if (isWhole(bare))
      byId.set(read.id, { raw: bare, read: bare === item ? read : readAlone(bare, read.id), index });
  }
  return { raw, body, byId };
}

function withoutMarks(item: JsonObject): JsonObject {
  const own = withoutKey(item, STASH_KEY);
  const { extensions } = own;
  if (!isObject(extensions) || !Object.hasOwn(extensions, STASH_KEY)) return own;
  return { ...own, extensions: withoutKey(extensions, STASH_KEY) };
}

/** The mark of a stash that stands in a book of the app's own. */
export const asOwnStash = <T extends JsonObject>(stash: T): T & { readonly own: true } => ({
  ...stash,
  own: true,
});

const rowsAt = (paths: ReadonlySet<string>) => CHARACTER_BOOK_FIELDS.filter(({ path }) => paths.has(path));

// A place in SillyTavern's list is none of the entry's.
const differing = (a: LorebookEntry, b: LorebookEntry): readonly string[] =>
  a === b
    ? []
    : CHARACTER_BOOK_FIELDS.filter((row) => row.path !== 'displayIndex' && !row.same(a, b)).map(
        ({ path }) => path,
      );

const BAG = 'extensions';

/**
 * Writes an entry onto its twin; null for an entry without one.
 *
 * @param nearest the entry as the app would be told it, asked for only when something was edited
 */
export function onTwin(
  source: LorebookEntry,
  twin: OwnTwin | null,
  dialect: OwnDialect,
  nearest: () => LorebookEntry,
): OverlaidEntry | null {
  const held = twin?.byId.get(source.id);
  if (held === undefined) return null;
  const { raw, read } = held;
  const edited = differing(source, read);
  const isBagEdited = !sameBags(source.bag, read.bag);
  if (edited.length === 0 && !isBagEdited) return { raw, edited };
  const told = nearest();
  const isMeant = ({ paths, by = paths, areApart }: Together): boolean =>
    by.some((path) => edited.includes(path)) && areApart?.(source, told, read) !== true;
  const meant = dialect.together.filter(isMeant);
  const paths = new Set([...edited, ...meant.flatMap((each) => each.paths)]);
  const draft = withFields(read, told, rowsAt(paths));
  if (isBagEdited && dialect.carriesBag === true)
    draft.bag = { ...read.bag, extensions: source.bag.extensions };
  const written = overlayEntry(dialect.table, draft, { raw, read }, dialect.options);
  const shown = new Set([...edited, ...differing(told, read), ...meant.flatMap(({ saidAt = [] }) => saidAt)]);
  const changed = [...paths].filter((path) => shown.has(path));
  return { raw: written, edited: isBagEdited ? [...changed, BAG] : changed };
}

/** Whether a path is one of those that were edited, stands inside one of them, or one of them inside it. */
export const isEdited = (path: string, edited: readonly string[]): boolean =>
  edited.some((each) => each === path || each.startsWith(`${path}.`) || path.startsWith(`${each}.`));

/** The fields of an overlaid entry that are as they were: nothing of them is to be kept aside. */
export const asTheyWere = ({ edited }: OverlaidEntry): readonly string[] =>
  CHARACTER_BOOK_FIELDS.map(({ path }) => path).filter((path) => !isEdited(path, edited));

/** Findings of an overlaid entry about what is not as it was. */
export const saidOf = ({ edited }: OverlaidEntry, findings: readonly Finding[]): readonly Finding[] =>
  edited.length === 0 ? [] : findings.filter(({ path }) => isEdited(path, edited));

const HEAD_FIELDS = ['name', 'description', 'scanDepth', 'tokenBudget', 'recursiveScanning'] as const;

/** The fields of a book that are not as they were. */
export function editedHead(body: LorebookBody, twin: OwnTwin): readonly string[] {
  if (body === twin.body || sameBookHead(body, twin.body)) return [];
  const fields = HEAD_FIELDS.filter((name) => body[name] !== twin.body[name]);
  return fields.length === 0 ? [BAG] : fields;
}

/**
 * Writes a book onto its twin: the twin itself when nothing differs.
 *
 * @param head the fields that are not as they were, under the app's names
 * @param entries every entry's id and how it was written, in order
 */
export function bookOnTwin(
  { raw, byId }: OwnTwin,
  head: JsonObject,
  entries: readonly (readonly [entryId: string, raw: Json])[],
): JsonObject {
  const placed = entries.map(([id, written]) => ({ raw: written, twinIndex: byId.get(id)?.index ?? null }));
  const list = placeEntries(rawEntries(raw), raw['entries'], placed);
  if (list === raw['entries'] && Object.keys(head).length === 0) return raw;
  return { ...raw, ...head, entries: list };
}

/** What of a lorebook is the app's own again, for who knows what was said when it was read. */
export function ownParts(
  { id, body }: CanonicalLorebook,
  twin: OwnTwin | null,
  entries: readonly (readonly [entryId: string, OverlaidEntry | null])[],
): readonly OwnPart[] {
  if (twin === null) return [];
  return [
    { bookId: id, entryId: null, edited: editedHead(body, twin) },
    ...entries.flatMap(([entryId, own]): readonly OwnPart[] =>
      own === null ? [] : [{ bookId: id, entryId, edited: own.edited }],
    ),
  ];
}
