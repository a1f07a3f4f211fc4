// What RisuAI's engine does with a whole book otherwise than SillyTavern's (460ecae2), said once.

import type { Note } from '../../../core/finding.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isObject } from '../../../core/json.ts';
import { SHIPPED_SCAN_SETTINGS } from '../shipped-settings.ts';
import { isOurs } from '../unheeded-settings.ts';
import { isRisuEntry, isRisuFolder } from './book.ts';
import { type DecoratorLine, readDecoratorLines } from './decorator-lines.ts';
import { listOf } from './plain-keys.ts';

interface Row {
  readonly raw: JsonObject;
  readonly lines: readonly DecoratorLine[];
}

/** Says it of a book's raw entries, those apart that we wrote ourselves. */
export function noteRisuBook(items: readonly Json[], note: Note, book: JsonObject): void {
  if (items.some(isOurs)) return;
  const rows = items.flatMap((raw): readonly Row[] => {
    if (!isRisuEntry(raw) || isRisuFolder(raw)) return [];
    const content = typeof raw['content'] === 'string' ? raw['content'] : '';
    // Fallback lines are left out: here it is only asked which lines there are.
    const { lines } = readDecoratorLines(content, () => true);
    return lines.some(({ name }) => name === 'dont_activate') ? [] : [{ raw, lines }];
  });
  noteWords(rows, note, book);
  noteReversed(rows, note);
  noteThrows(rows, note, book);
}

const has = ({ lines }: Row, ...names: readonly string[]): boolean =>
  lines.some(({ name }) => names.includes(name));

function noteWords(rows: readonly Row[], note: Note, book: JsonObject): void {
  const held = isObject(book['extensions']) ? book['extensions']['risu_fullWordMatching'] : undefined;
  const asked = rows.filter(
    (row) =>
      row.raw['constant'] !== true &&
      row.raw['use_regex'] !== true &&
      listOf(row.raw['keys']).length > 0 &&
      !has(row, 'match_full_word', 'match_partial_word', 'activate'),
  );
  if (typeof held !== 'boolean' || asked.length === 0) return;
  const path = 'scan.matchWholeWords';
  if (held) {
    const message =
      'The book’s keys are whole words, which stand between spaces in RisuAI and are one word; SillyTavern’s own setting counts here, and there any sign that is no letter ends a word.';
    note('approximated', path, true, SHIPPED_SCAN_SETTINGS.matchWholeWords, message);
  } else if (SHIPPED_SCAN_SETTINGS.matchWholeWords) {
    const message =
      'RisuAI finds the book’s keys inside longer words, too; SillyTavern’s own setting counts here (whole words as it is shipped), so what the book says is kept aside.';
    note('stashed', path, false, null, message);
  }
}

// It puts each of them before those that it has put there already.
function noteReversed(rows: readonly Row[], note: Note): void {
  const placed = rows.filter((row) => placeOf(row) === 'before_desc');
  if (placed.length < 2) return;
  const orders = placed.map(({ raw }) => raw['insertion_order'] ?? null);
  const message = `RisuAI puts several entries before the description in reverse order; these ${placed.length} stand in the order of their numbers here.`;
  note('approximated', 'order', orders, null, message);
}

function placeOf({ lines }: Row): string | undefined {
  const places = lines.filter(({ name }) => ['position', 'depth', 'reverse_depth', 'end'].includes(name));
  const last = places.at(-1);
  return last?.name === 'position' ? last.args[0] : last?.name;
}

function noteThrows(rows: readonly Row[], note: Note, book: JsonObject): void {
  if (book['recursive_scanning'] === false) return;
  const thrown = rows.filter((row) => has(row, 'probability') && !has(row, 'activate'));
  if (thrown.length === 0) return;
  const chances = thrown.map(
    ({ lines }) => lines.find(({ name }) => name === 'probability')?.args[0] ?? null,
  );
  const message =
    'RisuAI throws the dice for an entry anew in every round of its search, so it comes more often there than its chance says; SillyTavern throws once.';
  note('approximated', 'probability', chances, null, message);
}
