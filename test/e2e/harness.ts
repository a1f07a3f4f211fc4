// A real SillyTavern, a real Chromium, and the few things that an end-to-end test wants to do with them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core';
import { installSillyTavern, type RunningSillyTavern, startSillyTavern } from '../../scripts/sillytavern.mjs';
import { readCardFromPng } from './png-card.ts';

export const repositoryRoot = resolve(import.meta.dirname, '../..');
const shotsFolder = join(repositoryRoot, 'test', 'e2e', 'shots');

export type JsonObject = Record<string, unknown>;

export interface CardBook extends JsonObject {
  name?: string;
  entries?: JsonObject[];
}

export interface Card extends JsonObject {
  spec?: string;
  name?: string;
  data?: JsonObject & { name?: string; character_book?: CardBook | null; extensions?: JsonObject };
}

export interface WorldEntry extends JsonObject {
  uid: number;
  key: string[];
  keysecondary: string[];
  comment: string;
  content: string;
  position: number;
}

export interface WorldFile extends JsonObject {
  entries: Record<string, WorldEntry>;
}

export interface World {
  /** The file's name without `.json`: what a link must say. */
  fileId: string;
  name: string;
  extensions: JsonObject;
  data: WorldFile;
}

export interface ListedCharacter {
  avatar: string;
  name: string;
}

/** What the server answered to one `/api/characters/import`. */
export interface ImportReply {
  status: number;
  /** The stored character's avatar file, when one was stored. */
  avatar: string | undefined;
  body: unknown;
}

export interface Toast {
  kind: 'success' | 'info' | 'warning' | 'error' | 'other';
  title: string;
  message: string;
}

export interface Call {
  method: string;
  path: string;
  status: number;
}

export interface OpenOptions {
  /** A pinned SillyTavern; default `SILLYTAVERN_VERSION`, else the newest pinned. */
  version?: string;
  /** Put our extension in (from the repository's root, with dist/ as built). Default true. */
  extension?: boolean;
  /** `performance.lazyLoadCharacters`: lists hold shallow characters. */
  lazyLoadCharacters?: boolean;
  /** Over SillyTavern's config.yaml. */
  config?: JsonObject;
  /** Over SillyTavern's settings.json. */
  settings?: JsonObject;
  /** Show the welcome dialog of the first load and answer it by a click, instead of answering it beforehand. */
  welcome?: boolean;
  /** Runs in every page before any script of it. */
  initScript?: string | (() => void);
  width?: number;
  height?: number;
  /** A touch screen of 390 x 844. */
  phone?: boolean;
  /** Passed on to `startSillyTavern`: use this data folder and keep it. */
  dataRoot?: string;
  /** Puts files into the user's data folder before SillyTavern starts, as if they had been there for long. */
  seed?: (userDir: string) => void;
}

/** The parts of SillyTavern's page that the harness touches. */
interface HostContext {
  characters: ListedCharacter[];
  characterId: string | number | undefined;
  chat: unknown[];
  eventSource: { on(event: string, listener: () => void): void };
  eventTypes: Record<string, string>;
  getRequestHeaders(): Record<string, string>;
  selectCharacterById(id: number): Promise<void>;
}
interface HostPage {
  SillyTavern?: { getContext(): HostContext };
}

const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const IMPORTED_EXTENSIONS = ['json', 'png', 'yaml', 'yml', 'charx', 'byaf'];
const MIME_TYPES: Record<string, string> = {
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

/** Tags would open one more question at each import; a test of that sets this back to 1 ("ask"). */
const TEST_SETTINGS = { power_user: { tag_import_setting: 2 } };

function chromiumPath(): string {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return named;
  for (const path of ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']) {
    if (existsSync(path)) return path;
  }
  return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

function mergeSettings(base: JsonObject, over: JsonObject | undefined): JsonObject {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over ?? {})) {
    const below = merged[key];
    const both = isObject(value) && isObject(below) && !Array.isArray(value) && !Array.isArray(below);
    merged[key] = both ? mergeSettings(below, value) : value;
  }
  return merged;
}

