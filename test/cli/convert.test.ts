// `loreferry convert FILE --to sillytavern`, as design.md and decisions 26, 27, 41 have it.

import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import {
  bookEntry,
  bookOf,
  cardWith,
  readCase,
  throughJson,
  worldEntriesOf,
  worldEntry,
  worldOf,
} from '../support/fixtures.ts';
import { buildPng, buildZip, caseFile, chunkList, rawChunks } from '../support/png-fixtures.ts';
import { bytesOf, converted, done, inspected, jsonOf, listed, loreferry, put, refused } from './run-cli.ts';

const TO = ['--to', 'sillytavern'] as const;
const dataOf = (card: JsonObject): JsonObject => card['data'] as JsonObject;
const bookIn = (card: JsonObject): JsonObject => dataOf(card)['character_book'] as JsonObject;
const contentsOf = (book: JsonObject): readonly unknown[] =>
  (book['entries'] as readonly JsonObject[]).map(({ content }) => content);

/** The cards in a PNG's text chunks by keyword, read by Node. */
function cardsIn(png: Uint8Array): Readonly<Record<string, JsonObject>> {
  const texts = rawChunks(png)
    .map((raw) => Buffer.from(raw).toString('latin1'))
    .filter((text) => text.startsWith('tEXt', 4));
  return Object.fromEntries(
    texts.map((text) => {
      const end = text.indexOf('\0', 8);
      const json = Buffer.from(text.slice(end + 1, -4), 'base64').toString('utf8');
      return [text.slice(8, end), /^\{/.test(json) ? JSON.parse(json) : {}];
    }),
  );
}

describe('the form of what is written', () => {
  const card = { ...cardWith(bookOf(bookEntry())), spec: 'chara_card_v3', spec_version: '3.0' };
  const charx = buildZip([
    { path: 'card.json', text: JSON.stringify(card) },
    { path: 'assets/a.bin', text: 'x' },
  ]);
  const jpeg = buildZip([{ path: 'card.json', text: JSON.stringify(card) }], {
    prefix: Buffer.from('ffd8ffe00010ffd9', 'hex'),
  });
  const png = buildPng([{ type: 'tEXt', keyword: 'ccv3', base64json: card }]);
  it.each<[string, unknown, string, string]>([
    ['json stays json', card, 'json', 'application/json'],
    ['png stays png', png, 'png', 'image/png'],
    ['charx stays charx', charx, 'charx', 'application/zip'],
    ['a charx behind a JPEG becomes a charx', jpeg, 'charx', 'application/zip'],
  ])('%s', (_, content, container, mime) => {
    put('in', content);
    const report = converted('in', '-o', 'out');
    expect(report.files).toEqual([{ name: 'out', mime, bytes: bytesOf('out').length }]);
    expect(inspected('out')).toMatchObject({ container, spec: 'chara_card_v3', books: [{ entryCount: 1 }] });
  });
  it.each(['json', 'png', 'charx'])('--as %s from each container', (form) => {
    put('a', card);
    put('b', png);
    put('c', charx);
    for (const name of ['a', 'b', 'c']) {
      done('convert', name, ...TO, '--as', form, '-o', `${name}.out`);
      expect(inspected(`${name}.out`)).toMatchObject({ container: form, books: [{ entryCount: 1 }] });
    }
  });
  it("without --as, OUT's ending chooses; --as wins over it", () => {
    put('card.json', card);
    put('x.png', png);
    for (const [name, out, container] of [
      ['card.json', 'a.png', 'png'],
      ['card.json', 'a.CHARX', 'charx'],
      ['x.png', 'b.json', 'json'],
      ['x.png', 'b v1.2', 'png'],
    ] as const) {
      done('convert', name, ...TO, '-o', out);
      expect(inspected(out)).toMatchObject({ container, books: [{ entryCount: 1 }] });
    }
    expect(done('convert', 'x.png', ...TO, '-o', 'c.json')).toContain(
      'The picture is not part of a JSON file.\n',
    );
    expect(done('convert', 'x.png', ...TO, '--as', 'lorebook', '-o', 'l.json')).not.toContain('picture');
    done('convert', 'x.png', ...TO, '--as', 'png', '-o', 'd.json');
    expect(inspected('d.json').container).toBe('png');
    put('w.json', readCase('68-'));
    done('convert', 'w.json', ...TO, '-o', 'w');
    expect(inspected('w')).toMatchObject({ container: 'json', kind: 'worldinfo' });
  });
  it('an ending that says no form is refused, with the endings that there are', () => {
    put('x.png', png);
    put('w.json', readCase('68-'));
    for (const [name, target, out, said] of [
      [
        'x.png',
        'sillytavern',
        'b.webp',
        'A card for SillyTavern ends in .png, .json or .charx, not in .webp;',
      ],
      ['x.png', 'agnai', 'b.CHARX', 'A card for Agnai ends in .png or .json, not in .charx;'],
      ['w.json', 'risu', 'w.png', 'A lorebook for RisuAI ends in .json, not in .png;'],
    ] as const) {
      expect(refused('convert', name, '--to', target, '-o', out)).toContain(said);
      expect(listed()).toEqual(['w.json', 'x.png']);
    }
    done('convert', 'x.png', ...TO, '--as', 'png', '-o', 'b.webp');
    done('convert', 'x.png', ...TO, '-o', 'folder.of/');
    expect(listed('folder.of')).toHaveLength(1);
  });
  it('a charx made of a PNG has its picture as the icon, without the card in it, and gives it back', () => {
    put('x.png', png);
    done('convert', 'x.png', ...TO, '-o', 'x.charx');
    done('convert', 'x.charx', ...TO, '-o', 'y.png');
    const picture = (name: string) =>
      rawChunks(bytesOf(name)).filter((raw) => !/chara|ccv3/.test(Buffer.from(raw).toString('latin1')));
    expect(picture('y.png')).toEqual(picture('x.png'));
    done('convert', 'x.charx', ...TO, '-o', 'x.json');
    const assets = dataOf(jsonOf('x.json'))['assets'];
    expect(assets).toEqual([expect.objectContaining({ type: 'icon', name: 'main', ext: 'png' })]);
    expect(Buffer.from(bytesOf('x.charx')).toString('latin1')).not.toMatch(/tEXtccv3/);
  });
  it('--as book is the bare character_book, --as lorebook a world file', () => {
    put('card.json', card);
    done('convert', 'card.json', ...TO, '--as', 'book', '-o', 'book.json');
    expect(jsonOf('book.json')).toEqual(bookIn(card));
    const report = converted('card.json', '--as', 'lorebook', '-o', 'world.json');
    expect(worldEntriesOf(jsonOf('world.json'))).toMatchObject({
      0: { uid: 0, key: ['lamp'], content: 'Lamp note.' },
    });
    expect(report.entries).toEqual({ total: 1, exact: 1, stashed: 0, approximated: 0, lost: 0 });
  });
  it('a world file or a bare lorebook becomes a lorebook; --as book a bare book', () => {
    put('world.json', readCase('68-'));
    put('bare.json', readCase('53-'));
    put('agnai.json', {
      kind: 'memory',
      name: 'Mem',
      entries: [{ name: 'a', entry: 'Note.', keywords: ['k'] }],
    });
    done('convert', 'world.json', ...TO, '-o', 'w.json');
    expect(jsonOf('w.json')).toEqual(readCase('68-'));
    done('convert', 'world.json', ...TO, '--as', 'book', '-o', 'b.json');
    expect(jsonOf('b.json')['entries']).toMatchObject([
      { keys: ['lamp'], position: 'after_char', extensions: { position: 4 } },
    ]);
    done('convert', 'bare.json', ...TO, '-o', 'v.json');
    expect(Object.values(worldEntriesOf(jsonOf('v.json')))).toMatchObject([
      { order: 10 },
      { order: 20, disable: true },
    ]);
    done('convert', 'bare.json', ...TO, '--as', 'book', '-o', 'c.json');
    expect(jsonOf('c.json')).toEqual(readCase('53-'));
    const report = converted('agnai.json', '-o', 'm.json');
    expect(worldEntriesOf(jsonOf('m.json'))).toMatchObject({
      0: { key: ['k'], content: 'Note.', position: 1 },
    });
    expect(report.entries).toMatchObject({ total: 1, exact: 1 });
  });
  it('what cannot be is one sentence, and nothing is written', () => {
    put('card.json', cardWith(undefined));
    put('world.json', readCase('68-'));
    expect(refused('convert', 'world.json', ...TO, '--as', 'png', '-o', 'o')).toMatch(
      /cannot be written as png/,
    );
    expect(refused('convert', 'card.json', ...TO, '--as', 'native', '-o', 'o')).toMatch(/no native form/);
    expect(refused('convert', 'card.json', ...TO, '--as', 'book', '-o', 'o')).toBe(
      'card.json holds no lorebook, so there is nothing to write.',
    );
    expect(refused('convert', 'card.json', ...TO, '--as', 'webp', '-o', 'o')).toMatch(
      /--as must be one of png, json/,
    );
    expect(listed()).toEqual(['card.json', 'world.json']);
  });
  it('a card without a book is written as it is', () => {
    put('card.json', cardWith(null, { x: 1 }));
    const report = converted('card.json', '-o', 'out.json');
    expect(jsonOf('out.json')).toEqual(cardWith(null, { x: 1 }));
    expect(report.entries).toEqual({ total: 0, exact: 0, stashed: 0, approximated: 0, lost: 0 });
  });
});

describe('several files', () => {
  const books = ['A', 'B', '../../evil', 'CON'].map((name) => ({
    ...bookOf(bookEntry({ content: `${name}.` })),
    name,
  }));
  const card = cardWith(undefined, { name: '../x', extensions: { character_books: books } });
  it('go into a folder, under safe names that the report names', () => {
    put('card.json', card);
    const report = converted('card.json', '--as', 'book', '-o', 'out/deep');
    expect(listed('out/deep')).toEqual(['A.json', 'B.json', 'Lorebook.json', 'evil.json']);
    expect(report.files.map(({ name }) => name)).toEqual(['A.json', 'B.json', 'evil.json', 'Lorebook.json']);
    expect(report.files.map(({ bytes }) => bytes)).toEqual(
      ['A.json', 'B.json', 'evil.json', 'Lorebook.json'].map((name) => bytesOf(`out/deep/${name}`).length),
    );
    done('convert', 'card.json', ...TO, '--as', 'lorebook', '-o', 'worlds/');
    expect(listed('worlds')).toEqual(['A.json', 'B.json', 'Lorebook.json', 'evil.json']);
    expect(listed().filter((name) => !/^(card\.json|report\.json|out|worlds)/.test(name))).toEqual([]);
  });
  it('one file goes into a folder too when OUT is one', () => {
    put('card.json', cardWith(bookOf(bookEntry()), { name: 'CON' }));
    put('there/x', '');
    done('convert', 'card.json', ...TO, '-o', 'new/');
    done('convert', 'card.json', ...TO, '-o', 'there', '--as', 'book');
    expect([...listed('new'), ...listed('there')]).toEqual(['Lorebook.json', 'Quay Notes.json', 'x']);
  });
  it('in one card they are one book whose boundaries come back', () => {
    put('card.json', card);
    done('convert', 'card.json', ...TO, '-o', 'out.json');
    const written = jsonOf('out.json');
    expect((bookIn(written)['entries'] as Json[]).length).toBe(4);
    expect(inspected('out.json').books.map(({ name, entryCount, slot }) => [name, entryCount, slot])).toEqual(
      books.map(({ name }) => [name, 1, 'data.character_book']),
    );
    expect(dataOf(written)['extensions']).toEqual({});
    done('convert', 'out.json', ...TO, '--as', 'book', '-o', 'back/');
    expect(listed('back').map((name) => jsonOf(`back/${name}`))).toEqual(
      expect.arrayContaining(throughJson(books)),
    );
  });
});

describe('--book', () => {
  const scenario = (name: string): { readonly card: JsonObject; readonly world: JsonObject } => {
    const read = readCase(name);
    const [card] = read['cards'] as readonly JsonObject[];
    return { card: card as JsonObject, world: (read['worlds'] as JsonObject)['Quay Notes'] as JsonObject };
  };
  it('case 61: the linked world is embedded although the card carried no book, and the report names it', () => {
    const { card, world } = scenario('61-');
    put('card.json', card);
    put('Quay Notes.json', world);
    const report = converted('card.json', '--book', 'Quay Notes.json', '-o', 'out.json');
    expect(contentsOf(bookIn(jsonOf('out.json')))).toEqual(['Lamp note.']);
    expect(bookIn(jsonOf('out.json'))['name']).toBe('Quay Notes');
    expect(report.entries).toMatchObject({ total: 1, exact: 1 });
    expect(report.findings.map(({ code, message }) => [code, message])).toContainEqual([
      'assumed',
      expect.stringMatching(/no copy of the lorebook that it links; the world file "Quay Notes" was taken/),
    ]);
    expect(dataOf(jsonOf('out.json'))['extensions']).toEqual({ world: 'Quay Notes' });
  });
  it('case 62: the stale copy gives way to the world file, and the report names it', () => {
    const { card, world } = scenario('62-');
    put('card.json', card);
    put('Quay Notes.json', world);
    const report = converted('card.json', '--book', 'Quay Notes.json', '-o', 'out.json');
    expect(contentsOf(bookIn(jsonOf('out.json')))).toEqual(['Lamp note, edited yesterday.', 'New entry.']);
    expect(report.entries).toMatchObject({ total: 2, exact: 2 });
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        code: 'conflict',
        message: expect.stringMatching(/world file "Quay Notes".*was taken/),
      }),
    );
    // What is said of the copy that was not written does not count.
    expect(report.findings.some(({ bookId }) => bookId === 'data.character_book')).toBe(false);
  });
  it('the same, as a PNG and from another folder', () => {
    const { card, world } = scenario('62-');
    put('card.json', card);
    put('data/worlds/Quay Notes.json', world);
    done(
      'convert',
      'card.json',
      ...TO,
      '--book',
      'data/worlds/Quay Notes.json',
      '--as',
      'png',
      '-o',
      'out.png',
    );
    expect(inspected('out.png').entries).toHaveLength(2);
  });
  it('a world file that the card does not link is a further book behind its own', () => {
    put(
      'card.json',
      cardWith(bookOf(bookEntry({ content: 'Own.' })), { extensions: { world: 'Quay Notes' } }),
    );
    put('Other.json', worldOf(worldEntry(0, { content: 'Other.' })));
    const report = converted('card.json', '--book', 'Other.json', '-o', 'out.json');
    expect(contentsOf(bookIn(jsonOf('out.json')))).toEqual(['Own.', 'Other.']);
    expect(inspected('out.json').books.map(({ name }) => name)).toEqual(['Quay Notes', 'Other']);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/"Other" is none of the card's own/) }),
    );
  });
  it('several become one book with the linked one first, whatever their order; the boundaries come back', () => {
    const worlds = ['One', 'Two', 'Three'].map((name) => ({
      name,
      world: worldOf(worldEntry(0, { content: `${name}.` }), worldEntry(4)),
    }));
    put('card.json', cardWith(bookOf(bookEntry({ content: 'Stale.' })), { extensions: { world: 'Two' } }));
    for (const { name, world } of worlds) put(`${name}.json`, world);
    const given = worlds.flatMap(({ name }) => ['--book', `${name}.json`]);
    const report = converted('card.json', ...given, '-o', 'out.json');
    expect(report.entries).toEqual({ total: 6, exact: 6, stashed: 0, approximated: 0, lost: 0 });
    const found = inspected('out.json');
    expect(found.books.map(({ name, entryCount }) => [name, entryCount])).toEqual([
      ['Two', 2],
      ['One', 2],
      ['Three', 2],
    ]);
    const ids = (bookIn(jsonOf('out.json'))['entries'] as readonly JsonObject[]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
  });
  it('a file that is given twice counts once; two files with one name and other content are two books', () => {
    put('card.json', cardWith(undefined));
    put('a/Quay.json', worldOf(worldEntry(0, { content: 'A.' })));
    put('b/Quay.json', worldOf(worldEntry(0, { content: 'B.' })));
    const report = converted(
      'card.json',
      '--book',
      'a/Quay.json',
      '--book',
      'a/Quay.json',
      '--book',
      'b/Quay.json',
      '-o',
      'out.json',
    );
    expect(contentsOf(bookIn(jsonOf('out.json')))).toEqual(['A.', 'B.']);
    expect(report.entries.total).toBe(2);
    expect(new Set(report.findings.map(({ bookId }) => bookId)).size).toBe(2);
  });
  it('an extracted file takes the place of the very book it came from, linked or not', () => {
    const second = { ...bookOf(bookEntry({ content: 'Second.' })), name: 'Second' };
    put('card.json', cardWith(bookOf(bookEntry()), { extensions: { character_book: second } }));
    done('extract', 'card.json', '-o', 'x');
    const world = jsonOf('x/Second.json');
    put('x/Renamed.json', {
      ...world,
      entries: { 0: { ...worldEntriesOf(world)['0'], content: 'Edited.' } },
    });
    const report = converted('card.json', '--book', 'x/Renamed.json', '-o', 'out.json');
    expect(contentsOf(bookIn(jsonOf('out.json')))).toEqual(['Lamp note.', 'Edited.']);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ code: 'conflict', message: expect.stringMatching(/world file "Renamed"/) }),
    );
    expect(dataOf(jsonOf('out.json'))['extensions']).toEqual({});
  });
  it('a name with accents is the same however it is composed', () => {
    put(
      'card.json',
      cardWith(bookOf(bookEntry({ content: 'Stale.' })), { extensions: { world: 'Caf\u00e9' } }),
    );
    put('Cafe\u0301.json', worldOf(worldEntry(0, { content: 'Live.' })));
    done('convert', 'card.json', ...TO, '--book', 'Cafe\u0301.json', '-o', 'out.json');
    expect(contentsOf(bookIn(jsonOf('out.json')))).toEqual(['Live.']);
  });
  it('an empty world file that is linked is what counts', () => {
    put('card.json', cardWith(bookOf(bookEntry({ content: 'Stale.' })), { extensions: { world: 'Quay' } }));
    put('Quay.json', { entries: {} });
    const report = converted('card.json', '--book', 'Quay.json', '-o', 'out.json');
    expect(contentsOf(bookIn(jsonOf('out.json')))).toEqual([]);
    expect(report.findings).toContainEqual(expect.objectContaining({ code: 'conflict' }));
  });
  it('belongs to a card: beside a lorebook it is refused', () => {
    put('a.json', worldOf(worldEntry(0)));
    expect(refused('convert', 'a.json', ...TO, '--book', 'a.json', '-o', 'o')).toMatch(
      /^Only a character card has world files linked to it/,
    );
    expect(listed()).toEqual(['a.json']);
  });
  it('anything else is refused by its name', () => {
    put('card.json', cardWith(undefined));
    expect(refused('convert', 'card.json', ...TO, '--book', 'none.json', '-o', 'o')).toBe(
      'none.json does not exist.',
    );
    expect(refused('convert', 'card.json', ...TO, '--book', 'card.json', '-o', 'o')).toBe(
      'card.json is not a world info file.',
    );
  });
});

