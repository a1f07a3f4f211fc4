// Builds what users get: dist/index.js (what the extension loads at start, with the parts beside it that it loads when
// they are first used), dist/cli.js (the command line) and the licences of what is bundled in them. The result is committed, so it must be the same bytes for the same source on every machine.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build as bundle } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const GZIP_LIMIT = 80_000;
const HASHBANG = '#!/usr/bin/env node';

/** @typedef {{ name: string, contents: Uint8Array, atStart?: boolean }} Built */

function common(version) {
  return {
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    sourcemap: false,
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { __LOREFERRY_VERSION__: JSON.stringify(version), 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  };
}

function targets(version, { index, cli }) {
  const extension = {
    ...common(version),
    // A worker is loaded by its own name, not by an import.
    entryPoints: [
      { in: index, out: 'index' },
      { in: 'src/features/export/export-worker.ts', out: 'export-worker' },
    ],
    outdir: 'dist',
    splitting: true,
    chunkNames: '[name]-[hash]',
    platform: 'browser',
    target: 'es2022',
    // SillyTavern's own modules, served beside us.
    external: ['/script.js', '/scripts/*', '/lib.js'],
  };
  const hasHashbang = readFileSync(resolve(root, cli), 'utf8').startsWith('#!');
  const commandLine = {
    ...common(version),
    entryPoints: [cli],
    outfile: 'dist/cli.js',
    platform: 'node',
    target: 'node20',
    ...(hasHashbang ? {} : { banner: { js: HASHBANG } }),
  };
  return [extension, commandLine];
}

/** The names of index.js and of everything that it imports at once. */
function filesAtStart({ outputs }) {
  const names = new Set();
  const add = (path) => {
    const name = path.split('/').pop();
    if (names.has(name) || outputs[path] === undefined) return;
    names.add(name);
    for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') add(next);
  };
  add('dist/index.js');
  return names;
}

/** The folder of the package that a bundled file came from, or undefined for our own sources. */
function packageFolder(input) {
  const inPackage = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  return inPackage?.[1];
}

function thirdPartyLicences(metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = packageFolder(input);
        if (folder && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  const sections = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
    if (!file) throw new Error(`${name} is bundled but has no licence file`);
    const text = readFileSync(join(root, folder, file), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim();
    return { name, section: `${name} ${version} (${license})\n\n${text}\n` };
  });
  sections.sort((a, b) => (a.name < b.name ? -1 : 1));
  const rule = `\n${'-'.repeat(80)}\n\n`;
  const head = 'The files in dist/ of Loreferry contain parts of these packages.\n';
  return [head, ...sections.map(({ section }) => section)].join(rule);
}

/**
 * @param {{ index?: string, cli?: string, outdir?: string }} [options] other entry points are for trying the build out
 * @returns {Promise<Built[]>}
 */
export async function build({
  index = 'src/index.ts',
  cli = 'src/cli.ts',
  outdir = join(root, 'dist'),
} = {}) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = join(root, 'manifest.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version !== version) {
    throw new Error(`manifest.json and package.json name different versions (package.json: ${version})`);
  }
  const results = await Promise.all(targets(version, { index, cli }).map((options) => bundle(options)));
  const atStart = filesAtStart(results[0].metafile);
  const built = results.flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, contents }) => {
      const name = path.split(/[\\/]/).pop();
      return { name, contents, atStart: atStart.has(name) };
    }),
  );
  const licences = thirdPartyLicences(results.map(({ metafile }) => metafile));
  built.push({ name: 'THIRD-PARTY-LICENSES.txt', contents: new TextEncoder().encode(licences) });

  mkdirSync(outdir, { recursive: true });
  for (const old of readdirSync(outdir)) {
    if (!built.some(({ name }) => name === old)) rmSync(join(outdir, old), { recursive: true });
  }
  for (const { name, contents } of built) {
    const file = join(outdir, name);
    // Untouched when unchanged: a running end-to-end test may be reading it.
    if (!existsSync(file) || !readFileSync(file).equals(contents)) writeFileSync(file, contents);
  }
  chmodSync(join(outdir, 'cli.js'), 0o755);
  return built;
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

async function main() {
  const built = await build();
  let start = 0;
  for (const { name, contents, atStart } of built) {
    const packed = gzipSync(contents, { level: 9 }).length;
    if (atStart) start += packed;
    console.log(
      `dist/${name.padEnd(26)}${kilobytes(contents.length).padStart(10)}${kilobytes(packed).padStart(10)} gzip`,
    );
  }
  console.log(`loaded at start${kilobytes(start).padStart(36)} gzip`);
  if (start > GZIP_LIMIT) {
    console.error(`What is loaded at start is over ${kilobytes(GZIP_LIMIT)} gzipped`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
