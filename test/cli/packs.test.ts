// Zips of several cards and lorebooks on the command line: each member as if it had been given singly.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { TARGETS } from '../../src/formats/registry.ts';
import { bookEntry, bookOf, cardWith } from '../support/fixtures.ts';
import { inspected, jsonOf, listed, loreferry, put } from './run-cli.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/foreign');
const ZIPS = readdirSync(FOLDER).flatMap((app) =>
  readdirSync(join(FOLDER, app))
    .filter((name) => name.endsWith('.zip'))
    .map((name) => [name, app] as const),
);

interface Sidecar {
  readonly character: { readonly names?: readonly string[] };
  readonly books: readonly {
    readonly name: string;
    readonly entries: readonly { readonly title: string }[];
  }[];
}
const sidecarOf = (name: string, app: string): Sidecar =>
  JSON.parse(readFileSync(join(FOLDER, app, `${name}.expect.json`), 'utf8')) as Sidecar;
const given = (name: string, app: string): string =>
  put(name, new Uint8Array(readFileSync(join(FOLDER, app, name))));

describe.each(ZIPS)('%s', (name, app) => {
  const { books, character } = sidecarOf(name, app);
  const characters = character.names ?? [];
  const bookNames = books.map((book) => book.name).sort();

  it('inspect shows all books and entries one after the other', () => {
    const inspection = inspected(given(name, app));
    expect(inspection).toMatchObject({ container: 'zip', format: app });
    expect(inspection.kind).toBe(characters.length > 0 ? 'card' : 'lorebook');
    expect(inspection.books.map((book) => book.name).sort()).toEqual(bookNames);
    expect(new Set(inspection.books.map(({ id }) => id)).size).toBe(books.length);
    for (const { id, name: title, entryCount } of inspection.books) {
      const held = books.find((book) => book.name === title)?.entries ?? [];
      const own = inspection.entries.filter(({ bookId }) => bookId === id);
      expect(entryCount).toBe(held.length);
      expect(own.map((entry) => entry.title)).toEqual(held.map((entry) => entry.title));
    }
    for (const each of characters) expect(inspection.name).toContain(each);
  });
  it('inspect as text names every file', () => {
    const { stdout, status } = loreferry('inspect', given(name, app));
    expect(status).toBe(0);
    for (const title of bookNames) expect(stdout).toContain(`${title}: `);
    expect(stdout).toMatch(/^A zip of \d files\./);
  });
  it('extract writes every lorebook and every card', () => {
    const { status, stderr } = loreferry('extract', given(name, app), '-o', 'out');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const worlds = listed('out').filter((file) => 'entries' in jsonOrNothing(`out/${file}`));
    const counts = worlds.map((file) => Object.keys(jsonOf(`out/${file}`)['entries'] as object).length);
    expect(counts.sort()).toEqual(books.map(({ entries }) => entries.length).sort());
    expect(listed('out')).toHaveLength(books.length + characters.length);
  });
  it.each(TARGETS)('convert --to %s writes every member', (target) => {
    const run = loreferry('convert', given(name, app), '--to', target, '-o', 'out', '--report', 'r.json');
    expect(run.stderr).toBe('');
    const report = jsonOf('r.json') as unknown as { entries: { total: number }; files: unknown[] };
    expect(report.entries.total).toBe(books.reduce((sum, { entries }) => sum + entries.length, 0));
    expect(listed('out').length).toBe(report.files.length);
    expect(listed('out').length).toBeGreaterThanOrEqual(Math.max(characters.length, 3));
  });
});

describe('a zip from anywhere', () => {
  const zip = (members: Readonly<Record<string, unknown>>): Uint8Array =>
    zipSync(
      Object.fromEntries(
        Object.entries(members).map(([name, json]) => [name, new TextEncoder().encode(JSON.stringify(json))]),
      ),
    );
  const book = bookOf(bookEntry());
  it('writes nothing outside of the folder, and two files of one name beside each other', () => {
    put(
      'x.zip',
      zip({ '../../evil.json': cardWith(book), '/a/evil.json': cardWith(book), 'c:\\evil.json': book }),
    );
    loreferry('extract', 'x.zip', '-o', 'out');
    expect(listed().filter((name) => !name.startsWith('out/'))).toEqual(['x.zip']);
    expect(listed('out')).toEqual([
      'Quay Notes (2).json',
      'Quay Notes (3).json',
      'Quay Notes.json',
      'evil (2).json',
      'evil.json',
    ]);
    expect(loreferry('convert', 'x.zip', '--to', 'risu', '-o', 'risu').status).toBe(0);
    expect(listed('risu')).toHaveLength(3);
  });
  it('of one file is that file, at the place that was asked for', () => {
    put('one.zip', zip({ 'a.json': cardWith(book) }));
    expect(loreferry('convert', 'one.zip', '--to', 'marinara', '-o', 'mara.png').stderr).toBe('');
    expect(listed()).toEqual(['mara.png', 'one.zip']);
    expect(inspected('mara.png')).toMatchObject({ container: 'png', kind: 'card', name: 'Mara Lint' });
  });
  it('without anything of ours gets one sentence and writes nothing', () => {
    put('no.zip', zip({ 'package.json': { name: 'a', version: '1' } }));
    for (const args of [
      ['inspect', 'no.zip'],
      ['extract', 'no.zip', '-o', 'out'],
      ['convert', 'no.zip', '--to', 'risu', '-o', 'out'],
    ]) {
      const { status, stderr } = loreferry(...args);
      expect([status, /^loreferry: no\.zip is a zip archive [^\n]*\.\n$/.test(stderr)]).toEqual([2, true]);
    }
    expect(listed()).toEqual(['no.zip']);
  });
  it('cannot be joined with world files, which belong to one character', () => {
    put('x.zip', zip({ 'a.json': cardWith(book), 'b.json': cardWith(book) }));
    put('w.json', { entries: {} });
    const { status, stderr } = loreferry('convert', 'x.zip', '--to', 'risu', '--book', 'w.json', '-o', 'out');
    expect([status, stderr]).toEqual([
      2,
      'loreferry: World files are linked to one character; this file holds several files.\n',
    ]);
  });
});

function jsonOrNothing(name: string): object {
  return name.endsWith('.json') ? jsonOf(name) : {};
}
