// What a person sees of Loreferry in SillyTavern's page, and where to press.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { JsonObject, Tavern, WorldEntry } from './harness.ts';

/** Longer than the silence after which a batch of imports counts as ended (1.5 s), and its result is shown. */
const AFTER_BATCH_MS = 2500;

const textOf = async (locator: Locator): Promise<string> => ((await locator.textContent()) ?? '').trim();

/** A notice of ours on the screen, by its title. */
export function noticeBox(tavern: Tavern, title: string): Locator {
  return tavern.page
    .locator('.lf-toast')
    .filter({ has: tavern.page.locator('.toast-title', { hasText: title }) })
    .last();
}

/** Waits for a notice of ours and returns its lines, without title and buttons. */
export async function notice(tavern: Tavern, title: string, timeout = 15_000): Promise<string[]> {
  const box = noticeBox(tavern, title);
  await box.waitFor({ timeout });
  return box.locator('.lf-toast-line').allInnerTexts();
}

/** Presses a button of a notice. */
export async function pressInNotice(tavern: Tavern, title: string, button: string): Promise<void> {
  await noticeBox(tavern, title).getByRole('button', { name: button, exact: true }).click();
}

/** Titles of our notices that are on the screen. */
export function noticeTitles(tavern: Tavern): Promise<string[]> {
  return tavern.page.locator('.lf-toast .toast-title').allInnerTexts();
}

/** After a test: what it left open or routed must not fail the next one too. */
export async function tidy(tavern: Tavern | undefined): Promise<void> {
  if (!tavern) return;
  await tavern.page.unrouteAll({ behavior: 'ignoreErrors' });
  for (let left = 5; left > 0 && (await tavern.popups()).length > 0; left--) {
    await tavern.page.keyboard.press('Escape');
    await tavern.page.waitForTimeout(400);
  }
  await clearNotices(tavern);
  tavern.clearErrors();
}

/** Takes all notices off the screen, ours and SillyTavern's. */
export async function clearNotices(tavern: Tavern): Promise<void> {
  await tavern.page.evaluate(() => {
    (globalThis as unknown as { toastr: { remove(): void } }).toastr.remove();
  });
  tavern.clearToasts();
}

/** Waits until a batch must have ended and its result must stand on the screen. */
export async function afterBatch(tavern: Tavern): Promise<void> {
  await tavern.page.waitForTimeout(AFTER_BATCH_MS);
}

/** One row of the summary. */
export interface SummaryRow {
  readonly name: string;
  readonly headline: string;
  readonly lines: readonly string[];
  readonly buttons: readonly string[];
}

/** The summary of a batch, as it stands in its dialog. */
export interface Summary {
  readonly title: string;
  /** Numbers by the word beside them. */
  readonly counts: Readonly<Record<string, number>>;
  readonly rows: readonly SummaryRow[];
}

/** The topmost dialog with this title. */
export function dialogBox(tavern: Tavern, title: RegExp | string): Locator {
  const heading = tavern.page.locator('.lf-dialog-title', { hasText: title });
  return tavern.page.locator('dialog.popup[open]').filter({ has: heading }).last();
}

/** Waits for the summary of a batch and reads it. */
export async function summary(tavern: Tavern): Promise<Summary> {
  const box = dialogBox(tavern, /cards? imported/);
  await box.waitFor({ timeout: 20_000 });
  const rows: SummaryRow[] = [];
  for (const row of await box.locator('.lf-row').all()) {
    rows.push({
      name: await textOf(row.locator('.lf-name')),
      headline: await textOf(row.locator('.lf-kind')),
      lines: await row.locator('.lf-muted').allInnerTexts(),
      buttons: (await row.locator('button').allInnerTexts()).map((text) => text.trim()),
    });
  }
  return { title: await textOf(box.locator('.lf-dialog-title')), counts: await counts(box), rows };
}

