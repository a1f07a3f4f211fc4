// Zips that hold several cards and lorebooks: what is in them opens as if it had been chosen singly, within the limits
// of one file.

import { zipSync } from 'fflate';
import { describe, expect, it, vi } from 'vitest';
import { blankPng } from '../src/containers/blank-png.ts';
import { writeContainer } from '../src/containers/container.ts';
import { LIMITS } from '../src/containers/limits.ts';
import { convertAnyFile } from '../src/convert-pack.ts';
import { inspectAnyFile } from '../src/inspection/pack-inspection.ts';
import { lorebooksIn, type OpenedPack, openAnyFile } from '../src/packed-file.ts';
import { bookEntry, bookOf, cardWith } from './support/fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
type Member = Uint8Array | string | object;
const bytesOf = (member: Member): Uint8Array =>
  member instanceof Uint8Array
    ? member
    : new TextEncoder().encode(typeof member === 'string' ? member : JSON.stringify(member));
const zip = (members: Readonly<Record<string, Member>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(members).map(([name, member]) => [name, bytesOf(member)])));

function packOf(members: Readonly<Record<string, Member>>, limits = LIMITS): OpenedPack {
  const opened = openAnyFile(zip(members), 'x.zip', limits);
  if (opened.kind !== 'pack') throw new Error(`a ${opened.kind}`);
  return opened;
}

const BOOK = bookOf(bookEntry({ id: 4, keys: ['lamp'] }));
const WORLD = { entries: { 0: { uid: 0, key: ['quay'], content: 'The quay.' } } };
const NATIVE = {
  type: 'marinara_character',
  version: 1,
  exportedAt: '2026-01-01T00:00:00.000Z',
  data: { ...cardWith(BOOK), avatar: `data:image/png;base64,${Buffer.from(blankPng()).toString('base64')}` },
};

describe('a zip of cards and lorebooks', () => {
  const members = {
    'Mara.json': cardWith(BOOK),
    'folder/': new Uint8Array(),
    'folder/World.json': WORLD,
    'folder/Mara.png': writeContainer({ kind: 'png' }, cardWith(BOOK)),
    'Book.json': BOOK,
    'Native.marinara.json': NATIVE,
  };
  it('opens as the files in it, in its order', () => {
    const pack = packOf(members);
    expect(pack.members.map(({ name, opened }) => [name, opened.kind, opened.container.kind])).toEqual([
      ['Mara.json', 'card', 'json'],
      ['folder/World.json', 'worldinfo', 'json'],
      ['folder/Mara.png', 'card', 'png'],
      ['Book.json', 'lorebook', 'json'],
      ['Native.marinara.json', 'card', 'json'],
    ]);
    expect(pack.members.every(({ opened }) => lorebooksIn(opened).length === 1)).toBe(true);
  });
  it('is inspected as one list, whose ids tell the files apart', () => {
    const { container, kind, books, entries, files } = inspectAnyFile(packOf(members));
    expect({ container, kind }).toEqual({ container: 'zip', kind: 'card' });
    expect(new Set(books.map(({ id }) => id)).size).toBe(5);
    expect(entries.map(({ bookId }) => bookId)).toEqual(books.map(({ id }) => id));
    expect(files?.map(({ file, books: ids }) => [file, ids])).toEqual(
      Object.keys(members)
        .filter((name) => !name.endsWith('/'))
        .map((name, index) => [name, [books[index]?.id]]),
    );
  });
  it('is converted file by file, with one report', () => {
    const { files, report } = convertAnyFile(packOf(members), { target: 'marinara', form: 'json' });
    expect(files).toHaveLength(5);
    expect(report.entries.total).toBe(5);
    expect(report.files).toHaveLength(5);
    const ids = new Set(inspectAnyFile(packOf(members)).books.map(({ id }) => id));
    expect(report.findings.filter(({ bookId }) => bookId !== null && !ids.has(bookId))).toEqual([]);
    expect(() =>
      convertAnyFile(packOf(members), { target: 'risu', worlds: [{ name: 'a', world: WORLD }] }),
    ).toThrow('several files');
  });
});

