// Cards of other apps, as these apps wrote them, in a real SillyTavern: through its own file picker and through "Import
// from another app...". What must be in the world file afterwards is what the app itself held.

import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardFolder, cardWithBook, caseOf, fileNamed, jsonCard, pngCard } from './card-files.ts';
import * as exporting from './export-page.ts';
import { compared, foreignPath, sidecarOf } from './foreign-sidecar.ts';
import { openSillyTavern, type Tavern, type WorldEntry } from './harness.ts';
import {
  afterBatch,
  changedBook,
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  noticeTitles,
  openImportDialog,
  pressInNotice,
  summary,
  tidy,
  worldsHere,
} from './our-page.ts';
import { recordImports, sentFiles } from './sent-imports.ts';

let tavern: Tavern;
const folder = cardFolder();

/** One of each kind; the worlds that must be made of it. */
const KINDS: readonly (readonly [file: string, worlds: readonly string[]])[] = [
  ['agnai-plain-piet-haas-native.json', ['Notes on Dunwater']],
  ['agnai-full-odile-brandt-native.card.png', ['Marl Square memory']],
  ['agnai-st-runa-sol-edited-tavern.card.png', ['Nine Steps notes']],
  ['risu-plain-bertil-oakes-v3.png', ["Bertil Oakes's Lorebook"]],
  ['risu-st-nadia-ferro-v2.png', ["Nadia Ferro's Lorebook"]],
  ['risu-full-ilsa-marrow-charx.charx', ["Ilsa Marrow's Lorebook"]],
  ['marinara-full-vesna-holt-embedded.marinara.json', ['Port Amber lore']],
  ['marinara-plain-anselm-ruiz-embedded-compatible.json', ['Casa Blanca Street notes']],
  ['marinara-st-greta-moss-edited.png', ["Greta Moss — Greta Moss's Lorebook"]],
  ['lumiverse-plain-walter-keen.charx', ['Slate Lane notes']],
  ['lumiverse-st-yara-quill.json', ['Old Ferry notes']],
  ['lumiverse-full-sabine-orr.charx', ['Lantern Ward lore', 'Lantern Ward second book']],
];
const nameOf = (file: string): string => sidecarOf(file).character?.name ?? '';
const avatarOf = (file: string): string => `${nameOf(file)}.png`;

