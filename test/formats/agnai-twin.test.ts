// What Agnai itself wrote and somebody edited here: only what was edited is written anew, all else is Agnai's own.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readContainer } from '../../src/containers/container.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { CanonicalLorebook, LorebookEntry } from '../../src/core/lorebook.ts';
import { newEntry } from '../../src/core/lorebook.ts';
import { agnaiNativeCharacter } from '../../src/formats/agnai/adapter.ts';
import { agnaiCharacter, agnaiMemoryBook } from '../../src/formats/agnai/character.ts';
import { readMemoryBook, readMemoryBooks } from '../../src/formats/agnai/memory-book.ts';
import { agnaiBooksOf, cardOfAgnai } from '../../src/formats/agnai/native-character.ts';
import { resolveCharacter } from '../../src/formats/sillytavern/resolve.ts';
import { SHIPPED_SCAN_SETTINGS } from '../../src/formats/sillytavern/scan-settings.ts';
import { refusedField } from '../support/agnai-app.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { characterInForce } from '../support/in-force.ts';

const FOLDER = new URL('../fixtures/foreign/agnai/', import.meta.url);
const jsonOf = (name: string): JsonObject => {
  const { json } = readContainer(readFileSync(new URL(name, FOLDER)), name);
  if (!isObject(json)) throw new Error('no object');
  return deepFreeze(json);
};
const isRead = (name: string): boolean => !name.endsWith('.expect.json');
const NATIVES = readdirSync(FOLDER)
  .filter((name) => isRead(name) && name.includes('-native.'))
  .filter((name) => agnaiBooksOf(jsonOf(name)).books.length > 0);
const BOOKS = readdirSync(FOLDER).filter((name) => isRead(name) && name.startsWith('agnai-book-'));

type Edit = (entries: readonly LorebookEntry[]) => readonly LorebookEntry[];
const editAt =
  (index: number, edit: (entry: LorebookEntry) => LorebookEntry): Edit =>
  (entries) =>
    entries.map((entry, at) => (at === index ? edit(entry) : entry));

function exported(native: JsonObject, edit: Edit) {
  const [{ lorebook } = { lorebook: undefined }] = agnaiBooksOf(native).books;
  if (lorebook === undefined) throw new Error('no book');
  const { body } = lorebook;
  const edited: CanonicalLorebook = { ...lorebook, body: { ...body, entries: edit(body.entries) } };
  const resolved = resolveCharacter({
    character: agnaiNativeCharacter.toCanonical(native),
    books: [{ lorebook: edited, origin: 'primary' }],
    settings: SHIPPED_SCAN_SETTINGS,
    userName: 'Robin',
    avatar: 'x.png',
  });
  const { card, findings } = agnaiCharacter(resolved, { style: 'exact' });
  const book = card['characterBook'] as JsonObject;
  return { card, findings, book, entries: book['entries'] as readonly JsonObject[] };
}
const rawEntries = (native: JsonObject): readonly JsonObject[] =>
  (native['characterBook'] as JsonObject)['entries'] as readonly JsonObject[];

describe.each(NATIVES)('%s', (name) => {
  const native = jsonOf(name);
  const raws = rawEntries(native);
  it('a text that was edited is the only thing that changes', () => {
    const { card, book, entries, findings } = exported(
      native,
      editAt(1, (entry) => ({ ...entry, content: 'Edited.' })),
    );
    expect(entries.map((each, at) => at === 1 || each === raws[at])).toEqual(raws.map(() => true));
    expect(entries[1]).toEqual({ ...raws[1], entry: 'Edited.' });
    const { entries: _entries, extensions: _extensions, ...head } = book;
    expect(native['characterBook']).toMatchObject(head);
    for (const key of Object.keys(native).filter((each) => each !== 'characterBook')) {
      expect([key, card[key]]).toEqual([key, native[key]]);
    }
    expect(findings.filter(({ entryId }) => entryId !== null && entryId !== 'e1')).toEqual([]);
    expect(findings.filter(({ path }) => path === 'keys' || path === 'order')).toEqual([]);
    expect(refusedField(card)).toBeNull();
    const back = agnaiBooksOf(card).books[0]?.lorebook.body.entries ?? [];
    expect(back.map(({ content }) => content)).toEqual(
      raws.map(({ entry }, at) => (at === 1 ? 'Edited.' : entry)),
    );
  });
  it('an entry that is off, one that is gone and a new one leave the others as they were', () => {
    const fresh = {
      ...newEntry('w77'),
      title: 'New',
      content: 'New.',
      keys: [{ kind: 'literal', text: 'new' }],
    };
    const { entries, findings } = exported(native, (all) => [
      ...all.slice(1).map((entry, at) => (at === 0 ? { ...entry, enabled: false } : entry)),
      fresh as LorebookEntry,
    ]);
    expect(entries.slice(1, -1).every((each, at) => each === raws[at + 2])).toBe(true);
    expect(entries[0]).toEqual({ ...raws[1], enabled: false });
    // Before the character, where SillyTavern puts new entries, so above all others.
    const weights = entries.map(({ weight }) => Number(weight));
    expect(weights.at(-1)).toBeLessThan(Math.min(...weights.slice(0, -1)));
    expect(findings.filter(({ entryId }) => entryId !== null && !['e1', 'w77'].includes(entryId))).toEqual(
      [],
    );
  });
});

