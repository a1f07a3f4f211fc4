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
import { lorebooksIn } from '../../src/packed-file.ts';
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
  ['risu', 'foreign/risu/risu-st-nadia-ferro-v3.json'],
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
  it('an edited text in the linked world file is the only thing that changes in the book', () => {
    const card = parsed(only(to('sillytavern', own, name)));
    const file = convertFile(openFile(own, name), { target: 'sillytavern', form: 'lorebook' });
    const world = withEdit(parsed(only(file)), 1, { content: 'Edited here.' });
    const data = card['data'] as JsonObject;
    const extensions = { ...(data['extensions'] as JsonObject), world: 'Linked' };
    const linked = encoded({ ...card, data: { ...data, extensions } });
    const worlds = [{ name: 'Linked', world }];
    const back = convertFile(openFile(linked, 'Card.json'), { target: app, style: 'exact', worlds });
    const differences = leafDifferences(bookOf(own), bookOf(only(back)));
    expect(differences).toHaveLength(1);
    expect(differences[0]).toContain('.content: ');
    expect(told(back)).toEqual([]);
  });
  it('an entry that is gone from the card and a new one leave the others as they were', () => {
    const card = parsed(only(to('sillytavern', own, name)));
    const data = card['data'] as JsonObject;
    const book = data['character_book'] as JsonObject;
    const [, ...others] = book['entries'] as readonly JsonObject[];
    const fresh = { ...others[0], id: 900, comment: 'New', content: 'New here.', keys: ['brand new'] };
    const entries = [...others, fresh];
    const there = { ...card, data: { ...data, character_book: { ...book, entries } } };
    const back = to(app, encoded(there), 'Card.json');
    // Lumiverse numbers the entries of a card through.
    const loreIn = (bytes: Uint8Array): readonly Json[] =>
      (bookOf(bytes)['entries'] as readonly JsonObject[])
        .filter(({ mode }) => mode !== 'folder')
        .map((each) => (app === 'lumiverse' ? withoutKey(each, 'id') : each));
    const after = loreIn(only(back));
    expect(after.slice(0, -1)).toEqual(loreIn(own).slice(1));
    expect(after.at(-1)).toMatchObject({ content: expect.stringContaining('New here.') });
    const ids = new Set(told(back).map((each) => (each as { entryId: string }).entryId));
    expect([...ids].filter((id) => id !== 'w900')).toEqual([]);
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

it('a lorebook that Marinara wrote keeps the settings that Marinara gave it', () => {
  const own = bytesOf('foreign/marinara/marinara-full-vesna-holt-embedded-compatible.json');
  const { settings } = to('marinara', own, 'x.json').report;
  expect(settings).toMatchObject({ scanDepth: 3, tokenBudget: 1200, recursiveScanning: true });
});

describe('Marinara’s own character file', () => {
  it.each(['full-vesna-holt-embedded', 'full-vesna-holt-linked-only', 'st-greta-moss-edited'])(
    '%s is itself again',
    (stem) => {
      const own = bytesOf(`foreign/marinara/marinara-${stem}.marinara.json`);
      const opened = openFile(own, 'x.marinara.json');
      const back = convertFile(opened, { target: 'marinara', form: 'native' });
      expect(parsed(only(back))).toEqual(parsed(own));
      expect(told(back)).toEqual([]);
    },
  );
});

const RAW_ENTRIES: Readonly<Record<string, (json: JsonObject) => Json | undefined>> = {
  marinara: ({ data }) => (data as JsonObject)['entries'],
  risu: ({ data }) => data,
  agnai: ({ entries }) => entries,
  lumiverse: ({ entries }) => entries,
  rolecall: ({ lorebook }) => (lorebook as JsonObject)['entries'],
};

describe.each(LOREBOOKS.filter(([, path]) => !path.includes('compatible')))('%s: %s', (app, path) => {
  const own = bytesOf(path);
  const rawIn = (json: JsonObject): readonly JsonObject[] =>
    RAW_ENTRIES[app]?.(json) as readonly JsonObject[];
  const held = (json: JsonObject): readonly string[] => rawIn(json).map((each) => JSON.stringify(each));
  it('an entry that is gone and a new one leave the others as they were, in their order', () => {
    const world = parsed(only(to('sillytavern', own, nameOf(path))));
    const [, ...others] = Object.entries(world['entries'] as JsonObject);
    const last = others.at(-1)?.[1] as JsonObject;
    const fresh = { ...last, uid: 900, comment: 'New', content: 'New here.', key: ['brand new'], order: 77 };
    const entries = { ...Object.fromEntries(others), 900: withoutKey(fresh, 'extensions') };
    const back = to(app, encoded({ ...world, entries }), 'World.json');
    const [before, after] = [held(parsed(own)), held(parsed(only(back)))];
    const folders = before.filter((each) => each.includes('"mode":"folder"'));
    const lore = before.filter((each) => !folders.includes(each));
    // SillyTavern's editor gives the new entry a text, keys and an order; all others are the app's own.
    expect(after.filter((each) => !each.includes('New here.'))).toEqual(
      before.filter((each) => each !== lore[0]),
    );
    expect(after.filter((each) => each.includes('New here.'))).toHaveLength(1);
    const reopened = openFile(only(back), 'back.json');
    const read = reopened.kind === 'lorebook' ? reopened.lorebook.body.entries : [];
    expect(read.map(({ content }) => content)).toContain('New here.');
    expect(read.find(({ content }) => content === 'New here.')).toMatchObject({ order: 77 });
    const ids = new Set(told(back).map((each) => (each as { entryId: string }).entryId));
    expect(ids.size).toBeLessThanOrEqual(1);
  });
});

describe('Lumiverse’s card of several lorebooks', () => {
  it.each(['json', 'charx'] as const)('as %s is itself again', (form) => {
    const own = bytesOf(`foreign/lumiverse/lumiverse-full-sabine-orr.${form}`);
    const back = convertFile(openFile(own, `x.${form}`), { target: 'lumiverse', form });
    const [before, after] = [own, only(back)].map((bytes) => openFile(bytes, `x.${form}`));
    // Around it stands the picture, which the container names.
    const book = (file: typeof before) =>
      file?.kind === 'card' && (file.card['data'] as JsonObject)['character_book'];
    expect(book(after)).toEqual(book(before));
    expect(JSON.stringify(after?.kind === 'card' && after.card)).not.toContain('loreferry');
    const modules = (file: typeof before) =>
      file === undefined ? [] : lorebooksIn(file).map(({ original }) => original);
    expect(modules(after)).toEqual(modules(before));
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
