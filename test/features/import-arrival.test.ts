// Another app's card before it is uploaded: SillyTavern gets it in its own words, with its picture; its own cards pass.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/containers/limits.ts';
import { readPngChunks } from '../../src/containers/png-chunks.ts';
import { convertFile } from '../../src/convert-file.ts';
import { type JsonObject, jsonAt } from '../../src/core/json.ts';
import type { CanonicalLorebook } from '../../src/core/lorebook.ts';
import { arrivalOf } from '../../src/features/import/arrival.ts';
import { foreignAppOf, type OpenedCard } from '../../src/features/import/foreign-card.ts';
import { readCard } from '../../src/features/import/incoming.ts';
import { CHARACTER_BOOK, CHARACTER_BOOK_FIELDS } from '../../src/formats/_shared/character-book-table.ts';
import { bringsNothingNew } from '../../src/formats/sillytavern/visible-fields.ts';
import { lorebookFromWorld, worldFromLorebook } from '../../src/formats/sillytavern/world-twin.ts';
import { openFile } from '../../src/open-file.ts';
import { readWorldFile } from '../../src/own-books.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { bookEntry, bookOf, cardWith } from '../support/fixtures.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const FOREIGN = ['agnai', 'marinara', 'risu', 'lumiverse'].flatMap((app) =>
  readdirSync(join(FIXTURES, 'foreign', app))
    .filter((name) => !/\.expect\.json$|\.zip$|\.risum$/.test(name))
    .map((name) => [app, name] as const),
);

beforeEach(() => void startFakeClient({}));

function opened(...path: readonly string[]): OpenedCard | null {
  const file = openFile(readFileSync(join(FIXTURES, ...path)), path.at(-1) ?? '');
  return file.kind === 'card' ? file : null;
}

const openJsonCard = (card: JsonObject): OpenedCard =>
  openFile(new TextEncoder().encode(JSON.stringify(card)), 'x.json') as OpenedCard;

const cardsOf = FOREIGN.flatMap(([app, name]) => {
  const card = opened('foreign', app, name);
  return card === null ? [] : [[name, app, card] as const];
});
const foreign = cardsOf.filter(([, , card]) => foreignAppOf(card) !== null);

async function stored(card: OpenedCard, app: string, name: string) {
  const arrival = await arrivalOf(card, app, name);
  const { file, fileType } = arrival.replacement;
  const again = openFile(new Uint8Array(await file.arrayBuffer()), file.name);
  if (again.kind !== 'card') throw new Error(`${name} became no card`);
  return { ...arrival, file, fileType, again };
}

const pictureOf = (png: Uint8Array | undefined): string =>
  png === undefined
    ? ''
    : readPngChunks(png, LIMITS)
        .chunks.filter(({ type }) => type === 'IDAT')
        .map(({ data }) => Buffer.from(data).toString('base64'))
        .join();

// Links within the pieces are ours, and a stale book of Lumiverse's is no field of the character.
function shownOf({ pieces }: OpenedCard): unknown {
  const { knowledgeRefs: _refs, extensions, ...rest } = pieces.character.body;
  const { character_book: _stale, character_books: _listed, ...bag } = extensions;
  return { ...rest, extensions: bag };
}

describe('cards of other apps', () => {
  it('are all known as such, but for those that hold only the words of the standard', () => {
    const plain = cardsOf.filter(([, , card]) => foreignAppOf(card) === null).map(([name]) => name);
    expect(plain.filter((name) => !/-ooba\.json$|linked-only(-compatible\.json|\.png)$/.test(name))).toEqual(
      [],
    );
    expect(foreign.length).toBeGreaterThan(45);
    for (const [name, app, card] of foreign) expect([name, foreignAppOf(card)]).toEqual([name, app]);
  });

  it.each(foreign)(
    '%s: SillyTavern gets the same character, picture and entries',
    async (name, app, card) => {
      const { again, fileType, file, read } = await stored(card, app, name);
      expect(file.name).toMatch(new RegExp(`\\.${fileType}$`));
      expect(again.container.kind).toBe(fileType);
      expect(foreignAppOf(again)).toBeNull();
      expect(shownOf(again)).toEqual(shownOf(card));
      expect(pictureOf(again.container.picture)).toBe(pictureOf(card.container.picture));
      expect(read.books.map(({ lorebook }) => lorebook.name)).toEqual(
        again.pieces.lorebooks.map((lorebook) => lorebook.name),
      );
      read.books.forEach(({ lorebook }, at) => {
        const there = again.pieces.lorebooks[at]?.body.entries ?? [];
        expect(there).toHaveLength(lorebook.body.entries.length);
        // Neither way is there anything that the other does not show.
        expect(bringsNothingNew(lorebook.body.entries, there)).toBe(true);
        expect(bringsNothingNew(there, lorebook.body.entries)).toBe(true);
      });
    },
  );

  it.each(foreign)(
    '%s: its world file keeps the book in its own words, and a twin',
    async (name, app, card) => {
      const { read } = await arrivalOf(card, app, name);
      read.books.forEach(({ lorebook, slot }, at) => {
        const world = worldFromLorebook(lorebook, { character: read.character, slot });
        const kept = (world['loreferry'] as JsonObject)['original'] as JsonObject;
        const source = card.pieces.lorebooks[at]?.original ?? {};
        for (const [dialect, { raw }] of Object.entries(source)) expect(kept[dialect]).toEqual({ raw });
        expect(Object.keys(kept)).toContain(CHARACTER_BOOK);
        // On the way back it is the app's own; where it is compared with a later version, SillyTavern's.
        const back = readWorldFile(world, 'w', lorebook.name);
        expect(back.edited).toBe(false);
        expect(back.lorebook.original).toMatchObject(source);
        expect(lorebookFromWorld(world, 'w', 'x').lorebook.original).toHaveProperty(CHARACTER_BOOK);
      });
    },
  );

  it('a charx of Lumiverse’s lists its picture, without which SillyTavern finds none', async () => {
    const card = opened('foreign', 'lumiverse', 'lumiverse-plain-walter-keen.charx');
    if (card === null) throw new Error('no card');
    expect(jsonAt(card.card, ['data', 'assets'])).toBeUndefined();
    const { again } = await stored(card, 'lumiverse', 'walter.charx');
    const icon = { type: 'icon', uri: 'embeded://assets/icon/image/main.png', name: 'main', ext: 'png' };
    expect(jsonAt(again.card, ['data', 'assets'])).toEqual([icon]);
  });

  it('a Marinara character brings its picture out of the JSON', async () => {
    const card = opened(
      'foreign',
      'marinara',
      'marinara-full-vesna-holt-embedded.marinara.json',
    ) as OpenedCard;
    const { fileType, again } = await stored(card, 'marinara', 'x.marinara.json');
    expect(fileType).toBe('png');
    expect(pictureOf(again.container.picture)).toHaveLength(pictureOf(card.container.picture).length);
    expect(pictureOf(again.container.picture).length).toBeGreaterThan(50);
  });
});

