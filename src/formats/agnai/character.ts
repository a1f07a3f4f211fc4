// A character in force as Agnai imports it: its own character file with its own memory book inside, or a memory book
// alone. The same object stands in a JSON file or as the first text of a PNG. Facts: Agnaistic 1.0.27.

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import { hashJson } from '../../core/hash.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject, withoutKey } from '../../core/json.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import { outletsIn } from '../_shared/outlet-macro.ts';
import { STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import { type AgnaiOptions, isFlattened, writeMemoryBook } from './book-writing.ts';
import { type CharacterFields, cardData, characterFields } from './character-fields.ts';
import { AGNAI } from './fields.ts';
import { untouchedBook } from './memory-book.ts';
import { untouchedNative } from './native-character.ts';
import { isOwnNative, onNativeTwin } from './native-twin.ts';
import { type Placing, placeEntries } from './placing.ts';
import { passesOf, reachOf } from './reach.ts';
import type { FieldStash, MemoryStash } from './restoring.ts';
import { agnaiGuidance, type Guidance } from './steps.ts';

export type { AgnaiOptions } from './book-writing.ts';

/** A written character. */
export interface WrittenCharacter extends Guidance {
  readonly card: JsonObject;
  readonly findings: readonly Finding[];
}

/** A written memory book. */
export interface WrittenBook extends Guidance {
  readonly name: string;
  readonly json: JsonObject;
  readonly findings: readonly Finding[];
}

const NOTE_DEPTH = 4;

/**
 * Writes a character with all its books in one memory book. Of one that Agnai wrote only what was edited is written
 * anew. What Agnai cannot say rides in the book's extensions, the one place that it keeps for signed-in users too.
 */
export function agnaiCharacter(resolved: ResolvedCharacter, options: AgnaiOptions): WrittenCharacter {
  const untouched = untouchedNative(
    resolved.character,
    resolved.books.map(({ lorebook }) => lorebook),
  );
  if (untouched !== null)
    return { card: untouched, findings: [], ...agnaiGuidance(resolved, null, 'character') };
  const data = cardData(resolved.character);
  const { extensions: _bag, character_book: _book, ...texts } = data;
  const reach = reachOf(resolved);
  const placing = placeEntries(resolved, {
    hasCharacter: true,
    passes: isFlattened(options) ? passesOf(resolved, reach) : new Map(),
    noteDepth: options.noteDepth ?? NOTE_DEPTH,
    outlets: new Set(outletsIn(JSON.stringify(texts))),
  });
  const hasBook = resolved.books.length > 0;
  const fields = onNativeTwin(
    resolved.character,
    characterFields(resolved.character, placing, resolved.depthPrompt, hasBook),
  );
  const card = cardStash(fields);
  if (!hasBook) {
    const stash: MemoryStash = { v: STASH_VERSION, in: AGNAI, books: [], entries: [], shown: {}, card };
    return {
      ...checked(withStash(fields.native, stash), fields.findings),
      ...agnaiGuidance(resolved, null, 'character'),
    };
  }
  const written = writeMemoryBook(resolved, placing, reach, options);
  const own = written.own === undefined ? {} : { own: written.own };
  const bare: MemoryStash = { v: STASH_VERSION, in: AGNAI, ...own, books: [], entries: [], shown: {} };
  const stash: MemoryStash | null =
    written.stash === null && isOwnNative(resolved.character, fields)
      ? null
      : { ...(written.stash ?? bare), card };
  const book = {
    _id: '__bundled__characterbook__',
    userId: 'characterBook',
    ...withStash(written.book, stash),
  };
  return {
    ...checked({ ...fields.native, characterBook: book }, [...fields.findings, ...written.findings]),
    ...agnaiGuidance(resolved, written.preset, 'character'),
  };
}

/** Writes all books as one memory book of its own, to be linked to a chat: it has room for one. */
export function agnaiMemoryBook(resolved: ResolvedCharacter, options: AgnaiOptions): WrittenBook {
  const [first, ...others] = resolved.books;
  const untouched = first === undefined || others.length > 0 ? null : untouchedBook(first.lorebook);
  if (untouched !== null) {
    const name = String(untouched['name']);
    return { name, json: untouched, findings: [], ...agnaiGuidance(resolved, null, 'book') };
  }
  const reach = reachOf(resolved);
  const placing: Placing = placeEntries(resolved, {
    hasCharacter: false,
    passes: isFlattened(options) ? passesOf(resolved, reach) : new Map(),
    noteDepth: options.noteDepth ?? NOTE_DEPTH,
    outlets: new Set(),
  });
  const written = writeMemoryBook(resolved, placing, reach, options);
  const book = withoutKey(withoutKey(written.book, '_id'), 'userId');
  const said = [
    ...written.findings,
    ...(written.stash === null ? [] : [bareOnServer(first?.lorebook.id ?? null)]),
  ];
  const { card, findings } = checked(withStash(book, written.stash), said);
  return {
    name: String(card['name']),
    json: card,
    findings,
    ...agnaiGuidance(resolved, written.preset, 'book'),
  };
}

// The server keeps a name, a description and six fields of each entry (srv/db/memory.ts, 1.0.27).
const bareOnServer = (bookId: string | null): Finding =>
  finding(
    'approximated',
    { bookId, entryId: null },
    'extensions',
    'kept aside in the file',
    'gone once a signed-in user saves the lorebook',
    'A lorebook of its own keeps nothing aside in the account of a signed-in user: keep this file for the way back.',
  );

// Marks of every field as written; an Insert that is not there is shown as nothing.
function cardStash({ native, kept, own }: CharacterFields): FieldStash {
  const marks = Object.entries({ insert: null, ...native }).map(([key, value]) => [key, hashJson(value)]);
  return { ...(own === undefined ? {} : { own }), kept, shown: Object.fromEntries(marks) };
}

function withStash(book: JsonObject, stash: MemoryStash | null): JsonObject {
  if (stash === null) return book;
  const extensions = isObject(book['extensions']) ? book['extensions'] : {};
  return { ...book, extensions: { ...extensions, [STASH_KEY]: stash } };
}

/** Agnai's server takes at most this much of one field (its forms, 1.0.27). */
const LONGEST_FIELD = 10 * 1024 * 1024;
const CARD = { bookId: null, entryId: null };

const sizeOf = (value: Json | undefined): number =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value ?? null)).length;

// A book that is too large with what is kept aside goes without it; any other field that is, is refused there.
function checked(
  native: JsonObject,
  findings: readonly Finding[],
): { readonly card: JsonObject; readonly findings: readonly Finding[] } {
  const found: Finding[] = [];
  let card = native;
  const book = native['characterBook'] ?? (native['kind'] === 'memory' ? native : undefined);
  if (isObject(book) && sizeOf(book) > LONGEST_FIELD && isObject(book['extensions'])) {
    const bare = { ...book, extensions: withoutKey(book['extensions'], STASH_KEY) };
    card = book === native ? bare : { ...native, characterBook: bare };
    const message =
      'The lorebook would be larger than Agnai takes, so nothing is kept aside in it: the way back is coarse.';
    found.push(finding('lost', CARD, 'characterBook.extensions', sizeOf(book), sizeOf(bare), message));
  }
  for (const [key, value] of Object.entries(card)) {
    const size = sizeOf(value);
    if (size <= LONGEST_FIELD) continue;
    found.push(
      finding('refused', CARD, key, size, LONGEST_FIELD, `${key} is larger than the 10 MB that Agnai takes.`),
    );
  }
  return { card, findings: [...findings, ...found] };
}
