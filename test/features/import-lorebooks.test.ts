// Lorebook files into a stand-in server: through our own dialog, and through SillyTavern's World Info panel.
// @vitest-environment jsdom

import 'fake-indexeddb/auto';
import { File as NodeFile } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { convertFile } from '../../src/convert-file.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { importLorebooks } from '../../src/features/import/import-lorebooks.ts';
import { offerInspection } from '../../src/features/import/inspect-offer.ts';
import type { LorebookFile } from '../../src/features/import/lorebook-file.ts';
import { undoStep } from '../../src/features/import/undo.ts';
import { watchWorldUpload } from '../../src/features/import/world-upload.ts';
import { openJournal } from '../../src/host/journal.ts';
import type { Notice } from '../../src/host/notices.ts';
import { readWorld } from '../../src/host/world-store.ts';
import { NOBODY } from '../../src/host/world-uses.ts';
import { openFile } from '../../src/open-file.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { type FakeServer, startFakeServer } from '../host/fake-server.ts';

const told = vi.hoisted(() => ({ notices: [] as Notice[] }));
vi.mock('../../src/host/notices.ts', async (original) => ({
  ...(await original<typeof import('../../src/host/notices.ts')>()),
  notify: (notice: Notice) => told.notices.push(notice),
  notifyError: (title: string, error: unknown) =>
    told.notices.push({ kind: 'error', title, lines: [String(error)] }),
}));

let server: FakeServer;
const journal = openJournal();

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  // jsdom's own cannot be read.
  vi.stubGlobal('File', NodeFile);
  server = startFakeServer();
  startFakeClient({ saveSettingsDebounced: () => undefined });
  told.notices = [];
  await journal.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const FOREIGN = join(import.meta.dirname, '../fixtures/foreign');
const AGNAI = 'agnai/agnai-book-dunwater.json';
const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(join(FOREIGN, path)));
const opened = (bytes: Uint8Array, name: string): LorebookFile => {
  const file = openFile(bytes, name);
  if (file.kind === 'card') throw new Error('a card');
  return file;
};
const foreign = (path: string): LorebookFile => opened(bytesOf(path), path.split('/')[1] ?? '');
const own = (json: Json, name = 'own.json'): LorebookFile =>
  opened(new TextEncoder().encode(JSON.stringify(json)), name);
const worldOf = (content: string, more: JsonObject = {}): JsonObject => ({
  entries: {
    0: { uid: 0, key: ['k'], keysecondary: [], comment: 'T', content, position: 0, order: 100, ...more },
  },
});
const titles = (): readonly string[] => told.notices.map(({ title }) => title);
const names = (): readonly string[] => [...server.worlds.keys()];
const press = async (title: string, label: string): Promise<void> => {
  const notice = told.notices.find((each) => each.title === title);
  await notice?.actions?.find((action) => action.label === label)?.onSelect();
};

