// The twin under SillyTavern's own hands: entries edited, added and deleted in its World Info editor, the character
// saved by it. What it cannot hold must still be there, on the entries it belongs to and on no other.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject as Raw } from '../../src/core/json.ts';
import { lorebookToCharacterBook } from '../../src/formats/_shared/character-book.ts';
import { CHARACTER_BOOK } from '../../src/formats/_shared/character-book-table.ts';
import { lorebookFromWorld } from '../../src/formats/sillytavern/world-twin.ts';
import { cardFolder, cardWithBook, jsonCard } from './card-files.ts';
import { type JsonObject, openSillyTavern, type Tavern } from './harness.ts';
import {
  bookEntriesOf,
  changedBook,
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  openInWorldEditor,
  pressInNotice,
  saved,
  tidy,
  typeDescription,
  worldEditorEntry,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();
const WORLD = 'Twin Book';
const AVATAR = 'Twin.png';
const contents = ['Zero.', 'One.', 'Two.', 'Three.'];
const card = cardWithBook('Twin', WORLD, contents);
const original = (card['data'] as JsonObject)['character_book'] as { entries: JsonObject[] } & JsonObject;

beforeAll(async () => {
  tavern = await openSillyTavern();
  await tavern.importCards([jsonCard(folder, 'Twin', card)]);
  await pressInNotice(tavern, 'Lorebook extracted', 'Open in the editor');
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

/** The book as Loreferry reads it out of the file now, in the card's own dialect. */
function bookNow(): { entries: JsonObject[] } & JsonObject {
  const { lorebook } = lorebookFromWorld(tavern.worldFile(WORLD) as unknown as Raw, WORLD, WORLD);
  return lorebookToCharacterBook(lorebook.body, lorebook.original[CHARACTER_BOOK]) as never;
}

const twinNow = () => tavern.worldFile(WORLD)?.['loreferry'];

describe('SillyTavern’s World Info editor', () => {
  it('is opened on the world by the notice', async () => {
    await tavern.page.locator('#WorldInfo.openDrawer').waitFor();
    await expect.poll(() => worldEditorEntry(tavern, 3).count()).toBe(1);
    expectNoErrors(tavern);
  });

  it('an edited entry: only that field of it is new, all else is the author’s to the last leaf', async () => {
    const twin = twinNow();
    await saved(tavern, '/api/worldinfo/edit', async () => {
      const entry = worldEditorEntry(tavern, 1);
      await entry.locator('.inline-drawer-toggle').first().click();
      await entry.locator('textarea[name="content"]').fill('One, edited by hand.');
    });
    expect(entriesOf(tavern, WORLD)[1]?.content).toBe('One, edited by hand.');
    expect(twinNow()).toEqual(twin);
    // SillyTavern's editor switches `selective` on in every entry that it unfolds; without secondary keys that means
    // nothing, so it is no edit.
    expect(entriesOf(tavern, WORLD)[1]?.['selective']).toBe(true);
    const edited = { content: 'One, edited by hand.' };
    const entries = original.entries.map((entry, index) => (index === 1 ? { ...entry, ...edited } : entry));
    expect(bookNow()).toEqual({ ...original, entries });
    expectNoErrors(tavern);
  });

  it('and when SillyTavern saves the character, it embeds the edit, keeps the link and leaves the twin', async () => {
    const world = tavern.worldFile(WORLD);
    await tavern.openCharacter(AVATAR);
    await typeDescription(tavern, AVATAR, ' Saved.');
    expect(linkOf(tavern, AVATAR)).toBe(WORLD);
    expect(bookEntriesOf(tavern, AVATAR).map(({ content }) => content)).toEqual([
      'Zero.',
      'One, edited by hand.',
      'Two.',
      'Three.',
    ]);
    // SillyTavern's own copy has lost what it cannot hold; ours is why nothing is lost.
    expect(bookEntriesOf(tavern, AVATAR)[0]).not.toHaveProperty('x_top');
    expect(tavern.worldFile(WORLD)).toEqual(world);
    expect(bookNow().entries[0]).toEqual(original.entries[0]);
    expectNoErrors(tavern);
  });

  it('“Extract lorebook” then knows the book by the copy that SillyTavern wrote', async () => {
    const before = tavern.worldFile(WORLD);
    await tavern.chooseFromMoreMenu('lf-extract-lorebook');
    await notice(tavern, 'Already extracted');
    expect(tavern.worldFile(WORLD)).toEqual(before);
    expect(await tavern.popups()).toEqual([]);
    expectNoErrors(tavern);
  });

  it('an entry added under a freed uid inherits nothing of the deleted one', async () => {
    await openInWorldEditor(tavern, WORLD);
    await saved(tavern, '/api/worldinfo/edit', async () => {
      await worldEditorEntry(tavern, 2).locator('.delete_entry_button').click();
      await tavern.waitForPopup('Delete world info entry with UID: 2?');
      await tavern.page.locator('dialog.popup[open] .popup-button-ok').click();
    });
    await expect.poll(() => worldEditorEntry(tavern, 2).count()).toBe(0);
    expect(bookNow().entries).toHaveLength(3);

    await tavern.page.locator('#world_popup_new').click();
    await expect.poll(() => worldEditorEntry(tavern, 2).count()).toBe(1); // the freed uid
    await saved(tavern, '/api/worldinfo/edit', async () => {
      const entry = worldEditorEntry(tavern, 2);
      await entry.locator('.inline-drawer-toggle').first().click();
      await entry.locator('textarea[name="content"]').fill('A newcomer.');
    });
    const entries = bookNow().entries;
    expect(entries).toHaveLength(4);
    const newcomer = entries.find(({ content }) => content === 'A newcomer.');
    expect(JSON.stringify(newcomer)).not.toMatch(/x_top|keep 2|"foo"|Two\.|key2/);
    for (const [index, entry] of original.entries.entries()) {
      if (index !== 0 && index !== 3) continue;
      expect(entries).toContainEqual(entry);
    }
    expectNoErrors(tavern);
  });

  it('an entry that was only looked at is not called edited', async () => {
    await openInWorldEditor(tavern, WORLD);
    await saved(tavern, '/api/worldinfo/edit', async () => {
      await worldEditorEntry(tavern, 3).locator('.inline-drawer-toggle').first().click();
      await worldEditorEntry(tavern, 3).locator('textarea[name="content"]').waitFor();
      await worldEditorEntry(tavern, 0).locator('textarea[name="comment"]').fill('Zero, titled');
    });
    expect(entriesOf(tavern, WORLD).map((entry) => entry['selective'])).toContain(true);
    await tavern.openCharacter(AVATAR);
    const next = ['Zero, new.', 'One, new.', 'Two.', 'Three, new.'];
    const file = jsonCard(folder, 'Twin-1', cardWithBook('Twin', WORLD, next, { character_version: '1b' }));
    await tavern.replaceCharacter(file);
    const { rows } = await changedBook(tavern);
    const edited = rows.filter((row) => row.includes('You edited it'));
    expect(edited).toEqual([
      expect.stringContaining('Entry 0'),
      expect.stringContaining('Entry 1'),
      expect.stringMatching(/^Missing /), // the newcomer
    ]);
    expect(rows.some((row) => row.includes('Entry 3') && !row.includes('You edited it'))).toBe(true);
    await tavern.answerPopup('Keep my book');
    expectNoErrors(tavern);
  });

  it('shows a new version that is written while it is open, and its next edit does not bring the old one back', async () => {
    const next = ['Zero.', 'One, by the author.', 'Three.', 'Brand new.'];
    await tavern.openCharacter(AVATAR);
    const file = jsonCard(folder, 'Twin-2', cardWithBook('Twin', WORLD, next, { character_version: '2' }));
    await tavern.replaceCharacter(file);
    await changedBook(tavern);
    await tavern.answerPopup(/^Replace$/);
    await notice(tavern, 'Replaced');
    expect(entriesOf(tavern, WORLD).map(({ content }) => content)).toEqual(next);
    // Raw text of what the user deleted and of the old version is gone from the file.
    expect(JSON.stringify(tavern.worldFile(WORLD))).not.toContain('keep 2,');

    await openInWorldEditor(tavern, WORLD, { reopen: false });
    await saved(tavern, '/api/worldinfo/edit', async () => {
      const entry = worldEditorEntry(tavern, 0);
      await entry.locator('textarea[name="comment"]').fill('Titled anew');
    });
    const now = entriesOf(tavern, WORLD);
    expect(now.map(({ content }) => content)).toEqual(next);
    expect(now[0]?.comment).toBe('Titled anew');
    expectNoErrors(tavern);
  });
});
