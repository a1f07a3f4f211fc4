// `loreferry extract FILE -o DIR`: the world info files and the linked card, or nothing.

import { Buffer } from 'node:buffer';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileNames } from '../../src/cli/file-name.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { bookEntry, bookOf, cardWith, readCase, worldEntriesOf } from '../support/fixtures.ts';
import { buildPng, buildZip, caseFile, chunkList, rawChunks } from '../support/png-fixtures.ts';
import { bytesOf, done, here, inspected, jsonOf, listed, loreferry, put, refused } from './run-cli.ts';

const dataOf = (card: JsonObject): JsonObject => card['data'] as JsonObject;
const linkOf = (card: JsonObject): Json | undefined => (dataOf(card)['extensions'] as JsonObject)['world'];

describe('a card with a book', () => {
  const card = cardWith(
    bookOf(
      bookEntry({ id: 3, extensions: { position: 4, depth: 2, role: 1 } }),
      bookEntry({ id: 7, content: 'B.' }),
    ),
    { extensions: { other: { x: 1 } }, x_data: 5 },
  );
  it('becomes a world file and a card that links it and still holds its book', () => {
    put('Mara.json', card);
    const printed = done('extract', 'Mara.json', '-o', 'out/deep');
    expect(printed).toBe('Quay Notes.json: 2 entries\nMara.json: the card, linked to "Quay Notes"\n');
    expect(listed('out/deep')).toEqual(['Mara.json', 'Quay Notes.json']);
    const written = jsonOf('out/deep/Mara.json');
    expect(written).toEqual({
      ...card,
      data: { ...dataOf(card), extensions: { other: { x: 1 }, world: 'Quay Notes' } },
    });
    const world = jsonOf('out/deep/Quay Notes.json');
    expect(worldEntriesOf(world)).toMatchObject({
      3: { uid: 3, key: ['lamp'], position: 4, depth: 2, role: 1, comment: 'Lamp', disable: false },
      7: { uid: 7, content: 'B.', position: 0 },
    });
    expect(world['extensions']).toMatchObject({
      loreferry: { v: 1, source: { character: 'Mara Lint', slot: 'data.character_book' } },
    });
    expect(world['loreferry']).toMatchObject({
      original: { 'character-book': { raw: dataOf(card)['character_book'] } },
      uids: [3, 7],
    });
    // As files, these open again.
    expect(inspected('out/deep/Quay Notes.json')).toMatchObject({
      kind: 'worldinfo',
      books: [{ entryCount: 2 }],
    });
  });
  it('is written with its link whatever it claimed before, and the claim is told', () => {
    put('Mara.json', cardWith(bookOf(bookEntry()), { extensions: { world: 'Somebody\u001b[31m' } }));
    expect(done('extract', 'Mara.json', '-o', 'out')).toContain(
      'linked to "Quay Notes"; it was linked to "Somebody',
    );
    expect(linkOf(jsonOf('out/Mara.json'))).toBe('Quay Notes');
    put('Odd.json', cardWith(bookOf(bookEntry()), { extensions: ['a'] }));
    expect(done('extract', 'Odd.json', '-o', 'odd')).toContain('its extensions ["a"] were no object');
  });
  it('in two slots becomes two files; the card links the first', () => {
    const second = { ...bookOf(bookEntry({ content: 'Second.' })), name: 'Second' };
    put('Mara.json', cardWith(bookOf(bookEntry()), { extensions: { character_book: second } }));
    done('extract', 'Mara.json', '-o', 'out');
    expect(listed('out')).toEqual(['Mara.json', 'Quay Notes.json', 'Second.json']);
    expect(linkOf(jsonOf('out/Mara.json'))).toBe('Quay Notes');
  });
  it('whose books have one name, or that of the card, gives each a name of its own', () => {
    const books = ['Quay', 'quay', 'Qua\u0301y', 'Mara'].map((name, index) => ({
      ...bookOf(bookEntry({ content: `${index}.` })),
      name,
    }));
    put('Mara.json', cardWith(undefined, { extensions: { character_books: books } }));
    done('extract', 'Mara.json', '-o', 'out');
    expect(listed('out')).toEqual(
      ['Mara (2).json', 'Mara.json', 'Quay.json', 'Qua\u0301y (3).json', 'quay (2).json'].sort(),
    );
    expect(inspected('out/Mara.json').kind).toBe('worldinfo');
    expect(inspected('out/Mara (2).json').kind).toBe('card');
  });
});