describe('--private (S3)', () => {
  const world = readCase('S3-');
  const FILTER = { isExclude: true, names: ['Odo Pell'], tags: ['t1'] };
  const setUp = (more: JsonObject = {}): readonly string[] => {
    put('card.json', cardWith(undefined, { extensions: { world: 'S3' } }));
    put('S3.json', {
      ...world,
      entries: { 0: { ...worldEntriesOf(world)['0'], automationId: 'qr-7', ...more } },
    });
    return ['card.json', '--book', 'S3.json', '-o', 'out.json', '--force'];
  };
  const secret = /Odo Pell|"t1"|qr-7/;
  const text = (name: string): string => Buffer.from(bytesOf(name)).toString('utf8');
  it('keep, the default: carried in extensions, and named', () => {
    const args = setUp();
    for (const choice of [[], ['--private', 'keep']]) {
      const report = converted(...args, ...choice);
      const book = bookIn(jsonOf('out.json'));
      expect(book['extensions']).toEqual({ note: 'book level' });
      expect(book['entries']).toMatchObject([
        { extensions: { character_filter: FILTER, automation_id: 'qr-7' } },
      ]);
      expect(report.findings).toContainEqual(
        expect.objectContaining({
          code: 'stashed',
          path: 'characterFilter',
          message: expect.stringMatching(/Odo Pell, t1/),
        }),
      );
      expect(report.entries).toEqual({ total: 1, exact: 0, stashed: 1, approximated: 0, lost: 0 });
    }
  });
  it('drop: gone, named in the report only, and a loss for --strict', () => {
    const args = setUp();
    const report = converted(...args, '--private', 'drop');
    expect(text('out.json')).not.toMatch(secret);
    expect(report.findings.map(({ code, path }) => [code, path])).toEqual(
      expect.arrayContaining([
        ['lost', 'characterFilter'],
        ['lost', 'automationId'],
      ]),
    );
    expect(report.entries).toEqual({ total: 1, exact: 0, stashed: 0, approximated: 0, lost: 1 });
    expect(loreferry('convert', ...args, ...TO, '--private', 'drop', '--strict')).toMatchObject({
      status: 1,
      stderr: '',
    });
    expect(loreferry('convert', ...args, ...TO, '--strict')).toMatchObject({ status: 0, stderr: '' });
  });
  it.each(['book', 'lorebook'])('drop with --as %s: nothing of it stands anywhere in the file', (form) => {
    setUp({ x: 1 });
    done('convert', 'S3.json', ...TO, '--as', form, '--private', 'drop', '-o', 'o.json');
    expect(text('o.json')).not.toMatch(secret);
    if (form === 'lorebook') expect(text('o.json')).toMatch(/"x": 1/);
  });
  it('drop from an extracted file: neither the file nor its twin holds it', () => {
    put(
      'card.json',
      cardWith(
        bookOf(bookEntry({ extensions: { position: 0, character_filter: FILTER, automation_id: 'qr-7' } })),
      ),
    );
    done('extract', 'card.json', '-o', 'x');
    expect(text('x/Quay Notes.json')).toMatch(secret);
    for (const form of ['book', 'lorebook']) {
      done('convert', 'x/Quay Notes.json', ...TO, '--as', form, '--private', 'drop', '-o', `${form}.json`);
      done('convert', 'card.json', ...TO, '--as', form, '--private', 'drop', '-o', `card-${form}.json`);
      expect([text(`${form}.json`), text(`card-${form}.json`)].filter((each) => secret.test(each))).toEqual(
        [],
      );
    }
    done(
      'convert',
      'x/card.json',
      ...TO,
      '--book',
      'x/Quay Notes.json',
      '--private',
      'drop',
      '-o',
      'out.json',
    );
    expect(text('out.json')).not.toMatch(secret);
  });
  it('drop at every level and under every name', () => {
    const entry = bookEntry({
      character_filter: FILTER,
      characterFilter: FILTER,
      automation_id: 'qr-7',
      automationId: 'qr-7',
      extensions: { position: 0, character_filter: FILTER, automation_id: 'qr-7' },
    });
    put('card.json', cardWith(bookOf(entry)));
    done('convert', 'card.json', ...TO, '--private', 'drop', '-o', 'out.json');
    expect(text('out.json')).not.toMatch(secret);
  });
  it('keep with --as lorebook has nothing to tell: a world file has a place for them', () => {
    setUp();
    const report = converted('S3.json', '-o', 'o.json');
    expect(jsonOf('o.json')).toEqual(jsonOf('S3.json'));
    expect(report.entries).toEqual({ total: 1, exact: 1, stashed: 0, approximated: 0, lost: 0 });
  });
});