describe('cards of SillyTavern and of the standard', () => {
  const names = readdirSync(join(FIXTURES, 'cases', 'peers')).filter((name) => name.endsWith('.json'));
  it.each(names)('%s is none of another app’s', (name) => {
    const card = opened('cases', 'peers', name);
    expect(card && foreignAppOf(card)).toBeNull();
  });
});

describe('cards of RoleCall', () => {
  it('bring their list of lorebooks in the one place that SillyTavern reads', async () => {
    const listed = [
      { name: 'First', entries: [bookEntry({ content: 'One.' })] },
      { name: 'Second', entries: [bookEntry({ content: 'Two.' }), bookEntry({ content: 'Three.' })] },
    ];
    const card = openJsonCard(cardWith(undefined, { extensions: { character_books: listed } }));
    expect(foreignAppOf(card)).toBe('rolecall');
    const { again, read } = await stored(card, 'rolecall', 'x.json');
    expect(again.pieces.lorebooks.map(({ name, body }) => [name, body.entries.length])).toEqual([
      ['First', 1],
      ['Second', 2],
    ]);
    expect(again.pieces.character.body.extensions).not.toHaveProperty('character_books');
    expect([...new Set(again.pieces.slots.values())]).toEqual(['data.character_book']);
    expect(read.books).toHaveLength(2);
    expect(foreignAppOf(again)).toBeNull();
  });
});

describe('files that were written here for another app', () => {
  const note = { prompt: 'Whisper.', depth: 3, role: 'user' };
  const own = openJsonCard(
    cardWith(
      bookOf(
        bookEntry({
          id: 4,
          keys: ['lamp', '/wi+ck/i'],
          extensions: { position: 4, depth: 2, role: 1, sticky: 3, group: 'g' },
        }),
        bookEntry({
          id: 9,
          constant: true,
          content: '@@depth 4\nNot a decorator.',
          extensions: { position: 5, selectiveLogic: 3 },
        }),
      ),
      { extensions: { depth_prompt: note, talkativeness: '0.7', own_of_mine: { a: 1 } } },
    ),
  );
  it.each(['risu', 'agnai', 'marinara', 'lumiverse', 'rolecall'])(
    '%s: come back exactly as they were',
    async (target) => {
      const { files } = convertFile(own, { target, form: 'png', privateFields: 'keep' });
      const [written] = files;
      const there = openFile(written?.bytes ?? new Uint8Array(), 'x.png') as OpenedCard;
      // Agnai's picture holds SillyTavern's own card beside its own, and RoleCall's card is one.
      const isOwn = target === 'agnai' || target === 'rolecall';
      expect(foreignAppOf(there)).toBe(isOwn ? null : target);
      const { again, read } = isOwn
        ? { again: there, read: readCard(there.pieces) }
        : await stored(there, target, 'x.png');
      const views = (books: readonly CanonicalLorebook[]): unknown =>
        books.map(({ name, body }) => [
          name,
          body.entries.map((entry) => CHARACTER_BOOK_FIELDS.map((row) => row.show(entry))),
        ]);
      expect(views(again.pieces.lorebooks)).toEqual(views(own.pieces.lorebooks));
      expect(views(read.books.map(({ lorebook }) => lorebook))).toEqual(views(own.pieces.lorebooks));
      expect(again.pieces.character.body.extensions['depth_prompt']).toEqual(note);
      expect(again.pieces.character.body.extensions).not.toHaveProperty('loreferry');
    },
  );
});
