// Lorebook files of other apps through the import button of SillyTavern's own World Info panel, in a real SillyTavern: what
// must be in the world file is what the app itself held; what SillyTavern deletes to make room is never lost.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { encodeBase64 } from '../../src/containers/base64.ts';
import { blankPng, writePngText } from '../../src/containers/card-png.ts';
import { cardFolder, cardWithBook, caseOf, fileNamed, jsonCard } from './card-files.ts';
import { compared, foreignPath } from './foreign-sidecar.ts';
import { openSillyTavern, type Tavern } from './harness.ts';
import {
  entriesOf,
  expectNoErrors,
  linkOf,
  notice,
  noticeTitles,
  offeredWorlds,
  openInWorldEditor,
  pressInNotice,
  recentChanges,
  shownLink,
  tidy,
  worldsHere,
} from './our-page.ts';
import { importWorld as importByButton } from './world-button.ts';

let tavern: Tavern;
const folder = cardFolder();

beforeAll(async () => {
  tavern = await openSillyTavern();
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const importWorld = (path: string, overwrite?: boolean): Promise<void> =>
  importByButton(tavern, path, overwrite);

const stem = (path: string): string => basename(path).replace(/\.[^.]*$/, '');
const worldText = (name: string): string =>
  readFileSync(`${tavern.server.userDir}/worlds/${name}.json`, 'utf8');

const KINDS: readonly (readonly [file: string, title: string])[] = [
  ['agnai-book-dunwater.json', 'Lorebook converted'],
  ['agnai-book-marl-square.json', 'Lorebook converted'],
  ['risu-full-ilsa-marrow-lorebook_export.json', 'Lorebook converted'],
  ['risu-st-nadia-ferro-lorebook_export.json', 'Lorebook converted'],
  ['marinara-full-vesna-holt-lorebook.marinara.json', 'Lorebook converted'],
  ['marinara-plain-anselm-ruiz-lorebook-compatible.json', 'Lorebook converted'],
  ['lumiverse-st-yara-quill-book-characterbook.json', 'Lorebook converted'],
  ['lumiverse-full-sabine-orr-book-2-native.json', 'Lorebook converted'],
];

describe('lorebooks of other apps', () => {
  it.each(KINDS)('%s: the entries that the app held', async (file, title) => {
    await importWorld(foreignPath(file));
    const [line] = await notice(tavern, title);
    const world = stem(file);
    const entries = entriesOf(tavern, world);
    expect(line).toBe(`“${world}”: ${entries.length} entries.`);
    const { held, there } = compared(file, entries);
    expect(there).toEqual(held);
    expect(await offeredWorlds(tavern)).toContain(world);
    expectNoErrors(tavern);
  });

  it('RisuAI’s bare list', async () => {
    const file = 'risu-plain-bertil-oakes-lorebook_export.json';
    const { data } = JSON.parse(readFileSync(foreignPath(file), 'utf8')) as { data: unknown };
    await importWorld(jsonCard(folder, 'bare risu', data));
    await notice(tavern, 'Lorebook converted');
    const { held, there } = compared(file, entriesOf(tavern, 'bare risu'));
    expect(there).toEqual(held);
    expectNoErrors(tavern);
  });

  const novel = {
    lorebookVersion: 5,
    entries: [
      {
        text: 'The lamp is lit at dusk.',
        contextConfig: { prefix: '', suffix: '\n', budgetPriority: 400, insertionPosition: -1 },
        displayName: 'Lamp',
        keys: ['lamp', '/Wick/'],
        enabled: true,
        forceActivation: true,
      },
    ],
  };
  const lamp = {
    comment: 'Lamp',
    content: 'The lamp is lit at dusk.',
    key: ['lamp', '/Wick/'],
    constant: true,
    order: 400,
    position: 0,
  };
  it('NovelAI’s, as a file and in a picture', async () => {
    await importWorld(fileNamed(folder, 'novel.lorebook', JSON.stringify(novel)));
    await notice(tavern, 'Lorebook converted');
    expect(entriesOf(tavern, 'novel')).toMatchObject([lamp]);
    await tidy(tavern);
    const text = encodeBase64(new TextEncoder().encode(JSON.stringify(novel)));
    const picture = writePngText(blankPng(), [{ keyword: 'naidata', text }]);
    await importWorld(fileNamed(folder, 'pictured.png', picture));
    await notice(tavern, 'Lorebook converted');
    expect(entriesOf(tavern, 'pictured')).toMatchObject([lamp]);
    expectNoErrors(tavern);
  });

  it('bare books of the standard, and world files whose entries are a list', async () => {
    const entry = {
      keys: ['lamp'],
      content: 'One.',
      enabled: true,
      insertion_order: 7,
      extensions: { position: 4, depth: 2, role: 1 },
    };
    await importWorld(jsonCard(folder, 'bare v2', { name: 'Bare', entries: [entry], extensions: {} }));
    expect((await notice(tavern, 'Lorebook imported'))[0]).toBe('“bare v2”: 1 entry.');
    const stored = {
      key: ['lamp'],
      content: 'One.',
      order: 7,
      position: 4,
      depth: 2,
      role: 1,
      disable: false,
    };
    expect(entriesOf(tavern, 'bare v2')).toMatchObject([stored]);
    await tidy(tavern);
    await importWorld(
      jsonCard(folder, 'bare v3', {
        spec: 'lorebook_v3',
        data: { entries: [{ ...entry, use_regex: false }] },
      }),
    );
    await notice(tavern, 'Lorebook imported');
    expect(entriesOf(tavern, 'bare v3')).toMatchObject([stored]);
    await tidy(tavern);
    await importWorld(jsonCard(folder, 'listed', caseOf('53-world-file-with-array')));
    await notice(tavern, 'Lorebook imported');
    expect(Array.isArray(tavern.worldFile('listed')?.entries)).toBe(false);
    const [lamp, quay] = [
      { key: ['lamp'], content: 'Lamp note.' },
      { key: ['quay'], content: 'Quay note.' },
    ];
    expect(entriesOf(tavern, 'listed')).toMatchObject([
      { ...lamp, order: 10, position: 0, disable: false },
      { ...quay, order: 20, position: 1, disable: true },
    ]);
    expectNoErrors(tavern);
  });

  it('can be undone', async () => {
    const before = worldsHere(tavern);
    const source = JSON.parse(readFileSync(foreignPath('agnai-book-dunwater.json'), 'utf8')) as object;
    await importWorld(jsonCard(folder, 'to undo', source));
    await notice(tavern, 'Lorebook converted');
    expect(worldsHere(tavern)).toContain('to undo');
    await pressInNotice(tavern, 'Lorebook converted', 'Undo');
    await notice(tavern, 'Undone');
    expect(worldsHere(tavern)).toEqual(before);
    expect(await offeredWorlds(tavern)).not.toContain('to undo');
    expectNoErrors(tavern);
  });
});

describe('SillyTavern’s own world files', () => {
  it('are stored byte for byte, and nothing is said', async () => {
    const text = JSON.stringify(
      { entries: { 0: { uid: 0, key: ['a'], content: 'Own.' } }, extra: [1, 2] },
      null,
      1,
    );
    await importWorld(fileNamed(folder, 'Own World.json', text));
    expect(worldText('Own World')).toBe(text);
    expect(await noticeTitles(tavern)).toEqual([]);
    expectNoErrors(tavern);
  });

  it('that replace one of the same name can be undone', async () => {
    const old = worldText('Own World');
    const text = JSON.stringify({ entries: { 5: { uid: 5, key: ['b'], content: 'Newer.' } } });
    await importWorld(fileNamed(folder, 'Own World.json', text), true);
    expect(await notice(tavern, 'Lorebook replaced')).toEqual([
      '“Own World”: 1 entry.',
      'Your old “Own World” is kept in Recent changes.',
    ]);
    expect(worldText('Own World')).toBe(text);
    await pressInNotice(tavern, 'Lorebook replaced', 'Undo');
    await notice(tavern, 'Undone');
    expect(JSON.parse(worldText('Own World'))).toEqual(JSON.parse(old));
    expectNoErrors(tavern);
  });

  it('and one whose name differs in case only comes back under its own name', async () => {
    const text = JSON.stringify({ entries: { 5: { uid: 5, key: ['b'], content: 'Lower.' } } });
    await importWorld(fileNamed(folder, 'own world.json', text), true);
    await notice(tavern, 'Lorebook replaced');
    expect(worldsHere(tavern)).toContain('own world');
    expect(worldsHere(tavern)).not.toContain('Own World');
    await pressInNotice(tavern, 'Lorebook replaced', 'Undo');
    await notice(tavern, 'Undone');
    expect(worldsHere(tavern)).toContain('Own World');
    expect(worldsHere(tavern)).not.toContain('own world');
    expectNoErrors(tavern);
  });
});

describe('what SillyTavern deletes to make room', () => {
  const agnai = (name: string): string =>
    fileNamed(folder, `${name}.json`, readFileSync(foreignPath('agnai-book-dunwater.json')));
  const put = (name: string): Promise<void> =>
    tavern.putWorld(name, { entries: { 3: { uid: 3, key: ['x'], content: `Old ${name}.` } } });
  const contentsOf = (name: string): readonly string[] =>
    entriesOf(tavern, name).map(({ content }) => content);

  /** SillyTavern must know of the world to ask about it. */
  const known = async (name: string): Promise<void> => {
    await put(name);
    await tavern.reload();
  };

  it('gives way to a converted lorebook, and is back after undo', async () => {
    await known('Harbour');
    await importWorld(agnai('Harbour'), true);
    const lines = await notice(tavern, 'Lorebook converted');
    expect(lines).toContain('Your old “Harbour” is kept in Recent changes.');
    expect(contentsOf('Harbour')).toHaveLength(3);
    await pressInNotice(tavern, 'Lorebook converted', 'Undo');
    await notice(tavern, 'Undone');
    expect(contentsOf('Harbour')).toEqual(['Old Harbour.']);
    expectNoErrors(tavern);
  });

  it('stays when the person says no', async () => {
    await importWorld(agnai('Harbour'), false);
    expect(contentsOf('Harbour')).toEqual(['Old Harbour.']);
    expect(await noticeTitles(tavern)).toEqual([]);
    expectNoErrors(tavern);
  });

  it.each<[string, 500 | 'abort', RegExp]>([
    ['a server that refuses', 500, /status of 500|Failed to import world info/],
    ['a network that breaks', 'abort', /net::ERR_FAILED|Failed to fetch/],
  ])('comes back after %s', async (_what, status, said) => {
    await known('Quay');
    await openInWorldEditor(tavern, 'Quay');
    await tavern.failNext('/api/worldinfo/import', status);
    await importWorld(agnai('Quay'), true);
    expect(await notice(tavern, '“Quay” is there again')).toEqual([
      'SillyTavern had deleted it to make room, and then the import failed.',
    ]);
    expect(contentsOf('Quay')).toEqual(['Old Quay.']);
    expect(await offeredWorlds(tavern)).toContain('Quay');
    expect((await recentChanges(tavern)).map(({ title }) => title).join()).not.toContain('Quay');
    expectNoErrors(tavern, said, /Error importing world info/);
  });

  it('keeps its links: of the open character, and in every chat', async () => {
    await known('Linked');
    const card = cardWithBook('Ann', 'Ann Book', ['One.']);
    await tavern.importCards([jsonCard(folder, 'Ann', card)]);
    await tavern.post('/api/characters/merge-attributes', {
      avatar: 'Ann.png',
      data: { extensions: { world: 'Linked' } },
    });
    await tavern.reload();
    await tavern.openCharacter('Ann.png');
    // As text: what the test runner makes of an import is nothing for a page.
    const selected = (then: string): Promise<unknown> =>
      tavern.page.evaluate(
        `import('/scripts/world-info.js').then(({ selected_world_info: all }) => ${then})`,
      );
    await selected(`all.push('Linked')`);
    for (const fails of [true, false]) {
      if (fails) await tavern.failNext('/api/worldinfo/import', 500);
      await importWorld(agnai('Linked'), true);
      await notice(tavern, fails ? '“Linked” is there again' : 'Lorebook converted');
      // SillyTavern saves the character a second later.
      await tavern.page.waitForTimeout(2500);
      expect(await shownLink(tavern)).toEqual({ globe: true, world: 'Linked' });
      expect(linkOf(tavern, 'Ann.png')).toBe('Linked');
      expect(await selected('[...all]')).toEqual(['Linked']);
    }
    expect(contentsOf('Linked')).toHaveLength(3);
    expectNoErrors(tavern, /status of 500/, /Error importing world info/);
  });

  it('comes back when a character was chosen, which is said', async () => {
    await known('Mara');
    await importWorld(jsonCard(folder, 'Mara', cardWithBook('Mara', 'Mara Book', ['One.'])), true);
    await notice(tavern, 'Not a lorebook');
    await notice(tavern, '“Mara” is there again');
    expect(contentsOf('Mara')).toEqual(['Old Mara.']);
    expectNoErrors(tavern, /status of 400/, /Error importing world info/);
  });
});