describe('a Marinara package', () => {
  it('is one character with its picture', () => {
    const picture = blankPng();
    const { members, findings } = packOf({ 'data.json': NATIVE, 'avatar.png': picture });
    expect(findings).toEqual([]);
    const opened = members[0]?.opened;
    expect(members).toHaveLength(1);
    expect(opened?.kind).toBe('card');
    expect([...(opened?.container.picture ?? [])]).toEqual([...picture]);
  });
  it('a picture that is no PNG is told', () => {
    const { members, findings } = packOf({ 'data.json': NATIVE, 'avatar.webp': 'RIFF....WEBP' });
    expect(findings).toEqual([]);
    expect(members[0]?.opened.container.notes).toEqual([
      'The picture of the character is no PNG, so a PNG card cannot take it.',
    ]);
  });
  it('only one of several characters of a name is packed, and that is told', () => {
    expect(packOf({ 'A.marinara.json': NATIVE }).findings.map(({ code, path }) => [code, path])).toEqual([
      ['assumed', 'zip'],
    ]);
  });
});

describe('what cannot be used', () => {
  it('is passed over by name', () => {
    const { members, findings } = packOf({
      'a.json': BOOK,
      'readme.txt': 'Hello',
      'broken.json': '{',
      'other.json': { some: 'thing' },
      'inner.zip': zip({ 'b.json': BOOK }),
      'picture.png': blankPng(),
      '__MACOSX/._a.json': 'x',
      '.DS_Store': 'x',
    });
    expect(members.map(({ name }) => name)).toEqual(['a.json']);
    expect(findings.map(({ code, path }) => [code, path])).toEqual(
      ['readme.txt', 'broken.json', 'other.json', 'inner.zip', 'picture.png'].map((name) => [
        'refused',
        name,
      ]),
    );
  });
  it('of hundreds only some are named', () => {
    const rest = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.txt`, 'x']));
    const { findings } = packOf({ 'a.json': BOOK, ...rest });
    expect(findings).toHaveLength(21);
    expect(findings.at(-1)?.message).toContain('280 more');
  });
  it('alone, it gets one sentence', () => {
    expect(() => packOf({ 'a.txt': 'x', 'b.txt': 'y' })).toThrow(
      'x.zip is a zip archive in which there is neither a character card nor a lorebook.',
    );
    expect(() => packOf({ 'a.json': '{' })).toThrow(
      /neither a character card nor a lorebook \(a\.json .*\)\.$/,
    );
    expect(() => packOf({})).toThrow('x.zip is');
  });
  it('a charx is no pack', () => {
    const opened = openAnyFile(zip({ 'card.json': cardWith(BOOK), 'b.json': BOOK }), 'x.charx');
    expect(opened.kind).toBe('card');
  });
});

describe('all members together stay within the limits of one file', () => {
  const many = (count: number, member: Member) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.json`, member]));
  it.each([
    ['values', { jsonValues: 100 }, many(20, BOOK)],
    ['text', { cardTextBytes: 2_000 }, many(20, BOOK)],
    ['text in pictures', { cardTextBytes: 2_000 }, many(9, writeContainer({ kind: 'png' }, cardWith(BOOK)))],
    ['members', { zipMembers: 10 }, many(20, BOOK)],
    ['what they inflate to', { inflatedBytes: 2_000 }, many(20, BOOK)],
  ])('%s', (_, limit, members) => {
    expect(() => packOf(members)).not.toThrow();
    expect(() => packOf(members, { ...LIMITS, ...limit })).toThrow(/^x\.zip .*\.$/);
  });
  it('entries', () => {
    const entries = `{"name": "b", "entries": [${Array.from({ length: 60_000 }, () => `{"keys":[]}`).join(',')}]}`;
    expect(() => packOf(many(5, entries))).toThrow('more cards and lorebooks than can be opened together');
  });
});
