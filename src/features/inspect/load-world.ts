// World files as the panel shows them.

import { type Finding, finding } from '../../core/finding.ts';
import { isArray } from '../../core/json.ts';
import { readingOf } from '../../formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../formats/_shared/character-book-table.ts';
import { lorebookFromWorld } from '../../formats/sillytavern/world-twin.ts';
import { t } from '../../host/context.ts';
import { unsavedEdits } from '../../host/world-editor.ts';
import { listWorlds, readWorld, type StoredWorld } from '../../host/world-store.ts';
import { FILE_BOOK } from '../../open-file.ts';
import type { BookKind, Subject, SubjectBook } from './subject.ts';
import { surroundingsOf } from './surroundings.ts';

/**
 * A world file as it is now. An edit in SillyTavern's open editor is waited for: it reaches the file a second later.
 *
 * @returns undefined when there is no such file
 * @throws ServerError of the host
 */
export async function readEditedWorld(name: string): Promise<StoredWorld | undefined> {
  const stored = await readWorld(name);
  return stored && (await unsavedEdits(stored)) ? readWorld(name) : stored;
}

/** A world file as a book of a subject. */
export function worldBook(stored: StoredWorld, kind: BookKind): SubjectBook {
  const { name, data } = stored;
  const id = `worldinfo:${name}`;
  if (isArray(data['entries'])) return listBook(stored, kind, id);
  const { lorebook, reading } = lorebookFromWorld(data, id, name);
  return {
    key: `world:${name}`,
    kind,
    name,
    slot: FILE_BOOK,
    lorebook,
    reading,
    findings: reading.findings,
    stored,
  };
}

// SillyTavern finds no entry in such a file: it is shown as what it is, a card's book, and offered to be converted.
function listBook(stored: StoredWorld, kind: BookKind, id: string): SubjectBook {
  const { name, data } = stored;
  const escrow = { raw: data };
  const reading = readingOf(escrow, id);
  const message = t`The file holds its entries as a list, as a card's book does: SillyTavern reads none of them.`;
  return {
    key: `world:${name}`,
    kind,
    name,
    slot: FILE_BOOK,
    lorebook: { id, name, body: reading.body, original: { [CHARACTER_BOOK]: escrow } },
    reading,
    findings: [
      finding('refused', { bookId: id, entryId: null }, 'entries', null, null, message),
      ...reading.findings,
    ],
    stored,
  };
}

/**
 * Reads world files side by side, each of them once and in the order given.
 *
 * @param wanted names with what each world is to the subject
 * @returns the books, and a finding for each world that could not be read; one that does not exist is left out
 */
export async function loadWorldBooks(
  wanted: readonly { readonly name: string; readonly kind: BookKind }[],
): Promise<{ readonly books: readonly SubjectBook[]; readonly findings: readonly Finding[] }> {
  const findings: Finding[] = [];
  const once = wanted.filter(({ name }, index) => wanted.findIndex((other) => other.name === name) === index);
  const books = await Promise.all(
    once.map(async ({ name, kind }) => {
      try {
        const stored = await readEditedWorld(name);
        return stored === undefined ? [] : [worldBook(stored, kind)];
      } catch (error) {
        findings.push(unread(name, error));
        return [];
      }
    }),
  );
  return { books: books.flat(), findings };
}

function unread(name: string, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  const message = t`The lorebook “${name}” could not be read. ${reason}`;
  return finding('refused', { bookId: null, entryId: null }, 'book', name, null, message);
}

/**
 * Reads one world file for the panel. Nothing is written.
 *
 * @throws Error with one sentence when there is no such world, or it cannot be read
 */
export async function loadWorldSubject(name: string): Promise<Subject> {
  const [stored, listed, surroundings] = await Promise.all([
    readEditedWorld(name),
    listWorlds(),
    surroundingsOf(null),
  ]);
  if (stored === undefined) throw new Error(t`The lorebook “${name}” does not exist.`);
  return {
    fileName: null,
    character: null,
    books: [worldBook(stored, 'world')],
    findings: [],
    surroundings,
    worldNames: listed.map((world) => world.name),
  };
}