async function counts(box: Locator): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const one of await box.locator('.lf-count-box').all()) {
    found[await textOf(one.locator('span'))] = Number(await textOf(one.locator('b')));
  }
  return found;
}

/** Waits for "This card brings a changed book" and returns what it counts, lists and offers. */
export async function changedBook(tavern: Tavern): Promise<{
  readonly counts: Readonly<Record<string, number>>;
  readonly rows: readonly string[];
  readonly answers: readonly string[];
  readonly lead: string;
}> {
  const box = dialogBox(tavern, 'This card brings a changed book');
  await box.waitFor({ timeout: 20_000 });
  const rows = await box.locator('.lf-row').allInnerTexts();
  return {
    counts: await counts(box),
    rows: rows.map((row) => row.replace(/\s+/g, ' ').trim()),
    answers: (await box.locator('.lf-ways button').allInnerTexts()).map((text) => text.trim()),
    lead: await textOf(box.locator('.lf-lead')),
  };
}

/** Opens the extensions panel with our block in it, unfolded. */
export async function openSettingsBlock(tavern: Tavern): Promise<Locator> {
  const { page } = tavern;
  const panel = page.locator('#rm_extensions_block');
  if (((await panel.getAttribute('class')) ?? '').includes('closedDrawer')) {
    await page.locator('#extensions-settings-button .drawer-toggle').click();
    await page.locator('#rm_extensions_block.openDrawer').waitFor();
  }
  const content = page.locator('#lf-settings .inline-drawer-content');
  // SillyTavern ignores a click on a drawer that is still on its way.
  for (let tries = 0; tries < 4 && !(await content.isVisible()); tries++) {
    await page.locator('#lf-settings .inline-drawer-toggle').click();
    await page.waitForTimeout(600);
  }
  await content.waitFor({ timeout: 2000 });
  return page.locator('#lf-settings');
}

/** The rows of "Recent changes", newest first: each with its title and its buttons. */
export async function recentChanges(tavern: Tavern): Promise<{ title: string; buttons: string[] }[]> {
  const block = await openSettingsBlock(tavern);
  await block.getByRole('button', { name: 'Refresh' }).click();
  await tavern.page.waitForTimeout(400);
  const rows: { title: string; buttons: string[] }[] = [];
  for (const row of await block.locator('.lf-row').all()) {
    rows.push({
      title: await textOf(row.locator('.lf-name')),
      buttons: await row.locator('button').allInnerTexts(),
    });
  }
  return rows;
}

/** Sets "When a card brings a lorebook" as a person does. */
export async function choosePolicy(tavern: Tavern, policy: 'extract' | 'ask' | 'leave'): Promise<void> {
  await openSettingsBlock(tavern);
  await tavern.page.locator('#lf-when-book').selectOption(policy);
}

/** Opens "Import from another app..." by its button beside SillyTavern's own. */
export async function openImportDialog(tavern: Tavern): Promise<Locator> {
  await showCharacterList(tavern);
  await tavern.page.locator('#lf-import-button').click();
  const box = dialogBox(tavern, 'Import from another app');
  await box.waitFor();
  return box;
}

/** Shows the list of characters, with its row of buttons. */
export async function showCharacterList(tavern: Tavern): Promise<void> {
  await tavern.openPanel();
  const list = tavern.page.locator('#rm_button_characters');
  if (await list.isVisible()) await list.click();
  await tavern.page.locator('#rm_button_create').waitFor();
}

/** The world that a stored card is linked to. */
export function linkOf(tavern: Tavern, avatar: string): unknown {
  return tavern.cardOf(avatar).data?.extensions?.['world'];
}

/** The entries of a world file in the order of their uids. */
export function entriesOf(tavern: Tavern, world: string): WorldEntry[] {
  const entries = Object.values(tavern.worldFile(world)?.entries ?? {});
  return entries.sort((a, b) => a.uid - b.uid);
}

