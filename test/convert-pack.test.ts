// The report over a pack: what is the same of every file is said once, and no setting stands for files that want another.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertFile } from '../src/convert-file.ts';
import { convertAnyFile } from '../src/convert-pack.ts';
import { inspectAnyFile } from '../src/inspection/pack-inspection.ts';
import { filesIn, openAnyFile } from '../src/packed-file.ts';

const opened = (app: string, name: string) =>
  openAnyFile(new Uint8Array(readFileSync(join(import.meta.dirname, 'fixtures/foreign', app, name))), name);

describe('the report over a pack', () => {
  const books = opened('lumiverse', 'lumiverse-world-books-lantern-ward.zip');
  const cards = opened('marinara', 'marinara-characters-port-amber.zip');

  it('says once what is so of every file', () => {
    const ofAll = filesIn(books)
      .flatMap((file) => convertFile(file, { target: 'risu' }).report.findings)
      .filter(({ bookId }) => bookId === null);
    const different = [...new Set(ofAll.map((each) => JSON.stringify(each)))];
    expect(different.length).toBeLessThan(ofAll.length);
    const { findings } = convertAnyFile(books, { target: 'risu' }).report;
    const said = findings
      .filter(({ bookId }) => bookId === null)
      .map(({ message, ...each }) =>
        JSON.stringify({ ...each, message: message.replace(/^.*\.json: /, '') }),
      );
    expect(said.sort()).toEqual(different.sort());
  });

  it('names the files of which something is said that is not so of every one', () => {
    if (books.kind !== 'pack') throw new Error('no pack');
    const names = books.members.map(({ name }) => name);
    const single = books.members.map(
      ({ opened: file }) => convertFile(file, { target: 'risu' }).report.findings,
    );
    const isSaid = (message: string, at: number): boolean =>
      single[at]?.some((each) => each.bookId === null && message.endsWith(each.message)) === true;
    for (const { bookId, message } of convertAnyFile(books, { target: 'risu' }).report.findings) {
      if (bookId !== null) continue;
      const named = names.filter((name) => message.includes(name));
      expect(named.every((name) => isSaid(message, names.indexOf(name)))).toBe(true);
      if (named.length === 0) expect(names.every((_, at) => isSaid(message, at))).toBe(true);
    }
    const { findings } = inspectAnyFile(books);
    expect(findings.filter(({ bookId, message }) => bookId === null && !/\.json: /.test(message))).toEqual(
      [],
    );
  });

  it('keeps what is said of each lorebook', () => {
    const single = filesIn(books).map((file) => convertFile(file, { target: 'risu' }).report.findings);
    const ofBooks = (findings: (typeof single)[number]) => findings.filter(({ bookId }) => bookId !== null);
    expect(ofBooks(convertAnyFile(books, { target: 'risu' }).report.findings)).toHaveLength(
      single.flatMap(ofBooks).length,
    );
  });

  it('has the settings that all files want, and names those that they do not share', () => {
    const wanted = filesIn(cards).map((file) => convertFile(file, { target: 'marinara' }).report.settings);
    const { settings, findings } = convertAnyFile(cards, { target: 'marinara' }).report;
    const differing = findings.filter(({ path }) => path.startsWith('settings.'));
    expect(differing.length).toBeGreaterThan(0);
    for (const [name, value] of Object.entries(settings))
      for (const each of wanted) expect([name, each[name] ?? value]).toEqual([name, value]);
    for (const { code, path, before } of differing) {
      const name = path.slice('settings.'.length);
      const values = wanted.flatMap((each) => (each[name] === undefined ? [] : [each[name]]));
      expect([code, new Set(before as readonly unknown[])]).toEqual(['conflict', new Set(values)]);
      expect(settings).not.toHaveProperty(name);
    }
    const names = [...Object.keys(settings), ...differing.map(({ path }) => path.slice('settings.'.length))];
    expect(names.sort()).toEqual([...new Set(wanted.flatMap((each) => Object.keys(each)))].sort());
  });

  it('of one file is that file’s', () => {
    const [file] = filesIn(books);
    if (file === undefined || books.kind !== 'pack') throw new Error('no pack');
    const one = { ...books, members: books.members.slice(0, 1) };
    const { report } = convertAnyFile(one, { target: 'agnai' });
    expect(report.settings).toEqual(convertFile(file, { target: 'agnai' }).report.settings);
    expect(Object.keys(report.settings).length).toBeGreaterThan(0);
  });
});
