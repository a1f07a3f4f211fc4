// Files on disk: whole or not at all, and nothing of anybody else's is touched.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInput, writeOutput } from '../../src/cli/output.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import { bookEntry, bookOf, cardWith } from '../support/fixtures.ts';
import { cliPath, here, listed, put, refused } from './run-cli.ts';

const TO = ['--to', 'sillytavern'] as const;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const at = (name: string): string => join(here(), name);
const textOf = (name: string): string => readFileSync(at(name), 'utf8');
const messageOf = (action: () => void): string => {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
};
const write = (files: Readonly<Record<string, string>>, force = false): void =>
  writeOutput(
    Object.entries(files).map(([name, text]) => ({ path: at(name), bytes: bytes(text) })),
    force,
  );

describe('writing', () => {
  it('makes the folders that are missing', () => {
    write({ 'a/b/c.txt': 'C', 'a/d.txt': 'D' });
    expect(listed()).toEqual(['a/', 'a/b/', 'a/b/c.txt', 'a/d.txt']);
    expect(textOf('a/b/c.txt')).toBe('C');
  });
  it('refuses all when one exists, before anything is written', () => {
    put('b.txt', 'mine');
    expect(messageOf(() => write({ 'new/a.txt': 'A', 'b.txt': 'B' }))).toMatch(
      /b\.txt exists already; use --force/,
    );
    expect(listed()).toEqual(['b.txt']);
    expect(textOf('b.txt')).toBe('mine');
  });
  it('replaces by force, and leaves no copies behind', () => {
    put('a.txt', 'old');
    put('b.txt', 'old');
    write({ 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' }, true);
    expect(['a.txt', 'b.txt', 'c.txt'].map(textOf)).toEqual(['A', 'B', 'C']);
    expect(listed()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });
  it.each<[string, string, RegExp]>([
    ['a part of a path that is a file', 'file.txt/x.json', /a part of its path is a file/],
    ['a name that is too long', `${'x'.repeat(300)}.json`, /its name is too long/],
    [
      'a folder with a name that is too long, behind one that can be made',
      `new/${'y'.repeat(300)}/z.json`,
      /its name is too long/,
    ],
  ])('%s: everything is as it was', (_, bad, words) => {
    put('file.txt', 'mine');
    put('old.txt', 'old');
    const before = statSync(at('old.txt')).ino;
    expect(messageOf(() => write({ 'old.txt': 'new', 'deep/er/a.txt': 'A', [bad]: 'B' }, true))).toMatch(
      words,
    );
    expect(messageOf(() => write({ [bad]: 'B', 'deep/er/a.txt': 'A', 'old.txt': 'new' }, true))).toMatch(
      words,
    );
    expect(listed()).toEqual(['file.txt', 'old.txt']);
    expect([textOf('file.txt'), textOf('old.txt'), statSync(at('old.txt')).ino]).toEqual([
      'mine',
      'old',
      before,
    ]);
  });
  it('a place that becomes a folder at the last moment: what was moved is moved back', () => {
    put('a.txt', 'old');
    const files = [
      { path: at('a.txt'), bytes: bytes('A') },
      { path: at('new.txt'), bytes: bytes('N') },
      // Making the folder of the last file makes a folder in the place of the one before.
      { path: at('z'), bytes: bytes('Z') },
      { path: at('z/y.txt'), bytes: bytes('Y') },
    ];
    expect(messageOf(() => writeOutput(files, true))).toMatch(/z cannot be written/);
    expect(listed()).toEqual(['a.txt']);
    expect(textOf('a.txt')).toBe('old');
  });
  it('a file that somebody makes at the last moment is not replaced', () => {
    mkdirSync(at('d'));
    symlinkSync('.', at('d/same'));
    expect(messageOf(() => write({ 'd/a.txt': 'A', 'd/b.txt': 'B', 'd/same/a.txt': 'other' }))).toMatch(
      /same\/a\.txt cannot be written: somebody else made it just now/,
    );
    expect(listed()).toEqual(['d/', 'd/same']);
  });
  it('one path for two files, a folder, a link', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    expect(refused('convert', 'card.json', ...TO, '-o', 'o.json', '--report', './o.json')).toBe(
      './o.json would be written twice; give two names.',
    );
    mkdirSync(at('folder'));
    expect(refused('convert', 'card.json', ...TO, '-o', 'o.json', '--report', 'folder')).toBe(
      'folder is a folder.',
    );
    expect(refused('convert', 'card.json', ...TO, '-o', 'o.json', '--report', 'folder', '--force')).toBe(
      'folder is a folder.',
    );
    put('target.txt', 'mine');
    symlinkSync('target.txt', at('link'));
    symlinkSync('nowhere', at('dangling'));
    write({ link: 'L', dangling: 'D' }, true);
    expect([textOf('target.txt'), textOf('link'), textOf('dangling')]).toEqual(['mine', 'L', 'D']);
    expect(existsSync(at('nowhere'))).toBe(false);
  });
  it('never goes through a link in the place of its own temporary file', () => {
    put('target.txt', 'mine');
    symlinkSync('target.txt', at(`.loreferry-${process.pid}-0.part`));
    expect(messageOf(() => write({ 'a.txt': 'A' }))).toMatch(/a\.txt cannot be written/);
    expect(textOf('target.txt')).toBe('mine');
    expect(readdirSync(here()).sort()).toEqual([`.loreferry-${process.pid}-0.part`, 'target.txt']);
  });
  it('a folder or a file without permission', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    put('secret.json', cardWith(bookOf(bookEntry())));
    mkdirSync(at('open'));
    mkdirSync(at('closed'));
    for (const [name, mode] of [
      ['.', 0o755],
      ['open', 0o777],
      ['closed', 0o555],
      ['secret.json', 0o000],
    ] as const)
      chmodSync(at(name), mode);
    chmodSync(dirname(cliPath), 0o755);
    // Who is root has every permission, so that another user has to try.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const tried = (...args: readonly string[]) => {
      const run = spawnSync(process.execPath, [cliPath, ...args], {
        cwd: here(),
        encoding: 'utf8',
        ...nobody,
      });
      return [run.status, run.stderr];
    };
    expect(
      tried('convert', 'card.json', ...TO, '-o', 'open/new/o.json', '--report', 'closed/r.json'),
    ).toEqual([2, 'loreferry: closed/r.json cannot be written: there is no permission for it.\n']);
    expect(tried('extract', 'card.json', '-o', 'closed/x')).toEqual([
      2,
      'loreferry: closed/x/Quay Notes.json cannot be written: there is no permission for it.\n',
    ]);
    expect(tried('inspect', 'secret.json')).toEqual([2, 'loreferry: secret.json may not be read.\n']);
    expect(tried('convert', 'card.json', ...TO, '-o', 'open/o.json')).toEqual([0, '']);
    expect(listed()).toEqual(['card.json', 'closed/', 'open/', 'open/o.json', 'secret.json']);
  });
});

