// What Lumiverse itself wrote goes back to it as it was; only what was edited is written anew.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBeside } from '../../src/containers/charx.ts';
import { readContainer } from '../../src/containers/container.ts';
import { convertFile, type Form } from '../../src/convert-file.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { withoutKey } from '../../src/core/json.ts';
import { inForm } from '../../src/formats/lumiverse/own-books.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { type OpenedFile, openFile } from '../../src/open-file.ts';
import { throughJson } from '../support/fixtures.ts';

const FOLDER = new URL('../fixtures/foreign/lumiverse/', import.meta.url);
const open = (name: string): OpenedFile => openFile(readFileSync(new URL(name, FOLDER)), name);
const convert = (opened: OpenedFile, form?: Form) =>
  convertFile(opened, { target: 'lumiverse', ...(form === undefined ? {} : { form }) });
const first = (opened: OpenedFile, form?: Form) => {
  const { files, report } = convert(opened, form);
  const [file] = files;
  if (file === undefined) throw new Error('no file');
  const container = readContainer(file.bytes, file.name);
  const beside = readBeside(container, 'lumiverse_modules.json');
  return { container, report, modules: beside !== null && 'json' in beside ? beside.json : undefined };
};
const bookIn = (card: Json): JsonObject =>
  ((card as JsonObject)['data'] as JsonObject)['character_book'] as JsonObject;
const worldBooksIn = (modules: Json | undefined): readonly JsonObject[] =>
  (modules as JsonObject)['world_books'] as readonly JsonObject[];
const booksOf = (opened: OpenedFile) =>
  opened.kind === 'card'
    ? opened.pieces.lorebooks
    : opened.kind === 'lorebook'
      ? [opened.lorebook]
      : [opened.world.lorebook];

const SINGLE = ['lumiverse-plain-walter-keen', 'lumiverse-st-yara-quill'];

describe('unedited', () => {
  it.each(SINGLE)('%s.json: the book of the card, deep-equal, and nothing is said of it', (name) => {
    const opened = open(`${name}.json`);
    if (opened.kind !== 'card') throw new Error('no card');
    const { container, report } = first(opened);
    expect(bookIn(container.json)).toEqual(bookIn(opened.card));
    expect(JSON.stringify(container.json)).not.toContain('loreferry');
    expect(report.findings.filter(({ entryId }) => entryId !== null)).toEqual([]);
  });
  it.each([...SINGLE, 'lumiverse-full-sabine-orr'])('%s.charx: its world books, deep-equal', (name) => {
    const opened = open(`${name}.charx`);
    const beside = readBeside(opened.container, 'lumiverse_modules.json');
    const { modules, report } = first(opened, 'charx');
    if (beside === null || 'problem' in beside) throw new Error('no modules');
    expect(worldBooksIn(modules)).toEqual(worldBooksIn(beside.json));
    expect(report.findings.filter(({ entryId }) => entryId !== null)).toEqual([]);
  });
  it.each([
    'lumiverse-full-sabine-orr-book-1-native.json',
    'lumiverse-full-sabine-orr-book-2-native.json',
    'lumiverse-st-yara-quill-book-native.json',
  ])('%s: the file', (name) => {
    const opened = open(name);
    const { container, report } = first(opened, 'lorebook');
    expect(container.json).toEqual(opened.container.json);
    expect(report.findings).toEqual([]);
  });
  it.each(SINGLE)(
    '%s.json as a charx: each entry in the words of a world book, as Lumiverse has them',
    (name) => {
      const opened = open(`${name}.json`);
      const { modules, report } = first(opened, 'charx');
      const beside = readBeside(open(`${name}.charx`).container, 'lumiverse_modules.json');
      if (beside === null || 'problem' in beside) throw new Error('no modules');
      const bare = (book: JsonObject) =>
        (book['entries'] as readonly JsonObject[]).map((entry) => withoutKey(entry, 'extensions'));
      const [made] = worldBooksIn(modules);
      const [own] = worldBooksIn(beside.json);
      // What a card leaves out where there is none is null in a world book.
      for (const [index, entry] of bare(made as JsonObject).entries())
        expect(bare(own as JsonObject)[index]).toMatchObject(entry);
      expect(report.findings.filter(({ entryId }) => entryId !== null)).toEqual([]);
    },
  );
  it('what SillyTavern left in an entry does not come to life in a card’s book', () => {
    const raw = (open('lumiverse-st-yara-quill-book-native.json').container.json as JsonObject)['entries'];
    const [, , , , edited] = raw as readonly JsonObject[];
    expect(edited).toMatchObject({ selective_logic: 2, extensions: { selectiveLogic: 0, group: '' } });
    const { extensions } = inForm(edited as JsonObject, 'native', 'card', 0);
    expect(extensions).toMatchObject({ selective_logic: 2, position: 4 });
    for (const name of ['selectiveLogic', 'useProbability', 'group'])
      expect(extensions).not.toHaveProperty(name);
  });
  it('an entry in the other form and back is the same', () => {
    for (const raw of worldBooksIn(
      (
        readBeside(open('lumiverse-full-sabine-orr.charx').container, 'lumiverse_modules.json') as {
          json: Json;
        }
      ).json,
    ).flatMap((book) => book['entries'] as readonly JsonObject[])) {
      expect(inForm(inForm(raw, 'native', 'card', 7), 'card', 'native', 0)).toEqual(raw);
    }
  });
});

describe('edited in SillyTavern', () => {
  const opened = open('lumiverse-plain-walter-keen.json');
  const [book] = booksOf(opened);
  if (book === undefined || opened.kind !== 'card') throw new Error('no book');
  const world = throughJson(
    worldFromLorebook(book, { character: 'Walter Keen', slot: 'data.character_book' }),
  );
  const edit = (uid: string, given: JsonObject): JsonObject => {
    const entries = world['entries'] as JsonObject;
    return { ...world, entries: { ...entries, [uid]: { ...(entries[uid] as JsonObject), ...given } } };
  };
  const exportedWith = (edited: JsonObject) => {
    const { lorebook } = lorebookFromWorld(edited, book.id, book.name);
    const pieces = { ...opened.pieces, lorebooks: [lorebook] };
    return first({ ...opened, pieces }, 'json');
  };
  it('nothing: the book as it was', () => {
    expect(bookIn(exportedWith(world).container.json)).toEqual(bookIn(opened.card));
  });
  it('a text: that leaf, and no other', () => {
    const { container } = exportedWith(edit('1', { content: 'New.' }));
    const held = bookIn(opened.card)['entries'] as readonly JsonObject[];
    const found = bookIn(container.json)['entries'] as readonly JsonObject[];
    expect(found).toEqual(held.map((entry, at) => (at === 1 ? { ...entry, content: 'New.' } : entry)));
  });
  it('a place and a logic: in Lumiverse’s own numbers', () => {
    const { container } = exportedWith(
      edit('1', { position: 6, selectiveLogic: 3, keysecondary: ['oil'], selective: true }),
    );
    const found = bookIn(container.json)['entries'] as readonly JsonObject[];
    expect(found[1]).toMatchObject({
      position: 7,
      secondary_keys: ['oil'],
      extensions: { wi_marker: 'dialogue_examples', wi_marker_side: 'after', selective_logic: 0 },
    });
  });
});