beforeAll(async () => {
  tavern = await openSillyTavern({ initScript: recordImports });
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const entriesIn = (worlds: readonly string[]): WorldEntry[] =>
  worlds.flatMap((world) => entriesOf(tavern, world));
const sizeOf = (png: Buffer): readonly number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe('through SillyTavern’s own file picker', () => {
  it('all at once: one summary, nothing asked, nothing failed', async () => {
    const replies = await tavern.importCards(KINDS.map(([file]) => foreignPath(file)));
    expect(replies.map(({ avatar }) => avatar)).toEqual(KINDS.map(([file]) => avatarOf(file)));
    const shown = await summary(tavern);
    expect(shown.counts).toEqual({ 'Not done': 0, Extracted: KINDS.length, Linked: 0, 'No lorebook': 0 });
    const lines = shown.rows.map(({ name, lines: said }) => `${name}: ${said.join(' ')}`);
    expect(lines).toContainEqual(expect.stringMatching(/^Piet Haas: .* The card was converted from Agnai\./));
    expect(lines).toContainEqual(expect.stringMatching(/^Ilsa Marrow: .* from RisuAI\. .*kept aside/));
    await tavern.answerPopup('Done');
    expectNoErrors(tavern);
  });

  it.each(KINDS)('%s: the entries that the app held, linked', (file, worlds) => {
    const { held, there } = compared(file, entriesIn(worlds));
    expect(there).toEqual(held);
    expect(linkOf(tavern, avatarOf(file))).toBe(worlds[0]);
  });

  it.each(KINDS)('%s: SillyTavern has the character in its own words', (file, worlds) => {
    const card = tavern.cardOf(avatarOf(file));
    expect(card.data?.name).toBe(nameOf(file));
    expect(card.data?.['first_mes']).not.toBe('');
    const book = card.data?.character_book?.entries ?? [];
    expect(book).toHaveLength(entriesIn(worlds).length);
    for (const entry of book)
      expect(entry['extensions']).toMatchObject({
        position: expect.any(Number),
        selectiveLogic: expect.any(Number),
      });
    expect(JSON.stringify(book)).not.toMatch(/"content":"@@\w/);
  });

  it('keeps the pictures, also one that came inside the JSON', () => {
    const sizes = KINDS.filter(([file]) => file.endsWith('.png')).map(([file]) => [
      sizeOf(readFileSync(foreignPath(file))),
      sizeOf(exporting.stored(tavern, avatarOf(file))),
    ]);
    for (const [given, stored] of sizes) expect(stored).toEqual(given);
    const native = JSON.parse(
      readFileSync(foreignPath('marinara-full-vesna-holt-embedded.marinara.json'), 'utf8'),
    ) as {
      data: { avatar: string };
    };
    const avatar = Buffer.from(native.data.avatar.split(',')[1] ?? '', 'base64');
    expect(sizeOf(exporting.stored(tavern, 'Vesna Holt.png'))).toEqual(sizeOf(avatar));
  });

  it.each(KINDS)('%s: “Extract lorebook” finds it extracted already', async (file, worlds) => {
    const before = worldsHere(tavern);
    await tavern.openCharacter(avatarOf(file));
    await tavern.chooseFromMoreMenu('lf-extract-lorebook');
    expect((await notice(tavern, 'Already extracted'))[0]).toContain(`“${worlds[0]}” is already linked to`);
    expect(await tavern.popups()).toEqual([]);
    expect(worldsHere(tavern)).toEqual(before);
    expectNoErrors(tavern);
  });

  it('the same files again: nothing new, also where a world was edited', async () => {
    const before = worldsHere(tavern);
    const world = tavern.worldFile('Notes on Dunwater');
    const edited = {
      ...world,
      entries: { ...world?.entries, 0: { ...world?.entries['0'], content: 'Mine.' } },
    };
    await tavern.putWorld('Notes on Dunwater', edited);
    await tavern.importCards(KINDS.map(([file]) => foreignPath(file)));
    const shown = await summary(tavern);
    expect(shown.counts).toEqual({ 'Not done': 0, Extracted: 0, Linked: KINDS.length, 'No lorebook': 0 });
    await tavern.answerPopup('Done');
    expect(worldsHere(tavern)).toEqual(before);
    expect(entriesOf(tavern, 'Notes on Dunwater')[0]?.content).toBe('Mine.');
    expectNoErrors(tavern);
  });
});

describe('one by one', () => {
  it('tells of the conversion, and undoes the extraction', async () => {
    const fresh = JSON.parse(readFileSync(foreignPath('agnai-plain-piet-haas-native.json'), 'utf8')) as {
      characterBook: { name: string; entries: { entry: string }[] };
    };
    const [first] = fresh.characterBook.entries;
    if (first) first.entry = 'Another lock.';
    const book = { ...fresh.characterBook, name: 'Locks' };
    await tavern.importCards([jsonCard(folder, 'piet', { ...fresh, name: 'Piet Two', characterBook: book })]);
    const lines = await notice(tavern, 'Lorebook extracted');
    expect(lines[0]).toBe(
      '“Locks”: 5 entries, linked to Piet Two. Found as the memory book of the character.',
    );
    expect(lines[1]).toBe('The card was converted from Agnai.');
    await pressInNotice(tavern, 'Lorebook extracted', 'Undo');
    await notice(tavern, 'Undone');
    expect(tavern.worldNames()).not.toContain('Locks');
    expect(linkOf(tavern, 'Piet Two.png')).toBe('');
    expectNoErrors(tavern);
  });

  it('a card without a lorebook is converted too, and said', async () => {
    await tavern.importCards([foreignPath('marinara-full-vesna-holt-linked-only.marinara.json')]);
    expect(await notice(tavern, 'Character converted')).toEqual([
      'The card was converted from Marinara.',
      'It brought no lorebook.',
    ]);
    expectNoErrors(tavern);
  });

  it('a picture inside the JSON that is no PNG is drawn as one', async () => {
    const jpeg = await tavern.page.evaluate(() => {
      const canvas = document.createElement('canvas');
      canvas.width = 61;
      canvas.height = 47;
      return canvas.toDataURL('image/jpeg');
    });
    expect(jpeg).toMatch(/^data:image\/jpeg/);
    const native = JSON.parse(
      readFileSync(foreignPath('marinara-plain-anselm-ruiz-linked-only.marinara.json'), 'utf8'),
    ) as { data: { avatar: string; data: { name: string } } };
    native.data.avatar = jpeg;
    native.data.data.name = 'Jpeg Ruiz';
    await tavern.importCards([jsonCard(folder, 'jpeg', native)]);
    await notice(tavern, 'Character converted');
    expect(sizeOf(exporting.stored(tavern, 'Jpeg Ruiz.png'))).toEqual([61, 47]);
    expectNoErrors(tavern);
  });

  it('a replaced character keeps its file and its place', async () => {
    await tavern.openCharacter('Walter Keen.png');
    const reply = await tavern.replaceCharacter(foreignPath('lumiverse-plain-walter-keen.json'));
    expect(reply.avatar).toBe('Walter Keen.png');
    await afterBatch(tavern);
    expect(linkOf(tavern, 'Walter Keen.png')).toBe('Slate Lane notes');
    expect(entriesOf(tavern, 'Slate Lane notes')).toHaveLength(5);
    expectNoErrors(tavern);
  });

  it('a newer version of another app’s card is compared three ways: new entries come, edits stay', async () => {
    const native = JSON.parse(readFileSync(foreignPath('agnai-plain-piet-haas-native.json'), 'utf8')) as {
      characterBook: { name: string; entries: { name: string; entry: string }[] };
    };
    const card = (entries: typeof native.characterBook.entries): object => ({
      ...native,
      name: 'Piet Three',
      characterBook: { ...native.characterBook, name: 'Sluices', entries },
    });
    const [first, second, ...others] = native.characterBook.entries;
    if (first === undefined || second === undefined) throw new Error('no entries');
    await tavern.importCards([jsonCard(folder, 'three', card([first, second]))]);
    await notice(tavern, 'Lorebook extracted');
    const world = tavern.worldFile('Sluices');
    await tavern.putWorld('Sluices', {
      ...world,
      entries: { ...world?.entries, 0: { ...world?.entries['0'], content: 'My own words.' } },
    });
    await tidy(tavern);
    await tavern.openCharacter('Piet Three.png');
    const newer = [first, { ...second, entry: 'Newer words.' }, ...others];
    await tavern.replaceCharacter(jsonCard(folder, 'three newer', card(newer)));
    const shown = await changedBook(tavern);
    expect(shown.answers.join()).toMatch(/keep my edits/);
    await tavern.answerPopup(/keep my edits/);
    await notice(tavern, 'New entries taken');
    expect(entriesOf(tavern, 'Sluices').map(({ content }) => content)).toEqual([
      'My own words.',
      'Newer words.',
      ...others.map(({ entry }) => entry),
    ]);
    expect(linkOf(tavern, 'Piet Three.png')).toBe('Sluices');
    expectNoErrors(tavern);
  });

  it('SillyTavern’s own cards reach its server byte for byte', async () => {
    const own = pngCard(folder, 'Own', cardWithBook('Own', 'Own Book', ['One.']));
    const plain = jsonCard(folder, 'Plain V3', caseOf('peers/10-v2-plain'));
    const before = (await sentFiles(tavern)).length;
    await tavern.importCards([own, plain]);
    await summary(tavern);
    await tavern.answerPopup('Done');
    const bytes = (path: string): string => readFileSync(path).toString('base64');
    expect((await sentFiles(tavern)).slice(before)).toEqual([
      { name: 'Own.png', type: 'png', bytes: bytes(own) },
      { name: 'Plain V3.json', type: 'json', bytes: bytes(plain) },
    ]);
    expectNoErrors(tavern);
  });
});

describe('through “Import from another app...”', () => {
  it('takes names that SillyTavern refuses', async () => {
    const native = readFileSync(foreignPath('marinara-plain-anselm-ruiz-embedded.marinara.json'));
    const renamed = JSON.parse(native.toString('utf8')) as { data: { data: { name: string } } };
    renamed.data.data.name = 'Anselm Two';
    const jpeg = readFileSync(foreignPath('risu-plain-bertil-oakes-charxjpeg.jpeg'));
    const box = await openImportDialog(tavern);
    await box
      .locator('input.lf-file')
      .setInputFiles([
        fileNamed(folder, 'anselm.marinara', JSON.stringify(renamed)),
        fileNamed(folder, 'bertil.jpeg', jpeg),
      ]);
    const shown = await summary(tavern);
    expect(shown.counts).toMatchObject({ 'Not done': 0, Linked: 2 });
    await tavern.answerPopup('Done');
    expect(linkOf(tavern, 'Anselm Two.png')).toBe('Casa Blanca Street notes');
    expect(tavern.cardOf('Anselm Two.png').data?.character_book?.entries?.[0]?.['extensions']).toMatchObject({
      position: 0,
      prevent_recursion: true,
    });
    expect(worldsHere(tavern)).not.toContain("Bertil Oakes's Lorebook (2)");
    expectNoErrors(tavern);
  });

  it('takes a bulk zip: each member as if it had been chosen singly', async () => {
    const before = worldsHere(tavern);
    const box = await openImportDialog(tavern);
    await box.locator('input.lf-file').setInputFiles([foreignPath('marinara-characters-port-amber.zip')]);
    const shown = await summary(tavern);
    expect(shown.counts).toMatchObject({ 'Not done': 0 });
    expect(shown.rows.map(({ name }) => name).sort()).toEqual(['Anselm Ruiz', 'Greta Moss', 'Vesna Holt']);
    await tavern.answerPopup('Done');
    expect(worldsHere(tavern)).toEqual(before);
    expectNoErrors(tavern);
  });

  it('takes a zip of lorebooks', async () => {
    const box = await openImportDialog(tavern);
    await box.locator('input.lf-file').setInputFiles([foreignPath('marinara-lorebooks-port-amber.zip')]);
    // Those that came with the characters say less: a card's book tells nothing of folders, filters and vectors.
    const lines = await notice(tavern, '4 lorebooks imported');
    expect(lines.join(' ')).toContain('“Port Amber lore (2)”: 43 entries. It was converted from Marinara.');
    expect(lines.join(' ')).toContain('“Port Amber second book”: 3 entries.');
    const { held, there } = compared(
      'marinara-lorebooks-port-amber.zip',
      entriesIn([
        'Port Amber lore (2)',
        'Port Amber second book',
        'Casa Blanca Street notes (2)',
        "Greta Moss — Greta Moss's Lorebook (2)",
      ]),
    );
    await pressInNotice(tavern, '4 lorebooks imported', 'Undo');
    await notice(tavern, 'Undone');
    expect(worldsHere(tavern).filter((name) => name.endsWith('(2)'))).toEqual([]);
    expect(there).toEqual(held);
    expectNoErrors(tavern);
  });

  it('takes lorebooks, several at once, and does not take them twice', async () => {
    const take = async (): Promise<void> => {
      const box = await openImportDialog(tavern);
      await box
        .locator('input.lf-file')
        .setInputFiles([
          foreignPath('agnai-book-dunwater.json'),
          foreignPath('risu-full-ilsa-marrow-chat-lorebook_export.json'),
        ]);
    };
    await take();
    const lines = await notice(tavern, '2 lorebooks imported');
    expect(lines.join(' ')).toContain('“Dunwater second book”: 3 entries. It was converted from Agnai.');
    const { held, there } = compared('agnai-book-dunwater.json', entriesOf(tavern, 'Dunwater second book'));
    expect(there).toEqual(held);
    const before = worldsHere(tavern);
    await tidy(tavern);
    await take();
    await notice(tavern, 'Already there');
    expect(worldsHere(tavern)).toEqual(before);
    await pressInNotice(tavern, 'Already there', 'Import again');
    await notice(tavern, 'Lorebook imported');
    expect(worldsHere(tavern)).toHaveLength(before.length + 1);
    await pressInNotice(tavern, 'Lorebook imported', 'Undo');
    await notice(tavern, 'Undone');
    expect(worldsHere(tavern)).toEqual(before);
    expectNoErrors(tavern);
  });
});

describe('when a card cannot be converted', () => {
  it('SillyTavern’s own import goes on with the file itself, which is said; its lorebook comes in', async () => {
    await tavern.reload();
    await tavern.page.route('**/arrival-*.js', (route) => route.abort());
    const native = JSON.parse(
      readFileSync(foreignPath('agnai-plain-piet-haas-native.json'), 'utf8'),
    ) as object;
    const before = (await sentFiles(tavern)).length;
    const [reply] = await tavern.importCards([jsonCard(folder, 'as is', { ...native, name: 'Piet As Is' })]);
    expect(reply?.avatar).toBe('Piet As Is.png');
    const [sent] = (await sentFiles(tavern)).slice(before);
    expect(sent?.bytes).toBe(readFileSync(`${folder}/as is.json`).toString('base64'));
    const [line, ...others] = await notice(tavern, 'Not converted');
    expect(line).toContain('“as is.json” was written by Agnai and came in as SillyTavern itself reads it');
    expect(others).toEqual([]);
    expect(linkOf(tavern, 'Piet As Is.png')).toBe('Notes on Dunwater');
    expectNoErrors(tavern, /net::ERR_FAILED/);
  });
});

describe('and back', () => {
  it.each([
    ['agnai-full-odile-brandt-native.card.png', /^Agnai/, 'agnai'],
    ['risu-st-nadia-ferro-v2.png', /^RisuAI/, 'risu'],
    ['marinara-st-greta-moss-edited.png', /^Marinara/, 'marinara'],
  ])('%s is written for its app again, with all its entries', async (file, label) => {
    await exporting.openFromButton(tavern, avatarOf(file));
    await exporting.choose(tavern, label);
    const { bytes, name } = await exporting.download(tavern, folder);
    await exporting.closeExport(tavern);
    const { openFile } = await import('../../src/open-file.ts');
    const opened = openFile(new Uint8Array(bytes), name);
    const titles =
      opened.kind === 'card' ? opened.pieces.lorebooks[0]?.body.entries.map(({ title }) => title) : [];
    expect(titles).toEqual(sidecarOf(file).books[0]?.entries.map(({ title }) => title));
    // Imported again it is known: nothing new is made.
    const before = worldsHere(tavern);
    await tavern.importCards([fileNamed(folder, name, bytes)]);
    await afterBatch(tavern);
    expect((await noticeTitles(tavern)).join()).not.toContain('Lorebook extracted');
    expect(worldsHere(tavern)).toEqual(before);
    expectNoErrors(tavern);
  });
});
