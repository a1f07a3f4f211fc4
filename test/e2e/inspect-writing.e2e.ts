// Writing the lorebook inside a card, in the real SillyTavern: through its own server, with the character's form open.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardFolder, cardWithBook, pngCard } from './card-files.ts';
import { type JsonObject, openSillyTavern, repositoryRoot, type Tavern } from './harness.ts';
import { lookAt } from './look.ts';
import { expectNoErrors, linkOf, openOldCharacter, saved, tidy, typeDescription } from './our-page.ts';

const folder = cardFolder();
const SLOT = 'data.character_book';
// Book, extensions and entries lose keys here, and one entry's list becomes shorter: nothing that merging alone can do.
const BOOK: JsonObject = {
  name: 'Quay',
  extensions: { kept: 1 },
  entries: [{ id: 7, keys: ['lamp'], content: 'New.', enabled: true, insertion_order: 3, extensions: {} }],
};

function seed(userDir: string): void {
  const characters = join(userDir, 'characters');
  const worlds = join(userDir, 'worlds');
  for (const place of [characters, worlds]) mkdirSync(place, { recursive: true });
  const put = (name: string, data: JsonObject) => {
    const card = cardWithBook(name, 'Quay', ['One.', 'Two.']) as JsonObject & { data: JsonObject };
    const whole = { ...card, data: { ...card.data, ...data } } as unknown as Parameters<typeof pngCard>[2];
    writeFileSync(join(characters, `${name}.png`), readFileSync(pngCard(folder, `${name}.png`, whole)));
  };
  const old = {
    name: 'Quay',
    description: 'goes',
    extensions: { kept: 1, gone: { deep: true } },
    entries: [{ id: 0, keys: ['lamp', 'oil'], content: 'One.', extensions: { position: 4 }, x: 1 }],
  };
  put('Open', { character_book: old, extensions: { mine: { a: [1] } } });
  put('Null', { character_book: null });
  put('Keyed', { character_book: { ...old, entries: { 0: old.entries[0] } } });
  put('Linked', { character_book: old, extensions: { world: 'Quay' } });
  const entry = { uid: 0, key: ['lamp'], keysecondary: [], comment: '', content: 'World.', position: 0 };
  writeFileSync(join(worlds, 'Quay.json'), JSON.stringify({ entries: { 0: { ...entry, order: 100 } } }));
}

/** The writing itself, beside the extension in its page. */
async function bringWriting(tavern: Tavern): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(repositoryRoot, 'src/host/card-book.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'cardBooks',
  });
  await tavern.page.evaluate(`${outputFiles[0]?.text}; globalThis.cardBooks = cardBooks;`);
}

interface CardBooks {
  readCardBook(avatar: string, slot: string): Promise<unknown>;
  writeCardBook(avatar: string, slot: string, book: unknown, hash: string): Promise<void>;
  cardBookHash(book: unknown): string;
}