describe('containers', () => {
  const card = { ...cardWith(bookOf(bookEntry())), spec: 'chara_card_v3', spec_version: '3.0' };
  it('a PNG keeps its picture byte for byte, and both copies hold the linked card (case 41)', () => {
    const { png } = caseFile('41-ccv3-differs-from-chara.json');
    put('x.png', png);
    done('extract', 'x.png', '-o', 'out');
    const written = bytesOf('out/x.png');
    const picture = (bytes: Uint8Array) =>
      rawChunks(bytes).filter((raw) => !/chara|ccv3/.test(Buffer.from(raw).toString('latin1')));
    expect(picture(written)).toEqual(picture(png));
    expect(chunkList(written).filter((name) => name.startsWith('tEXt'))).toEqual(['tEXt:chara', 'tEXt:ccv3']);
    const texts = rawChunks(written)
      .map((raw) => Buffer.from(raw).toString('latin1'))
      .filter((text) => text.startsWith('tEXt', 4))
      .map(
        (text) =>
          JSON.parse(
            Buffer.from(text.slice(text.indexOf('\0', 8) + 1, -4), 'base64').toString('utf8'),
          ) as JsonObject,
      );
    expect(texts).toHaveLength(2);
    expect(dataOf(texts[0] as JsonObject)).toEqual(dataOf(texts[1] as JsonObject));
    expect(linkOf(texts[0] as JsonObject)).toBe('Quay Notes');
    expect(Object.keys(worldEntriesOf(jsonOf('out/Quay Notes.json')))).toHaveLength(2);
  });
  it('the sample picture', () => {
    copyFileSync(join(import.meta.dirname, '../../samples/Ottoline Fenn.png'), join(here(), 'o.png'));
    const before = inspected('o.png');
    done('extract', 'o.png', '-o', 'out');
    expect(inspected('out/o.png').entries).toEqual(before.entries);
  });
  it('a charx keeps its other files, one behind a JPEG becomes a charx', () => {
    const members = [
      { path: 'card.json', text: JSON.stringify(card) },
      { path: 'assets/icon/main.png', bytes: buildPng([]), stored: true },
      { path: 'module.risum', text: 'x' },
    ];
    put('x.charx', buildZip(members));
    put('y.jpeg', buildZip(members, { prefix: Buffer.from('ffd8ffe00010ffd9', 'hex') }));
    for (const [name, out] of [
      ['x.charx', 'x.charx'],
      ['y.jpeg', 'y.charx'],
    ] as const) {
      done('extract', name, '-o', name.slice(0, 1));
      const written = Buffer.from(bytesOf(`${name.slice(0, 1)}/${out}`));
      expect(written.includes('module.risum')).toBe(true);
      expect(written.includes(Buffer.from(buildPng([])))).toBe(true);
      expect(inspected(`${name.slice(0, 1)}/${out}`)).toMatchObject({
        container: 'charx',
        books: [{ entryCount: 1 }],
      });
    }
  });
});

