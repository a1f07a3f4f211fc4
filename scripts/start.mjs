// npm start: a real SillyTavern with the extension in it and three cards to try it on.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { defaultVersion, installSillyTavern, startSillyTavern } from './sillytavern.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const home = join(root, '.cache', 'start');
const dataRoot = join(home, 'data');
const runningFile = join(home, 'running.json');
const SAMPLES = ['Ottoline Fenn.png', 'The Lamplighter.json', 'Sister Orm.json'];

const USAGE = `npm start -- [--keep] [--port N] [--version X]
  --keep       go on with the data of the last run instead of starting fresh
  --port N     listen there instead of on any free port
  --version X  a SillyTavern that is pinned under test/ (default ${defaultVersion()})
SILLYTAVERN_DIR=... runs an existing SillyTavern checkout instead, with data of its own.`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      keep: { type: 'boolean', default: false },
      port: { type: 'string' },
      version: { type: 'string', default: defaultVersion() },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536)) {
    throw new Error(`--port ${values.port} is no port`);
  }
  return { ...values, port };
}

/** Two runs would write into the same data folder. */
function refuseSecondRun() {
  if (!existsSync(runningFile)) return;
  const { pid, address } = JSON.parse(readFileSync(runningFile, 'utf8'));
  try {
    process.kill(pid, 0);
  } catch {
    return; // a run that was killed; its server ended with it
  }
  throw new Error(`Already running at ${address} (process ${pid}). Stop that one first.`);
}

/** A signal to npm ends npm and its shell, but the shell does not pass it on. */
function whenParentEnds(stop) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 300);
  watch.unref();
}

function instructions(address) {
  return `
SillyTavern with Loreferry is at  ${address}

  1. Open it in a browser.
  2. Press the card icon at the top right, then "Import Character from File" (the file with an arrow).
  3. Choose the three cards in  ${join(root, 'samples')}
       Ottoline Fenn.png      every position; two entries with one id; one that contradicts itself
       The Lamplighter.json   a book that SillyTavern alone throws away
       Sister Orm.json        a book where SillyTavern alone does not look
  4. Open a character: its book is linked (the globe), and "More..." has what Loreferry can do with it.
  5. The book icon at the top shows the extracted world info files.

Stop with Ctrl+C.
`;
}

async function main() {
  const options = readOptions();
  if (options.help) return console.log(USAGE);
  refuseSecondRun();

  let server;
  let stopAsked = false;
  const asked = new Promise((done) => {
    const stop = () => {
      if (!server) process.exit(130); // one that is still starting ends with us
      stopAsked = true;
      done();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
    if (process.env.npm_lifecycle_event) whenParentEnds(stop);
  });

  console.log('Building the extension ...');
  await build();
  const { dir, version } = await installSillyTavern(options.version, { say: console.log });
  if (!options.keep) rmSync(dataRoot, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  console.log(`Starting SillyTavern ${version} (the very first start takes up to a minute longer) ...`);
  server = await startSillyTavern({
    dir,
    dataRoot,
    extensionDir: root,
    port: options.port,
    samples: SAMPLES.map((file) => join(root, 'samples', file)),
  });
  writeFileSync(runningFile, JSON.stringify({ pid: process.pid, address: server.address }));
  try {
    console.log(instructions(server.address));
    await Promise.race([asked, server.exited]);
    // Ctrl+C in a terminal reaches SillyTavern as well, and it may be the faster one to end.
    await new Promise((done) => setTimeout(done, 50));
    if (!stopAsked) throw new Error(`SillyTavern ended by itself.\n${server.log().slice(-2000)}`);
  } finally {
    await server.stop();
    rmSync(runningFile, { force: true });
  }
  console.log('Stopped. "npm start -- --keep" goes on with the same data.');
}

main().then(
  () => process.exit(),
  (error) => {
    console.error(error.message);
    process.exit(1);
  },
);
