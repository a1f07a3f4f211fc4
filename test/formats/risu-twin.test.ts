// What RisuAI itself wrote goes back to it as it was; of what was edited here only the edited entries are written anew.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readContainer } from '../../src/containers/container.ts';
import { readPieces } from '../../src/convert.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { newEntry } from '../../src/core/lorebook.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { isRisuFolder } from '../../src/formats/_shared/risu/book.ts';
import { risuCard } from '../../src/formats/risu/card.ts';
import { readRisuLorebook } from '../../src/formats/risu/lorebook-file.ts';
import { risuLorebooks } from '../../src/formats/risu/lorebook-writing.ts';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { throughJson } from '../support/fixtures.ts';
import { characterInForce } from '../support/in-force.ts';

const FOLDER = new URL('../fixtures/foreign/risu/', import.meta.url);
const NAMES = readdirSync(FOLDER).filter(
  (name) => /\.(?:png|json|charx|jpeg)$/.test(name) && !/lorebook|expect/.test(name),
);

type Edit = (entries: readonly LorebookEntry[]) => readonly LorebookEntry[];
const edited =
  (index: number, edit: (entry: LorebookEntry) => LorebookEntry): Edit =>
  (entries) =>
    entries.map((entry, at) => (at === index ? edit(entry) : entry));

function pieces(name: string) {
  const { json } = readContainer(readFileSync(new URL(name, FOLDER)), name);
  const { character, lorebooks } = readPieces(deepFreeze(json));
  const [lorebook] = lorebooks;
  const raw = lorebook?.original[CHARACTER_BOOK]?.raw;
  if (lorebook === undefined || !isObject(raw)) throw new Error('no book');
  return { character, lorebook, raw, items: raw['entries'] as readonly JsonObject[] };
}

function exported(name: string, edit: Edit = (all) => all, throughWorld = false) {
  const { character, lorebook: own, raw, items } = pieces(name);
  const world = throughJson(worldFromLorebook(own, { character: 'x', slot: 'data.character_book' }));
  const lorebook = throughWorld ? lorebookFromWorld(world, 'w', 'x').lorebook : own;
  const entries = edit(lorebook.body.entries);
  const live =
    entries === lorebook.body.entries ? lorebook : { ...lorebook, body: { ...lorebook.body, entries } };
  const resolved = resolveCharacter({
    character,
    books: [{ lorebook: live, origin: 'primary' }],
    settings: SHIPPED_SCAN_SETTINGS,
    userName: 'Robin',
    avatar: 'x.png',
  });
  const { card, findings } = risuCard(resolved, { style: 'natural' });
  const book = (card['data'] as JsonObject)['character_book'] as JsonObject;
  return { card, findings, book, rows: book['entries'] as readonly JsonObject[], raw, items, live };
}

describe.each(NAMES)('%s', (name) => {
  it.each([false, true])('untouched, the book is as it was (through a world file: %s)', (throughWorld) => {
    const { book, raw, findings, card } = exported(name, undefined, throughWorld);
    expect(book).toEqual(raw);
    expect(findings.filter(({ bookId }) => bookId !== null)).toEqual([]);
    expect((card['data'] as JsonObject)['extensions']).not.toHaveProperty('loreferry');
  });
  it('an edited entry is written, the rows around it and their folders are as they were', () => {
    const { rows, items, book, raw, card, live, findings } = exported(
      name,
      edited(1, (entry) => ({ ...entry, content: 'Edited.', enabled: false })),
    );
    const changed = rows.flatMap((row, at) => (row === items[at] ? [] : [at]));
    expect(rows).toHaveLength(items.length);
    expect(changed).toHaveLength(1);
    const at = changed[0] ?? -1;
    expect(rows[at]?.['folder']).toEqual(items[at]?.['folder']);
    expect(String(rows[at]?.['content'])).toMatch(/^(?:@@[^\n]*\n)*@@dont_activate\n[\s\S]*Edited\.$/);
    const { entries: _rows, ...head } = book;
    const { entries: _items, ...before } = raw;
    expect(head).toEqual(before);
    expect(findings.filter(({ entryId }) => entryId !== null && entryId !== 'e1')).toEqual([]);
    const [back] = readPieces(throughJson(card)).lorebooks;
    const view = ({ content, enabled, order, keys }: LorebookEntry) => ({ content, enabled, order, keys });
    expect(back?.body.entries.map(view)).toEqual(throughJson(live.body.entries).map(view));
  });
  it('a new entry comes behind, a deleted one is gone', () => {
    const fresh: LorebookEntry = { ...newEntry('w99'), title: 'New', content: 'New.', constant: true };
    const { rows, items } = exported(name, (all) => [...all.slice(1), fresh]);
    const lore = items.filter((item) => !isRisuFolder(item));
    const kept = rows.filter((row) => !isRisuFolder(row));
    expect(kept.slice(0, -1).every((row, at) => row === lore[at + 1])).toBe(true);
    expect(kept.at(-1)).toMatchObject({ name: 'New', constant: true, mode: 'normal' });
    expect(rows.filter(isRisuFolder)).toEqual(items.filter(isRisuFolder));
  });
});

describe.each(readdirSync(FOLDER).filter((name) => /lorebook_export\.json$/.test(name)))('%s', (name) => {
  it('is itself when nobody touched it', () => {
    const raw = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as JsonObject;
    const { lorebook } = readRisuLorebook(deepFreeze(raw), 'b', 'x');
    const { lorebooks, findings } = risuLorebooks(characterInForce([lorebook]), { style: 'exact' });
    expect(lorebooks.map(({ json }) => json)).toEqual([raw]);
    expect(findings).toEqual([]);
    const [first, ...others] = lorebook.body.entries;
    const entries = [{ ...(first as LorebookEntry), content: 'Edited.' }, ...others];
    const edited = { ...lorebook, body: { ...lorebook.body, entries } };
    const [again] = risuLorebooks(characterInForce([edited]), { style: 'exact' }).lorebooks;
    expect(JSON.stringify(again?.json)).toContain('Edited.');
  });
});