describe('a flat V1 card', () => {
  it('is written as a linked V2 card that still holds its book', () => {
    const card = readCase('peers/05-');
    put('flat.json', card);
    done('extract', 'flat.json', '-o', 'out');
    const written = jsonOf('out/flat.json');
    expect(written['spec']).toBe('chara_card_v2');
    expect(dataOf(written)['character_book']).toEqual(card['character_book']);
    const [world] = listed('out').filter((name) => name !== 'flat.json');
    expect(`${String(linkOf(written))}.json`).toBe(world);
    expect(inspected('out/flat.json')).toMatchObject({
      spec: 'chara_card_v2',
      books: [{ slot: 'data.character_book' }],
    });
    for (const field of ['name', 'description', 'first_mes'])
      expect(dataOf(written)[field]).toEqual(card[field]);
  });
  it("Agnai's memory book comes out, and the card is linked", () => {
    const book = {
      kind: 'memory',
      name: 'Mem',
      entries: [{ name: 'Lamp', entry: 'Note.', keywords: ['lamp'] }],
    };
    put('a.json', { name: 'Odo', persona: { kind: 'text' }, characterBook: book });
    done('extract', 'a.json', '-o', 'out');
    expect(worldEntriesOf(jsonOf('out/Mem.json'))[0]).toMatchObject({
      content: 'Note.',
      key: ['lamp'],
      comment: 'Lamp',
    });
    expect(linkOf(jsonOf('out/a.json'))).toBe('Mem');
  });
});

describe('nothing to extract', () => {
  it.each<[string, Json]>([
    ['no book', cardWith(undefined)],
    ['null', cardWith(null)],
    ['an empty object', cardWith({})],
    ['a book without entries', cardWith(bookOf())],
    ['a flat card without a book (case 50)', readCase('50-')],
    ['case 46', readCase('46-')],
  ])('%s: status 0, nothing written, and it is said', (_, card) => {
    put('card.json', card);
    const { status, stdout, stderr } = loreferry('extract', 'card.json', '-o', 'out');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^card\.json holds no lorebook; nothing was written\.\n$/);
    expect(listed()).toEqual(['card.json']);
  });
  it('a slot that holds no book is named', () => {
    put('card.json', cardWith(['x']));
    expect(done('extract', 'card.json', '-o', 'out')).toBe(
      'In the card’s usual place stands ["x"], which is no lorebook; nothing was written.\n',
    );
    expect(listed()).toEqual(['card.json']);
  });
});

describe('other files', () => {
  it('a world file is no card (case 47)', () => {
    put('world.json', readCase('47-'));
    expect(refused('extract', 'world.json', '-o', 'out')).toBe(
      'world.json is a world info file, not a character card.',
    );
    expect(listed()).toEqual(['world.json']);
  });
  it('a bare lorebook becomes a world file (case 53)', () => {
    put('book.json', readCase('53-'));
    expect(done('extract', 'book.json', '-o', 'out')).toBe('Spec shaped.json: 2 entries\n');
    expect(Object.values(worldEntriesOf(jsonOf('out/Spec shaped.json')))).toMatchObject([
      { order: 10, disable: false },
      { order: 20, disable: true },
    ]);
  });
  it('-o is needed', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    expect(refused('extract', 'card.json')).toBe('-o is missing.');
    expect(refused('extract', 'card.json', '-o', '')).toBe('-o is missing.');
  });
});

