// What an upload becomes on its way: converted, left as it is, or, where converting fails, left with a word about it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ImportedCard, watchUpload } from '../../src/features/import/upload.ts';
import { openFile } from '../../src/open-file.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { bookEntry, bookOf, cardWith } from '../support/fixtures.ts';

const FOREIGN = join(import.meta.dirname, '../fixtures/foreign');
const AGNAI = 'agnai/agnai-plain-piet-haas-native.json';
const arrival = vi.hoisted(() => ({ fails: false }));
vi.mock('../../src/features/import/arrival.ts', async (original) => {
  const real = await original<typeof import('../../src/features/import/arrival.ts')>();
  return {
    arrivalOf: (...given: Parameters<typeof real.arrivalOf>) => {
      if (arrival.fails) throw new Error('The picture is broken.');
      return real.arrivalOf(...given);
    },
  };
});

beforeEach(() => {
  startFakeClient({});
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  arrival.fails = false;
  vi.restoreAllMocks();
});

const foreignFile = (path: string, name = path.split('/')[1] ?? ''): File =>
  new File([new Uint8Array(readFileSync(join(FOREIGN, path)))], name);

function watched(file: File) {
  const seen: ImportedCard[] = [];
  const left: string[] = [];
  const refused: string[] = [];
  const missed: string[] = [];
  const watcher = watchUpload(
    { file, fileType: 'json', preservedName: undefined, userName: 'Ann' },
    {
      foresee: () => undefined,
      extract: async (card) => void seen.push(card),
      refuse: ({ kind }) => refused.push(kind),
      leave: (reason) => left.push(reason),
      missPart: (what) => missed.push(what),
    },
  );
  return { watcher, seen, left, refused, missed };
}

describe('a card of another app', () => {
  it('is replaced by the converted one, and read as such', async () => {
    const { watcher, seen, left } = watched(foreignFile(AGNAI));
    await watcher.before?.();
    expect(watcher.answer?.()).toBeUndefined();
    const other = watcher.replacement?.();
    expect(other?.fileType).toBe('json');
    expect(other?.file.name).toBe('agnai-plain-piet-haas-native.json');
    const sent = openFile(new Uint8Array((await other?.file.arrayBuffer()) ?? []), 'x.json');
    expect(sent).toMatchObject({ kind: 'card', spec: 'chara_card_v2', pieces: { format: 'sillytavern' } });
    await watcher.after({ avatar: 'Piet Haas.png' });
    expect(seen).toMatchObject([
      { avatar: 'Piet Haas.png', isNew: true, linked: '', card: { character: 'Piet Haas', app: 'agnai' } },
    ]);
    expect(seen[0]?.card?.books).toHaveLength(1);
    expect(left).toEqual([]);
  });

  it('goes on as it is when converting fails; its lorebooks are read all the same, and one sentence says so', async () => {
    arrival.fails = true;
    const { watcher, seen, left } = watched(foreignFile(AGNAI));
    await watcher.before?.();
    expect(watcher.replacement?.()).toBeUndefined();
    await watcher.after({ avatar: 'Piet Haas.png' });
    expect(seen[0]?.card?.books).toHaveLength(1);
    expect(seen[0]?.card).not.toHaveProperty('app');
    expect(left).toEqual([
      '“agnai-plain-piet-haas-native.json” was written by Agnai and came in as SillyTavern itself reads it: The picture is broken.',
    ]);
  });

  it.each([
    [
      'data:image/webp;base64,UklGRg==',
      ['The picture of “Vesna” is none that this browser can draw, so it did not come along.'],
    ],
    [null, []],
  ])('says when its picture could not come along: %s', async (avatar, said) => {
    const data = { spec: 'chara_card_v2', spec_version: '2.0', data: { name: 'Vesna', extensions: {} } };
    const file = {
      type: 'marinara_character',
      version: 1,
      data: { ...data, ...(avatar === null ? {} : { avatar }) },
    };
    const { watcher, seen, left, missed } = watched(new File([JSON.stringify(file)], 'v.marinara.json'));
    await watcher.before?.();
    expect(watcher.replacement?.()?.fileType).toBe('json');
    await watcher.after({ avatar: 'Vesna.png' });
    expect(seen[0]?.card).toMatchObject({ character: 'Vesna', app: 'marinara' });
    expect([left, missed]).toEqual([[], said]);
  });

  it('that is ready only after the upload counts as not converted', async () => {
    const { watcher, seen, left } = watched(foreignFile(AGNAI));
    const before = watcher.before?.();
    expect(watcher.replacement?.()).toBeUndefined();
    await before;
    await watcher.after({ avatar: 'Piet Haas.png' });
    expect(seen[0]?.card).not.toHaveProperty('app');
    expect(left).toHaveLength(1);
  });
});

describe('all else', () => {
  it('a card of SillyTavern’s is not touched', async () => {
    const card = cardWith(bookOf(bookEntry({ extensions: { position: 4, depth: 2 } })));
    const { watcher, seen, left } = watched(new File([JSON.stringify(card)], 'mara.json'));
    await watcher.before?.();
    expect(watcher.replacement?.()).toBeUndefined();
    await watcher.after({ avatar: 'Mara Lint.png' });
    expect(seen[0]?.card?.books).toHaveLength(1);
    expect(left).toEqual([]);
  });

  it('a file that we cannot read is SillyTavern’s own affair', async () => {
    const { watcher, seen, left } = watched(new File(['name: Ann'], 'ann.yaml'));
    await watcher.before?.();
    expect([watcher.answer?.(), watcher.replacement?.()]).toEqual([undefined, undefined]);
    await watcher.after({ avatar: 'Ann.png' });
    expect(seen).toMatchObject([{ card: null }]);
    expect(left).toEqual([]);
  });

  it.each([
    'agnai/agnai-book-dunwater.json',
    'risu/risu-plain-bertil-oakes-lorebook_export.json',
    'marinara/marinara-plain-anselm-ruiz-lorebook.marinara.json',
  ])('%s is a lorebook and makes no character', async (path) => {
    const { watcher, refused } = watched(foreignFile(path));
    await watcher.before?.();
    expect(await watcher.answer?.()?.json()).toEqual({ error: true });
    expect(refused).toEqual(['lorebook']);
  });
});
