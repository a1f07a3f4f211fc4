// A character for RoleCall: an ordinary V3 card with its lorebooks in one book, each position in both of the standard's
// encodings as SillyTavern writes them. What RoleCall makes of it is known second-hand only.

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject, withoutKey } from '../../core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../core/lorebook.ts';
import type { Slot } from '../../core/position.ts';
import { nearestPosition } from '../../core/position.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import { familyOf } from '../_shared/book-family.ts';
import { embedCharacterBook } from '../_shared/book-slots.ts';
import { CARD_TEXTS, rawCardData } from '../_shared/card-data.ts';
import { readingOf } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { foreignAppOfBook, inStandardWords } from '../_shared/foreign-book.ts';
import { characterFilterCodec } from '../_shared/lore-enums.ts';
import { lorebooksToCharacterBook } from '../_shared/source-books.ts';

/** A written card. */
export interface WrittenCard {
  readonly card: JsonObject;
  readonly findings: readonly Finding[];
}

const LISTS = ['alternate_greetings', 'tags'] as const;
const NOBODY = { bookId: null, entryId: null };

/** Writes a character with its lorebooks. */
export function rolecallCard(resolved: ResolvedCharacter, privateFields: 'keep' | 'drop'): WrittenCard {
  const findings: Finding[] = [
    finding(
      'assumed',
      NOBODY,
      'target',
      null,
      null,
      'RoleCall could not be run, so nobody has seen what it makes of this card; it is written as the standard has it.',
    ),
  ];
  const raw = rawCardData(resolved.character, [...CARD_TEXTS, ...LISTS]);
  const data: JsonObject = {
    ...Object.fromEntries(CARD_TEXTS.map((key) => [key, ''])),
    ...Object.fromEntries([...LISTS, 'group_only_greetings'].map((key) => [key, []])),
    ...raw,
    extensions: isObject(raw['extensions']) ? raw['extensions'] : {},
  };
  const books = resolved.books.map(({ lorebook }) =>
    privateFields === 'keep' ? lorebook : withoutPrivate(lorebook, findings),
  );
  const listed = inOwnList(data, books);
  const embedded = embedCharacterBook(data, books.length === 0 ? undefined : books);
  for (const each of listed === null ? embedded.findings : []) findings.push(each);
  // Written anew only now: by its raw form a book is known in the slot where it stood.
  const { extensions } = resolved.character.body;
  const own = books.map((book) => asRolecallReads(book, extensions));
  const isOwn = own.every((book, at) => book === books[at]);
  const written =
    listed ??
    (isOwn
      ? embedded.data
      : { ...withoutStaleBook(embedded.data), character_book: lorebooksToCharacterBook(own) });
  for (const { lorebook, entries } of resolved.books) {
    // What RoleCall wrote itself it reads as it meant it.
    if (listed !== null && isAsRead(lorebook)) continue;
    for (const { source, entry } of entries) {
      const place = { bookId: lorebook.id, entryId: source.id };
      const said = entry.enabled ? placeFinding(entry.position.slot) : null;
      if (said === null) continue;
      findings.push(finding('approximated', place, 'position.slot', entry.position.slot, ...said));
    }
    const place = { bookId: lorebook.id, entryId: null };
    const { scanDepth } = lorebook.body;
    const { depth } = resolved.settings;
    const after = scanDepth ?? USUAL_DEPTH;
    if (entries.length === 0 || after === depth) continue;
    const message = `RoleCall is said to search ${after} messages for the keys of a card’s lorebook, SillyTavern searches ${depth}; the lorebook file holds that.`;
    findings.push(finding('approximated', place, 'scan.depth', depth, after, message));
  }
  return { card: { spec: 'chara_card_v3', spec_version: '3.0', data: written }, findings };
}

const isAsRead = ({ id, body, original }: CanonicalLorebook): boolean => {
  const escrow = original[CHARACTER_BOOK];
  return escrow !== undefined && readingOf(escrow, id).body === body;
};

// RoleCall keeps a character's lorebooks in a list of its own, and goes on doing so.
function inOwnList(data: JsonObject, books: readonly CanonicalLorebook[]): JsonObject | null {
  const { extensions } = data;
  const list = isObject(extensions) ? extensions['character_books'] : undefined;
  if (!isArray(list) || list.length === 0 || data['character_book'] != null) return null;
  const rawOf = (book: CanonicalLorebook): Json | undefined => book.original[CHARACTER_BOOK]?.raw;
  if (!list.every((raw) => books.some((book) => rawOf(book) === raw))) return null;
  const written = books.map((book) => lorebooksToCharacterBook([book]));
  const isSame = written.length === list.length && written.every((raw, at) => raw === list[at]);
  return isSame ? data : { ...data, extensions: { ...(extensions as JsonObject), character_books: written } };
}

/** Messages that are searched where a card's book does not say. */
const USUAL_DEPTH = 100;

const READ_AS: Readonly<Partial<Record<Slot, Slot>>> = {
  note_top: 'before_example',
  note_bottom: 'after_example',
  before_example: 'character',
  after_example: 'character',
  outlet: 'character',
};

function placeFinding(slot: Slot): readonly [Slot, string] | null {
  const readAs = READ_AS[slot];
  if (readAs !== undefined)
    return [
      readAs,
      'RoleCall is said to read SillyTavern’s number for this place as another one; its lorebook file has words.',
    ];
  const near = nearestPosition({ slot, depth: 0, role: 'system', outlet: '' }).slot;
  return near === slot
    ? null
    : [near, 'A card has no word for this place of RoleCall’s; its lorebook file has.'];
}

// What a card of Lumiverse's holds beside its live book is told to be old only by that book's own words (decisions 8b).
function withoutStaleBook(data: JsonObject): JsonObject {
  const { character_book: book, extensions } = data;
  if (!isObject(book) || !isObject(extensions) || familyOf(book).family !== 'lumiverse') return data;
  return { ...data, extensions: withoutKey(extensions, 'character_book') };
}

// The words of another app would mean nothing there; RoleCall's own do.
function asRolecallReads(lorebook: CanonicalLorebook, extensions: JsonObject): CanonicalLorebook {
  const isOwn = foreignAppOfBook(lorebook, extensions) === 'rolecall';
  return isOwn ? lorebook : inStandardWords(lorebook, extensions);
}

function withoutPrivate(lorebook: CanonicalLorebook, findings: Finding[]): CanonicalLorebook {
  const entries = lorebook.body.entries.map((entry): LorebookEntry => {
    const { characterFilter, automationId } = entry;
    if (characterFilter === null && automationId === '') return entry;
    const place = { bookId: lorebook.id, entryId: entry.id };
    const message = 'It was dropped because it is private.';
    if (characterFilter !== null) {
      const before = characterFilterCodec.encode(characterFilter);
      findings.push(finding('lost', place, 'characterFilter', before, null, message));
    }
    if (automationId !== '') findings.push(finding('lost', place, 'automationId', automationId, '', message));
    return { ...entry, characterFilter: null, automationId: '' };
  });
  const isSame = entries.every((entry, at) => entry === lorebook.body.entries[at]);
  return isSame ? lorebook : { ...lorebook, body: { ...lorebook.body, entries } };
}
