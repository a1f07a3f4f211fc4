// Cards of Wyvern, Chub and RoleCall, which come in the standard's words with fields of their own, in a real SillyTavern:
// what it stores says the same as the world file, to its own eyes too, and goes out again to RoleCall.

import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asPng } from '../../src/containers/card-picture.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { CanonicalLorebook } from '../../src/core/lorebook.ts';
import { bringsNothingNew } from '../../src/formats/sillytavern/visible-fields.ts';
import { lorebookFromWorld } from '../../src/formats/sillytavern/world-twin.ts';
import { openFile } from '../../src/open-file.ts';
import { extractAsSillyTavern } from '../support/sillytavern.ts';
import { WORDED_CARDS, type WordedCard } from '../support/worded-cards.ts';
import { cardFolder, fileNamed } from './card-files.ts';
import * as exporting from './export-page.ts';
import { foreignPath } from './foreign-sidecar.ts';
import { openSillyTavern, type Tavern } from './harness.ts';
import {
  afterBatch,
  choosePolicy,
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  summary,
  tidy,
  typeDescription,
  worldsHere,
} from './our-page.ts';
import { recordImports, sentFiles } from './sent-imports.ts';

let tavern: Tavern;
const folder = cardFolder();
const PICTURE = readFileSync(foreignPath('marinara-st-greta-moss-edited.png'));

