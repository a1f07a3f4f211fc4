// The cases of the fixtures as the panel shows them in the real SillyTavern.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardFolder, caseOf, jsonCard, pngCard, scenarioOf } from './card-files.ts';
import { type JsonObject, openSillyTavern, type Tavern } from './harness.ts';
import {
  bookEntriesOf,
  clearNotices,
  closeInspection,
  dialogBox,
  entryRow,
  expectNoErrors,
  inspectCharacter,
  linkOf,
  notice,
  panelBox,
  pressInNotice,
  showTab,
  tidy,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();

/** A scenario with its lorebook under another name: they all stand in one SillyTavern. */
function renamed(name: string, book: string): ReturnType<typeof scenarioOf> {
  return JSON.parse(JSON.stringify(scenarioOf(name)).replaceAll('Quay Notes', book)) as never;
}

function seed(userDir: string): void {
  for (const place of ['characters', 'worlds']) mkdirSync(join(userDir, place), { recursive: true });
  const card = (avatar: string, json: JsonObject | undefined): void =>
    writeFileSync(join(userDir, 'characters', avatar), readFileSync(pngCard(folder, avatar, json as never)));
  const world = (name: string, json: JsonObject): void =>
    writeFileSync(join(userDir, 'worlds', `${name}.json`), JSON.stringify(json));
  for (const [name, number] of [
    ['11-link-points-to-renamed-world', 11],
    ['61-linked-but-not-embedded', 61],
    ['62-stale-embedded-copy', 62],
  ] as const) {
    const scenario = renamed(name, `Notes ${number}`);
    card(`case ${number}.png`, scenario.cards[0]);
    for (const [title, file] of Object.entries(scenario.worlds)) world(title, file);
  }
  card('case 26.png', caseOf('26-position-out-of-spec'));
  card('case 87.png', caseOf('87-disabled-entries'));
  card('case S1.png', caseOf('S1-duplicate-and-null-ids'));
  world('Spec shaped', caseOf('53-world-file-with-array'));
}

beforeAll(async () => {
  tavern = await openSillyTavern({ seed, width: 1400, height: 900 });
  tavern.page.setDefaultTimeout(10_000);
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const panel = () => panelBox(tavern);

/** The table's rows as text, the cells in the order in which they are read. */
function table(...cells: readonly string[]): Promise<string[]> {
  return panel()
    .locator('.lf-entry')
    .evaluateAll(
      (rows, names) =>
        rows.map((row) =>
          names
            .map((name) => row.querySelector(`.lf-cell-${name}`)?.textContent?.replace(/\s+/g, ' ').trim())
            .join(' | '),
        ),
      cells,
    );
}

const found = () =>
  panel()
    .locator('.lf-finding-rows > li')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('.lf-mark, b, .lf-text:not(button)')]
          .map((each) => each.textContent)
          .join(' | '),
      ),
    );

async function accept(title: string): Promise<void> {
  const box = dialogBox(tavern, title);
  await box.locator('.lf-plan').waitFor();
  await box.locator('.popup-button-ok').click();
  await notice(tavern, title);
}

async function undo(title: string): Promise<void> {
  await pressInNotice(tavern, title, 'Undo');
  await notice(tavern, 'Undone');
  await clearNotices(tavern);
}

const slash = (command: string) =>
  tavern.page.evaluate(
    (text) =>
      (
        globalThis as unknown as {
          SillyTavern: { getContext(): { executeSlashCommandsWithOptions(text: string): Promise<unknown> } };
        }
      ).SillyTavern.getContext()
        .executeSlashCommandsWithOptions(text)
        .then(() => undefined),
    command,
  );

