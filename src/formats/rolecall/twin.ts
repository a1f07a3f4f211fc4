// The file of RoleCall's that a lorebook came from: entries that nobody edited are its own again (decisions 25).

import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, jsonAt } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookBody, LorebookEntry } from '../../core/lorebook.ts';
import type { OwnPart } from '../../core/own-part.ts';
import { nearestPosition } from '../../core/position.ts';
import { sameBookHead } from '../_shared/book-fields.ts';
import type { EntryField } from '../_shared/entry-field.ts';
import { withFields } from '../_shared/entry-table.ts';
import { overlayEntry } from '../_shared/entry-writer.ts';
import { STASH_KEY } from '../_shared/stash.ts';
import { READ_ROLECALL, ROLECALL, ROLECALL_FIELDS, ROLECALL_TABLE } from './fields.ts';
import { isRolecallLorebook, readRolecallLorebook } from './lorebook-file.ts';
import { flatEntry, nestedEntry } from './nesting.ts';

/** What a lorebook's own file says, and how it says what is the lorebook's now. */
export interface RolecallTwin {
  readonly raw: JsonObject;
  /** The file itself, where nothing differs from it. */
  readonly file: JsonObject | null;
  /** The raw entry of one of the lorebook's with its edits, as `nearest` says them there; null for one that is new. */
  readonly entryOf: (entry: LorebookEntry, nearest: LorebookEntry) => OverlaidEntry | null;
  /** What is as RoleCall wrote it, for these entries. */
  readonly ownParts: (
    entries: readonly (readonly [entry: LorebookEntry, nearest: LorebookEntry])[],
  ) => readonly OwnPart[];
  /** The fields of the lorebook that were edited. */
  readonly headOf: (body: LorebookBody) => JsonObject;
}

/** A raw entry, and the paths of what was edited in it. */
export interface OverlaidEntry {
  readonly raw: JsonObject;
  readonly edited: readonly string[];
}

/** The twin of a lorebook: beside it, or in the world file that it was imported to. Null when it has none. */
export function rolecallTwin(lorebook: CanonicalLorebook): RolecallTwin | null {
  const beside = lorebook.original[ROLECALL]?.raw;
  // A world file that was made of such a file carries it along (decisions 23).
  const world = Object.values(lorebook.original).find(({ raw: own }) => inWorld(own) !== undefined)?.raw;
  const raw = beside ?? inWorld(world);
  if (raw === undefined || !isRolecallLorebook(raw)) return null;
  const { body, known } = readRolecallLorebook(raw, lorebook.id, lorebook.name);
  const uids = jsonAt(world, [STASH_KEY, 'uids']);
  const idAt = (at: number): string => {
    const uid = isArray(uids) ? uids[at] : undefined;
    return beside !== undefined ? (body.entries[at]?.id ?? '') : `w${typeof uid === 'number' ? uid : at}`;
  };
  const twins = new Map(
    body.entries.map((read, at) => [idAt(at), { read, raw: known.rawById.get(read.id) ?? null }]),
  );
  const isInWorld = beside === undefined;
  const entryOf = (entry: LorebookEntry, nearest: LorebookEntry): OverlaidEntry | null => {
    const twin = twins.get(entry.id);
    if (twin === undefined || !isObject(twin.raw) || !isSame(entry, twin.read)) return null;
    const edited = editedRows(entry, twin.read, isInWorld);
    return { raw: overlaid(nearest, twin.read, twin.raw, edited), edited: edited.map(({ path }) => path) };
  };
  const isUnedited =
    lorebook.body.entries.length === body.entries.length &&
    Object.keys(changedHead(lorebook.body, body)).length === 0 &&
    lorebook.body.entries.every((entry, at) => {
      const read = body.entries[at];
      return idAt(at) === entry.id && read !== undefined && editedRows(entry, read, isInWorld).length === 0;
    });
  return {
    raw,
    file: isUnedited ? raw : null,
    entryOf,
    ownParts: (entries) => [
      { bookId: lorebook.id, entryId: null, edited: Object.keys(changedHead(lorebook.body, body)) },
      ...entries.flatMap(([entry, nearest]): readonly OwnPart[] => {
        const edited = entryOf(entry, nearest)?.edited;
        return edited === undefined ? [] : [{ bookId: lorebook.id, entryId: entry.id, edited }];
      }),
    ],
    headOf: (now) => {
      const changed = changedHead(now, body);
      const { settings, ...rest } = changed;
      const held = jsonAt(raw, ['lorebook', 'settings']);
      return settings === undefined
        ? rest
        : { ...rest, settings: { ...(isObject(held) ? held : {}), ...(settings as JsonObject) } };
    },
  };
}

const inWorld = (world: Json | undefined): Json | undefined =>
  jsonAt(world, [STASH_KEY, 'original', ROLECALL, 'raw']);

// At least one of text, title and keys is as it was, else the place was given to another entry (decisions 24).
const isSame = (a: LorebookEntry, b: LorebookEntry): boolean =>
  a.content === b.content ||
  a.title === b.title ||
  ROLECALL_FIELDS.some((row) => row.path === 'keys' && row.same(a, b));

// What a world file cannot say is no edit: RoleCall's own slots and the notes of its authors.
const asInWorld = (entry: LorebookEntry): LorebookEntry => ({
  ...entry,
  position: nearestPosition(entry.position),
  memo: '',
  title: entry.title === '' ? entry.memo : entry.title,
});

// A field, and those that are written with it: second keys always count there, and a chance that is not used is none.
const TOGETHER: readonly (readonly string[])[] = [
  ['position.slot', 'enabled', 'position.depth', 'position.role'],
  ['selective', 'secondaryKeys'],
  ['probability.used', 'probability.chance'],
];

function editedRows(entry: LorebookEntry, read: LorebookEntry, isInWorld: boolean): readonly EntryField[] {
  const [now, then] = isInWorld ? [asInWorld(entry), asInWorld(read)] : [entry, read];
  const rows = ROLECALL_FIELDS.filter((row) => !row.same(now, then) && row.path !== 'displayIndex');
  // Another place may be one that is written as a depth, or as switched off.
  const also = TOGETHER.filter((each) => rows.some(({ path }) => path === each[0])).flat();
  return also.length === 0
    ? rows
    : ROLECALL_FIELDS.filter((row) => rows.includes(row) || also.includes(row.path));
}

function overlaid(
  nearest: LorebookEntry,
  read: LorebookEntry,
  raw: JsonObject,
  rows: readonly EntryField[],
): JsonObject {
  if (rows.length === 0) return raw;
  const edited = withFields(read, nearest, rows);
  return nestedEntry(overlayEntry(ROLECALL_TABLE, edited, { raw: flatEntry(raw), read }, READ_ROLECALL));
}

function changedHead(now: LorebookBody, then: LorebookBody): JsonObject {
  if (sameBookHead(now, then)) return {};
  const settings: Record<string, Json> = {};
  // A world file may hold none of them, which is no edit.
  if (now.scanDepth !== null && now.scanDepth !== then.scanDepth) settings['globalScanDepth'] = now.scanDepth;
  if (now.tokenBudget !== null && now.tokenBudget !== then.tokenBudget)
    settings['tokenBudget'] = now.tokenBudget;
  if (now.recursiveScanning !== null && now.recursiveScanning !== then.recursiveScanning)
    settings['globalRecursion'] = now.recursiveScanning;
  return {
    ...(now.name !== '' && now.name !== then.name ? { name: now.name } : {}),
    ...(now.description !== '' && now.description !== then.description
      ? { description: now.description }
      : {}),
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
  };
}