beforeAll(async () => {
  tavern = await openSillyTavern({ initScript: recordImports });
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const avatarOf = ({ character }: WordedCard): string => `${character}.png`;
const EACH = WORDED_CARDS.map((each) => [each.app, each] as const);

/** The card in a picture, as a person has it from the app's site. */
function pictured(card: JsonObject, name: string): string {
  return fileNamed(folder, name, asPng({ picture: new Uint8Array(PICTURE) }, card));
}

/** The card under other names, as one that was never seen before. */
function renamed({ card, character, world }: WordedCard, name: string, book: string): JsonObject {
  const text = JSON.stringify(card);
  return JSON.parse(text.replaceAll(`"${character}"`, `"${name}"`).replaceAll(`"${world}"`, `"${book}"`));
}

const sizeOf = (png: Buffer): readonly number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];
/** The rows of a stored character's book, as SillyTavern itself would extract them. */
const storedRows = (avatar: string): unknown[] => {
  const book = tavern.cardOf(avatar).data?.character_book;
  return Object.values(extractAsSillyTavern(book as never)['entries'] as JsonObject);
};

describe('through SillyTavern’s own file picker', () => {
  it('all at once: extracted, linked, and said to be converted', async () => {
    const files = WORDED_CARDS.map(({ card, app }) => pictured(card, `${app}.png`));
    const replies = await tavern.importCards(files);
    expect(replies.map(({ avatar }) => avatar)).toEqual(WORDED_CARDS.map(avatarOf));
    const shown = await summary(tavern);
    expect(shown.counts).toEqual({ 'Not done': 0, Extracted: 3, Linked: 0, 'No lorebook': 0 });
    const lines = shown.rows.map(({ name, lines: said }) => `${name}: ${said.join(' ')}`);
    for (const [name, app] of [
      ['Otto Brand', 'RoleCall'],
      ['Tove Arden', 'Wyvern'],
      ['Liv Hagen', 'Chub'],
    ])
      expect(lines).toContainEqual(
        expect.stringMatching(`^${name}: .*The card was converted from ${app}\\.`),
      );
    await tavern.answerPopup('Done');
    expectNoErrors(tavern);
  });

  it.each(EACH)('%s: the right entries in the world file', (_, worded) => {
    expect(entriesOf(tavern, worded.world)).toMatchObject(worded.entries);
    expect(entriesOf(tavern, worded.world)).toHaveLength(worded.entries.length);
    expect(linkOf(tavern, avatarOf(worded))).toBe(worded.world);
  });

  it.each(EACH)('%s: the same entries in the stored character, in SillyTavern’s words', (_, worded) => {
    const rows = storedRows(avatarOf(worded));
    expect(rows).toMatchObject(worded.entries);
    expect(rows).toHaveLength(worded.entries.length);
    for (const entry of tavern.cardOf(avatarOf(worded)).data?.character_book?.entries ?? [])
      expect(entry['extensions']).toMatchObject({
        position: expect.any(Number),
        selectiveLogic: expect.any(Number),
        role: expect.any(Number),
      });
    const extensions = tavern.cardOf(avatarOf(worded)).data?.extensions ?? {};
    expect(extensions).not.toHaveProperty('character_book');
  });

  it.each(EACH)('%s: the picture is kept', (_, worded) => {
    expect(sizeOf(exporting.stored(tavern, avatarOf(worded)))).toEqual(sizeOf(PICTURE));
  });

  it('the same files again: nothing new', async () => {
    const before = worldsHere(tavern);
    await tavern.importCards(WORDED_CARDS.map(({ card, app }) => pictured(card, `${app}.png`)));
    const shown = await summary(tavern);
    expect(shown.counts).toEqual({ 'Not done': 0, Extracted: 0, Linked: 3, 'No lorebook': 0 });
    await tavern.answerPopup('Done');
    expect(worldsHere(tavern)).toEqual(before);
    expectNoErrors(tavern);
  });

  it.each(EACH)('%s: “Extract lorebook” finds it extracted already', async (_, worded) => {
    await tavern.openCharacter(avatarOf(worded));
    await tavern.chooseFromMoreMenu('lf-extract-lorebook');
    expect((await notice(tavern, 'Already extracted'))[0]).toContain(`“${worded.world}”`);
    expectNoErrors(tavern);
  });
});

describe('back from SillyTavern', () => {
  it.each(EACH)('%s: the card that it saved is imported again byte for byte', async (app, worded) => {
    const avatar = avatarOf(worded);
    await tavern.openCharacter(avatar);
    // At every save it writes the linked world over the card's own book.
    await typeDescription(tavern, avatar, ' Typed.');
    expect(tavern.cardOf(avatar).data?.character_book).not.toHaveProperty('extensions');
    const bytes = exporting.stored(tavern, avatar);
    const before = (await sentFiles(tavern)).length;
    await tavern.importCards([fileNamed(folder, `${app} again.png`, bytes)]);
    await afterBatch(tavern);
    const [sent] = (await sentFiles(tavern)).slice(before);
    expect(sent?.bytes === bytes.toString('base64')).toBe(true);
    expectNoErrors(tavern);
  });
});

describe('where lorebooks are left alone', () => {
  it.each(EACH)('%s: SillyTavern’s own “Import Card Lore” finds the same entries', async (app, worded) => {
    await choosePolicy(tavern, 'leave');
    const [name, book] = [`Left ${app}`, `Left ${app} notes`];
    const [reply] = await tavern.importCards([pictured(renamed(worded, name, book), `left ${app}.png`)]);
    await afterBatch(tavern);
    expect(worldsHere(tavern)).not.toContain(book);
    await tidy(tavern);
    await tavern.openCharacter(reply?.avatar ?? '');
    await tidy(tavern);
    await tavern.chooseFromMoreMenu('import_character_info');
    await tavern.waitForPopup(book);
    await tavern.answerPopup('Yes');
    await expect.poll(() => worldsHere(tavern), { timeout: 15_000 }).toContain(book);
    expect(entriesOf(tavern, book)).toMatchObject(worded.entries);
    expect(entriesOf(tavern, book)).toHaveLength(worded.entries.length);
    await choosePolicy(tavern, 'extract');
    expectNoErrors(tavern);
  });
});

describe('and out again to RoleCall', () => {
  const books = ({ name, bytes }: exporting.Saved): readonly CanonicalLorebook[] => {
    const opened = openFile(new Uint8Array(bytes), name);
    if (opened.kind === 'card') return opened.pieces.lorebooks;
    return opened.kind === 'lorebook' ? [opened.lorebook] : [];
  };

  it.each(EACH)('%s: the card and the lorebook file hold the same entries', async (_, worded) => {
    const world = lorebookFromWorld(tavern.worldFile(worded.world) as never, 'w', 'w').lorebook.body.entries;
    await exporting.openFromButton(tavern, avatarOf(worded));
    await exporting.choose(tavern, /^RoleCall/);
    const card = await exporting.download(tavern, folder);
    await exporting.press(tavern, 'Lorebooks');
    const file = await exporting.download(tavern, folder);
    await exporting.closeExport(tavern);

    expect(sizeOf(card.bytes)).toEqual(sizeOf(PICTURE));
    for (const saved of [card, file]) {
      const [book, ...others] = books(saved);
      expect([book?.name, others]).toEqual([worded.world, []]);
      const entries = book?.body.entries ?? [];
      expect(entries).toHaveLength(world.length);
      // Neither way is there anything that the other does not show.
      expect(bringsNothingNew(world, entries)).toBe(true);
      expect(bringsNothingNew(entries, world)).toBe(true);
    }
    // And as others see them, who know nothing of us.
    const { lorebook } = JSON.parse(file.bytes.toString()) as {
      lorebook: { entries: { title: string; triggers: { primary: { keyword: string }[] } }[] };
    };
    expect(lorebook.entries.map(({ title }) => title)).toEqual(worded.entries.map(({ comment }) => comment));
    expect(lorebook.entries.map(({ triggers }) => triggers.primary.map(({ keyword }) => keyword))).toEqual(
      worded.entries.map(({ key }) => key),
    );
    expectNoErrors(tavern);
  });
});