describe('links', () => {
  it('11: a link to a renamed world is said to be dead, and its file is offered', async () => {
    await inspectCharacter(tavern, 'case 11.png');
    await panel().getByText('“Notes 11”, which does not exist').waitFor();
    await showTab(tavern, 'Compare');
    await panel().getByText('The linked world “Notes 11” does not exist.').waitFor();
    await panel().getByText('“Notes 11 revised” has the same content as the card’s copy.').waitFor();
    const title = 'Link “Notes 11 revised” to Mara Lint';
    await panel().getByRole('button', { name: 'Link to “Notes 11 revised”' }).click();
    await accept(title);
    await panel().getByText('Both are the same.').waitFor();
    expect(linkOf(tavern, 'case 11.png')).toBe('Notes 11 revised');
    expect(tavern.worldNames()).not.toContain('Notes 11');
    await undo(title);
    expect(linkOf(tavern, 'case 11.png')).toBe('Notes 11');
    await panel().getByText('The linked world “Notes 11” does not exist.').waitFor();
    await showTab(tavern, 'Link');
    await panel().getByText('“Notes 11 revised” has the same content.').waitFor();
    await panel().getByRole('button', { name: 'Link to it…' }).waitFor();
    expect(tavern.worldNames()).not.toContain('Notes 11');
    expectNoErrors(tavern);
  });

  it('61: a linked world without a copy in the card', async () => {
    const card = tavern.cardOf('case 61.png');
    await inspectCharacter(tavern, 'case 61.png');
    expect(await table('title', 'precise', 'mark', 'lands')).toEqual([
      'Lamp | 0 before char | Precise only | ↑CharBefore character',
    ]);
    await showTab(tavern, 'Compare');
    await panel()
      .getByText('The card holds no copy of it: whoever gets the card from you gets no lorebook.')
      .waitFor();
    await panel().getByRole('button', { name: 'Update the card from the world file…' }).click();
    await accept('Update the card of Mara Lint');
    await panel().getByText('Both are the same.').waitFor();
    expect(bookEntriesOf(tavern, 'case 61.png')).toMatchObject([{ keys: ['lamp'], content: 'Lamp note.' }]);
    await undo('Update the card of Mara Lint');
    expect(tavern.cardOf('case 61.png')).toEqual(card);
    expectNoErrors(tavern);
  });

  it('62: a stale copy: one changed, one added, and which of them SillyTavern uses', async () => {
    await inspectCharacter(tavern, 'case 62.png');
    await panel().getByRole('button', { name: '2 entries differ' }).click();
    await panel().getByText('SillyTavern generates from the world file.').waitFor();
    await panel().getByText('In the card: 1 entry changes, 1 is added.').waitFor();
    const blocks = panel().locator('.lf-difference');
    expect(await blocks.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).toEqual([
      'Changed: Lamp',
      'Only in the world file: New',
    ]);
    const content = blocks.first().locator('.lf-field-row', { hasText: 'Content' }).locator('.lf-side');
    expect(await content.allTextContents()).toEqual(['Lamp note, old text.', 'Lamp note, edited yesterday.']);
    expectNoErrors(tavern);
  });
});

describe('books', () => {
  it('26: positions that the standard does not know', async () => {
    await inspectCharacter(tavern, 'case 26.png');
    // By order, so the entry without a title, of order 1, comes first.
    expect(await table('title', 'coarse', 'precise', 'mark', 'lands')).toEqual([
      'h | none | none | Assumed | ↓CharAfter character',
      'Int | 0 | none | Invalid | ↑CharBefore character',
      'Int | 1 | none | Invalid | ↓CharAfter character',
      'Digit | "0" | none | Invalid | ↑CharBefore character',
      'Empty | "" | none | Invalid | ↓CharAfter character',
      'Unknown | top_of_chat | none | Invalid | ↓CharAfter character',
      'Null. | none | none | Assumed | ↓CharAfter character',
      'Ext | after_char | "4" at depth | Floor | @DDepth 4, system',
      'Ext | after_char | before_char before char | Conflict | ↑CharBefore character',
    ]);
    await showTab(tavern, 'Findings');
    const rows = await found();
    expect(rows.filter((row) => row.includes('puts it after the character'))).toHaveLength(2);
    expect(rows.filter((row) => row.startsWith('Invalid'))).toHaveLength(5);
    expect(rows.filter((row) => row.startsWith('Assumed'))).toHaveLength(2);
    expect(rows.filter((row) => row.startsWith('Conflict'))).toHaveLength(1);
    expect(rows.some((row) => row.includes('Its position is "4", text where a number belongs.'))).toBe(true);
    expectNoErrors(tavern);
  });

  it('87: off is off, and absent is on', async () => {
    await inspectCharacter(tavern, 'case 87.png');
    expect(await table('state', 'title')).toEqual(['On | c', 'On | On.', 'Off | Off.', 'Off | Off']);
    expect(await panel().locator('.lf-totals').textContent()).toMatch(/4 entries2 on2 off/);
    await entryRow(tavern, 'On.').waitFor();
    await panel().getByRole('combobox', { name: 'State' }).selectOption('off');
    await panel().getByRole('status').filter({ hasText: '2 of 4' }).waitFor();
    expect(await table('title')).toEqual(['Off.', 'Off']);
    await showTab(tavern, 'Findings');
    const rows = await found();
    expect(rows).toContain(
      'Assumed | c | It does not say whether it is on. It is read as on; SillyTavern’s own import would switch it off.',
    );
    expect(rows.some((row) => row.startsWith('Repaired | Off | '))).toBe(true);
    expectNoErrors(tavern);
  });

  it('S1: seven entries, each given an id of its own, the old ones still to be seen', async () => {
    const card = tavern.cardOf('case S1.png');
    await inspectCharacter(tavern, 'case S1.png');
    expect(await panel().locator('.lf-totals > span').first().textContent()).toBe('7 entries');
    await panel().getByRole('button', { name: 'Open Five.' }).click();
    const fields = entryRow(tavern, 'Five.').locator('.lf-fields');
    await fields.waitFor();
    expect(await fields.textContent()).toContain('Original id"x"');
    await showTab(tavern, 'Findings');
    await panel()
      .getByRole('button', { name: /^Give unique ids/ })
      .first()
      .click();
    const title = 'Give unique ids: “Quay Notes” in the card';
    await accept(title);
    const entries = bookEntriesOf(tavern, 'case S1.png');
    expect(entries.map(({ content }) => content)).toEqual([
      'One.',
      'Two.',
      'Three.',
      'Four.',
      'Five.',
      'Six.',
      'Seven.',
    ]);
    expect(entries.every(({ id }) => Number.isInteger(id))).toBe(true);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(7);
    await undo(title);
    expect(tavern.cardOf('case S1.png')).toEqual(card);
    expectNoErrors(tavern);
  });
});

