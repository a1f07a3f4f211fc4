// The least that must work on every SillyTavern that we name as served; run on the oldest too (SILLYTAVERN_VERSION).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardFolder, cardWithBook, caseOf, jsonCard, pngCard } from './card-files.ts';
import { openSillyTavern, type Tavern } from './harness.ts';
import {
  changedBook,
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  offeredWorlds,
  pressInNotice,
  recentChanges,
  shownLink,
  summary,
  tidy,
  typeDescription,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();

beforeAll(async () => {
  tavern = await openSillyTavern();
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const contentsOf = (world: string) => entriesOf(tavern, world).map(({ content }) => content);

describe('on this SillyTavern', () => {
  it('which is the version that was asked for', async () => {
    const { pkgVersion } = await tavern.page.evaluate(
      async () => (await (await fetch('/version')).json()) as { pkgVersion: string },
    );
    expect(pkgVersion).toBe(tavern.version);
    const asked = process.env['SILLYTAVERN_VERSION'];
    if (asked) expect(pkgVersion).toBe(asked);
  });

  it('the file picker extracts, links and tells, and nothing of SillyTavern’s asks again', async () => {
    await tavern.importCards([
      pngCard(folder, 'Smoke', cardWithBook('Smoke', 'Smoke Book', ['One.', 'Two.'])),
    ]);
    expect(await notice(tavern, 'Lorebook extracted')).toEqual(['“Smoke Book”: 2 entries, linked to Smoke.']);
    expect(linkOf(tavern, 'Smoke.png')).toBe('Smoke Book');
    expect(contentsOf('Smoke Book')).toEqual(['One.', 'Two.']);
    expect(await offeredWorlds(tavern)).toContain('Smoke Book');
    await tavern.openCharacter('Smoke.png');
    await tavern.page.waitForTimeout(500);
    expect(await tavern.popups()).toEqual([]);
    expect(await shownLink(tavern)).toEqual({ globe: true, world: 'Smoke Book' });
    expectNoErrors(tavern);
  });

  it('several files: one summary, also for a flat V1 book and one in extensions', async () => {
    await tavern.importCards([
      jsonCard(folder, 'v1', caseOf('peers/05-v1-flat')),
      jsonCard(folder, 'v2', caseOf('peers/04-v2-extensions-slot')),
      jsonCard(folder, 'none', caseOf('46-character-book-null')),
    ]);
    const shown = await summary(tavern);
    expect(shown.counts).toEqual({ 'Not done': 0, Extracted: 2, Linked: 0, 'No lorebook': 1 });
    await tavern.answerPopup('Done');
    expect(linkOf(tavern, 'V1flat.png')).toBe('v1flat book');
    expect(linkOf(tavern, 'V2ext.png')).toBe('v2ext book');
    expect(contentsOf('v2ext book')).toEqual(['MARK:v2ext-1', 'MARK:v2ext-2']);
    expectNoErrors(tavern);
  });

  it('Replace / Update: the link stays, a changed book is asked about', async () => {
    await tavern.openCharacter('Smoke.png');
    const saves = tavern.countCalls('/api/characters/edit');
    const next = cardWithBook('Smoke', 'Smoke Book', ['One.', 'Two.', 'Three.'], { character_version: '2' });
    const before = readFileSync(join(tavern.server.userDir, 'worlds', 'Smoke Book.json'), 'utf8');
    await tavern.replaceCharacter(jsonCard(folder, 'smoke-2', next));
    expect((await changedBook(tavern)).counts).toEqual({ Added: 1, Changed: 0, Missing: 0 });
    await expect.poll(() => tavern.countCalls('/api/characters/edit')).toBeGreaterThan(saves);
    expect(linkOf(tavern, 'Smoke.png')).toBe('Smoke Book');
    expect(readFileSync(join(tavern.server.userDir, 'worlds', 'Smoke Book.json'), 'utf8')).toBe(before);
    await tavern.answerPopup(/^Replace$/);
    await notice(tavern, 'Replaced');
    expect(contentsOf('Smoke Book')).toEqual(['One.', 'Two.', 'Three.']);
    expect(linkOf(tavern, 'Smoke.png')).toBe('Smoke Book');
    expectNoErrors(tavern);
  });

  it('Extract from the menu of the open character, typing, autosave, reload', async () => {
    await tavern.importCards([jsonCard(folder, 'Menu', cardWithBook('Menu', 'Menu Book', ['Un.', 'Deux.']))]);
    await pressInNotice(tavern, 'Lorebook extracted', 'Undo');
    await notice(tavern, 'Undone');
    await tavern.openCharacter('Menu.png');
    await tavern.chooseFromMoreMenu('lf-extract-lorebook');
    await notice(tavern, 'Lorebook extracted');
    await typeDescription(tavern, 'Menu.png', ' Typed.');
    expect(linkOf(tavern, 'Menu.png')).toBe('Menu Book');
    await tavern.reload();
    await tavern.openCharacter('Menu.png');
    expect(await shownLink(tavern)).toEqual({ globe: true, world: 'Menu Book' });
    expectNoErrors(tavern);
  });

  it('undo out of “Recent changes”, after that reload', async () => {
    const [newest] = await recentChanges(tavern);
    expect(newest).toEqual({ title: 'Menu: Extracted', buttons: ['Undo'] });
    await tavern.page.locator('#lf-settings .lf-row').first().getByRole('button', { name: 'Undo' }).click();
    await notice(tavern, 'Undone');
    expect(tavern.worldNames()).not.toContain('Menu Book');
    expect(linkOf(tavern, 'Menu.png') || '').toBe('');
    expectNoErrors(tavern);
  });

  it('a server that refuses: told, not linked, and tried again', async () => {
    await tavern.failNext('/api/worldinfo/edit', 500);
    await tavern.importCards([
      jsonCard(folder, 'Fail', cardWithBook('Fail', 'Fail Book', ['F one.', 'F two.'])),
    ]);
    await notice(tavern, 'Card imported, lorebook not');
    expect(linkOf(tavern, 'Fail.png') || '').toBe('');
    await pressInNotice(tavern, 'Card imported, lorebook not', 'Try again');
    await notice(tavern, 'Lorebook extracted');
    expect(linkOf(tavern, 'Fail.png')).toBe('Fail Book');
    expectNoErrors(tavern, /status of 500/);
  });
});
