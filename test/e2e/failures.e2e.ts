// What the server or the network does not do: SillyTavern's own import goes on, nothing half done stays, and the
// person is told in one notice and can try again.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardFolder, cardWithBook, contentsIn, jsonCard, scenarioOf } from './card-files.ts';
import { openSillyTavern, type Tavern } from './harness.ts';
import {
  afterBatch,
  bookEntriesOf,
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  noticeTitles,
  pressInNotice,
  recentChanges,
  shownLink,
  tidy,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();
const NOT = 'Card imported, lorebook not';

beforeAll(async () => {
  tavern = await openSillyTavern();
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const importOne = async (name: string): Promise<string> => {
  const path = jsonCard(folder, name, cardWithBook(name, `${name} Book`, [`${name} one.`, `${name} two.`]));
  const [reply] = await tavern.importCards([path]);
  expect(reply?.status).toBe(200);
  return reply?.avatar ?? '';
};

describe('a server that refuses', () => {
  it('the world file: failed, not linked, no success; trying again gives all 49 entries (76)', async () => {
    const [card] = scenarioOf('76-save-fails').cards;
    await tavern.failNext('/api/worldinfo/edit', 500, { times: 2 });
    const [reply] = await tavern.importCards([jsonCard(folder, '76', card)]);
    const avatar = reply?.avatar ?? '';
    const [line] = await notice(tavern, NOT);
    expect(line).toContain('error 500');
    expect(line).toContain('Mara Lint is in your list; the book is still in the card.');
    expect(await noticeTitles(tavern)).toEqual([NOT]);
    const said = (await tavern.toasts()).filter(({ kind }) => kind === 'success');
    // SillyTavern's own, and true.
    expect(new Set(said.map(({ message }) => message))).toEqual(new Set(['Character Created: Mara Lint']));
    expect(linkOf(tavern, avatar) || '').toBe('');
    expect(tavern.worldNames()).toEqual(['Eldoria']);
    expect(bookEntriesOf(tavern, avatar)).toHaveLength(49);
    expect(await recentChanges(tavern)).toEqual([]);

    await pressInNotice(tavern, NOT, 'Try again');
    await expect.poll(() => tavern.calls.filter(({ status }) => status === 500).length).toBe(2);
    await notice(tavern, NOT); // still failing: said again, with the button
    await pressInNotice(tavern, NOT, 'Try again');
    expect(await notice(tavern, 'Lorebook extracted')).toEqual([
      '“Quay Notes”: 49 entries, linked to Mara Lint.',
    ]);
    expect(linkOf(tavern, avatar)).toBe('Quay Notes');
    expect(entriesOf(tavern, 'Quay Notes').map(({ content }) => content)).toEqual(contentsIn(card));
    expectNoErrors(tavern, /status of 500/);
  });

  it('the link: the new world file is taken back', async () => {
    await tavern.failNext('/api/characters/merge-attributes', 500, { times: 9 });
    const avatar = await importOne('Linkless');
    expect((await notice(tavern, NOT)).join()).toContain('error 500');
    expect(tavern.worldNames()).not.toContain('Linkless Book');
    expect(linkOf(tavern, avatar) || '').toBe('');
    await tavern.page.unrouteAll({ behavior: 'ignoreErrors' });
    await tavern.openCharacter(avatar); // the page must not claim what the file does not say
    await tavern.page.waitForTimeout(500);
    for (const text of await tavern.popups()) {
      // The extraction failed, so SillyTavern's own offer is what is left.
      expect(text).toContain('embedded World/Lorebook');
      await tavern.answerPopup('No');
    }
    expect(await shownLink(tavern)).toEqual({ globe: false, world: '' });
    expectNoErrors(tavern, /status of 500/);
  });

  it('the list of worlds: nothing is written blindly', async () => {
    const lift = await tavern.failNext('/api/worldinfo/list', 503, { times: 99 });
    const avatar = await importOne('Listless');
    expect((await notice(tavern, NOT)).join()).toContain('error 503');
    expect(tavern.worldNames()).not.toContain('Listless Book');
    expect(bookEntriesOf(tavern, avatar)).toHaveLength(2);
    await lift();
    await pressInNotice(tavern, NOT, 'Try again');
    await notice(tavern, 'Lorebook extracted');
    expect(linkOf(tavern, avatar)).toBe('Listless Book');
    expectNoErrors(tavern, /status of 503/);
  });

  it('a world that reads back with less than was written: not linked, taken back, told', async () => {
    await tavern.page.route('**/api/worldinfo/edit', async (route) => {
      const sent = route.request().postDataJSON() as { data: { entries: Record<string, unknown> } };
      delete sent.data.entries['1'];
      await route.continue({ postData: JSON.stringify(sent) });
    });
    const avatar = await importOne('Short');
    expect((await notice(tavern, NOT)).join()).toContain('“Short Book” reads back with 1 of 2 entries.');
    expect(linkOf(tavern, avatar) || '').toBe('');
    await tavern.page.unroute('**/api/worldinfo/edit');
    expect(tavern.worldNames()).not.toContain('Short Book');
    expectNoErrors(tavern);
  });

  it('the character itself: SillyTavern says so, and we add nothing', async () => {
    await tavern.failNext('/api/characters/import', 500);
    const before = tavern.worldNames();
    await tavern.importCards([
      jsonCard(folder, 'Refused', cardWithBook('Refused', 'Refused Book', ['One.'])),
    ]);
    await afterBatch(tavern);
    expect(await noticeTitles(tavern)).toEqual([]);
    expect(tavern.worldNames()).toEqual(before);
    expectNoErrors(tavern, /status of 500/, /Error importing character/);
  });
});

describe('a network that breaks', () => {
  it('while the world file is written', async () => {
    await tavern.failNext('/api/worldinfo/edit', 'abort');
    const avatar = await importOne('Broken Off');
    expect((await notice(tavern, NOT)).join()).toContain('did not answer');
    expect(linkOf(tavern, avatar) || '').toBe('');
    await pressInNotice(tavern, NOT, 'Try again');
    await notice(tavern, 'Lorebook extracted');
    expect(linkOf(tavern, avatar)).toBe('Broken Off Book');
    expectNoErrors(tavern, /net::ERR_FAILED/);
  });

  it('holds SillyTavern’s import for no more than seconds, and finishes late', async () => {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await tavern.page.route('**/api/worldinfo/edit', async (route) => {
      await held;
      await route.continue();
    });
    const began = Date.now();
    const avatar = await importOne('Slow');
    expect(Date.now() - began).toBeLessThan(9000);
    expect(tavern.worldNames()).not.toContain('Slow Book');
    release();
    await notice(tavern, 'Lorebook extracted');
    expect(linkOf(tavern, avatar)).toBe('Slow Book');
    await tavern.page.unroute('**/api/worldinfo/edit');
    expectNoErrors(tavern);
  });
});

it('files on disk are whole after all of that', () => {
  for (const name of tavern.worldNames()) {
    const text = readFileSync(join(tavern.server.userDir, 'worlds', `${name}.json`), 'utf8');
    expect(Object.keys((JSON.parse(text) as { entries: object }).entries).length).toBeGreaterThan(0);
  }
});