describe('safe names', () => {
  const CARDS = readCase('81-')['cards'] as readonly JsonObject[];
  it('case 81: eight books, eight safe, distinct, length-limited files, and each card links its own', () => {
    for (const [index, card] of CARDS.entries()) put(`N${index + 1}.json`, card);
    const names = CARDS.map((_, index) => {
      const printed = done('extract', `N${index + 1}.json`, '-o', `out${index}`);
      expect(printed).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
      const world = listed(`out${index}`).find((name) => name !== `N${index + 1}.json`) as string;
      expect(`${String(linkOf(jsonOf(`out${index}/N${index + 1}.json`)))}.json`).toBe(world);
      expect(Buffer.byteLength(world)).toBeLessThanOrEqual(210);
      return world;
    });
    expect(names).toEqual([
      "N1's Lorebook.json",
      "N2's Lorebook.json",
      expect.stringMatching(/^星{66}\.json$/),
      expect.stringMatching(/^x{200}\.json$/),
      "N5's Lorebook.json",
      "N6's Lorebook.json",
      'evil.json',
      'quaygnp.notes.json',
    ]);
    expect(listed().filter((name) => /evil/.test(name))).toEqual(['out6/evil.json']);
  });
  it('case 80: the link equals the name of the file', () => {
    const [card] = readCase('80-')['cards'] as readonly JsonObject[];
    put('card.json', card);
    done('extract', 'card.json', '-o', 'out');
    expect(listed('out')).toEqual(['ACDC lore.json', 'card.json']);
    expect(linkOf(jsonOf('out/card.json'))).toBe('ACDC lore');
  });
  it.each<[string, string]>([
    ['CON', 'Lorebook.json'],
    ['con.txt', 'Lorebook.json'],
    ['LPT1 .x', 'Lorebook.json'],
    ['COM\u00b9', 'Lorebook.json'],
    ['CONTENT', 'CONTENT.json'],
    ['../../etc/passwd', 'etcpasswd.json'],
    ['..\\..\\x', 'x.json'],
    ['C:\\x', 'Cx.json'],
    ['/', 'Lorebook.json'],
    ['...', 'Lorebook.json'],
    [' a  b\t\nc ', 'a b c.json'],
    ['a: b', 'a b.json'],
    ['v1.2.', 'v1.2.json'],
    ['\u202eevil\u2066\u200b\u0000\u001b', 'evil.json'],
    ['\ud800x\udfff', 'x.json'],
    ['\u{e0041}x\u3164', 'x.json'],
    ['__proto__', '__proto__.json'],
    ['.hidden', 'hidden.json'],
    ['\u{1f56f}'.repeat(80), `${'\u{1f56f}'.repeat(50)}.json`],
    [`${'x'.repeat(199)}. y`, `${'x'.repeat(199)}.json`],
  ])('%j', (name, file) => {
    expect(fileNames()([name], '.json')).toBe(file);
  });
  it('are distinct when case, accents and width are folded, and the next stem is taken when nothing is left', () => {
    const nameOf = fileNames();
    const given = ['Café', 'CAFE', 'Cafe\u0301', 'Ｃafe', 'Cafe (2)'].map((name) => nameOf([name], '.json'));
    expect(given).toEqual([
      'Café.json',
      'CAFE (2).json',
      'Cafe\u0301 (3).json',
      'Ｃafe (4).json',
      'Cafe (2) (2).json',
    ]);
    expect(nameOf(['..', "Mara's Lorebook"], '.json')).toBe("Mara's Lorebook.json");
  });
});

describe('existing files', () => {
  it('are never replaced without --force, and nothing is written then', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    put('out/Quay Notes.json', 'mine');
    expect(refused('extract', 'card.json', '-o', 'out')).toBe(
      'out/Quay Notes.json exists already; use --force to replace it.',
    );
    expect(listed('out')).toEqual(['Quay Notes.json']);
    expect(Buffer.from(bytesOf('out/Quay Notes.json')).toString()).toBe('mine');
    done('extract', 'card.json', '-o', 'out', '--force');
    expect(listed('out')).toEqual(['Quay Notes.json', 'card.json']);
    expect(Object.keys(worldEntriesOf(jsonOf('out/Quay Notes.json')))).toHaveLength(1);
  });
  it('the card itself is one of them', () => {
    const text = JSON.stringify(cardWith(bookOf(bookEntry())));
    put('card.json', text);
    expect(refused('extract', 'card.json', '-o', '.')).toMatch(/card\.json exists already/);
    expect(Buffer.from(bytesOf('card.json')).toString()).toBe(text);
    expect(listed()).toEqual(['card.json']);
  });
  it('a file where the folder should be', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    writeFileSync(join(here(), 'out'), 'a file');
    expect(refused('extract', 'card.json', '-o', 'out')).toMatch(
      /cannot be written: a part of its path is a file/,
    );
    expect(listed()).toEqual(['card.json', 'out']);
  });
  it('extracting the same card twice gives the same files', () => {
    put('card.json', cardWith(bookOf(bookEntry())));
    done('extract', 'card.json', '-o', 'a');
    done('extract', 'a/card.json', '-o', 'b');
    for (const name of ['card.json', 'Quay Notes.json'])
      expect(bytesOf(`b/${name}`)).toEqual(bytesOf(`a/${name}`));
  });
});
