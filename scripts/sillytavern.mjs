// Installs and runs a real SillyTavern for `npm start` and for the end-to-end tests. SillyTavern is AGPL-3.0:
// it is installed from npm beside us and run, never bundled and never copied from.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const compiledRoot = join(root, '.cache', 'sillytavern');

/** What a `git clone` of the extension has that SillyTavern needs; the rest of the repository stays out. */
const EXTENSION_FILES = ['manifest.json', 'dist', 'style.css', 'i18n'];

/** Nothing of a test server may call home, and no browser opens by itself. All else is as shipped. */
const LOCAL_CONFIG = {
  listen: false,
  browserLaunch: { enabled: false },
  extensions: { autoUpdate: false, models: { autoDownload: false } },
  enableDownloadableTokenizers: false,
};

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const isPlainObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function merge(base, over) {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over ?? {})) {
    merged[key] = isPlainObject(value) && isPlainObject(merged[key]) ? merge(merged[key], value) : value;
  }
  return merged;
}

/** The SillyTavern versions that this repository pins, each in its own folder under test/. */
export function pinnedVersions() {
  const pinned = {};
  for (const name of readdirSync(join(root, 'test')).sort()) {
    const manifest = join(root, 'test', name, 'package.json');
    const version = existsSync(manifest) ? readJson(manifest).dependencies?.sillytavern : undefined;
    if (version) pinned[version] = join(root, 'test', name);
  }
  return pinned;
}

/** The version that is used when none is named. */
export function defaultVersion() {
  const own = readJson(join(root, 'test', 'sillytavern', 'package.json')).dependencies.sillytavern;
  return process.env.SILLYTAVERN_VERSION || own;
}