/** The entries of the book in a stored card. */
export function bookEntriesOf(tavern: Tavern, avatar: string): readonly JsonObject[] {
  return tavern.cardOf(avatar).data?.character_book?.entries ?? [];
}

/** Fails for every error of the page that is not one of those that a test provokes itself. */
export function expectNoErrors(tavern: Tavern, ...provoked: readonly RegExp[]): void {
  const ours = tavern.errors.filter((line) => !provoked.some((pattern) => pattern.test(line)));
  expect(ours).toEqual([]);
  tavern.clearErrors();
}

/** Whether SillyTavern shows the open character as linked, and to which world. */
export async function shownLink(tavern: Tavern): Promise<{ globe: boolean; world: string }> {
  return tavern.page.evaluate(() => ({
    globe: document.querySelector('#world_button')?.classList.contains('world_set') ?? false,
    world: document.querySelector<HTMLInputElement>('#character_world')?.value ?? '',
  }));
}

/** The worlds that SillyTavern's own lists offer. */
export function offeredWorlds(tavern: Tavern): Promise<string[]> {
  return tavern.page
    .locator('#world_editor_select option')
    .evaluateAll((options) =>
      options
        .filter((option) => (option as HTMLOptionElement).value !== '')
        .map((option) => option.textContent ?? ''),
    );
}

// SillyTavern's sample character is linked to it, and would offer its embedded book again without it.
const SAMPLE_WORLD = 'Eldoria';

/** The names of the world files, but that of SillyTavern's sample. */
export const worldsHere = (tavern: Tavern): string[] =>
  tavern.worldNames().filter((name) => name !== SAMPLE_WORLD);

/** Deletes every world file but SillyTavern's sample, as a person would one by one. */
export async function deleteWorlds(tavern: Tavern): Promise<void> {
  for (const name of worldsHere(tavern)) await tavern.post('/api/worldinfo/delete', { name });
}

/** Opens a character of before our time, and says no to SillyTavern's own offer if it comes. */
export async function openOldCharacter(tavern: Tavern, avatar: string): Promise<void> {
  await tavern.openCharacter(avatar);
  await tavern.page.waitForTimeout(500);
  for (const text of await tavern.popups()) {
    expect(text).toContain('embedded World/Lorebook');
    await tavern.answerPopup('No');
  }
}

/** Types at the end of the open character's description and waits until SillyTavern has saved it. */
export async function typeDescription(tavern: Tavern, avatar: string, words: string): Promise<void> {
  const { page } = tavern;
  const saves = tavern.countCalls('/api/characters/edit');
  const field = page.locator('#description_textarea');
  await field.click();
  await field.press('End');
  await field.pressSequentially(words);
  await expect
    .poll(() => tavern.countCalls('/api/characters/edit'), { timeout: 15_000 })
    .toBeGreaterThan(saves);
  await expect.poll(() => tavern.cardOf(avatar).data?.['description'], { timeout: 5000 }).toContain(words);
}

/** The character and the chat that are open. */
export function openChat(
  tavern: Tavern,
): Promise<{ avatar: string | undefined; chat: string | undefined; messages: string[] }> {
  return tavern.page.evaluate(() => {
    const { SillyTavern } = globalThis as unknown as {
      SillyTavern: {
        getContext(): {
          characters: { avatar: string }[];
          characterId: string | undefined;
          chatId: string | undefined;
          chat: { mes: string }[];
        };
      };
    };
    const { characters, characterId, chatId, chat } = SillyTavern.getContext();
    return {
      avatar: characters[Number(characterId)]?.avatar,
      chat: chatId,
      messages: chat.map(({ mes }) => mes),
    };
  });
}

/** Does something and waits until SillyTavern has posted to an endpoint because of it. */
export async function saved(tavern: Tavern, path: string, work: () => Promise<unknown>): Promise<void> {
  const before = tavern.countCalls(path);
  await work();
  await expect.poll(() => tavern.countCalls(path), { timeout: 10_000 }).toBeGreaterThan(before);
  await tavern.page.waitForTimeout(300);
}