describe('what a book has no place for', () => {
  it('is named as lost, field by field, and nothing else is', () => {
    put('w.json', {
      name: 'W',
      x_book: [1],
      description: 'd',
      scan_depth: 3,
      extensions: { note: 'kept' },
      entries: {
        0: worldEntry(0, { x_entry: { y: 1 }, extensions: { vendor: 'kept', position: 6 } }),
        1: worldEntry(1),
      },
    });
    const report = converted('w.json', '--as', 'book', '-o', 'o.json');
    expect(jsonOf('o.json')).toMatchObject({
      name: 'W',
      description: 'd',
      scan_depth: 3,
      extensions: { note: 'kept' },
      entries: [{ extensions: { vendor: 'kept', position: 0 } }, {}],
    });
    expect(
      report.findings.map(({ code, entryId, path, before, after }) => [code, entryId, path, before, after]),
    ).toEqual([
      ['lost', 'w0', 'x_entry', { y: 1 }, null],
      ['lost', null, 'x_book', [1], null],
    ]);
    expect(report.entries).toEqual({ total: 2, exact: 1, stashed: 0, approximated: 0, lost: 1 });
  });
});

it('what a world file carries along from an older card does not come to life again', () => {
  const stale = {
    character_filter: { names: ['Odo'] },
    position: 6,
    automation_id: 'qr-7',
    vendor: 1,
    outlet_name: 'x',
  };
  put('w.json', worldOf(worldEntry(0, { extensions: stale })));
  const report = converted('w.json', '--as', 'book', '-o', 'o.json');
  const [entry] = jsonOf('o.json')['entries'] as readonly JsonObject[];
  expect(entry?.['extensions']).toMatchObject({ position: 0, automation_id: '', outlet_name: '', vendor: 1 });
  expect(entry?.['extensions']).not.toHaveProperty('character_filter');
  expect(report.entries).toMatchObject({ total: 1, exact: 1 });
  // Nor where the entry has a twin.
  put('card.json', cardWith(bookOf(bookEntry({ x: 1 }))));
  done('extract', 'card.json', '-o', 'x');
  const world = jsonOf('x/Quay Notes.json');
  put('x/Quay Notes.json', {
    ...world,
    entries: { 0: { ...worldEntriesOf(world)['0'], content: 'Edited.', extensions: stale } },
  });
  done('convert', 'x/card.json', ...TO, '--book', 'x/Quay Notes.json', '-o', 'p.json');
  const [edited] = bookIn(jsonOf('p.json'))['entries'] as readonly JsonObject[];
  expect(edited).toMatchObject({ content: 'Edited.', x: 1, extensions: { vendor: 1 } });
  expect(edited?.['extensions']).not.toHaveProperty('character_filter');
  expect(inspected('p.json').entries[0]).toMatchObject({ slot: 'world', outlet: null });
});

