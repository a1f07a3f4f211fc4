// Characters and worlds that were there before: names that are taken, books that are known, and "Extract lorebook"
// for characters of before our time.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  cardFolder,
  cardWithBook,
  caseOf,
  contentsIn,
  jsonCard,
  pngCard,
  type Scenario,
  scenarioOf,
} from './card-files.ts';
import { openSillyTavern, type Tavern, type WorldFile } from './harness.ts';
import {
  clearNotices,
  deleteWorlds,
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  offeredWorlds,
  openOldCharacter,
  openSettingsBlock,
  pressInNotice,
  recentChanges,
  saved,
  shownLink,
  summary,
  tidy,
  typeDescription,
  worldsHere,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();
const twoOfOneName = scenarioOf('04-two-characters-one-display-name');
const deadLink = scenarioOf('11-link-points-to-renamed-world');

/** The library as it stood before Loreferry came. */
function seed(userDir: string): void {
  const characters = join(userDir, 'characters');
  const worlds = join(userDir, 'worlds');
  for (const place of [characters, worlds]) mkdirSync(place, { recursive: true });
  const put = (file: string, card: unknown) =>
    writeFileSync(join(characters, file), readFileSync(pngCard(folder, file, card as never)));
  put('Mara Lint.png', twoOfOneName.cards[0]);
  put('Mara Lint1.png', twoOfOneName.cards[1]);
  put('Dead Link.png', deadLink.cards[0]);
  put('Aurel.png', cardWithBook('Aurel', 'Aurel Lore', ['First.', 'Second.']));
  put('Bare.png', caseOf('46-character-book-null'));
  put('V1.png', { ...caseOf('peers/05-v1-flat'), name: 'Old V1' });
  for (const [name, world] of Object.entries(deadLink.worlds)) {
    writeFileSync(join(worlds, `${name}.json`), JSON.stringify(world));
  }
}

beforeAll(async () => {
  tavern = await openSillyTavern({ seed });
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const worldBytes = (name: string): string =>
  readFileSync(join(tavern.server.userDir, 'worlds', `${name}.json`), 'utf8');
const cardBytes = (avatar: string): Buffer => readFileSync(join(tavern.server.userDir, 'characters', avatar));
const contentsOf = (world: string) => entriesOf(tavern, world).map(({ content }) => content);
const extract = () => tavern.chooseFromMoreMenu('lf-extract-lorebook');
const writes = () =>
  tavern.countCalls('/api/worldinfo/edit') + tavern.countCalls('/api/characters/merge-attributes');

describe('“Extract lorebook” for characters of before our time', () => {
  it('changes and links only the one with this avatar file (04)', async () => {
    const other = cardBytes('Mara Lint.png');
    await openOldCharacter(tavern, 'Mara Lint1.png');
    await extract();
    const [line] = await notice(tavern, 'Lorebook extracted');
    const world = /^“(.+)”: \d+ entr(?:y|ies), linked to Mara Lint\.$/.exec(line ?? '')?.[1];
    expect(world).toBeDefined();
    expect(linkOf(tavern, 'Mara Lint1.png')).toBe(world);
    expect(contentsOf(world ?? '')).toEqual(contentsIn(twoOfOneName.cards[1]));
    expect(cardBytes('Mara Lint.png').equals(other)).toBe(true);
    expect(await shownLink(tavern)).toEqual({ globe: true, world });
    expectNoErrors(tavern);
  });

  it('relinks to the file that has the same content, and makes no second one (11)', async () => {
    const before = worldsHere(tavern);
    const bytes = worldBytes('Quay Notes revised');
    await openOldCharacter(tavern, 'Dead Link.png');
    await extract();
    expect(await notice(tavern, 'Linked')).toEqual([
      '“Quay Notes revised” has the same content, so no second file was made.',
    ]);
    expect(linkOf(tavern, 'Dead Link.png')).toBe('Quay Notes revised');
    expect(worldsHere(tavern)).toEqual(before);
    expect(worldBytes('Quay Notes revised')).toBe(bytes);
    expectNoErrors(tavern);
  });

  it('keeps the link through typing, SillyTavern’s autosave and a reload', async () => {
    await openOldCharacter(tavern, 'Aurel.png');
    expect(await shownLink(tavern)).toEqual({ globe: false, world: '' });
    await extract();
    expect(await notice(tavern, 'Lorebook extracted')).toEqual(['“Aurel Lore”: 2 entries, linked to Aurel.']);
    expect(await shownLink(tavern)).toEqual({ globe: true, world: 'Aurel Lore' });
    await typeDescription(tavern, 'Aurel.png', ' He hums.');
    expect(linkOf(tavern, 'Aurel.png')).toBe('Aurel Lore');
    await tavern.reload();
    await tavern.openCharacter('Aurel.png');
    await tavern.page.waitForTimeout(500);
    expect(await tavern.popups()).toEqual([]);
    expect(await shownLink(tavern)).toEqual({ globe: true, world: 'Aurel Lore' });
    expect(linkOf(tavern, 'Aurel.png')).toBe('Aurel Lore');
    expect(tavern.cardOf('Aurel.png').data?.['description']).toContain('He hums.');
    expectNoErrors(tavern);
  });

  it('a second time says so and writes nothing', async () => {
    await tavern.openCharacter('Aurel.png');
    const [worlds, written] = [worldsHere(tavern), writes()];
    const steps = await recentChanges(tavern);
    await tavern.openPanel();
    await extract();
    expect(await notice(tavern, 'Already extracted')).toEqual([
      '“Aurel Lore” is already linked to Aurel and holds this book; nothing was written.',
    ]);
    expect(worldsHere(tavern)).toEqual(worlds);
    expect(writes()).toBe(written);
    expect(await recentChanges(tavern)).toEqual(steps);
    expectNoErrors(tavern);
  });

  it('undo unlinks the open character for good', async () => {
    await openOldCharacter(tavern, 'V1.png');
    await extract();
    expect((await notice(tavern, 'Lorebook extracted'))[0]).toContain(
      '“v1flat book”: 2 entries, linked to Old V1.',
    );
    expect(linkOf(tavern, 'V1.png')).toBe('v1flat book');
    await pressInNotice(tavern, 'Lorebook extracted', 'Undo');
    await notice(tavern, 'Undone');
    expect(worldsHere(tavern)).not.toContain('v1flat book');
    expect(await shownLink(tavern)).toEqual({ globe: false, world: '' });
    await typeDescription(tavern, 'V1.png', ' Alone.');
    expect(linkOf(tavern, 'V1.png')).toBe('');
    expectNoErrors(tavern);
  });

  it('undo finds a character that was renamed since, and leaves its duplicate alone', async () => {
    await openOldCharacter(tavern, 'V1.png');
    await extract();
    await notice(tavern, 'Lorebook extracted');
    await tavern.page.locator('#dupe_button').click();
    await tavern.waitForPopup(/duplicate this character/i);
    await saved(tavern, '/api/characters/duplicate', () =>
      tavern.page.locator('dialog.popup[open] .popup-button-ok').click(),
    );
    const copy = (await tavern.characters()).find(
      ({ name, avatar }) => name === 'Old V1' && avatar !== 'V1.png',
    )?.avatar;
    expect(linkOf(tavern, copy ?? '')).toBe('v1flat book');

    await tavern.openCharacter('V1.png');
    await tavern.chooseFromMoreMenu('renameCharButton');
    await tavern.page.locator('dialog.popup[open] textarea.popup-input').fill('Renamed V1');
    await saved(tavern, '/api/characters/rename', () =>
      tavern.page.locator('dialog.popup[open] .popup-button-ok').click(),
    );
    await tavern.waitForPopup(/past chats/i).then(() => tavern.answerPopup('No'));
    expect(linkOf(tavern, 'Renamed V1.png')).toBe('v1flat book');
    await clearNotices(tavern);

    // The duplicate uses the file too, so it stays ...
    await undoNewest();
    expect(await notice(tavern, 'Not undone')).toEqual([
      expect.stringMatching(/^“v1flat book” is linked to Old V1 as well/),
    ]);
    expect(linkOf(tavern, 'Renamed V1.png')).toBe('v1flat book');
    // ... until the duplicate is gone.
    await tavern.post('/api/characters/delete', { avatar_url: copy, delete_chats: true });
    await tavern.page.evaluate(() =>
      (
        globalThis as unknown as { SillyTavern: { getContext(): { getCharacters(): Promise<void> } } }
      ).SillyTavern.getContext().getCharacters(),
    );
    await clearNotices(tavern);
    await undoNewest();
    await notice(tavern, 'Undone');
    expect(linkOf(tavern, 'Renamed V1.png')).toBe('');
    expect(tavern.worldNames()).not.toContain('v1flat book');
    expectNoErrors(tavern);
  });

  const undoNewest = async () => {
    const block = await openSettingsBlock(tavern);
    await block.getByRole('button', { name: 'Refresh' }).click();
    await block.locator('.lf-row').first().getByRole('button', { name: 'Undo' }).click();
  };

  it('tells when there is nothing to extract', async () => {
    await openOldCharacter(tavern, 'Bare.png');
    await extract();
    expect(await notice(tavern, 'Nothing to extract')).toEqual(['The card of Mara Lint brings no lorebook.']);
    expectNoErrors(tavern);
  });
});

describe('names and contents that are there already', () => {
  beforeEach(() => deleteWorlds(tavern));

  const importCard = async (name: string, card: unknown): Promise<string> => {
    const [reply] = await tavern.importCards([jsonCard(folder, name, card)]);
    return reply?.avatar ?? '';
  };
  const putWorlds = async ({ worlds }: Scenario) => {
    for (const [name, world] of Object.entries(worlds)) await tavern.putWorld(name, world);
  };

  it('a world of the same name and other content is never touched (01)', async () => {
    const scenario = scenarioOf('01-same-name-world-exists');
    await putWorlds(scenario);
    const before = worldBytes('Quay Notes');
    const avatar = await importCard('01', scenario.cards[0]);
    expect(await notice(tavern, 'Lorebook extracted')).toEqual([
      expect.stringMatching(
        /^“Quay Notes \(2\)”: \d+ entr.*You have another “Quay Notes” with other content; it was not touched\./,
      ),
    ]);
    expect(worldBytes('Quay Notes')).toBe(before);
    expect(linkOf(tavern, avatar)).toBe('Quay Notes (2)');
    expect(contentsOf('Quay Notes (2)')).toEqual(contentsIn(scenario.cards[0]));
    expect(worldsHere(tavern)).toEqual(['Quay Notes', 'Quay Notes (2)']);
    expectNoErrors(tavern);
  });

  it('the same card again, also after the world was edited, creates no second file (06)', async () => {
    const [card] = scenarioOf('06-extract-twice-no-duplicate').cards;
    const first = await importCard('06', card);
    await notice(tavern, 'Lorebook extracted');
    const world = linkOf(tavern, first) as string;
    await clearNotices(tavern);

    const second = await importCard('06', card);
    expect(second).not.toBe(first);
    expect(await notice(tavern, 'Linked')).toEqual([
      `“${world}” was made of this lorebook, so no second file was made.`,
    ]);
    expect(linkOf(tavern, second)).toBe(world);
    await clearNotices(tavern);

    const file = tavern.worldFile(world) as WorldFile;
    const edited = { ...file, entries: { ...file.entries, '0': { ...file.entries['0'], content: 'Mine.' } } };
    await tavern.putWorld(world, edited);
    const third = await importCard('06', card);
    await notice(tavern, 'Linked');
    expect(linkOf(tavern, third)).toBe(world);
    expect(worldsHere(tavern)).toEqual([world]);
    expect(tavern.worldFile(world)).toEqual(edited);
    expectNoErrors(tavern);
  });

  it('two books of one name in one batch become two files, each linked to its own (08)', async () => {
    const { cards } = scenarioOf('08-same-name-different-content');
    const replies = await tavern.importCards(
      cards.map((card, index) => jsonCard(folder, `08-${index}`, card)),
    );
    expect((await summary(tavern)).counts).toMatchObject({ Extracted: 2 });
    await tavern.answerPopup('Done');
    expect(worldsHere(tavern)).toHaveLength(2);
    const linked = replies.map(({ avatar }) => linkOf(tavern, avatar ?? '') as string);
    expect(new Set(linked).size).toBe(2);
    expect(linked.map(contentsOf)).toEqual(cards.map(contentsIn));
    expectNoErrors(tavern);
  });

  it('the link is the name that was really stored, and a name that is taken once cleaned is free (80)', async () => {
    const scenario = scenarioOf('80-name-with-colon-and-slash');
    await putWorlds(scenario);
    const before = worldBytes('ACDC lore');
    const avatar = await importCard('80', scenario.cards[0]);
    await notice(tavern, 'Lorebook extracted');
    expect(linkOf(tavern, avatar)).toBe('ACDC lore (2)');
    expect(worldBytes('ACDC lore')).toBe(before);
    expect(worldsHere(tavern)).toEqual(['ACDC lore', 'ACDC lore (2)']);
    expect(await offeredWorlds(tavern)).toContain('ACDC lore (2)');
    expectNoErrors(tavern);
  });

  it('reserved, long, blank and hostile names: eight listed files, each linked to its own (81)', async () => {
    const { cards } = scenarioOf('81-reserved-and-long-names');
    const replies = await tavern.importCards(
      cards.map((card, index) => jsonCard(folder, `81-${index}`, card)),
    );
    expect((await summary(tavern)).counts).toMatchObject({ Extracted: 8, 'Not done': 0 });
    await tavern.answerPopup('Done');
    const names = worldsHere(tavern);
    expect(names).toHaveLength(8);
    expect((await tavern.worlds()).map(({ fileId }) => fileId)).toEqual(expect.arrayContaining(names));
    expect(replies.map(({ avatar }) => linkOf(tavern, avatar ?? '')).sort()).toEqual(names);
    for (const name of names) {
      expect(Buffer.byteLength(`${name}.json`)).toBeLessThanOrEqual(255);
      expect(name).toBe(name.trim());
      expect(name).not.toMatch(/[/\\:\p{Cc}\u202e]|^(con|nul)$|^\.|\.$/iu);
    }
    expect(await offeredWorlds(tavern)).toEqual(expect.arrayContaining(names));
    expectNoErrors(tavern);
  });
});