describe.each(BOOKS)('%s', (name) => {
  const raw = jsonOf(name);
  it('alone: an edited entry is written, the others are themselves', () => {
    const lorebook = readMemoryBook(raw, 'b', 'x', []);
    const entries = lorebook.body.entries.map((entry, at) => (at === 0 ? { ...entry, title: 'New' } : entry));
    const edited = { ...lorebook, body: { ...lorebook.body, entries } };
    const { json } = agnaiMemoryBook(characterInForce([edited]), { style: 'natural' });
    const written = json['entries'] as readonly Json[];
    const before = raw['entries'] as readonly Json[];
    expect(written.map((each, at) => each === before[at])).toEqual(before.map((_, at) => at !== 0));
    expect(written[0]).toEqual({ ...(before[0] as JsonObject), name: 'New' });
    const [back] = readMemoryBooks(json, 'b', 'x', []);
    expect(back?.body.entries.map(({ title }) => title)).toEqual(entries.map(({ title }) => title));
  });
});

describe('fields of the character', () => {
  const native = jsonOf('agnai-full-odile-brandt-native.json');
  it('only an edited one changes', () => {
    const own = agnaiNativeCharacter.toCanonical(native);
    const card = cardOfAgnai(native);
    const data = { ...(card['data'] as JsonObject), scenario: 'A pier.' };
    const character = {
      ...own,
      body: { ...own.body, scenario: 'A pier.' },
      original: { ...own.original, sillytavern: { raw: { ...card, data } } },
    };
    const books = agnaiBooksOf(native).books.map(({ lorebook }) => ({
      lorebook,
      origin: 'primary' as const,
    }));
    const around = { settings: SHIPPED_SCAN_SETTINGS, userName: 'Robin', avatar: 'x.png' };
    const resolved = resolveCharacter({ character, books, ...around });
    const { card: written } = agnaiCharacter(resolved, { style: 'exact' });
    expect(written['scenario']).toBe('A pier.');
    for (const key of Object.keys(native).filter((each) => !['scenario', 'characterBook'].includes(each))) {
      expect([key, written[key]]).toEqual([key, native[key]]);
    }
    expect((written['characterBook'] as JsonObject)['entries']).toEqual(rawEntries(native));
  });
});

describe('what Agnai would refuse', () => {
  it.each<[string, JsonObject]>([
    ['a missing switch', { name: 'A', entry: 'a', keywords: ['x'], priority: 1, weight: 1 }],
    ['a null name', { name: null, entry: 'a', keywords: ['x'], priority: 1, weight: 1, enabled: true }],
    [
      'a number among keywords',
      { name: 'A', entry: 'a', keywords: [1], priority: 1, weight: 1, enabled: true },
    ],
  ])('%s is mended, touched or not', (_, broken) => {
    const character = {
      kind: 'character',
      name: 'Mara',
      persona: { kind: 'text', attributes: { text: ['x'] } },
      greeting: '',
      scenario: '',
      sampleChat: '',
      characterBook: { kind: 'memory', name: 'B', description: null, entries: [broken] },
    };
    for (const edit of [(all: readonly LorebookEntry[]) => all, editAt(0, (e) => ({ ...e, content: 'b' }))]) {
      expect(refusedField(exported(deepFreeze(character) as JsonObject, edit).card)).toBeNull();
    }
  });
});