/** Opens a world in SillyTavern's editor by its own list. */
export async function openInWorldEditor(
  tavern: Tavern,
  world: string,
  { reopen = true } = {},
): Promise<void> {
  const { page } = tavern;
  if (!(await page.locator('#WorldInfo.openDrawer').isVisible())) {
    await page.locator('#WI-SP-button .drawer-toggle').click();
    await page.locator('#WorldInfo.openDrawer').waitFor();
  }
  if (reopen) await page.locator('#world_editor_select').selectOption({ label: world }, { force: true });
  await page.locator('#world_popup_entries_list .world_entry').first().waitFor();
}

/** An entry in SillyTavern's editor. */
export const worldEditorEntry = (tavern: Tavern, uid: number): Locator =>
  tavern.page.locator(`#world_popup_entries_list .world_entry[uid="${uid}"]`);

/** The inspection panel that stands on top. */
export const panelBox = (tavern: Tavern): Locator =>
  tavern.page
    .locator('dialog.popup[open]')
    .filter({ has: tavern.page.locator('.lf-panel') })
    .last();

/** Opens a character and the inspection panel by the button beside the globe. */
export async function inspectCharacter(tavern: Tavern, avatar: string, tab?: string): Promise<Locator> {
  await openOldCharacter(tavern, avatar);
  await tavern.page.locator('#lf-inspect-character').click();
  const panel = panelBox(tavern);
  await panel.waitFor();
  if (tab !== undefined) await showTab(tavern, tab);
  return panel;
}

/** Goes to a tab of the panel. */
export async function showTab(tavern: Tavern, name: string): Promise<void> {
  const tab = panelBox(tavern).getByRole('tab', { name });
  await tab.click();
  await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true');
}

/** Closes the panel, or the question what to inspect, by its button. */
export async function closeInspection(tavern: Tavern): Promise<void> {
  await tavern.page.locator('dialog.popup[open]').last().locator('.popup-button-ok').click();
  await tavern.page.locator('.lf-panel, .lf-choose').first().waitFor({ state: 'detached' });
}

/** The row of an entry in the panel's table, by its title. */
export const entryRow = (tavern: Tavern, title: string): Locator =>
  panelBox(tavern)
    .locator('.lf-entry')
    .filter({ has: tavern.page.locator('.lf-cell-title', { hasText: title }) });

// What an inspection may ask the server for is lists and files; all of these write. SillyTavern saves its settings when it
// likes to, so these are compared instead.
const WRITING =
  /\/(edit|edit-\w+|merge-attributes|delete|import|create|rename|duplicate|(?<!settings\/)save)$/;

/** Does something and fails when a file of a character, a lorebook or a group, or our settings, are others then. */
export async function writesNothing(tavern: Tavern, work: () => Promise<unknown>): Promise<void> {
  const before = fingerprints(tavern);
  const calls = tavern.calls.length;
  await work();
  const written = tavern.calls.slice(calls).filter(({ path }) => WRITING.test(path));
  expect(written).toEqual([]);
  expect(fingerprints(tavern)).toEqual(before);
}

function fingerprints(tavern: Tavern): Record<string, string> {
  const found: Record<string, string> = {};
  const look = (name: string): void => {
    found[name] = createHash('sha1')
      .update(readFileSync(join(tavern.server.userDir, name)))
      .digest('hex');
  };
  for (const folder of ['characters', 'worlds', 'groups']) {
    const path = join(tavern.server.userDir, folder);
    if (!existsSync(path)) continue;
    for (const item of readdirSync(path, { withFileTypes: true }))
      if (item.isFile()) look(join(folder, item.name));
  }
  const { extension_settings: ours, world_info_settings: links } = tavern.settings();
  return { ...found, settings: JSON.stringify([ours, links]) };
}