describe('--report', () => {
  it('has this shape', () => {
    put('card.json', cardWith(bookOf(bookEntry(), bookEntry({ id: 1, enabled: 0 }))));
    const report = converted('card.json', '-o', 'out.json');
    expect(report).toEqual({
      target: 'sillytavern',
      targetVersion: null,
      style: 'natural',
      files: [{ name: 'out.json', mime: 'application/json', bytes: bytesOf('out.json').length }],
      entries: { total: 2, exact: 2, stashed: 0, approximated: 0, lost: 0 },
      findings: [
        {
          code: 'repaired',
          severity: 'info',
          bookId: 'data.character_book',
          entryId: 'e1',
          path: 'enabled',
          before: 0,
          after: false,
          message: expect.stringMatching(/\.$/),
        },
      ],
      steps: [],
      settings: {},
    });
  });
  it('may stand in a folder that is not there yet', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    done('convert', 'card.json', ...TO, '-o', 'a/b/out.json', '--report', 'c/d/report.json');
    expect(listed()).toEqual(['a/', 'a/b/', 'a/b/out.json', 'c/', 'c/d/', 'c/d/report.json', 'card.json']);
  });
  it('the last line counts the entries', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    expect(done('convert', 'card.json', ...TO, '-o', 'out.json')).toBe(
      'out.json\n1 entry: 1 exact, 0 kept aside, 0 approximated, 0 lost\n',
    );
  });
});

