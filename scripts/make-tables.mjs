// Writes the tables of the README from the tables of the sources: `node scripts/make-tables.mjs`, or with --check
// only tells whether they are current.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const readme = join(root, 'README.md');
const BEGIN = '<!-- fields: made by scripts/make-tables.mjs -->';
const END = '<!-- end of fields -->';

async function loadFields() {
  const folder = mkdtempSync(join(tmpdir(), 'loreferry-tables-'));
  const outfile = join(folder, 'fields.mjs');
  const entry = join(root, 'src/formats/field-list.ts');
  await build({ entryPoints: [entry], bundle: true, format: 'esm', platform: 'node', outfile });
  const { listFields } = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return listFields();
}

const cell = (place) =>
  place === null
    ? '-'
    : place
        .split(' + ')
        .map((name) => `\`${name}\``)
        .join(' and ');
const rows = (await loadFields()).map(
  ({ path, card, world, marinara, marinaraNative }) =>
    `| ${[path, ...[card, world, marinara, marinaraNative].map(cell)].join(' | ')} |`,
);
const table = [
  '| field | in a card (entry of `character_book`) | in a world info file | in a card for Marinara | in a Marinara lorebook |',
  '|---|---|---|---|---|',
  ...rows,
];
const text = readFileSync(readme, 'utf8');
const [before, rest] = text.split(BEGIN);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`README.md lacks "${BEGIN}" or "${END}".`);
const made = `${before}${BEGIN}\n\n${table.join('\n')}\n\n${END}${after}`;
if (made === text) console.log('README.md is current.');
else if (process.argv.includes('--check')) {
  console.error('README.md is not what the tables say: run "node scripts/make-tables.mjs".');
  process.exitCode = 1;
} else {
  writeFileSync(readme, made);
  console.log('README.md was written anew.');
}
