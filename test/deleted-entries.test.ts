// The text of an entry that the user deleted does not leave in a file for SillyTavern: not in the book, nor in the app's
// own book that rides along with it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContainer } from '../src/containers/container.ts';
import { isPng } from '../src/containers/png-chunks.ts';
import { convertFile, type Form, worldJson } from '../src/convert-file.ts';
import type { Json, JsonObject } from '../src/core/json.ts';
import { isObject, jsonAt } from '../src/core/json.ts';
import { type OpenedFile, openFile } from '../src/open-file.ts';
import { purgedBook } from '../src/purged-book.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const FILES = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(foreign|dialects)/.test(path) && /\.(json|risum)$/.test(path))
  .filter((path) => !path.endsWith('.expect.json'))
  .map((path) => ({ path, opened: openFile(readFileSync(join(FIXTURES, path)), path) }))
  .filter(({ opened }) => opened.kind === 'lorebook');

const toSillyTavern = (opened: OpenedFile, form: Form): Json => {
  const { files } = convertFile(opened, { target: 'sillytavern', form });
  return JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as Json;
};
const reopened = (json: Json): OpenedFile =>
  openFile(new TextEncoder().encode(JSON.stringify(json)), 'World.json');

describe('of a lorebook in another app’s words', () => {
  it('there are some', () => expect(FILES.length).toBeGreaterThan(15));

  it.each(FILES)('$path: an entry deleted in SillyTavern is in no file of its book', ({ opened }) => {
    const world = toSillyTavern(opened, 'lorebook') as JsonObject;
    const entries = world['entries'] as JsonObject;
    for (const uid of Object.keys(entries)) {
      const { [uid]: deleted, ...left } = entries;
      const text = jsonAt(deleted, ['content']) as string;
      const isNowhereElse = !JSON.stringify(left).includes(JSON.stringify(text));
      const book = toSillyTavern(reopened({ ...world, entries: left }), 'book');
      expect(Object.keys(jsonAt(book, ['entries']) as JsonObject)).toHaveLength(Object.keys(left).length);
      if (text.length < 8 || !isNowhereElse) continue;
      expect(JSON.stringify(book)).not.toContain(JSON.stringify(text).slice(1, -1));
    }
  });

  it.each(FILES)('$path: what is left still goes back as the app’s own', ({ opened }) => {
    const world = toSillyTavern(opened, 'lorebook') as JsonObject;
    const [first, ...others] = Object.entries(world['entries'] as JsonObject);
    if (first === undefined || others.length === 0) return;
    const rider = (entries: JsonObject): Json | undefined =>
      jsonAt(toSillyTavern(reopened({ ...world, entries }), 'book'), ['extensions', 'loreferry', 'ids']);
    const whole = rider(world['entries'] as JsonObject);
    const less = rider(Object.fromEntries(others));
    if (whole === undefined) return expect(less).toBeUndefined();
    expect(less).toHaveLength((whole as readonly Json[]).length - 1);
  });
});

// Agnai's pictures hold SillyTavern's own card, too.
const WRITTEN = [
  { target: 'sillytavern', form: 'json' },
  { target: 'sillytavern', form: 'book' },
  { target: 'agnai', form: 'png' },
] as const;

