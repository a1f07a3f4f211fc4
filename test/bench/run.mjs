// npm run bench: our extract and re-embed of a 5,000-entry book beside JSON.parse + JSON.stringify of it and beside
// two libraries, in one run; then the panel beside SillyTavern's editor, in a real page. Ratios count; milliseconds
// belong to the machine.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = import.meta.dirname;
const ROUNDS = 15;

async function loadOurs() {
  const folder = mkdtempSync(join(tmpdir(), 'loreferry-bench-'));
  const outfile = join(folder, 'extract.mjs');
  await build({
    entryPoints: [join(here, 'extract.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
  });
  const ours = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return ours;
}

async function loadPeer(name) {
  if (!existsSync(join(here, 'node_modules'))) {
    console.log('Installing the libraries to compare with ...');
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: here,
      stdio: 'ignore',
    });
  }
  return import(pathToFileURL(join(here, 'node_modules', name)).href);
}

/** Median of several rounds in ms, each on a fresh parse of the same text. */
function median(text, work) {
  const times = [];
  for (let round = 0; round < ROUNDS + 3; round++) {
    const input = JSON.parse(text);
    globalThis.gc?.();
    const began = performance.now();
    work(input);
    if (round >= 3) times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1];
}

const ours = await loadOurs();
const text = JSON.stringify(ours.hugeBook());
const base = median(text, () => JSON.stringify(JSON.parse(text)));
const rows = [['JSON.parse + JSON.stringify', base, 'all']];

const share = (result) => {
  const { same, all } = ours.sharedLeaves(JSON.parse(text), result);
  return `${((100 * same) / all).toFixed(1)} %`;
};
const measure = (name, work) => {
  try {
    const kept = share(work(JSON.parse(text)));
    rows.push([name, median(text, work), kept]);
  } catch (error) {
    rows.push([name, Number.NaN, `failed: ${error.message}`]);
  }
};

measure('Loreferry: extract from the card, embed again', (book) => ours.extractAndEmbed(book));
measure('Loreferry: extract to a world file, re-embed', (book) => ours.emit(ours.extract(book)));
measure('Loreferry: the same, the file written and read', (book) =>
  ours.emit(JSON.parse(JSON.stringify(ours.extract(book)))),
);
measure('Loreferry: read and write by the table, no twin', (book) => ours.emitWithoutTwin(book));

const foundry = await loadPeer('@character-foundry/character-foundry/dist/lorebook.js');
measure('character-foundry: ccv3 -> sillytavern -> ccv3', (book) =>
  foundry.normalizeToCC3(
    foundry.convertLorebook(foundry.normalizeToCC3(book, 'ccv3'), 'sillytavern'),
    'sillytavern',
  ),
);
const { CCardLib } = await loadPeer('@risuai/ccardlib/dist/index.js');
measure('ccardlib: lorebook v2 -> v3 -> v2', (book) =>
  CCardLib.lorebook.convert(CCardLib.lorebook.convert(book, { from: 'v2', to: 'v3' }), {
    from: 'v3',
    to: 'v2',
  }),
);

console.log(`\n5,000 entries, ${(text.length / 1e6).toFixed(1)} MB of JSON, median of ${ROUNDS} rounds\n`);
for (const [name, ms, kept] of rows) {
  const ratio = Number.isNaN(ms) ? '-' : `${(ms / base).toFixed(2)}x`;
  const shown = Number.isNaN(ms) ? '-' : `${ms.toFixed(1)} ms`;
  console.log(`${name.padEnd(50)} ${shown.padStart(10)} ${ratio.padStart(7)}   leaves kept: ${kept}`);
}

// The end-to-end test of the panel's numbers measures and prints; it needs Chromium and the built extension.
console.log('\nThe panel and a real SillyTavern ...');
const vitest = join(here, '../../node_modules/vitest/vitest.mjs');
const run = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'vitest.e2e.config.ts', 'inspect-numbers'],
  {
    cwd: join(here, '../..'),
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  },
);
const measured = run.stdout.match(/(5,000 entries:|tasks over 50 ms).*/g) ?? [];
console.log(measured.length > 0 ? measured.join('\n') : run.stdout + run.stderr);
if (run.status !== 0) process.exitCode = 1;
