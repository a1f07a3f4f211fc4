// Our notices, dialogs and settings as people meet them: by keyboard, on a phone, in dark and in light. The pictures
// are in test/e2e/shots.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardFolder, cardWithBook, caseOf, jsonCard, pngCard, scenarioOf } from './card-files.ts';
import { openSillyTavern, type Tavern, type WorldFile } from './harness.ts';
import { lookAt } from './look.ts';
import {
  changedBook,
  choosePolicy,
  clearNotices,
  dialogBox,
  expectNoErrors,
  linkOf,
  notice,
  noticeBox,
  openImportDialog,
  openSettingsBlock,
  recentChanges,
  summary,
  tidy,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();
const POPUP = 'dialog.popup[open]';

beforeAll(async () => {
  tavern = await openSillyTavern({ width: 1400, height: 900 });
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const card = (name: string, contents = [`${name} one.`, `${name} two.`]) =>
  pngCard(folder, name, cardWithBook(name, `${name} Book`, contents));
const press = (key: string) => tavern.page.keyboard.press(key);
const focused = () => tavern.page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');

/** SillyTavern's own notices would stand beside ours in the pictures. */
const onlyOurNotices = () =>
  tavern.page.locator('.toast:not(.lf-toast)').evaluateAll((all) => {
    for (const each of all) each.remove();
  });

describe('notices', () => {
  it('of a success, looked at', async () => {
    await tavern.importCards([jsonCard(folder, 'S1', caseOf('S1-duplicate-and-null-ids'))]);
    await notice(tavern, 'Lorebook extracted');
    await onlyOurNotices();
    await noticeBox(tavern, 'Lorebook extracted').hover(); // it stays while it is looked at
    await lookAt(tavern, 'toast-success', '.lf-toast');
    expectNoErrors(tavern);
  });

  it('of a failure, looked at', async () => {
    await tavern.failNext('/api/worldinfo/edit', 500);
    await tavern.importCards([card('Failing')]);
    await notice(tavern, 'Card imported, lorebook not');
    await onlyOurNotices();
    await lookAt(tavern, 'toast-failure', '.lf-toast');
    expectNoErrors(tavern, /status of 500/);
  });

  it('a button pressed by Enter or Space does its work once', async () => {
    for (const key of ['Enter', ' ']) {
      await tavern.importCards([card(key === ' ' ? 'By Space' : 'By Enter')]);
      await notice(tavern, 'Lorebook extracted');
      const deletions = tavern.countCalls('/api/worldinfo/delete');
      await noticeBox(tavern, 'Lorebook extracted').getByRole('button', { name: 'Undo' }).focus();
      await press(key);
      await notice(tavern, 'Undone');
      await tavern.page.waitForTimeout(400);
      expect(tavern.countCalls('/api/worldinfo/delete') - deletions).toBe(1);
      expect(await tavern.page.locator('.lf-toast').filter({ hasText: /ndone/ }).count()).toBe(1);
      await clearNotices(tavern);
    }
    expectNoErrors(tavern);
  });
});

describe('the summary', () => {
  const mixed = async () => {
    const { cards } = scenarioOf('72-bulk-mixed-cards');
    await tavern.importCards([
      ...cards.map((each, index) => jsonCard(folder, `mixed-${index}`, each)),
      jsonCard(folder, 'mixed-v1', caseOf('peers/05-v1-flat')),
      jsonCard(folder, 'mixed-v2', caseOf('peers/12-v2-both-slots')),
      card('A character with quite a long name for its row', ['Long one.', 'Long two.']),
    ]);
    await summary(tavern);
  };

  it('looked at, with more cards than fit', async () => {
    await tavern.failNext('/api/worldinfo/edit', 500);
    await mixed();
    // SillyTavern's notice of each card does not stand over what is said of all of them.
    expect(await tavern.page.locator('.toast:visible').count()).toBe(0);
    await lookAt(tavern, 'summary', POPUP);
    // What is to be said of additional books comes when the summary is gone.
    await tavern.answerPopup('Done');
    await notice(tavern, 'About additional lorebooks');
    expectNoErrors(tavern, /status of 500/);
  });

  it('has the focus on Done; Enter closes it and does nothing else', async () => {
    await tavern.importCards([card('Sum A'), card('Sum B')]);
    await summary(tavern);
    expect(await focused()).toBe('Done');
    const worlds = tavern.worldNames();
    await press('Enter');
    await expect.poll(() => tavern.popups()).toEqual([]);
    await tavern.page.waitForTimeout(500);
    expect(tavern.worldNames()).toEqual(worlds);
    expectNoErrors(tavern);
  });

  it('undoes once by keyboard, and is closed by Escape', async () => {
    await tavern.importCards([card('Sum C'), card('Sum D')]);
    await summary(tavern);
    await press('Escape');
    await expect.poll(() => tavern.popups()).toEqual([]);
    await tavern.importCards([card('Sum E'), card('Sum F')]);
    await summary(tavern);
    const deletions = tavern.countCalls('/api/worldinfo/delete');
    await dialogBox(tavern, /cards imported/)
      .getByRole('button', { name: 'Undo all 2' })
      .focus();
    await press('Enter');
    await notice(tavern, 'Undone');
    expect(tavern.countCalls('/api/worldinfo/delete') - deletions).toBe(2);
    expectNoErrors(tavern);
  });
});

describe('“This card brings a changed book”', () => {
  it('with edits: looked at, tabbed through in the order in which it stands, answered once', async () => {
    const v1 = ['Zero.', 'One.', 'Two.', 'Three.', 'Four.'];
    await tavern.importCards([card('Changer', v1)]);
    await notice(tavern, 'Lorebook extracted');
    const file = tavern.worldFile('Changer Book') as WorldFile;
    const entries = { ...file.entries, '1': { ...file.entries['1'], content: 'One, mine.' } };
    await tavern.putWorld('Changer Book', { ...file, entries });
    await tavern.openCharacter('Changer.png');
    const next = ['Zero, new.', 'One, theirs.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.'];
    await tavern.replaceCharacter(
      jsonCard(
        folder,
        'changer-2',
        cardWithBook('Changer', 'Changer Book', next, { character_version: '2' }),
      ),
    );
    await changedBook(tavern);
    await clearNotices(tavern);
    await lookAt(tavern, 'changed-edited', POPUP);

    const order: string[] = [];
    for (let step = 0; step < 4; step++) {
      await press('Tab');
      order.push(await focused());
    }
    expect(order).toEqual(['Replace', 'Keep my book', 'Save beside', 'Take new, keep my edits']);
    const writes = tavern.countCalls('/api/worldinfo/edit');
    await press('Shift+Tab');
    expect(await focused()).toBe('Save beside');
    await press('Enter');
    await notice(tavern, 'Saved beside');
    await tavern.page.waitForTimeout(400);
    expect(tavern.countCalls('/api/worldinfo/edit') - writes).toBe(1);
    expect(linkOf(tavern, 'Changer.png')).toBe('Changer Book');
    expectNoErrors(tavern);
  });
});

describe('“Ask me”', () => {
  it('looked at; the ticks work by keyboard, Enter extracts once', async () => {
    await choosePolicy(tavern, 'ask');
    await tavern.importCards([
      card('Asked A'),
      jsonCard(folder, 'asked-both', caseOf('peers/12-v2-both-slots')),
      card('Asked C, who has a name that is longer than most'),
    ]);
    const box = dialogBox(tavern, 'These cards bring lorebooks');
    await box.waitFor();
    await clearNotices(tavern);
    await lookAt(tavern, 'ask', POPUP);
    expect(await focused()).toBe('Extract');
    await box.locator('input[type=checkbox]').first().focus();
    await press(' ');
    const writes = tavern.countCalls('/api/worldinfo/edit');
    await box.locator('.popup-button-ok').focus();
    await press('Enter');
    await summary(tavern);
    expect(tavern.worldNames()).not.toContain('Asked A Book');
    expect(tavern.countCalls('/api/worldinfo/edit') - writes).toBeLessThanOrEqual(3);
    await choosePolicyAfter('extract');
    expectNoErrors(tavern);
  });

  async function choosePolicyAfter(policy: 'extract'): Promise<void> {
    await tavern.answerPopup('Done');
    await choosePolicy(tavern, policy);
  }
});

describe('“Import from another app...”', () => {
  it('is opened by keyboard once, looked at, and closed by Escape', async () => {
    await tavern.openPanel();
    const list = tavern.page.locator('#rm_button_characters');
    if (await list.isVisible()) await list.click();
    for (const key of ['Enter', ' ']) {
      await tavern.page.locator('#lf-import-button').focus();
      await press(key);
      await dialogBox(tavern, 'Import from another app').waitFor();
      await tavern.page.waitForTimeout(300);
      expect(await tavern.popups()).toHaveLength(1);
      await press('Escape');
      await expect.poll(() => tavern.popups()).toEqual([]);
    }
    const box = await openImportDialog(tavern);
    // SillyTavern moves the focus while its dialogs open.
    await tavern.page.waitForFunction(() => document.querySelector('dialog[opening]') === null);
    const inFocus = () => tavern.page.evaluate(() => document.activeElement?.className);
    await expect.poll(inFocus).toBe('lf-file');
    const chooser = tavern.page.waitForEvent('filechooser');
    await tavern.page.waitForTimeout(200); // until the browser hands choosers on to us
    await press('Enter');
    await chooser;
    await lookAt(tavern, 'import-dialog', POPUP);
    await press('Tab');
    expect(await focused()).toBe('Inspect a file first…');
    const toInspect = tavern.page.waitForEvent('filechooser');
    await tavern.page.waitForTimeout(200);
    await press('Enter');
    await toInspect;
    await press('Tab');
    expect(await focused()).toBe('Cancel');
    await press('Enter');
    await box.waitFor({ state: 'detached' });
    expectNoErrors(tavern);
  });
});

describe('the settings block', () => {
  it('with recent changes, looked at', async () => {
    expect((await recentChanges(tavern)).length).toBeGreaterThan(3);
    const block = await openSettingsBlock(tavern);
    await block.scrollIntoViewIfNeeded();
    await lookAt(tavern, 'settings', '#lf-settings');
    expectNoErrors(tavern);
  });
});