describe('options', () => {
  it('that this version does not use yet are accepted', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    put('settings.json', { world_info_settings: { world_info_depth: 3 } });
    const report = converted(
      ...['card.json', '-o', 'out.json', '--settings', 'settings.json', '--style', 'exact', '--user', 'Me'],
      ...['--avatar', 'Mara.png', '--target-version', '1.19', '--strict'],
    );
    expect(report).toMatchObject({ style: 'exact', targetVersion: '1.19' });
    expect(jsonOf('out.json')).toEqual(jsonOf('card.json'));
  });
  it('are said to have no effect; a settings file that is not there is refused', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    expect(done('convert', 'card.json', ...TO, '-o', 'o.json', '--style', 'exact', '--user', 'Me')).toContain(
      '--user, --style: no effect for sillytavern.\n',
    );
    expect(refused('convert', 'card.json', ...TO, '-o', 'p.json', '--settings', 'none.json')).toBe(
      'none.json does not exist.',
    );
    expect(listed()).toEqual(['card.json', 'o.json']);
  });
  it.each([
    [['convert', 'card.json', '-o', 'o'], /--to must be one of|--to is missing/],
    [['convert', 'card.json', '--to', 'novelai', '-o', 'o'], /--to must be one of sillytavern, risu/],
    [['convert', 'card.json', '--to', 'sillytavern'], /^-o is missing\.$/],
    [
      ['convert', 'card.json', '--to', 'sillytavern', '-o', 'o', '--style', 'odd'],
      /--style must be one of natural, exact/,
    ],
    [
      ['convert', 'card.json', '--to', 'sillytavern', '-o', 'o', '--private', 'ask'],
      /--private must be one of keep, drop/,
    ],
    [['convert', 'card.json', '--to', 'sillytavern', '-o', '--force'], /argument/],
    [['convert', 'card.json', '--to', 'sillytavern', '-o', 'o', '--book'], /--book/],
    [['convert', '--to', 'sillytavern', '-o', 'o'], /convert needs a file/],
    [['convert', 'none.json', '--to', 'sillytavern', '-o', 'o'], /none\.json does not exist/],
  ])('%j', (args, words) => {
    put('card.json', cardWith(undefined));
    expect(refused(...args)).toMatch(words);
    expect(listed()).toEqual(['card.json']);
  });
});

