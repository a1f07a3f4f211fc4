// A row of RisuAI's own with only what was edited in it: the lines above its text that say something else stay, word for
// word (design, rule 2). What it says is read back, so where the lines hang together otherwise, the row is written anew.

import type { JsonObject } from '../../core/json.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { CHARACTER_BOOK_FIELDS } from '../_shared/character-book-table.ts';
import { readDecoratorLines, writtenLine } from '../_shared/risu/decorator-lines.ts';
import { RISU_ROWS } from '../_shared/risu/table.ts';

/** A row of RisuAI's, as it stands in a card, and what it says. */
export interface OwnRow {
  readonly raw: JsonObject;
  readonly read: LorebookEntry;
}

/** Such a row with its edits, and what it says now. */
export interface EditedRow {
  readonly row: JsonObject;
  readonly shown: LorebookEntry;
  /** The fields that are not as they were. */
  readonly edited: readonly string[];
}

const TOGETHER: readonly (readonly string[])[] = [
  ['keys', 'secondaryKeys', 'selective', 'logic', 'scan.caseSensitive', 'scan.matchWholeWords'],
  ['position.slot', 'position.depth', 'position.role', 'position.outlet'],
  ['enabled', 'constant'],
  ['probability.chance', 'probability.used'],
  ['scan.depth', 'recursion.delayUntil'],
  ['title', 'memo'],
];

/** The keys of a row, beside its text, that each field is written to. */
const WIRES: Readonly<Record<string, readonly string[]>> = {
  title: ['name', 'comment'],
  order: ['insertion_order'],
  constant: ['constant', 'enabled'],
  keys: ['keys', 'secondary_keys', 'selective', 'use_regex', 'case_sensitive'],
};

/** The fields in which an entry is not as it was read. */
export const editedFields = (entry: LorebookEntry, read: LorebookEntry): readonly string[] =>
  entry === read
    ? []
    : CHARACTER_BOOK_FIELDS.filter((row) => row.path !== 'displayIndex' && !row.same(entry, read)).map(
        ({ path }) => path,
      );

/**
 * Puts the edits of an entry into its own row.
 *
 * @param written the whole entry as it would be written anew
 * @param shownOf reads a row
 * @returns null when the row is better written anew
 */
export function editedRow(
  { raw, read }: OwnRow,
  source: LorebookEntry,
  written: JsonObject,
  shownOf: (row: JsonObject) => LorebookEntry,
): EditedRow | null {
  const edited = editedFields(source, read);
  // Groups are told by the keys of their other entries.
  if (edited.some((path) => path.startsWith('group.'))) return null;
  const paths = new Set([
    ...edited,
    ...TOGETHER.filter((each) => each.some((path) => edited.includes(path))).flat(),
  ]);
  const row: Record<string, JsonObject[string]> = { ...raw };
  for (const path of paths) {
    for (const key of WIRES[path] ?? []) {
      if (Object.hasOwn(written, key)) row[key] = written[key];
      else if (Object.hasOwn(raw, key)) row[key] = [];
    }
  }
  row['content'] = contentOf(String(raw['content'] ?? ''), String(written['content'] ?? ''), paths);
  const [shown, anew] = [shownOf(row), shownOf(written)];
  const isAsMeant = CHARACTER_BOOK_FIELDS.every(
    (field) => field.path === 'displayIndex' || field.same(shown, paths.has(field.path) ? anew : read),
  );
  return isAsMeant ? { row, shown, edited: [...paths] } : null;
}

function contentOf(own: string, written: string, paths: ReadonlySet<string>): string {
  const names = new Set(RISU_ROWS.filter(({ path }) => paths.has(path)).flatMap((row) => row.names));
  const anew = readDecoratorLines(written, () => true);
  const added = anew.lines.filter(({ name }) => names.has(name)).map(writtenLine);
  const rows = own.trim().split('\n');
  const end = rows.findIndex((row) => !row.trim().startsWith('@@'));
  const lines = rows.slice(0, end === -1 ? rows.length : end);
  const kept = withoutNames(lines, names);
  const isSame = added.length === 0 && kept.length === lines.length;
  if (isSame && !paths.has('content')) return own;
  const text = paths.has('content') ? anew.text : end === -1 ? '' : rows.slice(end).join('\n');
  const top = [...kept, ...added];
  if (top.length === 0) return text;
  // A text that begins like a line of these is kept apart.
  return [...top, ...(text.startsWith('@@') ? [''] : []), text].join('\n');
}

// A line with @@@ speaks in place of the one above it.
function withoutNames(lines: readonly string[], names: ReadonlySet<string>): readonly string[] {
  let isGone = false;
  return lines.filter((line) => {
    const [mark = '', name = ''] = /^(@@@?)(\S*)/.exec(line.trim())?.slice(1) ?? [];
    isGone = names.has(name) || (mark === '@@@' && name !== 'end' && isGone);
    return !isGone;
  });
}