describe('files', () => {
  it('53: a world file with a list is read, and converted after a yes', async () => {
    const before = tavern.worldFile('Spec shaped');
    const title = 'Convert the file: “Spec shaped”';
    await slash('/lore-inspect Spec shaped');
    await panel().waitFor();
    expect(await table('state', 'title', 'lands', 'order')).toEqual([
      'On | Lamp | ↑CharBefore character | 10',
      'Off | quay | ↓CharAfter character | 20',
    ]);
    await showTab(tavern, 'Findings');
    await panel()
      .getByRole('button', { name: /^Convert the file/ })
      .first()
      .click();
    await accept(title);
    expect(tavern.worldFile('Spec shaped')).toMatchObject({
      entries: {
        0: { uid: 0, key: ['lamp'], content: 'Lamp note.', order: 10, position: 0, disable: false },
        1: { uid: 1, key: ['quay'], content: 'Quay note.', order: 20, position: 1, disable: true },
      },
    });
    await panel()
      .getByRole('button', { name: /^Convert the file/ })
      .waitFor({ state: 'detached' });
    await undo(title);
    expect(tavern.worldFile('Spec shaped')).toEqual(before);
    expectNoErrors(tavern);
  });

  it('45: a book in another place of a card is found, and the place is named', async () => {
    const cards = caseOf('45-book-in-wrong-place') as unknown as readonly JsonObject[];
    const places = [
      'Found at the root of the card',
      'Found in the extensions of the card.',
      'Found as the memory book of the character.',
    ];
    expect(cards).toHaveLength(places.length);
    for (const [index, card] of cards.entries()) {
      await tavern.page.locator('#lf-inspect-world').evaluate((each: HTMLElement) => each.click());
      await tavern.page
        .locator('.lf-choose input[type=file]')
        .setInputFiles(jsonCard(folder, `45-${index}`, card));
      await panel().waitFor();
      expect(await panel().locator('.lf-facts dd').first().textContent()).toContain(places[index]);
      expect(await table('title')).toEqual(['Lamp']);
      await closeInspection(tavern);
    }
    await clearNotices(tavern);
    expectNoErrors(tavern);
  });

  it('45: the book in the standard slot comes first', async () => {
    const [, inExtensions] = caseOf('45-book-in-wrong-place') as unknown as readonly (JsonObject & {
      data: JsonObject;
    })[];
    const entry = {
      id: 0,
      keys: ['quay'],
      content: 'Quay.',
      enabled: true,
      insertion_order: 1,
      extensions: {},
    };
    const both = {
      ...inExtensions,
      data: { ...inExtensions?.data, character_book: { name: 'Standard', extensions: {}, entries: [entry] } },
    };
    await tavern.page.locator('#lf-inspect-world').evaluate((each: HTMLElement) => each.click());
    await tavern.page.locator('.lf-choose input[type=file]').setInputFiles(jsonCard(folder, '45-both', both));
    await panel().waitFor();
    expect(await panel().locator('.lf-facts dd').first().textContent()).not.toContain('Found');
    expect(await table('title')).toEqual(['quay']);
    const books = panel().getByRole('radiogroup', { name: 'Which lorebook' }).getByRole('radio');
    expect(await books.count()).toBe(2);
    await books.last().click();
    await expect.poll(() => table('title')).toEqual(['Lamp']);
    expect(await panel().locator('.lf-facts dd').first().textContent()).toContain(
      'Found in the extensions of the card.',
    );
    expectNoErrors(tavern);
  });
});
