// The text of an entry that the user deleted does not leave in a file for SillyTavern: not in the book, nor in the app's
// own book that rides along with it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertFile, type Form } from '../src/convert-file.ts';
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