export async function openSillyTavern(options: OpenOptions = {}): Promise<Tavern> {
  const { dir, version } = await installSillyTavern(options.version);
  const lazy = options.lazyLoadCharacters ?? false;
  const seeded = options.seed && !options.dataRoot ? mkdtempSync(join(tmpdir(), 'loreferry-st-')) : undefined;
  const dataRoot = options.dataRoot ?? seeded;
  if (dataRoot) options.seed?.(join(dataRoot, 'default-user'));
  const started = await startSillyTavern({
    dir,
    dataRoot,
    extensionDir: (options.extension ?? true) ? repositoryRoot : undefined,
    config: mergeSettings({ performance: { lazyLoadCharacters: lazy } }, options.config),
    settings: mergeSettings(TEST_SETTINGS, options.settings),
    welcome: options.welcome ?? false,
  });
  const server = seeded ? { ...started, stop: () => started.stop({ remove: true }) } : started;
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS });
    const phone = options.phone ?? false;
    const context = await browser.newContext({
      viewport: {
        width: options.width ?? (phone ? 390 : 1280),
        height: options.height ?? (phone ? 844 : 900),
      },
      isMobile: phone,
      hasTouch: phone,
    });
    const tavern = new Tavern(version, server, browser, context, await context.newPage());
    await tavern.prepare(options.initScript);
    await tavern.open(options.welcome ?? false);
    return tavern;
  } catch (error) {
    await browser?.close();
    await server.stop();
    throw error;
  }
}

export class Tavern {
  /** Uncaught errors and `console.error` lines of the page since it was opened or `clearErrors`. */
  readonly errors: string[] = [];
  /** Calls of the page to the server, in the order of their answers. */
  readonly calls: Call[] = [];
  /** Hosts outside this machine that the page asked for; such requests are refused. */
  readonly outside: string[] = [];
  private readonly seenToasts: Toast[] = [];

  constructor(
    readonly version: string,
    readonly server: RunningSillyTavern,
    readonly browser: Browser,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
  }

  // --- the page -----------------------------------------------------------------------------------------------