/** Writes a book over whatever stands there; the error's text, or "". */
const write = (tavern: Tavern, avatar: string, book: JsonObject | null): Promise<string> =>
  tavern.page.evaluate(
    async ([file, slot, after]) => {
      const { cardBooks } = globalThis as unknown as { cardBooks: CardBooks };
      try {
        const hash = cardBooks.cardBookHash(await cardBooks.readCardBook(file, slot));
        await cardBooks.writeCardBook(file, slot, after, hash);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    },
    [avatar, SLOT, book] as const,
  );

/** A card as it stands in the file, with another book. */
function withBook(card: JsonObject, book: JsonObject | null): JsonObject {
  const { character_book: _old, ...data } = card['data'] as JsonObject;
  return { ...card, data: book === null ? data : { ...data, character_book: book } };
}

describe('in SillyTavern 1.19', () => {
  let tavern: Tavern;
  beforeAll(async () => {
    tavern = await openSillyTavern({ seed });
    await bringWriting(tavern);
  });
  afterAll(() => tavern?.close());
  afterEach(() => tidy(tavern));

  it.each(['Open.png', 'Null.png', 'Keyed.png'])(
    '%s holds exactly the new book, and nothing else changed',
    async (avatar) => {
      const before = tavern.cardOf(avatar);
      expect(await write(tavern, avatar, BOOK)).toBe('');
      expect(tavern.cardOf(avatar)).toEqual(withBook(before, BOOK));
      expect(await write(tavern, avatar, null)).toBe('');
      expect(tavern.cardOf(avatar)).toEqual(withBook(before, null));
      expectNoErrors(tavern);
    },
  );

  it('an open character keeps the new book through an autosave', async () => {
    await openOldCharacter(tavern, 'Open.png');
    expect(await write(tavern, 'Open.png', BOOK)).toBe('');
    await typeDescription(tavern, 'Open.png', ' More.');
    expect(tavern.cardOf('Open.png').data?.character_book).toEqual(BOOK);
    expect(tavern.cardOf('Open.png').data?.extensions?.['mine']).toEqual({ a: [1] });
    expectNoErrors(tavern);
  });

  it('a linked character loses it at its next save, as the preview says', async () => {
    await openOldCharacter(tavern, 'Linked.png');
    expect(await write(tavern, 'Linked.png', BOOK)).toBe('');
    expect(tavern.cardOf('Linked.png').data?.character_book).toEqual(BOOK);
    await typeDescription(tavern, 'Linked.png', ' More.');
    expect(tavern.cardOf('Linked.png').data?.character_book?.entries?.[0]?.['content']).toBe('World.');
    expectNoErrors(tavern);
  });

  it('a link is taken off in the panel, and given back by the notice', async () => {
    const { page } = tavern;
    await openOldCharacter(tavern, 'Linked.png');
    await page.locator('#lf-inspect-character').click();
    await page.getByRole('tab', { name: 'Link' }).click();
    await page.locator('.lf-link-tab').getByRole('button', { name: 'Unlink…' }).first().click();
    const preview = page.locator('dialog[open]', { hasText: 'has no main lorebook then' });
    await preview.waitFor();
    await saved(tavern, '/api/characters/merge-attributes', () =>
      preview.locator('.popup-button-ok').click(),
    );
    await expect.poll(() => linkOf(tavern, 'Linked.png')).toBe('');
    await page.locator('.lf-link-tab', { hasText: 'Linked has no main lorebook.' }).waitFor();
    expect(await page.locator('#character_world').inputValue()).toBe('');
    await page.locator('.lf-toast').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => linkOf(tavern, 'Linked.png')).toBe('Quay');
    await page.locator('.lf-facts', { hasText: 'Quay' }).waitFor();
    await page.locator('dialog[open] .popup-button-ok').click();
    expectNoErrors(tavern);
  });

  it('links, the preview of a plan and the choice of a lorebook look right', async () => {
    const { page } = tavern;
    await openOldCharacter(tavern, 'Linked.png');
    await page.locator('#lf-inspect-character').click();
    await page.getByRole('tab', { name: 'Link' }).click();
    await page.locator('.lf-link-tab', { hasText: 'Used by' }).waitFor();
    await lookAt(tavern, 'panel-links', '.lf-link-tab');
    await page.getByRole('button', { name: 'Link as the main lorebook…' }).click();
    await page.locator('.lf-plan').waitFor();
    await lookAt(tavern, 'panel-plan', '.lf-dialog:has(.lf-plan)');
    await page.locator('dialog[open] .popup-button-cancel:visible').last().click();
    await page.locator('.lf-plan').waitFor({ state: 'detached' });
    await page.locator('dialog[open] .popup-button-ok').last().click();
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.locator('#lf-inspect-world').evaluate((each: HTMLElement) => each.click());
    await page.locator('.lf-choose option').first().waitFor({ state: 'attached' });
    await lookAt(tavern, 'panel-choose', '.lf-choose');
    await page.locator('dialog[open] .popup-button-ok').click();
    expectNoErrors(tavern);
  });

  it('opens from the world editor’s row, the extensions menu, and a slash command', async () => {
    const { page } = tavern;
    const close = async (words: string) => {
      await page.locator('dialog[open]', { hasText: words }).waitFor();
      await page.locator('dialog[open] .popup-button-ok').click();
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    };
    const press = (id: string) => page.locator(id).evaluate((each: HTMLElement) => each.click());
    await press('#lf-inspect-world');
    await close('Inspect a file…');
    await press('#lf-inspect-menu');
    await close('Linked');
    const run = (text: string) =>
      page.evaluate((command) => {
        const { SillyTavern } = globalThis as unknown as {
          SillyTavern: {
            getContext(): { executeSlashCommandsWithOptions(text: string): Promise<{ pipe: string }> };
          };
        };
        return SillyTavern.getContext()
          .executeSlashCommandsWithOptions(command)
          .then(({ pipe }) => pipe);
      }, text);
    expect(await run('/lore-inspect Open')).toBe('');
    await close('Open.png');
    expect(await run('/lore-inspect quay')).toBe('');
    await close('the world file “Quay”');
    expectNoErrors(tavern);
  });
});

describe('in SillyTavern 1.16, whose merging takes nothing out', () => {
  let tavern: Tavern;
  beforeAll(async () => {
    tavern = await openSillyTavern({ seed, version: '1.16.0' });
    await bringWriting(tavern);
  });
  afterAll(() => tavern?.close());

  it('a book that only gains is written; one that loses a field is refused, and stays', async () => {
    const before = tavern.cardOf('Open.png');
    const old = before.data?.character_book as JsonObject;
    const more = { ...old, scan_depth: 3, entries: [] };
    expect(await write(tavern, 'Open.png', more)).toBe('');
    expect(tavern.cardOf('Open.png')).toEqual({ ...withBook(before, more), avatar: 'Open.png' });
    expect(await write(tavern, 'Open.png', BOOK)).toContain('does not write that lorebook');
    expect(tavern.cardOf('Open.png').data?.character_book).toEqual(more);
  });
});