describe('a PNG', () => {
  const picture = (bytes: Uint8Array) =>
    rawChunks(bytes).filter(
      (raw) => !/^.{4}[tzi](?:EX|TX)t(?:chara|ccv3)\0/is.test(Buffer.from(raw).toString('latin1')),
    );
  it('keeps its other chunks byte for byte, and both copies are written from the same data (case 41)', () => {
    const { png } = caseFile('41-ccv3-differs-from-chara.json');
    put('x.png', png);
    const report = converted('x.png', '-o', 'out.png');
    const written = bytesOf('out.png');
    expect(picture(written)).toEqual(picture(png));
    const { chara, ccv3 } = cardsIn(written);
    expect(chara?.['data']).toEqual(ccv3?.['data']);
    expect((bookIn(ccv3 as JsonObject)['entries'] as Json[]).length).toBe(2);
    expect([chara?.['spec'], ccv3?.['spec']]).toEqual(['chara_card_v3', 'chara_card_v3']);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ code: 'conflict', path: 'data.character_book' }),
    );
    // Nothing differs any more.
    expect(inspected('out.png').findings.filter(({ code }) => code === 'conflict')).toEqual([]);
  });
  it.each(['39-foreign-text-chunk-first.json', '42-chunk-after-idat.json'])('%s', (name) => {
    const { png } = caseFile(name);
    put('x.png', png);
    done('convert', 'x.png', ...TO, '-o', 'out.png');
    expect(picture(bytesOf('out.png'))).toEqual(picture(png));
    expect(chunkList(bytesOf('out.png')).filter((each) => /chara|ccv3/i.test(each))).toEqual([
      'tEXt:chara',
      'tEXt:ccv3',
    ]);
  });
  it('a V2 card keeps its spec in chara, and ccv3 says V3', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    done('convert', 'card.json', ...TO, '--as', 'png', '-o', 'out.png');
    const { chara, ccv3 } = cardsIn(bytesOf('out.png'));
    expect(chara).toEqual(cardWith(bookOf(bookEntry())));
    expect(ccv3).toEqual({ ...cardWith(bookOf(bookEntry())), spec: 'chara_card_v3', spec_version: '3.0' });
    expect(chunkList(bytesOf('out.png'))).toEqual(['IHDR', 'IDAT', 'tEXt:chara', 'tEXt:ccv3', 'IEND']);
  });
  it('case 43: text of every kind comes back identical', () => {
    put('card.json', readCase('43-'));
    done('convert', 'card.json', ...TO, '--as', 'png', '-o', 'out.png');
    expect(cardsIn(bytesOf('out.png'))['chara']).toEqual(readCase('43-'));
    put('lone.json', cardWith(bookOf(bookEntry({ content: '\ud83d x \udfff', keys: ['\ud800'] }))));
    done('convert', 'lone.json', ...TO, '--as', 'png', '-o', 'lone.png');
    expect(cardsIn(bytesOf('lone.png'))['chara']).toEqual(jsonOf('lone.json'));
  });
  it('the icon of a charx becomes the picture', () => {
    const icon = buildPng([{ type: 'tEXt', keyword: 'Software', text: 'paint' }]);
    const card = cardWith(bookOf(bookEntry()), {
      assets: [{ type: 'icon', name: 'main', uri: 'embeded://i.png' }],
    });
    put(
      'x.charx',
      buildZip([
        { path: 'card.json', text: JSON.stringify(card) },
        { path: 'i.png', bytes: icon },
      ]),
    );
    done('convert', 'x.charx', ...TO, '--as', 'png', '-o', 'out.png');
    expect(picture(bytesOf('out.png'))).toEqual(picture(icon));
  });
});