  /** @internal */
  async prepare(initScript: OpenOptions['initScript']): Promise<void> {
    const { page, context, server } = this;
    const home = new URL(server.address).host;
    await context.route(
      (url) => url.protocol.startsWith('http') && url.host !== home,
      (route) => {
        this.outside.push(new URL(route.request().url()).host);
        return route.abort();
      },
    );
    page.on('pageerror', (error) => this.errors.push(`uncaught: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(`${message.text()} (${message.location().url})`);
    });
    page.on('response', (response) => {
      const url = new URL(response.url());
      if (url.host !== home) return;
      this.calls.push({ method: response.request().method(), path: url.pathname, status: response.status() });
    });
    await context.exposeFunction('harnessToast', (toast: Toast) => this.seenToasts.push(toast));
    await context.addInitScript(watchToasts);
    if (initScript) await context.addInitScript(initScript);
  }

  /** @internal */
  async open(welcome: boolean): Promise<void> {
    await this.page.goto(this.server.address);
    if (welcome) await this.page.locator('dialog.popup[open] .popup-button-ok').click({ timeout: 60_000 });
    await this.ready();
  }

  /** SillyTavern says itself when it is ready, also to those who ask late. */
  private async ready(): Promise<void> {
    await this.page.waitForFunction(
      () => {
        const started = (globalThis as unknown as HostPage).SillyTavern !== undefined;
        return started && document.getElementById('preloader') === null;
      },
      undefined,
      { timeout: 60_000 },
    );
    await this.page.evaluate(
      () =>
        new Promise<void>((done, fail) => {
          const context = (globalThis as unknown as HostPage).SillyTavern?.getContext();
          const event = context?.eventTypes['APP_READY'];
          if (!context || !event) return fail(new Error('this SillyTavern has no APP_READY event'));
          // Who subscribes while the event is on its way is told neither then nor as a late comer: ask again.
          const ask = () => context.eventSource.on(event, ready);
          const again = setInterval(ask, 500);
          const ready = () => {
            clearInterval(again);
            done();
          };
          ask();
        }),
    );
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** A picture for people to look at, in test/e2e/shots (not committed). Returns its path. */
  async screenshot(
    name: string,
    options: { width?: number; height?: number; selector?: string } = {},
  ): Promise<string> {
    const { page } = this;
    const path = join(shotsFolder, `${name}.png`);
    mkdirSync(shotsFolder, { recursive: true });
    const usual = page.viewportSize();
    if (usual && (options.width || options.height)) {
      await page.setViewportSize({
        width: options.width ?? usual.width,
        height: options.height ?? usual.height,
      });
      await page.waitForTimeout(400);
    }
    if (options.selector) await page.locator(options.selector).first().screenshot({ path });
    else await page.screenshot({ path });
    if (usual) await page.setViewportSize(usual);
    return path;
  }

  clearErrors(): void {
    this.errors.length = 0;
  }

  /** Every toast shown since the start or `clearToasts`, oldest first. */
  async toasts(): Promise<Toast[]> {
    await this.page.evaluate(() => undefined); // what the page has already reported arrives before this returns
    return [...this.seenToasts];
  }

  clearToasts(): void {
    this.seenToasts.length = 0;
  }

  /** The texts of the open dialogs, the topmost last. */
  async popups(): Promise<string[]> {
    return this.page.locator('dialog.popup[open]').allInnerTexts();
  }

  /** Presses a button of the topmost dialog and waits until that dialog is gone. */
  async answerPopup(button: string | RegExp): Promise<void> {
    const count = await this.page.locator('dialog.popup[open]').count();
    const dialog = this.page.locator('dialog.popup[open]').last();
    await dialog.locator('.menu_button, button').filter({ hasText: button }).first().click();
    await this.page.waitForFunction(
      (before) => document.querySelectorAll('dialog.popup[open]').length < before,
      Math.max(count, 1),
    );
  }

  /** Waits for a dialog whose text matches, and returns that text. */
  async waitForPopup(text: string | RegExp, timeout = 15_000): Promise<string> {
    const dialog = this.page.locator('dialog.popup[open]').filter({ hasText: text }).last();
    await dialog.waitFor({ timeout });
    const [shown] = await dialog.allInnerTexts();
    return shown ?? '';
  }

  // --- characters ---------------------------------------------------------------------------------------------

  /** Imports through the file picker and waits until SillyTavern is through with all of them. */
  async importCards(paths: string[], { timeout = 60_000 } = {}): Promise<ImportReply[]> {
    const replies = this.collectImports();
    try {
      await this.page.setInputFiles('#character_import_file', paths);
      // SillyTavern empties the input when the last file is done.
      await this.page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('#character_import_file')?.files?.length === 0,
        undefined,
        { timeout },
      );
      return await replies.all();
    } finally {
      replies.end();
    }
  }

  /**
   * Drops files onto the page and waits for the answers to those that SillyTavern sends to its server (by their
   * names; `expected` says how many when that guess is wrong) and for the list to be read anew.
   */
  async dropFiles(
    paths: string[],
    { expected, timeout = 60_000 }: { expected?: number; timeout?: number } = {},
  ) {
    const files = paths.map((path) => ({
      name: basename(path),
      type: MIME_TYPES[extname(path).toLowerCase()] ?? '',
      base64: readFileSync(path).toString('base64'),
    }));
    const accepted = files.filter(({ name, type }) => {
      const extension = extname(name).slice(1).toLowerCase();
      const passes = ['charx', 'byaf'].includes(extension) || (type !== '' && !type.includes('jpeg'));
      return passes && IMPORTED_EXTENSIONS.includes(extension);
    });
    const wanted = expected ?? accepted.length;
    const replies = this.collectImports();
    const listsBefore = this.countCalls('/api/characters/all');
    try {
      await this.page.evaluate((dropped) => {
        const transfer = new DataTransfer();
        for (const { name, type, base64 } of dropped) {
          const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
          transfer.items.add(new File([bytes], name, { type }));
        }
        document.body.dispatchEvent(
          new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
        );
      }, files);
      await this.until(() => replies.count() >= wanted, timeout, `${wanted} import answers`);
      const done = await replies.all();
      if (done.some(({ avatar }) => avatar)) {
        await this.until(() => this.countCalls('/api/characters/all') > listsBefore, timeout, 'the list');
      }
      return done;
    } finally {
      replies.end();
    }
  }

  /** Opens a character (and the panel with its form) by its avatar file or, when only one has it, by its name. */
  async openCharacter(which: string): Promise<string> {
    await this.openPanel(); // before SillyTavern can lay a question over the page
    for (let attempt = 1; ; attempt++) {
      const avatar = await this.select(which);
      try {
        await this.untilOpen(avatar);
        return avatar;
      } catch (error) {
        // SillyTavern opens none while it saves a chat (1.19, selectCharacterById).
        if (attempt === 3) throw error;
      }
    }
  }

  private select(which: string): Promise<string> {
    return this.page.evaluate((wanted) => {
      const context = (globalThis as unknown as HostPage).SillyTavern?.getContext();
      if (!context) throw new Error('no SillyTavern in this page');
      const byAvatar = context.characters.findIndex((character) => character.avatar === wanted);
      const named = context.characters.filter((character) => character.name === wanted);
      if (byAvatar < 0 && named.length > 1)
        throw new Error(`${named.length} characters are called ${wanted}`);
      const index = byAvatar >= 0 ? byAvatar : context.characters.findIndex(({ name }) => name === wanted);
      const found = context.characters[index];
      if (!found)
        throw new Error(`no character ${wanted} among ${context.characters.map((c) => c.avatar).join(', ')}`);
      void context.selectCharacterById(index); // not awaited: a question of SillyTavern's may hold it up
      return found.avatar;
    }, which);
  }

  private async untilOpen(avatar: string): Promise<void> {
    await this.page.waitForFunction(
      (wanted) => {
        const context = (globalThis as unknown as HostPage).SillyTavern?.getContext();
        const open = context?.characters[Number(context.characterId)];
        const form = document.querySelector<HTMLInputElement>('#avatar_url_pole');
        return (
          open?.avatar === wanted && form?.value === wanted && document.querySelector('#chat .mes') !== null
        );
      },
      avatar,
      { timeout: 20_000 },
    );
  }

  /** Opens the character panel on the right if it is closed. */
  async openPanel(): Promise<void> {
    const panel = this.page.locator('#right-nav-panel');
    if (((await panel.getAttribute('class')) ?? '').includes('closedDrawer')) {
      await this.page.locator('#rightNavDrawerIcon').click();
    }
    await this.page.locator('#right-nav-panel.openDrawer').waitFor({ timeout: 10_000 });
  }

  /** Chooses an item of the open character's "More..." menu by its id, as a person would. */
  async chooseFromMoreMenu(itemId: string): Promise<void> {
    await this.page.evaluate((id) => {
      const menu = document.querySelector<HTMLSelectElement>('#char-management-dropdown');
      const item = menu ? [...menu.options].findIndex((option) => option.id === id) : -1;
      if (!menu || item < 0) throw new Error(`no item ${id} in the "More..." menu`);
      menu.selectedIndex = item;
      menu.dispatchEvent(new Event('change', { bubbles: true }));
    }, itemId);
  }

  /** Replace / Update of the open character with a file, through SillyTavern's own menu and question. */
  async replaceCharacter(path: string, { timeout = 60_000 } = {}): Promise<ImportReply> {
    const replies = this.collectImports();
    const chatsBefore = this.countCalls('/api/chats/get');
    try {
      await this.chooseFromMoreMenu('replace_update');
      const chooser = this.page.waitForEvent('filechooser', { timeout: 15_000 });
      const button = this.page
        .locator('dialog.popup[open]')
        .last()
        .getByText('Replace with File', { exact: true });
      await button.click();
      await (await chooser).setFiles(path);
      await this.until(() => replies.count() > 0, timeout, 'the import answer');
      const [reply] = await replies.all();
      if (!reply) throw new Error('the replacement was never sent');
      // SillyTavern opens the chat again afterwards.
      await this.until(
        () => this.countCalls('/api/chats/get') > chatsBefore,
        timeout,
        'the chat to open again',
      );
      return reply;
    } finally {
      replies.end();
    }
  }

  async characters(): Promise<ListedCharacter[]> {
    const listed = await this.post('/api/characters/all', {});
    if (!Array.isArray(listed)) throw new Error('the server listed no characters');
    return listed
      .filter(isObject)
      .map(({ avatar, name }) => ({ avatar: String(avatar), name: String(name) }));
  }

  /** The card as it is stored on disk (ccv3 wins, as for SillyTavern). */
  cardOf(avatar: string): Card {
    return readCardFromPng(readFileSync(join(this.server.userDir, 'characters', avatar))) as Card;
  }

  // --- worlds -------------------------------------------------------------------------------------------------

  /** All worlds as the server lists and reads them. */
  async worlds(): Promise<World[]> {
    const listed = await this.post('/api/worldinfo/list', {});
    if (!Array.isArray(listed)) throw new Error('the server listed no worlds');
    const worlds: World[] = [];
    for (const item of listed.filter(isObject)) {
      const fileId = String(item['file_id']);
      const data = (await this.post('/api/worldinfo/get', { name: fileId })) as WorldFile;
      const extensions = isObject(item['extensions']) ? item['extensions'] : {};
      worlds.push({ fileId, name: String(item['name']), extensions, data });
    }
    return worlds;
  }

  /** The world file itself, or undefined when there is none of that name. */
  worldFile(name: string): WorldFile | undefined {
    const path = join(this.server.userDir, 'worlds', `${name}.json`);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as WorldFile) : undefined;
  }

  /** The names of the world files on disk, without `.json`. */
  worldNames(): string[] {
    const names = readdirSync(join(this.server.userDir, 'worlds')).filter((name) => name.endsWith('.json'));
    return names.map((name) => name.slice(0, -'.json'.length)).sort();
  }

  /** Writes a world through the server, as SillyTavern's editor does. */
  async putWorld(name: string, data: JsonObject): Promise<void> {
    await this.post('/api/worldinfo/edit', { name, data });
  }

  /** SillyTavern's settings.json on disk. */
  settings(): JsonObject {
    return JSON.parse(readFileSync(join(this.server.userDir, 'settings.json'), 'utf8')) as JsonObject;
  }

  // --- the server ---------------------------------------------------------------------------------------------

  /** POSTs JSON from inside the page, with SillyTavern's own headers. Fails on any status but 2xx. */
  async post(path: string, body: unknown): Promise<unknown> {
    return this.page.evaluate(
      async ([url, payload]) => {
        const context = (globalThis as unknown as HostPage).SillyTavern?.getContext();
        const headers = context?.getRequestHeaders() ?? {};
        const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(payload) });
        const text = await reply.text();
        if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text.slice(0, 200)}`);
        try {
          return JSON.parse(text) as unknown;
        } catch {
          return text as unknown;
        }
      },
      [path, body] as const,
    );
  }

  /**
   * The next calls whose path contains `path` fail: with a status, or with no answer at all for `'abort'`. Returns a
   * function that lifts the failure early and tells how many calls it has met.
   */
  async failNext(
    path: string,
    status: number | 'abort' = 500,
    { times = 1, body = '' } = {},
  ): Promise<() => Promise<number>> {
    let met = 0;
    const matches = (url: URL) => url.pathname.includes(path);
    const handler: Parameters<Page['route']>[1] = async (route) => {
      if (met >= times) return route.fallback();
      met++;
      await (status === 'abort' ? route.abort() : route.fulfill({ status, body }));
    };
    await this.page.route(matches, handler);
    return async () => {
      await this.page.unroute(matches, handler);
      return met;
    };
  }

  /** How many calls to this exact path have been answered so far. */
  countCalls(path: string): number {
    return this.calls.filter((call) => call.path === path).length;
  }

  private collectImports() {
    const responses: Response[] = [];
    const listener = (response: Response) => {
      if (new URL(response.url()).pathname === '/api/characters/import') responses.push(response);
    };
    this.page.on('response', listener);
    return {
      count: () => responses.length,
      all: () => Promise.all(responses.map(readImportReply)),
      end: () => this.page.off('response', listener),
    };
  }

  private async until(condition: () => boolean, timeout: number, what: string): Promise<void> {
    const deadline = Date.now() + timeout;
    while (!condition()) {
      if (Date.now() > deadline) throw new Error(`waited ${timeout} ms in vain for ${what}`);
      await this.page.waitForTimeout(50);
    }
  }
}

async function readImportReply(response: Response): Promise<ImportReply> {
  const text = await response.text().catch(() => '');
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // an error page
  }
  const stored = isObject(body) ? body['file_name'] : undefined;
  return {
    status: response.status(),
    avatar: typeof stored === 'string' ? `${stored}.png` : undefined,
    body,
  };
}

/** Runs in the page: toasts vanish by themselves, so each is reported when it appears. */
function watchToasts(): void {
  const report = (element: Element) => {
    const kinds = ['success', 'info', 'warning', 'error'] as const;
    const kind = kinds.find((name) => element.classList.contains(`toast-${name}`)) ?? 'other';
    const title = element.querySelector('.toast-title')?.textContent ?? '';
    const message = element.querySelector('.toast-message')?.textContent ?? '';
    (globalThis as unknown as { harnessToast(toast: Toast): void }).harnessToast({ kind, title, message });
  };
  new MutationObserver((changes) => {
    for (const change of changes) {
      for (const node of change.addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches('.toast')) report(node);
        else if (node.id === 'toast-container') node.querySelectorAll('.toast').forEach(report);
      }
    }
  }).observe(document, { childList: true, subtree: true });
}
