// Pages that are not as we would like them: shallow lists, other extensions around `fetch`, plain http on a phone,
// and ourselves switched off.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardFolder, cardWithBook, fileNamed, jsonCard, pngCard } from './card-files.ts';
import { openSillyTavern, type Tavern } from './harness.ts';
import {
  afterBatch,
  bookEntriesOf,
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  noticeTitles,
  openImportDialog,
  pressInNotice,
  recentChanges,
  shownLink,
  summary,
  tidy,
  typeDescription,
} from './our-page.ts';

const folder = cardFolder();
const bookCard = (name: string) =>
  pngCard(folder, name, cardWithBook(name, `${name} Book`, [`${name} one.`, `${name} two.`]));

interface SpiedPage {
  /** What an extension that came before ours, and one that came after it, saw pass. */
  before: string[];
  after: string[];
}

/** An extension that was there first: it stands below our wrapper. */
function wrapFetchBefore(): void {
  const page = globalThis as unknown as SpiedPage;
  page.before = [];
  const below = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    page.before.push(input instanceof Request ? input.url : String(input));
    return below(input, init);
  };
}

describe('shallow lists, and other extensions around fetch', () => {
  let tavern: Tavern;
  beforeAll(async () => {
    tavern = await openSillyTavern({ lazyLoadCharacters: true, initScript: wrapFetchBefore });
  });
  afterAll(() => tavern?.close());
  afterEach(() => tidy(tavern));

  const seen = (which: keyof SpiedPage, path: string): Promise<number> =>
    tavern.page.evaluate(
      ([list, wanted]) =>
        (globalThis as unknown as SpiedPage)[list].filter((url) => url.includes(wanted)).length,
      [which, path] as const,
    );

  it('the file picker works with `lazyLoadCharacters`', async () => {
    expect(await tavern.post('/api/characters/all', {})).toMatchObject([{ shallow: true }]);
    await tavern.importCards([bookCard('Lazy A'), bookCard('Lazy B')]);
    expect((await summary(tavern)).counts).toMatchObject({ Extracted: 2, 'Not done': 0 });
    await tavern.answerPopup('Done');
    expect(linkOf(tavern, 'Lazy A.png')).toBe('Lazy A Book');
    expect(entriesOf(tavern, 'Lazy B Book')).toHaveLength(2);
    await tavern.openCharacter('Lazy A.png');
    await tavern.page.waitForTimeout(500);
    expect(await tavern.popups()).toEqual([]);
    expect(await shownLink(tavern)).toEqual({ globe: true, world: 'Lazy A Book' });
    expectNoErrors(tavern);
  });

  it('and so does “Extract lorebook”, also through an autosave', async () => {
    await tavern.importCards([bookCard('Lazy C')]);
    await pressInNotice(tavern, 'Lorebook extracted', 'Undo');
    await notice(tavern, 'Undone');
    await tavern.openCharacter('Lazy C.png');
    await tavern.chooseFromMoreMenu('lf-extract-lorebook');
    await notice(tavern, 'Lorebook extracted');
    await typeDescription(tavern, 'Lazy C.png', ' Awake.');
    expect(linkOf(tavern, 'Lazy C.png')).toBe('Lazy C Book');
    expectNoErrors(tavern);
  });

  it('an extension that wrapped fetch before us sees everything once', async () => {
    const [imports, edits] = [
      await seen('before', '/api/characters/import'),
      await seen('before', '/api/worldinfo/edit'),
    ];
    const sent = tavern.countCalls('/api/characters/import');
    await tavern.importCards([bookCard('Below')]);
    await notice(tavern, 'Lorebook extracted');
    expect((await seen('before', '/api/characters/import')) - imports).toBe(1);
    expect((await seen('before', '/api/worldinfo/edit')) - edits).toBe(1);
    expect(tavern.countCalls('/api/characters/import') - sent).toBe(1);
    expectNoErrors(tavern);
  });

  it('one that wraps it after us, and hands on a Request, disturbs nothing and is not called twice', async () => {
    await tavern.page.evaluate(() => {
      const page = globalThis as unknown as SpiedPage;
      page.after = [];
      const ours = globalThis.fetch;
      globalThis.fetch = (input, init) => {
        const request = new Request(input, init);
        page.after.push(request.url);
        return ours(request);
      };
    });
    const sent = tavern.countCalls('/api/characters/import');
    const [reply] = await tavern.importCards([bookCard('Above')]);
    expect(reply?.avatar).toBe('Above.png');
    expect(await notice(tavern, 'Lorebook extracted')).toEqual(['“Above Book”: 2 entries, linked to Above.']);
    expect(await seen('after', '/api/characters/import')).toBe(1);
    // Our own requests go below our wrapper: another extension would take them for the user's.
    expect(await seen('after', '/api/worldinfo/edit')).toBe(0);
    expect(tavern.countCalls('/api/characters/import') - sent).toBe(1);
    expect(tavern.worldNames().filter((name) => name.startsWith('Above'))).toEqual(['Above Book']);
    expectNoErrors(tavern);
  });

  it('switched off, SillyTavern’s import is its own, and nothing of ours is left in the page', async () => {
    await callHook(tavern, 'onDisable');
    for (const id of ['lf-import-button', 'lf-extract-lorebook', 'lf-settings']) {
      expect(await tavern.page.locator(`#${id}`).count()).toBe(0);
    }
    const before = tavern.worldNames();
    await tavern.importCards([bookCard('Off')]);
    await afterBatch(tavern);
    expect(await noticeTitles(tavern)).toEqual([]);
    expect(tavern.worldNames()).toEqual(before);
    expect(linkOf(tavern, 'Off.png') || '').toBe('');
    expect(bookEntriesOf(tavern, 'Off.png')).toHaveLength(2);
    await tavern.openCharacter('Off.png');
    await tavern.waitForPopup(/embedded World\/Lorebook/);
    await tavern.answerPopup('No');
    expectNoErrors(tavern);
  });

  it('and switched on again it works as before, once', async () => {
    await callHook(tavern, 'onEnable');
    await tavern.page.locator('#lf-settings').waitFor({ state: 'attached' });
    expect(await tavern.page.locator('#lf-import-button').count()).toBe(1);
    const sent = tavern.countCalls('/api/characters/import');
    await tavern.importCards([bookCard('On')]);
    await notice(tavern, 'Lorebook extracted');
    expect(tavern.countCalls('/api/characters/import') - sent).toBe(1);
    expect(linkOf(tavern, 'On.png')).toBe('On Book');
    expect(await tavern.page.locator('.lf-toast').count()).toBe(1);
    expectNoErrors(tavern);
  });
});