describe('of a card that an app’s own book rides along in already', () => {
  const CARDS = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(foreign|dialects)/.test(path) && /\.(json|png)$/.test(path))
    .filter((path) => !path.endsWith('.expect.json'))
    .flatMap((path) => {
      const opened = openFile(readFileSync(join(FIXTURES, path)), path);
      if (opened.kind !== 'card') return [];
      const { files } = convertFile(opened, { target: 'sillytavern', form: 'json' });
      const card = openFile(files[0]?.bytes ?? new Uint8Array(), 'Card.json');
      if (card.kind !== 'card') return [];
      const [book, ...others] = card.pieces.lorebooks;
      const isRidden = book !== undefined && isObject(book.body.extensions['loreferry']);
      return isRidden && others.length === 0 ? [{ path, card, book }] : [];
    });

  it('there are some', () => expect(CARDS.length).toBeGreaterThan(10));

  it.each(CARDS)('$path: an entry deleted from its world file is in no file', ({ card, book }) => {
    const world = worldJson(book, card.pieces.character.name);
    const entries = world['entries'] as JsonObject;
    const uids = Object.keys(entries);
    const texts = uids.map((uid) => jsonAt(entries, [uid, 'content']) as string);
    for (const uid of [uids[0], uids.at(-1)]) {
      const { [uid as string]: deleted, ...left } = entries;
      const text = jsonAt(deleted, ['content']) as string;
      if (text.length < 8 || texts.filter((each) => each.includes(text)).length > 1) continue;
      const worlds = [{ name: 'World', world: { ...world, entries: left } }];
      for (const { target, form } of WRITTEN) {
        const { files, report } = convertFile(card, { target, form, worlds, privateFields: 'keep' });
        for (const { bytes } of files)
          expect(textsIn(bytes)).not.toContain(JSON.stringify(text).slice(1, -1));
        if (target === 'sillytavern')
          expect(report.findings.filter(({ code }) => code === 'lost')).toEqual([]);
      }
    }
  });

  it.each(CARDS)('$path: what is left still goes back as the app’s own', ({ card, book }) => {
    const world = worldJson(book, card.pieces.character.name);
    const [, ...left] = Object.entries(world['entries'] as JsonObject);
    const worlds = [{ name: 'World', world: { ...world, entries: Object.fromEntries(left) } }];
    const { files } = convertFile(card, { target: 'sillytavern', form: 'book', worlds });
    const written = JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as Json;
    const ids = jsonAt(book.body.extensions, ['loreferry', 'ids']) as readonly Json[];
    if (ids.length > 1)
      expect(jsonAt(written, ['extensions', 'loreferry', 'ids'])).toHaveLength(ids.length - 1);
  });

  it('nothing of the app’s leaves without private fields', () => {
    const { card, book } = CARDS[0] as (typeof CARDS)[number];
    const world = worldJson(book, card.pieces.character.name);
    const worlds = [{ name: 'World', world }];
    const { files } = convertFile(card, {
      target: 'sillytavern',
      form: 'book',
      worlds,
      privateFields: 'drop',
    });
    expect(new TextDecoder().decode(files[0]?.bytes)).not.toContain('loreferry');
  });
});

describe('the book that Lumiverse keeps of a card as it was before', () => {
  const path = 'foreign/lumiverse/lumiverse-st-yara-quill.json';
  const card = openFile(readFileSync(join(FIXTURES, path)), path);
  if (card.kind !== 'card') throw new Error('no card');
  const [book] = card.pieces.lorebooks;
  const world = worldJson(book as NonNullable<typeof book>, 'Yara');
  const { 0: deleted, ...left } = world['entries'] as JsonObject;
  const written = (entries: JsonObject): string => {
    const worlds = [{ name: 'World', world: { ...world, entries } }];
    const { files } = convertFile(card, { target: 'lumiverse', form: 'json', worlds });
    return new TextDecoder().decode(files[0]?.bytes);
  };

  it('does not go back with what was deleted since', () => {
    const text = jsonAt(deleted, ['content']) as string;
    expect(written(world['entries'] as JsonObject)).toContain(text);
    expect(written(left)).not.toContain(text);
  });
});

// Of a PNG what its text chunks hold.
function textsIn(bytes: Uint8Array): string {
  if (!isPng(bytes)) return new TextDecoder().decode(bytes);
  const { copies } = readContainer(bytes, 'card.png');
  return JSON.stringify(copies);
}

describe('taking rows out of a raw book', () => {
  const count = (raw: Json): number | null => {
    const rows = jsonAt(raw, ['lorebook', 'entries']);
    return Array.isArray(rows) ? rows.filter((row) => isObject(row) && 'text' in row).length : null;
  };
  const book = (...entries: Json[]): Json => ({ tags: ['a', 'b'], lorebook: { name: 'N', entries } });

  it('keeps rows that are no entries', () => {
    const raw = book({ folder: 1 }, { text: 'a' }, { folder: 2 }, { text: 'b' });
    const left = book({ folder: 1 }, { folder: 2 }, { text: 'b' });
    expect(purgedBook(raw, count, (place) => place === 1)).toEqual(left);
  });

  it('is null where the rows are not found', () => {
    expect(purgedBook({ tags: [] }, count, () => true)).toBeNull();
    expect(
      purgedBook(
        { rows: [{ text: 'a' }] },
        () => 2,
        () => false,
      ),
    ).toBeNull();
  });
});