describe('lorebook files', () => {
  it('are stored, counted, and said with the app that they came from', async () => {
    await importLorebooks([foreign(AGNAI)], journal);
    expect(names()).toEqual(['Dunwater second book']);
    expect(told.notices).toMatchObject([
      {
        title: 'Lorebook imported',
        lines: [
          '“Dunwater second book”: 3 entries. It is not linked to a character.',
          'It was converted from Agnai.',
        ],
      },
    ]);
  });

  it('can be opened and looked into from the notice, as a card’s can', async () => {
    const labels = () => told.notices.at(-1)?.actions?.map(({ label }) => label);
    await importLorebooks([foreign(AGNAI)], journal);
    expect(labels()).toEqual(['Undo', 'Open in the editor']);
    const open = vi.fn();
    const stop = offerInspection(open);
    await importLorebooks([foreign('risu/risu-st-nadia-ferro-lorebook_export.json')], journal);
    stop();
    expect(labels()).toEqual(['Undo', 'Open in the editor', 'Inspect']);
    await told.notices.at(-1)?.actions?.at(-1)?.onSelect();
    expect(open).toHaveBeenCalledWith({ kind: 'world', name: names().at(-1) });
  });

  it.each([
    ['agnai', AGNAI],
    ['risu', 'risu/risu-st-nadia-ferro-lorebook_export.json'],
    ['marinara', 'marinara/marinara-full-vesna-holt-lorebook.marinara.json'],
    ['lumiverse', 'lumiverse/lumiverse-st-yara-quill-book-native.json'],
  ])('of %s go back as they were', async (target, path) => {
    await importLorebooks([foreign(path)], journal);
    const [name = ''] = names();
    const { files } = convertFile(own(server.worlds.get(name) as JsonObject, `${name}.json`), { target });
    expect(files).toHaveLength(1);
    const back = JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as JsonObject;
    const given = JSON.parse(new TextDecoder().decode(bytesOf(path))) as JsonObject;
    // When it was exported is nothing of the lorebook's.
    expect({ ...back, exportedAt: 0 }).toEqual({ ...given, exportedAt: 0 });
  });

  it('that are there already are not stored again, unless it is asked for', async () => {
    await importLorebooks([foreign(AGNAI)], journal);
    await importLorebooks([foreign(AGNAI)], journal);
    expect(names()).toHaveLength(1);
    expect(titles()).toEqual(['Lorebook imported', 'Already there']);
    await press('Already there', 'Import again');
    expect(names()).toEqual(['Dunwater second book', 'Dunwater second book (2)']);
  });

  it('are known again by where they came from, when the world was edited or called otherwise', async () => {
    await importLorebooks([foreign(AGNAI)], journal);
    const [world] = [...server.worlds.values()];
    const entries = (world as JsonObject)['entries'] as Record<string, JsonObject>;
    server.worlds.clear();
    server.worlds.set('Renamed', {
      ...world,
      entries: { ...entries, 0: { ...entries['0'], content: 'Mine.' } },
    } as JsonObject);
    await importLorebooks([foreign(AGNAI)], journal);
    expect(names()).toEqual(['Renamed']);
    expect(told.notices.at(-1)?.lines).toEqual([
      '“Renamed” was made of this lorebook, so no second file was made.',
    ]);
  });

  it('of a big zip: the worlds are listed once, undo takes all back, and the journal keeps what was before', async () => {
    await importLorebooks([foreign(AGNAI)], journal);
    const [before] = await journal.list();
    const requests = server.requests.length;
    const files = Array.from({ length: 120 }, (_, at) => own(worldOf(`Text ${at}.`), `Book ${at}.json`));
    await importLorebooks(files, journal);
    expect(names()).toHaveLength(121);
    const asked = server.requests.slice(requests).filter(({ path }) => path === '/api/worldinfo/list');
    expect(asked.length).toBeLessThan(3);
    expect((await journal.list()).map(({ id }) => id)).toContain(before?.id);
    expect(told.notices.at(-1)?.lines?.length).toBeLessThan(20);
    told.notices = [];
    await importLorebooks(files, journal);
    expect(titles()).toEqual(['Already there']);
    for (const { id } of await journal.list()) {
      const step = await journal.get(id);
      if (step !== undefined && id !== before?.id) await undoStep(step, journal);
    }
    expect(names()).toEqual(['Dunwater second book']);
  });

  it('two of one name and two alike in one zip: none is written over', async () => {
    const files = [
      own(worldOf('One.')),
      own(worldOf('Two.')),
      own(worldOf('One.')),
      own(worldOf('Three.'), 'OWN.json'),
    ];
    await importLorebooks(files, journal);
    expect(names()).toEqual(['own', 'own (2)', 'OWN (3)']);
    expect(server.worlds.get('own')).toEqual(worldOf('One.'));
  });

  it('one that fails in the middle: those before it can be taken back', async () => {
    let at = 0;
    server.instead.set('/api/worldinfo/edit', () =>
      at++ === 2 ? new Response('', { status: 500 }) : undefined,
    );
    const files = ['a', 'b', 'c', 'd'].map((name) => own(worldOf(`${name} text.`), `${name}.json`));
    await expect(importLorebooks(files, journal)).rejects.toThrow();
    expect(names()).toEqual(['a', 'b']);
    expect(await journal.list()).toHaveLength(2);
  });

  it('of the same name with other content stand beside', async () => {
    server.worlds.set('own', worldOf('Old.'));
    await importLorebooks([own(worldOf('New.'))], journal);
    expect(names()).toEqual(['own', 'own (2)']);
    expect(server.worlds.get('own (2)')).toEqual(worldOf('New.'));
  });

  it('that hold more than a card can are other ones', async () => {
    server.worlds.set('own', worldOf('Same.'));
    await importLorebooks([own(worldOf('Same.', { comment: 'Another title' }))], journal);
    await importLorebooks([own(worldOf('Same.'))], journal);
    expect(names()).toEqual(['own', 'own (2)']);
    expect(titles()).toEqual(['Lorebook imported', 'Already there']);
  });

  it('come several at once: one notice, one undo for all', async () => {
    const files = [foreign(AGNAI), foreign('risu/risu-plain-bertil-oakes-lorebook_export.json')];
    await importLorebooks(files, journal);
    expect(titles()).toEqual(['2 lorebooks imported']);
    expect(names()).toHaveLength(2);
    await press('2 lorebooks imported', 'Undo');
    expect(names()).toEqual([]);
  });

  it('that the server does not take are told, and those before them stay', async () => {
    const first = foreign(AGNAI);
    server.instead.set('/api/worldinfo/edit', (body) =>
      body['name'] === 'own' ? new Response('no', { status: 500 }) : undefined,
    );
    await expect(importLorebooks([first, own(worldOf('New.'))], journal)).rejects.toThrow('error 500');
    expect(names()).toEqual(['Dunwater second book']);
    expect(titles()).toEqual(['Lorebook imported']);
  });
});