describe('the command line writes nothing when something fails', () => {
  it.each<[string, readonly string[]]>([
    ['a report that cannot be written', ['-o', 'new/out.json', '--report', 'card.json/r.json']],
    ['an output that cannot be written', ['-o', 'card.json/out.json', '--report', 'new/r.json']],
    ['a report in a place that is taken', ['-o', 'new/out.json', '--report', 'card.json']],
    ['a world file that is none', ['-o', 'new/out.json', '--book', 'card.json']],
    ['a form that there is not', ['-o', 'new/out.json', '--as', 'native']],
  ])('%s', (_, args) => {
    const card = JSON.stringify(cardWith(bookOf(bookEntry())));
    put('card.json', card);
    expect(refused('convert', 'card.json', ...TO, ...args)).toMatch(/\.$/);
    expect(listed()).toEqual(['card.json']);
    expect(textOf('card.json')).toBe(card);
  });
});

it('output that cannot be printed is one line and status 2', () => {
  put('card.json', cardWith(bookOf(bookEntry())));
  const run = spawnSync('sh', ['-c', `"${process.execPath}" "${cliPath}" inspect card.json > /dev/full`], {
    cwd: here(),
    encoding: 'utf8',
  });
  expect([run.status, run.stderr]).toEqual([2, 'loreferry: The output cannot be printed (ENOSPC).\n']);
});

describe('reading', () => {
  it('reads a file whole, also an empty one', () => {
    put('a.txt', 'text');
    put('b.txt', '');
    expect(readInput(at('a.txt'))).toEqual(bytes('text'));
    expect(readInput(at('b.txt'))).toEqual(bytes(''));
    expect(readInput('/proc/self/status').length).toBeGreaterThan(100);
  });
  it('says what is not there', () => {
    expect(messageOf(() => readInput(at('none')))).toMatch(/none does not exist\.$/);
    expect(messageOf(() => readInput(here()))).toMatch(/is a folder, not a file\.$/);
    expect(messageOf(() => readInput('/dev/null'))).toMatch(/is a pipe or a device, not a file\.$/);
    expect(messageOf(() => readInput(''))).toMatch(/does not exist\.$/);
  });
});
