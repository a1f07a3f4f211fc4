// What a file says of every entry: both encodings of its position, the slot it lands in, and how far they agree.
// The command line prints it and the panel draws it; nothing is computed twice (decisions 42).

import type { ContainerKind } from '../containers/container.ts';
import type { Finding } from '../core/finding.ts';
import type { Json } from '../core/json.ts';
import { writeKey } from '../core/key.ts';
import type { CanonicalLorebook, Logic, LorebookEntry } from '../core/lorebook.ts';
import type { Agreement, PositionReading, RawValue, Role, Slot } from '../core/position.ts';
import { readForeignLorebook } from '../foreign-file.ts';
import type { ReadLorebook } from '../formats/_shared/character-book.ts';
import { readingOf } from '../formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../formats/_shared/character-book-table.ts';
import type { OpenedFile } from '../open-file.ts';
import { FILE_BOOK, formatOf } from '../open-file.ts';

/** One entry as a reader sees it. */
export interface InspectedEntry {
  readonly id: string;
  readonly bookId: string;
  readonly index: number;
  readonly originalId: Json;
  readonly title: string;
  readonly enabled: boolean;
  readonly constant: boolean;
  readonly keys: readonly string[];
  readonly secondaryKeys: readonly string[];
  readonly logic: Logic;
  readonly order: number;
  readonly coarse: RawValue;
  readonly precise: RawValue & { readonly at: 'extensions' | 'entry' };
  readonly slot: Slot;
  /** Only in the slot `depth`. */
  readonly depth: number | null;
  readonly role: Role | null;
  /** Only in the slot `outlet`. */
  readonly outlet: string | null;
  readonly agreement: Agreement;
  readonly floor: boolean;
}

/** A book of the file. */
export interface InspectedBook {
  readonly id: string;
  readonly slot: string;
  readonly name: string;
  readonly entryCount: number;
}

/** The whole file. */
export interface Inspection {
  readonly container: ContainerKind | 'zip';
  readonly kind: OpenedFile['kind'];
  readonly format: string;
  readonly spec: 'chara_card_v3' | 'chara_card_v2' | 'v1' | null;
  readonly name: string;
  readonly books: readonly InspectedBook[];
  readonly entries: readonly InspectedEntry[];
  readonly findings: readonly Finding[];
  /** Remarks on the container, each one sentence. */
  readonly notes: readonly string[];
  /** Of a zip of several files: what each of them is, in the archive's order. */
  readonly files?: readonly InspectedFile[];
}

/** A file of a zip. */
export interface InspectedFile extends Pick<Inspection, 'container' | 'kind' | 'format' | 'spec' | 'name'> {
  readonly file: string;
  /** The ids of its books. */
  readonly books: readonly string[];
}

/** Inspects an opened file. */
export function inspectFile(opened: OpenedFile): Inspection {
  const books = booksToInspect(opened);
  return {
    container: opened.container.kind,
    kind: opened.kind,
    format: formatOf(opened),
    spec: opened.kind === 'card' ? opened.spec : null,
    name: opened.kind === 'card' ? opened.pieces.character.name : (books[0]?.lorebook.name ?? ''),
    books: books.map(({ lorebook, slot }) => ({
      id: lorebook.id,
      slot,
      name: lorebook.name,
      entryCount: lorebook.body.entries.length,
    })),
    entries: books.flatMap(({ lorebook, reading }) =>
      (reading?.body.entries ?? lorebook.body.entries).map((entry, index) =>
        inspectedEntry(entry, index, lorebook.id, reading),
      ),
    ),
    findings: opened.findings,
    notes: opened.container.notes,
  };
}

/** A lorebook of an opened file. */
export interface BookToInspect {
  readonly lorebook: CanonicalLorebook;
  readonly slot: string;
  readonly reading: ReadLorebook | undefined;
}

/** The lorebooks of an opened file, each with its slot and what its reader knew. */
export function booksToInspect(opened: OpenedFile): readonly BookToInspect[] {
  if (opened.kind === 'worldinfo') {
    const { lorebook, reading } = opened.world;
    return [{ lorebook, slot: FILE_BOOK, reading }];
  }
  if (opened.kind === 'lorebook' && opened.reading !== undefined)
    return [{ lorebook: opened.lorebook, slot: FILE_BOOK, reading: opened.reading }];
  const books = opened.kind === 'card' ? opened.pieces.lorebooks : [opened.lorebook];
  return books.map((lorebook) => {
    const escrow = lorebook.original[CHARACTER_BOOK];
    const slot = opened.kind === 'card' ? (opened.pieces.slots.get(lorebook.id) ?? lorebook.id) : FILE_BOOK;
    const reading = escrow === undefined ? foreignReading(lorebook) : readingOf(escrow, lorebook.id);
    return { lorebook, slot, reading };
  });
}

// A lorebook of a card's in an app's own form, such as those beside the card in a charx of Lumiverse's.
const foreignReading = ({ id, name, original }: CanonicalLorebook): ReadLorebook | undefined => {
  const [escrow] = Object.values(original);
  return escrow === undefined ? undefined : readForeignLorebook(escrow.raw, id, name)?.reading;
};

const NO_POSITION: Pick<PositionReading, 'coarse' | 'precise' | 'agreement' | 'floor'> = {
  coarse: { present: false, value: null },
  precise: { present: false, value: null, at: 'entry' },
  agreement: 'assumed',
  floor: false,
};

/**
 * One entry, with how its position was known.
 *
 * @param reading what the file's reader knew beside the entry; without it the position counts as assumed
 */
export function inspectedEntry(
  entry: LorebookEntry,
  index: number,
  bookId: string,
  reading: ReadLorebook | undefined,
): InspectedEntry {
  const { coarse, precise, agreement, floor } = reading?.known.positions.get(entry.id) ?? NO_POSITION;
  const { slot, depth, role, outlet } = entry.position;
  return {
    id: entry.id,
    bookId,
    index,
    originalId: reading?.known.originalIds.get(entry.id) ?? null,
    title: entry.title,
    enabled: entry.enabled,
    constant: entry.constant,
    keys: entry.keys.map(writeKey),
    secondaryKeys: entry.secondaryKeys.map(writeKey),
    logic: entry.logic,
    order: entry.order,
    coarse,
    precise,
    slot,
    depth: slot === 'depth' ? depth : null,
    role: slot === 'depth' ? role : null,
    outlet: slot === 'outlet' ? outlet : null,
    agreement,
    floor,
  };
}
