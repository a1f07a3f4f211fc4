// The book-level fields of a character_book, and of a world file that carries them at its top level.

import type { Note } from '../../core/finding.ts';
import { shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, sameJson } from '../../core/json.ts';
import type { LorebookBody } from '../../core/lorebook.ts';
import type { Codec } from './codecs.ts';
import { flagOrInherit, numberOrInherit, text } from './codecs.ts';

type BookSettings = Pick<
  LorebookBody,
  'name' | 'description' | 'scanDepth' | 'tokenBudget' | 'recursiveScanning'
>;

interface BookRow<K extends keyof BookSettings> {
  readonly name: K;
  readonly wire: string;
  readonly codec: Codec<BookSettings[K]>;
  readonly unset: BookSettings[K];
}

const row = <K extends keyof BookSettings>(
  name: K,
  wire: string,
  codec: Codec<BookSettings[K]>,
  unset: BookSettings[K],
): BookRow<K> => ({ name, wire, codec, unset });

/** The fields that CCv2 and CCv3 give to a book (spec 000), in the order in which they are written. */
const BOOK_ROWS = [
  row('name', 'name', text, ''),
  row('description', 'description', text, ''),
  row('scanDepth', 'scan_depth', numberOrInherit, null),
  row('tokenBudget', 'token_budget', numberOrInherit, null),
  row('recursiveScanning', 'recursive_scanning', flagOrInherit, null),
] as const;

/** The names under which these fields stand, in a book and in a world file that carries them. */
export const BOOK_FIELD_NAMES: readonly string[] = BOOK_ROWS.map((each) => each.wire);

const KNOWN = new Set<string>([...BOOK_ROWS.map((each) => each.wire), 'extensions', 'entries']);
const EMPTY: JsonObject = Object.freeze({});

/** Whether two books hold the same fields; unknown keys of the book do not count. */
export function sameBookHead(a: BookHead, b: BookHead): boolean {
  return BOOK_ROWS.every(({ name }) => a[name] === b[name]) && sameJson(a.extensions, b.extensions);
}

/** Everything of a body but its entries. */
export type BookHead = Omit<LorebookBody, 'entries'>;

/** Reads the fields of a book; never throws. */
export function readBookHead(
  raw: JsonObject,
  dialect: string,
  note: Note,
  alsoKnown: readonly string[] = [],
): BookHead {
  const read = <K extends keyof BookSettings>({ name, wire, codec, unset }: BookRow<K>): BookSettings[K] => {
    const value = raw[wire];
    if (value === undefined || value === null) return unset;
    let reason: string | null = null;
    const decoded = codec.decode(value, (why) => {
      reason = why;
    });
    const result = decoded ?? unset;
    if (reason !== null)
      note('repaired', name, value, codec.encode(result), `The book's ${wire} ${shown(value)} ${reason}.`);
    return result;
  };
  const [name, description, scanDepth, tokenBudget, recursiveScanning] = BOOK_ROWS;
  const extensions = raw['extensions'];
  if (extensions !== undefined && extensions !== null && !isObject(extensions)) {
    note(
      'repaired',
      'extensions',
      extensions,
      {},
      `The book's extensions ${shown(extensions)} is not an object and was not used.`,
    );
  }
  const rest = Object.keys(raw).filter((key) => !KNOWN.has(key) && !alsoKnown.includes(key));
  return {
    name: read(name),
    description: read(description),
    scanDepth: read(scanDepth),
    tokenBudget: read(tokenBudget),
    recursiveScanning: read(recursiveScanning),
    extensions: isObject(extensions) ? extensions : EMPTY,
    bag: {
      dialect,
      book: rest.length === 0 ? EMPTY : Object.fromEntries(rest.map((key) => [key, raw[key]])),
    },
  };
}

/** Writes the fields that hold something; unset ones are left out, as SillyTavern's own export does. */
export function writeBookHead(head: BookHead, dialect: string): JsonObject {
  const written: Record<string, Json | undefined> = head.bag.dialect === dialect ? { ...head.bag.book } : {};
  for (const { name, wire, unset } of BOOK_ROWS) {
    if (head[name] !== unset) written[wire] = head[name];
  }
  if (Object.keys(head.extensions).length > 0) written['extensions'] = head.extensions;
  return written;
}

/** The keys of a raw book that an edited body changes, with their new values; undefined removes a key. */
export function changedBookHead(head: BookHead, twin: BookHead, raw: JsonObject): JsonObject {
  const changed: Record<string, Json | undefined> = {};
  for (const { name, wire } of BOOK_ROWS) {
    if (head[name] !== twin[name]) changed[wire] = head[name];
  }
  if (head.extensions !== twin.extensions && !sameJson(head.extensions, twin.extensions)) {
    const emptied = Object.keys(head.extensions).length === 0 && !Object.hasOwn(raw, 'extensions');
    if (!emptied) changed['extensions'] = head.extensions;
  }
  return changed;
}
