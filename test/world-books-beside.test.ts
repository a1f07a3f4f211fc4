// A charx of Lumiverse's written for SillyTavern: its lorebooks stand in the card, and nowhere else in an older state.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertFile } from '../src/convert-file.ts';
import type { JsonObject } from '../src/core/json.ts';
import { arrivalOf } from '../src/features/import/arrival.ts';
import type { OpenedCard } from '../src/features/import/foreign-card.ts';
import { MODULES_PATH } from '../src/formats/lumiverse/modules.ts';
import { openFile } from '../src/open-file.ts';
import { startFakeClient } from './host/fake-client.ts';

beforeEach(() => void startFakeClient({}));

const FOLDER = join(import.meta.dirname, 'fixtures/foreign/lumiverse');
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(join(FOLDER, name)));
const jsonOf = (bytes: Uint8Array | undefined): JsonObject =>
  JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
const open = (bytes: Uint8Array): OpenedCard => openFile(bytes, 'x.charx') as OpenedCard;

/** The file with other modules beside its card, the zip's members in a folder where one is named. */
function withModules(name: string, change: (modules: JsonObject) => JsonObject, folder = ''): Uint8Array {
  const members = unzipSync(bytesOf(name));
  const modules = change(jsonOf(members[MODULES_PATH]));
  const all = { ...members, [MODULES_PATH]: new TextEncoder().encode(JSON.stringify(modules)) };
  return zipSync(Object.fromEntries(Object.entries(all).map(([path, bytes]) => [folder + path, bytes])));
}

const converted = (card: OpenedCard): Uint8Array =>
  convertFile(card, { target: 'sillytavern', form: 'charx' }).files[0]?.bytes ?? new Uint8Array();
const uploaded = async (card: OpenedCard): Promise<Uint8Array> => {
  const { replacement } = await arrivalOf(card, 'lumiverse', 'x.charx');
  return new Uint8Array(await replacement.file.arrayBuffer());
};

const NAMES = ['lumiverse-plain-walter-keen.charx', 'lumiverse-full-sabine-orr.charx'] as const;
const WAYS = [
  ['written by the command line', (card: OpenedCard) => converted(card)],
  ['sent to SillyTavern', uploaded],
] as const;

describe.each(WAYS)('%s', (_, write) => {
  it.each(NAMES)('%s: the lorebooks are those in the card', async (name) => {
    const card = open(bytesOf(name));
    const slots = [...card.pieces.slots.values()];
    expect(slots.every((slot) => slot.startsWith('lumiverse_modules.'))).toBe(true);
    const again = open(await write(card));
    expect([...new Set(again.pieces.slots.values())]).toEqual(['data.character_book']);
    const contents = ({ pieces }: OpenedCard) =>
      pieces.lorebooks.map(({ name: book, body }) => [book, body.entries.map(({ content }) => content)]);
    expect(contents(again)).toEqual(contents(card));
  });

  it('an edit made since is read, not what stood beside the card before', async () => {
    const members = unzipSync(await write(open(bytesOf(NAMES[0]))));
    const card = jsonOf(members['card.json']) as {
      data: { character_book: { entries: { content: string }[] } };
    };
    const [first] = card.data.character_book.entries;
    if (first === undefined) throw new Error('no entry');
    first.content = 'Mended since.';
    const edited = zipSync({ ...members, 'card.json': new TextEncoder().encode(JSON.stringify(card)) });
    const [book] = open(edited).pieces.lorebooks;
    expect(book?.body.entries[0]?.content).toBe('Mended since.');
  });

  it.each(['', 'walter/'])('what else Lumiverse keeps there stays (in “%s”)', async (folder) => {
    const scripts = [{ id: 'r1', find: 'a', replace: 'b' }];
    const file = withModules(NAMES[0], (modules) => ({ ...modules, regex_scripts: scripts }), folder);
    const members = unzipSync(await write(open(file)));
    expect(jsonOf(members[folder + MODULES_PATH])).toEqual({ version: 1, regex_scripts: scripts });
  });

  it('and where nothing else is kept there, nothing is left', async () => {
    const file = withModules(NAMES[0], ({ version, world_books: books }) => ({
      version,
      world_books: books,
    }));
    expect(Object.keys(unzipSync(await write(open(file))))).not.toContain(MODULES_PATH);
  });
});

it('modules without world books stay byte for byte', () => {
  const file = withModules(NAMES[0], ({ version }) => ({ version, world_books: [], expressions: {} }));
  const written = unzipSync(converted(open(file)));
  expect(written[MODULES_PATH]).toEqual(unzipSync(file)[MODULES_PATH]);
});