/** Calls a hook of our manifest as SillyTavern does: out of the module that it has loaded. */
async function callHook(tavern: Tavern, name: string): Promise<void> {
  // As text: the test runner would rewrite an import in a function.
  const module = '/scripts/extensions/third-party/Loreferry/dist/index.js';
  await tavern.page.evaluate(`import('${module}').then((module) => module.${name}())`);
}

/** What a page over plain http does not have; gone before anything loads. */
function leaveSecureContext(): void {
  const take = (from: object, key: string) => {
    delete (from as Record<string, unknown>)[key];
    if (key in from) Object.defineProperty(from, key, { value: undefined, configurable: true });
  };
  take(Crypto.prototype, 'subtle');
  take(Crypto.prototype, 'randomUUID');
  take(Navigator.prototype, 'clipboard');
  take(Navigator.prototype, 'locks');
  Object.defineProperty(globalThis, 'isSecureContext', { value: false });
}

describe('plain http', () => {
  let tavern: Tavern;
  beforeAll(async () => {
    tavern = await openSillyTavern({ initScript: leaveSecureContext });
  });
  afterAll(() => tavern?.close());
  afterEach(() => tidy(tavern));

  it('the page really lacks what a secure one has', async () => {
    const there = await tavern.page.evaluate(() => ({
      subtle: crypto.subtle !== undefined,
      uuid: typeof crypto.randomUUID,
      clipboard: navigator.clipboard !== undefined,
      locks: navigator.locks !== undefined,
    }));
    expect(there).toEqual({ subtle: false, uuid: 'undefined', clipboard: false, locks: false });
  });

  it('imports, extracts and undoes all the same', async () => {
    await tavern.importCards([bookCard('Plain A')]);
    await notice(tavern, 'Lorebook extracted');
    expect(linkOf(tavern, 'Plain A.png')).toBe('Plain A Book');
    expect(await recentChanges(tavern)).toEqual([{ title: 'Plain A: Extracted', buttons: ['Undo'] }]);
    await pressInNotice(tavern, 'Lorebook extracted', 'Undo');
    await notice(tavern, 'Undone');
    expect(tavern.worldNames()).not.toContain('Plain A Book');
    expectNoErrors(tavern);
  });

  it('and so does “Import from another app...”', async () => {
    const files = [
      fileNamed(folder, 'b.lorecard', JSON.stringify(cardWithBook('Plain B', 'Plain B Book', ['B.']))),
      jsonCard(folder, 'plain-c', cardWithBook('Plain C', 'Plain C Book', ['C.'])),
    ];
    const box = await openImportDialog(tavern);
    await box.locator('input[type=file]').setInputFiles(files);
    expect((await summary(tavern)).counts).toMatchObject({ Extracted: 2 });
    await tavern.answerPopup('Done');
    expect(linkOf(tavern, 'Plain B.png')).toBe('Plain B Book');
    expectNoErrors(tavern);
  });
});
