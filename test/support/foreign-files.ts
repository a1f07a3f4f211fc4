// Files that another app wrote (test/fixtures/foreign), each beside a sidecar that says how the app itself held what it
// exported; and the tests that are the same for every app: each file reads as the app held it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding, FindingCode } from '../../src/core/finding.ts';
import { isObject } from '../../src/core/json.ts';
import { writeKey } from '../../src/core/key.ts';
import type { CanonicalLorebook, LorebookBody, LorebookEntry } from '../../src/core/lorebook.ts';
import { familyOf } from '../../src/formats/_shared/book-family.ts';
import { lorebookToCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';

/** The files of an app. */
export interface ForeignFiles<Sidecar> {
  readonly names: readonly string[];
  readonly bytesOf: (name: string) => Uint8Array;
  readonly sidecarOf: (name: string) => Sidecar;
}

/** Opens the folder of an app; the sidecars are as the type says, which nobody checks. */
export function foreignFiles<Sidecar>(app: string): ForeignFiles<Sidecar> {
  const folder = join(import.meta.dirname, '../fixtures/foreign', app);
  return {
    names: readdirSync(folder).filter((name) => !name.endsWith('.expect.json')),
    bytesOf: (name) => readFileSync(join(folder, name)),
    sidecarOf: (name) => JSON.parse(readFileSync(join(folder, `${name}.expect.json`), 'utf8')) as Sidecar,
  };
}

/** A key in a sidecar. */
export type KeyOfApp = string | { readonly regex: string; readonly flags: string };

/** What every sidecar says of an entry. */
export interface HeldByApp<Key = KeyOfApp> {
  readonly title: string;
  readonly content: string;
  readonly keys: readonly Key[];
  readonly secondaryKeys: readonly Key[];
  readonly enabled: boolean;
  readonly constant: boolean;
  readonly order: number;
}

/** Books as they were read, and what was said of them. */
export interface ReadBooks {
  readonly lorebooks: readonly CanonicalLorebook[];
  readonly findings: readonly Finding[];
}

/** How an entry was read, in the words of the sidecars. */
export function readingOf(entry: LorebookEntry) {
  const { slot, depth, role, outlet } = entry.position;
  const secondaryKeys = entry.secondaryKeys.map(writeKey);
  return {
    heading: entry.memo || entry.title,
    title: entry.title,
    memo: entry.memo,
    content: entry.content,
    keys: entry.keys.map(writeKey),
    secondaryKeys,
    selective: entry.selective,
    logic: entry.logic,
    /** The condition beside the keys, where there is one. */
    condition: entry.selective && secondaryKeys.length > 0 ? [entry.logic, secondaryKeys] : null,
    enabled: entry.enabled,
    constant: entry.constant,
    order: entry.order,
    place: slot === 'depth' ? [slot, depth, role] : slot === 'outlet' ? [slot, outlet] : [slot],
    role,
    probability: entry.probability,
    timing: entry.timing,
    group: entry.group,
    recursion: entry.recursion,
    scan: entry.scan,
    sources: entry.sources,
    triggers: entry.triggers,
    vectorized: entry.vectorized,
    automationId: entry.automationId,
    folder: entry.bag.entry['folder'],
  };
}

/** What of a reading is asked; of its sections a part may be. */
export type MeantEntry = Readonly<Partial<Record<keyof ReturnType<typeof readingOf>, unknown>>>;

/** What of an entry is read as the sidecar has it, its keys as SillyTavern writes them. */
export const asHeld = <Key>(entry: HeldByApp<Key>, keyOf: (key: Key) => string) => ({
  heading: entry.title,
  content: entry.content,
  keys: entry.keys.map(keyOf),
  secondaryKeys: entry.secondaryKeys.map(keyOf),
  enabled: entry.enabled,
  constant: entry.constant,
  order: entry.order,
});

/** A book as its app held it. */
export interface MeantBook {
  /** Absent where the file says no name. */
  readonly name?: string;
  readonly body?: Partial<LorebookBody>;
  readonly entries: readonly MeantEntry[];
}

/** What is an app's own about its files. */
export interface ForeignApp {
  readonly name: string;
  readonly files: readonly string[];
  readonly count: number;
  readonly read: (file: string) => ReadBooks;
  /** The books of the sidecar, as they must be read and in their order. */
  readonly meant: (file: string) => readonly MeantBook[];
  /** What else is asked of each file. */
  readonly also?: (file: string, read: ReadBooks) => void;
  /** The cards whose book the app wrote, whose family that makes it, and what the test says and asks beyond. */
  readonly inCards?: {
    readonly family: string;
    readonly files: readonly string[];
    readonly title: string;
    readonly also?: (lorebook: CanonicalLorebook) => void;
  };
}

/** Describes the files of an app: all are there, each reads as the app held it, and books in cards come out as they were. */
export function foreignFilesOf(app: ForeignApp): void {
  describe(`files that ${app.name} wrote`, () => {
    it('are all here', () => {
      expect(app.files).toHaveLength(app.count);
    });
    it.each(app.files)('%s reads as the app held it', (file) => {
      const read = app.read(file);
      const meant = app.meant(file);
      expect(read.lorebooks).toHaveLength(meant.length);
      for (const [at, { name, body = {}, entries }] of meant.entries()) {
        const lorebook = read.lorebooks[at] as CanonicalLorebook;
        if (name !== undefined) expect(lorebook.name).toBe(name);
        expect(lorebook.body).toMatchObject(body);
        expect(lorebook.body.entries.map(readingOf)).toMatchObject(entries);
      }
      app.also?.(file, read);
    });
    const { inCards } = app;
    if (inCards === undefined) return;
    it.each(inCards.files)(`%s: ${inCards.title}`, (file) => {
      const { lorebooks } = app.read(file);
      expect(lorebooks).not.toEqual([]);
      for (const lorebook of lorebooks) {
        const escrow = lorebook.original[CHARACTER_BOOK];
        const raw = escrow?.raw;
        if (!isObject(raw)) throw new Error('no book');
        expect(familyOf(raw).family).toBe(inCards.family);
        expect(lorebookToCharacterBook(lorebook.body, escrow)).toBe(raw);
        inCards.also?.(lorebook);
      }
    });
  });
}

/** How often something was said of a field, with any code unless one is given. */
export const timesSaid = (findings: readonly Finding[], path: string, code?: FindingCode): number =>
  findings.filter((each) => each.path === path && (code ?? each.code) === each.code).length;
