// Agnai's memory book, read: the lorebook that stands under `characterBook`. Facts: Agnaistic 1.0.27.

import type { ExtractedBook } from '../../core/adapter.ts';
import type { Finding } from '../../core/finding.ts';
import { noteInto } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, jsonAt } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { readBookHead } from '../_shared/book-fields.ts';
import { anyNumber, flag, text } from '../_shared/codecs.ts';
import { field, inEntry } from '../_shared/entry-field.ts';
import { entryIdAt } from '../_shared/entry-ids.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { entryTable } from '../_shared/entry-table.ts';
import { keyRows } from '../_shared/key-rows.ts';
import { plain } from '../_shared/plain-row.ts';
import { titleRow } from '../_shared/title-row.ts';

/** The name of this dialect. */
export const AGNAI = 'agnai';

const TABLE = entryTable(
  AGNAI,
  [
    ...keyRows({ keys: [inEntry('keywords')], secondaryKeys: [], useRegex: false }),
    titleRow,
    plain({ lens: field('content'), codec: text, wires: [inEntry('entry')], unset: '' }),
    plain({ lens: field('order'), codec: anyNumber, wires: [inEntry('weight')], unset: 0 }),
    plain({ lens: field('enabled'), codec: flag, wires: [inEntry('enabled')], unset: true }),
  ],
  ['id'],
);

// A native character holds it at its root; tools that copy a native character into a V2 card leave it in `data`.
const SLOTS: readonly (readonly string[])[] = [['data', 'characterBook'], ['characterBook']];

/** Whether a value has the shape of a memory book; `kind` is missing in some, so it is not asked for. */
export function isMemoryBook(raw: Json | undefined): raw is JsonObject {
  if (!isObject(raw) || !isArray(raw['entries'])) return false;
  const [first] = raw['entries'];
  return raw['kind'] === 'memory' || (isObject(first) && 'entry' in first && !('content' in first));
}

/** Reads a raw memory book; its entries stand before the character. */
export function readMemoryBook(
  raw: JsonObject,
  id: string,
  fallbackName: string,
  findings: Finding[],
): CanonicalLorebook {
  const items = raw['entries'] as readonly Json[];
  const entries = items.map((item, index) => {
    const entryId = entryIdAt(index);
    const note = noteInto(findings, { bookId: id, entryId });
    return readEntry(TABLE, item, entryId, { precedence: 'entry-first', patternKeys: false }, note);
  });
  const head = readBookHead(raw, AGNAI, noteInto(findings, { bookId: id, entryId: null }));
  const name = head.name.trim() === '' ? fallbackName : head.name;
  return { id, name, body: { ...head, entries }, original: { [AGNAI]: { raw } } };
}

/** The memory books of a card. */
export function memoryBooksOf(
  card: JsonObject,
  fallbackName: string,
  findings: Finding[],
): readonly ExtractedBook[] {
  return SLOTS.flatMap((path) => {
    const raw = jsonAt(card, path);
    if (!isMemoryBook(raw)) return [];
    const slot = path.join('.');
    return [{ slot, lorebook: readMemoryBook(raw, slot, fallbackName, findings) }];
  });
}
