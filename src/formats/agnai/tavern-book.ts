// The lorebook of Agnai's Tavern export: a character_book of V2 in which keys are still keywords, and fields of other
// apps still do nothing. It is told by the way in which Agnai builds it, and read as the memory book that it was. Facts:
// Agnaistic 1.0.27, nativeToCharacterBook.

import type { ExtractedBooks } from '../../core/adapter.ts';
import type { Finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, jsonAt } from '../../core/json.ts';
import { readMemoryBooks } from './memory-book.ts';

const SLOT = ['data', 'character_book'];
// In this order, which is neither that of the standard nor SillyTavern's.
const BOOK_ORDER = ['name', 'description', 'entries', 'extensions'];
const ENTRY_ORDER = ['keys', 'content', 'extensions', 'enabled', 'insertion_order', 'name', 'priority'];

const NAMES: Readonly<Record<string, string>> = {
  keys: 'keywords',
  content: 'entry',
  insertion_order: 'weight',
  secondary_keys: 'secondaryKeys',
  scan_depth: 'scanDepth',
  token_budget: 'tokenBudget',
  recursive_scanning: 'recursiveScanning',
};

/**
 * Whether a card's book was written by Agnai: no other app writes its fields in this order. A field that an entry lacked
 * there, as in a guest's old books, is not written; so all of them are asked for only where the card itself does not say
 * that it comes from Agnai (`isMarked`).
 */
export function isTavernBook(book: Json | undefined, isMarked = false): book is JsonObject {
  if (!isObject(book) || !isArray(book['entries']) || book['entries'].length === 0) return false;
  const startsWith = (object: JsonObject, order: readonly string[]): boolean => {
    const keys = Object.keys(object);
    const held = order.filter((key) => Object.hasOwn(object, key));
    return held.every((key, at) => keys[at] === key);
  };
  const needed = isMarked ? ['extensions'] : ENTRY_ORDER;
  const isEntry = (entry: Json): boolean =>
    isObject(entry) &&
    needed.every((key) => Object.hasOwn(entry, key)) &&
    startsWith(entry, ENTRY_ORDER) &&
    isObject(entry['extensions']) &&
    Object.keys(entry['extensions']).length === 0;
  return Object.hasOwn(book, 'extensions') && startsWith(book, BOOK_ORDER) && book['entries'].every(isEntry);
}

/** Whether a card's data says that it comes from Agnai: its Tavern export keeps there what no card has. */
export const isMarkedByAgnai = (data: Json | undefined): boolean =>
  isObject(jsonAt(data, ['extensions', 'agnai']));

/** A book of a Tavern export as the memory book that it was written from; it shares the parts of the book. */
export function memoryBookOf(book: JsonObject): JsonObject {
  const entries = (isArray(book['entries']) ? book['entries'] : []).map((entry): Json => {
    if (!isObject(entry)) return entry;
    const { extensions: _none, ...rest } = entry;
    return renamed(rest);
  });
  return { kind: 'memory', ...renamed(book), entries };
}

const renamed = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [NAMES[key] ?? key, value]));

/** The lorebooks of a Tavern export of Agnai's, or null when the card is none or holds no such book. */
export function tavernBooksOf(card: JsonObject, fallbackName: string): ExtractedBooks | null {
  const raw = jsonAt(card, SLOT);
  if (!isTavernBook(raw, isMarkedByAgnai(card['data']))) return null;
  const slot = SLOT.join('.');
  const findings: Finding[] = [];
  const books = readMemoryBooks(memoryBookOf(raw), slot, fallbackName, findings);
  return { books: books.map((lorebook) => ({ slot, lorebook })), findings };
}
