// A character in force as Marinara imports it: a V2 card whose book speaks Marinara's own dialect, or a card without a
// book beside Marinara's own lorebook files; never both, or the lore would fire twice. Facts: Marinara Engine 2.3.3.

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { NO_FIELDS } from '../../core/json.ts';
import type { ResolvedBook, ResolvedCharacter } from '../../core/resolved.ts';
import { writeBookHead } from '../_shared/book-fields.ts';
import { lorebookToCharacterBook } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import { type BookStash, bookMarks, type CardStash } from '../_shared/stashed-books.ts';
import { bookFindings } from './book-findings.ts';
import { frozenSettings, type MarinaraOptions, type WrittenBook, writeBooks } from './book-writing.ts';
import { marinaraData } from './card-data.ts';
import { asEnvelope } from './envelope.ts';

/** A written card. */
export interface WrittenCard {
  readonly card: JsonObject;
  readonly findings: readonly Finding[];
}

/** A written lorebook file. */
export interface WrittenLorebook {
  readonly bookId: string;
  readonly name: string;
  readonly json: JsonObject;
}

/** Written lorebook files. */
export interface WrittenLorebooks {
  readonly lorebooks: readonly WrittenLorebook[];
  readonly findings: readonly Finding[];
}

/**
 * Writes the character with its books in one character_book. Each entry stands in Marinara's dialect at its own level,
 * with SillyTavern's values in its extensions; the card's extensions keep what neither says.
 */
export function marinaraCard(resolved: ResolvedCharacter, options: MarinaraOptions): WrittenCard {
  const { data, findings } = marinaraData(resolved.character);
  if (resolved.books.length === 0) return { card: asCard({ ...data, character_book: null }), findings };
  const books = writeBooks(resolved, 'card', options);
  const { card: book, stash } = bookInCard(resolved, books);
  const extensions = { ...(data['extensions'] as JsonObject), [STASH_KEY]: stash };
  return {
    card: asCard({ ...data, extensions, character_book: book }),
    findings: [...findings, ...books.flatMap((each) => each.findings), ...bookFindings(resolved, 'card')],
  };
}

/** The character without any book: what goes beside Marinara's own lorebook files. */
export function marinaraCardWithoutBook(resolved: ResolvedCharacter): WrittenCard {
  const { data, findings } = marinaraData(resolved.character);
  return { card: asCard({ ...data, character_book: null }), findings };
}

const asCard = (data: JsonObject): JsonObject => ({ spec: 'chara_card_v2', spec_version: '2.0', data });

function bookInCard(
  resolved: ResolvedCharacter,
  books: readonly WrittenBook[],
): { readonly card: JsonObject; readonly stash: CardStash } {
  const settings = frozenSettings(resolved.settings);
  const [first] = resolved.books;
  const parts = books.map(({ book, entries }) => ({ name: book.lorebook.name, entryCount: entries.length }));
  const bag = first?.lorebook.body.extensions ?? NO_FIELDS;
  const card: JsonObject = {
    name: first?.lorebook.name ?? '',
    description: first?.lorebook.body.description ?? '',
    scan_depth: settings.scanDepth,
    token_budget: settings.tokenBudget,
    recursive_scanning: settings.recursiveScanning,
    max_recursion_depth: settings.maxRecursionDepth,
    extensions: books.length > 1 ? { ...bag, vaud_source_books: parts } : bag,
    entries: books.flatMap(({ entries }) => entries.map(({ raw }) => raw)),
  };
  return {
    card,
    stash: {
      v: STASH_VERSION,
      in: 'marinara',
      books: books.map(({ book }) => bookStash(book)),
      entries: books.flatMap(({ entries }) => entries.map(({ stash }) => stash)),
      shown: bookMarks(card),
    },
  };
}

// A book that came out of a card keeps its own fields as they stood there.
function bookStash({ lorebook }: ResolvedBook): BookStash {
  const { name, body, original } = lorebook;
  const written =
    original[CHARACTER_BOOK] === undefined
      ? writeBookHead(body, CHARACTER_BOOK)
      : lorebookToCharacterBook({ ...body, entries: [] }, original[CHARACTER_BOOK]);
  const { entries: _entries, ...head } = written;
  return { name, kept: { ...head, name } };
}

/** Writes each book as Marinara's own lorebook file, linked to nobody: an id of another installation means nothing. */
export function marinaraLorebooks(resolved: ResolvedCharacter, options: MarinaraOptions): WrittenLorebooks {
  const settings = frozenSettings(resolved.settings);
  const books = writeBooks(resolved, 'native', options);
  const lorebooks = books.map(({ book, entries }): WrittenLorebook => {
    const { id, name, body } = book.lorebook;
    const title = name.trim() === '' ? 'Lorebook' : name.slice(0, LONGEST_NAME);
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
  });
  return {
    lorebooks,
    findings: [...books.flatMap((each) => each.findings), ...bookFindings(resolved, 'native')],
  };
}

const LONGEST_NAME = 200;
/** Marinara's highest entry limit; SillyTavern has none. */
const MOST_ENTRIES = 1000;

/** What an entry needs that a card cannot hold and Marinara's own lorebook file can, one line each. */
export function needsLorebookFile(resolved: ResolvedCharacter): readonly Finding[] {
  return resolved.books.flatMap(({ lorebook, entries }) =>
    entries.flatMap(({ source, entry, fires }): readonly Finding[] => {
      if (fires === 'never') return [];
      const place = { bookId: lorebook.id, entryId: source.id };
      const found: Finding[] = [];
      if (entry.triggers.length > 0) {
        found.push(
          finding(
            'approximated',
            place,
            'triggers',
            entry.triggers,
            [],
            'It fires at some kinds of generation only.',
          ),
        );
      }
      const { sources } = entry;
      if (fires === 'keys' && sources.personaDescription) {
        found.push(
          finding(
            'stashed',
            place,
            'sources.personaDescription',
            true,
            false,
            "The persona's description is searched for its keys.",
          ),
        );
      }
      return found;
    }),
  );
}
