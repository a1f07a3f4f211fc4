// Writes the tables of README.md and docs/fields.md from the tables and exporters of the sources:
// `node scripts/make-tables.mjs`, or with --check only tells whether they are current.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

async function load(source) {
  const folder = mkdtempSync(join(tmpdir(), 'loreferry-tables-'));
  const outfile = join(folder, 'made.mjs');
  await build({ entryPoints: [join(root, source)], bundle: true, format: 'esm', platform: 'node', outfile });
  const made = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return made;
}

const table = ([head, ...rows]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const place = (written) =>
  written === null
    ? '-'
    : written
        .split(' + ')
        .map((name) => `\`${name}\``)
        .join(' and ');

const { featureTable, pairTable } = await load('scripts/survival.ts');
const { FIELD_COLUMNS, listFields } = await load('src/formats/field-list.ts');
const fields = [
  ['field', ...FIELD_COLUMNS.map(({ name }) => name)],
  ...listFields().map(({ path, places }) => [path, ...places.map(place)]),
];

const BLOCKS = [
  ['README.md', 'features', table(featureTable())],
  ['README.md', 'pairs', table(pairTable(join(root, 'test/fixtures')))],
  ['docs/fields.md', 'fields', table(fields)],
];

for (const [file, name, made] of BLOCKS) {
  const path = join(root, file);
  const begin = `<!-- ${name}: made by scripts/make-tables.mjs -->`;
  const end = `<!-- end of ${name} -->`;
  const text = readFileSync(path, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${file} lacks "${begin}" or "${end}".`);
  const whole = `${before}${begin}\n\n${made}\n\n${end}${after}`;
  if (whole === text) console.log(`${file}: ${name} is current.`);
  else if (process.argv.includes('--check')) {
    console.error(`${file}: ${name} is not what the sources say: run "node scripts/make-tables.mjs".`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, whole);
    console.log(`${file}: ${name} was written anew.`);
  }
}
