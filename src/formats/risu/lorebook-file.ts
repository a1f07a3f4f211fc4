// RisuAI's lorebook on its own, read: its own entry objects in a list, with or without the envelope around them. Facts:
// commit 460ecae2; the file of one chat's lorebook looks the same.

import type { Finding, Note } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, jsonAt, sameJson } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { type ReadLorebook, readCharacterBook } from '../_shared/character-book.ts';
import { isRisuFolder } from '../_shared/risu/book.ts';
import { partedKeys } from '../_shared/risu/entry.ts';
import { withoutRisuRows } from '../_shared/risu/written-rows.ts';
import { STASH_KEY } from '../_shared/stash.ts';

/** The name of this dialect: the key of a raw file in a lorebook's `original`. */
export const RISU = 'risu';

/** A lorebook that was read, with everything that is known of it. */
export interface ReadFile extends ReadLorebook {
  readonly lorebook: CanonicalLorebook;
}

const OWN_NAMES = ['key', 'insertorder', 'alwaysActive'] as const;

const isLore = (item: Json): boolean =>
  isObject(item) && OWN_NAMES.every((name) => Object.hasOwn(item, name));

const listIn = (json: Json): readonly Json[] | null => {
  if (isArray(json)) return json.length > 0 && json.every(isLore) ? json : null;
  if (!isObject(json)) return null;
  const module = moduleIn(json);
  if (module !== null) return isArray(module['lorebook']) ? module['lorebook'] : [];
  const lore = chatIn(json)?.['localLore'];
  if (isArray(lore) && lore.length > 0) return lore;
  return json['type'] === 'risu' && isArray(json['data']) ? json['data'] : null;
};

/** A module of RisuAI's, in its envelope or bare; a lorebook is one of the things that a module may bring. */
function moduleIn(json: JsonObject): JsonObject | null {
  const { type, module, lorebook } = json;
  if (type === 'risuModule') return isObject(module) ? module : json;
  return type === undefined && isArray(lorebook) && lorebook.length > 0 && lorebook.every(isLore)
    ? json
    : null;
}

/** A chat that was exported, in its envelope: it may have a lorebook of its own. */
const chatIn = ({ type, data }: JsonObject): JsonObject | null =>
  type === 'risuChat' && isObject(data) ? data : null;

/**
 * Whether a file is a lorebook of RisuAI's: `{type: "risu", ver, data}`, the bare list of its entries, a module, or a chat
 * with a lorebook of its own.
 */
export function isRisuLorebook(json: Json): boolean {
  return listIn(json) !== null;
}

// A book whose every entry is RisuAI's, whatever else it says.
const OF_RISU: JsonObject = Object.freeze({ risu_lorebook: true });

/** Reads a lorebook file of RisuAI's. Takes any JSON value and never throws. */
export function readRisuLorebook(json: Json, id: string, fallbackName: string): ReadFile {
  const items = listIn(json);
  const findings: Finding[] = [];
  const note: Note = (code, path, before, after, message) => {
    findings.push(finding(code, { bookId: id, entryId: null }, path, before, after, message));
  };
  if (items === null) note('refused', 'data', null, null, 'The file holds no lorebook.');
  const listed = (items ?? []).map((item) => (isObject(item) ? asCardEntry(item) : item));
  const lore = withoutRisuRows(listed, false).filter((item) => !isRisuFolder(item));
  const entries = [...listed.filter(isRisuFolder), ...lore];
  const read = readCharacterBook({ extensions: OF_RISU, entries }, id);
  const kept = isObject(json) && isObject(json[STASH_KEY]) ? json[STASH_KEY]['name'] : undefined;
  const around = isObject(json) ? (moduleIn(json) ?? chatIn(json)) : null;
  const name = [kept, around?.['name']].find(isName) ?? fallbackName;
  const body = { ...read.body, name, extensions: {} };
  return {
    ...read,
    lorebook: { id, name, body, original: { [RISU]: { raw: json } } },
    body,
    findings: [...findings, ...read.findings],
  };
}

/** A file of RisuAI's own: its items, the same as a book in a card, and how a file is made of such items. */
export interface OwnFile {
  readonly items: readonly Json[];
  readonly book: JsonObject;
  readonly fileOf: (items: readonly Json[]) => JsonObject;
}

/** The file that a lorebook came from, when we did not write it; a module's is a file of its own. */
export function ownRisuFile({ original }: CanonicalLorebook): OwnFile | null {
  const raw = original[RISU]?.raw;
  const items = raw === undefined ? null : listIn(raw);
  if (items === null || items.some(isOurs)) return null;
  const entries = items.map((item) => (isObject(item) ? asCardEntry(item) : item));
  const isFile = isObject(raw) && raw['type'] === 'risu';
  return {
    items,
    book: { extensions: OF_RISU, entries },
    fileOf: (data) => {
      if (!isFile) return { type: 'risu', ver: 1, data };
      return data.length === items.length && data.every((item, at) => item === items[at])
        ? raw
        : { ...raw, data };
    },
  };
}

/** An item of RisuAI's own with what differs between it as it stands in a card and an edited row there. */
export function editedItem(item: JsonObject, row: JsonObject): JsonObject {
  const before = asCardEntry(item);
  const changed = Object.entries(row).flatMap(([key, value]): readonly [string, Json][] => {
    if (value === undefined || NOT_IN_FILES.has(key) || sameJson(value, before[key] ?? null)) return [];
    if (key === 'keys' || key === 'secondary_keys') {
      const text = isArray(value) ? value.join(', ') : '';
      const name = key === 'keys' ? 'key' : 'secondkey';
      return text === (item[name] ?? '') ? [] : [[name, text]];
    }
    if (key === 'comment') return value === item['comment'] ? [] : [[key, value]];
    return [[RENAMED.find(([, own]) => own === key)?.[0] ?? key, value]];
  });
  return { ...item, ...Object.fromEntries(changed) };
}

// Said by lines of the text alone.
const NOT_IN_FILES: ReadonlySet<string> = new Set(['enabled', 'case_sensitive']);

const isOurs = (item: Json): boolean => {
  const mark = jsonAt(item, ['extentions', STASH_KEY]);
  return mark !== undefined && !(isObject(mark) && mark['own'] === true);
};

const isName = (value: Json | undefined): value is string => typeof value === 'string' && value.trim() !== '';

const RENAMED: readonly (readonly [string, string])[] = [
  ['comment', 'name'],
  ['alwaysActive', 'constant'],
  ['insertorder', 'insertion_order'],
  ['useRegex', 'use_regex'],
  ['extentions', 'extensions'],
];

/** One of RisuAI's own entry objects as it stands in a card; the object is not changed. */
export function asCardEntry(item: JsonObject): JsonObject {
  const { key, secondkey, ...rest } = item;
  const renamed = Object.entries(rest).map(([name, value]): [string, Json | undefined] => [
    RENAMED.find(([own]) => own === name)?.[1] ?? name,
    value,
  ]);
  const isFolder = item['mode'] === 'folder';
  return {
    ...Object.fromEntries(renamed),
    mode: item['mode'] ?? 'normal',
    keys: isFolder ? [String(key)] : keysInCard(key),
    secondary_keys: keysInCard(secondkey),
    use_regex: item['useRegex'] ?? false,
  };
}

// As RisuAI itself parts them when it writes a card: blank ones stay.
const keysInCard = (value: Json | undefined): readonly string[] =>
  typeof value === 'string' ? value.split(',').map((text) => text.trim()) : partedKeys(value);
