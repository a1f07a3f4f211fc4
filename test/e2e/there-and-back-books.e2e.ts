// One lorebook of each kind of another app's into a real SillyTavern, by the import button of its World Info panel, and out of
// it again for the app that it came from: whatever that app reads must be as it was, or be named in the report.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { readContainer } from '../../src/containers/container.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { LorebookEntry } from '../../src/core/lorebook.ts';
import { FILE_BOOK, openFile } from '../../src/open-file.ts';
import { readWorldFile } from '../../src/own-books.ts';
import { lorebooksIn } from '../../src/packed-file.ts';
import { placedEntries } from '../support/silent-differences.ts';
import { changedLeaves, unsaidFields } from '../support/there-and-back.ts';
import { cardFolder, jsonCard } from './card-files.ts';
import * as exporting from './export-page.ts';
import { expectExact, keepReports, type Out, takeOut } from './export-report.ts';
import { compared, foreignPath, sidecarOf } from './foreign-sidecar.ts';
import { openSillyTavern, type Tavern } from './harness.ts';
import { clearNotices, entriesOf, expectNoErrors, notice, openInWorldEditor, tidy } from './our-page.ts';
import { importWorld } from './world-button.ts';

let tavern: Tavern;
const folder = cardFolder();

beforeAll(async () => {
  tavern = await openSillyTavern({ initScript: keepReports });
});
afterAll(() => tavern?.close());
afterEach(() => tidy(tavern));

const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(path));
const stem = (path: string): string => basename(path).replace(/\.[^.]*$/, '');
const dialect = (name: string): string => join(import.meta.dirname, '../fixtures/dialects', name);
const MODULE = 'risu-full-ilsa-marrow-module.risum';
const moduleAsJson = (): string =>
  jsonCard(folder, 'risu-module', readContainer(bytesOf(foreignPath(MODULE)), MODULE).json);

interface Book {
  readonly app: string;
  readonly path: string;
  /** What SillyTavern must have, or the file whose sidecar says so; absent: that of the file itself. */
  readonly entries?: readonly object[] | string;
  readonly form?: string;
  /** The file comes back as one of another kind: its fields are compared, not its leaves. */
  readonly asOther?: true;
}

const WEIR = { key: ['weir'], content: 'Eels pass the weir in autumn.' };
const WHEEL = { key: ['wheel'], content: 'The wheel has eleven paddles.' };
const BOOKS: readonly Book[] = [
  { app: 'agnai', path: foreignPath('agnai-book-dunwater.json') },
  { app: 'risu', path: foreignPath('risu-full-ilsa-marrow-lorebook_export.json') },
  { app: 'risu', path: moduleAsJson(), entries: MODULE },
  {
    app: 'risu',
    path: dialect('risu-list.json'),
    entries: [{ ...WEIR, key: ['weir', 'mill weir'], order: 10, position: 4, depth: 0, probability: 60 }],
  },
  { app: 'marinara', path: foreignPath('marinara-full-vesna-holt-lorebook.marinara.json') },
  { app: 'marinara', path: foreignPath('marinara-full-vesna-holt-lorebook-compatible.json') },
  { app: 'lumiverse', path: foreignPath('lumiverse-full-sabine-orr-book-1-native.json') },
  {
    app: 'lumiverse',
    path: foreignPath('lumiverse-plain-walter-keen-book-sillytavern.json'),
    asOther: true,
  },
  {
    app: 'rolecall',
    path: dialect('rolecall-lorebook.json'),
    entries: [
      {
        content: 'The kiln is lit on the first of each month.',
        position: 4,
        depth: 2,
        role: 2,
        selectiveLogic: 1,
        order: 60,
        sticky: 3,
      },
      { content: 'Eleven workshops stand in a row.', position: 0, disable: true },
      { comment: 'Market days', position: 4, depth: 0, role: 0 },
    ],
  },
  {
    app: 'sillytavern',
    path: dialect('bare-book-v2.json'),
    form: 'Card’s book',
    entries: [
      { content: 'Text 0.', key: ['key0'], position: 4, depth: 2, role: 1 },
      { content: 'Text 1.', key: ['key1'], position: 1, constant: true },
    ],
  },
  {
    app: 'sillytavern',
    path: dialect('bare-book-v3.json'),
    form: 'Card’s book',
    entries: [
      { content: 'Text 0.', key: ['/wei(r|rs)/'], position: 0 },
      { content: 'Text 1.', key: ['key1'], position: 1 },
    ],
  },
  {
    app: 'sillytavern',
    path: dialect('world-list.json'),
    entries: [
      { ...WEIR, keysecondary: ['eel'], selectiveLogic: 3, order: 10, position: 4, depth: 2, role: 2 },
      { ...WHEEL, order: 20, position: 0, disable: true },
    ],
    asOther: true,
  },
];

