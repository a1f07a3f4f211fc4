// What another app itself wrote, back to that app: directly, by way of SillyTavern's world file, and by way of its card.
// Unedited it is deep-equal and nothing is said of it; one edited field changes that field's values and nothing else.

import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { readContainer } from '../../src/containers/container.ts';
import type { Conversion } from '../../src/convert-file.ts';
import { convertFile } from '../../src/convert-file.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isArray, isObject, withoutKey } from '../../src/core/json.ts';
import { openFile } from '../../src/open-file.ts';
import { leafDifferences } from '../support/leaves.ts';

vi.setConfig({ testTimeout: 60_000 });

const FIXTURES = new URL('../fixtures/', import.meta.url);
const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(path, FIXTURES)));
const parsed = (bytes: Uint8Array): JsonObject => JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
const encoded = (json: JsonObject): Uint8Array => new TextEncoder().encode(JSON.stringify(json));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const to = (target: string, bytes: Uint8Array, name: string): Conversion =>
  convertFile(openFile(bytes, name), { target, style: 'exact' });
const only = ({ files }: Conversion): Uint8Array => {
  expect(files).toHaveLength(1);
  return files[0]?.bytes as Uint8Array;
};

/** An edit of the text of the entry at a place in the list, in SillyTavern's file. */
function withEdit(file: JsonObject, at: number, edit: JsonObject): JsonObject {
  const edited = (entries: Json | undefined): Json => {
    if (isArray(entries)) return entries.map((e, i) => (i === at ? { ...(e as JsonObject), ...edit } : e));
    const held = entries as JsonObject;
    const key = Object.keys(held)[at] as string;
    return { ...held, [key]: { ...(held[key] as JsonObject), ...edit } };
  };
  const { data } = file;
  if (!isObject(data)) return { ...file, entries: edited(file['entries']) };
  const book = data['character_book'] as JsonObject;
  return { ...file, data: { ...data, character_book: { ...book, entries: edited(book['entries']) } } };
}

const TOLD = ['lost', 'approximated', 'stashed', 'conflict'];
const told = ({ report }: Conversion): readonly unknown[] =>
  report.findings.filter(({ code, entryId }) => entryId !== null && TOLD.includes(code));

/** App, file, and the place of its text in an entry of that file. */
const LOREBOOKS: readonly (readonly [app: string, path: string, text: string])[] = [
  ['marinara', 'foreign/marinara/marinara-full-vesna-holt-lorebook.marinara.json', 'content'],
  ['marinara', 'foreign/marinara/marinara-full-vesna-holt-lorebook-compatible.json', 'content'],
  ['marinara', 'foreign/marinara/marinara-st-greta-moss-lorebook.marinara.json', 'content'],
  ['risu', 'foreign/risu/risu-full-ilsa-marrow-lorebook_export.json', 'content'],
  ['risu', 'foreign/risu/risu-plain-bertil-oakes-lorebook_export.json', 'content'],
  ['agnai', 'foreign/agnai/agnai-book-dunwater.json', 'entry'],
  ['lumiverse', 'foreign/lumiverse/lumiverse-full-sabine-orr-book-1-native.json', 'content'],
  ['lumiverse', 'foreign/lumiverse/lumiverse-plain-walter-keen-book-native.json', 'content'],
  ['rolecall', 'dialects/rolecall-lorebook.json', 'content'],
];

const CARDS: readonly (readonly [app: string, path: string])[] = [
  ['marinara', 'foreign/marinara/marinara-full-vesna-holt-embedded-compatible.json'],
  ['marinara', 'foreign/marinara/marinara-plain-anselm-ruiz-embedded-compatible.json'],
  ['marinara', 'foreign/marinara/marinara-st-greta-moss-edited-compatible.json'],
  ['risu', 'foreign/risu/risu-full-ilsa-marrow-v3.json'],
  ['risu', 'foreign/risu/risu-plain-bertil-oakes-v3.json'],
  ['lumiverse', 'foreign/lumiverse/lumiverse-plain-walter-keen.json'],
  ['lumiverse', 'foreign/lumiverse/lumiverse-st-yara-quill.json'],
];

// The book as it was before Lumiverse imported it would be a second one in SillyTavern, and is not carried there.
function withoutStaleBook(card: JsonObject): JsonObject {
  const data = card['data'] as JsonObject;
  const { extensions } = data;
  if (!isObject(extensions) || !Object.hasOwn(extensions, 'character_book')) return card;
  return { ...card, data: { ...data, extensions: withoutKey(extensions, 'character_book') } };
}

describe.each(LOREBOOKS)('%s: %s', (app, path, text) => {
  const own = bytesOf(path);
  const name = nameOf(path);
  it('straight back: itself, and nothing is said', () => {
    const back = to(app, own, name);
    expect(parsed(only(back))).toEqual(parsed(own));
    expect(told(back)).toEqual([]);
    expect(back.report.entries.exact).toBe(back.report.entries.total);
  });
  it('by way of a world file: itself, and nothing is said', () => {
    const back = to(app, only(to('sillytavern', own, name)), 'World.json');
    expect(parsed(only(back))).toEqual(parsed(own));
    expect(told(back)).toEqual([]);
  });
  it('an edited text in the world file is the only thing that changes', () => {
    const world = parsed(only(to('sillytavern', own, name)));
    const back = to(app, encoded(withEdit(world, 1, { content: 'Edited here.' })), 'World.json');
    const differences = leafDifferences(parsed(own), parsed(only(back)));
    expect(differences).toHaveLength(1);
    expect(differences[0]).toContain(`.${text}: `);
    expect(differences[0]).toMatch(/Edited here\.\\?"$/);
    expect(told(back)).toEqual([]);
  });
});

describe.each(CARDS)('%s: %s', (app, path) => {
  const own = bytesOf(path);
  const name = nameOf(path);
  const bookOf = (bytes: Uint8Array): JsonObject =>
    (parsed(bytes)['data'] as JsonObject)['character_book'] as JsonObject;
  it('straight back: itself, and nothing is said', () => {
    const back = to(app, own, name);
    expect(parsed(only(back))).toEqual(parsed(own));
    expect(told(back)).toEqual([]);
  });
  it('by way of SillyTavern’s card: itself, and nothing is said', () => {
    const back = to(app, only(to('sillytavern', own, name)), 'Card.json');
    expect(parsed(only(back))).toEqual(withoutStaleBook(parsed(own)));
    expect(told(back)).toEqual([]);
  });
  it('an edited text in the card is the only thing that changes in the book', () => {
    const there = parsed(only(to('sillytavern', own, name)));
    const back = to(app, encoded(withEdit(there, 1, { content: 'Edited here.' })), 'Card.json');
    const differences = leafDifferences(bookOf(own), bookOf(only(back)));
    expect(differences).toHaveLength(1);
    expect(differences[0]).toContain('.content: ');
    expect(told(back)).toEqual([]);
  });
});

describe('a card for SillyTavern that was made of another app’s', () => {
  const path = 'foreign/agnai/agnai-full-odile-brandt-native.json';
  it.each(['json', 'lorebook', 'book'] as const)('loses nothing that its own book holds, as %s', (form) => {
    const opened = openFile(bytesOf(path), nameOf(path));
    const { files, report } = convertFile(opened, { target: 'sillytavern', form });
    expect(report.findings.filter(({ code }) => code === 'lost')).toEqual([]);
    const { json } = readContainer(files[0]?.bytes as Uint8Array, 'x.json');
    expect(JSON.stringify(json)).toContain('"priority"');
  });
});
