// What Agnai holds and does (1.0.27), where a memory book says less than usual or SillyTavern does otherwise: read as it
// is there, and what differs is said.

import { describe, expect, it } from 'vitest';
import { encodeBase64 } from '../../src/containers/base64.ts';
import { blankPng } from '../../src/containers/blank-png.ts';
import type { ContainerRead } from '../../src/containers/container.ts';
import { readPieces } from '../../src/convert.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { CanonicalLorebook } from '../../src/core/lorebook.ts';
import { isMemoryBook, readMemoryBook } from '../../src/formats/agnai/memory-book.ts';
import { formatOf, openFile } from '../../src/open-file.ts';

const item = (more: JsonObject): JsonObject => ({
  name: 'A',
  entry: 'The lamp is out.',
  keywords: ['gate'],
  priority: 0,
  weight: 0,
  enabled: true,
  ...more,
});

interface Read {
  readonly book: CanonicalLorebook;
  readonly findings: readonly Finding[];
}

function read(...entries: readonly Json[]): Read {
  const findings: Finding[] = [];
  const book = readMemoryBook({ kind: 'memory', name: 'B', description: '', entries }, 'b', 'x', findings);
  return { book, findings };
}

const codes = ({ findings }: Read, path: string): readonly string[] =>
  findings.filter((each) => each.path === path).map(({ code }) => code);

describe('an entry', () => {
  it('without a switch is on, and that is said', () => {
    const { enabled: _none, ...bare } = item({});
    expect(read(bare).book.body.entries[0]?.enabled).toBe(true);
    expect(codes(read(bare), 'enabled')).toEqual(['assumed']);
    expect(codes(read(item({})), 'enabled')).toEqual([]);
  });
  it.each([
    [{ name: 'A', comment: 'Another' }, 1],
    [{ name: 'A', comment: 'A' }, 0],
    [{ name: 'Unnamed', comment: 'Another' }, 0],
    [{ name: '', comment: 'Another' }, 0],
  ])('of two names %j shows another one here: %d', (names, count) => {
    expect(codes(read(item(names)), 'title')).toHaveLength(count);
  });
  it('whose text begins with lines of SillyTavern’s loses them there', () => {
    const found = read(item({ entry: '@@activate\nThe lamp.' }));
    expect(found.book.body.entries[0]?.content).toBe('@@activate\nThe lamp.');
    expect(codes(found, 'content')).toEqual(['approximated']);
    expect(codes(read(item({ entry: 'The @@lamp.' })), 'content')).toEqual([]);
  });
});

describe('entries whose texts hold keywords of others', () => {
  const lamp = (keywords: readonly string[], more: JsonObject = {}): JsonObject =>
    item({ name: 'L', entry: 'x', keywords, ...more });
  it.each([[['lamp']], [['LAMP']], [['la*p', '*lam*']], [['?']], [['the lamp']]])(
    'start them in SillyTavern alone: %j',
    (keywords) => {
      expect(codes(read(item({}), lamp(keywords)), 'recursiveScanning')).toEqual(['approximated']);
    },
  );
  it.each([
    [item({}), lamp(['door'])],
    [item({}), lamp(['lamp'], { enabled: false })],
    [item({}), lamp(['lamp', '*'])],
    [item({ enabled: false }), lamp(['lamp'])],
    [item({ keywords: ['lamp'] }), lamp(['door'])],
  ])('%j and %j do not', (one, other) => {
    expect(codes(read(one, other), 'recursiveScanning')).toEqual([]);
  });
  it('of a book too large are not compared, and that is as well as said', () => {
    const long = 'x'.repeat(40_000);
    const many = Array.from({ length: 40 }, (_, at) =>
      item({ name: `E${at}`, keywords: [`k${at}q`], entry: long }),
    );
    expect(codes(read(...many), 'recursiveScanning')).toEqual(['approximated']);
  });
});

describe('a Tavern export of a guest’s old book', () => {
  const entry = {
    keys: ['gate*'],
    content: 'x',
    extensions: {},
    enabled: true,
    insertion_order: 3,
    name: 'A',
  };
  const card = (entries: readonly Json[], extensions: JsonObject): JsonObject => ({
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: { name: 'C', character_book: { name: 'B', description: '', entries, extensions: {} }, extensions },
  });
  const keysOf = (json: JsonObject): Json =>
    readPieces(json).lorebooks[0]?.body.entries[0]?.keys as unknown as Json;
  it('is Agnai’s although fields are missing, where the card says that it comes from Agnai', () => {
    const pattern = [{ kind: 'regex', source: '\\bgate\\w*\\b', flags: 'i' }];
    expect(keysOf(card([entry], { agnai: { persona: {} } }))).toEqual(pattern);
    const { keys: _none, name: _name, ...bare } = entry;
    expect(keysOf(card([entry, bare], { agnai: { persona: {} } }))).toEqual(pattern);
  });
  it.each([
    [card([entry], {})],
    [card([{ ...entry, extensions: { position: 1 } }], { agnai: {} })],
    [card([{ id: 0, ...entry }], { agnai: {} })],
  ])('is nobody’s elsewhere', (json) => {
    expect(keysOf(json)).toEqual([{ kind: 'literal', text: 'gate*' }]);
  });
});

it('a memory book is known by any of its entries', () => {
  expect(isMemoryBook({ entries: [null, { entry: 'x' }] })).toBe(true);
  expect(isMemoryBook({ entries: [null, { content: 'x' }] })).toBe(false);
});

describe('a guest’s character', () => {
  const native = { kind: 'character', name: 'Odo', persona: {}, greeting: '', scenario: '', sampleChat: '' };
  const opened = (avatar: string): ContainerRead => {
    const json = JSON.stringify({ ...native, avatar });
    return openFile(new TextEncoder().encode(json), 'odo.json').container;
  };
  it('is Agnai’s without a lorebook, too', () => {
    const file = openFile(new TextEncoder().encode(JSON.stringify(native)), 'odo.json');
    expect(formatOf(file)).toBe('agnai');
  });
  it('has its picture in it', () => {
    const picture = blankPng();
    const read = opened(`data:image/png;base64,${encodeBase64(picture)}`);
    expect(read.picture).toEqual(picture);
    expect(opened('data:image/jpeg;base64,/9j/4AAQ')).toMatchObject({ otherPicture: expect.any(Uint8Array) });
  });
  it.each(['', '/assets/a.png', 'https://a.example/b.png', 'data:image/svg+xml,<svg/>'])(
    'or none: %s',
    (avatar) => {
      const { picture, otherPicture } = opened(avatar);
      expect([picture, otherPicture]).toEqual([undefined, undefined]);
    },
  );
});
