// The ways into the inspection panel, none of which writes anything; and the panel by keyboard alone.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { almanacCard, almanacWorld } from './almanac.ts';
import { cardFolder, cardWithBook, jsonCard, pngCard } from './card-files.ts';
import { openSillyTavern, type Tavern } from './harness.ts';
import {
  closeInspection,
  dialogBox,
  entryRow,
  expectNoErrors,
  inspectCharacter,
  notice,
  openInWorldEditor,
  openOldCharacter,
  panelBox,
  pressInNotice,
  showTab,
  summary,
  tidy,
  writesNothing,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();
const ALMANAC = 'Fenn Harbour Almanac';
const OTTOLINE = 'Ottoline Fenn.png';
const GROUP = 'quayside';

function seed(userDir: string): void {
  const put = (place: string, name: string, content: string | Buffer): void => {
    mkdirSync(join(userDir, place), { recursive: true });
    writeFileSync(join(userDir, place, name), content);
  };
  const card = (name: string, json: object): void =>
    put('characters', `${name}.png`, readFileSync(pngCard(folder, name, json as never)));
  card('Ottoline Fenn', almanacCard());
  card('Mara', cardWithBook('Mara', 'Quay', ['One.', 'Two.', 'Three.']));
  put('worlds', `${ALMANAC}.json`, JSON.stringify(almanacWorld()));
  const group = { id: GROUP, name: 'Quayside', members: [OTTOLINE, 'Mara.png'], chat_id: 'q', chats: ['q'] };
  put('groups', `${GROUP}.json`, JSON.stringify({ ...group, disabled_members: [], fav: false }));
}

beforeAll(async () => {
  tavern = await openSillyTavern({ seed, width: 1400, height: 900 });
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const page = () => tavern.page;
/** Waits for the panel and says what it was opened on. */
async function shown(): Promise<string> {
  const facts = panelBox(tavern).locator('.lf-facts dd').first();
  await facts.waitFor();
  return ((await facts.textContent()) ?? '').replace(/\s+/g, ' ');
}
const total = async () => panelBox(tavern).locator('.lf-totals > span').first().textContent();

interface SlashPage {
  SillyTavern: {
    getContext(): {
      executeSlashCommandsWithOptions(text: string): Promise<{ pipe: string }>;
      openCharacterChat?: unknown;
      groups: { id: string }[];
    };
  };
}
const slash = (command: string) =>
  page().evaluate(
    (text) =>
      (globalThis as unknown as SlashPage).SillyTavern.getContext()
        .executeSlashCommandsWithOptions(text)
        .then(({ pipe }) => pipe),
    command,
  );

describe('the panel opens, and writes nothing,', () => {
  it('from the character panel', async () => {
    await openOldCharacter(tavern, OTTOLINE);
    await page().waitForTimeout(1500); // SillyTavern saves its settings after a character was opened
    await writesNothing(tavern, async () => {
      await page().locator('#lf-inspect-character').click();
      expect(await shown()).toBe('Ottoline Fenn · Ottoline Fenn.png · V3 card');
      expect(await total()).toBe('20 entries');
      for (const tab of ['Prompt map', 'Compare', 'Findings', 'Link', 'Entries']) await showTab(tavern, tab);
      await panelBox(tavern).getByRole('radio', { name: 'World file' }).click();
      await page().getByRole('button', { name: 'Open Dockside cant' }).click();
      await closeInspection(tavern);
      await page().waitForTimeout(1500);
    });
    expectNoErrors(tavern);
  });

  it("from a group member's panel", async () => {
    await tavern.openPanel();
    await page().locator('#rm_button_characters').click();
    await page().locator('.group_select', { hasText: 'Quayside' }).click();
    await page().locator('#rm_group_members .group_member').first().waitFor({ state: 'attached' });
    const view = page().locator('#rm_group_members .group_member', { hasText: 'Mara' });
    await view.locator('[data-action="view"]').evaluate((each: HTMLElement) => each.click());
    await tavern.waitForPopup('embedded World/Lorebook');
    await tavern.answerPopup('No');
    await page().locator('#lf-inspect-character').waitFor();
    await page().waitForTimeout(1500);
    await writesNothing(tavern, async () => {
      await page().locator('#lf-inspect-character').click();
      expect(await shown()).toContain('Mara · Mara.png · V3 card');
      expect(await total()).toBe('3 entries');
      await closeInspection(tavern);
    });
    expectNoErrors(tavern);
  });

  it('from the World Info panel, on the lorebook that is open there', async () => {
    await openInWorldEditor(tavern, ALMANAC);
    await page().waitForTimeout(1500);
    await writesNothing(tavern, async () => {
      await page().locator('#lf-inspect-world').click();
      expect(await shown()).toBe(`the world file “${ALMANAC}”`);
      expect(await total()).toBe('20 entries');
      await closeInspection(tavern);
      await page().waitForTimeout(1500);
    });
    await page().locator('#WI-SP-button .drawer-toggle').click();
    expectNoErrors(tavern);
  });

  it('from the extensions menu: on the character of the chat', async () => {
    await openOldCharacter(tavern, 'Mara.png');
    await page().waitForTimeout(1500);
    await writesNothing(tavern, async () => {
      await page().locator('#extensionsMenuButton').click();
      await page().locator('#lf-inspect-menu').click();
      expect(await shown()).toContain('Mara · Mara.png');
      await closeInspection(tavern);
      expect(await slash('/lore-inspect')).toBe('');
      expect(await shown()).toContain('Mara · Mara.png');
      await closeInspection(tavern);
      expect(await slash('/lore-inspect ottoline fenn')).toBe('');
      expect(await shown()).toContain('Ottoline Fenn · Ottoline Fenn.png');
      await closeInspection(tavern);
      expect(await slash(`/lore-inspect ${ALMANAC.toUpperCase()}`)).toBe('');
      expect(await shown()).toBe(`the world file “${ALMANAC}”`);
      await closeInspection(tavern);
      expect(await slash('/lore-inspect Nobody')).toBe('');
      await notice(tavern, 'No character and no lorebook is called “Nobody”.');
    });
    expectNoErrors(tavern);
  });

  it('from the results of imports', async () => {
    await tavern.importCards([jsonCard(folder, 'Ida', cardWithBook('Ida', 'Ida Book', ['One.', 'Two.']))]);
    await notice(tavern, 'Lorebook extracted');
    await page().waitForTimeout(1500);
    await writesNothing(tavern, async () => {
      await pressInNotice(tavern, 'Lorebook extracted', 'Inspect');
      expect(await shown()).toContain('Ida · Ida.png · V3 card');
      await closeInspection(tavern);
    });
    await tavern.importCards(
      ['Jo', 'Kim'].map((name) => jsonCard(folder, name, cardWithBook(name, `${name} Book`, ['One.']))),
    );
    expect((await summary(tavern)).rows.map(({ name }) => name)).toEqual(['Jo', 'Kim']);
    await page().waitForTimeout(1500);
    await writesNothing(tavern, async () => {
      const kim = page().locator('.lf-row-batch', { hasText: 'Kim' });
      await kim.getByRole('button', { name: 'Inspect' }).click();
      expect(await shown()).toContain('Kim · Kim.png · V3 card');
      await closeInspection(tavern);
      await dialogBox(tavern, '2 cards imported').waitFor(); // it stayed below
    });
    expectNoErrors(tavern);
  });
});

describe('without a character', () => {
  beforeAll(async () => {
    await tavern.reload();
  });

  it('the extensions menu and the command ask what is meant, and what is chosen is opened', async () => {
    await page().waitForTimeout(1500);
    await writesNothing(tavern, async () => {
      await page().locator('#extensionsMenuButton').click();
      await page().locator('#lf-inspect-menu').click();
      const box = dialogBox(tavern, 'Inspect lorebooks');
      await box.getByRole('searchbox', { name: 'A character: search' }).fill('otto');
      await box.getByRole('searchbox', { name: 'A character: search' }).press('Enter');
      expect(await shown()).toContain('Ottoline Fenn');
      await closeInspection(tavern);
      expect(await slash('/lore-inspect')).toBe('');
      await box.getByRole('combobox', { name: 'A lorebook' }).selectOption(ALMANAC);
      await box.getByRole('button', { name: 'Inspect', exact: true }).first().click();
      expect(await shown()).toBe(`the world file “${ALMANAC}”`);
      await closeInspection(tavern);
    });
    expectNoErrors(tavern);
  });

  it('a file that is chosen or dropped is shown before it is imported', async () => {
    const card = pngCard(folder, 'Unknown', cardWithBook('Unknown', 'Unknown Book', ['One.', 'Two.']));
    const world = join(folder, 'Loose.json');
    writeFileSync(world, JSON.stringify(almanacWorld()));
    const broken = join(folder, 'broken.png');
    writeFileSync(broken, 'no picture');
    const box = dialogBox(tavern, 'Inspect lorebooks');
    await page().waitForTimeout(1500);
    await writesNothing(tavern, async () => {
      await slash('/lore-inspect');
      await box.locator('input[type=file]').setInputFiles(card);
      expect(await shown()).toBe('Unknown · Unknown.png · V3 card · not imported');
      expect(await total()).toBe('2 entries');
      for (const tab of ['Prompt map', 'Compare', 'Findings', 'Link']) await showTab(tavern, tab);
      await panelBox(tavern).getByRole('button', { name: 'Import it' }).waitFor();
      await closeInspection(tavern);

      await slash('/lore-inspect');
      await drop(world);
      expect(await shown()).toBe('Loose.json · not imported');
      expect(await total()).toBe('20 entries');
      await closeInspection(tavern);

      await slash('/lore-inspect');
      await drop(broken);
      await box.getByRole('alert').waitFor();
      expect(await box.getByRole('alert').textContent()).toContain('broken.png');
      await page().keyboard.press('Escape');
      await box.waitFor({ state: 'detached' });
    });
    expect(tavern.worldNames()).not.toContain('Loose');
    expectNoErrors(tavern);
  });
});

/** Drops a file on the question what to inspect, beside the dashed area. */
async function drop(path: string): Promise<void> {
  await page().locator('.lf-choose').waitFor();
  await page().evaluate(
    ([name, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name));
      const place = document.querySelector('dialog[open] .lf-dialog-title');
      const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
      place?.dispatchEvent(new DragEvent('dragover', options));
      place?.dispatchEvent(new DragEvent('drop', options));
    },
    [basename(path), readFileSync(path).toString('base64')] as const,
  );
}

describe('by keyboard alone', () => {
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page().keyboard.press(key);
  };
  /** What has the focus, by its role and name. */
  const focused = () =>
    page().evaluate(() => {
      const at = document.activeElement;
      if (!(at instanceof HTMLElement)) return 'nothing';
      const role = at.getAttribute('role') ?? at.tagName.toLowerCase();
      const name =
        at.getAttribute('aria-label') ?? (at.querySelector(':scope > span') ?? at).textContent.trim();
      return `${role} ${name}`;
    });

  it('opens, goes through the panel in the order in which it is read, and closes', async () => {
    await openOldCharacter(tavern, OTTOLINE);
    const button = page().locator('#lf-inspect-character');
    await button.focus();
    await press('Enter');
    await shown();
    expect(await focused()).toBe('tab Entries');
    await press('/');
    expect(await focused()).toBe('input Search titles, keys, text');
    const order: string[] = [];
    const from = panelBox(tavern).getByRole('radio', { name: 'Card’s copy' });
    await from.focus();
    for (let step = 0; step < 30; step++) {
      const now = await focused();
      if (order.includes(now)) break;
      order.push(now);
      await press('Tab');
    }
    expect(order.slice(0, -1)).toEqual([
      'radio Card’s copy',
      'button Export to another app...',
      'button 4 entries differ',
      'tab Entries',
      'input Search titles, keys, text',
      'select State',
      'select Slot',
      'select Agreement',
      'select Finding',
      'button Needs a look',
      ...['State', 'Entry', 'Keys', 'Coarse', 'Precise', 'Agreement', 'Lands in'].map(
        (name) => `button ${name}`,
      ),
      'button Order ↑',
      'button Open Harbour rules in force',
      'button Write both encodings',
      'button Close',
    ]);
    await press('Escape');
    await panelBox(tavern).waitFor({ state: 'detached' });
    expect(await button.evaluate((each) => each === document.activeElement)).toBe(true);
    expectNoErrors(tavern);
  });

  it('arrow keys move among tabs, radios and entries; Enter opens; a slash searches', async () => {
    await inspectCharacter(tavern, OTTOLINE);
    const panel = panelBox(tavern);
    await panel.getByRole('tab', { name: 'Entries' }).focus();
    await press('ArrowRight');
    expect(await focused()).toBe('tab Prompt map');
    await panel.getByRole('region', { name: 'Prompt from top to bottom' }).waitFor();
    await press('End');
    expect(await focused()).toBe('tab Link');
    await press('ArrowRight');
    expect(await focused()).toBe('tab Entries');

    await panel.getByRole('radio', { name: 'Card’s copy' }).focus();
    await press('ArrowRight');
    expect(await focused()).toBe('radio World file');
    await panel.locator('.lf-cell-title', { hasText: 'The drowned bell' }).waitFor();
    await press('ArrowLeft');
    expect(await focused()).toBe('radio Card’s copy');

    const rows = panel.getByRole('row');
    const table = panel.getByRole('table', { name: 'Entries' });
    expect(await table.getAttribute('aria-rowcount')).toBe('21');
    expect(await rows.first().getByRole('columnheader').count()).toBe(9);
    await panel.locator('[data-entry]').first().focus();
    expect(await focused()).toBe('button Open Harbour rules in force');
    await press('ArrowDown', 'ArrowDown');
    await expect.poll(focused).toBe('button Open Saltmere, the town');
    await press('Enter');
    await entryRow(tavern, 'Saltmere, the town').locator('.lf-details').waitFor();
    expect(await focused()).toBe('button Close Saltmere, the town');
    await press('Enter');
    await entryRow(tavern, 'Saltmere, the town').locator('.lf-details').waitFor({ state: 'detached' });
    await press('End');
    await expect.poll(focused).toBe('button Open Bastian, the old friend');
    await press('Home');
    await expect.poll(focused).toBe('button Open Harbour rules in force');

    await press('/');
    expect(await focused()).toBe('input Search titles, keys, text');
    await page().keyboard.type('lamp/');
    expect(await panel.getByRole('searchbox').inputValue()).toBe('lamp/');
    await press('Backspace');
    await panel
      .getByRole('status')
      .filter({ hasText: /^1 of 20$/ })
      .waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe('2');
    expect(await rows.count()).toBe(2);
    expectNoErrors(tavern);
  });

  it('names what can be chosen', async () => {
    const panel = await inspectCharacter(tavern, OTTOLINE);
    await panel.getByRole('tablist').waitFor();
    expect(await panel.getByRole('tab').count()).toBe(5);
    await panel.getByRole('radiogroup', { name: 'Which lorebook' }).waitFor();
    await showTab(tavern, 'Prompt map');
    await panel.getByRole('radiogroup', { name: 'Read as' }).waitFor();
    await panel.getByRole('radio', { name: 'SillyTavern' }).focus();
    await press('ArrowRight');
    expect(await focused()).toBe('radio Spec-only reader');
    await panel.getByRole('status').filter({ hasText: 'entries move' }).waitFor();
    await showTab(tavern, 'Compare');
    await panel.getByRole('radiogroup', { name: 'Show' }).waitFor();
    await panel.getByRole('radio', { name: 'Differ 4' }).focus();
    await press('ArrowRight');
    await expect.poll(focused).toMatch(/^radio Same \d+/);
    await panel.getByRole('list', { name: 'Entries that are the same' }).waitFor();
    expectNoErrors(tavern);
  });
});
