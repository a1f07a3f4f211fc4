// Proves the harness itself, on SillyTavern as it is shipped, without our extension.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSillyTavern, repositoryRoot, type Tavern } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'loreferry-harness-'));
let tavern: Tavern;

function writeCard(file: string, name: string, description = 'Counts the boats.'): string {
  const path = join(folder, file);
  const book = {
    name: 'Quay Notes',
    extensions: {},
    entries: [
      { id: 0, keys: ['boat'], content: 'Nine boats.', enabled: true, insertion_order: 1, extensions: {} },
    ],
  };
  const data = {
    name,
    description,
    personality: '',
    scenario: '',
    first_mes: 'Nine.',
    mes_example: '',
    creator_notes: '',
    system_prompt: '',
    post_history_instructions: '',
    alternate_greetings: [],
    tags: ['quay'],
    creator: '',
    character_version: '1',
    extensions: {},
    character_book: book,
  };
  writeFileSync(path, JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data }));
  return path;
}

beforeAll(async () => {
  tavern = await openSillyTavern({ extension: false });
});

afterAll(async () => {
  await tavern?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the harness on stock SillyTavern', () => {
  test('the page loads, without a question and without the outside world', async () => {
    expect(await tavern.popups()).toEqual([]);
    expect((await tavern.characters()).map(({ name }) => name)).toEqual(['Seraphina']);
    expect(tavern.errors).toEqual([]);
    expect(tavern.outside).toEqual([]);
  });

  test('the world list answers', async () => {
    const worlds = await tavern.worlds();
    expect(worlds.map(({ fileId }) => fileId)).toEqual(['Eldoria']);
    expect(Object.keys(worlds[0]?.data.entries ?? {}).length).toBeGreaterThan(0);
    expect(tavern.worldNames()).toEqual(['Eldoria']);
    await tavern.putWorld('Quay', { entries: {} });
    expect(tavern.worldFile('Quay')).toEqual({ entries: {} });
  });

  test('importing a card lists and stores the character', async () => {
    const [reply] = await tavern.importCards([writeCard('marl.json', 'Marl Teasdale')]);
    expect(reply).toMatchObject({ status: 200, avatar: 'Marl Teasdale.png' });
    expect(await tavern.characters()).toContainEqual({ avatar: 'Marl Teasdale.png', name: 'Marl Teasdale' });
    expect(tavern.cardOf('Marl Teasdale.png').data?.character_book?.entries).toHaveLength(1);
    expect((await tavern.toasts()).map(({ kind, message }) => `${kind}: ${message}`)).toContain(
      'success: Character Created: Marl Teasdale',
    );
  });

  test('several at once, and a PNG', async () => {
    const png = join(repositoryRoot, 'samples', 'Ottoline Fenn.png');
    const replies = await tavern.importCards([writeCard('a.json', 'Ada'), png]);
    expect(replies.map(({ avatar }) => avatar)).toEqual(['Ada.png', 'Ottoline Fenn.png']);
    expect(tavern.cardOf('Ottoline Fenn.png').data?.character_book?.entries).toHaveLength(15);
  });

  test('dropped files go the same way, refused ones do not', async () => {
    const text = join(folder, 'notes.txt');
    writeFileSync(text, 'nothing');
    const replies = await tavern.dropFiles([text, writeCard('b.json', 'Bea')]);
    expect(replies.map(({ avatar }) => avatar)).toEqual(['Bea.png']);
    expect((await tavern.toasts()).map(({ message }) => message)).toContain(
      'Unsupported file type: notes.txt',
    );
  });

  test('opening a character brings up SillyTavern’s own offer, which can be answered', async () => {
    expect(await tavern.openCharacter('Marl Teasdale')).toBe('Marl Teasdale.png');
    await tavern.waitForPopup(/embedded/i);
    await tavern.answerPopup('No');
    expect(await tavern.popups()).toEqual([]);
  });

  test('replacing the open character', async () => {
    const reply = await tavern.replaceCharacter(writeCard('marl2.json', 'Marl Teasdale', 'Lost count.'));
    expect(reply.avatar).toBe('Marl Teasdale.png');
    expect(tavern.cardOf('Marl Teasdale.png').data).toMatchObject({ description: 'Lost count.' });
  });

  test('a failing endpoint fails as often as asked', async () => {
    const lift = await tavern.failNext('/api/characters/import', 503);
    const [refused] = await tavern.importCards([writeCard('c.json', 'Cyd')]);
    expect(refused?.status).toBe(503);
    const [stored] = await tavern.importCards([writeCard('c.json', 'Cyd')]);
    expect(stored?.avatar).toBe('Cyd.png');
    expect(await lift()).toBe(1);
    tavern.clearErrors();
  });

  test('what was stored is there after a reload', async () => {
    await tavern.reload();
    expect((await tavern.characters()).map(({ name }) => name).sort()).toEqual(
      ['Ada', 'Bea', 'Cyd', 'Marl Teasdale', 'Ottoline Fenn', 'Seraphina'].sort(),
    );
    expect(tavern.errors).toEqual([]);
  });

  test('a screenshot, also at a phone’s width', async () => {
    const path = await tavern.screenshot('harness-phone', { width: 390, height: 844 });
    expect(readFileSync(path).readUInt32BE(16)).toBe(390);
  });
});

test('the welcome dialog can be answered by a click instead', async () => {
  const fresh = await openSillyTavern({ extension: false, welcome: true, lazyLoadCharacters: true });
  try {
    expect(await fresh.popups()).toEqual([]);
    const listed = await fresh.post('/api/characters/all', {});
    expect(listed).toMatchObject([{ shallow: true }]);
  } finally {
    await fresh.close();
  }
});