function run(command, args, options) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { ...options, shell: process.platform === 'win32' });
    child.once('error', fail);
    child.once('exit', (code, signal) =>
      code === 0 ? done() : fail(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}`)),
    );
  });
}

/**
 * Makes sure a SillyTavern stands ready and tells where. `SILLYTAVERN_DIR` names an existing checkout to use instead.
 * No package that SillyTavern needs has a build step of its own, so no install scripts are run. Its packages lie
 * inside its own folder (install-strategy in .npmrc), as in a checkout: it reads WebAssembly files from there only,
 * and without those it cannot make thumbnails.
 */
export async function installSillyTavern(version = defaultVersion(), { say = () => {} } = {}) {
  const own = process.env.SILLYTAVERN_DIR;
  if (own) {
    const dir = resolve(own);
    if (!existsSync(join(dir, 'server.js'))) throw new Error(`SILLYTAVERN_DIR: no server.js in ${dir}`);
    return { dir, version: readJson(join(dir, 'package.json')).version };
  }
  const pinned = pinnedVersions();
  const folder = pinned[version];
  if (!folder) {
    throw new Error(`SillyTavern ${version} is not pinned here; there are ${Object.keys(pinned).join(', ')}`);
  }
  const dir = join(folder, 'node_modules', 'sillytavern');
  const stamp = join(folder, 'node_modules', '.installed-lock');
  const lock = sha256(readFileSync(join(folder, 'package-lock.json')));
  const installed =
    existsSync(stamp) && existsSync(join(dir, 'server.js')) && readFileSync(stamp, 'utf8') === lock;
  if (!installed) {
    say(`Installing SillyTavern ${version}. This happens once, takes about a minute and 430 MB.`);
    const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', flags, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    writeFileSync(stamp, lock);
  }
  return { dir, version };
}

export function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/**
 * SillyTavern compiles its front end into the data root at the first start (about 45 s). The result depends on the
 * installed copy alone, so it is kept under .cache/ and handed to each new data root.
 */
function compiledFrontEnd(dir) {
  const version = readJson(join(dir, 'package.json')).version;
  return join(compiledRoot, `${version}-${sha256(`${process.version} ${dir}`).slice(0, 8)}`);
}

function reuseFrontEnd(dir, dataRoot) {
  const kept = compiledFrontEnd(dir);
  const wanted = join(dataRoot, '_webpack');
  if (existsSync(kept) && !existsSync(wanted))
    cpSync(kept, wanted, { recursive: true, preserveTimestamps: true });
}

function keepFrontEnd(dir, dataRoot) {
  const kept = compiledFrontEnd(dir);
  const made = join(dataRoot, '_webpack');
  if (!existsSync(made)) return; // inside Docker SillyTavern keeps it in its own folder
  if (existsSync(kept)) {
    if (readdirSync(kept).join() === readdirSync(made).join()) return;
    rmSync(kept, { recursive: true, force: true }); // the checkout has moved on since
  }
  mkdirSync(compiledRoot, { recursive: true });
  const half = mkdtempSync(join(compiledRoot, 'half-'));
  cpSync(made, half, { recursive: true, preserveTimestamps: true });
  try {
    renameSync(half, kept);
  } catch {
    rmSync(half, { recursive: true, force: true }); // another run was faster
  }
}

/** Answers the welcome dialog beforehand: SillyTavern's own shipped settings, with the persona bound to its name. */
function seedSettings(dir, userDir, settings) {
  const file = join(userDir, 'settings.json');
  if (existsSync(file)) return;
  const shipped = readJson(join(dir, 'default', 'content', 'settings.json'));
  const avatar = shipped.user_avatar;
  const welcomed = {
    firstRun: false,
    main_api: 'textgenerationwebui', // the shipped choice, Horde, makes the server call out at each page load
    power_user: {
      personas: { [avatar]: shipped.username },
      persona_descriptions: { [avatar]: { description: '', position: 0 } },
    },
  };
  writeFileSync(file, JSON.stringify(merge(merge(shipped, welcomed), settings), null, 4));
}

function placeExtension(from, userDir, name) {
  const to = join(userDir, 'extensions', name);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const required of ['manifest.json', 'dist']) {
    if (!existsSync(join(from, required)))
      throw new Error(`No ${required} in ${from}: run "npm run build" first`);
  }
  for (const file of EXTENSION_FILES) {
    if (existsSync(join(from, file))) cpSync(join(from, file), join(to, file), { recursive: true });
  }
}

function serverEnvironment(dir, userDir) {
  const env = { ...process.env, NODE_ENV: 'production' };
  for (const name of Object.keys(env)) if (/^(SILLYTAVERN_|VITEST)/.test(name)) delete env[name];
  // Without this git finds our repository around SillyTavern and around the copied extension, and SillyTavern takes
  // our commits for its own version: the compiled front end would then be thrown away at each commit.
  env.GIT_CEILING_DIRECTORIES = [dirname(dir), join(userDir, 'extensions')].join(delimiter);
  return env;
}

/**
 * Starts a SillyTavern that answers on 127.0.0.1 only.
 * @param {object} options
 * @param {string} options.dir the SillyTavern to run (from installSillyTavern)
 * @param {string} [options.dataRoot] its data folder; a temporary one, removed at stop(), when absent
 * @param {string} [options.extensionDir] the extension to put in; none when absent
 * @param {string} [options.extensionName]
 * @param {number} [options.port]
 * @param {string[]} [options.samples] files to copy beside the data, for a person or a test to import
 * @param {object} [options.config] over SillyTavern's config.yaml, nested as there
 * @param {object} [options.settings] over SillyTavern's shipped settings.json, nested as there
 * @param {boolean} [options.welcome] keep the welcome dialog of the first load (default: answered beforehand)
 * @param {number} [options.timeout] how long the server may take to answer, in ms
 */
export async function startSillyTavern(options) {
  const {
    dir,
    extensionDir,
    extensionName = 'Loreferry',
    samples = [],
    config,
    settings,
    timeout = 240_000,
  } = options;
  const temporary = options.dataRoot === undefined;
  const dataRoot = temporary ? mkdtempSync(join(tmpdir(), 'loreferry-st-')) : resolve(options.dataRoot);
  const userDir = join(dataRoot, 'default-user');
  const port = options.port ?? (await freePort());
  const address = `http://127.0.0.1:${port}/`;
  const removeData = () => rmSync(dataRoot, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

  let child;
  let written = '';
  let gone;
  try {
    mkdirSync(userDir, { recursive: true });
    reuseFrontEnd(dir, dataRoot);
    if (!options.welcome) seedSettings(dir, userDir, settings);
    if (extensionDir) placeExtension(resolve(extensionDir), userDir, extensionName);
    for (const file of samples) cpSync(file, join(dataRoot, 'samples', basename(file)), { recursive: true });
    const configPath = join(dataRoot, 'config.yaml');
    // JSON is YAML; SillyTavern fills in the rest.
    writeFileSync(configPath, JSON.stringify(merge(LOCAL_CONFIG, config), null, 2));

    const args = ['server.js', '--configPath', configPath, '--dataRoot', dataRoot, '--port', String(port)];
    args.push('--listen', 'false', '--browserLaunchEnabled', 'false');
    // The server ends when this process does, even when this one is killed outright: the channel between them closes.
    const leash = 'data:text/javascript,process.on("disconnect",()=>process.exit())';
    child = spawn(process.execPath, ['--import', leash, ...args], {
      cwd: dir,
      env: serverEnvironment(dir, userDir),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const collect = (chunk) => {
      written = (written + stripVTControlCharacters(String(chunk))).slice(-1_000_000);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    gone = new Promise((done) => {
      child.once('error', (error) => done(error.message));
      child.once('exit', (code, signal) => done(`exit status ${code ?? signal}`));
    });
    await untilAnswers(address, gone, timeout);
    keepFrontEnd(dir, dataRoot);
  } catch (error) {
    if (child) await end(child, gone);
    if (temporary) removeData();
    throw new Error(`SillyTavern did not start: ${error.message}\n${written.slice(-3000)}`, { cause: error });
  }

  return {
    address,
    port,
    dataRoot,
    userDir,
    pid: child.pid,
    samples: samples.map((file) => join(dataRoot, 'samples', basename(file))),
    log: () => written,
    exited: gone,
    /** Ends the server and waits for its end. The data folder goes too when it was a temporary one, or when asked. */
    async stop({ remove = temporary } = {}) {
      await end(child, gone);
      if (remove) removeData();
    },
  };
}

async function untilAnswers(address, gone, timeout) {
  let ended;
  gone.then((why) => {
    ended = why;
  });
  const deadline = Date.now() + timeout;
  while (Date.now() < deadline) {
    if (ended) throw new Error(`the server ended early (${ended})`);
    try {
      const reply = await fetch(address, { signal: AbortSignal.timeout(5000) });
      await reply.arrayBuffer();
      if (reply.ok) return;
    } catch {
      // not listening yet
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no answer at ${address} within ${Math.round(timeout / 1000)} s`);
}

async function end(child, gone) {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), 8000);
    await gone;
    clearTimeout(patience);
  }
  if (child.connected) child.disconnect();
}
