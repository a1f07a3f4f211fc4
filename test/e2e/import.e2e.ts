// Every way into a real SillyTavern, and every shape that a book comes in: what stands in files and links afterwards.

import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildZip } from '../support/png-fixtures.ts';
import { cardFolder, cardWithBook, caseOf, fileNamed, jsonCard, pngCard } from './card-files.ts';
import { openSillyTavern, type Tavern } from './harness.ts';
import {
  afterBatch,
  bookEntriesOf,
  dialogBox,
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  noticeTitles,
  offeredWorlds,
  openImportDialog,
  pressInNotice,
  shownLink,
  summary,
  tidy,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');

beforeAll(async () => {
  tavern = await openSillyTavern();
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const peer = (name: string) => caseOf(`peers/${name}`);
const contentsOf = (world: string) => entriesOf(tavern, world).map(({ content }) => content);

describe('ways in', () => {
  it('file picker with one file: extracts, links and tells', async () => {
    const path = pngCard(folder, 'Odile', cardWithBook('Odile', 'Harbour Notes', ['One.', 'Two.']));
    const [reply] = await tavern.importCards([path]);
    expect(reply?.avatar).toBe('Odile.png');
    // Before SillyTavern's own work is over, so that the list that it has just loaded shows the link.
    expect(linkOf(tavern, 'Odile.png')).toBe('Harbour Notes');
    const listed = await tavern.page.evaluate(
      () =>
        (
          globalThis as unknown as {
            SillyTavern: {
              getContext(): { characters: { avatar: string; data: { extensions: { world?: string } } }[] };
            };
          }
        ).SillyTavern.getContext().characters.find(({ avatar }) => avatar === 'Odile.png')?.data.extensions
          .world,
    );
    expect(listed).toBe('Harbour Notes');
    expect(contentsOf('Harbour Notes')).toEqual(['One.', 'Two.']);
    expect(await notice(tavern, 'Lorebook extracted')).toEqual([
      '“Harbour Notes”: 2 entries, linked to Odile.',
    ]);
    expect(await offeredWorlds(tavern)).toContain('Harbour Notes');
    expect(bookEntriesOf(tavern, 'Odile.png')).toHaveLength(2);
    expectNoErrors(tavern);
  });

  it('file picker with several files of every kind: one summary, each linked to its own', async () => {
    const paths = [
      pngCard(folder, 'Several A', cardWithBook('Several A', 'Book A', ['A one.'])),
      jsonCard(folder, 'Several B', cardWithBook('Several B', 'Book B', ['B one.', 'B two.'])),
      jsonCard(folder, 'V1flat', peer('05-v1-flat')),
      jsonCard(folder, 'V2ext', peer('04-v2-extensions-slot')),
    ];
    const listsBefore = tavern.countCalls('/api/settings/get');
    const replies = await tavern.importCards(paths);
    expect(replies.map(({ avatar }) => avatar)).toEqual([
      'Several A.png',
      'Several B.png',
      'V1flat.png',
      'V2ext.png',
    ]);
    const shown = await summary(tavern);
    expect(shown.title).toBe('4 cards imported');
    expect(shown.counts).toEqual({ 'Not done': 0, Extracted: 4, Linked: 0, 'No lorebook': 0 });
    expect(await tavern.popups()).toHaveLength(1);
    expect(await noticeTitles(tavern)).toEqual([]);
    // The list of worlds is read anew once for the batch, not once a card (decisions 15).
    expect(tavern.countCalls('/api/settings/get') - listsBefore).toBe(1);
    await tavern.answerPopup('Done');

    expect(linkOf(tavern, 'Several A.png')).toBe('Book A');
    expect(linkOf(tavern, 'Several B.png')).toBe('Book B');
    // SillyTavern drops the flat V1 book at upload, and never offers the one in `extensions`.
    expect(linkOf(tavern, 'V1flat.png')).toBe('v1flat book');
    expect(contentsOf('v1flat book')).toEqual(['MARK:v1flat-1', 'MARK:v1flat-2']);
    expect(linkOf(tavern, 'V2ext.png')).toBe('v2ext book');
    expect(contentsOf('v2ext book')).toEqual(['MARK:v2ext-1', 'MARK:v2ext-2']);
    expect(entriesOf(tavern, 'v2ext book').map(({ position }) => position)).toEqual([0, 4]);
    expectNoErrors(tavern);
  });

  it('several files dropped on the page', async () => {
    const replies = await tavern.dropFiles([
      pngCard(folder, 'Dropped A', cardWithBook('Dropped A', 'Dropped Book A', ['Drop A.'])),
      jsonCard(folder, 'Dropped B', cardWithBook('Dropped B', 'Dropped Book B', ['Drop B.'])),
    ]);
    expect(replies.map(({ avatar }) => avatar)).toEqual(['Dropped A.png', 'Dropped B.png']);
    expect((await summary(tavern)).counts).toMatchObject({ Extracted: 2 });
    await tavern.answerPopup('Done');
    expect(linkOf(tavern, 'Dropped A.png')).toBe('Dropped Book A');
    expect(linkOf(tavern, 'Dropped B.png')).toBe('Dropped Book B');
    expect(contentsOf('Dropped Book B')).toEqual(['Drop B.']);
    expectNoErrors(tavern);
  });

  it('from a URL', async () => {
    const card = readFileSync(pngCard(folder, 'Ursule', cardWithBook('Ursule', 'Url Book', ['From afar.'])));
    await tavern.page.route('**/api/content/importURL', (route) =>
      route.fulfill({
        body: card,
        contentType: 'image/png',
        headers: {
          'X-Custom-Content-Type': 'character',
          'Content-Disposition': 'attachment; filename="Ursule.png"',
        },
      }),
    );
    await tavern.openPanel();
    await tavern.page.locator('#external_import_button').click();
    await tavern.page.locator('dialog.popup[open] textarea.popup-input').fill('https://example.org/ursule');
    await tavern.answerPopup('Import');
    expect(await notice(tavern, 'Lorebook extracted')).toEqual(['“Url Book”: 1 entry, linked to Ursule.']);
    expect(linkOf(tavern, 'Ursule.png')).toBe('Url Book');
    expect(contentsOf('Url Book')).toEqual(['From afar.']);
    expectNoErrors(tavern);
  });

  it('“Import from another app...” takes files that SillyTavern refuses by their names', async () => {
    const charx = buildZip(
      [
        {
          path: 'card.json',
          text: JSON.stringify(cardWithBook('Jacinth', 'Jpeg Book', ['Behind a picture.'])),
        },
      ],
      { prefix: JPEG, offsets: 'file' },
    );
    const upper = readFileSync(pngCard(folder, 'Upper', cardWithBook('Upper', 'Upper Book', ['LOUD.'])));
    const files = [
      fileNamed(folder, 'jacinth.jpeg', charx),
      fileNamed(folder, 'UPPER.PNG', upper),
      fileNamed(folder, 'notes.jpeg', JPEG),
    ];
    const box = await openImportDialog(tavern);
    await box.locator('input[type=file]').setInputFiles(files);
    const shown = await summary(tavern);
    expect(shown.title).toBe('2 cards imported');
    expect(shown.rows.map(({ name, headline }) => `${name}: ${headline}`)).toEqual([
      'Jacinth: Extracted',
      'Upper: Extracted',
    ]);
    expect((await notice(tavern, 'Not imported')).join()).toContain('notes.jpeg');
    await tavern.answerPopup('Done');
    expect(linkOf(tavern, 'Jacinth.png')).toBe('Jpeg Book');
    expect(contentsOf('Jpeg Book')).toEqual(['Behind a picture.']);
    expect(linkOf(tavern, 'Upper.png')).toBe('Upper Book');
    const listed = await tavern.characters();
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['Jacinth', 'Upper']));
    expect(await dialogBox(tavern, 'Import from another app').count()).toBe(0);
    expectNoErrors(tavern);
  });

  it('a file dropped anywhere on that dialog comes in through it, and only once', async () => {
    const card = readFileSync(pngCard(folder, 'Dora', cardWithBook('Dora', 'Dialog Drop', ['Dropped.'])));
    await openImportDialog(tavern);
    const before = tavern.countCalls('/api/characters/import');
    await tavern.page.evaluate((base64) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const transfer = new DataTransfer();
      // A name that SillyTavern's own drop would refuse.
      transfer.items.add(new File([bytes], 'dora.lorebook', { type: '' }));
      document
        .querySelector('.lf-dialog .lf-lead')
        ?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, card.toString('base64'));
    expect(await notice(tavern, 'Lorebook extracted')).toEqual(['“Dialog Drop”: 1 entry, linked to Dora.']);
    expect(tavern.countCalls('/api/characters/import') - before).toBe(1);
    expect((await tavern.toasts()).map(({ message }) => message).join()).not.toContain('Unsupported');
    expect(await tavern.popups()).toEqual([]);
    expectNoErrors(tavern);
  });

  it('that dialog tells of a card without a lorebook too', async () => {
    const box = await openImportDialog(tavern);
    const plain = jsonCard(folder, 'Plain', caseOf('46-character-book-null'));
    const before = tavern.worldNames();
    await box.locator('input[type=file]').setInputFiles([plain]);
    expect(await notice(tavern, 'Character imported')).toEqual(['Mara Lint']);
    await afterBatch(tavern);
    expect(tavern.worldNames()).toEqual(before);
    expectNoErrors(tavern);
  });
});

describe('shapes of books', () => {
  it('repeated and null ids: seven in, seven out, original ids kept (S1)', async () => {
    await tavern.importCards([jsonCard(folder, 'S1', caseOf('S1-duplicate-and-null-ids'))]);
    const lines = await notice(tavern, 'Lorebook extracted');
    expect(lines[0]).toContain('7 entries');
    expect(lines.join(' ')).toMatch(/ids? repaired/);
    const world = (await tavern.worlds()).find(({ fileId }) => lines[0]?.includes(`“${fileId}”`));
    const entries = Object.values(world?.data.entries ?? {});
    expect(entries.map(({ uid }) => uid)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const source = caseOf('S1-duplicate-and-null-ids') as {
      data: { character_book: { entries: unknown[] } };
    };
    const twin = world?.data['loreferry'] as { original: Record<string, { raw: unknown }> };
    expect(twin.original['character-book']?.raw).toEqual(source.data.character_book);
    expectNoErrors(tavern);
  });

  it('ids out of order keep the order of the book', async () => {
    const card = peer('03b-v3-ids-out-of-order') as {
      data: { character_book: { entries: { content: string }[] } };
    };
    await tavern.importCards([jsonCard(folder, 'out-of-order', card)]);
    const [line] = await notice(tavern, 'Lorebook extracted');
    const world = /“(.+?)”/.exec(line ?? '')?.[1] ?? '';
    expect(contentsOf(world)).toEqual(card.data.character_book.entries.map(({ content }) => content));
    expectNoErrors(tavern);
  });

  it('entries as an object, in two dialects at once (54)', async () => {
    await tavern.importCards([jsonCard(folder, '54', caseOf('54-card-entries-as-object'))]);
    const lines = await notice(tavern, 'Lorebook extracted');
    expect(lines[0]).toContain('“Obj book”: 2 entries');
    expect(contentsOf('Obj book').every((content) => content !== '')).toBe(true);
    expect(lines).toHaveLength(2); // what was mended or taken for granted is said
    expectNoErrors(tavern);
  });

  it('two slots with different books: one linked, one additional', async () => {
    await tavern.importCards([jsonCard(folder, 'Both', peer('12-v2-both-slots'))]);
    const lines = await notice(tavern, 'Lorebook extracted');
    expect(lines).toEqual(
      expect.arrayContaining([
        '“slotA book”: 2 entries, linked to Both.',
        expect.stringContaining('“slotB book”: 2 entries. It is an additional lorebook of Both.'),
      ]),
    );
    expect(linkOf(tavern, 'Both.png')).toBe('slotA book');
    expect(await notice(tavern, 'About additional lorebooks')).toHaveLength(1);
    await expect
      .poll(() => (tavern.settings()['world_info_settings'] as { world_info?: unknown })?.world_info, {
        timeout: 8000,
      })
      .toMatchObject({ charLore: [{ name: 'Both', extraBooks: ['slotB book'] }] });
    expectNoErrors(tavern);
  });

  it('null, empty and absent books are no books: nothing is made, said or asked (46, 13)', async () => {
    const before = tavern.worldNames();
    const [nothing] = await tavern.importCards([
      jsonCard(folder, 'null-book', caseOf('46-character-book-null')),
    ]);
    const [empty] = await tavern.importCards([jsonCard(folder, 'empty-book', peer('13-v3-empty-book'))]);
    await afterBatch(tavern);
    expect(await noticeTitles(tavern)).toEqual([]);
    expect(await tavern.popups()).toEqual([]);
    expect(tavern.worldNames()).toEqual(before);
    for (const reply of [nothing, empty]) {
      await tavern.openCharacter(reply?.avatar ?? '');
      await tavern.page.waitForTimeout(500);
      expect(await tavern.popups()).toEqual([]);
    }
    expectNoErrors(tavern);
  });

  it('a world info file offered as a card: no blank character, and “Import as lorebook” (47)', async () => {
    const characters = await tavern.characters();
    const worlds = tavern.worldNames();
    expect(worlds).toContain('Quay Notes'); // from S1: the file is called like it and has other content
    await tavern.importCards([jsonCard(folder, 'offered', caseOf('47-world-file-offered-as-card'))]);
    expect(await notice(tavern, 'Not a character')).toEqual([
      '“Quay Notes” is a world info file, not a character. No character was made of it.',
    ]);
    expect(await tavern.characters()).toEqual(characters);
    expect(tavern.worldNames()).toEqual(worlds);
    await pressInNotice(tavern, 'Not a character', 'Import as lorebook');
    expect(await notice(tavern, 'Lorebook imported')).toEqual([
      '“Quay Notes (2)”: 1 entry. It is not linked to a character.',
    ]);
    expect(tavern.worldFile('Quay Notes (2)')).toEqual(caseOf('47-world-file-offered-as-card'));
    expect(entriesOf(tavern, 'Quay Notes')).toHaveLength(7);
    expect(await offeredWorlds(tavern)).toContain('Quay Notes (2)');
    await pressInNotice(tavern, 'Lorebook imported', 'Undo');
    await notice(tavern, 'Undone');
    expect(tavern.worldNames()).toEqual(worlds);
    // SillyTavern's own words for a file that it was told not to take.
    expectNoErrors(tavern, /Error importing character Error: Server returned an error: true/);
  });
});

describe('after a reload', () => {
  it('everything is in place, and SillyTavern never asks to import the embedded book', async () => {
    await tavern.reload();
    const worlds = await offeredWorlds(tavern);
    for (const [avatar, world] of [
      ['Odile.png', 'Harbour Notes'],
      ['V1flat.png', 'v1flat book'],
      ['V2ext.png', 'v2ext book'],
      ['Jacinth.png', 'Jpeg Book'],
    ] as const) {
      expect(worlds).toContain(world);
      await tavern.openCharacter(avatar);
      await tavern.page.waitForTimeout(500);
      expect(await tavern.popups()).toEqual([]);
      expect(await shownLink(tavern)).toEqual({ globe: true, world });
    }
    expectNoErrors(tavern);
  });
});
