// What Lumiverse makes of a card or a charx, told from the facts (1.1.0; reference 1.3 and 1.4): its importer turns books
// into world books of its own, and its exporters write a card anew from them. It keeps the extensions of cards and entries.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isArray, isObject } from '../../src/core/json.ts';
import type { Edit } from './edit-trips.ts';
import { throughJson } from './fixtures.ts';

/** An entry as the app holds it. */
export interface AppEntry {
  readonly key: readonly string[];
  readonly keysecondary: readonly string[];
  readonly content: string;
  readonly comment: string;
  readonly position: number;
  readonly depth: number;
  readonly role: string | null;
  readonly order_value: number;
  readonly selective: boolean;
  readonly constant: boolean;
  readonly disabled: boolean;
  readonly group_name: string;
  readonly group_override: boolean;
  readonly group_weight: number;
  readonly probability: number;
  readonly scan_depth: number | null;
  readonly case_sensitive: boolean;
  readonly match_whole_words: boolean;
  readonly automation_id: string | null;
  readonly use_regex: boolean;
  readonly prevent_recursion: boolean;
  readonly exclude_recursion: boolean;
  readonly delay_until_recursion: boolean;
  readonly priority: number;
  readonly sticky: number;
  readonly cooldown: number;
  readonly delay: number;
  readonly selective_logic: number;
  readonly use_probability: boolean;
  readonly vectorized: boolean;
  readonly outlet_name: string | null;
  readonly wi_marker: string | null;
  readonly wi_marker_side: string | null;
  readonly extensions: JsonObject;
}

/** A world book as the app holds it. */
export interface AppBook {
  readonly name: string;
  readonly description: string;
  readonly metadata: JsonObject;
  readonly entries: readonly AppEntry[];
}

const bag = (raw: JsonObject): JsonObject => (isObject(raw['extensions']) ? raw['extensions'] : {});
const OWN_IN_BAG = ['outlet_name', 'wi_marker', 'wi_marker_side'];

function importedEntry(raw: JsonObject, index: number): AppEntry {
  // The entry's own level first, then its extensions; only what is absent falls through.
  const at = (...names: readonly string[]): Json | undefined =>
    [...names.map((name) => raw[name]), ...names.map((name) => bag(raw)[name])].find(
      (value) => value !== undefined,
    );
  const texts = (...names: readonly string[]): readonly string[] => {
    const held = names.map((name) => raw[name]).find(isArray) ?? [];
    return held as readonly string[];
  };
  const textOrNull = (value: Json | undefined): string | null =>
    typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  const enabled = raw['enabled'] ?? !(raw['disabled'] ?? false);
  const role = raw['role'];
  return {
    key: texts('keys', 'key'),
    keysecondary: texts('secondary_keys', 'keysecondary'),
    content: String(raw['content'] ?? ''),
    comment: String(raw['comment'] || raw['name'] || ''),
    position: typeof raw['position'] === 'number' ? raw['position'] : 0,
    depth: Number(at('depth') ?? 4),
    role: typeof role === 'string' && role !== '' ? role : null,
    order_value: Number(raw['displayIndex'] ?? raw['insertion_order'] ?? raw['order_value'] ?? index),
    selective: Boolean(at('selective') ?? false),
    constant: Boolean(at('constant') ?? false),
    disabled: !enabled,
    group_name: String(at('group', 'group_name') || ''),
    group_override: Boolean(at('group_override', 'groupOverride') ?? false),
    group_weight: Number(at('group_weight', 'groupWeight') ?? 100),
    probability: Number(at('probability') ?? 100),
    scan_depth: (at('scan_depth', 'scanDepth') ?? null) as number | null,
    case_sensitive: Boolean(at('case_sensitive', 'caseSensitive') ?? false),
    match_whole_words: Boolean(at('match_whole_words', 'matchWholeWords') ?? false),
    automation_id: (at('automation_id', 'automationId') || null) as string | null,
    use_regex: Boolean(at('use_regex', 'useRegex') ?? false),
    prevent_recursion: Boolean(at('prevent_recursion', 'preventRecursion') ?? false),
    exclude_recursion: Boolean(at('exclude_recursion', 'excludeRecursion') ?? false),
    delay_until_recursion: Boolean(at('delay_until_recursion', 'delayUntilRecursion') ?? false),
    priority: Number(at('priority') ?? 10),
    sticky: Number(at('sticky') ?? 0),
    cooldown: Number(at('cooldown') ?? 0),
    delay: Number(at('delay') ?? 0),
    selective_logic: Number(at('selectiveLogic', 'selective_logic') ?? 0),
    use_probability: Boolean(at('useProbability', 'use_probability') ?? true),
    vectorized: Boolean(at('vectorized') ?? false),
    outlet_name: textOrNull(at('outlet_name', 'outletName')),
    wi_marker: textOrNull(at('wi_marker', 'wiMarker')),
    wi_marker_side: textOrNull(at('wi_marker_side', 'wiMarkerSide')),
    extensions: Object.fromEntries(Object.entries(bag(raw)).filter(([name]) => !OWN_IN_BAG.includes(name))),
  };
}