describe('the World Info panel', () => {
  /** What SillyTavern does: the file, or what is to be stored instead, becomes a world. */
  async function store(file: File, deleted?: JsonObject): Promise<string> {
    const name = file.name.replace(/\.[^.]*$/, '');
    if (deleted) server.worlds.set(name, deleted);
    const copy = deleted === undefined ? undefined : await readWorld(name);
    server.worlds.delete(name);
    const watcher = watchWorldUpload(
      copy === undefined ? { file } : { file, deleted: { ...copy, uses: NOBODY } },
      journal,
    );
    await watcher.before();
    const sent = watcher.replacement() ?? file;
    server.worlds.set(name, JSON.parse(await sent.text()) as JsonObject);
    await watcher.after(name);
    return name;
  }
  const fileOf = (path: string, name: string): File => new File([new Uint8Array(bytesOf(path))], name);
  const jsonFile = (json: Json, name: string): File => new File([JSON.stringify(json)], name);
  const undoLast = async (): Promise<void> => {
    const [newest] = await journal.list();
    const step = newest && (await journal.get(newest.id));
    if (step === undefined) throw new Error('no step');
    await undoStep(step, journal);
  };

  it('stores another app’s lorebook as we read it', async () => {
    const name = await store(fileOf(AGNAI, 'water.json'));
    expect(Object.keys((server.worlds.get(name) as JsonObject)['entries'] as JsonObject)).toHaveLength(3);
    expect(told.notices).toMatchObject([
      { title: 'Lorebook converted', lines: ['“water”: 3 entries.', 'It was converted from Agnai.'] },
    ]);
    await undoLast();
    expect(names()).toEqual([]);
  });

  it('leaves a world file alone, and says nothing', async () => {
    const watcher = watchWorldUpload({ file: jsonFile(worldOf('Own.'), 'own.json') }, journal);
    await watcher.before();
    expect(watcher.replacement()).toBeUndefined();
    server.worlds.set('own', worldOf('Own.'));
    await watcher.after('own');
    expect(told.notices).toEqual([]);
    expect(await journal.list()).toEqual([]);
  });

  it('keeps what a world file replaces', async () => {
    await store(jsonFile(worldOf('New.'), 'own.json'), worldOf('Old.'));
    expect(titles()).toEqual(['Lorebook replaced']);
    await undoLast();
    expect(server.worlds.get('own')).toEqual(worldOf('Old.'));
  });

  it('says when less is stored than was sent', async () => {
    const watcher = watchWorldUpload({ file: fileOf(AGNAI, 'water.json') }, journal);
    await watcher.before();
    watcher.replacement();
    server.worlds.set('water', worldOf('One only.'));
    await watcher.after('water');
    expect(told.notices).toMatchObject([
      { kind: 'error', title: 'Lorebook not whole', lines: ['“water” reads back with 1 of 3 entries.'] },
    ]);
  });

  it('says when SillyTavern got another app’s file as it is', async () => {
    const watcher = watchWorldUpload({ file: fileOf(AGNAI, 'water.json') }, journal);
    const before = watcher.before();
    expect(watcher.replacement()).toBeUndefined();
    await before;
    server.worlds.set('water', worldOf('As SillyTavern reads it.'));
    await watcher.after('water');
    expect(told.notices).toMatchObject([
      {
        title: 'Not converted',
        lines: ['“water” was written by Agnai and came in as SillyTavern itself reads it.'],
      },
    ]);
  });

  it('keeps what was deleted when nobody can tell what was stored', async () => {
    server.worlds.set('water', worldOf('Old.'));
    const deleted = await readWorld('water');
    if (deleted === undefined) throw new Error('no world');
    const upload = { file: jsonFile(worldOf('New.'), 'water.json'), deleted: { ...deleted, uses: NOBODY } };
    server.worlds.set('water', worldOf('New.'));
    server.instead.set('/api/worldinfo/get', () => new Response('no', { status: 500 }));
    await watchWorldUpload(upload, journal).after('water');
    server.instead.clear();
    expect(told.notices).toMatchObject([
      {
        title: 'Import not checked',
        lines: ['“water” could not be read back.', 'Your old “water” is kept in Recent changes.'],
      },
    ]);
    const [newest] = await journal.list();
    const step = newest && (await journal.get(newest.id));
    if (step === undefined) throw new Error('no step');
    expect(await undoStep(step, journal)).toMatchObject({
      done: [],
      left: ['There is another “water” by now. It stays as it is.'],
      saveBeside: [{ name: 'water', data: worldOf('Old.') }],
    });
    expect(server.worlds.get('water')).toEqual(worldOf('New.'));
    server.worlds.delete('water');
    await undoLast();
    expect(server.worlds.get('water')).toEqual(worldOf('Old.'));
  });

  it('does not say that an old world is kept which is too large for it', async () => {
    const small = openJournal({ steps: 5, size: 50 });
    server.worlds.set('own', worldOf('Old.'));
    const deleted = await readWorld('own');
    if (deleted === undefined) throw new Error('no world');
    const upload = { file: jsonFile(worldOf('New.'), 'own.json'), deleted: { ...deleted, uses: NOBODY } };
    const watcher = watchWorldUpload(upload, small);
    await watcher.before();
    watcher.replacement();
    server.worlds.set('own', worldOf('New.'));
    await watcher.after('own');
    expect(told.notices).toMatchObject([
      { title: 'Lorebook replaced', lines: ['“own”: 1 entry.', 'Your old “own” was too large to be kept.'] },
    ]);
  });

  it('puts back what was deleted when the import fails, and keeps it in the journal when even that fails', async () => {
    server.worlds.set('water', worldOf('Old.'));
    const deleted = await readWorld('water');
    if (deleted === undefined) throw new Error('no world');
    server.worlds.delete('water');
    const upload = { file: fileOf(AGNAI, 'water.json'), deleted: { ...deleted, uses: NOBODY } };
    await watchWorldUpload(upload, journal).failed();
    expect(server.worlds.get('water')).toEqual(worldOf('Old.'));
    expect(titles()).toEqual(['“water” is there again']);
    expect(await journal.list()).toEqual([]);

    server.worlds.delete('water');
    server.instead.set('/api/worldinfo/edit', () => new Response('no', { status: 500 }));
    await watchWorldUpload(upload, journal).failed();
    expect(titles().at(-1)).toBe('“water” could not be put back');
    server.instead.clear();
    await undoLast();
    expect(server.worlds.get('water')).toEqual(worldOf('Old.'));
  });
});
