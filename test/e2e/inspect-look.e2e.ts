// What the panel looks like: every tab, on a wide screen and a phone, in a dark theme and a light one.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { almanacCard, almanacWorld } from './almanac.ts';
import { cardFolder, pngCard } from './card-files.ts';
import { openSillyTavern, type Tavern } from './harness.ts';
import { lookAt } from './look.ts';
import { noticeBox, openOldCharacter, tidy } from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();

function seed(userDir: string): void {
  const characters = join(userDir, 'characters');
  const worlds = join(userDir, 'worlds');
  for (const place of [characters, worlds]) mkdirSync(place, { recursive: true });
  writeFileSync(
    join(characters, 'Ottoline Fenn.png'),
    readFileSync(pngCard(folder, 'o.png', almanacCard() as never)),
  );
  writeFileSync(join(worlds, 'Fenn Harbour Almanac.json'), JSON.stringify(almanacWorld()));
}

beforeAll(async () => {
  tavern = await openSillyTavern({ seed });
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

async function openPanel(tab?: string): Promise<void> {
  await openOldCharacter(tavern, 'Ottoline Fenn.png');
  await tavern.page.locator('#lf-inspect-character').click();
  await tavern.page.locator('.lf-panel').waitFor();
  if (tab) await tavern.page.getByRole('tab', { name: tab }).click();
}

describe('the panel', () => {
  it.each([
    ['entries', undefined],
    ['map', 'Prompt map'],
    ['compare', 'Compare'],
    ['findings', 'Findings'],
    ['link', 'Link'],
  ] as const)('looks right: %s', async (name, tab) => {
    await openPanel(tab);
    await tavern.page.waitForTimeout(500);
    await lookAt(tavern, `panel-${name}`, '.lf-panel');
  });

  it('looks right with an entry opened', async () => {
    await openPanel();
    await tavern.page.getByRole('button', { name: 'Open Dockside cant' }).click();
    await tavern.page.waitForTimeout(300);
    await lookAt(tavern, 'panel-opened', '.lf-panel');
  });

  it('looks right on a small screen that is no phone', async () => {
    await openPanel();
    await tavern.page.waitForTimeout(300);
    // The table has more columns than fit, and scrolls.
    await lookAt(tavern, 'panel-entries', '.lf-tabs', [[620, 800]]);
  });

  it('looks right as a spec-only reader sees it', async () => {
    await openPanel('Prompt map');
    await tavern.page.getByRole('radio', { name: 'Spec-only reader' }).click();
    await lookAt(tavern, 'panel-map-spec-only', '.lf-panel');
  });

  it('tells what was done below its list', async () => {
    await openPanel('Findings');
    await tavern.page.getByRole('button', { name: /^Mend \d+…$/ }).click();
    await tavern.page.locator('dialog[open] .popup-button-ok', { hasText: 'Mend' }).click();
    const notice = noticeBox(tavern, 'Done: Mend “Fenn Harbour Almanac” in the card');
    await notice.waitFor();
    await tavern.page.waitForTimeout(600);
    for (const [width, height] of [
      [1400, 900],
      [390, 844],
    ] as const) {
      await tavern.page.setViewportSize({ width, height });
      await tavern.page.waitForTimeout(300);
      await tavern.screenshot(`panel-done-${width}`);
      const boxOf = async (selector: string) => {
        const box = await tavern.page.locator(selector).last().boundingBox();
        if (box === null) throw new Error(`no ${selector}`);
        return box;
      };
      const toast = await boxOf('.lf-toast');
      const [tabs, close] = [await boxOf('.lf-tabs'), await boxOf('dialog[open] .popup-button-ok')];
      expect(toast.y).toBeGreaterThan(tabs.y + tabs.height);
      expect(toast.y + toast.height).toBeLessThanOrEqual(close.y);
    }
  });
});
