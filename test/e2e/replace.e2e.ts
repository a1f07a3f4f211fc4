// Replace / Update of a linked character: the same book changes nothing, a changed one is asked about, and the link
// outlives whatever comes (decisions 14).

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  cardFolder,
  cardWithBook,
  contentsIn,
  fileNamed,
  jsonCard,
  pngCard,
  scenarioOf,
} from './card-files.ts';
import { type JsonObject, openSillyTavern, type Tavern, type WorldFile } from './harness.ts';
import {
  afterBatch,
  bookEntriesOf,
  changedBook,
  choosePolicy,
  clearNotices,
  dialogBox,
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  noticeTitles,
  openOldCharacter,
  openSettingsBlock,
  pressInNotice,
  recentChanges,
  shownLink,
  tidy,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();
const older = scenarioOf('02-newer-card-same-book');

/** Case 02 as it stood before: a character linked to a world that somebody made by hand. */
function seed(userDir: string): void {
  const [world, data] = Object.entries(older.worlds)[0] ?? ['', {}];
  for (const place of ['characters', 'worlds']) mkdirSync(join(userDir, place), { recursive: true });
  writeFileSync(join(userDir, 'worlds', `${world}.json`), JSON.stringify(data));
  const { data: body } = cardWithBook('Mara Lint', '', []) as { data: JsonObject };
  const card = {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: { ...body, character_book: null, extensions: { world } },
  };
  writeFileSync(
    join(userDir, 'characters', 'Mara Lint.png'),
    readFileSync(pngCard(folder, 'Mara', card as never)),
  );
}

beforeAll(async () => {
  tavern = await openSillyTavern({ seed });
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const AVATAR = 'Rep.png';
const WORLD = 'Rep Book';
const v1 = ['One.', 'Two.', 'Three.'];
let version = 0;

/** A card of "Rep" whose book holds these contents; every file differs somewhere else too. */
const repCard = (contents: readonly string[], extra: JsonObject = {}): string => {
  version++;
  return jsonCard(
    folder,
    `rep-${version}`,
    cardWithBook('Rep', WORLD, contents, { character_version: `${version}`, ...extra }),
  );
};

/** The same bytes under another name: SillyTavern's file input says nothing of a file that it holds already. */
const again = (path: string): string => {
  version++;
  return fileNamed(folder, `rep-${version}.json`, readFileSync(path));
};

/** Replaces the open character and waits until SillyTavern has saved it, with whatever stands in its form. */
async function replace(path: string): Promise<void> {
  const saves = tavern.countCalls('/api/characters/edit');
  await tavern.openPanel();
  const reply = await tavern.replaceCharacter(path);
  expect(reply.status).toBe(200);
  await expect
    .poll(() => tavern.countCalls('/api/characters/edit'), { timeout: 10_000 })
    .toBeGreaterThan(saves);
  await tavern.page.waitForTimeout(200);
}

const worldText = (name = WORLD): string =>
  readFileSync(join(tavern.server.userDir, 'worlds', `${name}.json`), 'utf8');
const contentsOf = (name = WORLD): string[] => entriesOf(tavern, name).map(({ content }) => content);
const worldWrites = () => tavern.countCalls('/api/worldinfo/edit');

async function editEntry(uid: string, content: string): Promise<void> {
  const file = tavern.worldFile(WORLD) as WorldFile;
  await tavern.putWorld(WORLD, {
    ...file,
    entries: { ...file.entries, [uid]: { ...file.entries[uid], content } },
  });
}

describe('a character that was linked here', () => {
  it('with the same book: nothing is asked or made, the link stays', async () => {
    await tavern.importCards([repCard(v1)]);
    await notice(tavern, 'Lorebook extracted');
    await clearNotices(tavern);
    await tavern.openCharacter(AVATAR);
    const [before, writes] = [worldText(), worldWrites()];
    await replace(repCard(v1, { description: 'Newer words.' }));
    expect(await notice(tavern, 'Already extracted')).toHaveLength(1);
    expect(tavern.cardOf(AVATAR).data?.['description']).toBe('Newer words.');
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    expect(await shownLink(tavern)).toEqual({ globe: true, world: WORLD });
    expect(worldText()).toBe(before);
    expect(worldWrites()).toBe(writes);
    expect(tavern.worldNames()).toEqual(['Eldoria', 'Quay Notes', WORLD]);
    expectNoErrors(tavern);
  });

  it('with the same book after the world was edited: the edit stays', async () => {
    await editEntry('0', 'One, as I like it.');
    const before = worldText();
    await replace(repCard(v1));
    await notice(tavern, 'Already extracted');
    expect(worldText()).toBe(before);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    await editEntry('0', 'One.');
    expectNoErrors(tavern);
  });

  const v2 = [...v1, 'Four.'];
  let v2File = '';

  it('with a changed book: “Keep” leaves the file as it is, and is remembered for that version', async () => {
    v2File = repCard(v2);
    const before = worldText();
    await replace(v2File);
    const shown = await changedBook(tavern);
    expect(shown.counts).toEqual({ Added: 1, Changed: 0, Missing: 0 });
    expect(shown.rows).toEqual([expect.stringMatching(/^Added Entry 3 Before character, order 100$/)]);
    expect(shown.answers).toEqual(['Replace', 'Keep my book', 'Save beside']);
    expect(await tavern.popups()).toHaveLength(1);
    // Nobody edited anything, so the safe answer has the focus.
    expect(await tavern.page.evaluate(() => document.activeElement?.textContent)).toBe('Keep my book');
    // While the question stands, SillyTavern has saved the character: with the link, and with our world in the card.
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    expect(bookEntriesOf(tavern, AVATAR)).toHaveLength(3);
    await tavern.answerPopup('Keep my book');
    expect(await notice(tavern, 'Your book kept')).toEqual([
      `“${WORLD}” stays as it is and stays linked. The new version was set aside.`,
    ]);
    expect(await tavern.page.locator('.lf-toast').getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(worldText()).toBe(before);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);

    await clearNotices(tavern);
    await replace(again(v2File));
    await afterBatch(tavern);
    expect(await tavern.popups()).toEqual([]);
    expect(worldText()).toBe(before);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    expectNoErrors(tavern);
  });

  it('the book that was set aside is in “Recent changes”, once, and can be saved beside', async () => {
    const rows = (await recentChanges(tavern)).filter(
      ({ title }) => title === 'New lorebook of Rep, set aside',
    );
    expect(rows).toEqual([{ title: 'New lorebook of Rep, set aside', buttons: ['Save the set-aside book'] }]);
    const block = await openSettingsBlock(tavern);
    await block.getByRole('button', { name: 'Save the set-aside book' }).click();
    expect(await notice(tavern, 'Saved as “Rep Book (2)”')).toEqual(['It is not linked to a character.']);
    expect(contentsOf('Rep Book (2)')).toEqual(v2);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    // This too can be taken back.
    await block
      .locator('.lf-row', { hasText: 'Lorebook “Rep Book (2)”' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await notice(tavern, 'Undone');
    expect(tavern.worldNames()).not.toContain('Rep Book (2)');
    expectNoErrors(tavern);
  });

  it('“Replace” writes the new version, and undo gives back the old one', async () => {
    const before = JSON.parse(worldText()) as unknown;
    const next = ['One.', 'Two, told anew.', 'Three.', 'Five.'];
    await replace(repCard(next));
    const shown = await changedBook(tavern);
    expect(shown.counts).toEqual({ Added: 1, Changed: 1, Missing: 0 });
    await tavern.answerPopup(/^Replace$/);
    expect(await notice(tavern, 'Replaced')).toEqual([
      `“${WORLD}” is the new version now, 4 entries. The old one is kept in Recent changes.`,
    ]);
    expect(contentsOf()).toEqual(next);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    await pressInNotice(tavern, 'Replaced', 'Undo');
    expect(await notice(tavern, 'Undone')).toContain(`“${WORLD}” holds your old version again.`);
    expect(JSON.parse(worldText())).toEqual(before);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    expectNoErrors(tavern);
  });

  it('“Save beside” makes a second file that nothing links', async () => {
    const before = worldText();
    const next = ['One.', 'Six.'];
    await replace(repCard(next));
    expect((await changedBook(tavern)).counts).toEqual({ Added: 0, Changed: 1, Missing: 1 });
    await tavern.answerPopup('Save beside');
    expect(await notice(tavern, 'Saved beside')).toEqual([
      `The new version was saved as a file of its own, not linked. Rep keeps “${WORLD}”.`,
    ]);
    expect(worldText()).toBe(before);
    expect(contentsOf('Rep Book (2)')).toEqual(next);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    const charLore =
      (tavern.settings()['world_info_settings'] as { world_info?: { charLore?: unknown[] } }).world_info
        ?.charLore ?? [];
    expect(charLore).toEqual([]);
    expectNoErrors(tavern);
  });

  it('undo after a later edit is refused, and offers the old version beside', async () => {
    const old = contentsOf();
    await replace(repCard([...old, 'Late.']));
    await changedBook(tavern);
    await tavern.answerPopup(/^Replace$/);
    await notice(tavern, 'Replaced');
    await editEntry('0', 'One, edited after.');
    const edited = worldText();
    await pressInNotice(tavern, 'Replaced', 'Undo');
    await tavern.waitForPopup('“Rep Book” was changed since');
    await tavern.answerPopup('Save the old version beside');
    await notice(tavern, 'Saved as “Rep Book (3)”');
    expect(await notice(tavern, 'Not undone')).toEqual([
      '“Rep Book” was edited since. It stays as it is, with its link.',
    ]);
    expect(contentsOf('Rep Book (3)')).toEqual(old);
    expect(worldText()).toBe(edited);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    await editEntry('0', 'One.');
    expectNoErrors(tavern);
  });

  it('edited by the user: four answers, none preselected, and “Take new, keep my edits” does both', async () => {
    await editEntry('0', 'One, my way.');
    const next = ['One, the author’s way.', 'Two, revised.', 'Three.', 'Late.', 'Seven.'];
    const file = repCard(next);
    await replace(file);
    const shown = await changedBook(tavern);
    expect(shown.counts).toEqual({ Added: 1, Changed: 2, Missing: 0 });
    expect(shown.lead).toContain('You edited 1 of the entries that differ.');
    expect(shown.rows.filter((row) => row.includes('You edited it'))).toEqual([
      expect.stringContaining('Entry 0'),
    ]);
    expect(shown.answers).toEqual(['Replace', 'Keep my book', 'Save beside', 'Take new, keep my edits']);
    const box = dialogBox(tavern, 'This card brings a changed book');
    expect(await box.locator('.lf-primary').count()).toBe(0);
    expect(await box.locator('button:focus, .menu_button:focus').count()).toBe(0);
    await tavern.page.keyboard.press('Enter'); // nothing is chosen, so nothing may happen
    await tavern.page.waitForTimeout(300);
    expect(await tavern.popups()).toHaveLength(1);
    await tavern.answerPopup('Take new, keep my edits');
    await notice(tavern, 'New entries taken');
    expect(contentsOf()).toEqual(['One, my way.', 'Two, revised.', 'Three.', 'Late.', 'Seven.']);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    await clearNotices(tavern);

    await replace(again(file)); // the file's origin is the new version now
    await notice(tavern, 'Already extracted');
    expect(await tavern.popups()).toEqual([]);
    expect(contentsOf()[0]).toBe('One, my way.');
    expectNoErrors(tavern);
  });

  it('with no book at all: the link stays', async () => {
    const before = worldText();
    const { data } = cardWithBook('Rep', '', [], { description: 'Bookless now.' }) as { data: JsonObject };
    delete (data as Record<string, unknown>)['character_book'];
    await replace(jsonCard(folder, 'rep-bare', { spec: 'chara_card_v2', spec_version: '2.0', data }));
    await afterBatch(tavern);
    expect(tavern.cardOf(AVATAR).data?.['description']).toBe('Bookless now.');
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    expect(await shownLink(tavern)).toEqual({ globe: true, world: WORLD });
    expect(worldText()).toBe(before);
    expect(await noticeTitles(tavern)).toEqual([]);
    expectNoErrors(tavern);
  });

  it('with another author’s link in the file: it is a claim, and ours stays', async () => {
    const before = worldText();
    await replace(repCard(['Else.'], { extensions: { world: 'Eldoria' } }));
    await changedBook(tavern);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    await tavern.page.keyboard.press('Escape');
    await notice(tavern, 'Your book kept');
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    expect(worldText()).toBe(before);
    expectNoErrors(tavern);
  });

  it('keeps the link when the server fails meanwhile, and asks on “Try again”', async () => {
    await tavern.failNext('/api/worldinfo/list', 503, { times: 99 });
    await tavern.failNext('/api/worldinfo/get', 503, { times: 99 });
    await replace(repCard(['Failing.']));
    await notice(tavern, 'Card imported, lorebook not');
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    await tavern.page.unrouteAll({ behavior: 'ignoreErrors' });
    await pressInNotice(tavern, 'Card imported, lorebook not', 'Try again');
    await changedBook(tavern);
    await tavern.answerPopup('Keep my book');
    await notice(tavern, 'Your book kept');
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    expectNoErrors(tavern, /status of 503/);
  });
});

describe('the other policies', () => {
  it('“Ask me”: a linked character gets its own question at once, or none', async () => {
    await choosePolicy(tavern, 'ask');
    await replace(repCard(contentsOf()));
    await afterBatch(tavern);
    expect(await tavern.popups()).toEqual([]);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    await replace(repCard(['Asked.']));
    await changedBook(tavern);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    await tavern.answerPopup('Keep my book');
    expectNoErrors(tavern);
  });

  it('“Leave it”: the link stays, and the book that SillyTavern writes over is kept', async () => {
    await choosePolicy(tavern, 'leave');
    const before = (await recentChanges(tavern)).length;
    await replace(repCard(['Left behind.']));
    await afterBatch(tavern);
    expect(await tavern.popups()).toEqual([]);
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    const rows = await recentChanges(tavern);
    expect(rows.length).toBe(before + 1);
    expect(rows[0]).toEqual({
      title: 'New lorebook of Rep, set aside',
      buttons: ['Save the set-aside book'],
    });
    await choosePolicy(tavern, 'extract');
    expectNoErrors(tavern);
  });
});

describe('a character that was linked by hand (02)', () => {
  it('shows one entry added, none changed or removed; Escape keeps', async () => {
    const before = worldText('Quay Notes');
    await openOldCharacter(tavern, 'Mara Lint.png');
    await replace(jsonCard(folder, '02', older.cards[0]));
    const shown = await changedBook(tavern);
    expect(shown.counts).toEqual({ Added: 1, Changed: 0, Missing: 0 });
    expect(shown.answers).toEqual(['Replace', 'Keep my book', 'Save beside']);
    expect(shown.lead).toContain('Whether you edited yours is not known');
    expect(worldText('Quay Notes')).toBe(before);
    await tavern.page.keyboard.press('Escape');
    await notice(tavern, 'Your book kept');
    expect(worldText('Quay Notes')).toBe(before);
    expect(linkOf(tavern, 'Mara Lint.png')).toBe('Quay Notes');
    // What Escape set aside is still at hand.
    const rows = await recentChanges(tavern);
    expect(rows[0]?.title).toBe('New lorebook of Mara Lint, set aside');
    await tavern.page
      .locator('#lf-settings .lf-row')
      .first()
      .getByRole('button', { name: 'Save the set-aside book' })
      .click();
    await notice(tavern, 'Saved as “Quay Notes (2)”');
    expect(contentsOf('Quay Notes (2)')).toEqual(contentsIn(older.cards[0]));
    expectNoErrors(tavern);
  });
});
