// Many cards at once: one summary for all of them, what can be done from it, and "ask me" and "leave it".

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardFolder, cardWithBook, caseOf, jsonCard, scenarioOf } from './card-files.ts';
import { openSillyTavern, type Tavern } from './harness.ts';
import {
  afterBatch,
  choosePolicy,
  deleteWorlds,
  dialogBox,
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  noticeTitles,
  openChat,
  pressInNotice,
  recentChanges,
  summary,
  tidy,
  worldsHere,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();

beforeAll(async () => {
  tavern = await openSillyTavern();
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const card = (name: string, book = `${name} Book`) =>
  jsonCard(folder, name, cardWithBook(name, book, [`${name} one.`, `${name} two.`]));
const summaryBox = () => dialogBox(tavern, /cards? imported/);

describe('the summary of a batch', () => {
  it('is one for five mixed cards, failures first, and leaves the open chat alone (72)', async () => {
    const { worlds, cards } = scenarioOf('72-bulk-mixed-cards');
    await deleteWorlds(tavern);
    for (const [name, world] of Object.entries(worlds)) await tavern.putWorld(name, world);
    await tavern.openCharacter('Seraphina');
    await tavern.page.waitForTimeout(500);
    for (const _ of await tavern.popups()) await tavern.answerPopup('No');
    const before = await openChat(tavern);
    expect(before.avatar).toBe('default_Seraphina.png');

    const replies = await tavern.importCards(
      cards.map((each, index) => jsonCard(folder, `72-${index}`, each)),
    );
    const shown = await summary(tavern);
    expect(await tavern.popups()).toHaveLength(1);
    expect(shown.title).toBe('5 cards imported');
    expect(shown.counts).toEqual({ 'Not done': 1, Extracted: 1, Linked: 0, 'No lorebook': 3 });
    expect(shown.rows.map(({ name, headline }) => `${name}: ${headline}`)).toEqual([
      'E Pell: Not done',
      'A Mara: Extracted as “Quay Notes (2)”',
      'B Odo: No lorebook',
      'C Ines: No lorebook',
      'D Ruck: No lorebook',
    ]);
    expect(shown.rows[0]?.lines.join()).not.toBe('');
    expect(shown.rows[0]?.buttons).toEqual([]); // trying again would find the same broken book
    await tavern.answerPopup('Done');
    expect(await tavern.popups()).toEqual([]);
    expect(await noticeTitles(tavern)).toEqual([]);

    expect(worldsHere(tavern)).toEqual(['Quay Notes', 'Quay Notes (2)']);
    expect(entriesOf(tavern, 'Quay Notes').map(({ content }) => content)).toEqual(['Other content.']);
    expect(replies.map(({ avatar }) => linkOf(tavern, avatar ?? '') || '')).toEqual([
      'Quay Notes (2)',
      '',
      '',
      '',
      '',
    ]);
    expect(await openChat(tavern)).toEqual(before);
    expectNoErrors(tavern);
  });

  it('undoes all that it made with one button, and only that', async () => {
    await deleteWorlds(tavern);
    const replies = await tavern.importCards([
      card('Undo A'),
      card('Undo B'),
      jsonCard(folder, 'none', caseOf('46-character-book-null')),
    ]);
    await summary(tavern);
    expect(worldsHere(tavern)).toEqual(['Undo A Book', 'Undo B Book']);
    const lists = tavern.countCalls('/api/settings/get');
    await tavern.answerPopup('Undo all 2');
    expect(await notice(tavern, 'Undone')).toEqual([
      'The link of Undo B is removed.',
      'The world file “Undo B Book” is deleted.',
      'The link of Undo A is removed.',
      'The world file “Undo A Book” is deleted.',
      'The card keeps its copy.',
    ]);
    expect(tavern.countCalls('/api/settings/get') - lists).toBe(1);
    expect(worldsHere(tavern)).toEqual([]);
    for (const { avatar } of replies.slice(0, 2)) {
      expect(linkOf(tavern, avatar ?? '')).toBe('');
      expect(tavern.cardOf(avatar ?? '').data?.character_book?.entries).toHaveLength(2);
    }
    expect((await tavern.characters()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Undo A', 'Undo B']),
    );
    expectNoErrors(tavern);
  });

  it('tries a failed card again from its row', async () => {
    await tavern.failNext('/api/worldinfo/edit', 500);
    await tavern.importCards([card('Row A'), card('Row B')]);
    const first = await summary(tavern);
    expect(first.rows.map(({ name, headline }) => `${name}: ${headline}`)).toEqual([
      'Row A: Not done',
      'Row B: Extracted',
    ]);
    expect(first.rows[0]?.lines.join()).toContain('error 500');
    expect(worldsHere(tavern)).toEqual(['Row B Book']);
    await summaryBox().getByRole('button', { name: 'Try again' }).click();
    await expect
      .poll(async () => (await summary(tavern)).counts, { timeout: 8000 })
      .toMatchObject({ 'Not done': 0, Extracted: 2 });
    expect(worldsHere(tavern)).toEqual(['Row A Book', 'Row B Book']);
    expect(linkOf(tavern, 'Row A.png')).toBe('Row A Book');
    await tavern.answerPopup('Done');
    expectNoErrors(tavern, /status of 500/);
  });

  it('offers the lorebook that a card only names, and links it when told to', async () => {
    await tavern.putWorld('Named Book', { entries: {} });
    const { data } = cardWithBook('Namer', '', [], { extensions: { world: 'Named Book' } }) as {
      data: Record<string, unknown>;
    };
    const { character_book: _none, ...body } = data;
    await tavern.importCards([
      jsonCard(folder, 'namer', { spec: 'chara_card_v2', spec_version: '2.0', data: body }),
      card('Beside Namer'),
    ]);
    const { rows } = await summary(tavern);
    expect(rows.find(({ name }) => name === 'Namer')).toMatchObject({
      headline: 'Names a lorebook you have',
      buttons: ['Link it'],
    });
    expect(linkOf(tavern, 'Namer.png')).toBe(''); // the file's link is a claim
    await summaryBox().getByRole('button', { name: 'Link it' }).click();
    await summaryBox().getByRole('button', { name: 'Linked' }).waitFor();
    expect(linkOf(tavern, 'Namer.png')).toBe('Named Book');
    await tavern.answerPopup('Done');
    expectNoErrors(tavern);
  });

  it('opens a lorebook in SillyTavern’s editor', async () => {
    await tavern.importCards([card('Edit A'), card('Edit B')]);
    await summary(tavern);
    await summaryBox()
      .locator('.lf-row', { hasText: 'Edit B' })
      .getByRole('button', { name: 'Open in the editor' })
      .click();
    await expect
      .poll(() =>
        tavern.page
          .locator('#world_editor_select')
          .evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.textContent),
      )
      .toBe('Edit B Book');
    await tavern.page.locator('#WorldInfo.openDrawer').waitFor();
    await expect.poll(() => tavern.page.locator('#world_popup_entries_list .world_entry').count()).toBe(2);
    await tavern.page.locator('#WI-SP-button .drawer-toggle').click();
    expectNoErrors(tavern);
  });
});

describe('“Ask me”', () => {
  it('asks once for the batch, and extracts only what is ticked', async () => {
    await choosePolicy(tavern, 'ask');
    await tavern.importCards([
      card('Ask A'),
      card('Ask B'),
      jsonCard(folder, 'ask-none', caseOf('46-character-book-null')),
    ]);
    const box = dialogBox(tavern, 'These cards bring lorebooks');
    await box.waitFor();
    expect(await tavern.popups()).toHaveLength(1);
    expect(
      (await box.locator('.checkbox_label').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()),
    ).toEqual(['Ask A Ask A Book, 2 entries', 'Ask B Ask B Book, 2 entries']);
    expect(worldsHere(tavern)).not.toContain('Ask A Book');
    await box.locator('.checkbox_label', { hasText: 'Ask A' }).click();
    await tavern.answerPopup('Extract');
    expect((await summary(tavern)).counts).toMatchObject({ Extracted: 1 });
    await tavern.answerPopup('Done');
    expect(worldsHere(tavern)).toContain('Ask B Book');
    expect(worldsHere(tavern)).not.toContain('Ask A Book');
    expect(linkOf(tavern, 'Ask A.png') || '').toBe('');
    expect(linkOf(tavern, 'Ask B.png')).toBe('Ask B Book');
    expectNoErrors(tavern);
  });

  it('Escape leaves all of them in their cards, and SillyTavern does not ask again', async () => {
    await tavern.importCards([card('Ask C')]);
    await dialogBox(tavern, 'This card brings a lorebook').waitFor();
    await tavern.page.keyboard.press('Escape');
    await afterBatch(tavern);
    expect(await tavern.popups()).toEqual([]);
    expect(worldsHere(tavern)).not.toContain('Ask C Book');
    expect(tavern.cardOf('Ask C.png').data?.character_book?.entries).toHaveLength(2);
    await tavern.openCharacter('Ask C.png');
    await tavern.page.waitForTimeout(500);
    expect(await tavern.popups()).toEqual([]);
    expectNoErrors(tavern);
  });
});

describe('“Leave it in the card”', () => {
  it('makes nothing and says nothing, and the choice outlives a reload', async () => {
    await choosePolicy(tavern, 'extract');
    await tavern.importCards([card('Later')]); // for "Recent changes", below
    await notice(tavern, 'Lorebook extracted');
    await choosePolicy(tavern, 'leave');
    const saved = () =>
      (tavern.settings()['extension_settings'] as { loreferry?: { whenBook?: string } }).loreferry?.whenBook;
    await expect.poll(saved, { timeout: 8000 }).toBe('leave');
    await tavern.reload();
    await choosePolicyShown('leave');
    const before = worldsHere(tavern);
    const [reply] = await tavern.importCards([card('Left')]);
    await afterBatch(tavern);
    expect(worldsHere(tavern)).toEqual(before);
    expect(await noticeTitles(tavern)).toEqual([]);
    expect(await tavern.popups()).toEqual([]);
    expect(tavern.cardOf(reply?.avatar ?? '').data?.character_book?.entries).toHaveLength(2);
    expectNoErrors(tavern);
  });

  async function choosePolicyShown(policy: string): Promise<void> {
    await recentChanges(tavern); // opens the block
    expect(await tavern.page.locator('#lf-when-book').inputValue()).toBe(policy);
  }
});

describe('taking changes back', () => {
  it('from the notice: file gone, link gone, the card keeps its copy', async () => {
    await choosePolicy(tavern, 'extract');
    const [reply] = await tavern.importCards([card('Back')]);
    expect(await notice(tavern, 'Lorebook extracted')).toEqual(['“Back Book”: 2 entries, linked to Back.']);
    await pressInNotice(tavern, 'Lorebook extracted', 'Undo');
    expect(await notice(tavern, 'Undone')).toEqual([
      'The link of Back is removed.',
      'The world file “Back Book” is deleted.',
      'The card keeps its copy.',
    ]);
    expect(worldsHere(tavern)).not.toContain('Back Book');
    expect(linkOf(tavern, reply?.avatar ?? '')).toBe('');
    expect(tavern.cardOf(reply?.avatar ?? '').data?.character_book?.entries).toHaveLength(2);
    expect((await recentChanges(tavern))[0]?.title).not.toBe('Back: Extracted');
    expectNoErrors(tavern);
  });

  it('from “Recent changes” after a reload', async () => {
    const later = (await recentChanges(tavern)).find(({ title }) => title.startsWith('Later'));
    expect(later).toEqual({ title: 'Later: Extracted', buttons: ['Undo'] });
    await tavern.page
      .locator('#lf-settings .lf-row', { hasText: 'Later: Extracted' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await notice(tavern, 'Undone');
    expect(worldsHere(tavern)).not.toContain('Later Book');
    expect(linkOf(tavern, 'Later.png')).toBe('');
    expect((await recentChanges(tavern)).map(({ title }) => title)).not.toContain('Later: Extracted');
    expectNoErrors(tavern);
  });

  it('is refused whole when the world was edited since', async () => {
    await tavern.importCards([card('Edited')]);
    await notice(tavern, 'Lorebook extracted');
    const world = tavern.worldFile('Edited Book');
    const mine = {
      ...world,
      entries: { ...world?.entries, '0': { ...world?.entries['0'], content: 'Mine.' } },
    };
    await tavern.putWorld('Edited Book', mine);
    await pressInNotice(tavern, 'Lorebook extracted', 'Undo');
    expect(await notice(tavern, 'Not undone')).toEqual([
      '“Edited Book” was edited since. It stays as it is, with its link.',
    ]);
    expect(tavern.worldFile('Edited Book')).toEqual(mine);
    expect(linkOf(tavern, 'Edited.png')).toBe('Edited Book');
    expectNoErrors(tavern);
  });

  it('is refused when another character uses the world by now', async () => {
    const path = card('Shared');
    await tavern.importCards([path]);
    await notice(tavern, 'Lorebook extracted');
    const [second] = await tavern.importCards([path]);
    await notice(tavern, 'Linked');
    await pressInNotice(tavern, 'Lorebook extracted', 'Undo');
    expect(await notice(tavern, 'Not undone')).toEqual([
      '“Shared Book” is linked to Shared as well, so it stays.',
    ]);
    expect(worldsHere(tavern)).toContain('Shared Book');
    expect(linkOf(tavern, 'Shared.png')).toBe('Shared Book');
    expect(linkOf(tavern, second?.avatar ?? '')).toBe('Shared Book');
    expectNoErrors(tavern);
  });
});
