// "Export to another app..." for RisuAI and Agnai: the options, what the report says, the bytes that are downloaded, and
// the way back into SillyTavern.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sameFingerprint } from '../../src/core/fingerprint.ts';
import type { CanonicalLorebook } from '../../src/core/lorebook.ts';
import { lorebookFromWorld } from '../../src/formats/sillytavern/world-twin.ts';
import { type OpenedFile, openFile } from '../../src/open-file.ts';
import { almanacCard, almanacWorld } from './almanac.ts';
import { cardFolder, fileNamed, pngCard } from './card-files.ts';
import {
  cardIn,
  choose,
  closeExport,
  download,
  exportBox,
  jsonIn,
  openFromButton,
  pictureOf,
  press,
  type Saved,
  shownOf,
  stored,
  textsOf,
} from './export-page.ts';
import { type Card, openSillyTavern, type Tavern, type WorldFile } from './harness.ts';
import { lookAt } from './look.ts';
import {
  expectNoErrors,
  inspectCharacter,
  linkOf,
  notice,
  openImportDialog,
  panelBox,
  tidy,
  worldsHere,
} from './our-page.ts';

let tavern: Tavern;
const folder = cardFolder();
const FENN = 'Ottoline Fenn.png';
const ALMANAC = 'Fenn Harbour Almanac';
const TRADES = 'Saltmere Trades';
const DEPTH_PROMPT = { prompt: 'Ottoline never hurries.', depth: 6, role: 'system' };

const plainEntry = (uid: number, given: Record<string, unknown>) => ({
  uid,
  keysecondary: [],
  content: `Text ${uid}.`,
  position: 0,
  order: 100,
  depth: 4,
  disable: false,
  constant: false,
  probability: 100,
  useProbability: true,
  ...given,
});

/** The almanac with what the two apps leave to the user: keys in other letters, and keys that mind case. */
function world(): WorldFile {
  const { entries } = almanacWorld() as unknown as WorldFile;
  const added = [
    plainEntry(30, { comment: 'The lighthouse, in Cyrillic', key: ['маяк'] }),
    plainEntry(31, { comment: 'Captain Rook', key: ['Rook'], caseSensitive: true }),
    plainEntry(32, {
      comment: 'Always at the note',
      key: [],
      constant: true,
      position: 2,
      content: 'Brass.',
    }),
  ];
  return {
    entries: { ...entries, ...Object.fromEntries(added.map((entry) => [String(entry.uid), entry])) },
  } as unknown as WorldFile;
}

function seed(userDir: string): void {
  const put = (place: 'characters' | 'worlds', name: string, bytes: Uint8Array | string): void => {
    mkdirSync(join(userDir, place), { recursive: true });
    writeFileSync(join(userDir, place, name), bytes);
  };
  const card = almanacCard() as Card;
  const data = { ...card.data, extensions: { ...card.data?.extensions, depth_prompt: DEPTH_PROMPT } };
  put('characters', FENN, readFileSync(pngCard(folder, 'fenn', { ...card, data } as never)));
  put('worlds', `${ALMANAC}.json`, JSON.stringify(world()));
  const trades = {
    0: plainEntry(0, { comment: 'Cooper', key: ['cask'] }),
    1: plainEntry(1, { comment: 'Chandler', key: ['rope'] }),
  };
  put('worlds', `${TRADES}.json`, JSON.stringify({ entries: trades }));
}

