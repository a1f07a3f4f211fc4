// Lorebooks in force as Marinara's own lorebook files; one that came from such a file, or from a compatible one, is that
// file again, and only what was edited since differs. Facts: Marinara Engine 2.3.3.

import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import { bookStash } from '../_shared/kept-book.ts';
import { bookOnTwin, editedHead } from '../_shared/own-twin.ts';
import { STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import { bookMarks } from '../_shared/stashed-books.ts';
import type { WrittenLorebook, WrittenLorebooks } from '../_shared/written-lorebooks.ts';
import { bookFindings } from './book-findings.ts';
import { frozenSettings, type MarinaraOptions, type WrittenBook, writeBooks } from './book-writing.ts';
import { asEnvelope, marinaraEnvelope } from './envelope.ts';
import { MARINARA } from './native-lorebook.ts';

/** Writes each book as Marinara's own lorebook file, linked to nobody: an id of another installation means nothing. */
export function marinaraLorebooks(resolved: ResolvedCharacter, options: MarinaraOptions): WrittenLorebooks {
  const compatible = writeBooks(resolved, 'card', options, 'compatible');
  const native = writeBooks(resolved, 'native', options);
  const written = native.map((book, at): WrittenBook => {
    const other = compatible[at];
    return other !== undefined && isWhollyOwn(other) ? other : book;
  });
  return {
    lorebooks: written.map((book) => lorebookFile(resolved, book, options)),
    findings: [...written.flatMap((each) => each.findings), ...bookFindings(resolved, 'native', written)],
    own: written.flatMap((each) => each.own),
  };
}

// Nothing can be kept aside in a compatible file, and a new entry may need what only a native one holds.
const isWhollyOwn = ({ twin, own, entries }: WrittenBook): boolean =>
  twin !== null && own.length === entries.length + 1 && entries.every(({ stash }) => stash === null);

function lorebookFile(
  resolved: ResolvedCharacter,
  written: WrittenBook,
  options: MarinaraOptions,
): WrittenLorebook {
  const { book, entries, twin } = written;
  const { id, name, body } = book.lorebook;
  const title = name.trim() === '' ? 'Lorebook' : name.slice(0, LONGEST_NAME);
  if (twin !== null) return { bookId: id, name: title, json: onOwnFile(written) };
  const settings = frozenSettings(resolved.settings);
  const hasVectors = book.entries.some(({ entry }) => entry.vectorized);
  const lorebook: JsonObject = {
    name: title,
    description: body.description,
    category: 'character',
    ...settings,
    entryLimit: MOST_ENTRIES,
    excludeFromVectorization: !hasVectors,
    vectorQueryDepth: 10,
    vectorScoreThreshold: 0.3,
    vectorMaxResults: 10,
    characterIds: [],
    personaIds: [],
    isGlobal: false,
    enabled: true,
    scope: { mode: 'all', chatIds: [] },
    tags: [],
  };
  const data: JsonObject = {
    lorebook,
    folders: [],
    entries: entries.map(({ raw, stash }): Json => ({ ...raw, [STASH_KEY]: { ...stash, book: 0 } })),
    [STASH_KEY]: { v: STASH_VERSION, in: 'marinara', book: bookStash(book), shown: bookMarks(lorebook) },
  };
  return { bookId: id, name: title, json: asEnvelope('marinara_lorebook', data, options.exportedAt ?? '') };
}

function onOwnFile({ book, twin, entries }: WrittenBook): JsonObject {
  const { original, body } = book.lorebook;
  if (twin === null) return {};
  const head = Object.fromEntries(
    editedHead(body, twin).map((name) => [name, body[name as keyof typeof body] as Json]),
  );
  const list = entries.map(({ id, raw, stash }): [string, Json] => [
    id,
    stash === null ? raw : { ...raw, [STASH_KEY]: { ...stash, book: 0 } },
  ]);
  const file = original[MARINARA]?.raw;
  const envelope = file === undefined || !isObject(file) ? null : marinaraEnvelope(file);
  if (envelope === null || envelope.data !== twin.raw) return bookOnTwin(twin, head, list);
  const written = bookOnTwin(twin, {}, list);
  const lorebook = isObject(written['lorebook']) ? written['lorebook'] : {};
  const data = Object.keys(head).length === 0 ? written : { ...written, lorebook: { ...lorebook, ...head } };
  if (data === twin.raw && isObject(file) && file['data'] === data) return file;
  return {
    ...(isObject(file) && file['data'] === twin.raw
      ? file
      : asEnvelope(envelope.type, data, envelope.exportedAt)),
    data,
  };
}

const LONGEST_NAME = 200;
/** Marinara's highest entry limit; SillyTavern has none. */
const MOST_ENTRIES = 1000;
