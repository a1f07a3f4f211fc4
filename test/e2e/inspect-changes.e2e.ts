// What the panel changes in the real SillyTavern: copies brought together, mends, links. Each is previewed, stands in the
// file, outlives a reload, and is taken back exactly.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { almanacCard, almanacWorld } from './almanac.ts';
import { cardFolder, cardWithBook, caseOf, pngCard } from './card-files.ts';
import { type JsonObject, openSillyTavern, type Tavern } from './harness.ts';
import {
  bookEntriesOf,
  clearNotices,
  closeInspection,
  dialogBox,
  expectNoErrors,
  inspectCharacter,
  linkOf,
  notice,
  openSettingsBlock,
  panelBox,
  pressInNotice,
  recentChanges,
  tidy,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();
const ALMANAC = 'Fenn Harbour Almanac';
const OTTOLINE = 'Ottoline Fenn.png';
const MARA = 'Mara.png';
const BLANK = 'Blank.png';

function seed(userDir: string): void {
  for (const place of ['characters', 'worlds']) mkdirSync(join(userDir, place), { recursive: true });
  const card = (avatar: string, json: JsonObject): void =>
    writeFileSync(join(userDir, 'characters', avatar), readFileSync(pngCard(folder, avatar, json as never)));
  card(OTTOLINE, almanacCard());
  card(MARA, cardWithBook('Mara', 'Quay', ['One.']));
  card(BLANK, caseOf('56-blank-keys'));
  writeFileSync(join(userDir, 'worlds', `${ALMANAC}.json`), JSON.stringify(almanacWorld()));
}

beforeAll(async () => {
  tavern = await openSillyTavern({ seed, width: 1400, height: 900 });
  tavern.page.setDefaultTimeout(10_000);
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const panel = () => panelBox(tavern);
const press = (name: string | RegExp) => panel().getByRole('button', { name }).first().click();
const lines = (within: Locator, selector: string) => within.locator(selector).allTextContents();

interface Preview {
  readonly sentences: readonly string[];
  readonly rows: readonly string[];
}

/** Reads the preview of a plan, and says yes to it. */
async function accept(title: string): Promise<Preview> {
  const box = dialogBox(tavern, title);
  await box.locator('.lf-plan').waitFor();
  const sentences = await lines(box, '.lf-plan > .lf-lead');
  const rows = (await box.locator('.lf-row').allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
  await box.locator('.popup-button-ok').click();
  await notice(tavern, title);
  return { sentences, rows };
}

/** Presses "Undo" in the notice of a plan. */
async function undo(title: string): Promise<void> {
  await pressInNotice(tavern, title, 'Undo');
  await notice(tavern, 'Undone');
  await clearNotices(tavern);
}

const compared = async (): Promise<string[]> => {
  await panel().locator('.lf-compare').waitFor();
  const all = panel().locator('.lf-difference');
  return all.evaluateAll((sections) => sections.map((each) => each.getAttribute('aria-label') ?? ''));
};

const DRIFT = [
  'Changed: Tide tables',
  'Changed: Customs sloop Meridian',
  'Only in the world file: The drowned bell',
  'Only in the card: Smugglers’ ledger',
];

describe('a card whose copy and world file have drifted apart', () => {
  const cardTitle = 'Update the card of Ottoline Fenn';
  const worldTitle = `Update “${ALMANAC}” from the card`;

  it('is shown with what differs, entry by entry', async () => {
    const box = await inspectCharacter(tavern, OTTOLINE, 'Compare');
    expect(await compared()).toEqual(DRIFT);
    const sloop = box.locator('.lf-difference', { hasText: 'Customs sloop' });
    const fields = await lines(sloop, '.lf-field-row > span:first-child');
    expect(fields).toEqual(['Content', 'Keys', 'Order']);
    const order = sloop.locator('.lf-field-row', { hasText: 'Order' }).locator('.lf-side');
    expect(await order.allTextContents()).toEqual(['60', '65']);
    await box.getByText('17 entries are the same in both; 4 differ').waitFor();
    await closeInspection(tavern);
    expectNoErrors(tavern);
  });

  it('the card is updated from the world file, and undone exactly', async () => {
    const [card, world] = [tavern.cardOf(OTTOLINE), tavern.worldFile(ALMANAC)];
    await inspectCharacter(tavern, OTTOLINE, 'Compare');
    await press('Update the card from the world file…');
    const { sentences, rows } = await accept(cardTitle);
    expect(sentences).toEqual([
      `The card’s copy becomes what “${ALMANAC}” says: 2 entries change, 1 is added, 1 is removed.`,
      'What only the card’s copy carries stays in it.',
      `Ottoline Fenn is linked to “${ALMANAC}”: SillyTavern writes that lorebook over the card's copy whenever it saves the character.`,
    ]);
    expect(rows.map((row) => row.split(' ').slice(0, 3).join(' ')).sort()).toEqual([
      'Added The drowned',
      'Changed Customs sloop',
      'Changed Tide tables',
      'Removed Smugglers’ ledger',
    ]);
    await panel().getByText('Both are the same.').waitFor();
    expect(await compared()).toEqual([]);
    expect(await panel().locator('[aria-label="Entries that are the same"] li').count()).toBe(20);
    const entries = bookEntriesOf(tavern, OTTOLINE);
    expect(entries).toHaveLength(20);
    expect(entries.find(({ comment }) => comment === 'Customs sloop Meridian')).toMatchObject({
      id: 5,
      keys: ['Meridian', 'customs', 'revenue cutter'],
      insertion_order: 65,
      position: 'before_char',
      extensions: { position: 4, depth: 2, role: 0 },
    });
    expect(entries.some(({ comment }) => comment === 'The drowned bell')).toBe(true);
    expect(entries.some(({ comment }) => comment === 'Smugglers’ ledger')).toBe(false);
    // What only the card carried.
    expect(entries.find(({ comment }) => comment === 'Dockside cant')?.['extensions']).toMatchObject({
      chub_note: 'tone only',
    });
    await undo(cardTitle);
    expect(tavern.cardOf(OTTOLINE)).toEqual(card);
    expect(tavern.worldFile(ALMANAC)).toEqual(world);
    await expect.poll(compared).toEqual(DRIFT);
    expectNoErrors(tavern);
  });

  it('an updated card is so after a reload, and can be undone then too', async () => {
    const card = tavern.cardOf(OTTOLINE);
    await inspectCharacter(tavern, OTTOLINE, 'Compare');
    await press('Update the card from the world file…');
    await accept(cardTitle);
    await panel().getByText('Both are the same.').waitFor();
    const updated = tavern.cardOf(OTTOLINE);
    await closeInspection(tavern);
    await tavern.reload();
    await inspectCharacter(tavern, OTTOLINE, 'Compare');
    await panel().getByText('Both are the same.').waitFor();
    expect(tavern.cardOf(OTTOLINE)).toEqual(updated);
    await closeInspection(tavern);
    const [newest] = await recentChanges(tavern);
    expect(newest).toEqual({ title: cardTitle, buttons: ['Undo'] });
    const block = await openSettingsBlock(tavern);
    await block.locator('.lf-row').first().getByRole('button', { name: 'Undo' }).click();
    await notice(tavern, 'Undone');
    expect(tavern.cardOf(OTTOLINE)).toEqual(card);
    await tavern.page.locator('#extensions-settings-button .drawer-toggle').click();
    expectNoErrors(tavern);
  });

  it('the world file is updated from the card, kept as it was, and undone exactly', async () => {
    const [card, world] = [tavern.cardOf(OTTOLINE), tavern.worldFile(ALMANAC)];
    await inspectCharacter(tavern, OTTOLINE, 'Compare');
    await press('Update the world file from the card…');
    const { sentences, rows } = await accept(worldTitle);
    expect(sentences).toEqual([
      `“${ALMANAC}” becomes what the card of Ottoline Fenn says: 2 entries change, 1 is added, 1 is removed.`,
      'SillyTavern generates from this file. As it is now, it is kept in Recent changes.',
    ]);
    expect(rows.map((row) => row.split(' ').slice(0, 3).join(' ')).sort()).toEqual([
      'Added Smugglers’ ledger',
      'Changed Customs sloop',
      'Changed Tide tables',
      'Removed The drowned',
    ]);
    await panel().getByText('Both are the same.').waitFor();
    const entries = Object.values(tavern.worldFile(ALMANAC)?.entries ?? {});
    expect(entries).toHaveLength(20);
    expect(entries.find(({ comment }) => comment === 'Customs sloop Meridian')).toMatchObject({
      uid: 5,
      key: ['Meridian', 'customs'],
      order: 60,
      position: 4,
      depth: 2,
    });
    expect(new Set(entries.map(({ uid }) => uid)).size).toBe(20);
    expect(entries.find(({ comment }) => comment === 'Smugglers’ ledger')).toMatchObject({ disable: true });
    expect(tavern.cardOf(OTTOLINE)).toEqual(card);
    await undo(worldTitle);
    expect(tavern.worldFile(ALMANAC)).toEqual(world);
    await expect.poll(compared).toEqual(DRIFT);
    expectNoErrors(tavern);
  });
});

describe('mends', () => {
  const findings = (word: string) =>
    panel().locator('.lf-finding-rows > li').filter({ hasText: word }).allTextContents();

  it('a conflict: both encodings are written, from its row', async () => {
    const card = tavern.cardOf(OTTOLINE);
    const title = `Write both encodings: “${ALMANAC}” in the card`;
    await inspectCharacter(tavern, OTTOLINE, 'Findings');
    await press('Write both encodings: Customs sloop Meridian');
    const { sentences, rows } = await accept(title);
    expect(sentences[0]).toBe(
      '“Customs sloop Meridian” stays where SillyTavern puts it: Depth 2, system. Both values then say so, the coarse one as near as the standard can.',
    );
    expect(rows).toEqual([]);
    const mended = bookEntriesOf(tavern, OTTOLINE)[5];
    const before = (card.data?.character_book?.entries ?? [])[5];
    expect(mended).toEqual({ ...before, position: 'after_char' });
    await expect.poll(() => findings('Customs sloop')).toEqual([]);
    await undo(title);
    expect(tavern.cardOf(OTTOLINE)).toEqual(card);
    expectNoErrors(tavern);
  });

  it('the same from the strip below the entry in the table', async () => {
    const card = tavern.cardOf(OTTOLINE);
    const title = `Write both encodings: “${ALMANAC}” in the card`;
    await inspectCharacter(tavern, OTTOLINE);
    await panel().locator('.lf-strip').getByRole('button', { name: 'Write both encodings' }).click();
    await accept(title);
    await panel().locator('.lf-strip').waitFor({ state: 'detached' });
    await undo(title);
    await panel().locator('.lf-strip').waitFor();
    expect(tavern.cardOf(OTTOLINE)).toEqual(card);
    expectNoErrors(tavern);
  });

  it('all that are safe at once', async () => {
    const card = tavern.cardOf(OTTOLINE);
    const title = `Mend “${ALMANAC}” in the card`;
    await inspectCharacter(tavern, OTTOLINE, 'Findings');
    await press(/^Mend \d+…$/);
    const { sentences } = await accept(title);
    expect(sentences[0]).toContain('entries stay where SillyTavern puts them.');
    expect(sentences.some((line) => line.startsWith('The order of the entries does not change.'))).toBe(true);
    await panel()
      .getByRole('button', { name: /^Mend \d+…$/ })
      .waitFor({ state: 'detached' });
    const entries = bookEntriesOf(tavern, OTTOLINE);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(20);
    const places = entries.map(({ position, extensions }) => [
      position,
      (extensions as JsonObject)['position'],
    ]);
    expect(places[5]).toEqual(['after_char', 4]);
    expect(places[15]).toEqual(['after_char', 2]); // "2" before
    expect(places[16]).toEqual(['after_char', 1]); // nothing before
    expect(places[2]).toEqual(['before_char', undefined]); // only coarse: in order as it is
    await undo(title);
    expect(tavern.cardOf(OTTOLINE)).toEqual(card);
    expectNoErrors(tavern);
  });

  it('ids: each once, in the order that there is', async () => {
    const card = tavern.cardOf(OTTOLINE);
    const title = `Give unique ids: “${ALMANAC}” in the card`;
    await inspectCharacter(tavern, OTTOLINE, 'Findings');
    await press(/^Give unique ids/);
    const { sentences } = await accept(title);
    expect(sentences[0]).toContain('The order of the entries does not change. New ids: ');
    const entries = bookEntriesOf(tavern, OTTOLINE);
    expect(entries.map(({ id }) => id)).toEqual(entries.map((_, index) => index));
    const before = (card.data?.character_book?.entries ?? []).map(({ content }) => content);
    expect(entries.map(({ content }) => content)).toEqual(before);
    await undo(title);
    expect(tavern.cardOf(OTTOLINE)).toEqual(card);
    expectNoErrors(tavern);
  });

  it('blank keys: the preview says what changes in what fires', async () => {
    const card = tavern.cardOf(BLANK);
    const [, newline, empty] = card.data?.character_book?.entries ?? [];
    const title = 'Drop blank keys: “Quay Notes” in the card';
    await inspectCharacter(tavern, BLANK, 'Findings');
    expect(await findings('Fires always')).toHaveLength(2);
    await press('Drop blank keys: Space');
    const { sentences, rows } = await accept(title);
    expect(sentences).toEqual([
      '“Space” fires always now, because of a key of spaces only. Without it no key can start it.',
    ]);
    expect(rows).toEqual([expect.stringContaining('Changed Space')]);
    const entries = bookEntriesOf(tavern, BLANK);
    expect(entries[0]?.['keys']).toEqual([]);
    expect(entries.slice(1, 3)).toEqual([newline, empty]);
    await clearNotices(tavern);
    await press('Drop blank keys: Empty');
    const second = await accept(title);
    expect(second.sentences).toEqual([
      '“Empty”: an empty key never matches, so nothing changes in what fires.',
    ]);
    await undo(title);
    expect(bookEntriesOf(tavern, BLANK)[2]).toEqual(empty);
    expect(bookEntriesOf(tavern, BLANK)[0]?.['keys']).toEqual([]);
    expectNoErrors(tavern);
  });
});

describe('links', () => {
  const state = (words: string | RegExp) => panel().getByRole('status').filter({ hasText: words }).waitFor();
  const other = (name: string) =>
    panel()
      .locator('.lf-link-tab section')
      .filter({ has: tavern.page.locator('.lf-find') })
      .getByRole('button', { name });
  async function chooseMara(): Promise<void> {
    await panel().getByRole('searchbox', { name: 'Link to another character: search' }).fill('mara');
  }
  const extraBooks = (name: string): unknown => {
    const lore = tavern.settings()['world_info_settings'] as {
      world_info?: { charLore?: { name: string; extraBooks: string[] }[] };
    };
    return lore.world_info?.charLore?.find((each) => each.name === name)?.extraBooks ?? [];
  };
  async function again(): Promise<void> {
    await closeInspection(tavern);
    await clearNotices(tavern);
    await tavern.reload();
    await inspectCharacter(tavern, OTTOLINE, 'Link');
    await chooseMara();
  }

  it('as the main lorebook of another character, and unlinked', async () => {
    const card = tavern.cardOf(MARA);
    await inspectCharacter(tavern, OTTOLINE, 'Link');
    await chooseMara();
    await state('Mara has no main lorebook.');
    await other('Link as the main lorebook…').click();
    const { sentences } = await accept(`Link “${ALMANAC}” to Mara`);
    expect(sentences[0]).toBe(`“${ALMANAC}” becomes the main lorebook of Mara.`);
    await state(`“${ALMANAC}” is the main lorebook of Mara.`);
    expect(linkOf(tavern, MARA)).toBe(ALMANAC);
    await again();
    await state(`“${ALMANAC}” is the main lorebook of Mara.`);
    expect(linkOf(tavern, MARA)).toBe(ALMANAC);
    await panel().locator('section', { hasText: 'Used by' }).last().getByText('Mara').waitFor();
    await other('Unlink…').click();
    await accept(`Unlink “${ALMANAC}” from Mara`);
    await state('Mara has no main lorebook.');
    expect(linkOf(tavern, MARA)).toBe('');
    expect(tavern.cardOf(MARA).data?.character_book).toEqual(card.data?.character_book);
    await undo(`Unlink “${ALMANAC}” from Mara`);
    expect(linkOf(tavern, MARA)).toBe(ALMANAC);
    await chooseMara();
    await state(`“${ALMANAC}” is the main lorebook of Mara.`);
    await other('Unlink…').click();
    await accept(`Unlink “${ALMANAC}” from Mara`);
    expectNoErrors(tavern);
  });

  it('as an additional lorebook, and removed', async () => {
    await inspectCharacter(tavern, OTTOLINE, 'Link');
    await chooseMara();
    await other('Add as an additional lorebook…').click();
    await accept(`Add “${ALMANAC}” to Mara`);
    await state('This one is an additional lorebook.');
    await expect.poll(() => extraBooks('Mara'), { timeout: 5000 }).toEqual([ALMANAC]);
    await again();
    await state('This one is an additional lorebook.');
    expect(extraBooks('Mara')).toEqual([ALMANAC]);
    await other('Remove from the additional lorebooks…').click();
    await accept(`Remove “${ALMANAC}” from Mara`);
    await state(/^Mara has no main lorebook\.$/);
    await expect.poll(() => extraBooks('Mara'), { timeout: 5000 }).toEqual([]);
    expectNoErrors(tavern);
  });

  it('a character is left alone, also after a reload, and watched again', async () => {
    await inspectCharacter(tavern, OTTOLINE, 'Link');
    await press('Leave this character alone…');
    await accept('Leave Ottoline Fenn alone');
    const said = panel().getByText('Loreferry leaves this character alone at imports.');
    await said.waitFor();
    const leftAlone = (): string[] => {
      const all = tavern.settings()['extension_settings'] as { loreferry?: { leaveAlone?: string[] } };
      return all.loreferry?.leaveAlone ?? [];
    };
    const isLeft = (): boolean => leftAlone().includes(OTTOLINE);
    await expect.poll(isLeft, { timeout: 5000 }).toBe(true);
    await again();
    await said.waitFor();
    await press('Watch this character again…');
    await accept('Watch Ottoline Fenn again');
    await said.waitFor({ state: 'detached' });
    await expect.poll(isLeft, { timeout: 5000 }).toBe(false);
    expectNoErrors(tavern);
  });
});
