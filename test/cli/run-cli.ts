// The command line as others run it: bundled, as a process of its own, in a folder of its own.

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Inspection } from '../../src/inspection/inspection.ts';

const bundle = mkdtempSync(join(tmpdir(), 'loreferry-cli-'));
const CLI = join(bundle, 'cli.mjs');
buildSync({
  entryPoints: [join(import.meta.dirname, '../../src/cli.ts')],
  outfile: CLI,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  define: { __LOREFERRY_VERSION__: '"1.2.3"' },
});
// A process takes a tenth of a second, and many times that where everything runs at once.
vi.setConfig({ testTimeout: 60_000 });
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

/** What a run came to. */
export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let folder = '';
afterEach(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
  folder = '';
});

/** The folder of the test that is running; it is made at its first use and removed afterwards. */
export function here(): string {
  if (folder === '') folder = mkdtempSync(join(tmpdir(), 'loreferry-test-'));
  return folder;
}

/** Writes a file into the test's folder; what is neither text nor bytes is written as JSON. */
export function put(name: string, content: unknown): string {
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  const path = join(here(), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, isRaw ? content : JSON.stringify(content));
  return name;
}

/** A file of the test's folder as JSON. */
export function jsonOf(name: string): JsonObject {
  return JSON.parse(readFileSync(join(here(), name), 'utf8')) as JsonObject;
}

/** A file of the test's folder as bytes. */
export function bytesOf(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(here(), name)));
}

/** All files and folders in the test's folder, or in one in it; folders end in a slash. */
export function listed(name = '.'): readonly string[] {
  return readdirSync(join(here(), name), { recursive: true, withFileTypes: true })
    .map(
      (entry) =>
        join(entry.parentPath, entry.name).slice(join(here(), name).length + 1) +
        (entry.isDirectory() ? '/' : ''),
    )
    .sort();
}

/** Runs the command line in the test's folder. */
export function loreferry(...args: readonly string[]): Run {
  const { status, stdout, stderr } = runNode([CLI, ...args]);
  return { status, stdout, stderr };
}

/** Runs it, with options for Node before it, and kills it after a while. */
export function runNode(args: readonly string[], milliseconds = 60_000): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, args, {
    cwd: here(),
    encoding: 'utf8',
    timeout: milliseconds,
    maxBuffer: 1024 * 1024 * 1024,
  });
}

/** The path of the bundled command line. */
export const cliPath = CLI;

/** Runs it where it must succeed, and returns what it printed. */
export function done(...args: readonly string[]): string {
  const run = loreferry(...args);
  if (run.status !== 0 || run.stderr !== '')
    throw new Error(`${args.join(' ')}: ${run.status} ${run.stderr}`);
  return run.stdout;
}

/** Runs it where it must fail, and returns its one line. */
export function refused(...args: readonly string[]): string {
  const { status, stdout, stderr } = loreferry(...args);
  if (status !== 2 || stdout !== '' || !/^loreferry: [^\n]+\.\n$/.test(stderr)) {
    throw new Error(`${args.join(' ')}: ${status} "${stdout}" "${stderr}"`);
  }
  return stderr.slice('loreferry: '.length, -1);
}

/** Inspects a file of the test's folder. */
export function inspected(name: string): Inspection {
  return JSON.parse(done('inspect', name, '--json')) as Inspection;
}

/** What `--report` wrote. */
export interface Report {
  readonly target: string;
  readonly targetVersion: string | null;
  readonly style: string;
  readonly files: readonly { readonly name: string; readonly mime: string; readonly bytes: number }[];
  readonly entries: Readonly<Record<'total' | 'exact' | 'stashed' | 'approximated' | 'lost', number>>;
  readonly findings: Inspection['findings'];
  readonly steps: readonly string[];
  readonly settings: JsonObject;
}

/** Converts a file of the test's folder to SillyTavern and returns the report. */
export function converted(...args: readonly string[]): Report {
  done('convert', ...args, '--to', 'sillytavern', '--report', 'report.json');
  return jsonOf('report.json') as unknown as Report;
}