beforeAll(async () => {
  tavern = await openSillyTavern({
    seed,
    settings: {
      extension_settings: { note: { default: '', chara: [], wiAddition: [], defaultDepth: 6 } },
      max_context: 16_384,
      amount_gen: 384,
      world_info_settings: {
        world_info_budget: 25,
        world_info: { charLore: [{ name: 'Ottoline Fenn', extraBooks: [TRADES] }] },
      },
    },
  });
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const box = (): Locator => exportBox(tavern);
const save = (): Promise<Saved> => download(tavern, folder);
const option = (id: string): Locator => box().locator(`[data-option="${id}"]`);

/** Opens the dialog for one app, with the linked book alone. */
async function openFor(app: RegExp, books: 'one' | 'all' = 'one'): Promise<void> {
  await openFromButton(tavern, FENN);
  await choose(tavern, app);
  if (books === 'one') await choose(tavern, new RegExp(`^${TRADES}`));
}

/** The lorebooks of a file, as our reader has them. */
function booksIn({ name, bytes }: Saved): readonly CanonicalLorebook[] {
  const opened: OpenedFile = openFile(new Uint8Array(bytes), name);
  if (opened.kind === 'card') return opened.pieces.lorebooks;
  return [opened.kind === 'worldinfo' ? opened.world.lorebook : opened.lorebook];
}
const worldBook = (name: string): CanonicalLorebook =>
  lorebookFromWorld(tavern.worldFile(name) as never, 'w', name).lorebook;
const same = (book: CanonicalLorebook | undefined): string => (book ? sameFingerprint(book.body) : 'none');

const ROOT = ['name', 'description', 'personality', 'scenario', 'first_mes', 'mes_example'] as const;
const textsOfCard = ({ data }: Card): unknown => ROOT.map((field) => data?.[field]);

/** Brings a file back while the world file is away, and compares what SillyTavern then holds with what was there. */
async function comesBack({ bytes }: Saved, name: string, bring = importCard): Promise<void> {
  const before = shownOf(tavern, ALMANAC);
  const held = tavern.worldFile(ALMANAC) as WorldFile;
  const card = tavern.cardOf(FENN);
  await closeExport(tavern);
  await tavern.post('/api/worldinfo/delete', { name: ALMANAC });
  const avatar = await bring(fileNamed(folder, name, bytes));
  await notice(tavern, 'Lorebook extracted');
  const link = linkOf(tavern, avatar) as string;
  try {
    expect(shownOf(tavern, link)).toEqual(before);
    expect(textsOfCard(tavern.cardOf(avatar))).toEqual(textsOfCard(card));
    expect(tavern.cardOf(avatar).data?.extensions?.['depth_prompt']).toEqual(DEPTH_PROMPT);
  } finally {
    await tavern.post('/api/worldinfo/delete', { name: link });
    await tavern.putWorld(ALMANAC, held);
  }
  expectNoErrors(tavern);
}

async function importCard(file: string): Promise<string> {
  const [reply] = await tavern.importCards([file]);
  expect(reply?.status).toBe(200);
  return reply?.avatar ?? '';
}

const avatarsHere = (): string[] =>
  readdirSync(join(tavern.server.userDir, 'characters')).filter((name) => name.endsWith('.png'));

/** Brings in a file that SillyTavern's own import does not know. */
async function importByUs(file: string): Promise<string> {
  const before = new Set(avatarsHere());
  const dialog = await openImportDialog(tavern);
  await dialog.locator('input[type=file]').setInputFiles([file]);
  await notice(tavern, 'Lorebook extracted');
  const added = avatarsHere().filter((each) => !before.has(each));
  expect(added).toHaveLength(1);
  return added[0] ?? '';
}

/** Brings a lorebook file back while the world file is away, and compares what SillyTavern's editor shows of both. */
async function lorebookComesBack(file: Saved, name: string): Promise<void> {
  const [shown, held] = [shownOf(tavern, ALMANAC), tavern.worldFile(ALMANAC) as WorldFile];
  await closeExport(tavern);
  await tavern.post('/api/worldinfo/delete', { name: ALMANAC });
  const before = worldsHere(tavern);
  const dialog = await openImportDialog(tavern);
  await dialog.locator('input[type=file]').setInputFiles([fileNamed(folder, name, file.bytes)]);
  await expect.poll(() => worldsHere(tavern).length, { timeout: 15_000 }).toBe(before.length + 1);
  const [added = ''] = worldsHere(tavern).filter((name) => !before.includes(name));
  expect(shownOf(tavern, added)).toEqual(shown);
  await tavern.post('/api/worldinfo/delete', { name: added });
  await tavern.putWorld(ALMANAC, held);
  expectNoErrors(tavern);
}

describe('RisuAI', () => {
  it('looks right, with an option that only it has', async () => {
    await openFor(/^RisuAI/);
    expect(await option('non-latin-keys').count()).toBe(0);
    expect(await option('case-sensitive-keys').textContent()).toContain('As patterns');
    await lookAt(tavern, 'export-risu', '.lf-export');
    await box().locator('.lf-fold').first().click();
    await lookAt(tavern, 'export-risu-unfolded', '.lf-export');
    await box().locator('.lf-todo summary').click();
    await tavern.page.setViewportSize({ width: 390, height: 844 });
    await box().locator('.lf-summary').click();
    await tavern.page.waitForTimeout(300);
    await tavern.screenshot('export-risu-report-390-dark');
    await tavern.page.setViewportSize({ width: 1280, height: 900 });
    expectNoErrors(tavern);
  });

  it('a PNG with ccv3 alone, the picture as it was; its entries are the book’s, and come back so', async () => {
    await openFor(/^RisuAI/);
    const file = await save();
    expect(file.name).toBe('Ottoline Fenn.png');
    expect(textsOf(file.bytes).map(({ keyword }) => keyword)).toEqual(['ccv3']);
    expect(pictureOf(file.bytes)).toEqual(pictureOf(stored(tavern, FENN)));
    const entries = cardIn(file.bytes, 'ccv3').data?.character_book?.entries ?? [];
    const textOf = (name: string): unknown => entries.find((entry) => entry['name'] === name)?.['content'];
    // The note stands where this chat has it, not at a fixed depth.
    expect(textOf('Storm mood')).toMatch(/^@@depth 6\n@@reverse_depth 6\n/m);
    // A quarter of what the prompt may have.
    expect(cardIn(file.bytes, 'ccv3').data?.character_book).toMatchObject({
      token_budget: 4000,
      scan_depth: 2,
    });
    expect(booksIn(file).map(same)).toEqual([same(worldBook(ALMANAC))]);
    await comesBack(file, 'risu.png');
  });

  it('keys that mind case are patterns, or plain where that is chosen; the report says so', async () => {
    await openFor(/^RisuAI/);
    await press(tavern, 'JSON');
    const rook = ({ bytes }: Saved): unknown => {
      const { data } = JSON.parse(bytes.toString()) as Card;
      return data?.character_book?.entries?.find((entry) => entry['name'] === 'Captain Rook');
    };
    const patterns = await save();
    expect(rook(patterns)).toMatchObject({ use_regex: true });
    await press(tavern, 'As plain keys');
    const plain = await save();
    expect(rook(plain)).toMatchObject({ use_regex: false, keys: ['Rook'] });
    await box().locator('.lf-search input').fill('small and capital');
    await expect.poll(() => box().locator('.lf-report-rows li b').allInnerTexts()).toEqual(['Captain Rook']);
    expect(booksIn(plain).map(same)).toEqual([same(worldBook(ALMANAC))]);
    await comesBack(plain, 'risu.json');
  });

  it('a charx with the card and a picture, both books in it', async () => {
    await openFor(/^RisuAI/, 'all');
    await press(tavern, 'CharX');
    const file = await save();
    expect(file.name).toBe('Ottoline Fenn.charx');
    const members = unzipSync(new Uint8Array(file.bytes));
    const card = JSON.parse(Buffer.from(members['card.json'] ?? []).toString()) as Card;
    // Without an asset RisuAI waits for ever.
    const [asset] = (card.data?.['assets'] ?? []) as { uri: string }[];
    const path = asset?.uri.replace(/^embeded:\/\//, '') ?? '';
    expect(
      Buffer.from(members[path] ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(pictureOf(Buffer.from(members[path] ?? []))).toEqual(pictureOf(stored(tavern, FENN)));
    const names = [ALMANAC, TRADES];
    expect(booksIn(file).map(same)).toEqual(names.map((name) => same(worldBook(name))));

    const held = names.map((name) => tavern.worldFile(name) as WorldFile);
    const shown = names.map((name) => shownOf(tavern, name));
    await closeExport(tavern);
    for (const name of names) await tavern.post('/api/worldinfo/delete', { name });
    const before = worldsHere(tavern).length;
    const avatar = await importCard(fileNamed(folder, 'both.charx', file.bytes));
    await expect.poll(() => worldsHere(tavern).length, { timeout: 15_000 }).toBe(before + 2);
    await notice(tavern, 'Lorebook extracted');
    try {
      expect(linkOf(tavern, avatar)).toBe(ALMANAC);
      expect(names.map((name) => shownOf(tavern, name))).toEqual(shown);
    } finally {
      for (const [index, name] of names.entries()) await tavern.putWorld(name, held[index] as WorldFile);
    }
    expectNoErrors(tavern);
  });

  it('lorebooks of its own, with the settings that such a file cannot hold', async () => {
    await openFor(/^RisuAI/);
    await press(tavern, 'Lorebooks');
    await box().locator('.lf-todo summary').click();
    const rows = await box().locator('.lf-values > div').allInnerTexts();
    expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual([
      'Scan Depth 2',
      'Token Budget 4000',
      'Recursive Scanning on',
      'Full Word Matching off',
    ]);
    const file = await save();
    expect(file.name).toBe(`${ALMANAC}.json`);
    expect(JSON.parse(file.bytes.toString())).toMatchObject({ type: 'risu', ver: 1 });
    expect(booksIn(file).map(same)).toEqual([same(worldBook(ALMANAC))]);
    await lorebookComesBack(file, 'risu-lorebook.json');
  });
});

describe('Agnai', () => {
  it('looks right, with its options, steps and settings', async () => {
    await openFor(/^Agnai/);
    expect(await option('case-sensitive-keys').count()).toBe(0);
    await lookAt(tavern, 'export-agnai', '.lf-export');
    await lookAt(tavern, 'export-agnai', '.lf-export', [[768, 1024]]);
    await tavern.page.setViewportSize({ width: 768, height: 1024 });
    await box().locator('.lf-summary').click();
    await tavern.page.waitForTimeout(300);
    await tavern.screenshot('export-agnai-report-768-dark');
    await tavern.page.setViewportSize({ width: 1280, height: 900 });
    await box().locator('.lf-todo summary').click();
    await lookAt(tavern, 'export-agnai-steps', '.lf-export');
    await tavern.page.setViewportSize({ width: 390, height: 844 });
    for (const [name, part] of [
      ['options', '[data-option]'],
      ['settings', '.lf-settings-there'],
    ] as const) {
      await box().locator(part).first().scrollIntoViewIfNeeded();
      await tavern.page.waitForTimeout(200);
      await tavern.screenshot(`export-agnai-${name}-390-dark`);
    }
    await tavern.page.setViewportSize({ width: 1280, height: 900 });
    await tavern.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await box().getByRole('button', { name: 'Copy settings' }).click();
    const copied = await tavern.page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^Memory: Chat History Depth: 2\nMemory: Context Limit: \d+$/);
    expectNoErrors(tavern);
  });

  it('a PNG with its own character first and SillyTavern’s card behind; the picture and the book as they were', async () => {
    await openFor(/^Agnai/);
    const file = await save();
    expect(textsOf(file.bytes).map(({ keyword }) => keyword)).toEqual(['chara', 'ccv3']);
    expect(pictureOf(file.bytes)).toEqual(pictureOf(stored(tavern, FENN)));
    const native = jsonIn(file.bytes, 'chara');
    expect(native).toMatchObject({
      kind: 'character',
      name: 'Ottoline Fenn',
      insert: { depth: 6, prompt: expect.stringMatching(/Brass\.[\s\S]*Ottoline never hurries\./) },
    });
    const behind = cardIn(file.bytes, 'ccv3').data?.character_book?.entries ?? [];
    expect(behind.map(({ content }) => content)).toEqual(
      worldBook(ALMANAC).body.entries.map(({ content }) => content),
    );
    await comesBack(file, 'agnai.png');
  });

  it('keys without Latin letters: off, or always on where that is chosen', async () => {
    await openFor(/^Agnai/);
    await press(tavern, 'JSON');
    const lighthouse = ({ bytes }: Saved): unknown => {
      const { characterBook } = JSON.parse(bytes.toString()) as {
        characterBook: { entries: { name: string }[] };
      };
      return characterBook.entries.find(({ name }) => name === 'The lighthouse, in Cyrillic');
    };
    expect(lighthouse(await save())).toMatchObject({ enabled: false });
    await press(tavern, 'Entry always on');
    await press(tavern, 'Add the keys');
    const file = await save();
    expect(file.name).toBe('Ottoline Fenn.json');
    expect(lighthouse(file)).toMatchObject({ enabled: true, keywords: ['*'] });
    expect(booksIn(file).map(same)).toEqual([same(worldBook(ALMANAC))]);
    await comesBack(file, 'agnai.json', importByUs);
  });

  it('a memory book alone', async () => {
    await openFor(/^Agnai/);
    await press(tavern, 'Lorebooks');
    const file = await save();
    expect(JSON.parse(file.bytes.toString())).toMatchObject({ kind: 'memory', name: ALMANAC });
    expect(booksIn(file).map(same)).toEqual([same(worldBook(ALMANAC))]);
    await lorebookComesBack(file, 'memory.json');
  });
});

describe('the prompt map', () => {
  it.each(['RisuAI', 'Agnai'])('read as %s', async (name) => {
    await tavern.page.setViewportSize({ width: 1280, height: 900 });
    await inspectCharacter(tavern, FENN, 'Prompt map');
    const panel = panelBox(tavern);
    await panel.getByRole('radio', { name, exact: true }).click();
    await expect.poll(() => panel.locator('[role=status] .lf-note').textContent()).toContain(name);
    await lookAt(tavern, `panel-map-${name.toLowerCase()}`, '.lf-panel');
    // A narrow window that is no phone: no reader may be out of sight.
    await tavern.page.setViewportSize({ width: 620, height: 844 });
    const hidden = await panel
      .locator('.lf-map-bar [role=radio]')
      .evaluateAll(
        (all) =>
          all.filter(
            (each) =>
              each.getBoundingClientRect().right >
              (each.parentElement?.getBoundingClientRect().right ?? 0) + 1,
          ).length,
      );
    expect(hidden).toBe(0);
    await tavern.screenshot(`panel-map-${name.toLowerCase()}-620`);
    await tavern.page.setViewportSize({ width: 1280, height: 900 });
    expectNoErrors(tavern);
  });
});