// Lists are held sorted by order; of equal ones the first that was imported comes first.
const imported = (entries: Json | undefined): readonly AppEntry[] =>
  (isArray(entries) ? entries.filter(isObject) : [])
    .map(importedEntry)
    .sort((a, b) => a.order_value - b.order_value);

const dataOf = (card: JsonObject): JsonObject => card['data'] as JsonObject;
const DATE = '7/1/2026, 9:00:00 AM';

/** The world books as the app holds them after a card was imported; `modules` is what lies beside it in a charx. */
export function importedBooks(card: JsonObject, modules?: JsonObject): readonly AppBook[] {
  const data = dataOf(card);
  const held = modules?.['world_books'];
  if (isArray(held) && held.length > 0) {
    return held.filter(isObject).map((book) => ({
      name: String(book['name'] || 'Imported Lorebook'),
      description: String(book['description'] || `Imported from CharX at ${DATE}`),
      metadata: { ...(isObject(book['metadata']) ? book['metadata'] : {}), source: 'charx_import' },
      entries: imported(book['entries']),
    }));
  }
  const book = data['character_book'];
  if (!isObject(book)) return [];
  const entries = imported(book['entries']);
  if (entries.length === 0) return [];
  const name = String(data['name']);
  return [
    {
      name: String(book['name'] || `${name}'s Lorebook`),
      description: String(book['description'] || `Imported from ${name} at ${DATE}`),
      metadata: { source: 'character' },
      entries,
    },
  ];
}

/** A world book as the app writes it as its own file. */
export const nativeFile = ({ name, description, metadata, entries }: AppBook): JsonObject =>
  throughJson({
    version: 1,
    type: 'lumiverse_world_book',
    name,
    description,
    metadata,
    entries: entries.map((entry, index) => ({ uid: `u${index}`, ...entry })) as unknown as Json,
    exported_at: 1_796_001_201,
  });

function bookEntry(entry: AppEntry, id: number): JsonObject {
  const { extensions } = entry;
  return {
    id,
    keys: entry.key,
    secondary_keys: entry.keysecondary,
    content: entry.content,
    comment: entry.comment,
    enabled: !entry.disabled,
    insertion_order: entry.order_value,
    position: entry.position,
    depth: entry.depth,
    selective: entry.selective,
    constant: entry.constant,
    case_sensitive: entry.case_sensitive,
    match_whole_words: entry.match_whole_words,
    ...(entry.role === null ? {} : { role: entry.role }),
    ...(entry.group_name === '' ? {} : { group: entry.group_name }),
    extensions: {
      ...extensions,
      priority: entry.priority,
      sticky: entry.sticky,
      cooldown: entry.cooldown,
      delay: entry.delay,
      selective_logic: entry.selective_logic,
      use_probability: entry.use_probability,
      use_regex: entry.use_regex,
      prevent_recursion: entry.prevent_recursion,
      exclude_recursion: entry.exclude_recursion,
      delay_until_recursion: entry.delay_until_recursion,
      group_override: entry.group_override,
      group_weight: entry.group_weight,
      probability: entry.probability,
      scan_depth: entry.scan_depth,
      automation_id: entry.automation_id,
      vectorized: entry.vectorized,
      uid: `u${id}`,
      ...(entry.outlet_name === null ? {} : { outlet_name: entry.outlet_name }),
      ...(entry.wi_marker === null ? {} : { wi_marker: entry.wi_marker }),
      ...(entry.wi_marker_side === null ? {} : { wi_marker_side: entry.wi_marker_side }),
    },
  };
}

function mergedBook(books: readonly AppBook[]): JsonObject {
  const [only] = books;
  if (books.length === 1 && only !== undefined) {
    return { name: only.name, description: only.description, entries: only.entries.map(bookEntry) };
  }
  const all = books.flatMap(({ name, entries }) =>
    entries.map((entry) => ({ ...entry, comment: `[${name}] ${entry.comment}`.trim() })),
  );
  return {
    name: `Merged Lorebook (${books.length} books)`,
    description: `Merged from: ${books.map(({ name }) => name).join(', ')}`,
    entries: all.map(bookEntry),
  };
}

/** A card as the app exports it with its world books: anew, with the extensions that the imported card had. */
export function exportedCard(card: JsonObject, books: readonly AppBook[]): JsonObject {
  const { character_book: _book, ...data } = dataOf(card);
  return throughJson({
    spec: 'chara_card_v3',
    spec_version: '3.0',
    data: { ...data, ...(books.length === 0 ? {} : { character_book: mergedBook(books) }) },
  });
}

/** What the app writes beside the card of a charx. */
export const exportedModules = (books: readonly AppBook[]): JsonObject => ({
  version: 1,
  world_books: books.map(nativeFile),
});

/** Books with every entry edited. */
export const editedBooks = (books: readonly AppBook[], edit: Edit<AppEntry>): readonly AppBook[] =>
  books.map((book) => ({ ...book, entries: book.entries.flatMap(edit) }));