async function exportWorld(world: string, app: string, form?: string): Promise<Out> {
  // A notice may lie over the buttons.
  await clearNotices(tavern);
  // SillyTavern has opened what it imported itself.
  const shown = await tavern.page.locator('#world_editor_select option:checked').textContent();
  await openInWorldEditor(tavern, world, { reopen: shown !== world });
  await tavern.page.locator('#lf-export-world').click();
  await exporting.exportBox(tavern).waitFor();
  return takeOut(tavern, folder, app, form);
}

/** That worlds are what the app held when it wrote a file. */
function expectHeld(file: string, worlds: readonly string[]): void {
  const entries = worlds.flatMap((world) => entriesOf(tavern, world));
  const { held, there } = compared(file, entries);
  expect(there).toEqual(held);
}

const entriesIn = (bytes: Uint8Array, name: string): readonly LorebookEntry[] =>
  lorebooksIn(openFile(new Uint8Array(bytes), name)).flatMap(({ body }) => body.entries);

it('a zip of Marinara’s, which SillyTavern itself cannot read, comes back book by book', async () => {
  const zip = foreignPath('marinara-compatible-lorebooks-port-amber.zip');
  await importWorld(tavern, zip);
  await notice(tavern, '4 lorebooks imported');
  const members = unzipSync(bytesOf(zip));
  const worlds = sidecarOf(basename(zip)).books.map(({ name = '' }) => name);
  expectHeld(basename(zip), worlds);
  for (const world of worlds.slice(-2)) {
    const out = await exportWorld(world, 'marinara');
    expectExact(out.report);
    const sent = { name: world, bytes: members[`${world}.json`] as Uint8Array };
    expect(changedLeaves('marinara', sent, out, out.report.findings)).toEqual([]);
  }
  expectNoErrors(tavern);
});

it('a module of RisuAI’s, which SillyTavern itself cannot read, comes back as a lorebook', async () => {
  const before = new Set(tavern.worldNames());
  const path = foreignPath(MODULE);
  await importWorld(tavern, path);
  await notice(tavern, 'Lorebook imported');
  const [world = ''] = tavern.worldNames().filter((name) => !before.has(name));
  expectHeld(MODULE, [world]);
  const out = await exportWorld(world, 'risu');
  expectExact(out.report);
  const sent = { name: MODULE, bytes: bytesOf(path) };
  expect(changedLeaves('risu', sent, out, out.report.findings)).toEqual([]);
  expectNoErrors(tavern);
});

it.each(BOOKS.map((book) => [basename(book.path), book] as const))('%s comes back', async (name, book) => {
  const { app, path, entries = name, form, asOther } = book;
  await importWorld(tavern, path);
  await notice(tavern, app === 'sillytavern' ? 'Lorebook imported' : 'Lorebook converted');
  const world = stem(path);
  if (typeof entries === 'string') expectHeld(entries, [world]);
  else expect(entriesOf(tavern, world)).toMatchObject(entries);
  const out = await exportWorld(world, app, form);
  const sent = { name, bytes: bytesOf(path) };
  const { findings } = out.report;
  if (asOther) {
    const there = readWorldFile(tavern.worldFile(world) as unknown as JsonObject, FILE_BOOK, world);
    const placed = placedEntries([there.lorebook]);
    const back = entriesIn(out.bytes, out.name);
    expect(unsaidFields(entriesIn(sent.bytes, name), placed, back, findings)).toEqual([]);
  } else {
    expectExact(out.report);
    expect(changedLeaves(app, sent, out, findings)).toEqual([]);
  }
  expectNoErrors(tavern);
});
