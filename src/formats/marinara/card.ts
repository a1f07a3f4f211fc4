// A character in force as Marinara imports it: a V2 card whose book speaks Marinara's own dialect, or a card without a
// book beside Marinara's own lorebook files; never both, or the lore would fire twice. Facts: Marinara Engine 2.3.3.

import type { Finding } from '../../core/finding.ts';
import { finding } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import { isObject, NO_FIELDS } from '../../core/json.ts';
import type { OwnPart } from '../../core/own-part.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import { changedBookHead } from '../_shared/book-fields.ts';
import { bookStash } from '../_shared/kept-book.ts';
import { bookOnTwin } from '../_shared/own-twin.ts';
import { STASH_KEY, STASH_VERSION } from '../_shared/stash.ts';
import { bookMarks, type CardStash } from '../_shared/stashed-books.ts';
import { bookFindings } from './book-findings.ts';
import { frozenSettings, type MarinaraOptions, type WrittenBook, writeBooks } from './book-writing.ts';
import { marinaraData } from './card-data.ts';

export { marinaraLorebooks } from './lorebook-files.ts';

/** A written card. */
export interface WrittenCard {
  readonly card: JsonObject;
  readonly findings: readonly Finding[];
  readonly own: readonly OwnPart[];
}

/**
 * Writes the character with its books in one character_book. Each entry stands in Marinara's dialect at its own level,
 * with SillyTavern's values in its extensions; the card's extensions keep what neither says.
 */
export function marinaraCard(resolved: ResolvedCharacter, options: MarinaraOptions): WrittenCard {
  const books = writeBooks(resolved, 'card', options);
  const { data, findings } = marinaraData(
    resolved.character,
    books.some(({ twin }) => twin !== null),
  );
  if (resolved.books.length === 0)
    return { card: asCard({ ...data, character_book: null }), findings, own: [] };
  const { card: book, stash } = bookInCard(resolved, books);
  const held = data['extensions'] as JsonObject;
  const extensions = stash === null ? held : { ...held, [STASH_KEY]: stash };
  return {
    card: asCard({ ...data, extensions, character_book: book }),
    findings: [
      ...findings,
      ...books.flatMap((each) => each.findings),
      ...bookFindings(resolved, 'card', books),
    ],
    own: books.flatMap((each) => each.own),
  };
}

/** The character without any book: what goes beside Marinara's own lorebook files. */
export function marinaraCardWithoutBook(resolved: ResolvedCharacter): WrittenCard {
  const { data, findings } = marinaraData(resolved.character);
  return { card: asCard({ ...data, character_book: null }), findings, own: [] };
}

const asCard = (data: JsonObject): JsonObject => ({ spec: 'chara_card_v2', spec_version: '2.0', data });

function bookInCard(
  resolved: ResolvedCharacter,
  books: readonly WrittenBook[],
): { readonly card: JsonObject; readonly stash: CardStash | null } {
  const settings = frozenSettings(resolved.settings);
  const [first] = books;
  const body = first?.book.lorebook.body;
  const parts = books.map(({ book, entries }) => ({ name: book.lorebook.name, entryCount: entries.length }));
  const own = first?.twin ?? null;
  const head: JsonObject =
    own !== null && body !== undefined
      ? changedBookHead(body, own.body, own.raw)
      : {
          name: first?.book.lorebook.name ?? '',
          description: body?.description ?? '',
          scan_depth: settings.scanDepth,
          token_budget: settings.tokenBudget,
          recursive_scanning: settings.recursiveScanning,
          max_recursion_depth: settings.maxRecursionDepth,
          extensions: body?.extensions ?? NO_FIELDS,
        };
  const list = books.flatMap(({ entries }) => entries);
  const isOne = books.length === 1;
  const alone =
    own !== null && isOne
      ? bookOnTwin(
          own,
          head,
          list.map(({ id, raw }) => [id, raw]),
        )
      : { ...own?.raw, ...head, entries: list.map(({ raw }) => raw) };
  const bag = isObject(alone['extensions']) ? alone['extensions'] : NO_FIELDS;
  const card = isOne ? alone : { ...alone, extensions: { ...bag, vaud_source_books: parts } };
  const stashes = list.flatMap(({ stash }) => stash ?? []);
  if (own !== null && stashes.length === 0) return { card, stash: null };
  return {
    card,
    stash: {
      v: STASH_VERSION,
      in: 'marinara',
      books: books.map(({ book }) => bookStash(book)),
      entries: stashes,
      shown: bookMarks(card),
    },
  };
}

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
