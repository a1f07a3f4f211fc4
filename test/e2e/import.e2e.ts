// The import flow in a real SillyTavern: every way in, and what stands in files and links afterwards.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardFolder, cardWithBook, pngCard } from './card-files.ts';
import { openSillyTavern, type Tavern } from './harness.ts';

let tavern: Tavern;
const folder = cardFolder();

beforeAll(async () => {
  tavern = await openSillyTavern();
});
afterAll(() => tavern.close());
afterEach(() => {
  tavern.clearToasts();
});

const worldOf = (avatar: string): unknown =>
  (tavern.cardOf(avatar)['data'] as { extensions?: { world?: unknown } })?.extensions?.world;

describe('file picker', () => {
  it('extracts, links and tells', async () => {
    const path = pngCard(folder, 'Odile', cardWithBook('Odile', 'Harbour Notes', ['One.', 'Two.']));
    const [reply] = await tavern.importCards([path]);
    expect(reply?.avatar).toBe('Odile.png');
    expect(worldOf('Odile.png')).toBe('Harbour Notes');
    expect(Object.keys(tavern.worldFile('Harbour Notes')?.entries ?? {})).toHaveLength(2);
    await tavern.page.locator('.lf-toast').waitFor();
    const text = await tavern.page.locator('.lf-toast').innerText();
    expect(text).toContain('Lorebook extracted');
    expect(text).toContain('“Harbour Notes”: 2 entries, linked to Odile.');
    await tavern.screenshot('toast-1400', { width: 1400, height: 900 });
    await tavern.screenshot('toast-390', { width: 390, height: 844 });
    expect(tavern.errors).toEqual([]);
  });
});
